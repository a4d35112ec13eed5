"""Events: a `do:` step becomes facts, and the facts become the next state.

Which events there are, what keys they take and which statuses they set is read from the ontology. Here stand
only the few things an event can do to the bookkeeping: move a card, set a status, begin a lasting effect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pyoxigraph as ox

from reasoner.errors import CaseError, close_to
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.yamlfile import Mapping
from reasoner.situation.given import apply_statuses, find_player, find_zone, status_fields
from reasoner.situation.state import Effect, Object, State, integer
from reasoner.terms.namespaces import RDFS, SUBCLASS, TYPE, core

_RANGE = ox.NamedNode(RDFS + "range")
_LASTING = (core("setsCardType"), core("copiesAbility"))
_NEEDED = (core("movesTo"), core("setsCardType"), core("affects"))
EndsIdentity = Callable[[State], bool]


@dataclass(frozen=True)
class EventKind:
    """A class of events: the key that introduces it, what its value fills, and the further keys."""

    iri: ox.NamedNode
    key: str
    main: ox.NamedNode
    parameters: dict[str, ox.NamedNode]


def event_kinds(vocabulary: Vocabulary) -> dict[str, EventKind]:
    """Return the kinds of event by their keys."""
    kinds: dict[str, EventKind] = {}
    for iri, key in vocabulary.pairs(core("eventKey")):
        main = vocabulary.first(iri, core("objectKey"))
        fields = {}
        for prop in vocabulary.objects(iri, core("hasParameter")):
            name = vocabulary.first(prop, core("parameterField"))
            if isinstance(name, ox.Literal) and isinstance(prop, ox.NamedNode):
                fields[name.value] = prop
        if isinstance(key, ox.Literal) and isinstance(main, ox.NamedNode):
            kinds[key.value] = EventKind(iri, key.value, main, fields)
    return kinds


@dataclass(frozen=True)
class EventReader:
    """Reads the `do:` steps of one case. `case` is the IRI below which events and effects lie."""

    case: str
    base: KnowledgeBase
    players: dict[str, ox.NamedNode]

    def apply(self, do: Any, state: State, ends_identity: EndsIdentity) -> State:
        """Return the state after the step `do`; `ends_identity` asks the rules whether a move makes a new object.

        Raises:
            CaseError: C103 wrong shape, C104 an unknown event, key, object, zone, type, ability or player.
        """
        if not isinstance(do, Mapping):
            raise CaseError("C103", "'do' holds one event, such as {move: x, to: ZONE}", place=getattr(do, "place", lambda: None)())
        time = state.time + 1
        if "refer to" in do:
            return self._refer(do, state)
        kind = self._kind(do)
        event = ox.NamedNode(f"{self.case}/event/{time}")
        values = self._values(kind, do, state)
        facts = [ox.Triple(event, TYPE, kind.iri)]
        facts += [ox.Triple(event, prop, value) for prop, found in values.items() for value in found]
        after = replace(state, time=time, event=tuple(facts))
        target = self._target(values, state, do, kind)
        if core("movesTo") in values:
            return self._move(target, values[core("movesTo")][0], after, do, ends_identity)
        after = self._statuses(kind, target, after, do)
        lasting = {prop: found for prop, found in values.items() if prop in _LASTING}
        return self._begin(lasting, values, target, after) if lasting else after

    def _kind(self, do: Mapping) -> EventKind:
        kinds = event_kinds(self.base.vocabulary)
        found = [key for key in do if key in kinds]
        if len(found) == 1:
            return kinds[found[0]]
        first = next(iter(do), "")
        known = (*kinds, "refer to")
        raise CaseError("C104", f"unknown event '{first}'", place=do.place(first), suggestions=close_to(first, known), hint=f"events: {', '.join(sorted(known))}")

    def _values(self, kind: EventKind, do: Mapping, state: State) -> dict[ox.NamedNode, list[ox.NamedNode]]:
        statuses = status_fields(self.base.vocabulary) if kind.iri == core("Move") else {}
        known = (kind.key, *kind.parameters, *statuses, "controller", "note")
        for key in do:
            if key not in known:
                raise CaseError("C104", f"unknown key '{key}' in '{kind.key}'", place=do.place(key), suggestions=close_to(key, known), hint=f"keys: {', '.join(known)}")
        values = {kind.main: [self._value(kind.main, kind.key, do, kind, state)]}
        for key, prop in kind.parameters.items():
            if key in do:
                values[prop] = [self._value(prop, key, do, kind, state)]
            elif prop == core("copiesAbility"):
                values[prop] = self._all_abilities(do, kind, state)
            elif prop in _NEEDED:
                raise CaseError("C103", f"'{kind.key}' needs '{key}'", place=do.place(kind.key))
        return values

    def _all_abilities(self, do: Mapping, kind: EventKind, state: State) -> list[ox.NamedNode]:
        source = self._object(do, kind.key, state)
        abilities = [iri for _, iri in self._abilities(source)]
        if not abilities:
            raise CaseError("C104", f"'{source.piece}' has no ability to copy", place=do.place(kind.key))
        return abilities

    def _value(self, prop: ox.NamedNode, key: str, do: Mapping, kind: EventKind, state: State) -> ox.NamedNode:
        vocabulary = self.base.vocabulary
        text = do[key]
        kinds = {getattr(one, "value", "") for one in vocabulary.objects(prop, _RANGE)}
        if core("Zone").value in kinds:
            return find_zone(str(text), vocabulary, do, key)
        if core("Ability").value in kinds:
            source = self._object(do, kind.key, state)
            found = dict(self._abilities(source))
            if str(text) not in found:
                raise CaseError("C104", f"'{source.piece}' has no ability '{text}'", place=do.place(key), suggestions=close_to(str(text), found), hint=f"abilities: {', '.join(found) or 'none'}")
            return found[str(text)]
        if core("CardType").value in kinds:
            return vocabulary._find(str(text), core("CardType"), do.place(key), "card type", CaseError, "C104")
        return self._object(do, key, state).iri

    def _object(self, do: Mapping, key: str, state: State) -> Object:
        found = state.find(str(do[key]))
        if found is None:
            raise CaseError("C104", f"unknown object '{do[key]}'", place=do.place(key), suggestions=close_to(str(do[key]), [one.piece for one in state.current]), hint="objects are given ids under given:")
        return found

    def _abilities(self, source: Object) -> list[tuple[str, ox.NamedNode]]:
        graph = self.base.base[-1]
        quads = self.base.store.quads_for_pattern(source.card, core("hasAbility"), None, graph)
        return sorted((quad.object.value.rsplit("/", 1)[1], quad.object) for quad in quads if isinstance(quad.object, ox.NamedNode))

    def _target(self, values: dict[ox.NamedNode, list[ox.NamedNode]], state: State, do: Mapping, kind: EventKind) -> Object:
        for prop in (core("moves"), core("affects")):
            for iri in values.get(prop, ()):
                return next(one for one in state.current if one.iri == iri)
        raise CaseError("C103", f"'{kind.key}' names no object", place=do.place(kind.key))

    def _move(self, one: Object, zone: ox.NamedNode, after: State, do: Mapping, ends_identity: EndsIdentity) -> State:
        after = replace(after, event=(*after.event, ox.Triple(after.event[0].subject, core("movesFrom"), one.zone)))
        if ends_identity(after):
            stays = sum(1 for other in after.objects if other.piece == one.piece)
            stem = one.iri.value.rsplit("/", 1)[0]
            new = Object(ox.NamedNode(f"{stem}/{stays + 1}"), one.piece, one.card, zone, (zone,), one.controller, one.owner, earlier=one.iri)
            ended = after.replacing(replace(one, current=False))
            after = replace(ended, objects=(*ended.objects, new))
        else:
            new = replace(one, zone=zone, been_in=(*one.been_in, zone))
        if "controller" in do:
            new = replace(new, controller=find_player(do["controller"], self.players, do, "controller"))
        return after.replacing(apply_statuses(new, do, self.base.vocabulary, self.base.language.code))

    def _statuses(self, kind: EventKind, one: Object, after: State, do: Mapping) -> State:
        vocabulary = self.base.vocabulary
        kinds = {kind.iri, *vocabulary.objects(kind.iri, SUBCLASS)}
        for annotation, value in (("isSetBy", True), ("isClearedBy", False)):
            for status, event in vocabulary.pairs(core(annotation)):
                if event in kinds:
                    one = one.with_status(status, value)
        if core("LoseControl") in kinds:
            one = replace(one, controller=None)
        if "controller" in do:
            one = replace(one, controller=find_player(do["controller"], self.players, do, "controller"))
        return after.replacing(one)

    def _begin(self, lasting: dict[ox.NamedNode, list[ox.NamedNode]], values: dict[ox.NamedNode, list[ox.NamedNode]], one: Object, after: State) -> State:
        effect = ox.NamedNode(f"{self.case}/effect/{after.time}")
        facts = [
            ox.Triple(effect, TYPE, core("Effect")),
            ox.Triple(effect, core("affects"), one.iri),
            ox.Triple(effect, core("timestamp"), integer(after.time)),
        ]
        facts += [ox.Triple(effect, prop, value) for prop, found in lasting.items() for value in found]
        for source in values.get(core("copiedFrom"), ()):
            original = next(other for other in after.objects if other.iri == source)
            facts += [ox.Triple(effect, core("copiedFrom"), source), ox.Triple(effect, core("copiedFromCard"), original.card)]
        return replace(after, effects=(*after.effects, Effect(effect, tuple(facts))))

    def _refer(self, do: Mapping, state: State) -> State:
        for key in do:
            if key not in ("refer to", "as"):
                raise CaseError("C104", f"unknown key '{key}' in 'refer to'", place=do.place(key), hint="keys: refer to, as")
        one = self._object(do, "refer to", state)
        name = str(do.get("as", do["refer to"]))
        kept = tuple(pair for pair in state.remembered if pair[0] != name)
        return replace(state, time=state.time + 1, event=(), remembered=(*kept, (name, one.iri)))
