"""Every error a user can meet: one base class, one code each, always with a place, a cause and a next step.

CardloreError                bad input or use (exit code 2)
├── UseError        U…       the command line or a call asks for something that does not exist
├── DataError       D…       a card, term or game file
├── OntologyError   O…       Turtle, terms, imports
├── RuleError       R…       a rule file, its header, its place among the strata
├── TextError       T…       a phrase that cannot be read
├── CaseError       C…       a case file or a situation
├── QueryError      Q…       SPARQL
└── Problems                 several of the above, found in one go

The codes are listed with their causes in docs/errors.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self


@dataclass(frozen=True, order=True)
class Place:
    """A position in a file: line and column count from 1; 0 means the whole file."""

    path: Path
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        text = _short(self.path)
        if self.line:
            text += f":{self.line}"
            if self.column:
                text += f":{self.column}"
        return text


class CardloreError(Exception):
    """A fault in what the user gave: `code`, `message`, and where known `place`, `hint`, `suggestions`.

    `about` names what the error is about where the place is not known yet: whoever knows it adds it with `located`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        place: Place | None = None,
        hint: str = "",
        suggestions: Sequence[str] = (),
        about: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place
        self.hint = hint
        self.suggestions = tuple(suggestions)
        self.about = about

    def __reduce__(self) -> tuple[object, ...]:
        told = {key: value for key, value in vars(self).items() if key not in ("code", "message")}
        return partial(type(self), **told), (self.code, self.message)

    def located(self, place: Place | None) -> Self:
        """Return the error itself, now with `place` unless it had one."""
        self.place = self.place or place
        return self

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        lines = [f"{self.code} {where}{self.message}"]
        if self.suggestions:
            lines.append("  did you mean " + " or ".join(f"'{s}'" for s in self.suggestions) + "?")
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, object]:
        """Return the error as plain data, for `--format json`."""
        return {
            "code": self.code,
            "message": self.message,
            "place": str(self.place) if self.place else None,
            "hint": self.hint or None,
            "suggestions": list(self.suggestions),
        }


class UseError(CardloreError):
    """The command line or a call asks for something that does not exist."""


class DataError(CardloreError):
    """A card, term or game file is wrong."""


class OntologyError(CardloreError):
    """A Turtle file, a term or an import is wrong."""


class RuleError(CardloreError):
    """A rule file, its header, or its place among the strata is wrong."""


class TextError(CardloreError):
    """A phrase cannot be read."""


class CaseError(CardloreError):
    """A case file or a situation is wrong."""


class QueryError(CardloreError):
    """A SPARQL query is wrong."""


class Problems(CardloreError):
    """Several errors found in one go; `errors` holds them in the order of their places."""

    def __init__(self, errors: Iterable[CardloreError]) -> None:
        self.errors = tuple(errors)
        first = self.errors[0]
        super().__init__(first.code, first.message, place=first.place, hint=first.hint, suggestions=first.suggestions)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)


def raise_all(errors: Sequence[CardloreError]) -> None:
    """Raise nothing for no error, the error itself for one, Problems for several.

    Raises:
        CardloreError: if `errors` is not empty.
    """
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise Problems(errors)


def close_to(word: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return up to `most` of `known` that look like `word`, best first: the "did you mean" of every error."""
    import difflib

    spelt: dict[str, str] = {}
    for candidate in sorted(set(known)):
        spelt.setdefault(candidate.casefold(), candidate)
    alike: dict[str, list[str]] = {}
    for folded, candidate in spelt.items():
        alike.setdefault(_unaccented(folded), []).append(candidate)
    hits = difflib.get_close_matches(_unaccented(word.casefold()), alike, n=most, cutoff=0.6)
    return tuple(candidate for hit in hits for candidate in alike[hit])[:most]


def _unaccented(word: str) -> str:
    """Return `word` without accents, as it is often typed."""
    import unicodedata

    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _short(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
