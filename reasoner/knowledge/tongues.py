"""The languages in which the cards of a game are worded, each with the words of the game in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reasoner.errors import TextError
from reasoner.knowledge.words import name_entries
from reasoner.language.grammar import Language, read
from reasoner.language.lexicon import Lexicon
from reasoner.language.mention import Reading


@dataclass(frozen=True)
class Tongue:
    """A language with its own words and those of one game."""

    language: Language
    lexicon: Lexicon

    def with_names(self, names: Iterable[str]) -> Tongue:
        """Return the same with more card names."""
        return replace(self, lexicon=self.lexicon.extended(name_entries(names)))

    def likeness(self, text: str) -> int:
        """Return how many letters of `text` occur in words of this language: which tongue a text is meant in."""
        return sum(char in self._letters for char in text.casefold() if char.isalpha())

    @cached_property
    def _letters(self) -> frozenset[str]:
        words = (entry for entry in self.lexicon.entries if entry.name is None)
        return frozenset(char for entry in words for char in entry.lexeme if char.isalpha())


def read_in(tongues: Sequence[Tongue], text: str) -> tuple[Reading, ...]:
    """Return the readings of `text` in the first of `tongues` that can read it; each reading says in which.

    Raises:
        TextError: what the tongue whose letters fit the text best, the first of several, says against it.
        DataError: a language's grammar can't be read or is wrong.
    """
    refusals: list[TextError] = []
    for tongue in tongues:
        try:
            return read(text, tongue.lexicon, tongue.language)
        except TextError as refusal:
            refusals.append(refusal)
    best = max(range(len(refusals)), key=lambda at: (tongues[at].likeness(text), -at))
    raise refusals[best]
