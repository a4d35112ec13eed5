"""The order of effects: layer by layer; within one what defines first, then by dependency and age.

An effect *depends* on another of the same layer if applying the other first would change whether it exists, what it
applies to, or what it does to what it applies to. It waits until just after all effects on which it depends. Effects
that depend on each other in a circle do not wait for each other: among them age decides. After each application all is
looked at anew, on the board as it is then.

The game that has these policies states them in its rulebook (see `core:states`); circles are the strongly
connected components of the graph of dependencies. A game without the policies has a plain order of layers and ages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pyoxigraph as ox

from reasoner.effects.board import Action, Board, Table
from reasoner.effects.declared import DEFINING_FIRST, DEPENDENCY, Declared, Layer
from reasoner.effects.effect import ABILITIES, Course, Effect, Sources
from reasoner.effects.reading import ANY, Keys, difference, meet, read_by, writable
from reasoner.reference.selector import Selector


@dataclass(frozen=True)
class Application:
    """One effect applied in one layer: to `targets`, on the board `before`.

    `waited_for` are the effects that it waited for by dependency, `gave_way` those before which it would have come but
    for what they define; `circle` those with which it depends on each other; `passed` those that are older and yet come
    later; `ended` those that waited for it and are no more. `kept` are the targets that it has only from an earlier
    layer. `left` are all that were there to be applied in the layer, and `started` what effects had been applied to
    before.
    """

    layer: Layer
    effect: Effect
    targets: int
    actions: tuple[Action, ...]
    before: Board
    after: Board
    waited_for: tuple[Effect, ...] = ()
    circle: tuple[Effect, ...] = ()
    passed: tuple[Effect, ...] = ()
    gave_way: tuple[Effect, ...] = ()
    ended: tuple[Effect, ...] = ()
    kept: int = 0
    left: tuple[Effect, ...] = ()
    started: Mapping[ox.NamedNode, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Resolution:
    """Everything that effects did at a moment, in order; `copiable` is the board as copies of its objects see it.

    `granted` are the objects, by their numbers, with the abilities that are no part of their text.
    """

    sources: Sources
    start: Board
    applications: tuple[Application, ...]
    final: Board
    copiable: Board
    granted: frozenset[tuple[int | None, ox.NamedNode]] = frozenset()


def resolve(sources: Sources, start: Board) -> Resolution:
    """Return what the effects of a moment make of the board with which it starts."""
    declared = start.ground.declared
    course = Course(sources, declared)
    board = copiable = start
    found: list[Application] = []
    for layer in declared.layers:
        board = _layer(layer, board, course, declared, found)
        if layer.copiable:
            copiable = board
    return Resolution(sources, start, tuple(found), board, copiable, frozenset(course.granted))


def _layer(layer: Layer, board: Board, course: Course, declared: Declared, found: list[Application]) -> Board:
    applied: set[object] = set()
    held: dict[Effect, dict[Effect, None]] = {}
    behind: dict[Effect, dict[Effect, None]] = {}
    due: list[Effect] = []
    waits: Dependencies | None = None
    while True:
        left = [one for one in course.effects(board, layer) if one.iri not in applied]
        if not left:
            return board
        left.sort(key=lambda one: one.age)
        others = left
        if DEFINING_FIRST in declared.policies:
            left = [one for one in left if one.said.defines] or left
        before, waits = waits, Dependencies(layer, board, course, left)
        if before is not None:
            waits.take_over(before)
        chosen = _chosen(waits, due, left) if DEPENDENCY in declared.policies else left[0]
        targets, actions = waits.targets(chosen), waits.actions(chosen)
        after = board.after(targets, actions)
        kept = targets & ~course.anew(chosen, board)
        started = dict(course.started)
        course.started.setdefault(chosen.iri, targets)
        _note_given(chosen, board, after, course, is_text=layer.copiable)
        older = tuple(one for one in left if one.age < chosen.age)
        for one in older:  # asked only of what comes later than its age says: that is what there is to explain
            held.setdefault(one, {}).update(dict.fromkeys(waits.of(one)))
        circle = waits.circle(chosen) if DEPENDENCY in declared.policies else ()
        waited_for = tuple(held.get(chosen, ()))
        for one in others:
            if one.age < chosen.age and one not in left:
                behind.setdefault(one, {})[chosen] = None
        gave_way = tuple(behind.get(chosen, ()))
        found.append(
            Application(
                layer,
                chosen,
                targets,
                actions,
                before=board,
                after=after,
                waited_for=waited_for,
                circle=circle,
                passed=older,
                gave_way=gave_way,
                kept=kept,
                left=tuple(left),
                started=started,
            )
        )
        if DEPENDENCY in declared.policies:
            ended = tuple(one for one in left if waits.depends(one, chosen) and not course.exists(one, after))
            found[-1] = replace(found[-1], ended=ended)
            freed = [one for one in left if one is not chosen and waits.only(one, chosen)]
            due = [one for one in due if one is not chosen] + freed
            for one in freed:
                held.setdefault(one, {})[chosen] = None
        applied.add(chosen.iri)
        board = after


def _chosen(waits: Dependencies, due: Sequence[Effect], left: Sequence[Effect]) -> Effect:
    """Return the effect that is applied next: the oldest that waits for none, those first that have waited."""
    for one in sorted((one for one in due if one in left), key=lambda one: one.age):
        if not waits.of(one):
            return one
    return next(one for one in left if waits.is_free(one))


def _note_given(effect: Effect, before: Board, after: Board, course: Course, *, is_text: bool) -> None:
    for ability, objects in after.table.get(ABILITIES, {}).items():
        new = objects & ~before.having(ABILITIES, ability)
        number = 0
        while new >> number:
            if new >> number & 1:
                course.given[number, ability] = effect.since  # type: ignore[index]
                if not is_text:
                    course.granted.add((number, ability))  # type: ignore[arg-type]
            number += 1


_ADDING = frozenset({"Adding", "Granting"})


@dataclass
class Dependencies:
    """What waits for what among the effects `left` of a layer, on one board. Answers are worked out when asked for."""

    layer: Layer
    board: Board
    course: Course
    left: Sequence[Effect]
    _targets: dict[Effect, int] = field(default_factory=dict)
    _actions: dict[Effect, tuple[Action, ...]] = field(default_factory=dict)
    _after: dict[Effect, Board] = field(default_factory=dict)
    _of: dict[Effect, tuple[Effect, ...]] = field(default_factory=dict)
    _pairs: dict[tuple[Effect, Effect], bool] = field(default_factory=dict)
    _read: dict[Effect, tuple[Selector | None, Keys]] = field(default_factory=dict)
    _differences: dict[Effect, Keys] = field(default_factory=dict)
    _written: dict[Effect, tuple[Keys, bool]] = field(default_factory=dict)

    def take_over(self, before: Dependencies) -> None:
        """Take over what was found out on the board before, of the effects that read nothing of what differs."""
        differs = difference(before.board, self.board)
        for effect in self.left:
            ability = (ABILITIES, effect.said.node)
            if effect in before._targets and ability not in differs and not before._sees(effect, self.board, differs):
                self._targets[effect], self._read[effect] = before._targets[effect], before._read[effect]
                if effect in before._actions and not self.course.is_open(effect, self.layer):
                    self._actions[effect] = before._actions[effect]
                    if effect in before._written:
                        self._written[effect] = before._written[effect]
        # To add a value takes nothing away that either reads, whatever else there is on the board.
        adding = {one for one in self._actions if self._only_adds(one)}
        closed = {one for one in self._targets if not self.course.is_open(one, self.layer)}
        for pair, waits in before._pairs.items():
            if pair[0] in closed and pair[1] in adding:
                self._pairs[pair] = waits

    def _only_adds(self, effect: Effect) -> bool:
        """Return whether all that `effect` does is to add values on which no text depends that is read on the board."""
        heeded = self.course.sources.heeded
        return all(
            modification.operation in _ADDING and heeded.isdisjoint(modification.characteristics)
            for modification, _ in self._actions[effect]
        )

    def targets(self, effect: Effect) -> int:
        """Return what `effect` applies to as things are."""
        if effect not in self._targets:
            self._targets[effect] = self.course.targets(effect, self.board)
        return self._targets[effect]

    def actions(self, effect: Effect) -> tuple[Action, ...]:
        """Return what `effect` does as things are."""
        if effect not in self._actions:
            self._actions[effect] = self.course.actions(effect, self.layer, self.board)
        return self._actions[effect]

    def depends(self, effect: Effect, other: Effect) -> bool:
        """Return whether `effect` depends on `other`."""
        if effect is other or effect.said.defines != other.said.defines:
            return False
        key = (effect, other)
        if key not in self._pairs:
            self._pairs[key] = self._would_change(effect, other)
        return self._pairs[key]

    def of(self, effect: Effect) -> tuple[Effect, ...]:
        """Return what `effect` depends on, oldest first."""
        if effect not in self._of:
            self._of[effect] = tuple(other for other in self.left if self.depends(effect, other))
        return self._of[effect]

    def is_free(self, effect: Effect) -> bool:
        """Return whether `effect` waits for nothing: for none but effects that wait for it in turn."""
        return all(self._leads_back(other, effect) for other in self.of(effect))

    def circle(self, effect: Effect) -> tuple[Effect, ...]:
        """Return the other effects of the circle in which `effect` and they depend on each other."""
        if not self.of(effect):
            return ()
        return tuple(other for other in self.left if other is not effect and self._both_ways(effect, other))

    def only(self, effect: Effect, other: Effect) -> bool:
        """Return whether `effect` waits for `other` and for nothing else."""
        return self.depends(effect, other) and self.of(effect) == (other,) and not self._leads_back(other, effect)

    def _both_ways(self, effect: Effect, other: Effect) -> bool:
        return self._leads_back(effect, other) and self._leads_back(other, effect)

    def _leads_back(self, start: Effect, end: Effect) -> bool:
        """Return whether dependencies lead from `start` to `end`."""
        seen = {start}
        queue = [start]
        while queue:
            for other in self.of(queue.pop()):
                if other is end:
                    return True
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
        return False

    def _would_change(self, effect: Effect, other: Effect) -> bool:
        if self._are_apart(effect, other):
            return False
        after = self._board_after(other)
        if after is self.board:
            return False
        course, ability = self.course, (ABILITIES, effect.said.node)
        differs = self._difference(other)
        if ability in differs and not course.exists(effect, after):
            return True
        sees = ability in differs or self._sees(effect, after, differs)
        if sees and course.targets(effect, after) != self.targets(effect):
            return True
        if not course.is_open(effect, self.layer) or not self.targets(effect):
            return False
        return course.actions(effect, self.layer, after) != self.actions(effect)

    def _sees(self, effect: Effect, after: Board, differs: Keys) -> bool:
        """Return whether what differs on the board `after` can bear on what `effect` applies to."""
        selector, keys = self._reads(effect)
        if selector is None:
            return False
        if not keys.isdisjoint(differs):
            return True
        heeded = self.course.sources.heeded
        return any(one in heeded for one, _ in differs) and self.course.selector(effect, after) is not selector

    def _reads(self, effect: Effect) -> tuple[Selector | None, Keys]:
        if effect not in self._read:
            selector = self.course.selector(effect, self.board)
            self._read[effect] = selector, frozenset() if selector is None else read_by(selector, self.board.ground)
        return self._read[effect]

    def _are_apart(self, effect: Effect, other: Effect) -> bool:
        """Return whether nothing that `other` can change on any board bears on `effect`."""
        selector, keys = self._reads(effect)
        actions = self.actions(other)
        known = self.course.apart.get((effect, other))
        if known is None or known[0] is not selector or known[1] is not actions:
            written, heeded = self._writes(other)
            is_apart = (
                not heeded
                and not self.course.is_open(effect, self.layer)
                and (ABILITIES, effect.said.node) not in written
                and (ABILITIES, ANY) not in written
                and not meet(keys, written)
            )
            known = self.course.apart[effect, other] = selector, actions, is_apart
        return known[2]

    def _writes(self, effect: Effect) -> tuple[Keys, bool]:
        """Return what `effect` can change on any board, and whether texts may mean something else because of it."""
        if effect not in self._written:
            written = writable(self.actions(effect), self.course.declared)
            self._written[effect] = written, any(one in self.course.sources.heeded for one, _ in written)
        return self._written[effect]

    def _difference(self, effect: Effect) -> Keys:
        if effect not in self._differences:
            self._differences[effect] = difference(self.board, self._board_after(effect))
        return self._differences[effect]

    def _board_after(self, effect: Effect) -> Board:
        if effect not in self._after:
            after = self.board.after(self.targets(effect), self.actions(effect))
            self._after[effect] = self.board if _same(after.table, self.board.table) else after
        return self._after[effect]


def _same(one: Table, other: Table) -> bool:
    return all(
        values is other.get(characteristic) or values == other.get(characteristic, {})
        for characteristic, values in one.items()
    )
