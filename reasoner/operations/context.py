"""Where a text stands: who bears it, which ability it belongs to, and which object it spoke of before."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from reasoner.errors import TextError, UseError, close_to
from reasoner.language.mention import Word
from reasoner.operations.scene import Referent, Scene
from reasoner.reference.mentiongraph import Context
from reasoner.terms.lookup import subjects, values
from reasoner.terms.namespaces import core

# Of each mention of a reading, what the eye sees of its words, endings left out.
Look = tuple[tuple[tuple[object, ...], ...], ...]


def context_in(scene: Scene, text: str, on: str | None = None, antecedent: str | None = None) -> Context:
    """Return the context of a `text` that stands `on` a card or object and points back at `antecedent`.

    The text is linked to the ability of its bearer, copied or printed, that has a reference read in the same way.

    Raises:
        UseError: U104 an unknown card, object or antecedent; U108 an antecedent, but no situation.
    """
    spoken = None if antecedent is None else antecedent_in(scene, antecedent)
    if on is None:
        return Context(antecedent=spoken)
    bearer = scene.called(on)
    return Context(bearer.iri, _ability_with(text, bearer, scene), spoken)


def antecedent_in(scene: Scene, name: str) -> ox.NamedNode:
    """Return what a text points back at: what was referred to as `name`, or else the object with this id.

    Raises:
        UseError: U104 if there is neither; U108 if the scene is no moment of a situation.
    """
    if scene.moment is None:
        raise UseError(
            "U108", "--antecedent needs --situation", hint="only an object of a situation can have been spoken of"
        )
    state = scene.moment.state
    known = {**{one.piece: one.iri for one in state.current}, **dict(state.remembered)}
    if name not in known:
        raise UseError(
            "U104",
            f"nothing was referred to as '{name}', and no object is called so",
            suggestions=close_to(name, known),
            hint="name an object, or say before in the case  do: {refer to: ID, as: NAME}",
        )
    return known[name]


def _ability_with(text: str, bearer: Referent, scene: Scene) -> ox.NamedNode | None:
    looks = _looks(text, scene)
    store, graph = scene.stages[0].surroundings.store, scene.base.base[-1]
    for ability in _abilities(bearer, scene):
        for reference in subjects(store, core("isReferenceOf"), ability, graph):
            for wording in values(store, reference, core("hasWording"), graph):
                if looks & _looks(wording.value, scene):
                    return ability
    return None


def _abilities(bearer: Referent, scene: Scene) -> Iterator[ox.NamedNode]:
    """Yield the abilities of `bearer`: those it has by copying, those it has at present, those of its card."""
    card = bearer.iri
    if scene.moment is not None:
        state = scene.moment.state
        card = next(one.card for one in state.current if one.iri == bearer.iri)
        for effect in state.effects:
            if any(fact.predicate == core("affects") and fact.object == bearer.iri for fact in effect.facts):
                for fact in effect.facts:
                    if fact.predicate == core("copiesAbility") and isinstance(fact.object, ox.NamedNode):
                        yield fact.object
    for stage in scene.stages:
        for fact in stage.view.facts_of(bearer.iri, core("bearsAbility").value):
            if isinstance(fact.object, ox.NamedNode):
                yield fact.object
    for ability in values(scene.stages[0].surroundings.store, card, core("hasAbility"), scene.base.base[-1]):
        if isinstance(ability, ox.NamedNode):
            yield ability


def _looks(text: str, scene: Scene) -> frozenset[Look]:
    """Return what is seen in each reading of `text`; nothing if it can't be read, which whoever asks for it reports."""
    try:
        readings = scene.base.read(text)
    except TextError:
        return frozenset()
    return frozenset(
        tuple(tuple(_seen(word) for word in mention.words) for mention in reading.alternatives) for reading in readings
    )


def _seen(word: Word) -> tuple[object, ...]:
    return (
        *(word.lexeme, word.letter_case, word.bold, word.name, word.can_denote),
        *(word.negated, word.denied, word.comparison, word.number, word.arguments, word.texts, word.numbers),
    )
