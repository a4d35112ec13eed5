"""What is kept of the conclusions about a pool in place of their proofs: the ids of all rules of each proof.

A proof takes half a kilobyte and more, and a pool has some thirty conclusions for each card. So each is looked at when
it is drawn, and dropped: it rests on what was drawn before it, of which the rules are known by then. Facts are kept as
numbers that are made of those of their terms.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import pyoxigraph as ox

from reasoner.engine.pattern import ANY_PREDICATE, Path, Signature, Slot, Solution, Term, Variable, overlap
from reasoner.engine.precedence import Support
from reasoner.engine.rule import Rule
from reasoner.terms.namespaces import core

_ONLY_WHEN = core("isMetOnlyWhen")
_BITS = 32  # of the number of a term

# Gives the number of the fact that a premise is in a solution, None if no fact can have it.
_Premise: TypeAlias = Callable[[ox.QuerySolution], int | None]


class Held(NamedTuple):
    """The numbers of the `cards` that have a value for a characteristic by the same `rules`."""

    characteristic: Any
    value: Any
    rules: frozenset[str]
    cards: array[int]


class KeptRules:
    """The conclusions of one branch, each with the ids of the rules behind it (see `engine.inference.Keeper`).

    `cards` have the first numbers of all terms, in their order.
    """

    def __init__(self, rules: Iterable[Rule], cards: Iterable[ox.NamedNode]) -> None:
        all_rules = tuple(rules)
        self._numbers: dict[Any, int] = {card: number for number, card in enumerate(cards)}
        self._cards = len(self._numbers)
        self._derived = {signature for rule in all_rules for signature in rule.writes}
        self._counted = {pattern.verb for rule in all_rules for pattern in rule.counted}
        self._plans: dict[tuple[str, tuple[str, ...]], list[_Premise]] = {}
        self._sets: dict[frozenset[str], frozenset[str]] = {}
        self._united: dict[tuple[object, ...], frozenset[str]] = {}  # by a rule and the sets (in `_sets`) of premises
        self._found: dict[int, frozenset[str]] = {}
        self._at_end: dict[tuple[object, int, bool], set[str]] = {}
        self._held: dict[tuple[int, int, frozenset[str]], array[int]] = {}

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, fact: object) -> bool:
        assert isinstance(fact, ox.Triple)
        get = self._numbers.get
        subject, verb, value = get(fact.subject), get(fact.predicate), get(fact.object)
        if subject is None or verb is None or value is None:
            return False
        return _packed(subject, verb, value) in self._found

    def copy(self) -> KeptRules:
        """Return the same for a branch that goes on by itself; the numbers of terms and the sets are shared."""
        copy = KeptRules((), ())
        copy.__dict__.update(self.__dict__)
        copy._found = dict(self._found)
        copy._at_end = {end: set(rules) for end, rules in self._at_end.items()}
        copy._held = {held: cards[:] for held, cards in self._held.items()}
        return copy

    def take(self, supports: Mapping[ox.Triple, Support]) -> None:
        """Keep facts that are drawn together, none of which is known."""
        for fact, (rule, solution) in supports.items():
            kept = self._rules_behind(rule, solution)
            subject, verb, value = map(self._number, (fact.subject, fact.predicate, fact.object))
            self._found[_packed(subject, verb, value)] = kept
            if fact.predicate in self._counted:
                self._at_end.setdefault((fact.predicate, subject, True), set()).update(kept)
                self._at_end.setdefault((fact.predicate, value, False), set()).update(kept)
            if subject < self._cards:
                # A condition is told by the rule that gives it, and by none before it.
                told = self._shared(frozenset({rule.id})) if fact.predicate == _ONLY_WHEN else kept
                self._held.setdefault((verb, value, told), array("I")).append(subject)

    def held(self) -> Iterator[Held]:
        """Yield what cards have, in the order in which it was found."""
        terms = list(self._numbers)
        for (verb, value, rules), cards in self._held.items():
            yield Held(terms[verb], terms[value], rules, cards)

    def _rules_behind(self, rule: Rule, solution: Mapping[str, Term]) -> frozenset[str]:
        if isinstance(solution, Solution):
            names, row = solution.names, solution.row
        else:
            names, row = tuple(solution), tuple(solution.values())  # type: ignore[assignment]
        plan = self._plans.get((rule.id, names))
        if plan is None:
            plan = self._plans[rule.id, names] = self._premises(rule, names)
        found = self._found
        parts = [part for premise in plan if (part := found.get(premise(row))) is not None]  # type: ignore[arg-type]
        if not rule.counted:
            key = (rule.id, *map(id, parts))
            kept = self._united.get(key)
            if kept is None:
                kept = self._united[key] = self._shared(frozenset({rule.id}).union(*parts))
            return kept
        for pattern in rule.counted:
            subject, value = _bound(pattern.subject, solution), _bound(pattern.object, solution)
            if (subject is None) != (value is None):
                end = self._number(subject if value is None else value)
                # What is counted goes on growing, so that what is made of it is not kept for the next fact.
                parts.append(frozenset(self._at_end.get((pattern.verb, end, value is None), ())))
        return self._shared(frozenset({rule.id}).union(*parts))

    def _shared(self, rules: frozenset[str]) -> frozenset[str]:
        return self._sets.setdefault(rules, rules)

    def _number(self, term: object) -> int:
        return self._numbers.setdefault(term, len(self._numbers))

    def _premises(self, rule: Rule, names: tuple[str, ...]) -> list[_Premise]:
        """Return the premises of `rule` that a derived fact can be."""
        found = []
        for pattern in (*rule.required, *rule.either, *rule.optional):
            if not any(overlap(read, one) for read in pattern.signatures()[:1] for one in self._near(read)):
                continue
            parts: list[int | Term] = []
            for slot in (pattern.subject, pattern.verb, pattern.object):
                if isinstance(slot, Variable):
                    if slot.name in names:
                        parts.append(names.index(slot.name))
                elif not isinstance(slot, Path):
                    parts.append(slot)
            if len(parts) == 3:
                found.append(self._premise(parts[0], parts[1], parts[2]))
        return found

    def _premise(self, subject: int | Term, verb: int | Term, value: int | Term) -> _Premise:
        """Return what makes a premise, given its parts: each a place in the row of a solution, or a term."""
        get = self._numbers.get

        def of_any(row: ox.QuerySolution) -> int | None:
            first, middle, last = (get(row[one] if isinstance(one, int) else one) for one in (subject, verb, value))
            return None if first is None or middle is None or last is None else _packed(first, middle, last)

        if not (isinstance(subject, int) and isinstance(value, int) and isinstance(verb, ox.NamedNode)):
            return of_any
        named = self._number(verb)

        def of_two(row: ox.QuerySolution) -> int | None:
            first, last = get(row[subject]), get(row[value])
            return None if first is None or last is None else _packed(first, named, last)

        return of_two

    def _near(self, read: Signature) -> Iterable[Signature]:
        """Return the signatures to compare with: of a type, the class counts; of another property only that."""
        if read[0] == ANY_PREDICATE:
            return self._derived
        return [one for one in self._derived if one[0] == read[0]]


def _packed(subject: int, verb: int, value: int) -> int:
    return (subject << 2 * _BITS) | (verb << _BITS) | value


def _bound(slot: Slot, solution: Mapping[str, Term]) -> Term | None:
    return solution.get(slot.name) if isinstance(slot, Variable) else slot
