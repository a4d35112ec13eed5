"""What the eye sees in a piece of card text: words, mentions made of them, readings made of mentions.

Nothing here says what a word means: `can_denote` lists what it might stand for, and lettering is only recorded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

LetterCase: TypeAlias = Literal["AllCapitals", "Capitalised", "LowerCase", "Mixed"]
Comparison: TypeAlias = Literal["AtMost", "AtLeast", "MoreThan", "LessThan", "Exactly"]
COMPARISONS: Final[tuple[Comparison, ...]] = get_args(Comparison)


@dataclass(frozen=True)
class Word:
    """A word of a mention, or several that make up one name or term.

    `spelling` is the text as typed, ending included, marks of emphasis left out; `start` and `end` are its place in
    the normalised text (`reasoner.language.tokens.normalise`). `letter_case` is that of the stem as typed.
    `negated`: a negation stands before it. `denied`: the word itself says that what it denotes is absent.
    `comparison` and `number`: it compares the quantity that it can denote with a number, as all of "at most 3 …" does.
    `arguments` are what the parts of it can denote, as "you" in "you control"; `texts` are parts that count by their
    letters; `numbers` those of a word that joins two, as "2/2" does.
    """

    spelling: str
    lexeme: str
    letter_case: LetterCase
    bold: bool
    negated: bool
    grammar_class: str
    can_denote: tuple[str, ...]
    name: str | None
    is_head: bool
    start: int
    end: int
    denied: bool = False
    comparison: Comparison | None = None
    number: int | None = None
    arguments: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Mention:
    """One flat noun phrase: its words in the order of the text. Words that only join or negate are not among them."""

    words: tuple[Word, ...]

    @property
    def head(self) -> Word:
        """The word that the others qualify."""
        return next(word for word in self.words if word.is_head)


@dataclass(frozen=True)
class Reading:
    """One way to understand a text in a `language` (its code): what meets any of the `alternatives` is meant."""

    alternatives: tuple[Mention, ...]
    language: str = ""


def letter_case(stem: str) -> LetterCase:
    """Return how `stem` is written.

    All capitals takes at least two letters: a single capital is "Capitalised". In a stem of several words, each may
    begin with a capital. What has no upper or lower case (digits, signs) is "LowerCase": there is no capital to see.
    """
    letters = [char for char in stem if char.isupper() or char.islower() or char.istitle()]
    capitals = sum(not char.islower() for char in letters)
    if capitals == 0:
        return "LowerCase"
    if capitals == len(letters):
        return "AllCapitals" if capitals > 1 else "Capitalised"
    words = "".join(char if char.isalpha() else " " for char in stem).split()
    if not letters[0].islower() and all(char.islower() for word in words for char in word[1:] if char in letters):
        return "Capitalised"
    return "Mixed"
