"""Playing a situation through: one moment after each event, with what the rules make of it.

Each moment has a graph of its own (the state as facts) and, per branch, one with the conclusions.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as AbstractSequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from reasoner.effects.declared import declared
from reasoner.effects.following import Following
from reasoner.effects.informant import Effects, Kept
from reasoner.effects.snapshot import Snapshot
from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import Branch, Inference, Informant, discard, infer
from reasoner.engine.memo import Memo
from reasoner.errors import CaseError, Place, RuleError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.cardnames import card_names
from reasoner.knowledge.cards import CardFacts, add_card
from reasoner.knowledge.starting import as_starting, starts, staying_rules
from reasoner.knowledge.yamlfile import Mapping, Sequence
from reasoner.reference.evaluate import View
from reasoner.reference.interpret import Surroundings
from reasoner.situation.changes import Changes
from reasoner.situation.events import EventReader
from reasoner.situation.given import read_given, stated_in
from reasoner.situation.inplay import InPlay
from reasoner.situation.matchings import Matchings, seated
from reasoner.situation.scopes import Scopes, asked_about
from reasoner.situation.state import Object, State, Waiting
from reasoner.terms.namespaces import core, game_base, graph


@dataclass(frozen=True)
class Moment:
    """The state after `number` events, the graph that holds it, and the conclusions drawn from it.

    `stated` is where the facts of the state were stated; `outcomes` are the rules that said what came of the event
    before it, apart from those that made a new object of something.
    """

    number: int
    state: State
    graph: ox.NamedNode
    inference: Inference
    surroundings: tuple[Surroundings, ...]
    views: tuple[View, ...]
    stated: Map[ox.Triple, Place]
    outcomes: frozenset[str] = frozenset()

    @property
    def objects(self) -> tuple[Object, ...]:
        """The objects that are there, by id."""
        return tuple(sorted(self.state.current, key=lambda one: one.piece))


class Play:
    """A situation that goes on event by event. It owns its store; the knowledge base is only read.

    `base` is that knowledge base, with the names of the cards that the situation itself defines among its words;
    `event_rules` are the rules that have said what events do, so far.
    """

    def __init__(
        self,
        base: KnowledgeBase,
        name: str,
        given: Any,
        cards: Any = None,
        place: Place | None = None,
        store: ox.Store | None = None,
        memo: Memo | None = None,
    ) -> None:
        """Begin with the `given:` and `cards:` parts of a case called `name`.

        `store` is one that holds the graphs in `base.base` already and may be written to; without it one is made.
        `memo` is one that the same situation under another edition has filled.
        Raises:
            CaseError, DataError: whatever is wrong with them.
        """
        self.base = base
        self.store = ox.Store() if store is None else store
        if store is None:
            self.store.extend(base.base_quads)
        self.case = f"{game_base(base.game)}case/{quote(name, safe='')}"
        self._graph = ("case", quote(name, safe=""), "moment")
        self._extra, extra_present = self._read_cards(cards, place)
        self._present = base.present | extra_present
        self._memo = memo or Memo(frozenset(base.base))
        self._event_memo = Memo(frozenset(base.base))
        state, self.players = read_given(given, self.case, base, self._extra, self.store)
        self.event_rules: set[str] = set()
        self._outcomes: frozenset[str] = frozenset()
        reader = EventReader(self.case, base, self.store, self.players)
        self._changes = Changes(base, reader, self.players, self._consequences, Snapshot(self._effects))
        self._starts = starts(base.vocabulary)
        layered = declared(base.vocabulary)
        staying = staying_rules(base.programs.state)
        self._kept = Kept(Following(base, layered, self.store), staying) if layered else None
        self._asked = asked_about(base.programs.state.rules, layered.modifications if layered else ())
        self.moments: list[Moment] = []
        self.moments.append(self._moment(state, 0, given, stated_in(given, state, base.vocabulary)))

    @property
    def now(self) -> Moment:
        """The latest moment."""
        return self.moments[-1]

    def do(self, event: Any) -> Moment:
        """Let `event` (the mapping of a `do:` step) happen and return the moment after it.

        Raises:
            CaseError: see Changes.apply.
        """
        self._outcomes = frozenset()
        state = self._changes.apply(event, self._with_triggered(self.now))
        before = self.now.stated
        stated = {fact: before.get(fact, event.place()) for fact in state.triples()}
        moment = self._moment(state, len(self.moments), event, stated)
        while over := self._over(moment):
            # What lasts only as long as something is so is gone in the very moment in which that is so no longer.
            discard(self.store, moment.graph)
            state = replace(state, effects=tuple(one for one in state.effects if one.iri not in over))
            left = set(state.triples())
            kept = {fact: at for fact, at in stated.items() if fact in left}
            moment = self._moment(state, moment.number, event, kept)
        self.moments.append(moment)
        return moment

    def _over(self, moment: Moment) -> set[object]:
        """Return the effects of which rules conclude that they are over; the first branch counts."""
        supports = moment.inference.branches[0].supports
        found = moment.inference.branches[0].derived(core("isOver"))
        rules = frozenset(supports[fact].rule.id for fact in found)
        self.event_rules |= rules
        self._outcomes |= rules
        return {fact.subject for fact in found}

    def _with_triggered(self, moment: Moment) -> State:
        """Return the state of a moment with the abilities that have triggered in it among those that wait.

        Where rules disagree and nothing decides, the first branch counts.
        """
        state, branch = moment.state, moment.inference.branches[0]
        if state.match is None:
            return state
        triggered = [fact.object for fact in branch.derived(core("triggers"))]
        if not triggered:
            return state
        known: dict[object, dict[str, object]] = {}
        for fact in branch.supports:
            known.setdefault(fact.subject, {})[fact.predicate.value] = fact.object
        waiting = list(state.match.waiting)
        for one in triggered:
            if isinstance(one, ox.NamedNode):
                said = [known[one].get(core(name).value) for name in ("isAbility", "isAbilityOn", "isAbilityFor")]
                ability, bearer, controller = (each for each in said if isinstance(each, ox.NamedNode))
                waiting.append(Waiting(one, ability, bearer, controller))
        return replace(state, match=replace(state.match, waiting=tuple(waiting)))

    def _consequences(self, state: State, facts: AbstractSequence[ox.Triple]) -> tuple[ox.Triple, ...]:
        """Return what the rules conclude of the event in `state.event`; `facts` is what is known besides it."""
        scratch = ox.NamedNode(f"{self.case}/graph/event")
        conclusions = ox.NamedNode(f"{self.case}/graph/event/conclusions")
        known = [*state.event, *facts]
        self.store.extend(ox.Quad(t.subject, t.predicate, t.object, scratch) for t in known)
        try:
            found = infer(
                self.store,
                [*self.base.base, scratch],
                self._present | signatures(known),
                self.base.on_events,
                conclusions,
                memo=self._event_memo,
            )
        finally:
            discard(self.store, scratch)
        event = state.event[0].subject
        concluded = {
            fact: support
            for branch in found.branches
            for fact, support in branch.supports.items()
            if fact.subject == event
        }
        self.event_rules |= {support.rule.id for support in concluded.values()}
        self._outcomes = frozenset(
            support.rule.id for fact, support in concluded.items() if fact.predicate != core("endsIdentityOf")
        )
        return tuple(concluded)

    def _moment(self, state: State, number: int, written: Mapping, stated: Map[ox.Triple, Place]) -> Moment:
        name = graph(self.base.game, *self._graph, str(number))
        triples = [as_starting(fact, self._starts) for fact in state.triples()]
        self.store.extend(ox.Quad(t.subject, t.predicate, t.object, name) for t in triples)
        graphs = (*self.base.base, name)
        present = self._present | signatures(triples)
        objects = tuple(one.iri for one in state.current)
        informants: list[Informant] = []
        if self._kept is not None:
            informants.append(self._effects_at(name, triples, state, self._kept))
        informants.append(Scopes(self.base, self.store, graphs, name, objects, self._asked))
        informants += self._of_match(name, graphs, state)
        told = {as_starting(fact, self._starts): place for fact, place in stated.items()}
        target = ox.NamedNode(f"{name.value}/inferred")
        try:
            inference = infer(self.store, graphs, present, self.base.programs.state, target, informants, self._memo)
        except RuleError as error:
            raise error.located(written.place()) from None
        surroundings = tuple(
            Surroundings(self.store, (*graphs, branch.graph), frozenset(branch.present), branch.contents)
            for branch in inference.branches
        )
        views = tuple(
            View(self.store, (name, branch.graph), self.base.vocabulary, False, branch.contents)
            for branch in inference.branches
        )
        return Moment(number, state, name, inference, surroundings, views, told, self._outcomes)

    def _of_match(self, name: ox.NamedNode, graphs: tuple[ox.NamedNode, ...], state: State) -> Iterator[Informant]:
        """Yield what tells rules about players and abilities at a moment, in the order in which they wait for it."""
        if seated(self.base.vocabulary):
            objects = tuple(one.iri for one in state.current)
            yield Matchings(self.base, self.store, graphs, name, objects, tuple(self.players.values()))
        if state.match is not None:
            entries = [(one.iri, one.entered.moment) for one in state.objects if one.entered is not None]
            views = tuple(
                (one, self.moments[moment].views[0] if moment < len(self.moments) else None) for one, moment in entries
            )
            yield InPlay(self.base, self.store, graphs, name, state, views)

    def _effects_at(self, name: ox.NamedNode, triples: list[ox.Triple], state: State, kept: Kept) -> Effects:
        objects = tuple(one.iri for one in state.current)
        since = tuple(one.since for one in state.current)
        return Effects(self.base, self.store, name, triples, objects, since, kept)

    def _effects(self) -> tuple[Effects, Branch] | None:
        """Return the effects of the latest moment, and its first branch; None in a game without layers."""
        if self._kept is None:
            return None
        now = self.now
        triples = [as_starting(fact, self._starts) for fact in now.state.triples()]
        return self._effects_at(now.graph, triples, now.state, self._kept), now.inference.branches[0]

    def _read_cards(
        self, cards: Any, place: Place | None
    ) -> tuple[dict[str, ox.NamedNode], frozenset[tuple[str, str | None]]]:
        if cards is None:
            return {}, frozenset()
        if not isinstance(cards, Sequence):
            raise CaseError("C103", "'cards' is a list of cards as in a card file", place=place)
        facts = CardFacts()
        names: dict[str, ox.NamedNode] = {}
        for index, card in enumerate(cards):
            iri = add_card(card, cards.place(index), self.base.game, self.base.vocabulary, facts)
            if iri.value in self.base.card_names:
                raise CaseError("C105", f"the card id '{card['id']}' is taken by the pool", place=cards.place(index))
            names[str(card["id"])] = iri
        graph = self.base.base[-1]
        self.store.extend(ox.Quad(t.subject, t.predicate, t.object, graph) for t in facts.triples)
        own = {iri.value for iri in names.values()}
        for card, name in card_names(self.store, graph).items():
            if card in own:
                names.setdefault(name, ox.NamedNode(card))
        printed = [
            t.object.value
            for t in facts.triples
            if t.predicate == core("printedName") and isinstance(t.object, ox.Literal)
        ]
        self.base = replace(self.base.with_names(printed), places={**self.base.places, **facts.places})
        return names, frozenset(signatures(facts.triples))
