"""That a rule has no solution is told from what is bound, never where it has one."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.engine.prospects import can_hold, is_unaffected
from reasoner.engine.rule import Rule
from tests.engine.ember import EMBER, MORE, facts, rule
from tests.engine.test_delta import FACTS, RULES

CHAIN = rule("chain", "?x :reaches ?z", "?x :near ?y . ?y :near? ?z . ?z :burns :a ; a :Tree")
BURNT = rule("burnt", "?x :out true", "?x :near ?y . ?y a :Tree . FILTER NOT EXISTS { ?y :burns ?z }")
ALL = tuple(one for one in (*RULES, CHAIN, BURNT) if not one.header.id.endswith(":further"))


def named(name: str) -> ox.NamedNode:
    return ox.NamedNode(EMBER + name)


def solutions(one: Rule, turtle: Iterable[str], **bound: str) -> set[str]:
    """Return the solutions of a rule over some facts, as texts."""
    store = ox.Store()
    store.extend(ox.Quad(t.subject, t.predicate, t.object, MORE) for t in facts(_written(turtle)))
    values = {ox.Variable(name): named(value) for name, value in bound.items()}
    found = store.query(one.select, default_graph=[MORE], substitutions=values)
    return {str([str(value) for value in row]) for row in found}  # type: ignore[union-attr]


def objects_in(turtle: Iterable[str]):  # type: ignore[no-untyped-def]
    known = facts(_written(turtle))
    return lambda subject, predicate: [t.object for t in known if (t.subject, t.predicate) == (subject, predicate)]


def _written(turtle: Iterable[str]) -> str:
    return "".join(f"{fact} ." for fact in sorted(turtle))


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(ALL), st.sets(st.sampled_from(FACTS)), st.sampled_from("abcd"))
def test_where_nothing_can_hold_there_is_no_solution(one: Rule, known: set[str], thing: str) -> None:
    if solutions(one, known, x=thing):
        assert can_hold(one, {"x": named(thing)}, objects_in(known))


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(ALL), st.sets(st.sampled_from(FACTS)), st.sets(st.sampled_from(FACTS), max_size=3))
def test_what_is_not_affected_has_the_same_solutions(one: Rule, known: set[str], changed: set[str]) -> None:
    after = known ^ changed
    changes = {"all": frozenset(facts(_written(changed)))}
    if is_unaffected(one, changes, objects_in(after)):
        assert solutions(one, known) == solutions(one, after)


@pytest.mark.parametrize(
    ("known", "possible"),
    [
        ((":a :near :b", ":b :burns :a", ":b a :Tree"), True),  # by staying at b
        ((":a :near :b", ":b :near :c", ":c :burns :a", ":c a :Tree"), True),  # by going on to c
        ((":a :near :b", ":b :near :c", ":c :burns :b", ":c a :Tree"), False),
        ((":a :near :b", ":b :near :c", ":c :burns :a"), False),
        ((":a :near :b", ":b :burns :a", ":c a :Tree"), False),
        ((":b :near :c", ":c :burns :a", ":c a :Tree"), False),
    ],
)
def test_steps_are_followed_to_their_end(known: tuple[str, ...], possible: bool) -> None:
    assert can_hold(CHAIN, {"x": named("a")}, objects_in(known)) is possible
    assert bool(solutions(CHAIN, known, x="a")) is possible


@pytest.mark.parametrize(
    ("changed", "after", "unaffected"),
    [
        (":b :burns :c", (":a :near :b", ":b a :Tree"), False),  # what must be absent is gone
        (":c :burns :b", (":a :near :b", ":b a :Tree"), True),  # nothing stands about c
        (":a :near :b", (":b a :Tree",), False),  # what has gone is counted in
        (":a :near :b", (":a :near :b",), True),
        (":a :glows true", (":a :near :b", ":b a :Tree", ":a :glows true"), True),
    ],
)
def test_facts_that_come_or_go(changed: str, after: tuple[str, ...], unaffected: bool) -> None:
    found = is_unaffected(BURNT, {"all": frozenset(facts(f"{changed} ."))}, objects_in(after))
    assert found is unaffected


def test_a_number_written_otherwise_is_no_reason_to_rule_out() -> None:
    """The store takes 2 and 02 for one number."""
    two = rule("two", "?x :double true", "?x :glows 2")
    assert can_hold(two, {"x": named("a")}, objects_in([":a :glows '02'^^<http://www.w3.org/2001/XMLSchema#integer>"]))
    assert not can_hold(two, {"x": named("a")}, objects_in([":a :glows :b"]))
