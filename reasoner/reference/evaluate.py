"""Whether a referent meets a selector: yes, no, when (under conditions that the question leaves open), or no value.

An atom is open where the ontology says so: a characteristic that core:isDeniedBy another needs one of the two to be
known; one that core:isOpenWithoutValue needs some value. A comparison of a characteristic of which the referent has no
number has no truth: neither it nor its negation holds. How atoms combine is said in `reasoner.reference.truth`, and
what can hold at once in `reasoner.reference.possible`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pyoxigraph as ox

from reasoner.engine.memo import Contents
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.reference.possible import IDENTITY, Possible
from reasoner.reference.selector import NOTHING, Atom, Compare, Has, Selector, all_of, atoms, negate
from reasoner.reference.truth import NO_VALUE, Truth, truth
from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import TYPE, XSD, core

_INTEGER = ox.NamedNode(XSD + "integer")
_WHOLE = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True)
class Tested:
    """An atom as it was tested on one referent: `result` is True, False, NO_VALUE, or None where it is open."""

    atom: Atom
    result: Truth


@dataclass(frozen=True)
class Outcome:
    """The value of a selector for a referent; `open` is what remains to be known; `tested` every atom looked at."""

    value: Truth
    open: Selector | None
    tested: tuple[Tested, ...]


def judged(selector: Selector, values: Mapping[Atom, Truth], possible: Possible) -> tuple[Truth, Selector | None]:
    """Return the truth of `selector` for a referent of which `values` tell every atom, and what is left open of it."""
    if None not in values.values() or not possible.are_related(selector):
        return truth(selector, values)
    value, left = truth(selector, values, possible.can_hold)
    if left is not None:
        known = all_of(atom if value else negate(atom) for atom, value in values.items() if isinstance(value, bool))
        likely = possible.without_the_impossible(left, known)
        left = left if likely == NOTHING else likely
    return value, left


@dataclass
class View:
    """The effective facts of a pool or a moment, in one branch. `is_pool`: cards stand for all their copies.

    `contents` are those facts as they have been looked up already, if they have been.
    """

    store: ox.Store
    graphs: Sequence[ox.NamedNode]
    vocabulary: Vocabulary
    is_pool: bool
    contents: Contents | None = None
    _denials: dict[str, ox.NamedNode | None] = field(default_factory=dict)

    def test(self, referent: ox.NamedNode, atom: Atom) -> Truth:
        """Return whether `referent` meets `atom`; None where that is open, NO_VALUE where there is none to compare."""
        if isinstance(atom, Compare):
            numbers = [number for _, number in self.numbers(referent, atom.characteristic)]
            if numbers:
                return any(map(atom.is_met_by, numbers))
            return None if self._is_open_without_value(atom.characteristic) else NO_VALUE
        if atom.characteristic == IDENTITY:
            # A card of the pool is not one copy: which copy is meant stays open.
            return (None if self.is_pool else True) if atom.value == referent else False
        predicate = TYPE if atom.characteristic == TYPE.value else ox.NamedNode(atom.characteristic)
        if self._has(referent, predicate, atom.value):
            return True
        denial = self._denial(predicate)
        if denial is not None:
            return False if self._has(referent, denial, atom.value) else None
        if self._is_open_without_value(predicate.value) and not self._has(referent, predicate, None):
            return None
        return False

    def is_plain(self, characteristic: str) -> bool:
        """Return whether a referent without a value for `characteristic` plainly lacks it: nothing is open then."""
        node = ox.NamedNode(characteristic)
        return (
            characteristic != IDENTITY
            and self._denial(node) is None
            and not self._is_open_without_value(characteristic)
        )

    def evaluate(self, selector: Selector, referent: ox.NamedNode) -> Outcome:
        """Return the value of `selector` for `referent`."""
        values = {atom: self.test(referent, atom) for atom in dict.fromkeys(atoms(selector))}
        tested = tuple(Tested(atom, result) for atom, result in values.items())
        return Outcome(*judged(selector, values, self.possible), tested)

    def outcomes(self, selector: Selector, referents: Sequence[ox.NamedNode]) -> list[Outcome]:
        """Return the values of `selector` for each of the `referents`: what `evaluate` gives, atom by atom for all."""
        wanted = tuple(dict.fromkeys(atoms(selector)))
        columns = [self.tested(atom, referents) for atom in wanted]
        known: dict[tuple[Truth, ...], Outcome] = {}
        found: list[Outcome] = []
        for row in zip(*columns, strict=True) if columns else (() for _ in referents):
            if row not in known:
                tested = tuple(map(Tested, wanted, row))
                known[row] = Outcome(*judged(selector, dict(zip(wanted, row, strict=True)), self.possible), tested)
            found.append(known[row])
        return found

    def meeting(self, selector: Selector, referents: Sequence[ox.NamedNode]) -> list[ox.NamedNode]:
        """Return those of the `referents` that meet `selector` for certain, in their order."""
        outcomes = self.outcomes(selector, referents)
        return [one for one, outcome in zip(referents, outcomes, strict=True) if outcome.value is True]

    def tested(self, atom: Atom, referents: Sequence[ox.NamedNode]) -> list[Truth]:
        """Return whether each of the `referents` meets `atom`: what `test` gives, looked up for all at once."""
        if not isinstance(atom, Has) or atom.characteristic == IDENTITY:
            return [self.test(one, atom) for one in referents]
        predicate = ox.NamedNode(atom.characteristic)
        having = self.having(predicate, atom.value)
        if self.is_plain(atom.characteristic):
            return [one in having for one in referents]
        denial = self._denial(predicate)
        if denial is not None:
            denied = self.having(denial, atom.value)
            return [True if one in having else False if one in denied else None for one in referents]
        valued = self.having(predicate, None)
        return [True if one in having else False if one in valued else None for one in referents]

    def having(self, predicate: ox.NamedNode, value: Value | None) -> set[object]:
        """Return all that has a value, or any, for a property."""
        return {fact.subject for fact in self.facts(predicate, value)}

    def facts(self, predicate: ox.NamedNode, value: Value | None = None) -> Iterable[ox.Triple | ox.Quad]:
        """Return the facts with a property, and with a value where one is given, in any order."""
        if self._are_known and not isinstance(value, ox.Literal):  # the store knows literals written otherwise
            assert self.contents is not None
            return self.contents.facts(predicate, value)
        return (quad for name in self.graphs for quad in self.store.quads_for_pattern(None, predicate, value, name))

    @cached_property
    def _are_known(self) -> bool:
        return self.contents is not None and self.contents.holds_just(self.graphs)

    @cached_property
    def possible(self) -> Possible:
        """What can hold of one referent at once."""
        return Possible(self.vocabulary)

    def numbers(self, referent: ox.NamedNode, characteristic: str) -> list[tuple[ox.Triple, int]]:
        """Return the facts that give `referent` a whole number for `characteristic`, each with the number, in order."""
        facts = [(fact, fact.object) for fact in self.facts_of(referent, characteristic)]
        found = [
            (fact, int(value.value))
            for fact, value in facts
            if isinstance(value, ox.Literal) and value.datatype == _INTEGER and _WHOLE.fullmatch(value.value)
        ]
        return sorted(found, key=lambda one: one[1])

    def facts_of(self, referent: ox.NamedNode, characteristic: str) -> list[ox.Triple]:
        """Return the effective facts about one characteristic of `referent`, in canonical order."""
        predicate = TYPE if characteristic == TYPE.value else ox.NamedNode(characteristic)
        found = {q.triple for g in self.graphs for q in self.store.quads_for_pattern(referent, predicate, None, g)}
        return sorted(found, key=str)

    def _is_open_without_value(self, characteristic: str) -> bool:
        return self.vocabulary.first(ox.NamedNode(characteristic), core("isOpenWithoutValue")) is not None

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
