"""Witnesses of contradictions: for each pair of rules that could disagree, the smallest situation in which they do.

They are searched for among generated texts and situations, TURN of them for each pair in turn, until every pair has a
witness or the budget is spent. A witness should also show: some answer depends on which rule is followed. One that does
not is kept only where no better one turns up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from time import monotonic

from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.checks.candidates import Pair, candidate_pairs
from reasoner.operations.checks.findings import counted
from reasoner.operations.checks.seeking import Seeker
from reasoner.operations.checks.trials import Found

MOST_TRIALS, MOST_FOR_PAIR, TURN = 400, 32, 8
MOST_SECONDS = 120.0  # a stop for very large games; in others the number of trials decides


@dataclass(frozen=True)
class Search:
    """What was searched: the pairs, the witnesses found, and how many texts and situations that took."""

    pairs: tuple[Pair, ...]
    found: tuple[Found, ...]
    trials: int

    @property
    def note(self) -> str:
        """The search in one line."""
        left = len(self.pairs) - len(self.found)
        none = f", none for {left} in {self.trials} texts and situations" if left else ""
        return f"rules that could disagree: {counted(len(self.pairs), 'pair')}; a witness for {len(self.found)}{none}"


def search(base: KnowledgeBase, most_trials: int = MOST_TRIALS) -> Search:
    """Return the witnesses for the rules of `base`, in the order of the pairs; the same every time."""
    pairs = candidate_pairs(base)
    seeker = Seeker(base)
    found: dict[Pair, Found] = {}
    waiting = {pair: islice(seeker.attempts(pair), MOST_FOR_PAIR // _share(pair)) for pair in pairs}
    ends = monotonic() + MOST_SECONDS
    while waiting and seeker.trials.count < most_trials and monotonic() < ends:
        for pair, attempts in list(waiting.items()):
            turn = list(islice(_until_shown(attempts), TURN // _share(pair)))
            better = [one for one in turn if one is not None and (one.shows or pair not in found)]
            if better:
                found[pair] = next((one for one in better if one.shows), better[0])
            if len(turn) < TURN // _share(pair) or any(one is not None and one.shows for one in turn):
                del waiting[pair]
            if seeker.trials.count >= most_trials:
                break
    return Search(pairs, tuple(found[pair] for pair in pairs if pair in found), seeker.trials.count)


def _share(pair: Pair) -> int:
    """Return by what the trials for a pair are divided: a clause seldom contradicts itself."""
    one, other = (rule.header.clause for rule in pair.rules)
    return 2 if one == other else 1


def _until_shown(attempts: Iterator[Found | None]) -> Iterator[Found | None]:
    for one in attempts:
        yield one
        if one is not None and one.shows:
            return
