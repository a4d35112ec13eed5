"""What the forms of abilities mean in a game: data/<game>/abilities.yaml and what its terms say of keywords."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from reasoner.abilities.model import Where
from reasoner.errors import DataError, OntologyError, close_to
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.yamlfile import Mapping, read_yaml
from reasoner.terms.namespaces import core

FILE = "abilities.yaml"
PARTS = ("whole", "cost", "condition", "effect")


@dataclass(frozen=True)
class Form:
    """One item of the file. What it lacks is empty; `parts` are the patterns that parts of a text must have."""

    kinds: tuple[str, ...] = ()
    cites: str = ""
    pattern: str = ""
    also: str = ""
    keyword: str | None = None
    takes: str = ""
    on: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    not_of: frozenset[str] = frozenset()
    parts: tuple[tuple[str, str], ...] = ()
    without: str = ""
    where: Where | None = None

    def suits(self, types: frozenset[str], kinds: Iterable[str] = ()) -> bool:
        """Return whether it is for bearers of these types and abilities of these kinds."""
        known = set(kinds)
        return (
            (not self.on or bool(self.on & types))
            and not self.off & types
            and self.of <= known
            and not self.not_of & known
        )


@dataclass(frozen=True)
class Keyword:
    """A keyword: its names in each language, the kinds of what it stands for, and where that works."""

    iri: str
    names: dict[str, list[str]]
    kinds: tuple[str, ...]
    where: Where | None
    cites: str


@dataclass(frozen=True)
class Rulebook:
    """Everything the file says, with terms written out."""

    bearers: tuple[Form, ...]
    symbols: tuple[Form, ...]
    forms: tuple[Form, ...]
    narrower: tuple[Form, ...]
    places: tuple[Form, ...]
    keywords: tuple[Keyword, ...]
    choice: str
    keyword_cites: str
    reminder_cites: str
    hint: Form
    hint_layouts: frozenset[str]
    type_words: dict[str, frozenset[str]]

    def bearer(self, types: frozenset[str]) -> Form:
        """Return what is so of texts on bearers of these types."""
        return next((one for one in self.bearers if one.suits(types)), Form())


def read_rulebook(folder: Path, vocabulary: Vocabulary) -> Rulebook:
    """Return what the forms of abilities mean in the game whose folder is `folder`.

    Raises:
        DataError: D101/D102 unreadable, D806 something is missing, of the wrong kind, or no term of the game.
    """
    top = read_yaml(folder / FILE)
    if not isinstance(top, Mapping):
        raise DataError("D806", "this file holds bearers, symbols, forms, …")
    reader = _Reader(top, vocabulary)
    hint = reader.part("hint")
    words = [ox.NamedNode(iri) for iri in reader.terms(hint, "words")]
    return Rulebook(
        bearers=reader.forms("bearers"),
        symbols=reader.forms("symbols"),
        forms=reader.forms("forms"),
        narrower=reader.forms("narrower"),
        places=reader.forms("places"),
        keywords=tuple(_keywords(vocabulary)),
        choice=str(top.get("choice", "")),
        keyword_cites=reader.term(reader.part("keywords"), "cites"),
        reminder_cites=reader.term(reader.part("reminder"), "cites"),
        hint=Form(cites=reader.term(hint, "cites"), pattern=str(hint.get("detail", ""))),
        hint_layouts=frozenset(reader.terms(hint, "layouts")),
        type_words=_words(vocabulary, words),
    )


class _Reader:
    def __init__(self, top: Mapping, vocabulary: Vocabulary) -> None:
        self._top = top
        self._vocabulary = vocabulary

    def part(self, key: str) -> Mapping:
        value = self._top.get(key)
        if not isinstance(value, Mapping):
            raise DataError("D806", f"'{key}' must be a mapping", place=self._top.place())
        return value

    def forms(self, key: str) -> tuple[Form, ...]:
        items = self._top.get(key)
        if not isinstance(items, list) or not all(isinstance(one, Mapping) for one in items):
            raise DataError("D806", f"'{key}' must be a list of mappings", place=self._top.place())
        return tuple(self._form(one) for one in items)

    def _form(self, one: Mapping) -> Form:
        where = Where(self.terms(one, "works in"), one.get("everywhere") is True, one.get("outside") is True)
        return Form(
            kinds=self.terms(one, "kind"),
            cites=self.term(one, "cites") if "cites" in one else "",
            pattern=str(one.get("pattern", "")),
            also=str(one.get("and", "")),
            keyword=self.term(one, "keyword") if "keyword" in one else None,
            takes=str(one.get("takes", "")),
            on=frozenset(self.terms(one, "on") or self.terms(one, "types")),
            off=frozenset(self.terms(one, "off")),
            of=frozenset(self.terms(one, "of")),
            not_of=frozenset(self.terms(one, "not of")),
            parts=tuple((part, str(one[part])) for part in PARTS if part in one),
            without=str(one.get("without", "")),
            where=where if where != Where() else None,
        )

    def term(self, one: Mapping, key: str) -> str:
        return next(iter(self.terms(one, key)), "")

    def terms(self, one: Mapping, key: str) -> tuple[str, ...]:
        """Return the IRIs of the terms under `key`."""
        given: Any = one.get(key, ())
        return tuple(
            self._iri(one, key, str(name)) for name in (given if isinstance(given, list | tuple) else (given,))
        )

    def _iri(self, one: Mapping, key: str, name: str) -> str:
        try:
            iri = self._vocabulary.prefixes.expand(name)
        except OntologyError:
            iri = ""
        if not iri or not self._vocabulary.is_declared(iri):
            suggestions = close_to(name, self._vocabulary.declared())
            raise DataError("D806", f"'{name}' is no term of the game", place=one.place(key), suggestions=suggestions)
        return iri


def _keywords(vocabulary: Vocabulary) -> Iterable[Keyword]:
    """Yield the keywords of the game that stand for abilities of known kinds."""
    source = ox.NamedNode("http://purl.org/dc/terms/source")
    for iri in vocabulary.instances(core("Keyword")):
        kinds = vocabulary.objects(iri, core("isOfAbilityKind"))
        if not kinds:
            continue
        zones = vocabulary.objects(iri, core("worksIn"))
        where = Where(
            tuple(sorted(_iris(zones))),
            vocabulary.first(iri, core("worksEverywhere")) is not None,
            vocabulary.first(iri, core("worksOutsidePlay")) is not None,
        )
        cites = next(iter(_iris(vocabulary.objects(iri, source))), "")
        yield Keyword(
            iri.value,
            vocabulary.names(iri),
            tuple(sorted(_iris(kinds), key=lambda kind: (_is_narrow(vocabulary, kind), kind))),
            where if where != Where() else None,
            cites,
        )


def _is_narrow(vocabulary: Vocabulary, kind: str) -> bool:
    return vocabulary.first(ox.NamedNode(kind), core("isAlwaysAlso")) is not None


def _iris(nodes: Iterable[object]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ox.NamedNode)]


def _words(vocabulary: Vocabulary, kinds: Iterable[ox.NamedNode]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for kind in kinds:
        for iri in vocabulary.instances(kind):
            for language, names in vocabulary.names(iri).items():
                found.setdefault(language, set()).update(name.casefold() for name in names)
    return {language: frozenset(names) for language, names in found.items()}
