"""The board: which objects have which values at one step of the order, as sets of objects.

A set of objects is a whole number, bit n standing for object n, so that a selector is evaluated for all objects at once
by a few operations on numbers, and a board with one more effect applied shares with the first all that did not change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import pyoxigraph as ox

from reasoner.effects.declared import Declared, Modification
from reasoner.reference.possible import IDENTITY
from reasoner.reference.rewording import READS, word_as, words_of
from reasoner.reference.selector import Any, Atom, Compare, Has, Not, Selector
from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import XSD

Table = Mapping[str, Mapping[Value, int]]
# What an effect does to each thing that it applies to: a property and the values that it gives, resolved on the board.
Action = tuple[Modification, tuple[Value, ...]]
# A characteristic and a value, or None for whatever values there are.
Key = tuple[str, Value | None]
Record = Mapping[ox.NamedNode, Mapping[str, frozenset[Value]]]
_INTEGER = ox.NamedNode(XSD + "integer")
# Where an effect does several things in one layer, what takes away comes before what gives.
_SEQUENCE = (
    "Clearing",
    "Copying",
    "Rewording",
    "Setting",
    "Counting",
    "Sharing",
    "Removing",
    "Adding",
    "Granting",
    "Shifting",
    "Switching",
)


@dataclass(frozen=True)
class Ground:
    """What no effect changes: the objects, what the game declares, and what is known of an atom from elsewhere.

    `outside` gives the objects that meet an atom and those that do not; `follows` those of which rules will conclude a
    value from others (None: they conclude no such thing), and `gives` on which values that depends; `open` are
    characteristics of which nothing follows from the lack of a value; `records` what copies have noted.
    """

    objects: tuple[ox.NamedNode, ...]
    declared: Declared
    outside: Callable[[Atom], tuple[int, int]]
    follows: Callable[[str, Value, Table, int], int | None]
    open: frozenset[str] = frozenset()
    gives: Callable[[str, Value], Iterable[Key]] = lambda *_: ()
    records: Record = field(default_factory=dict)

    @property
    def all(self) -> int:
        """The set of all objects."""
        return (1 << len(self.objects)) - 1

    def set_of(self, objects: Iterable[ox.NamedNode]) -> int:
        """Return the set of these of the objects."""
        wanted = set(objects)
        return sum(1 << number for number, one in enumerate(self.objects) if one in wanted)

    def listed(self, objects: int) -> Iterator[ox.NamedNode]:
        """Yield the objects of a set, in order."""
        return (self.objects[number] for number in numbers_in(objects))


@dataclass(frozen=True)
class Board:
    """The values of all objects for the characteristics that effects can change."""

    ground: Ground
    table: Table

    def having(self, characteristic: str, value: Value) -> int:
        """Return the objects that have a value."""
        return self.table.get(characteristic, {}).get(value, 0)

    def values(self, number: int, characteristic: str) -> frozenset[Value]:
        """Return the values of the object with a number."""
        return frozenset(
            value for value, objects in self.table.get(characteristic, {}).items() if objects >> number & 1
        )

    def meeting(self, selector: Selector) -> int:
        """Return the objects that meet `selector` for certain.

        What is open stays open: an object that would meet it in every outcome, by one part or another, is not seen.
        """
        return self._tested(selector)[0]

    def after(self, targets: int, actions: Iterable[Action]) -> Board:
        """Return the board after `actions` were done to the objects `targets`."""
        if not targets:
            return self
        table = dict(self.table)
        for modification, values in sorted(actions, key=lambda one: _SEQUENCE.index(one[0].operation)):
            _Change(self.ground, table, targets).do(modification, values)
        return Board(self.ground, table)

    def _tested(self, selector: Selector) -> tuple[int, int]:
        """Return the objects of which `selector` is true, and those of which it is false."""
        if isinstance(selector, Has | Compare):
            return self._atom(selector)
        if isinstance(selector, Not):
            true, false = self._tested(selector.part)
            return false, true
        decisive = isinstance(selector, Any)
        every, some = self.ground.all, 0
        for part in selector.parts:
            true, false = self._tested(part)
            every &= false if decisive else true
            some |= true if decisive else false
        return (some, every) if decisive else (every, some)

    def _atom(self, atom: Atom) -> tuple[int, int]:
        ground = self.ground
        if isinstance(atom, Compare):
            if atom.characteristic not in ground.declared.starts:
                return ground.outside(atom)
            numbers = [
                (number_of(value), objects) for value, objects in self.table.get(atom.characteristic, {}).items()
            ]
            true = _union(objects for number, objects in numbers if number is not None and atom.is_met_by(number))
            return true, _union(objects for number, objects in numbers if number is not None) & ~true
        if atom.characteristic == IDENTITY:
            true = ground.set_of([atom.value]) if isinstance(atom.value, ox.NamedNode) else 0
            return true, ground.all & ~true
        if atom.characteristic not in ground.declared.starts:
            true, false = ground.outside(atom)
            followed = ground.follows(atom.characteristic, atom.value, self.table, ground.all)
            return (true, false) if followed is None else (true | followed, ground.all & ~(true | followed))
        true = self.having(atom.characteristic, atom.value)
        has_one = _union(self.table.get(atom.characteristic, {}).values())
        return true, (has_one if atom.characteristic in ground.open else ground.all) & ~true


@dataclass(frozen=True)
class _Change:
    """One effect being applied to `targets`: `table` is a copy whose inner mappings are replaced, never changed."""

    ground: Ground
    table: dict[str, Mapping[Value, int]]
    targets: int

    def do(self, modification: Modification, values: tuple[Value, ...]) -> None:
        """Do one thing to the targets."""
        own = modification.characteristics
        match modification.operation:
            case "Clearing":
                for characteristic in own:
                    self._take(characteristic)
            case "Copying":
                self._copy(own, values)
            case "Removing":
                for characteristic in own:
                    self._take(characteristic, set(values))
            case "Adding" | "Granting":
                self._give(own[0], values)
            case "Shifting":
                for value in values:
                    self._shift(own[0], number_of(value) or 0)
            case "Rewording":
                *words, other = values
                for characteristic in own:
                    self._reword(characteristic, words, other)
            case "Switching":
                first, second = (self._split(characteristic) for characteristic in own)
                self._put(own[0], second)
                self._put(own[1], first)
            case _:
                self._set(modification, values)
        if modification.operation not in ("Adding", "Granting", "Shifting", "Switching", "Rewording"):
            self._untie(own)

    def _set(self, modification: Modification, values: tuple[Value, ...]) -> None:
        (characteristic,) = modification.characteristics
        replaced: set[Value] = set()
        for _, members in modification.kinds:
            if not members.isdisjoint(values):
                replaced |= members
        self._take(characteristic, replaced if modification.kinds else None)
        self._give(characteristic, values)
        for emptied in {each for value in values for each in self.ground.declared.clears.get(value, ())}:
            self._take(emptied)

    def _copy(self, characteristics: tuple[str, ...], values: tuple[Value, ...]) -> None:
        for record in values:
            noted = self.ground.records[record]  # type: ignore[index]
            for characteristic in characteristics:
                if characteristic in noted:
                    self._take(characteristic)
                    self._give(characteristic, noted[characteristic])

    def _untie(self, changed: tuple[str, ...]) -> None:
        """Take away the values that cannot stay without others which the targets have lost."""
        for own, values, other, needed in self.ground.declared.ties:
            if other in changed:
                kept = _union(self.table.get(other, {}).get(value, 0) for value in needed)
                lost = _Change(self.ground, self.table, self.targets & ~kept)
                lost._take(own, set(values))

    def _take(self, characteristic: str, values: set[Value] | None = None) -> None:
        kept = {
            value: objects & ~self.targets if values is None or value in values else objects
            for value, objects in self.table.get(characteristic, {}).items()
        }
        self.table[characteristic] = {value: objects for value, objects in kept.items() if objects}

    def _give(self, characteristic: str, values: Iterable[Value]) -> None:
        given = dict(self.table.get(characteristic, {}))
        for value in values:
            given[value] = given.get(value, 0) | self.targets
        self.table[characteristic] = given

    def _split(self, characteristic: str) -> dict[Value, int]:
        return {value: objects & self.targets for value, objects in self.table.get(characteristic, {}).items()}

    def _put(self, characteristic: str, found: Mapping[Value, int]) -> None:
        self._take(characteristic)
        given = dict(self.table[characteristic])
        for value, objects in found.items():
            if objects:
                given[value] = given.get(value, 0) | objects
        self.table[characteristic] = given

    def _reword(self, characteristic: str, words: Iterable[Value], other: Value) -> None:
        """Put `other` for the words: among values, or in what texts read, where a word may stand for it already."""
        given = dict(self.table.get(characteristic, {}))

        def move(value: Value, instead: Value | None, objects: int) -> None:
            given[value] = given.get(value, 0) & ~objects
            if instead is not None:
                given[instead] = given.get(instead, 0) | objects

        for word in words:
            if characteristic != READS.value:
                move(word, other, given.get(word, 0) & self.targets)
                continue
            assert isinstance(word, ox.NamedNode)
            assert isinstance(other, ox.NamedNode)
            as_printed = self.targets
            for value, objects in list(given.items()):
                ((printed, now),) = words_of([value]).items()
                as_printed &= ~objects if printed == word else self.targets
                if now == word and printed != word:
                    move(value, None if printed == other else word_as(printed, other), objects & self.targets)
            move(word_as(word, other), word_as(word, other), as_printed)
        self.table[characteristic] = {value: objects for value, objects in given.items() if objects}

    def _shift(self, characteristic: str, by: int) -> None:
        shifted: dict[Value, int] = {}
        for value, objects in self._split(characteristic).items():
            number = number_of(value)
            key = value if number is None else literal(number + by)
            shifted[key] = shifted.get(key, 0) | objects
        self._put(characteristic, shifted)


def numbers_in(objects: int) -> list[int]:
    """Return the numbers of the objects in a set, in order."""
    found = []
    while objects:
        lowest = objects & -objects
        found.append(lowest.bit_length() - 1)
        objects ^= lowest
    return found


def number_of(value: Value) -> int | None:
    """Return the whole number that a literal stands for, or None."""
    return int(value.value) if isinstance(value, ox.Literal) and value.datatype == _INTEGER else None


def literal(number: int) -> ox.Literal:
    """Return a number as a literal."""
    return ox.Literal(str(number), datatype=_INTEGER)


def _union(sets: Iterable[int]) -> int:
    found = 0
    for one in sets:
        found |= one
    return found
