"""What every reference printed on the cards refers to: the answers behind queries, checks and interaction graphs."""

from __future__ import annotations

from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.errors import CardloreError, RuleError, TextError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.match import ReadingMatch, match
from reasoner.operations.scene import Scene, pool_scene
from reasoner.reference.mentiongraph import Context
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import core


@dataclass(frozen=True)
class PrintedReference:
    """A reference as a card file gives it."""

    iri: ox.NamedNode
    card: ox.NamedNode
    ability: ox.NamedNode
    wording: str
    relation: ox.NamedNode


@dataclass(frozen=True)
class Interpreted:
    """A printed reference with its readings; or with the error for which it can't be read."""

    reference: PrintedReference
    readings: tuple[ReadingMatch, ...]
    error: CardloreError | None = None


def printed_references(base: KnowledgeBase) -> tuple[PrintedReference, ...]:
    """Return all references of the pool, by IRI."""
    cards = base.base[-1]
    owner = {ability: card for card, ability in pairs(base.store, core("hasAbility"), cards)}
    wordings = dict(pairs(base.store, core("hasWording"), cards))
    relations = dict(pairs(base.store, core("hasRelation"), cards))
    found = []
    for reference, ability in pairs(base.store, core("isReferenceOf"), cards):
        relation = relations[reference]
        assert isinstance(ability, ox.NamedNode)
        assert isinstance(relation, ox.NamedNode)
        found.append(PrintedReference(reference, owner[ability], ability, wordings[reference].value, relation))
    return tuple(sorted(found, key=lambda one: one.iri.value))


def interpret_all(base: KnowledgeBase, scene: Scene | None = None) -> tuple[Interpreted, ...]:
    """Return every printed reference with what it refers to in the pool."""
    scene = scene or pool_scene(base)
    result = []
    for reference in printed_references(base):
        try:
            found = match(scene, reference.wording, Context(bearer=reference.card, ability=reference.ability))
            result.append(Interpreted(reference, found.readings))
        except (TextError, RuleError) as error:
            result.append(unread(reference, error, base))
    return tuple(result)


def unread(reference: PrintedReference, error: CardloreError, base: KnowledgeBase) -> Interpreted:
    """Return a reference that can't be read, with the error placed where the card file has it."""
    place = base.places.get(reference.iri.value)
    if isinstance(error, TextError):
        located: CardloreError = TextError(
            error.code,
            f"{error.message} in “{reference.wording}”",
            place=place,
            hint=error.hint,
            suggestions=error.suggestions,
        )
    else:
        located = error.located(place)
    return Interpreted(reference, (), located)
