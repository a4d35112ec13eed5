"""What is kept in place of proofs: the same facts, each with the rules of its proof."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from reasoner.engine.precedence import Support
from reasoner.index.keptrules import KeptRules
from reasoner.knowledge.base import build_with_proofs
from reasoner.paths import library
from reasoner.terms.namespaces import game_base


@pytest.mark.parametrize("game", library().games())
def test_facts_are_those_with_proofs(game: str) -> None:
    proven, inference = build_with_proofs(library(), game)
    kept, without = build_with_proofs(library(), game, kept_by=KeptRules)
    assert set(kept.store) == set(proven.store)
    cards = set(proven.cards)
    for branch, other in zip(inference.branches, without.branches, strict=True):
        assert isinstance(other.keeper, KeptRules)
        assert (other.supports, other.drawn) == ({}, [])
        assert len(other.keeper) == len(branch.supports)
        assert all(fact in other.keeper for fact in branch.supports)
        held = {
            (kept.cards[number], one.characteristic, one.value): one.rules
            for one in other.keeper.held()
            for number in one.cards
        }
        own = {fact: support.rule.id for fact, support in branch.supports.items() if fact.subject in cards}
        assert held.keys() == {(fact.subject, fact.predicate, fact.object) for fact in own}
        assert all(rule in held[fact.subject, fact.predicate, fact.object] for fact, rule in own.items())  # type: ignore[index]


def test_a_copy_goes_on_by_itself() -> None:
    base, inference = build_with_proofs(library(), "magus")
    rule = inference.branches[0].supports[inference.branches[0].facts[0]].rule
    card, verb = base.cards[0], ox.NamedNode(f"{game_base('magus')}term/verb")
    first, second = (ox.Triple(card, verb, ox.Literal(text)) for text in ("first", "second"))
    kept = KeptRules([], base.cards)
    kept.take({first: Support(rule, {})})
    copy = kept.copy()
    copy.take({second: Support(rule, {})})
    assert [fact in kept for fact in (first, second)] == [True, False]
    assert [fact in copy for fact in (first, second)] == [True, True]
    assert [(one.value.value, one.rules, list(one.cards)) for one in copy.held()] == [
        ("first", {rule.id}, [0]),
        ("second", {rule.id}, [0]),
    ]
