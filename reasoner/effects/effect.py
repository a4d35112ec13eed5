"""Effects: what changes objects, whether it does so on a given board, to which of them, and what it does to each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import pyoxigraph as ox

from reasoner.effects.board import Action, Board, literal, numbers_in
from reasoner.effects.declared import KEEPS, REWORDING, Declared, Layer, Modification
from reasoner.reference.matching import matching
from reasoner.reference.rewording import READS, words_of
from reasoner.reference.selector import Has, Selector
from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import TYPE, core

ABILITIES = core("bearsAbility").value
INTO = core("changesWordInto")
Since = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Said:
    """What an ability, or an effect that an event began, says: the changes, and to what they apply.

    `scope` is a reference text (None: to the bearer alone); `layer` the one layer of all its changes, if it has one;
    `unwritten` are values that no text gives: rules tell them, of a keyword say.
    """

    node: ox.NamedNode
    changes: tuple[tuple[Modification, tuple[Value, ...]], ...]
    defines: bool = False
    scope: str | None = None
    layer: Layer | None = None
    unwritten: frozenset[Value] = frozenset()

    def stated(self, modification: Modification, values: tuple[Value, ...]) -> list[tuple[ox.NamedNode, Value]]:
        """Return the properties by which one of the changes is stated, each with a value."""
        pairs = [(modification.iri, value) for value in values]
        return [*pairs[:-1], (INTO, values[-1])] if modification.operation == REWORDING else pairs

    def in_layer(self, layer: Layer, declared: Declared) -> tuple[tuple[Modification, tuple[Value, ...]], ...]:
        """Return the changes that are made in `layer`."""
        if self.layer is not None:
            return self.changes if self.layer is layer else ()
        return tuple(one for one in self.changes if declared.layer_of(one[0].iri, self.defines) is layer)


@dataclass(frozen=True, eq=False)
class Effect:
    """What an ability does while its bearer has it, or what an event or a rule began.

    `fixed` are the objects it changes, where it has begun: they were settled then, as was what it does to them.
    """

    iri: ox.NamedNode
    said: Said
    since: Since
    bearer: int | None = None
    fixed: int | None = None

    @property
    def age(self) -> tuple[Since, str]:
        """What effects are ordered by: when they began; of two that began together, always the same one is older."""
        return self.since, self.iri.value


# (text, bearer, ability, board) to selector: what a text on a bearer means while the board is so.
Meaning = Callable[[str, ox.NamedNode | None, ox.NamedNode, Board], Selector]


@dataclass(frozen=True)
class Sources:
    """Where effects come from at one moment: those that have begun, and what abilities say that objects may have.

    `since` is how long each object has been there; `working` the objects in a zone where an ability works; `without`
    names effects to leave out, to see what would be; `heeded` are the characteristics of a bearer on which it depends
    what a text on it means.
    """

    begun: tuple[Effect, ...]
    abilities: Mapping[ox.NamedNode, Said]
    since: tuple[Since, ...]
    working: Mapping[ox.NamedNode, int]
    meaning: Meaning
    without: frozenset[ox.NamedNode] = frozenset()
    heeded: frozenset[str] = frozenset()


@dataclass
class Course:
    """What has happened in the order so far: what each effect applied to first, and when an ability was given.

    `granted` are the abilities that are no part of the text of their bearer. `apart` tells of pairs of effects whether
    the first reads nothing of what the second can change: while it means a selector, and while the other does this.
    """

    sources: Sources
    declared: Declared
    started: dict[ox.NamedNode, int] = field(default_factory=dict)
    given: dict[tuple[int, ox.NamedNode], Since] = field(default_factory=dict)
    apart: dict[tuple[Effect, Effect], tuple[Selector | None, tuple[Action, ...], bool]] = field(default_factory=dict)
    granted: set[tuple[int | None, ox.NamedNode]] = field(default_factory=set)
    _known: dict[tuple[ox.NamedNode, int], Effect] = field(default_factory=dict)
    _layers: dict[tuple[Said, Layer], tuple[tuple[Modification, tuple[Value, ...]], ...]] = field(default_factory=dict)
    _open: dict[tuple[Effect, Layer], bool] = field(default_factory=dict)

    def changes(self, said: Said, layer: Layer) -> tuple[tuple[Modification, tuple[Value, ...]], ...]:
        """Return the changes that an effect makes in `layer`, as it says."""
        key = (said, layer)
        if key not in self._layers:
            self._layers[key] = said.in_layer(layer, self.declared)
        return self._layers[key]

    def effects(self, board: Board, layer: Layer) -> Iterator[Effect]:
        """Yield the effects that there are on `board` and that change something in `layer`."""
        without, kept = self.sources.without, self.started if self._keeps else {}
        yield from (one for one in self.sources.begun if self.changes(one.said, layer) and one.iri not in without)
        for ability, said in self.sources.abilities.items():
            if self.changes(said, layer):
                having = board.having(ABILITIES, ability) & self.sources.working[ability]
                found = (self.of_ability(ability, said, number, board) for number in numbers_in(having))
                yield from (one for one in found if one.iri not in without)
        for one in self._known.values() if kept else ():
            if self.changes(one.said, layer) and one.iri in kept and not self._has_ability(one, board):
                yield one

    def of_ability(self, ability: ox.NamedNode, said: Said, number: int, board: Board) -> Effect:
        """Return the effect of `ability` on the object with this number: as old as the later of the two."""
        since = max(self.sources.since[number], self.given.get((number, ability), self.sources.since[number]))
        known = self._known.get((ability, number))
        if known is None or known.since != since:
            bearer = board.ground.objects[number]
            iri = ox.NamedNode(f"{bearer.value}/ability/{ability.value.rsplit('/', 1)[1]}")
            known = self._known[ability, number] = Effect(iri, said, since, bearer=number)
        return known

    def exists(self, effect: Effect, board: Board) -> bool:
        """Return whether there is `effect` on `board`."""
        return (self._keeps and effect.iri in self.started) or self._has_ability(effect, board)

    def targets(self, effect: Effect, board: Board) -> int:
        """Return what `effect` applies to on `board`."""
        if self._keeps and effect.iri in self.started:
            return self.started[effect.iri]
        return self.anew(effect, board)

    def anew(self, effect: Effect, board: Board) -> int:
        """Return what `effect` would apply to on `board` had it not been applied in any layer before."""
        if not self._has_ability(effect, board):
            return 0
        if effect.fixed is not None:
            return effect.fixed
        return self.reached(effect, board)

    def actions(self, effect: Effect, layer: Layer, board: Board) -> tuple[Action, ...]:
        """Return what `effect` does in `layer` to each thing that it applies to, as things are on `board`."""
        return tuple(
            (modification, self.resolved(modification, values, effect, board))
            for modification, values in self.changes(effect.said, layer)
        )

    def is_open(self, effect: Effect, layer: Layer) -> bool:
        """Return whether what `effect` does in `layer` depends on the board."""
        key = (effect, layer)
        if key not in self._open:
            rewords = effect.bearer is not None and layer in self._rewording
            changes = self.changes(effect.said, layer)
            self._open[key] = effect.fixed is None and (rewords or any(one.operation in _OPEN for one, _ in changes))
        return self._open[key]

    def selector(self, effect: Effect, board: Board) -> Selector | None:
        """Return what `effect` applies to on `board`, where its scope says so and it has not been settled before."""
        if effect.said.scope is None or effect.fixed is not None or (self._keeps and effect.iri in self.started):
            return None
        return self._meaning(effect.said.scope, effect, board)

    def reached(self, effect: Effect, board: Board) -> int:
        """Return what the scope of `effect` refers to on `board`; without one, its bearer."""
        if effect.said.scope is None:
            return 0 if effect.bearer is None else 1 << effect.bearer
        return board.meeting(self._meaning(effect.said.scope, effect, board))

    @cached_property
    def _keeps(self) -> bool:
        return KEEPS in self.declared.policies

    def _has_ability(self, effect: Effect, board: Board) -> bool:
        if effect.bearer is None or effect.fixed is not None:
            return True
        ability = effect.said.node
        return bool(board.having(ABILITIES, ability) & self.sources.working[ability] & 1 << effect.bearer)

    def resolved(
        self, modification: Modification, values: tuple[Value, ...], effect: Effect, board: Board
    ) -> tuple[Value, ...]:
        """Return the values that a change gives as things are on `board`, in the words of its bearer."""
        if effect.bearer is not None and effect.fixed is None and board.table.get(READS.value):
            words = words_of(self._worded(effect, board).values(effect.bearer, READS.value))
            written = {word: other for word, other in words.items() if word not in effect.said.unwritten}
            values = tuple(written.get(value, value) if isinstance(value, ox.NamedNode) else value for value in values)
        if modification.operation in _OPEN and effect.fixed is None:
            return _OPEN[modification.operation](self, modification, values, effect, board)
        return values

    def _count(
        self, modification: Modification, texts: tuple[Value, ...], effect: Effect, board: Board
    ) -> tuple[Value, ...]:
        return tuple(literal(self._counted(text.value, effect, board)) for text in texts)

    def _counted(self, text: str, effect: Effect, board: Board) -> int:
        """Return how many referents `text` refers to, or how many seats are filled where it names such a quantity."""
        seated = self.declared.seated.get(text)
        if seated is None:
            return board.meeting(self._meaning(text, effect, board)).bit_count()
        candidates = board.meeting(self._meaning(seated.candidates, effect, board))
        fits = [numbers_in(candidates & board.meeting(Has(TYPE.value, ox.NamedNode(kind)))) for kind in seated.seats]
        return len(matching(fits).filled)

    def _share(
        self, modification: Modification, said: tuple[Value, ...], effect: Effect, board: Board
    ) -> tuple[Value, ...]:
        assert effect.bearer is not None
        return tuple(sorted(board.values(effect.bearer, modification.characteristics[0]), key=str))

    def _grant(
        self, modification: Modification, names: tuple[Value, ...], effect: Effect, board: Board
    ) -> tuple[Value, ...]:
        place = effect.said.node.value.rsplit("/", 1)[0]
        return tuple(ox.NamedNode(f"{place}/{name.value}") for name in names)

    def _meaning(self, text: str, effect: Effect, board: Board) -> Selector:
        bearer = None if effect.bearer is None else board.ground.objects[effect.bearer]
        return self.sources.meaning(text, bearer, effect.said.node, self._worded(effect, board))

    def _worded(self, effect: Effect, board: Board) -> Board:
        """Return the board as the ability of an effect sees it: one that was granted keeps the words it came with."""
        if (effect.bearer, effect.said.node) not in self.granted or not board.table.get(READS.value):
            return board
        return Board(board.ground, {**board.table, READS.value: {}})

    @cached_property
    def _rewording(self) -> frozenset[Layer]:
        changes = self.declared.modifications
        return frozenset(
            layer
            for layer in self.declared.layers
            if any(one in changes and changes[one].operation == REWORDING for one in layer.orders)
        )


# What is settled only on the board: by an ability each time anew, by an event once, when it begins its effect.
_OPEN = {"Counting": Course._count, "Sharing": Course._share, "Granting": Course._grant}
