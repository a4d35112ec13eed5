"""The references in the texts of a card pool, with the sets of cards that they select."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from reasoner.cardtexts.collection import Collection
from reasoner.index.opening import PoolIndex
from reasoner.index.references import answers
from reasoner.reference.selector import Selector
from reasoner.reference.selectordata import reference_iri


@dataclass(frozen=True)
class PoolTexts:
    """What the texts of the cards of `index` speak of."""

    index: PoolIndex
    collection: Collection

    @cached_property
    def selectors(self) -> dict[str, Selector]:
        """What each reference selects, by its IRI."""
        return self.collection.selectors()

    @cached_property
    def words(self) -> dict[str, str]:
        """The same in plain English."""
        return self.collection.words()

    @cached_property
    def wordings(self) -> dict[str, list[tuple[str, str, int]]]:
        """The wordings of each reference, the commonest first: language, words, number of places."""
        found: dict[str, list[tuple[str, str, int]]] = {}
        for reference, language, wording, number in self.collection.wordings():
            found.setdefault(reference, []).append((language, wording, number))
        for several in found.values():
            several.sort(key=lambda one: (-one[2], one[0], one[1]))
        return found

    def usual(self, reference: str, language: str) -> str:
        """Return the commonest wording of a reference in a language, or in any that has it."""
        wordings = self.wordings[reference]
        return next((words for code, words, _ in wordings if code == language), wordings[0][1])

    def answers(self, selector: Selector) -> tuple[int, int]:
        """Return the cards for which the answer is yes, and those for which it is yes or when: see `answers`."""
        return answers(self.index, selector)

    def iri(self, selector: Selector) -> str:
        """Return the IRI of the reference that selects so, whether or not a text has it."""
        return reference_iri(self.index.base.game, selector)

    def number_of(self, card: str) -> int:
        """Return the number of a card in the index."""
        return self.index.cards.index(card)

    @cached_property
    def names(self) -> dict[str, str]:
        """What lists call the cards, by IRI."""
        return dict(zip(self.index.cards, self.index.names, strict=True))
