"""Small texts: a word or a card name, with and without the word for a card, borne by nobody or by some card.

Which words there are is the lexicon's, which cards bear a text follows from what the rules in question need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import pyoxigraph as ox

from reasoner.engine.pattern import Signature
from reasoner.errors import TextError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.language.mention import Reading
from reasoner.operations.checks.candidates import signatures_of
from reasoner.operations.interactions import PrintedReference, printed_references
from reasoner.reference.mentiongraph import NOWHERE, MentionGraph, describe
from reasoner.terms.namespaces import DOMAIN, core

MOST_NAMES = 2
_KINDS = ("Zone", "Status", "Quantity", "Classifier", "CardSubtype", "CardType")  # last first
_DENOTES, _CARD_WORD = core("canDenote").value, core("CardWord")
_BORNE = frozenset({(core("isOnReferent").value, None), (core("hasOwnCard").value, None)})
_IN_ABILITY = frozenset({(core("isInAbility").value, None)})


@dataclass(frozen=True)
class Phrase:
    """A wording with its readings, and what these state; `name` is the card name that stands in it alone."""

    wording: str
    readings: tuple[Reading, ...]
    gives: frozenset[Signature]
    name: str = ""


@dataclass(frozen=True)
class Text:
    """A phrase with the card that bears it and the ability that it stands in, if any."""

    phrase: Phrase
    bearer: ox.NamedNode | None = None
    ability: ox.NamedNode | None = None

    @property
    def gives(self) -> frozenset[Signature]:
        """What the text states, the card that bears it left out."""
        borne = self.phrase.gives | _BORNE if self.bearer else self.phrase.gives
        return borne | _IN_ABILITY if self.ability else borne


class Texts:
    """Makes texts for one game. `facts` is what each card prints; `cards` are those that stand for all."""

    def __init__(
        self,
        base: KnowledgeBase,
        facts: Mapping[ox.NamedNode, frozenset[Signature]],
        cards: tuple[ox.NamedNode, ...],
    ) -> None:
        self.base = base
        self.facts = facts
        self.cards = cards
        self._phrases: dict[str, Phrase | None] = {}

    @cached_property
    def predicates(self) -> frozenset[str]:
        """The predicates that only a text states, not a situation."""
        vocabulary = self.base.vocabulary
        found = {one for kind in ("Mention", "Word") for one in vocabulary.subjects(DOMAIN, core(kind))}
        return frozenset(one.value for one in (*found, core("hasHead")))

    def texts(self, needs: frozenset[Signature]) -> Iterator[Text]:
        """Yield the texts over the pool in which rules that need `needs` might all fire, smallest first."""
        phrases: dict[int, list[Phrase]] = {0: []}
        for size in (1, 2, 3):
            phrases[size] = list(self._worded(size, needs)) if size < 3 else []
            yield from (Text(one) for one in phrases[size] if needs <= one.gives)
            for phrase in phrases[size - 1]:
                for bearer in self._bearers(phrase, needs):
                    text = Text(phrase, bearer)
                    if needs <= text.gives | self.facts[bearer]:
                        yield text
        for text in self.printed(self.cards):
            if text.bearer is not None and needs <= text.gives | self.facts[text.bearer]:
                yield text

    def printed(self, cards: Iterable[ox.NamedNode]) -> Iterator[Text]:
        """Yield the references printed on `cards`, each on its card and in its ability."""
        for card in cards:
            for one in self._references.get(card, ()):
                phrase = self.phrase(one.wording)
                if phrase is not None:
                    yield Text(phrase, card, one.ability)

    def phrase(self, wording: str, name: str = "") -> Phrase | None:
        """Return `wording` as it is read, or None if it can't be."""
        if wording not in self._phrases:
            try:
                readings = self.base.read(wording)
            except TextError:
                readings = ()
            stated = [t for one in readings for t in describe(one, NOWHERE, self.base.iri).triples]
            self._phrases[wording] = Phrase(wording, readings, signatures_of(stated), name) if readings else None
        return self._phrases[wording]

    @cached_property
    def _references(self) -> dict[ox.NamedNode, list[PrintedReference]]:
        found: dict[ox.NamedNode, list[PrintedReference]] = {}
        for one in printed_references(self.base):
            found.setdefault(one.card, []).append(one)
        return found

    @cached_property
    def _words(self) -> tuple[tuple[str, str, frozenset[str]], ...]:
        """Each word as it is written, with the card name that it is and what it can denote."""
        instances = self.base.vocabulary.instances
        ranks = {one.value: rank for rank, kind in enumerate(_KINDS) for one in instances(core(kind))}
        entries = [one for one in self.base.lexicon.entries if any(iri in ranks for iri in one.denotes)]
        entries.sort(key=lambda one: -max(ranks.get(iri, 0) for iri in one.denotes))
        words = [(one.spelling, "", frozenset(f"<{iri}>" for iri in one.denotes)) for one in entries]
        names = list(dict.fromkeys(self.base.card_names[card.value] for card in self.cards))[:MOST_NAMES]
        marked = [(mark + name + mark, name, frozenset[str]()) for mark in ("", "**") for name in names]
        return (*words, *marked)

    def _worded(self, size: int, needs: frozenset[Signature]) -> Iterator[Phrase]:
        wanted = {value for predicate, value in needs if predicate == _DENOTES and value is not None}
        wanted -= {str(_CARD_WORD)} if size == 2 else set()
        for word, name, denotes in self._words:
            if wanted <= denotes or (name and not wanted):
                wordings = (word,) if size == 1 else (f"{word} {self._card_word}", f"{self._card_word} {word}")
                yield from [one for one in (self.phrase(wording, name) for wording in wordings) if one is not None][:1]

    @cached_property
    def _card_word(self) -> str:
        entries = (one for one in self.base.lexicon.entries if _CARD_WORD.value in one.denotes)
        return min((one.spelling for one in entries), key=lambda spelling: (len(spelling), spelling), default="")

    def _bearers(self, phrase: Phrase, needs: frozenset[Signature]) -> Iterator[ox.NamedNode]:
        """Yield the cards of the name in `phrase`, then those that print what is needed; one if nothing is."""
        own = [card for card in self.base.cards if self.base.card_names[card.value] == phrase.name]
        printed = frozenset(one for one in needs - phrase.gives if one[0] not in self.predicates)
        others = [card for card in self.cards if card not in own and printed <= self.facts[card] | _BORNE]
        yield from own
        yield from others if any(value is not None for _, value in printed) else others[:1]


def words_of(described: MentionGraph, text: str) -> dict[str, str]:
    """Return what to call the mentions and words of `text`, by IRI."""
    names = {}
    for node, _, words in described.mentions:
        names[node.value] = f"“{text}”"
        names.update({word_node.value: f"“{word.spelling}”" for word_node, word in words})
    return names
