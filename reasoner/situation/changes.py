"""What an event does to the bookkeeping: it moves a card, sets a status, begins a lasting effect. No rule is here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyoxigraph as ox

from reasoner.effects.snapshot import Snapshot
from reasoner.errors import CaseError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.yamlfile import Mapping
from reasoner.situation.events import REFER, Event, EventReader
from reasoner.situation.given import apply_controller, apply_statuses, check_zone
from reasoner.situation.notes import apply_notes
from reasoner.situation.state import Effect, Entry, Object, State, Waiting, integer, object_facts
from reasoner.situation.turns import TRUE, Concluded, after_match_event, drawn, is_of_match, placed
from reasoner.terms.namespaces import TYPE, core

# The properties of an event that go on after it: as facts of an effect on the object.
LASTING = tuple(
    core(name) for name in ("setsCardType", "copiesAbility", "copiesReferent", "paysExtra", "choosesValue", "keepsOwn")
)
# What an effect notes of the object that it copies from: the card, since the object may be gone later.
_NOTED = {core("copiedFrom"): core("copiedFromCard"), core("copiesReferent"): core("copiesReferentCard")}
# (state after the event, known facts of what it happens to) to what the rules conclude of the event.
Consequences = Callable[[State, Sequence[ox.Triple]], tuple[ox.Triple, ...]]


@dataclass(frozen=True)
class Changes:
    """Turns the `do:` steps of a case into states; `consequences` asks the rules what an event does to an object.

    `snapshot` tells what is so at the moment before the event: what a copy takes over, and what an ability would do.
    """

    base: KnowledgeBase
    reader: EventReader
    players: dict[str, ox.NamedNode]
    consequences: Consequences
    snapshot: Snapshot

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
        if core("carriesOut") in event.values:
            return self._resolve(event, after)
        if is_of_match(event):
            return self._match_event(event, after)
        target = self._target(event, state)
        if target is not None:
            zone = event.first(core("movesTo"))
            if isinstance(zone, ox.NamedNode):
                after = replace(after, event=(*after.event, ox.Triple(event.iri, core("movesFrom"), target.zone)))
            concluded = self._concluded(after, object_facts(target))
            if (core("leavesAsIs"), target.iri) in concluded:
                return replace(after, event=(*after.event, ox.Triple(event.iri, core("leavesAsIs"), target.iri)))
            if isinstance(zone, ox.NamedNode):
                ends = (core("endsIdentityOf"), target.iri) in concluded
                after, target = self._move(target, zone, after, event, ends)
            else:
                after = self._statuses(event, target, after)
            after = self._faces(after, target, concluded, event)
        if any(core(choice) in event.values for choice in ("chosenType", "chosenName")):
            facts = (*event.facts, ox.Triple(event.iri, core("timestamp"), integer(after.time)))
            return replace(after, effects=(*after.effects, Effect(event.iri, facts)))
        return self._begin(event, target, after) if target is not None else after

    def _concluded(self, after: State, facts: Sequence[ox.Triple]) -> Concluded:
        return {(fact.predicate, fact.object) for fact in self.consequences(after, facts)}

    def _match_event(self, event: Event, after: State) -> State:
        concluded = self._concluded(after, replace(after, event=()).triples())
        after = after_match_event(event, after, concluded)
        found = drawn(event, after, concluded)
        if found is None:
            return after
        one, zone = found
        moved = (
            ox.Triple(event.iri, core("moves"), one.iri),
            ox.Triple(event.iri, core("movesTo"), zone),
            ox.Triple(event.iri, core("movesFrom"), one.zone),
            ox.Triple(event.iri, TYPE, core("Move")),
        )
        after = replace(after, event=(*after.event, *moved))
        ends = (core("endsIdentityOf"), one.iri) in self._concluded(after, object_facts(one))
        return self._move(one, zone, after, event, ends)[0]

    def _target(self, event: Event, state: State) -> Object | None:
        for prop in (core("moves"), core("affects")):
            iri = event.first(prop)
            if iri is not None:
                return next(one for one in state.current if one.iri == iri)
        return None

    def _move(self, one: Object, zone: ox.NamedNode, after: State, event: Event, ends: bool) -> tuple[State, Object]:
        if ends:
            stays = sum(1 for other in after.objects if other.piece == one.piece)
            iri = ox.NamedNode(f"{one.iri.value.rsplit('/', 1)[0]}/{stays + 1}")
            new = Object(iri, one.piece, one.card, zone, (zone,), owner=one.owner, earlier=one.iri)
            ended = after.replacing(replace(one, current=False))
            after = replace(ended, objects=(*ended.objects, new))
        else:
            new = replace(one, zone=zone, been_in=(*one.been_in, zone))
        new = apply_statuses(new, event.step, self.base.vocabulary, self.base.language.code)
        new = replace(self._controlled(new, event), since=(after.time, 0))
        if ends and after.match is not None:
            new = replace(new, entered=Entry(after.time, after.match.turn, new.controller))
        if zone in after.ordered:
            new = placed(new, event.first(core("movesToEnd")), after)
        return after.replacing(new), new

    def _faces(self, after: State, one: Object, concluded: Concluded, event: Event) -> State:
        """Return the state with the face up that rules, or else the step itself, say, and with what the step notes."""
        new = after.find(one.piece)
        assert new is not None
        for face in sorted((value for prop, value in concluded if prop == core("putsFaceUp")), key=str):
            if isinstance(face, ox.NamedNode):
                new = new.with_note(core("hasFaceUp"), face)
        return after.replacing(apply_notes(new, event.step, self.base, self.reader.store))

    def _statuses(self, event: Event, one: Object, after: State) -> State:
        for annotation, value in (("isSetBy", True), ("isClearedBy", False)):
            for status, kind in self.base.vocabulary.pairs(core(annotation)):
                if kind in event.kind.above:
                    if value:
                        check_zone(
                            one, status, event.kind.key, event.step, self.base.vocabulary, self.base.language.code
                        )
                    one = one.with_status(status, value)
                    if self.base.vocabulary.first(status, core("renewsTimestamp")) is not None:
                        one = replace(one, since=(after.time, 0))
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
                facts += self._copied(effect, original) if prop == core("copiesReferent") else []
        return replace(after, effects=(*after.effects, Effect(effect, tuple(dict.fromkeys(facts)))))

    def _copied(self, effect: ox.NamedNode, original: Object) -> list[ox.Triple]:
        """Return the record of what a copy takes over, in a game in which effects change what objects are."""
        values = self.snapshot.copied(original.iri)
        record = ox.NamedNode(f"{effect.value}/copied")
        facts = [ox.Triple(record, prop, value) for prop, value in values]
        return [ox.Triple(effect, core("copiesValuesOf"), record), *facts] if values else []

    def _resolve(self, event: Event, after: State) -> State:
        """Return the state in which what an ability changes has begun: to what and by how much is settled now."""
        bearer, ability = event.first(core("resolvesOn")), event.first(core("carriesOut"))
        assert isinstance(bearer, ox.NamedNode)
        assert isinstance(ability, ox.NamedNode)
        waiting = self._waiting(bearer, ability, after)
        if waiting is not None and after.match is not None:
            left = list(after.match.waiting)
            left.remove(waiting)
            resolves = ox.Triple(event.iri, core("resolvesAbility"), waiting.iri)
            after = replace(after, event=(*after.event, resolves), match=replace(after.match, waiting=tuple(left)))
            if (core("hasNoEffect"), TRUE) in self._concluded(after, self.snapshot.facts_about(waiting.iri)):
                return replace(after, event=(*after.event, ox.Triple(event.iri, core("hasNoEffect"), TRUE)))
        targets, changes = self.snapshot.carried_out(bearer, ability)
        effect = ox.NamedNode(event.iri.value.replace("/event/", "/effect/"))
        facts = [
            ox.Triple(effect, TYPE, core("Effect")),
            ox.Triple(effect, core("carriesOut"), ability),
            ox.Triple(effect, core("timestamp"), integer(after.time)),
            *(ox.Triple(effect, core("affects"), one) for one in event.values.get(core("affects"), targets)),
            *(ox.Triple(effect, prop, value) for prop, value in changes),
        ]
        controller = waiting.controller if waiting else self.snapshot.controller_of(bearer)
        if controller is not None and after.match is not None:
            facts += [ox.Triple(effect, core("isEffectFor"), controller), ox.Triple(effect, core("beganOn"), bearer)]
        return replace(after, effects=(*after.effects, Effect(effect, tuple(facts))))

    def _waiting(self, bearer: ox.NamedNode, ability: ox.NamedNode, after: State) -> Waiting | None:
        """Return the ability that has triggered on what a step names, or on an earlier stay of the same card."""
        piece = bearer.value.rsplit("/", 1)[0]
        waiting = after.match.waiting if after.match is not None else ()
        found = [one for one in waiting if one.ability == ability and one.bearer.value.rsplit("/", 1)[0] == piece]
        return next(iter(found), None)

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
