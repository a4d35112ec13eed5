"""How a language writes abilities: data/languages/<language>/abilities.yaml, whatever the game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as Map
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasoner.errors import DataError
from reasoner.knowledge.yamlfile import Mapping, read_yaml

FILE = "abilities.yaml"
_TEXTS = ("short name", "ability word", "bullets", "type line")
_KEYWORDS = ("list", "sentence", "dash", "goes on", "after")


@dataclass(frozen=True)
class KeywordForms:
    """How keywords are listed, and the forms of those that are not written as they are called.

    `divide` tells where one item holds several abilities. Both are found by a name of the keyword in the language.
    """

    list: re.Pattern[str]
    sentence: re.Pattern[str]
    dash: re.Pattern[str]
    goes_on: re.Pattern[str]
    after: re.Pattern[str]
    forms: Map[str, re.Pattern[str]]
    divide: Map[str, re.Pattern[str]]


@dataclass(frozen=True)
class Script:
    """The marks, patterns and names of forms of one language."""

    language: str
    reminder: tuple[str, str, str]
    quotes: Map[str, str]
    bullets: str
    short_name: re.Pattern[str]
    own_pattern: re.Pattern[str]
    marks: re.Pattern[str]
    ability_word: re.Pattern[str]
    keywords: KeywordForms
    type_line: re.Pattern[str]
    patterns: Map[str, re.Pattern[str]]

    def find(self, name: str, text: str) -> re.Match[str] | None:
        """Return where the pattern called `name` is found in `text`; a language may lack a pattern."""
        pattern = self.patterns.get(name)
        return pattern.search(text) if pattern else None


def read_script(folder: Path) -> Script:
    """Return how the language in `folder` writes abilities.

    Raises:
        DataError: D101/D102 unreadable, D702 something is missing or is no pattern.
    """
    top = read_yaml(folder / FILE)
    if not isinstance(top, Mapping):
        raise DataError("D702", "this file holds reminder, quotes, keywords, patterns, …")
    for key in (*_TEXTS, "reminder", "keywords", "patterns"):
        if not isinstance(top.get(key), str if key in _TEXTS else Mapping):
            raise DataError("D702", f"'{key}' is missing or wrong", place=top.place(key if key in top else None))
    reminder, keywords = top["reminder"], top["keywords"]
    for part, keys in ((reminder, ("open", "close", "holds")), (keywords, _KEYWORDS)):
        for key in keys:
            if not isinstance(part.get(key), str):
                raise DataError("D702", f"'{key}' must be a text", place=part.place(key if key in part else None))
    quotes = {pair[0]: pair[1] for pair in map(str, top.get("quotes") or ())}
    return Script(
        language=folder.name,
        reminder=(reminder["open"], reminder["close"], reminder["holds"]),
        quotes=quotes,
        bullets=top["bullets"],
        short_name=_pattern(top, "short name"),
        own_pattern=_any(map(str, top.get("own words") or ())),
        marks=_any((*reminder["open"], *quotes)),
        ability_word=_pattern(top, "ability word"),
        keywords=KeywordForms(
            list=_pattern(keywords, "list"),
            sentence=_pattern(keywords, "sentence"),
            dash=_pattern(keywords, "dash"),
            goes_on=_pattern(keywords, "goes on"),
            after=_pattern(keywords, "after"),
            forms=_patterns(keywords, "forms"),
            divide=_patterns(keywords, "divide"),
        ),
        type_line=_pattern(top, "type line"),
        patterns=_patterns(top, "patterns"),
    )


def _patterns(part: Mapping, key: str) -> dict[str, re.Pattern[str]]:
    inner: Any = part.get(key) or {}
    return {str(name): _pattern(inner, name) for name in inner}


def _pattern(part: Mapping, key: str) -> re.Pattern[str]:
    try:
        return re.compile(str(part[key]))
    except re.error as problem:
        raise DataError("D702", f"'{key}' is no pattern: {problem}", place=part.place(key)) from None


def _any(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of `words`, the longest first."""
    return re.compile("|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))) or "(?!)")
