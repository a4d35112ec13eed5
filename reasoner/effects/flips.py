"""What would turn the order of effects round: an effect that is left out, a thing more, a thing less."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pyoxigraph as ox

from reasoner.effects.board import Board, Ground, Table
from reasoner.effects.declared import Declared
from reasoner.effects.effect import Course, Effect
from reasoner.effects.order import Application, Dependencies, Resolution, resolve
from reasoner.reference.selector import Atom, Has, atoms
from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import TYPE, core

_CONTROLLER = core("hasController").value


def without(found: Resolution, effect: Effect) -> Resolution:
    """Return what the effects of a moment would make of the board without one of them."""
    sources = replace(found.sources, without=found.sources.without | {effect.iri})
    return resolve(sources, found.start)


def closing(effect: Effect, other: Application, found: Resolution) -> Iterator[tuple[Value, ...]]:
    """Yield the values with which a thing more would make two effects depend on each other.

    `effect` waited for that of `other`. The thing is thought to lie where the bearer of `effect` lies, and to have
    nothing but a value of which the scope of `effect` speaks, and what that value cannot be without.
    """
    if effect.bearer is None or effect.said.scope is None:
        return
    board = other.before
    bearer = board.ground.objects[effect.bearer]
    selector = found.sources.meaning(effect.said.scope, bearer, effect.said.node, board)
    for value in dict.fromkeys(atom.value for atom in atoms(selector) if isinstance(atom, Has)):
        for thing in _things(value, board.ground.declared):
            more = replace(other, before=_with_one_more(board, effect.bearer, thing))
            waits = _dependencies(more, found)
            if waits.depends(effect, other.effect) and waits.depends(other.effect, effect):
                yield tuple(each for _, each in thing)


def _things(value: Value, declared: Declared) -> Iterator[tuple[tuple[str, Value], ...]]:
    """Yield the least that a thing with `value` can be."""
    for characteristic, values in declared.members.items():
        if value in values:
            ties = [
                (other, sorted(needed, key=str))
                for own, tied, other, needed in declared.ties
                if own == characteristic and value in tied
            ]
            if ties:
                yield from (((characteristic, value), (other, each)) for other, needed in ties for each in needed)
            else:
                yield ((characteristic, value),)


def opening(one: Application, found: Resolution) -> Iterator[tuple[ox.NamedNode, Effect]]:
    """Yield the objects without which an effect would wait for another of its circle, with that other."""
    bearers = {effect.bearer for effect in (one.effect, *one.circle)}
    for number, gone in enumerate(one.before.ground.objects):
        if number in bearers:
            continue
        board = _with_one_less(one.before, number)
        waits = _dependencies(replace(one, before=board), found)
        for other in one.circle:
            if waits.depends(one.effect, other) and not waits.depends(other, one.effect):
                yield gone, other


def _dependencies(one: Application, found: Resolution) -> Dependencies:
    course = Course(found.sources, one.before.ground.declared, dict(one.started))
    return Dependencies(one.layer, one.before, course, one.left)


def _with_one_more(board: Board, like: int, thing: Iterable[tuple[str, Value]]) -> Board:
    ground = board.ground
    new = len(ground.objects)
    table: dict[str, dict[Value, int]] = {name: dict(values) for name, values in board.table.items()}
    for controller, objects in table.get(_CONTROLLER, {}).items():
        table[_CONTROLLER][controller] = objects | (objects >> like & 1) << new
    for characteristic, value in thing:
        values = table.setdefault(characteristic, {})
        values[value] = values.get(value, 0) | 1 << new
    more = ox.NamedNode(f"{ground.objects[like].value}/another")
    outside = _outside(ground, lambda objects: objects | (objects >> like & 1) << new)
    return Board(replace(ground, objects=(*ground.objects, more), outside=outside), table)


def _with_one_less(board: Board, number: int) -> Board:
    def less(objects: int) -> int:
        return objects & ~(1 << number)

    table: Table = {
        name: {value: less(objects) for value, objects in values.items()} for name, values in board.table.items()
    }
    return Board(replace(board.ground, outside=_outside(board.ground, less)), table)


def _outside(ground: Ground, change: Callable[[int], int]) -> Callable[[Atom], tuple[int, int]]:
    def outside(atom: Atom) -> tuple[int, int]:
        true, false = ground.outside(atom)
        same = isinstance(atom, Has) and atom.characteristic == TYPE.value
        return (change(true), false) if same else (change(true), change(false))

    return outside
