"""What there is to apply at a moment: the board of starting values, what abilities say, and effects that have begun."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pyoxigraph as ox

from reasoner.effects.board import Board, Ground, Record, number_of
from reasoner.effects.declared import COPIED, COPYING, REWORDING, Declared, Modification
from reasoner.effects.effect import ABILITIES, Effect, Meaning, Said, Since, Sources
from reasoner.effects.following import Following
from reasoner.engine.memo import Contents
from reasoner.knowledge.base import KnowledgeBase
from reasoner.reference.evaluate import View
from reasoner.reference.selector import Atom
from reasoner.terms.lookup import Value, pairs, values
from reasoner.terms.namespaces import TYPE, core

_TRUE = "true"


@dataclass(frozen=True)
class Gatherer:
    """Reads one branch of a moment: the objects, each with the time since which it is there, and their facts.

    `graphs` are those of the moment and of what rules have concluded in the branch.
    """

    base: KnowledgeBase
    declared: Declared
    store: ox.Store
    graphs: Sequence[ox.NamedNode]
    objects: tuple[ox.NamedNode, ...]
    since: tuple[Since, ...]
    following: Following
    contents: Contents | None = None
    _zones: dict[ox.NamedNode, int] = field(default_factory=dict)

    def board(self) -> Board:
        """Return the board of starting values."""
        vocabulary = self.base.vocabulary
        is_open = [
            one for one in self.declared.starts if vocabulary.first(ox.NamedNode(one), core("isOpenWithoutValue"))
        ]
        following = self.following
        ground = Ground(
            self.objects,
            self.declared,
            self._outside(),
            following.having,
            frozenset(is_open),
            following.gives,
            self._records(),
        )
        return Board(ground, {name: self._started(start) for name, start in self.declared.starts.items()})

    def _started(self, start: ox.NamedNode) -> dict[Value, int]:
        """Return the starting values of one characteristic, each with the objects that have it."""
        places, found = self._places, dict[Value, int]()
        facts = self._view.facts(start)
        for fact in facts:
            if fact.subject in places and isinstance(fact.object, ox.NamedNode | ox.Literal):
                found[fact.object] = found.get(fact.object, 0) | places[fact.subject]
        return {value: found[value] for value in sorted(found, key=str)}

    @cached_property
    def _places(self) -> dict[object, int]:
        return {one: 1 << number for number, one in enumerate(self.objects)}

    def sources(self, board: Board, meaning: Meaning, heeded: frozenset[str]) -> Sources:
        """Return where effects come from: what has begun, and the abilities that objects have or can come to have.

        `heeded` are the characteristics of a bearer that `meaning` depends on.
        """
        said = {}
        begun = tuple(self._begun(board))
        for ability in self._abilities(board, begun):
            found = self.said(ability)
            if found.changes and not self._is(ability, "takesEffectOnResolution"):
                said[ability] = found
        self.following.prepare(self._possible(board, (*said.values(), *(one.said for one in begun))))
        working = {ability: self._working(ability, one.defines, board.ground) for ability, one in said.items()}
        return Sources(begun, said, self.since, working, meaning, heeded=heeded)

    def _possible(self, board: Board, said: Iterable[Said]) -> Iterator[tuple[str, Value]]:
        """Yield every value that a characteristic can come to have, however effects are applied."""
        tables = (board.table, *board.ground.records.values())
        yield from ((one, value) for table in tables for one, found in table.items() for value in found)
        for each in said:
            for modification, given in each.changes:
                yield from ((one, value) for one in modification.characteristics for value in given)

    def _abilities(self, board: Board, begun: Iterable[Effect]) -> list[ox.NamedNode]:
        """Return the abilities that objects start with, that were noted in copying, or that a card holds ready."""
        found: dict[Value, None] = dict.fromkeys(board.table.get(ABILITIES, {}))
        for record in board.ground.records.values():
            found.update(dict.fromkeys(record.get(ABILITIES, ())))
        for effect in begun:
            for modification, given in effect.said.changes:
                if ABILITIES in modification.characteristics and modification.operation == "Granting":
                    found.update(dict.fromkeys(given))
        for ability in list(found):
            place = ability.value.rsplit("/", 1)[0]
            for modification, given in self._changes(ability):  # type: ignore[arg-type]
                if modification.operation == "Granting":
                    found.update((ox.NamedNode(f"{place}/{name.value}"), None) for name in given)
        return sorted((one for one in found if isinstance(one, ox.NamedNode)), key=str)

    def said(self, node: ox.NamedNode) -> Said:
        """Return what an ability or an effect says that it changes."""
        scope = self._first(node, "hasScope")
        layer = self._first(node, "appliesInLayer")
        return Said(
            node,
            self._changes(node),
            self._is(node, "definesCharacteristics"),
            scope.value if isinstance(scope, ox.Literal) else None,
            next((one for one in self.declared.layers if one.iri == layer), None),
            self._unwritten(node),
        )

    def _unwritten(self, node: ox.NamedNode) -> frozenset[Value]:
        quads = self.store.quads_for_pattern(node, None, None, self.graphs[-1])
        return frozenset(
            quad.object
            for quad in quads
            if quad.predicate in self.declared.modifications and isinstance(quad.object, ox.NamedNode)
        )

    def _changes(self, node: ox.NamedNode) -> tuple[tuple[Modification, tuple[Value, ...]], ...]:
        found: dict[ox.NamedNode, list[Value]] = {}
        for graph in self._everywhere:
            for quad in self.store.quads_for_pattern(node, None, None, graph):
                if quad.predicate in self.declared.modifications and isinstance(quad.object, ox.NamedNode | ox.Literal):
                    found.setdefault(quad.predicate, []).append(quad.object)
        return tuple(
            (self._kept(node, modification), (*sorted(set(given), key=str), *self._instead(node, modification)))
            for prop, given in sorted(found.items(), key=lambda pair: pair[0].value)
            for modification in [self.declared.modifications[prop]]
        )

    def _instead(self, node: ox.NamedNode, modification: Modification) -> list[Value]:
        """Return the word that comes for others where a change puts one for them."""
        return self._values(node, "changesWordInto") if modification.operation == REWORDING else []

    def _kept(self, node: ox.NamedNode, modification: Modification) -> Modification:
        """Return the modification without the characteristics that a copy keeps as its own."""
        if modification.operation != COPYING:
            return modification
        fields = {value.value for value in self._values(node, "keepsOwn")}
        vocabulary = self.base.vocabulary
        own = {
            becomes.value
            for key, printed in vocabulary.card_fields.items()
            if key in fields and isinstance(becomes := vocabulary.first(printed, core("becomes")), ox.NamedNode)
        }
        left = tuple(one for one in modification.characteristics if one not in own)
        return Modification(modification.iri, COPYING, left)

    def _begun(self, board: Board) -> Iterable[Effect]:
        """Yield the effects of events, and those that the game itself declares and rules say what they affect."""
        stated = {effect for graph in self.graphs for effect in self._typed(graph)}
        declared = set(self.base.vocabulary.instances(core("Effect")))
        for effect in sorted(stated | declared, key=str):
            affected = [one for one in self._values(effect, "affects") if isinstance(one, ox.NamedNode)]
            moment = self._first(effect, "timestamp")
            since = (number_of(moment) or 0, 0) if isinstance(moment, ox.Literal) else (0, 0)
            said, fixed = self.said(effect), board.ground.set_of(affected)
            if said.changes and fixed:
                yield Effect(effect, said, since, fixed=fixed)

    def _typed(self, graph: ox.NamedNode) -> list[ox.NamedNode]:
        quads = self.store.quads_for_pattern(None, TYPE, core("Effect"), graph)
        return [quad.subject for quad in quads if isinstance(quad.subject, ox.NamedNode)]

    def _working(self, ability: ox.NamedNode, defines: bool, ground: Ground) -> int:
        """Return the objects that are where `ability` works; one that defines characteristics works everywhere."""
        if defines or self._is(ability, "worksEverywhere"):
            return ground.all
        zones = {zone for zone in self._values(ability, "worksIn") if isinstance(zone, ox.NamedNode)}
        found = ground.all if not zones and not self.declared.zones else 0
        for zone in zones or self.declared.zones:
            found |= self._in_zone(zone, ground)
        return found

    def _in_zone(self, zone: ox.NamedNode, ground: Ground) -> int:
        if zone not in self._zones:
            having = self._view.having(core("isInZone"), zone)
            self._zones[zone] = ground.set_of(one for one in self.objects if one in having)
        return self._zones[zone]

    def _records(self) -> Record:
        found: dict[ox.NamedNode, Mapping[str, frozenset[Value]]] = {}
        for graph in self.graphs:
            for _, record in pairs(self.store, COPIED, graph):
                if isinstance(record, ox.NamedNode):
                    found[record] = {
                        characteristic: frozenset(values(self.store, record, start, graph))
                        for characteristic, start in self.declared.starts.items()
                    }
        return found

    def _outside(self) -> Callable[[Atom], tuple[int, int]]:
        view = self._view
        known: dict[Atom, tuple[int, int]] = {}

        def outside(atom: Atom) -> tuple[int, int]:
            if atom not in known:
                true = false = 0
                for number, result in enumerate(view.tested(atom, self.objects)):
                    true |= (result is True) << number
                    false |= (result is False) << number
                known[atom] = true, false
            return known[atom]

        return outside

    @cached_property
    def _view(self) -> View:
        return View(self.store, self.graphs, self.base.vocabulary, False, self.contents)

    @cached_property
    def _everywhere(self) -> tuple[ox.NamedNode, ...]:
        return (*self.base.base, *self.graphs)

    def _values(self, subject: ox.NamedNode, name: str) -> list[Value]:
        return sorted(
            {one for graph in self._everywhere for one in values(self.store, subject, core(name), graph)}, key=str
        )

    def _first(self, subject: ox.NamedNode, name: str) -> Value | None:
        return next(iter(self._values(subject, name)), None)

    def _is(self, subject: ox.NamedNode, name: str) -> bool:
        found = self._first(subject, name)
        return found is not None and found.value == _TRUE
