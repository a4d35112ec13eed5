"""Conclusions that exclude each other, and which of them stands.

What excludes what is declared in the ontology, not here: a functional property takes one value; a property
below core:hasClassifier takes no two values that are disjoint classes. Among rival conclusions an exception
sets aside the rule it excepts, as does a rule declared more specific; then the game's policies decide (the language
of the original over others, later over earlier issue, later over earlier point of a chapter). What nothing decides
stays open: every maximal set of compatible conclusions is kept, and answers that differ between them are unsettled.

Source: defeat by rule priority as in Nute's defeasible logic; the maximal sets are the extensions of
Reiter's default logic, restricted to the conclusions of one subject and property.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import pyoxigraph as ox

from reasoner.engine.pattern import Term
from reasoner.engine.rule import Rule
from reasoner.errors import RuleError

MOST_BRANCHES = 64
UNDATED = "undated"
_NUMBERED = re.compile(r"\d+(\.\d+)*")


class Support(NamedTuple):
    """One way a fact came about: the rule, and the solution of its body that fired it."""

    rule: Rule
    solution: Mapping[str, Term]


@dataclass(frozen=True)
class Defeat:
    """A support that lost: `winner` set it aside; `basis` is a key of BASES."""

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

    subject: ox.NamedNode | ox.BlankNode
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
    """Which predicates have rival values: `functional` ones, and `classifying` ones with `disjoint` values.

    `policies` are those of the game (see POLICIES), which decide where no rule outranks another by itself.
    """

    functional: frozenset[str] = frozenset()
    classifying: frozenset[str] = frozenset()
    disjoint: frozenset[frozenset[str]] = frozenset()
    policies: frozenset[str] = frozenset()

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

    def clash(self, facts: Iterable[ox.Triple]) -> bool:
        """Return whether any two of these facts about one subject and predicate exclude each other."""
        known = list(facts)
        if known and known[0].predicate.value in self.functional:
            return len({fact.object for fact in known}) > 1
        values = {fact.object.value for fact in known if isinstance(fact.object, ox.NamedNode)}
        return any(not values.isdisjoint(self._excluded.get(value, ())) for value in values)

    @cached_property
    def _excluded(self) -> dict[str, set[str]]:
        """The values that exclude each value."""
        found: dict[str, set[str]] = {}
        for pair in self.disjoint:
            for value in pair:
                found.setdefault(value, set()).update(pair - {value})
        return found


def resolve(candidates: Mapping[ox.Triple, Sequence[Support]], exclusions: Exclusions) -> Conflict:
    """Return what is left of `candidates` (facts about one subject and predicate, with all their supports).

    Raises:
        RuleError: R113 if more than 64 sets of facts could stand.
    """
    ordered = sorted(candidates, key=str)
    rivals = {fact: [other for other in ordered if exclusions.exclude(fact, other)] for fact in ordered}
    heard = [(fact, support) for fact in ordered for support in candidates[fact]]
    attacks: list[list[tuple[int, str]]] = [
        [
            (number, basis)
            for number, (rival, winner) in enumerate(heard)
            if rival in rivals[fact] and (basis := beats(winner.rule, loser.rule, exclusions.policies))
        ]
        for fact, loser in heard
    ]
    prevails = _prevailing([[number for number, _ in found] for found in attacks])
    standing: dict[ox.Triple, tuple[Support, ...]] = {}
    defeats: list[Defeat] = []
    for (fact, support), found in zip(heard, attacks, strict=True):
        lost_to = next(((number, basis) for number, basis in found if prevails[number]), None)
        if lost_to is None:
            standing[fact] = (*standing.get(fact, ()), support)
        else:
            rival, winner = heard[lost_to[0]]
            defeats.append(Defeat(support, winner, fact, rival, lost_to[1]))
    # A fact that several rules give rests on the one that set its rivals aside: the others alone might have lost.
    # Where later issues prevail it rests on the latest, even if an older rule gives the same.
    winners = {id(defeat.winner) for defeat in defeats}
    standing = {fact: foremost(left, exclusions.policies) for fact, left in standing.items()}
    standing = {fact: tuple(sorted(left, key=lambda one: id(one) not in winners)) for fact, left in standing.items()}
    options = tuple(_maximal_sets(tuple(standing), rivals))
    subject = ordered[0].subject
    assert not isinstance(subject, ox.Triple)
    return Conflict(subject, ordered[0].predicate.value, options, standing, tuple(defeats))


def _prevailing(attackers: Sequence[Sequence[int]]) -> list[bool | None]:
    """Return which of numbered conclusions prevail: those all of whose attackers are set aside by one that prevails.

    None: neither, as of conclusions that set each other aside in a circle, which a rule's own exceptions and the
    policies of a game can form together. Source: the grounded extension of Dung, "On the acceptability of arguments"
    (1995).
    """
    known: list[bool | None] = [None] * len(attackers)
    while True:
        before = list(known)
        for number, found in enumerate(attackers):
            if any(known[one] is True for one in found):
                known[number] = False
            elif all(known[one] is False for one in found):
                known[number] = True
        if known == before:
            return known


def too_many(subject: object) -> RuleError:
    """Return the error for more combinations of undecided conclusions than can be followed, met on `subject`."""
    message = f"undecided conflicts give more than {MOST_BRANCHES} combinations"
    about = getattr(subject, "value", "")
    return RuleError("R113", message, hint="narrow the situation, or decide which of the rules prevails", about=about)


def beats(winner: Rule, loser: Rule, policies: frozenset[str] = frozenset()) -> str:
    """Return why `winner` sets `loser` aside: a key of BASES, or "" if it does not.

    What the rules say of each other comes first, then the game's policies in the order of POLICIES.
    """
    own = _outranks(winner, loser)
    if own or _outranks(loser, winner):
        return own
    for policy, (basis, decides) in POLICIES.items():
        if policy in policies and decides(winner, loser):
            return basis
        if policy in policies and decides(loser, winner):
            return ""
    return ""


def foremost(supports: Sequence[Support], policies: frozenset[str]) -> tuple[Support, ...]:
    """Return supports of one fact, first the one on which it is said to rest: under later-prevails the latest."""
    return tuple(sorted(supports, key=_issue, reverse=True)) if "LaterPrevails" in policies else tuple(supports)


def _issue(support: Support) -> str:
    return "" if support.rule.header.edition == UNDATED else support.rule.header.edition


def _outranks(winner: Rule, loser: Rule) -> str:
    if loser.id in winner.header.exception_to:
        return "exception"
    return "specificity" if loser.id in winner.header.more_specific_than else ""


def _is_later(winner: Rule, loser: Rule) -> bool:
    """Return whether `winner` was issued later; dates are compared as far as both are known."""
    mine, other = winner.header.edition, loser.header.edition
    known = min(len(mine), len(other))
    return UNDATED not in (mine, other) and mine[:known] > other[:known]


def _is_later_point(winner: Rule, loser: Rule) -> bool:
    """Return whether both are numbered points of one chapter of one source, and `winner` comes later in it."""
    mine, other = (_point(rule) for rule in (winner, loser))
    return (
        winner.header.source == loser.header.source and bool(mine and other) and mine[:1] == other[:1] and mine > other
    )


def _point(rule: Rule) -> tuple[int, ...]:
    found = _NUMBERED.match(rule.header.section)
    return tuple(int(part) for part in found.group().split(".")) if found else ()


def _is_original(winner: Rule, loser: Rule) -> bool:
    """Return whether both are wordings of one text, and only `winner` is in the language it was written in."""
    mine, other = winner.header, loser.header
    same = (mine.source, mine.section) == (other.source, other.section)
    return same and bool(mine.language and other.language) and mine.original and not other.original


# By the local name of the policy in the ontology: the basis of the defeat, and whether a rule prevails over another.
POLICIES: dict[str, tuple[str, Callable[[Rule, Rule], bool]]] = {
    "SourceLanguagePrevails": ("source language", _is_original),
    "LaterPrevails": ("later issue", _is_later),
    "OrderWithinChapter": ("later point", _is_later_point),
}
BASES = {
    "exception": "is an exception to it",
    "specificity": "is the more specific",
    "source language": "is in the language in which the text was written",
    "later issue": "was issued later",
    "later point": "comes later in the same chapter",
}


def _maximal_sets(
    facts: tuple[ox.Triple, ...], rivals: Mapping[ox.Triple, Sequence[ox.Triple]]
) -> list[tuple[ox.Triple, ...]]:
    """Return every set of facts without rivals to which none can be added, in the order of `facts`.

    Source: Bron and Kerbosch, "Algorithm 457: finding all cliques of an undirected graph" (1973).
    """
    number = {fact: index for index, fact in enumerate(facts)}
    everything = frozenset(number.values())
    goes_with = [
        everything - {index} - {number[rival] for rival in rivals[fact] if rival in number}
        for fact, index in number.items()
    ]
    found: list[frozenset[int]] = []

    def extend(chosen: frozenset[int], open_ones: frozenset[int], done: frozenset[int]) -> None:
        if not open_ones and not done:
            found.append(chosen)
            if len(found) > MOST_BRANCHES:
                raise too_many(facts[0].subject)
            return
        pivot = max(open_ones | done, key=lambda one: (len(open_ones & goes_with[one]), -one))
        for one in sorted(open_ones - goes_with[pivot]):
            extend(chosen | {one}, open_ones & goes_with[one], done & goes_with[one])
            open_ones, done = open_ones - {one}, done | {one}

    extend(frozenset(), everything, frozenset())
    return [tuple(facts[index] for index in sorted(one)) for one in sorted(found, key=sorted)]
