"""Whether a referent meets a selector: yes, no, or when (under conditions that the question leaves open).

Logic: Kleene's strong three-valued logic. An atom is open where the ontology says so: a characteristic that
core:isDeniedBy another needs one of the two to be known; one that core:isOpenWithoutValue needs some value.
What is left open is then asked of both its outcomes, as in van Fraassen's supervaluations: "controlled or not
controlled" holds of a card of which control is unknown, and "controlled and not controlled" of none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import pyoxigraph as ox

from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.reference.selector import All, Has, Not, Selector, all_of, any_of, atoms
from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import CORE, TYPE, core

IDENTITY = CORE + "is"
MOST_OPEN = 12


@dataclass(frozen=True)
class Tested:
    """An atom as it was tested on one referent: `result` is True, False, or None where it is open."""

    atom: Has
    result: bool | None


@dataclass(frozen=True)
class Outcome:
    """The value of a selector for a referent; `open` is what remains to be known; `tested` every atom looked at."""

    value: bool | None
    open: Selector | None
    tested: tuple[Tested, ...]


@dataclass
class View:
    """The effective facts of a pool or a moment, in one branch. `is_pool`: cards stand for all their copies."""

    store: ox.Store
    graphs: Sequence[ox.NamedNode]
    vocabulary: Vocabulary
    is_pool: bool
    _denials: dict[str, ox.NamedNode | None] = field(default_factory=dict)

    def test(self, referent: ox.NamedNode, atom: Has) -> bool | None:
        """Return whether `referent` has the atom's characteristic; None where that is open."""
        if atom.characteristic == IDENTITY:
            # A card of the pool is not one copy: which copy is meant stays open.
            return (None if self.is_pool else True) if atom.value == referent else False
        predicate = TYPE if atom.characteristic == TYPE.value else ox.NamedNode(atom.characteristic)
        if self._has(referent, predicate, atom.value):
            return True
        denial = self._denial(predicate)
        if denial is not None:
            return False if self._has(referent, denial, atom.value) else None
        if self.vocabulary.first(predicate, core("isOpenWithoutValue")) is not None and not self._has(
            referent, predicate, None
        ):
            return None
        return False

    def evaluate(self, selector: Selector, referent: ox.NamedNode) -> Outcome:
        """Return the value of `selector` for `referent`."""
        outcome = self._kleene(selector, referent)
        if outcome.open is None:
            return outcome
        value = _necessary(outcome.open)
        return Outcome(value, outcome.open if value is None else None, outcome.tested)

    def _kleene(self, selector: Selector, referent: ox.NamedNode) -> Outcome:
        if isinstance(selector, Has):
            result = self.test(referent, selector)
            return Outcome(result, selector if result is None else None, (Tested(selector, result),))
        if isinstance(selector, Not):
            inner = self._kleene(selector.part, referent)
            value = None if inner.value is None else not inner.value
            return Outcome(value, selector if value is None else None, inner.tested)
        outcomes = [self._kleene(part, referent) for part in selector.parts]
        decisive = not isinstance(selector, All)
        tested = tuple(one for outcome in outcomes for one in outcome.tested)
        if any(outcome.value is decisive for outcome in outcomes):
            return Outcome(decisive, None, tested)
        left = tuple(outcome.open for outcome in outcomes if outcome.open is not None)
        if not left:
            return Outcome(not decisive, None, tested)
        return Outcome(None, any_of(left) if decisive else all_of(left), tested)

    def facts_of(self, referent: ox.NamedNode, characteristic: str) -> list[ox.Triple]:
        """Return the effective facts about one characteristic of `referent`, in canonical order."""
        predicate = TYPE if characteristic == TYPE.value else ox.NamedNode(characteristic)
        found = {q.triple for g in self.graphs for q in self.store.quads_for_pattern(referent, predicate, None, g)}
        return sorted(found, key=str)

    def _denial(self, predicate: ox.NamedNode) -> ox.NamedNode | None:
        if predicate.value not in self._denials:
            value = self.vocabulary.first(predicate, core("isDeniedBy"))
            self._denials[predicate.value] = value if isinstance(value, ox.NamedNode) else None
        return self._denials[predicate.value]

    def _has(self, referent: ox.NamedNode, predicate: ox.NamedNode, value: Value | None) -> bool:
        return any(
            next(iter(self.store.quads_for_pattern(referent, predicate, value, g)), None) is not None
            for g in self.graphs
        )


def _necessary(selector: Selector) -> bool | None:
    """Return what an open selector comes to whatever its atoms turn out to be; None if that depends on them.

    Only where an atom stands both plain and negated can it come to anything; more than MOST_OPEN atoms stay open.
    """
    denied = {part.part for part in _parts(selector) if isinstance(part, Not)}
    plain = {part for part in _parts(selector) if isinstance(part, Has)}
    found = sorted(set(atoms(selector)), key=str)
    if not denied & plain or len(found) > MOST_OPEN:
        return None
    values = {_holds(selector, dict(zip(found, row, strict=True))) for row in product((False, True), repeat=len(found))}
    return values.pop() if len(values) == 1 else None


def _parts(selector: Selector) -> list[Selector]:
    """Return the literals of `selector`: atoms, and negated atoms (`negate` leaves no other negation)."""
    if isinstance(selector, Has | Not):
        return [selector]
    return [one for part in selector.parts for one in _parts(part)]


def _holds(selector: Selector, truth: Mapping[Has, bool]) -> bool:
    if isinstance(selector, Has):
        return truth[selector]
    if isinstance(selector, Not):
        return not _holds(selector.part, truth)
    return (all if isinstance(selector, All) else any)(_holds(part, truth) for part in selector.parts)
