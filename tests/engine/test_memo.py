"""What a memo keeps: never more than what the same facts give, and nothing is asked twice over the same facts."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from reasoner.engine import memo as module
from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import infer
from reasoner.engine.memo import Memo
from reasoner.engine.program import Program
from reasoner.engine.rule import key_of_joined
from reasoner.engine.strata import stratify
from tests.engine.ember import BASE, MORE, TARGET, exclusions, facts, program, rule

NONE = exclusions()
RULES = (
    rule("lit", "?x :glows true", "?x :burns ?y"),
    rule("kind", "?x :meant ?c", "?x :near ?y . ?y a ?c"),
    rule("dark", "?x :dark true", "?x :near ?y . FILTER NOT EXISTS { ?x :glows true }"),
)
PROGRAM = Program(stratify(RULES, NONE.concerns), NONE)


def run(turtle: str, memo: Memo | None) -> list[str]:
    """Return what the rules conclude from the facts of a run beside those that are fixed, as text."""
    store = ox.Store()
    store.extend(ox.Quad(t.subject, t.predicate, t.object, BASE) for t in facts(":hall :near :fire ."))
    triples = facts(f"{turtle} ." if turtle else "")
    store.extend(ox.Quad(t.subject, t.predicate, t.object, MORE) for t in triples)
    present = signatures([*facts(":hall :near :fire ."), *triples])
    (branch,) = infer(store, [BASE, MORE], present, PROGRAM, TARGET, memo=memo).branches
    return sorted(str(fact) for fact in branch.supports)


def test_with_and_without() -> None:
    """Whatever was there before, a run with a memo concludes what a run without one does."""
    memo = Memo(frozenset({BASE}))
    kinds = (":b a :Tree", ":a :near :b . :b a :Tree", ":a :near :b . :b a :Bush . :c a :Tree", ":fire a :Tree")
    for turtle in (":a :near :b", ":a :near :b . :a :burns :c", ":hall :burns :b", ":a :near :b", "", *kinds):
        assert run(turtle, memo) == run(turtle, None)


def test_nothing_is_asked_twice() -> None:
    memo = Memo(frozenset({BASE}))
    run(":a :near :b . :a :burns :c", memo)
    known = dict(memo.known)
    assert {name for name, _ in known} == {"ember:lit", "ember:dark"}
    run(":a :burns :c . :a :near :b . :a :tall true", memo)
    assert memo.known == known
    run(":a :near :b . :a :burns :d", memo)
    # The one rule reads what burns, the other only that something glows.
    assert [name for name, _ in memo.known.keys() - known.keys()] == ["ember:lit"]


def test_of_what_class_others_are_matters_to_no_rule_that_asks_of_some() -> None:
    """Classes are looked up of what is the object of the property alone that a rule names; of all, if it is fixed."""
    found = Program(stratify(RULES, NONE.concerns), NONE)
    (asks,) = [one for one in found.rules if one.id == "ember:kind"]
    memo = Memo(frozenset({BASE}))
    near = "https://example.org/ember/near"
    assert asks.joined == (near,)
    assert asks.read_keys == (key_of_joined(near), near)
    store = ox.Store()
    own = facts(":a :near :b . :b a :Bush . :c a :Tree .")
    contents = memo.contents(store, [])
    contents.add(own)
    assert contents.of(asks.read_keys) == (frozenset(own[1:2]), frozenset(own[:1]))
    store.add(ox.Quad(own[0].subject, ox.NamedNode(near), own[0].subject, BASE))
    fixed = Memo(frozenset({BASE})).contents(store, [])
    fixed.add(own)
    assert fixed.of(asks.read_keys) == (frozenset(own[1:]), frozenset(own[:1]))


def test_a_memo_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KNOWN", 2)
    memo = Memo(frozenset({BASE}))
    for turtle in (":a :burns :b", ":a :burns :c", ":a :burns :d"):
        assert run(turtle, memo) == run(turtle, None)
        assert len(memo.known) <= 2


def test_toward() -> None:
    """The part of a program that leads to a conclusion: the rule that draws it, and those that it reads from."""
    names = [r.id for r in PROGRAM.toward(["https://example.org/ember/dark"]).rules]
    assert names == ["ember:lit", "ember:dark"]
    assert [r.id for r in PROGRAM.toward(["https://example.org/ember/glows"]).rules] == ["ember:lit"]
    assert PROGRAM.toward(["https://example.org/ember/near"]).rules == ()


def test_a_rule_that_has_come_to_rank_otherwise_stands_behind_what_it_gives() -> None:
    """What is kept of a rule is told of the rule as it is now, the new conclusions and those of before."""
    memo = Memo(frozenset({BASE}))
    for rank, turtle in (((), ":a :burns :b ."), (("dark",), ":a :burns :b . :c :burns :d .")):
        found = rule("lit", "?x :glows true", "?x :burns ?y", exception_to=rank)
        store, own = ox.Store(), facts(turtle)
        store.extend(ox.Quad(t.subject, t.predicate, t.object, MORE) for t in own)
        (branch,) = infer(store, [BASE, MORE], signatures(own), program((found, RULES[2])), TARGET, memo=memo).branches
        assert {str(fact.subject): support.rule.header.exception_to for fact, support in branch.supports.items()} == {
            str(fact.subject): found.header.exception_to for fact in own
        }
