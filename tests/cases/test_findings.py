"""Open questions of a rulebook: who disagrees, what decides between them, and that nothing is decided in silence."""

from __future__ import annotations

import pytest

from reasoner.engine.precedence import Conflict
from tests.cases.played import CASES, played

# Pairs of rules that disagree and that nothing decides between, by the case that shows it.
UNDECIDED = {
    "B-finding-event-cards": {("magus:B", "magus:B.reason")},
    "C-finding-chain-of-stays": {("magus:C.lasts", "magus:F.fresh")},
    "C-finding-shard-pile": {("magus:C.lasts", "magus:F.fresh")},
    "C-finding-shard-pile-after-a-new-change": {("magus:C.lasts", "magus:F.fresh")},
}
# (winner, loser) where no source decides and the narrower rule is taken: our judgement, and shown as such.
BY_SPECIFICITY = {
    "A-finding-own-name-in-bold": {("magus:A", "magus:G")},
    "A-own-name-with-a-type": {("magus:D.card", "magus:A")},
    "D-copied-ability-names-the-copier": {("magus:D.card", "magus:A")},
}


def conflicts(name: str) -> list[Conflict]:
    """Return the conflicts between rules that the case called `name` meets."""
    return [conflict for path in CASES if path.stem == name for conflict in played(path).conflicts]


@pytest.mark.parametrize("name", UNDECIDED)
def test_undecided(name: str) -> None:
    """The rules that are left over against each other are these, and each stands in an answer of its own."""
    found = set()
    for conflict in conflicts(name):
        if not conflict.settled:
            assert len(conflict.options) == 2
            found.add(tuple(sorted({support.rule.id for one in conflict.supports.values() for support in one[:1]})))
    assert found == UNDECIDED[name]


@pytest.mark.parametrize("name", BY_SPECIFICITY)
def test_decided_by_specificity(name: str) -> None:
    """What wins by our judgement alone is told apart from what a source excepts."""
    found = {
        (defeat.winner.rule.id, defeat.loser.rule.id)
        for conflict in conflicts(name)
        for defeat in conflict.defeats
        if defeat.basis == "specificity"
    }
    assert found == BY_SPECIFICITY[name]


def test_open_questions_are_called_findings() -> None:
    """A case that meets an undecided conflict is called a finding; one called so meets what no source decides."""
    undecided, called, undecided_or_ours = set(), set(), set()
    for path in CASES:
        met = conflicts(path.stem)
        if "-finding-" in path.stem:
            called.add(path.stem)
        if any(not one.settled for one in met):
            undecided.add(path.stem)
        if any(not one.settled or any(defeat.basis == "specificity" for defeat in one.defeats) for one in met):
            undecided_or_ours.add(path.stem)
    assert called
    assert undecided - called == set()
    assert called - undecided_or_ours == set()
