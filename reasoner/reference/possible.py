"""What can hold of one referent at once, as the ontology declares it, and references that nothing can ever meet.

    a class takes its classes above with it, and the card type that it core:isTiedTo
    a status takes the zone with it that it core:appliesIn, and a zone the one of which it core:isPartOf
    a functional characteristic has one value; values that are disjoint classes exclude each other
    where core:isDirectlyInZone is functional, zones exclude each other but for one that is part of both

All of it is implications between atoms, and pairs of atoms that exclude each other. So what is said of a referent can
hold unless what it takes with it holds such a pair, or something that is denied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final, TypeAlias

import pyoxigraph as ox

from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.reference.selector import (
    All,
    Any,
    Atom,
    Compare,
    Has,
    Not,
    Selector,
    all_of,
    any_of,
    atoms,
    negate,
    sort_key,
)
from reasoner.reference.truth import Defined
from reasoner.terms.namespaces import CORE, SUBCLASS, TYPE, core

IDENTITY: Final = CORE + "is"
MOST_WAYS: Final = 256

_IN_ZONE, _HAS_STATUS = core("isInZone").value, core("hasStatus").value
# An atom, and whether it is said to hold.
Said: TypeAlias = tuple[Atom, bool]


@dataclass(frozen=True)
class Clash:
    """Why what is said can't hold together: two parts that exclude each other.

    `taken` maps what is said to what it takes with it, where that is what clashes.
    """

    pair: tuple[Selector, Selector]
    taken: tuple[tuple[Has, Has], ...] = ()


class Possible:
    """Tells what can hold of one referent at once. Everything looked up in `vocabulary` is kept."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._taken: dict[Has, tuple[Has, ...]] = {}
        self._related: dict[Selector, bool] = {}

    def are_related(self, selector: Selector) -> bool:
        """Return whether some atom of `selector` takes another with it, or excludes it."""
        if selector not in self._related:
            pairs = list(combinations(sorted(set(atoms(selector)), key=sort_key), 2))
            signs = ((True, True), (True, False), (False, True))
            self._related[selector] = any(self.clash(zip(pair, sign, strict=True)) for pair in pairs for sign in signs)
        return self._related[selector]

    def can_hold(self, outcome: Mapping[Atom, Defined]) -> bool:
        """Return whether what is true and what is false in `outcome` can be so of one referent."""
        return self.clash((atom, value) for atom, value in outcome.items() if isinstance(value, bool)) is None

    def clash(self, said: Iterable[Said]) -> Clash | None:
        """Return why what is said can't hold of one referent; None if it can."""
        literals = dict.fromkeys(said)
        held: dict[Atom, Atom] = {atom: atom for atom, value in literals if value}
        for atom in list(held):
            for taken in self._takes(atom):
                held.setdefault(taken, atom)
        for atom, cause in held.items():
            if (atom, False) in literals:
                return Clash((atom, Not(atom)), _leads(held, atom) if atom != cause else ())
        for one, other in combinations(held, 2):
            if self._exclude(one, other):
                return Clash((one, other), (*_leads(held, one), *_leads(held, other)))
        return None

    def never(self, selector: Selector) -> tuple[Clash, ...]:
        """Return why nothing can ever meet `selector`, once for every way to meet it; () if something can."""
        ways = list(islice(_ways(selector), MOST_WAYS + 1))
        if len(ways) > MOST_WAYS:
            return ()
        clashes = [self.clash(way) for way in ways]
        return () if None in clashes else tuple(dict.fromkeys(one for one in clashes if one))

    def without_the_impossible(self, selector: Selector, beside: Selector) -> Selector:
        """Return `selector` without the alternatives that can't hold where `beside` does."""
        if isinstance(selector, Any):
            left = [part for part in selector.parts if not self.never(all_of([part, beside]))]
            return any_of(self.without_the_impossible(part, beside) for part in left)
        if isinstance(selector, All):
            parts = selector.parts
            return all_of(
                self.without_the_impossible(part, all_of([beside, *parts[:place], *parts[place + 1 :]]))
                for place, part in enumerate(parts)
            )
        return selector

    def _takes(self, atom: Atom) -> tuple[Has, ...]:
        """Return everything that holds where `atom` does."""
        if isinstance(atom, Compare) or not isinstance(atom.value, ox.NamedNode):
            return ()
        if atom not in self._taken:
            found: dict[Has, None] = {}
            waiting = [atom]
            while waiting:
                for taken in self._next(waiting.pop(0)):
                    if taken not in found and taken != atom:
                        found[taken] = None
                        waiting.append(taken)
            self._taken[atom] = tuple(found)
        return self._taken[atom]

    def _next(self, atom: Has) -> list[Has]:
        if atom.characteristic == TYPE.value:
            steps = {SUBCLASS: TYPE.value, core("isTiedTo"): TYPE.value}
        elif atom.characteristic == _HAS_STATUS:
            steps = {core("appliesIn"): _IN_ZONE}
        elif atom.characteristic == _IN_ZONE:
            steps = {core("isPartOf"): _IN_ZONE}
        else:
            return []
        return [
            Has(characteristic, value)
            for step, characteristic in steps.items()
            for value in self.vocabulary.objects(atom.value, step)
            if isinstance(value, ox.NamedNode)
        ]

    def _exclude(self, one: Atom, other: Atom) -> bool:
        if isinstance(one, Compare) or isinstance(other, Compare) or one.characteristic != other.characteristic:
            return False
        if one.characteristic == _IN_ZONE and core("isDirectlyInZone").value in self.vocabulary.exclusions.functional:
            return not set(self._parts(one.value)) & set(self._parts(other.value))
        if one.characteristic == IDENTITY or one.characteristic in self.vocabulary.exclusions.functional:
            return one.value != other.value
        return frozenset((one.value.value, other.value.value)) in self.vocabulary.exclusions.disjoint

    def _parts(self, zone: ox.NamedNode | ox.Literal) -> list[ox.NamedNode]:
        return self.vocabulary.below(zone, core("isPartOf")) if isinstance(zone, ox.NamedNode) else []


def _leads(held: dict[Atom, Atom], atom: Atom) -> tuple[tuple[Has, Has], ...]:
    cause = held[atom]
    return ((cause, atom),) if cause != atom and isinstance(cause, Has) and isinstance(atom, Has) else ()


def _ways(selector: Selector) -> Iterator[tuple[Said, ...]]:
    """Yield every way to meet `selector` (its disjunctive normal form), each as what must hold and what must not."""
    if isinstance(selector, Not):
        if isinstance(selector.part, Has | Compare):
            yield ((selector.part, False),)
        else:
            yield from _ways(negate(selector.part))
    elif isinstance(selector, Any):
        for part in selector.parts:
            yield from _ways(part)
    elif isinstance(selector, All):
        if not selector.parts:
            yield ()
            return
        # Not product(*map(_ways, …)), which would first gather all ways of every part.
        for way in _ways(selector.parts[0]):
            for further in _ways(All(selector.parts[1:])):
                yield (*way, *further)
    else:
        yield ((selector, True),)
