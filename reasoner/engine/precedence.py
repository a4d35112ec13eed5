"""Conclusions that exclude each other, and which of them stands.

What excludes what is declared in the ontology, not here: a functional property takes one value; a property
below core:hasClassifier takes no two values that are disjoint classes. Among rival conclusions an exception
sets aside the rule it excepts, as does a rule declared more specific. What neither decides stays open: every
maximal set of compatible conclusions is kept, and answers that differ between them are unsettled.

Source: defeat by rule priority as in Nute's defeasible logic; the maximal sets are the extensions of
Reiter's default logic, restricted to the conclusions of one subject and property.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import pyoxigraph as ox

from reasoner.engine.pattern import Term
from reasoner.engine.rule import Rule


@dataclass(frozen=True)
class Support:
    """One way a fact came about: the rule, and the solution of its body that fired it."""

    rule: Rule
    solution: Mapping[str, Term]


@dataclass(frozen=True)
class Defeat:
    """A support that lost: `winner` set it aside; `basis` is "exception" or "specificity"."""

    loser: Support
    winner: Support
    fact: ox.Triple
    instead: ox.Triple
    basis: str


@dataclass(frozen=True)
class Conflict:
    """Conclusions about one subject and predicate that exclude each other.

    `options` are the maximal sets of facts that can stand together: one if precedence decided, several if
    nothing did. `supports` holds the undefeated supports of every fact that is left, those that set rivals aside first.
    """

    subject: Term
    predicate: str
    options: tuple[tuple[ox.Triple, ...], ...]
    supports: Mapping[ox.Triple, tuple[Support, ...]]
    defeats: tuple[Defeat, ...]

    @property
    def settled(self) -> bool:
        return len(self.options) == 1

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of all rules that took part, sorted."""
        names = {support.rule.id for supports in self.supports.values() for support in supports}
        return tuple(sorted(names | {defeat.loser.rule.id for defeat in self.defeats}))


@dataclass(frozen=True)
class Exclusions:
    """Which predicates have rival values: `functional` ones, and `classifying` ones with `disjoint` values."""

    functional: frozenset[str] = frozenset()
    classifying: frozenset[str] = frozenset()
    disjoint: frozenset[frozenset[str]] = frozenset()
    _beats: dict[tuple[str, str], str] = field(default_factory=dict, compare=False, repr=False)

    def concerns(self, predicate: str) -> bool:
        """Return whether values of `predicate` can exclude each other."""
        return predicate in self.functional or predicate in self.classifying

    def exclude(self, first: ox.Triple, second: ox.Triple) -> bool:
        """Return whether two facts with the same subject and predicate can't both hold."""
        if first.object == second.object:
            return False
        if first.predicate.value in self.functional:
            return True
        values = frozenset(value.value for value in (first.object, second.object) if isinstance(value, ox.NamedNode))
        return values in self.disjoint


def resolve(candidates: Mapping[ox.Triple, Sequence[Support]], exclusions: Exclusions) -> Conflict:
    """Return what is left of `candidates` (facts about one subject and predicate, with all their supports)."""
    defeats: list[Defeat] = []
    state: dict[tuple[ox.Triple, int], Defeat | None] = {}

    def defeat_of(fact: ox.Triple, index: int) -> Defeat | None:
        key = (fact, index)
        if key not in state:
            state[key] = None
            state[key] = _find_defeat(fact, index)
        return state[key]

    def _find_defeat(fact: ox.Triple, index: int) -> Defeat | None:
        loser = candidates[fact][index]
        for rival, supports in candidates.items():
            if exclusions.exclude(fact, rival):
                for other, winner in enumerate(supports):
                    basis = beats(winner.rule, loser.rule)
                    if basis and defeat_of(rival, other) is None:
                        return Defeat(loser, winner, fact, rival, basis)
        return None

    standing: dict[ox.Triple, tuple[Support, ...]] = {}
    for fact, supports in candidates.items():
        left = []
        for index, support in enumerate(supports):
            defeat = defeat_of(fact, index)
            if defeat is None:
                left.append(support)
            else:
                defeats.append(defeat)
        if left:
            standing[fact] = tuple(left)
    # A fact that several rules give rests on the one that set its rivals aside: the others alone might have lost.
    winners = {id(defeat.winner) for defeat in defeats}
    standing = {fact: tuple(sorted(left, key=lambda one: id(one) not in winners)) for fact, left in standing.items()}
    first = next(iter(candidates))
    options = _maximal_sets(tuple(standing), exclusions)
    return Conflict(first.subject, first.predicate.value, options, standing, tuple(defeats))


def beats(winner: Rule, loser: Rule) -> str:
    """Return why `winner` sets `loser` aside ("exception", "specificity"), or "" if it does not."""
    if loser.id in winner.header.exception_to:
        return "exception"
    if loser.id in winner.header.more_specific_than:
        return "specificity"
    return ""


def _maximal_sets(facts: tuple[ox.Triple, ...], exclusions: Exclusions) -> tuple[tuple[ox.Triple, ...], ...]:
    rivals = {pair for pair in combinations(range(len(facts)), 2) if exclusions.exclude(facts[pair[0]], facts[pair[1]])}
    if not rivals:
        return (facts,)

    def compatible(chosen: frozenset[int]) -> bool:
        return not any(first in chosen and second in chosen for first, second in rivals)

    sets = [
        frozenset(chosen)
        for size in range(len(facts), 0, -1)
        for chosen in combinations(range(len(facts)), size)
        if compatible(frozenset(chosen))
    ]
    maximal = [one for one in sets if not any(one < other for other in sets)]
    return tuple(tuple(facts[index] for index in sorted(one)) for one in sorted(maximal, key=sorted))
