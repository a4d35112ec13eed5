"""A language, and a small lexicon of game words that stand in for a game's own labels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reasoner.language.grammar import Language, load_language, read
from reasoner.language.lexicon import Entry, Lexicon
from reasoner.language.mention import Reading, Word

TERM = "https://example.org/term/"

WORDS = {
    "TYPE": "Toronyszint Küldetés Építmény Akadálylap Akciólap Eseménylap Kalandozó Szövetséges csapda bestia",
    "CLASSIFIER": "HARCOS Harcos harcos Lovag Gladiátor Fejvadász Bajvívó Barbár nemes",
    "STATUS": "irányított rejtett",
    "ZONE": "Jelen Kéz Múlt Mélység Jövő Cserepakli",
}
NAMES = (
    "A Sötét Térítő",
    "Airun al Marem",
    "Gladiátor",
    "Héroszok csarnoka",
    "Küdügin",
    "Leples asszony",
    "Organ Rion",
    "Rion",
    "Rutilicus",
    "Vér-eskü",
    "Kard, amely dalol",
)
QUANTITIES = ("szint", "életerő", "idézési költség", "alap idézési költség")
SHORT = {
    "TYPE": "t",
    "CLASSIFIER": "c",
    "NAME": "n",
    "STATUS": "s",
    "ZONE": "z",
    "CARDWORD": "w",
    "SAME": "same",
    "OTHER": "other",
    "DET": "d",
    "ONE": "d",
    "BOUND": "d",
    "QUANTITY": "q",
    "ARTICLE": "a",
    "NUM": "#",
}


@pytest.fixture(scope="session")
def folder() -> Path:
    """The data of the language under test."""
    return Path(__file__).resolve().parents[2] / "data" / "languages" / "hu"


@pytest.fixture(scope="session")
def language(folder: Path) -> Language:
    """Hungarian."""
    return load_language(folder)


@pytest.fixture(scope="session")
def lexicon(language: Language) -> Lexicon:
    """The words of the language with those of a game."""
    entries = [
        Entry(spelling.casefold(), spelling, kind, (TERM + spelling,))
        for kind, words in WORDS.items()
        for spelling in words.split()
    ]
    entries.append(Entry("irányítatlan", "irányítatlan", "STATUS", (TERM + "irányított",), denied=True))
    entries += [Entry(name.casefold(), name, "NAME", name=name) for name in NAMES]
    entries += [Entry(word, word, "QUANTITY", (TERM + word.replace(" ", "_"),)) for word in QUANTITIES]
    return Lexicon([*language.entries, *entries])


@pytest.fixture(scope="session")
def readings(lexicon: Lexicon, language: Language) -> Callable[[str], tuple[Reading, ...]]:
    """The function under test, for this lexicon."""
    return lambda text: read(text, lexicon, language)


@pytest.fixture(scope="session")
def show() -> Callable[[Reading], str]:
    """A reading in one line: `word/class`, `*` for the head, `!` negated, `~` denied, `**` bold, `_` for a space.

    A word that compares has the comparison, the number and its base form in place of its class.
    """

    def word(one: Word) -> str:
        flags = "!" * one.negated + "~" * one.denied
        spelling = one.spelling.replace(" ", "_")
        if one.comparison is not None:
            lexeme = one.lexeme.replace(" ", "_")
            return f"{flags}{spelling}/{one.comparison}:{one.number}:{lexeme}{'*' * one.is_head}"
        return f"{flags}{f'**{spelling}**' if one.bold else spelling}/{SHORT[one.grammar_class]}{'*' * one.is_head}"

    return lambda reading: " | ".join(" ".join(map(word, mention.words)) for mention in reading.alternatives)
