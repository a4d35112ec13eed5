"""What a language does to its words: forms with endings, and the words that a form may belong to.

Languages differ in how endings come about, so there are several kinds; `reasoner.language.datafiles` makes the one that
the endings file of a language names. Whatever the kind, `stems` is the inverse of `inflect`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

BARE: Final = "nominative"
ADJECTIVE: Final = "adjective"
GENITIVE: Final = "genitive"


@dataclass(frozen=True)
class Stem:
    """An analysis of a form: it is `text` (letter case as typed) with the ending `case`, in the plural or not."""

    text: str
    case: str
    plural: bool


class Morphology(Protocol):
    """The endings of a language."""

    def inflect(self, word: str, case: str = BARE, *, plural: bool = False) -> tuple[str, ...]:
        """Return the forms of `word` with the ending `case`, the usual one first."""

    def stems(self, form: str) -> tuple[Stem, ...]:
        """Return every word that `form` may be an inflected form of; the bare form is not among them."""

    def adjective_stems(self, form: str) -> tuple[Stem, ...]:
        """Return every word of which `form` may be the adjective."""

    def after_hyphen(self, word: str, ending: str) -> tuple[str, ...]:
        """Return the endings, by name, that `ending` may be where a hyphen or a mark joins it to unchanged `word`."""

    def guesses(self, form: str) -> tuple[tuple[str, str, bool], ...]:
        """Return (word, case, plural) for each ending that `form` may have been meant to bear, shortest word first."""


@dataclass(frozen=True)
class Unchanging:
    """The endings of a language whose words have none."""

    def inflect(self, word: str, case: str = BARE, *, plural: bool = False) -> tuple[str, ...]:
        """Return `word`.

        Raises:
            KeyError: if a `case` or the plural is asked for.
        """
        if case != BARE or plural:
            raise KeyError(case)
        return (word,)

    def stems(self, form: str) -> tuple[Stem, ...]:
        """Return nothing: no form is inflected."""
        return ()

    def adjective_stems(self, form: str) -> tuple[Stem, ...]:
        """Return nothing."""
        return ()

    def after_hyphen(self, word: str, ending: str) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def guesses(self, form: str) -> tuple[tuple[str, str, bool], ...]:
        """Return nothing."""
        return ()


@dataclass(frozen=True)
class Rewriting:
    """One way to join an ending: after a word that ends as the pattern `after`, `cut` goes and `add` comes."""

    after: str
    cut: str
    add: str

    def applied(self, word: str) -> str | None:
        """Return `word` with the ending, None where this way does not fit."""
        fits = word.endswith(self.cut) and re.search(f"(?:{self.after})$", word)
        return word[: len(word) - len(self.cut)] + self.add if fits else None

    def undone(self, form: str) -> str | None:
        """Return the word of which `form` is the form, None where there is none."""
        if not form.endswith(self.add) or len(form) == len(self.add):
            return None
        word = form[: len(form) - len(self.add)] + self.cut
        return word if self.applied(word) == form else None


@dataclass(frozen=True)
class Suffixes:
    """The endings of a language whose words take them by rewriting their last letters.

    `plural` are the ways to make the plural: the first that fits makes the usual form, a later one another that occurs.
    `irregular` gives the plurals of words that have their own, by the end of the word ("wolf" also of "werewolf").
    `possessive` are the endings of the genitive.
    """

    plural: tuple[Rewriting, ...]
    irregular: Mapping[str, tuple[str, ...]]
    possessive: tuple[Rewriting, ...] = ()

    def inflect(self, word: str, case: str = BARE, *, plural: bool = False) -> tuple[str, ...]:
        """Return the forms of `word`, the usual one first; endings are in small letters.

        Raises:
            KeyError: if there is no ending of that name.
        """
        if case not in (BARE, GENITIVE):
            raise KeyError(case)
        forms = self._plurals(word) if plural else (word,)
        if case == BARE:
            return forms
        owned = [made for form in forms for way in self.possessive if (made := way.applied(form)) is not None]
        return tuple(dict.fromkeys(owned))

    def stems(self, form: str) -> tuple[Stem, ...]:
        """Return every word that `form` may be an inflected form of; the bare form is not among them."""
        folded = form.lower()
        if len(folded) != len(form):  # letters of other scripts may grow: no place in the form is sure any more
            return ()
        found: dict[Stem, None] = {}
        for word in self._singulars(folded):
            found[Stem(lettered(word, form), BARE, True)] = None
        for way in self.possessive:
            owner = way.undone(folded)
            if owner is not None:
                found[Stem(lettered(owner, form), GENITIVE, False)] = None
                for word in self._singulars(owner):
                    found[Stem(lettered(word, form), GENITIVE, True)] = None
        return tuple(found)

    def adjective_stems(self, form: str) -> tuple[Stem, ...]:
        """Return nothing: no adjective is made with an ending."""
        return ()

    def after_hyphen(self, word: str, ending: str) -> tuple[str, ...]:
        """Return nothing: no ending is joined so."""
        return ()

    def guesses(self, form: str) -> tuple[tuple[str, str, bool], ...]:
        """Return (word, case, plural) for each ending that `form` may have been meant to bear, shortest word first.

        Any way of making the plural counts, whether or not it fits the word: this explains misspelt forms.
        """
        folded = form.lower()
        cut = {
            folded[: len(folded) - len(way.add)] + way.cut
            for way in self.plural
            if way.add and folded.endswith(way.add) and len(folded) > len(way.add)
        }
        return tuple(sorted(((word, BARE, True) for word in cut), key=lambda one: (len(one[0]), one)))

    def _plurals(self, word: str) -> tuple[str, ...]:
        end = self._irregular_end(word.lower())
        if end:
            return tuple(lettered(word.lower()[: -len(end)] + plural, word) for plural in self.irregular[end])
        made = [form for way in self.plural if (form := way.applied(word.lower())) is not None]
        return tuple(dict.fromkeys(lettered(form, word) for form in made))

    def _singulars(self, form: str) -> list[str]:
        found: dict[str, None] = {}
        for plural, end in self._irregular_plurals:
            if form.endswith(plural):
                found[form[: len(form) - len(plural)] + end] = None
        for way in self.plural:
            word = way.undone(form)
            if word is not None:
                found[word] = None
        return [word for word in found if word != form and form in self._plurals(word)]

    def _irregular_end(self, word: str) -> str:
        return next((word[at:] for at in range(len(word)) if word[at:] in self.irregular), "")

    @cached_property
    def _irregular_plurals(self) -> tuple[tuple[str, str], ...]:
        return tuple((plural, end) for end, plurals in self.irregular.items() for plural in plurals)


def lettered(word: str, form: str) -> str:
    """Return `word` with the letter case of `form`, place by place, and beyond its end that of the whole form."""
    capitals = form.isupper() and len(form) > 1
    return "".join(
        char.upper() if (form[i].isupper() if i < len(form) else capitals) else char for i, char in enumerate(word)
    )
