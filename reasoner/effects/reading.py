"""What an effect reads of a board, and what differs between two boards: where neither meets, nothing needs trying.

Both are sets of keys: (characteristic, value), and (characteristic, None) for whatever value there is or is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from reasoner.effects.board import Action, Board, Ground, Key
from reasoner.effects.declared import Declared
from reasoner.reference.possible import IDENTITY
from reasoner.reference.selector import Compare, Selector, atoms
from reasoner.terms.namespaces import BASE

Keys = frozenset[Key]
ANY = ox.NamedNode(BASE + "any-value")


def difference(one: Board, other: Board) -> Keys:
    """Return the keys under which two boards of the same objects differ."""
    return frozenset(_differing(one, other)) if one is not other else frozenset()


def _differing(one: Board, other: Board) -> Iterator[Key]:
    for characteristic in one.table.keys() | other.table.keys():
        first, second = one.table.get(characteristic, {}), other.table.get(characteristic, {})
        if first is second:
            continue
        values = [value for value in first.keys() | second.keys() if first.get(value, 0) != second.get(value, 0)]
        yield from ((characteristic, value) for value in values)
        if values:
            yield characteristic, None


def writable(actions: Iterable[Action], declared: Declared) -> Keys:
    """Return keys that meet those of every difference that `actions` can make on any board.

    Of a characteristic all of whose values may change the key is (characteristic, ANY).
    """
    return frozenset(_writable(actions, declared))


def _writable(actions: Iterable[Action], declared: Declared) -> Iterator[Key]:
    for modification, values in actions:
        own = modification.characteristics
        if modification.operation in ("Adding", "Granting"):
            yield from ((own[0], value) for value in (None, *values))
            continue
        emptied = {one for value in values for one in declared.clears.get(value, ())}
        changed = {*own, *emptied}
        changed |= {one for one, _, other, _ in declared.ties if other in changed}
        yield from ((one, ANY) for one in changed)


def meet(read: Keys, written: Keys) -> bool:
    """Return whether what is read is among what can be written."""
    return not read.isdisjoint(written) or any((characteristic, ANY) in written for characteristic, _ in read)


def read_by(selector: Selector, ground: Ground) -> Keys:
    """Return the keys of all on which it depends which objects meet `selector`."""
    return frozenset(_read(selector, ground))


def _read(selector: Selector, ground: Ground) -> Iterator[Key]:
    for atom in atoms(selector):
        characteristic = atom.characteristic
        if characteristic == IDENTITY:
            continue
        if isinstance(atom, Compare) or characteristic in ground.open:
            yield characteristic, None
        elif characteristic in ground.declared.starts:
            yield characteristic, atom.value
        else:
            yield from ground.gives(characteristic, atom.value)
