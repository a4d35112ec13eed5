"""Which facts rules come to by way of others alone."""

from __future__ import annotations

import pyoxigraph as ox

from reasoner.engine.locality import approaches, local
from reasoner.engine.memo import Contents, Memo
from tests.engine.ember import BASE, EMBER, facts, program, rule

RULES = (
    rule("owner", "?m :speaksOf ?p", "?m :on ?x . ?x :ownedBy ?p"),
    rule("nobody", "?m :speaksOfNobody true", "?m :word ?w . FILTER NOT EXISTS { ?m :on ?x . ?x :ownedBy|:heldBy ?p }"),
    rule("ally", "?m :speaksOfAlly ?q", "?m :on ?x . ?x :ownedBy ?p . ?p :friend ?q"),
    rule("any", "?m :speaksOfColour ?c", "?m :word ?c . ?y :colour ?c"),
    rule("both", "?m :speaksOfSize ?s", "{ ?m :on ?x } UNION { ?x :big true } ?x :size ?s"),
    rule("far", "?m :speaksOfFar ?z", "?m :on ?x . ?x :near* ?z"),
    rule("told", "?m :mood ?z", "?m :speaksOf ?p . ?p :feels ?z"),
)
PROGRAM = program(RULES)


def named(*names: str) -> frozenset[str]:
    """Return the predicates with these local names."""
    return frozenset(EMBER + name for name in names)


def test_what_leads_to_what() -> None:
    """A path of several steps, a variable of one branch of two, and what rules conclude themselves lead nowhere."""
    assert approaches(RULES) == {
        f"{EMBER}ownedBy": (named("on"), named("on"), named("on")),
        f"{EMBER}heldBy": (named("on"),),
        f"{EMBER}friend": (named("ownedBy"),),
    }


def test_what_counts_begins_where_the_run_does() -> None:
    near = approaches(RULES)
    assert local(near, lambda one: one == f"{EMBER}on") == named("ownedBy", "heldBy", "friend")
    assert local(near, lambda one: one == f"{EMBER}ownedBy") == named("friend")
    assert local(near, lambda _: False) == frozenset()


def test_what_a_run_depends_on() -> None:
    """What is so of other things than those to which the text leads makes no difference, a colour does."""
    given = facts(":m :on :x ; :word :red .")

    def read(turtle: str) -> object:
        contents = Contents(Memo(frozenset({BASE})), ox.Store())
        contents.add(facts(turtle))
        return contents.near(PROGRAM.keys or (), PROGRAM.approaches, given)

    owned = ":x :ownedBy :p . :p :friend :q ."
    assert read(owned) == read(f"{owned} :y :ownedBy :z . :z :friend :p . :y :heldBy :p .")
    assert read(owned) != read(":x :ownedBy :p . :p :friend :r .")
    assert read(owned) != read(":p :friend :q .")
    assert read(owned) != read(f"{owned} :y :colour :red .")
    assert read(owned) != read(f"{owned} :x a :Tree .")
    # Where a fact says what something is on beforehand, anything can be reached.
    on = ":n :on :y ."
    assert read(f"{owned} {on}") != read(f"{owned} {on} :y :ownedBy :z .")
