"""A reading as triples: what the eye sees in a piece of card text, for the reference rules to interpret."""

from __future__ import annotations

from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.language.mention import Mention, Reading, Word
from reasoner.terms.namespaces import BASE, TYPE, XSD, core

_INTEGER = ox.NamedNode(XSD + "integer")
_TRUE = ox.Literal("true", datatype=ox.NamedNode(XSD + "boolean"))


@dataclass(frozen=True)
class Context:
    """Where a text stands: the card or object that bears it, the ability, and the object it spoke of before.

    `speaker` is the player who says a text that no card bears, or one that is gone.
    """

    bearer: ox.NamedNode | None = None
    ability: ox.NamedNode | None = None
    antecedent: ox.NamedNode | None = None
    speaker: ox.NamedNode | None = None


NOWHERE = Context()


@dataclass(frozen=True)
class MentionGraph:
    """The triples of a reading, and the nodes of its mentions and words, in the order of the text."""

    triples: tuple[ox.Triple, ...]
    mentions: tuple[tuple[ox.NamedNode, Mention, tuple[tuple[ox.NamedNode, Word], ...]], ...]


def describe(reading: Reading, context: Context, game: ox.NamedNode, first: int = 1) -> MentionGraph:
    """Return `reading` as triples in the core vocabulary, placed in `context`; mentions count from `first`."""
    triples: list[ox.Triple] = []
    mentions = []
    bearer = context.bearer
    if context.speaker is not None:
        # “You” is the player whose text it is: the bearer of what a player says is a voice that belongs to the player.
        bearer = bearer or voice_of(context.speaker)
        triples.append(ox.Triple(bearer, core("hasOwner"), context.speaker))
    for number, mention in enumerate(reading.alternatives, first):
        node = ox.NamedNode(f"{BASE}mention/{number}")
        triples += [ox.Triple(node, TYPE, core("Mention")), ox.Triple(node, core("isInGame"), game)]
        for value, predicate in (
            (bearer, "isOnReferent"),
            (context.ability, "isInAbility"),
            (context.antecedent, "hasAntecedent"),
        ):
            if value is not None:
                triples.append(ox.Triple(node, core(predicate), value))
        words = []
        for position, word in enumerate(mention.words, 1):
            word_node = ox.NamedNode(f"{node.value}/word/{position}")
            triples.append(ox.Triple(node, core("hasWord"), word_node))
            if word.is_head:
                triples.append(ox.Triple(node, core("hasHead"), word_node))
            triples += _word(word_node, word)
            words.append((word_node, word))
        mentions.append((node, mention, tuple(words)))
    return MentionGraph(tuple(triples), tuple(mentions))


def voice_of(player: ox.NamedNode) -> ox.NamedNode:
    """Return what bears the words of a player."""
    return ox.NamedNode(f"{player.value}/voice")


def _word(node: ox.NamedNode, word: Word) -> list[ox.Triple]:
    triples = [
        ox.Triple(node, TYPE, core("Word")),
        ox.Triple(node, core("spelling"), ox.Literal(word.spelling)),
        ox.Triple(node, core("lexeme"), ox.Literal(word.lexeme)),
    ]
    if word.letter_case != "Mixed":
        triples.append(ox.Triple(node, core("letterCase"), core(word.letter_case)))
    for flag, predicate in ((word.bold, "isBold"), (word.negated, "isNegated"), (word.denied, "denotesAbsence")):
        if flag:
            triples.append(ox.Triple(node, core(predicate), _TRUE))
    triples += [ox.Triple(node, core("canDenote"), ox.NamedNode(iri)) for iri in word.can_denote]
    if word.name is not None:
        triples.append(ox.Triple(node, core("spellsName"), ox.Literal(word.name)))
    if word.comparison is not None and word.number is not None:
        number = ox.Literal(str(word.number), datatype=_INTEGER)
        triples.append(ox.Triple(node, core("hasComparison"), core(word.comparison)))
        triples.append(ox.Triple(node, core("comparesWith"), number))
    triples += [ox.Triple(node, core("hasArgument"), ox.NamedNode(iri)) for iri in word.arguments]
    triples += [ox.Triple(node, core("hasArgumentText"), ox.Literal(text)) for text in word.texts]
    for value, predicate in zip(word.numbers, ("firstNumber", "secondNumber"), strict=False):
        triples.append(ox.Triple(node, core(predicate), ox.Literal(str(value), datatype=_INTEGER)))
    return triples
