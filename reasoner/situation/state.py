"""The bookkeeping of a situation: which objects there are, where, with what marks and effects. No rule lives here.

An object is one stay of a card in a zone. What ends that stay is decided by the rules; here a stay that has
ended is kept with its place in the chain, so that effects on it are neither retracted nor lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import pyoxigraph as ox

from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import TYPE, XSD, core

_BOOLEAN, _INTEGER = ox.NamedNode(XSD + "boolean"), ox.NamedNode(XSD + "integer")


@dataclass(frozen=True)
class Entry:
    """How an object came to be: in which moment and turn, and under whose control."""

    moment: int
    turn: int
    controller: ox.NamedNode | None = None


@dataclass(frozen=True)
class Waiting:
    """An ability that has triggered and waits to be carried out: what it is called in play, whose, and on what."""

    iri: ox.NamedNode
    ability: ox.NamedNode
    bearer: ox.NamedNode
    controller: ox.NamedNode


@dataclass(frozen=True)
class Match:
    """What is known of the match itself, in a game whose turns have steps; `left` are the players who are out of it."""

    iri: ox.NamedNode
    players: tuple[ox.NamedNode, ...]
    left: tuple[ox.NamedNode, ...] = ()
    active: ox.NamedNode | None = None
    turn: int = 0
    step: ox.NamedNode | None = None
    waiting: tuple[Waiting, ...] = ()

    def facts(self) -> list[ox.Triple]:
        """Return the match as facts."""
        facts = [
            ox.Triple(self.iri, TYPE, core("Match")),
            ox.Triple(self.iri, core("turnNumber"), integer(self.turn)),
            *(ox.Triple(one, TYPE, core("Player")) for one in self.players),
            *(ox.Triple(one, core("hasLeft" if one in self.left else "takesPartIn"), self.iri) for one in self.players),
        ]
        if self.active is not None:
            facts.append(ox.Triple(self.iri, core("hasActivePlayer"), self.active))
        if self.step is not None:
            facts.append(ox.Triple(self.iri, core("isInStep"), self.step))
        return facts


@dataclass(frozen=True)
class Object:
    """One stay of the physical card `piece` (the id a case gives it). `noted` is what else is known of it.

    `since` orders objects by age: the number of events before it was there, then its place among those given at first.
    `entered` tells how it came to be, if it did so in the course of the situation; `rank` grows towards the bottom of a
    zone in which cards lie in order.
    """

    iri: ox.NamedNode
    piece: str
    card: ox.NamedNode
    zone: ox.NamedNode
    been_in: tuple[ox.NamedNode, ...]
    controller: ox.NamedNode | None = None
    owner: ox.NamedNode | None = None
    has: tuple[ox.NamedNode, ...] = ()
    lacks: tuple[ox.NamedNode, ...] = ()
    earlier: ox.NamedNode | None = None
    current: bool = True
    noted: tuple[tuple[ox.NamedNode, Value], ...] = ()
    since: tuple[int, int] = (0, 0)
    entered: Entry | None = None
    rank: int = 0

    def with_note(self, prop: ox.NamedNode, value: Value) -> Object:
        """Return the object with `value` noted for `prop`, in place of what was noted for it before."""
        return replace(self, noted=(*(pair for pair in self.noted if pair[0] != prop), (prop, value)))

    def with_status(self, status: ox.NamedNode, value: bool) -> Object:
        """Return the object with `status` known to be there, or known not to be."""
        has = tuple(one for one in self.has if one != status)
        lacks = tuple(one for one in self.lacks if one != status)
        return (
            replace(self, has=(*has, status), lacks=lacks) if value else replace(self, has=has, lacks=(*lacks, status))
        )


@dataclass(frozen=True)
class Effect:
    """A lasting change of objects: the facts about it, and when it began."""

    iri: ox.NamedNode
    facts: tuple[ox.Triple, ...]


@dataclass(frozen=True)
class State:
    """What is known at one moment before rules are applied. `remembered` are names a case gave to objects.

    `ordered` are the zones in which the cards of each owner lie in order; `players` go by the names a case gives them.
    """

    objects: tuple[Object, ...] = ()
    effects: tuple[Effect, ...] = ()
    remembered: tuple[tuple[str, ox.NamedNode], ...] = ()
    event: tuple[ox.Triple, ...] = ()
    time: int = 0
    match: Match | None = None
    ordered: frozenset[ox.NamedNode] = frozenset()
    players: tuple[tuple[str, ox.NamedNode], ...] = ()

    @property
    def current(self) -> tuple[Object, ...]:
        """The objects that are there now."""
        return tuple(one for one in self.objects if one.current)

    def find(self, piece: str) -> Object | None:
        """Return the present stay of the physical card `piece`."""
        return next((one for one in self.current if one.piece == piece), None)

    def replacing(self, new: Object) -> State:
        """Return the state with the object of the same IRI replaced by `new`."""
        return replace(self, objects=tuple(new if one.iri == new.iri else one for one in self.objects))

    def positions(self) -> list[tuple[Object, int]]:
        """Return each object in an ordered zone with its place, from the top, among those of the same owner there."""
        piles: dict[tuple[ox.NamedNode, ox.NamedNode | None], list[Object]] = {}
        for one in self.current:
            if one.zone in self.ordered:
                piles.setdefault((one.zone, one.owner), []).append(one)
        return [
            (one, place)
            for pile in piles.values()
            for place, one in enumerate(sorted(pile, key=lambda one: one.rank), 1)
        ]

    def triples(self) -> tuple[ox.Triple, ...]:
        """Return the state as facts; ended stays keep only their chain and the zones they have been in."""
        return self._triples

    @cached_property
    def _triples(self) -> tuple[ox.Triple, ...]:
        result: list[ox.Triple] = []
        for one in self.objects:
            if one.current:
                result += object_facts(one)
            if one.earlier is not None:
                result.append(ox.Triple(one.iri, core("succeeds"), one.earlier))
            result += [ox.Triple(one.iri, core("hasBeenIn"), zone) for zone in one.been_in]
            if one.entered is not None and self.match is not None:
                result += _entry(one, one.entered)
        result += [ox.Triple(one.iri, core("hasPosition"), integer(place)) for one, place in self.positions()]
        if self.match is not None:
            result += self.match.facts()
        for effect in self.effects:
            result += effect.facts
        result += self.event
        return tuple(result)


def _entry(one: Object, entry: Entry) -> list[ox.Triple]:
    facts = [
        ox.Triple(one.iri, core("enteredInTurn"), integer(entry.turn)),
        ox.Triple(one.iri, core("enteredZone"), one.been_in[0]),
    ]
    if entry.controller is not None:
        facts.append(ox.Triple(one.iri, core("enteredUnder"), entry.controller))
    return facts


def boolean(value: bool) -> ox.Literal:
    """Return `value` as an xsd:boolean."""
    return ox.Literal("true" if value else "false", datatype=_BOOLEAN)


def integer(value: int) -> ox.Literal:
    """Return `value` as an xsd:integer."""
    return ox.Literal(str(value), datatype=_INTEGER)


def object_facts(one: Object) -> list[ox.Triple]:
    """Return what is known of an object that is there."""
    facts = [
        ox.Triple(one.iri, TYPE, core("Object")),
        ox.Triple(one.iri, core("isStayOf"), ox.NamedNode(one.iri.value.rsplit("/", 1)[0])),
        ox.Triple(one.iri, core("hasOwnCard"), one.card),
        ox.Triple(one.iri, core("isDirectlyInZone"), one.zone),
    ]
    if one.controller is not None:
        facts.append(ox.Triple(one.iri, core("hasController"), one.controller))
    if one.owner is not None:
        facts.append(ox.Triple(one.iri, core("hasOwner"), one.owner))
    facts += [ox.Triple(one.iri, core("hasStatus"), status) for status in one.has]
    facts += [ox.Triple(one.iri, core("lacksStatus"), status) for status in one.lacks]
    facts += [ox.Triple(one.iri, prop, value) for prop, value in one.noted]
    return facts
