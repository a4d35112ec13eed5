"""A scene: where a text is read and what it is matched against. Either the card pool or one moment of a situation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyoxigraph as ox

from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import Branch, discard, infer
from reasoner.errors import UseError, close_to
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.cardnames import card_names, printed_names
from reasoner.reference.evaluate import View
from reasoner.reference.interpret import Surroundings, pool_surroundings
from reasoner.reference.mentiongraph import voice_of
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import BASE, core

if TYPE_CHECKING:
    from reasoner.situation.play import Moment


@dataclass(frozen=True)
class Referent:
    """Something a reference may select: a card of the pool, or an object. `id` is how answers call it."""

    iri: ox.NamedNode
    id: str
    name: str


@dataclass(frozen=True)
class Stage:
    """One branch of the facts: how texts are read in it, what it says of referents, and how that was derived."""

    surroundings: Surroundings
    view: View
    branch: Branch | None


@dataclass(frozen=True)
class Scene:
    """The referents of a pool or a moment, and one stage per branch of what rules say of them.

    `names` is how proofs call cards, objects, players, effects and events, by IRI; `moment` is None for a pool.
    """

    base: KnowledgeBase
    referents: tuple[Referent, ...]
    stages: tuple[Stage, ...]
    names: Mapping[str, str]
    moment: Moment | None = None

    @property
    def is_pool(self) -> bool:
        return self.moment is None

    def find(self, iri: ox.NamedNode) -> Referent | None:
        """Return the referent with this IRI."""
        return next((one for one in self.referents if one.iri == iri), None)

    def called(self, who: str) -> Referent:
        """Return the card with the name or id `who`, or the object with this id, or else the player of this name.

        Raises:
            UseError: U104 if there is none, or if several cards are called so.
        """
        if self.is_pool:
            card = self.base.card(who)
            return next(one for one in self.referents if one.iri == card)
        for one in self.referents:
            if one.id == who:
                return one
        players = dict(self.moment.state.players) if self.moment is not None else {}
        if who in players:
            return Referent(players[who], who, who)
        ids = [*(one.id for one in self.referents), *players]
        raise UseError("U104", f"unknown object '{who}'", suggestions=close_to(who, ids), hint=_listing(ids))


def pool_scene(base: KnowledgeBase) -> Scene:
    """Return the scene of all cards, each standing for its copies."""
    around = pool_surroundings(base)
    referents = tuple(Referent(card, card.value.rsplit("/", 1)[1], base.card_names[card.value]) for card in base.cards)
    stages = tuple(
        Stage(around, View(base.store, (name,), base.vocabulary, is_pool=True), None) for name in base.pool_graphs
    )
    names = {**printed_names(base.store, base.base[-1]), **base.card_names}
    return Scene(base, referents, stages, names)


def moment_scene(base: KnowledgeBase, moment: Moment) -> Scene:
    """Return the scene of one moment: the objects that are there."""
    store = moment.surroundings[0].store
    graph = base.base[-1]
    names = {**printed_names(store, graph), **card_names(store, graph)}
    referents = tuple(Referent(one.iri, one.piece, names[one.card.value]) for one in moment.objects)
    stages = tuple(
        Stage(around, view, branch)
        for around, view, branch in zip(moment.surroundings, moment.views, moment.inference.branches, strict=True)
    )
    return Scene(base, referents, stages, {**names, **_abilities(names, store, base), **_names(moment, base)}, moment)


def _listing(ids: list[str]) -> str:
    return f"objects: {', '.join(ids)}" if ids else "the situation has no objects at this moment"


def _abilities(names: Mapping[str, str], store: ox.Store, base: KnowledgeBase) -> dict[str, str]:
    return {
        ability.value: f"“{ability.value.rsplit('/', 1)[1]}” of {names[card.value]}"
        for card, ability in pairs(store, core("hasAbility"), base.base[-1])
        if isinstance(ability, ox.NamedNode)
    }


def _names(moment: Moment, base: KnowledgeBase) -> dict[str, str]:
    found = {
        one.iri.value: one.piece if one.current else f"{one.piece} (an earlier stay)" for one in moment.state.objects
    }
    found |= {iri.value: name for name, iri in moment.state.players}
    found |= {voice_of(iri).value: f"what {name} says" for name, iri in moment.state.players}
    for branch in moment.inference.branches:
        for fact in branch.supports:
            if fact.predicate == core("isSeatFor") and isinstance(fact.subject, ox.NamedNode):
                player = fact.subject.value.rsplit("/", 2)[0]
                kind = base.vocabulary.label(fact.object, base.language.code)  # type: ignore[arg-type]
                found[fact.subject.value] = f"the {kind} seat of {found.get(player, 'a player')}"
            if fact.predicate == core("isAbility") and isinstance(fact.subject, ox.NamedNode):
                piece, _, ability = fact.subject.value.rpartition("/ability/")
                found[fact.subject.value] = f"“{ability}” of {found.get(piece, piece)}"
    if moment.state.match is not None:
        found[moment.state.match.iri.value] = "the match"
    for effect in moment.state.effects:
        found[effect.iri.value] = f"the effect begun by event {effect.iri.value.rsplit('/', 1)[1]}"
    for fact in moment.state.event:
        if isinstance(fact.subject, ox.NamedNode):
            found[fact.subject.value] = f"event {fact.subject.value.rsplit('/', 1)[1]}"
    return found


def explained(scene: Scene, cards: Iterable[ox.NamedNode]) -> Scene:
    """Return a pool scene in which the derivation of the facts about `cards` is known, for rules and proofs.

    The pool's facts are kept without their derivation; for the few cards an answer names it is cheap to redo.
    """
    if not scene.is_pool:
        return scene
    base = scene.base
    store = scene.stages[0].surroundings.store
    entry = ox.NamedNode(BASE + "graph/scratch/pool")
    target = ox.NamedNode(BASE + "graph/scratch/pool/inferred")
    triples = [ox.Triple(card, core("hasOwnCard"), card) for card in cards]
    discard(store, entry)
    store.extend(ox.Quad(t.subject, t.predicate, t.object, entry) for t in triples)
    present, memo = base.present | signatures(triples), scene.stages[0].surroundings.memo
    inference = infer(store, [*base.base, entry], present, base.programs.state, target, memo=memo)
    if len(inference.branches) != len(scene.stages):
        return scene
    stages = tuple(
        Stage(stage.surroundings, stage.view, branch)
        for stage, branch in zip(scene.stages, inference.branches, strict=True)
    )
    return replace(scene, stages=stages)
