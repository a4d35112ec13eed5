"""What an event does to the bookkeeping: it moves a card, sets a status, begins a lasting effect. No rule is here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pyoxigraph as ox

from reasoner.errors import CaseError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.yamlfile import Mapping
from reasoner.situation.events import REFER, Event, EventReader
from reasoner.situation.given import apply_controller, apply_statuses, check_zone
from reasoner.situation.state import Effect, Object, State, integer
from reasoner.terms.namespaces import TYPE, core

# The properties of an event that go on after it: as facts of an effect on the object.
LASTING = tuple(core(name) for name in ("setsCardType", "copiesAbility", "copiesReferent", "paysExtra", "choosesValue"))
# What an effect notes of the object that it copies from: the card, since the object may be gone later.
_NOTED = {core("copiedFrom"): core("copiedFromCard"), core("copiesReferent"): core("copiesReferentCard")}
EndsIdentity = Callable[[State], bool]


@dataclass(frozen=True)
class Changes:
    """Turns the `do:` steps of a case into states; `ends_identity` asks the rules whether a move makes a new object."""

    base: KnowledgeBase
    reader: EventReader
    players: dict[str, ox.NamedNode]
    ends_identity: EndsIdentity

    def apply(self, do: Any, state: State) -> State:
        """Return the state after the step `do`.

        Raises:
            CaseError: C103 wrong shape, C104 something unknown, C106 a status that does not apply, C111 one that
                contradicts what else is said.
        """
        if not isinstance(do, Mapping):
            raise CaseError(
                "C103", "'do' holds one event, such as {move: x, to: ZONE}", place=getattr(do, "place", lambda: None)()
            )
        if REFER in do:
            return self._refer(do, state)
        event = self.reader.read(do, state)
        after = replace(state, time=state.time + 1, event=event.facts)
        target = self._target(event, state)
        zone = event.first(core("movesTo"))
        if target is not None and isinstance(zone, ox.NamedNode):
            after, target = self._move(target, zone, after, event)
        elif target is not None:
            after = self._statuses(event, target, after)
        if core("chosenType") in event.values:
            facts = (*event.facts, ox.Triple(event.iri, core("timestamp"), integer(after.time)))
            return replace(after, effects=(*after.effects, Effect(event.iri, facts)))
        return self._begin(event, target, after) if target is not None else after

    def _target(self, event: Event, state: State) -> Object | None:
        for prop in (core("moves"), core("affects")):
            iri = event.first(prop)
            if iri is not None:
                return next(one for one in state.current if one.iri == iri)
        return None

    def _move(self, one: Object, zone: ox.NamedNode, after: State, event: Event) -> tuple[State, Object]:
        after = replace(after, event=(*after.event, ox.Triple(event.iri, core("movesFrom"), one.zone)))
        if self.ends_identity(after):
            stays = sum(1 for other in after.objects if other.piece == one.piece)
            iri = ox.NamedNode(f"{one.iri.value.rsplit('/', 1)[0]}/{stays + 1}")
            new = Object(iri, one.piece, one.card, zone, (zone,), owner=one.owner, earlier=one.iri)
            ended = after.replacing(replace(one, current=False))
            after = replace(ended, objects=(*ended.objects, new))
        else:
            new = replace(one, zone=zone, been_in=(*one.been_in, zone))
        new = apply_statuses(new, event.step, self.base.vocabulary, self.base.language.code)
        new = self._controlled(new, event)
        return after.replacing(new), new

    def _statuses(self, event: Event, one: Object, after: State) -> State:
        for annotation, value in (("isSetBy", True), ("isClearedBy", False)):
            for status, kind in self.base.vocabulary.pairs(core(annotation)):
                if kind in event.kind.above:
                    if value:
                        check_zone(
                            one, status, event.kind.key, event.step, self.base.vocabulary, self.base.language.code
                        )
                    one = one.with_status(status, value)
        if {core("GainControl"), core("LoseControl")} & event.kind.above:
            one = replace(one, controller=None)  # whoever it was
        return after.replacing(self._controlled(one, event))

    def _controlled(self, one: Object, event: Event) -> Object:
        return apply_controller(one, event.step, self.players, self.base.vocabulary, self.base.language.code)

    def _begin(self, event: Event, one: Object, after: State) -> State:
        lasting = [(prop, value) for prop in LASTING for value in event.values.get(prop, ())]
        if not lasting:
            return after
        effect = ox.NamedNode(event.iri.value.replace("/event/", "/effect/"))
        facts = [
            ox.Triple(effect, TYPE, core("Effect")),
            ox.Triple(effect, core("affects"), one.iri),
            ox.Triple(effect, core("timestamp"), integer(after.time)),
            *(ox.Triple(effect, prop, value) for prop, value in lasting),
        ]
        for prop, noted in _NOTED.items():
            source = event.first(prop)
            original = next((other for other in after.objects if other.iri == source), None)
            if original is not None:
                facts += [ox.Triple(effect, prop, original.iri), ox.Triple(effect, noted, original.card)]
        return replace(after, effects=(*after.effects, Effect(effect, tuple(dict.fromkeys(facts)))))

    def _refer(self, do: Mapping, state: State) -> State:
        for key in do:
            if key not in (REFER, "as"):
                raise CaseError(
                    "C104", f"unknown key '{key}' in '{REFER}'", place=do.place(key), hint=f"keys: {REFER}, as"
                )
        one = self.reader.find(do, REFER, state)
        name = str(do.get("as", do[REFER]))
        kept = tuple(pair for pair in state.remembered if pair[0] != name)
        return replace(state, time=state.time + 1, event=(), remembered=(*kept, (name, one.iri)))
