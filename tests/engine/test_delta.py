"""Asking a rule again only about what has changed gives what asking it anew gives, proofs included."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.engine import delta
from reasoner.engine.conclusions import Conclusions, signatures
from reasoner.engine.delta import pivot, renewed
from reasoner.engine.inference import infer
from reasoner.engine.memo import Memo
from reasoner.engine.rule import key_of_type
from tests.engine.ember import BASE, EMBER, MORE, TARGET, facts, program, rule

NEAR, GLOWS, BURNS = f"{EMBER}near", f"{EMBER}glows", f"{EMBER}burns"
RULES = (
    rule("all", "?x :seen ?y", "?x :near ?y"),
    rule("two", "?x :between ?z", "?x :near ?y . ?y :near ?z"),
    rule("lit", "?x :lit ?y", "?x :near ?y ; :glows ?z . FILTER(?y != :c)"),
    rule("dark", "?x :dark true", "?x :near ?y . FILTER NOT EXISTS { ?x :glows ?z }"),
    rule("odd", "?x :odd ?y", "?x :near ?y MINUS { ?x :burns ?y }"),
    rule("perhaps", "?x :known ?y ; :warm ?z", "?x :near ?y OPTIONAL { ?x :burns ?z }"),
    rule("either", "?x :active true", "?x :near ?y . { ?x :glows ?z } UNION { ?x :burns ?z }"),
    rule("fixed", "?x :home ?h", "?x :near ?y . ?y :stands ?h"),
    rule("kind", "?x :tree true", "?x a :Tree ; :near ?y"),
    rule("from", "?y :approached true", "?x :near ?y"),
    rule("further", "?x :shown true", "?x :lit ?y ; :tree true . FILTER NOT EXISTS { ?x :dark true }"),
    rule("here", "?x :lies ?z", "?x :near? ?y . ?y :burns ?z"),
    rule("many", "?x :count ?n", "?x :glows true . { SELECT ?x (COUNT(?y) AS ?n) WHERE { ?x :near ?y } GROUP BY ?x }"),
)
PROGRAM = program(RULES)
THINGS = (":a", ":b", ":c", ":d")
FACTS = [
    *(f"{one} {verb} {other}" for one in THINGS for verb in (":near", ":burns") for other in THINGS),
    *(f"{one} :glows true" for one in THINGS),
    *(f"{one} a :Tree" for one in THINGS),
]
FIXED = ":b :stands :hill . :d :glows false . :c a :Tree ."


def run(turtle: str, memo: Memo | None) -> dict[str, tuple[str, dict[str, str]]]:
    """Return what follows from some facts and those that are fixed: each with its rule and the bindings behind it."""
    store = ox.Store()
    fixed, own = facts(FIXED), facts(turtle)
    store.extend(ox.Quad(t.subject, t.predicate, t.object, BASE) for t in fixed)
    store.extend(ox.Quad(t.subject, t.predicate, t.object, MORE) for t in own)
    (branch,) = infer(store, [BASE, MORE], signatures([*fixed, *own]), PROGRAM, TARGET, memo=memo).branches
    return {
        str(fact): (support.rule.id, {name: str(value) for name, value in support.solution.items()})
        for fact, support in branch.supports.items()
    }


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sets(st.sampled_from(FACTS), max_size=3), min_size=2, max_size=6), st.sets(st.sampled_from(FACTS)))
def test_one_change_after_another(changes: list[set[str]], start: set[str]) -> None:
    """Moments that differ in a few facts each, one memo for all of them."""
    memo, now = Memo(frozenset({BASE})), set(start)
    for change in [set(), *changes]:
        now ^= change
        turtle = "".join(f"{fact} ." for fact in sorted(now))
        assert run(turtle, memo) == run(turtle, None)


def test_only_what_has_changed_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, tuple[str, ...]]] = []

    def noted(rule, before, changes, ask, objects):  # type: ignore[no-untyped-def]
        def noting(bound):  # type: ignore[no-untyped-def]
            asked.append((rule.id, tuple(str(value) for value in bound.values())))
            return ask(bound)

        return renewed(rule, before, changes, noting, objects)

    monkeypatch.setattr("reasoner.engine.memo.renewed", noted)
    memo = Memo(frozenset({BASE}))
    run(":a :near :b . :b :near :c .", memo)
    assert asked == []
    run(":a :near :b . :b :near :c . :c :near :b .", memo)
    # Who is between whom, who is approached and how many are near depends on more than one thing: that is asked anew.
    # That nothing lights c up is seen without a question.
    about_c = ("all", "dark", "either", "fixed", "kind", "odd", "perhaps")
    assert sorted(asked) == [(f"ember:{name}", (f"<{EMBER}c>",)) for name in about_c]
    asked.clear()
    run(":a :near :b . :b :near :c .", memo)
    assert asked == []


def test_which_variable_stands_for_what_has_changed() -> None:
    found = {one.header.id.partition(":")[2]: one for one in RULES}
    both = frozenset({NEAR, GLOWS})
    pivots = {name: pivot(one, frozenset({NEAR})) for name, one in found.items()}
    x = ("all", "lit", "dark", "odd", "perhaps", "either", "fixed", "kind", "further")
    assert {name: one for name, one in pivots.items() if one} == dict.fromkeys(x, "x")
    assert pivot(found["lit"], both) == pivot(found["dark"], both) == "x"
    assert pivot(found["fixed"], frozenset({f"{EMBER}stands"})) is None
    assert pivot(found["kind"], frozenset({key_of_type(f"<{EMBER}Tree>")})) == "x"
    assert pivot(found["many"], frozenset({GLOWS})) is None


def test_too_much_at_once_is_asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delta, "MOST_CONCERNED", 1)
    (seen,) = [one for one in RULES if one.header.id == "ember:all"]
    changed = facts(":a :near :b . :b :near :c .")

    none = Conclusions({})

    def nothing(_bound: object) -> Conclusions:
        return none

    def objects(_subject: object, _predicate: object) -> list[ox.NamedNode]:
        return [ox.NamedNode(f"{EMBER}b")]

    assert renewed(seen, none, {NEAR: frozenset(changed)}, nothing, objects) is None
    assert renewed(seen, none, {NEAR: frozenset(changed[:1])}, nothing, objects) is none
