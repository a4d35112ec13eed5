"""Events: the `do:` steps of a case, read into facts.

Which events there are, what keys they take and what values is read from the ontology.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from reasoner.errors import CaseError, close_to
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.cardnames import names_by_spelling
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.yamlfile import Mapping
from reasoner.situation.given import control_statuses, find_player, find_zone, status_fields
from reasoner.situation.notes import object_fields, whole_number
from reasoner.situation.state import Object, State, integer
from reasoner.terms.lookup import Value, values
from reasoner.terms.namespaces import NATURAL, RANGE, SUBCLASS, TYPE, WHOLE_NUMBERS, XSD, core

REFER = "refer to"
# Whom an event is about; what it does to them is told by its other properties.
_OF_WHOM = (core("affects"), core("copiedFrom"))
_NEEDED = (core("movesTo"), core("setsCardType"), core("affects"), core("copiesReferent"), core("carriesOut"))
# Of which an event can have several.
SEVERAL = (core("affects"), core("keepsOwn"))
# Classes whose members a key names by their labels, and what messages call them.
_NAMED = {"CardType": "card type", "Step": "step", "ZoneEnd": "end of a zone"}
Values = dict[ox.NamedNode, tuple[Value, ...]]


@dataclass(frozen=True)
class EventKind:
    """A class of events: the key that introduces it, what its value fills, the further keys, and where it leads."""

    iri: ox.NamedNode
    key: str
    main: ox.NamedNode
    parameters: dict[str, ox.NamedNode]
    leads_into: ox.NamedNode | None
    above: frozenset[ox.NamedNode]

    @property
    def names_controller(self) -> bool:
        """Whether the event may say who controls its object from then on."""
        return bool({core("Move"), core("GainControl")} & self.above)


@dataclass(frozen=True)
class Event:
    """One event: its kind, the values of its properties, and the step it was read from."""

    iri: ox.NamedNode
    kind: EventKind
    values: Values
    step: Mapping

    @property
    def facts(self) -> tuple[ox.Triple, ...]:
        """The event as triples, with every class of events above its own."""
        kinds = (ox.Triple(self.iri, TYPE, kind) for kind in sorted(self.kind.above, key=str))
        return (*kinds, *(ox.Triple(self.iri, prop, value) for prop, found in self.values.items() for value in found))

    def first(self, prop: ox.NamedNode) -> Value | None:
        """Return the first value of a property, or None."""
        return next(iter(self.values.get(prop, ())), None)


def event_kinds(vocabulary: Vocabulary) -> dict[str, EventKind]:
    """Return all kinds of event by their keys."""
    kinds: dict[str, EventKind] = {}
    has_order = bool(vocabulary.pairs(core("isOrdered")))
    for iri, key in vocabulary.pairs(core("eventKey")):
        main = vocabulary.first(iri, core("objectKey"))
        fields = {}
        for prop in vocabulary.objects(iri, core("hasParameter")):
            name = vocabulary.first(prop, core("parameterField"))
            if prop == core("movesToEnd") and not has_order:
                continue
            if isinstance(name, ox.Literal) and isinstance(prop, ox.NamedNode):
                fields[name.value] = prop
        zone = vocabulary.first(iri, core("leadsInto"))
        if isinstance(key, ox.Literal) and isinstance(main, ox.NamedNode):
            leads = zone if isinstance(zone, ox.NamedNode) else None
            kinds[key.value] = EventKind(iri, key.value, main, fields, leads, _above(iri, vocabulary))
    return kinds


def events_of(base: KnowledgeBase) -> dict[str, EventKind]:
    """Return the kinds of event that can make a difference in the game, by their keys.

    One moves, or changes a status or control; or a rule of the game, in some edition, heeds what it does.
    """
    return {key: kind for key, kind in event_kinds(base.vocabulary).items() if _matters(kind, base)}


def _matters(kind: EventKind, base: KnowledgeBase) -> bool:
    if {core("Move"), core("GainControl"), core("LoseControl")} & kind.above:
        return True
    if core("SetStatus") in kind.above:
        changed = (value for name in ("isSetBy", "isClearedBy") for _, value in base.vocabulary.pairs(core(name)))
        return any(one in kind.above for one in changed)
    does = {prop.value for prop in (kind.main, *kind.parameters.values()) if prop not in _OF_WHOM}
    return bool((does | {str(kind.iri)}) & base.programs.heeded)


@dataclass(frozen=True)
class EventReader:
    """Reads the `do:` steps of one case. `case` is the IRI below which events lie; `store` holds the cards in play."""

    case: str
    base: KnowledgeBase
    store: ox.Store
    players: dict[str, ox.NamedNode]

    def read(self, do: Mapping, state: State) -> Event:
        """Return the event in the step `do`, which happens in `state`.

        Raises:
            CaseError: C103 something is missing or of the wrong kind, C104 an unknown event, key, object, zone,
                type or ability.
        """
        kind = self._kind(do)
        is_move = core("Move") in kind.above
        fields = (*status_fields(self.base.vocabulary), *object_fields(self.base.vocabulary)) if is_move else ()
        known = (kind.key, *kind.parameters, *fields, *(("controller",) if kind.names_controller else ()), "note")
        for key in do:
            if key not in known:
                raise CaseError(
                    "C104",
                    f"unknown key '{key}' in '{kind.key}'",
                    place=do.place(key),
                    suggestions=close_to(key, [one for one in known if one not in do]),
                    hint=f"keys: {', '.join(known)}",
                )
        if core("GainControl") in kind.above and "controller" not in do and not control_statuses(self.base.vocabulary):
            raise CaseError(
                "C103", f"'{kind.key}' needs 'controller'", place=do.place(kind.key), hint="name the player"
            )
        found: Values = {kind.main: (self._value(kind.main, kind.key, do[kind.key], do, kind, state),)}
        if kind.leads_into is not None:
            found[core("movesTo")] = (kind.leads_into,)
        for key, prop in kind.parameters.items():
            if key in do:
                several = do[key] if isinstance(do[key], list) and prop in SEVERAL else [do[key]]
                found[prop] = tuple(self._value(prop, key, given, do, kind, state) for given in several)
            elif prop == core("copiesAbility"):
                found[prop] = self._all_abilities(do, kind, state)
            elif prop in _NEEDED and not (prop == core("affects") and core("carriesOut") in kind.parameters.values()):
                raise CaseError("C103", f"'{kind.key}' needs '{key}'", place=do.place(kind.key))
        return Event(ox.NamedNode(f"{self.case}/event/{state.time + 1}"), kind, found, do)

    def find(self, do: Mapping, key: str, state: State, given: Any = None) -> Object:
        """Return the object whose id stands under `key`, or is the one `given` of several ids there.

        Raises:
            CaseError: C104 if there is none.
        """
        name = str(do[key] if given is None else given)
        found = state.find(name)
        if found is None:
            raise CaseError(
                "C104",
                f"unknown object '{name}'",
                place=do.place(key),
                suggestions=close_to(name, [one.piece for one in state.current]),
                hint="objects are given ids under given:",
            )
        return found

    def _kind(self, do: Mapping) -> EventKind:
        kinds = events_of(self.base)
        found = [key for key in do if key in kinds]
        if len(found) == 1:
            return kinds[found[0]]
        known = (*kinds, REFER)
        key = next((key for key in do if key in event_kinds(self.base.vocabulary)), next(iter(do), ""))
        message, suggestions = f"unknown event '{key}'", close_to(key, known)
        if found:
            message, suggestions = f"one step can't be two events: {' and '.join(found)}", ()
        elif key in event_kinds(self.base.vocabulary):
            message, suggestions = f"'{key}' makes no difference in this game: none of its rules heeds it", ()
        raise CaseError(
            "C104", message, place=do.place(key), suggestions=suggestions, hint=f"events: {', '.join(sorted(known))}"
        )

    def _value(self, prop: ox.NamedNode, key: str, given: Any, do: Mapping, kind: EventKind, state: State) -> Value:
        vocabulary = self.base.vocabulary
        kinds = {getattr(one, "value", "") for one in vocabulary.objects(prop, RANGE)}
        if not kinds.isdisjoint(WHOLE_NUMBERS):
            return integer(whole_number(given, key, do, 0 if NATURAL in kinds else None))
        if core("Zone").value in kinds:
            return find_zone(str(given), vocabulary, do, key)
        if core("Player").value in kinds:
            return find_player(given, self.players, do, key)
        for name, what in _NAMED.items():
            if core(name).value in kinds:
                return vocabulary.find(str(given), core(name), do.place(key), what=what, error=CaseError, code="C104")
        if core("Ability").value in kinds:
            source = self.find(do, kind.key, state)
            found = self._abilities(source)
            if str(given) not in found:
                raise CaseError(
                    "C104",
                    f"'{source.piece}' has no ability '{given}'",
                    place=do.place(key),
                    suggestions=close_to(str(given), found),
                    hint=f"abilities: {', '.join(found) or 'none'}",
                )
            return found[str(given)]
        if prop == core("keepsOwn"):
            return self._field(given, do, key)
        if XSD + "string" in kinds:
            return self._name(do, key)
        return self.find(do, key, state, given).iri

    def _field(self, given: Any, do: Mapping, key: str) -> Value:
        """Return the field of card files that is `given` under `key`."""
        known = self.base.vocabulary.card_fields
        if str(given) not in known:
            raise CaseError(
                "C104",
                f"cards have no field '{given}'",
                place=do.place(key),
                suggestions=close_to(str(given), known),
                hint="say which value of its own a copy keeps, as card files call it",
            )
        return ox.Literal(str(given))

    def _name(self, do: Mapping, key: str) -> Value:
        """Return the name of a card or of a face that stands under `key`, in the language in which names count."""
        known = names_by_spelling(self.store, self.base.base[-1])
        if str(do[key]) not in known:
            raise CaseError(
                "C104",
                f"no card is called '{do[key]}'",
                place=do.place(key),
                suggestions=close_to(str(do[key]), known),
            )
        return ox.Literal(known[str(do[key])])

    def _all_abilities(self, do: Mapping, kind: EventKind, state: State) -> tuple[Value, ...]:
        source = self.find(do, kind.key, state)
        abilities = tuple(self._abilities(source).values())
        if not abilities:
            raise CaseError("C104", f"'{source.piece}' has no ability to copy", place=do.place(kind.key))
        return abilities

    def _abilities(self, source: Object) -> dict[str, ox.NamedNode]:
        found = values(self.store, source.card, core("hasAbility"), self.base.base[-1])
        return {one.value.rsplit("/", 1)[1]: one for one in found if isinstance(one, ox.NamedNode)}


def _above(iri: ox.NamedNode, vocabulary: Vocabulary) -> frozenset[ox.NamedNode]:
    found = {iri}
    queue = [iri]
    while queue:
        for above in vocabulary.objects(queue.pop(), SUBCLASS):
            if isinstance(above, ox.NamedNode) and above not in found:
                found.add(above)
                queue.append(above)
    return frozenset(found)
