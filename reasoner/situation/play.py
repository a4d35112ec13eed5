"""Playing a situation through: one moment after each event, with what the rules make of it.

Each moment has a graph of its own (the state as facts) and, per branch, one with the conclusions.
"""

from __future__ import annotations

from collections.abc import Mapping as Map
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from reasoner.engine.inference import Inference, discard, infer, signatures
from reasoner.engine.memo import Memo
from reasoner.errors import CaseError, Place, RuleError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.cards import CardFacts, add_card
from reasoner.knowledge.words import name_entries
from reasoner.knowledge.yamlfile import Mapping, Sequence
from reasoner.language.lexicon import Lexicon
from reasoner.reference.evaluate import View
from reasoner.reference.interpret import Surroundings
from reasoner.situation.changes import Changes
from reasoner.situation.events import EventReader
from reasoner.situation.given import read_given, stated_in
from reasoner.situation.scopes import Scopes
from reasoner.situation.state import Object, State
from reasoner.terms.namespaces import core, game_base, graph


@dataclass(frozen=True)
class Moment:
    """The state after `number` events, the graph that holds it, and the conclusions drawn from it.

    `stated` is where the facts of the state were stated.
    """

    number: int
    state: State
    graph: ox.NamedNode
    inference: Inference
    surroundings: tuple[Surroundings, ...]
    views: tuple[View, ...]
    stated: Map[ox.Triple, Place]

    @property
    def objects(self) -> tuple[Object, ...]:
        """The objects that are there, by id."""
        return tuple(sorted(self.state.current, key=lambda one: one.piece))


class Play:
    """A situation that goes on event by event. It owns its store; the knowledge base is only read.

    `base` is that knowledge base, with the names of the cards that the situation itself defines among its words.
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
        state, self.players = read_given(given, self.case, base, self._extra)
        reader = EventReader(self.case, base, self.store)
        self._changes = Changes(base, reader, self.players, self._ends_identity)
        self.moments = [self._moment(state, 0, given, stated_in(given, state, base.vocabulary))]

    @property
    def now(self) -> Moment:
        """The latest moment."""
        return self.moments[-1]

    def do(self, event: Any) -> Moment:
        """Let `event` (the mapping of a `do:` step) happen and return the moment after it.

        Raises:
            CaseError: see Changes.apply.
        """
        state = self._changes.apply(event, self.now.state)
        before = self.now.stated
        stated = {fact: before.get(fact, event.place()) for fact in state.triples()}
        moment = self._moment(state, len(self.moments), event, stated)
        self.moments.append(moment)
        return moment

    def _ends_identity(self, state: State) -> bool:
        """Return whether the rules say that the move in `state.event` ends the stay of what it moves."""
        scratch = ox.NamedNode(f"{self.case}/graph/event")
        conclusions = ox.NamedNode(f"{self.case}/graph/event/conclusions")
        self.store.extend(ox.Quad(t.subject, t.predicate, t.object, scratch) for t in state.event)
        try:
            found = infer(
                self.store,
                [*self.base.base, scratch],
                self._present | signatures(state.event),
                self.base.programs.identity,
                conclusions,
            )
        finally:
            discard(self.store, scratch)
        return any(fact.predicate == core("endsIdentityOf") for branch in found.branches for fact in branch.supports)

    def _moment(self, state: State, number: int, written: Mapping, stated: Map[ox.Triple, Place]) -> Moment:
        name = graph(self.base.game, *self._graph, str(number))
        triples = state.triples()
        self.store.extend(ox.Quad(t.subject, t.predicate, t.object, name) for t in triples)
        graphs = (*self.base.base, name)
        present = self._present | signatures(triples)
        scopes = Scopes(self.base, self.store, graphs, name, tuple(one.iri for one in state.current), self._memo)
        target = ox.NamedNode(f"{name.value}/inferred")
        try:
            inference = infer(self.store, graphs, present, self.base.programs.state, target, scopes, self._memo)
        except RuleError as error:
            raise error.located(written.place()) from None
        surroundings = tuple(
            Surroundings(self.store, (*graphs, branch.graph), frozenset(branch.present), self._memo)
            for branch in inference.branches
        )
        views = tuple(
            View(self.store, (name, branch.graph), self.base.vocabulary, is_pool=False) for branch in inference.branches
        )
        return Moment(number, state, name, inference, surroundings, views, stated)

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
            assert isinstance(card, Mapping)
            names[str(card["id"])] = iri
            names.setdefault(str(card["name"]), iri)
        called = name_entries(str(card["name"]) for card in cards)
        places = {**self.base.places, **facts.places}
        self.base = replace(self.base, lexicon=Lexicon([*self.base.lexicon.entries, *called]), places=places)
        name = self.base.base[-1]
        self.store.extend(ox.Quad(t.subject, t.predicate, t.object, name) for t in facts.triples)
        return names, frozenset(signatures(facts.triples))
