"""How the JSON of a publisher or a collector of card data becomes facts: data/<game>/imports/<format>.yaml.

A mapping says where the records are, which of them are one card, and which property each field fills. The example
to follow, with remarks on every part, is the mapping that a game ships.
"""

from __future__ import annotations

from collections.abc import Mapping as Map
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasoner.errors import DataError, OntologyError, UseError, close_to
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.yamlfile import Mapping, read_yaml
from reasoner.paths import Library
from reasoner.terms.namespaces import Prefixes

EVERY = "*"


@dataclass(frozen=True)
class Shape:
    """One shape that a file can have: under the key `below`, records lie under `records` (or under every key)."""

    name: str
    below: str
    first_keys: frozenset[str]
    records: str


@dataclass(frozen=True)
class Field:
    """A field of a record (or `other`, where it is missing) and the property it fills; IRIs are written out.

    Exactly one way to read values: by `letters`, as `words` (labels of terms of `kind`), as whole numbers (other texts
    go to `otherwise`), or as text in `language`, "" for none.
    """

    name: str
    other: str
    property: str
    letters: Map[str, str]
    words: bool
    whole: bool
    otherwise: str
    language: str


@dataclass(frozen=True)
class CardKey:
    """Which records are one card: those of one `name`; `faces` numbers them by the value of the field `face`."""

    name: str
    separator: str
    face_name: str
    face: str
    faces: Map[str, int]
    layout: str
    layouts: Map[str, str]
    one_face: frozenset[str]


@dataclass(frozen=True)
class Translations:
    """Where translations are: a list under `field`, each in the language that `language` names."""

    field: str
    language: str
    languages: Map[str, str]
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class ImportMapping:
    """Everything a mapping file says. `abilities`: the field and the language of the texts that hold abilities."""

    game: str
    path: Path
    title: str
    shapes: tuple[Shape, ...]
    card: CardKey
    fields: tuple[Field, ...]
    card_fields: tuple[Field, ...]
    translations: Translations | None
    printing_id: str
    printing_number: tuple[str, ...]
    abilities: tuple[str, str] | None = None


def mapping_files(library: Library) -> dict[str, list[tuple[str, Path]]]:
    """Return the mapping files by format: (game, path) of each."""
    found: dict[str, list[tuple[str, Path]]] = {}
    for game in library.games():
        for path in sorted((library.game(game) / "imports").glob("*.yaml")):
            found.setdefault(path.stem, []).append((game, path))
    return found


def find_mapping(library: Library, form: str, game: str | None = None) -> tuple[str, Path]:
    """Return the game and the mapping file of the format called `form`.

    Raises:
        UseError: U101 an unknown game, U113 an unknown format, or one that several games have.
    """
    if game is not None:
        library.game(game)
    known = mapping_files(library)
    found = [pair for pair in known.get(form, []) if game in (None, pair[0])]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(name for name, _ in found)
        raise UseError("U113", f"several games import '{form}': {names}", hint="say which with --game GAME")
    raise UseError(
        "U113",
        f"no game imports '{form}'" if game is None else f"the game '{game}' does not import '{form}'",
        suggestions=close_to(form, known),
        hint=f"formats: {', '.join(sorted(known)) or 'none'} (data/<game>/imports)",
    )


def read_mapping(game: str, path: Path, vocabulary: Vocabulary) -> ImportMapping:
    """Return what the mapping file at `path` says.

    Raises:
        DataError: D101/D102 unreadable, D801 something is missing, of the wrong kind, or no term of the game.
    """
    top = read_yaml(path)
    if not isinstance(top, Mapping):
        raise DataError("D801", "a mapping file holds title, shapes, card, fields, …")
    reader = _Reader(top, vocabulary)
    card = reader.part(top, "card")
    translations = top.get("translations")
    printings = reader.part(top, "printings") if "printings" in top else None
    abilities = reader.part(top, "abilities") if "abilities" in top else None
    return ImportMapping(
        game=game,
        path=path,
        title=reader.text(top, "title"),
        shapes=tuple(reader.shape(one) for one in reader.items(top, "shapes")),
        card=CardKey(
            name=reader.text(card, "name"),
            separator=reader.text(card, "separator", " // "),
            face_name=reader.text(card, "face name", ""),
            face=reader.text(card, "face", ""),
            faces={str(key): int(value) for key, value in (card.get("faces") or {}).items()},
            layout=reader.text(card, "layout", ""),
            layouts={str(key): reader.term(card, value) for key, value in (card.get("layouts") or {}).items()},
            one_face=frozenset(map(str, card.get("one face") or ())),
        ),
        fields=tuple(reader.field(one) for one in reader.items(top, "fields")),
        card_fields=tuple(reader.field(one) for one in reader.items(top, "card fields"))
        if "card fields" in top
        else (),
        translations=None if translations is None else reader.translations(reader.part(top, "translations")),
        printing_id=reader.text(printings, "id") if printings else "",
        printing_number=tuple(map(str, printings.get("number") or ())) if printings else (),
        abilities=None if abilities is None else (reader.text(abilities, "field"), reader.text(abilities, "language")),
    )


class _Reader:
    """Reads the parts of one mapping file; every fault names its line."""

    def __init__(self, top: Mapping, vocabulary: Vocabulary) -> None:
        self._top = top
        self._vocabulary = vocabulary
        self._prefixes: Prefixes = vocabulary.prefixes

    def part(self, where: Mapping, key: str) -> Mapping:
        """Return the mapping under `key`."""
        value = where.get(key)
        if not isinstance(value, Mapping):
            raise DataError("D801", f"'{key}' must be a mapping", place=where.place(key))
        return value

    def items(self, where: Mapping, key: str) -> list[Mapping]:
        """Return the list of mappings under `key`."""
        value = where.get(key)
        if not isinstance(value, list) or not value or not all(isinstance(one, Mapping) for one in value):
            raise DataError("D801", f"'{key}' must be a list of mappings", place=where.place(key))
        return value

    def text(self, where: Mapping, key: str, default: str | None = None) -> str:
        """Return the text under `key`."""
        value = where.get(key, default)
        if not isinstance(value, str):
            raise DataError("D801", f"'{key}' must be a text", place=where.place(key))
        return value

    def term(self, where: Mapping, value: Any) -> str:
        """Return the IRI of the term written `value`."""
        try:
            iri = self._prefixes.expand(str(value))
        except OntologyError:
            iri = ""
        if not iri or not self._vocabulary.is_declared(iri):
            known = self._vocabulary.declared()
            suggestions = close_to(str(value), known)
            raise DataError("D801", f"'{value}' is no term of the game", place=where.place(), suggestions=suggestions)
        return iri

    def shape(self, one: Mapping) -> Shape:
        """Return a shape."""
        keys = frozenset(map(str, one.get("first key") or ()))
        return Shape(self.text(one, "name"), self.text(one, "below"), keys, self.text(one, "records"))

    def field(self, one: Mapping) -> Field:
        """Return a field."""
        letters: dict[str, str] = {}
        if "letters" in one:
            tables = self.part(self._top, "letters")
            letters = {
                str(key): self.term(one, value) for key, value in self.part(tables, self.text(one, "letters")).items()
            }
        return Field(
            name=self.text(one, "field"),
            other=self.text(one, "else", ""),
            property=self.term(one, self.text(one, "property")),
            letters=letters,
            words=one.get("words") is True,
            whole=one.get("whole number") is True,
            otherwise=self.term(one, one["otherwise"]) if "otherwise" in one else "",
            language=self.text(one, "language", ""),
        )

    def translations(self, one: Mapping) -> Translations:
        """Return where translations are."""
        languages = {str(key): str(value) for key, value in self.part(one, "languages").items()}
        fields = tuple(self.field(each) for each in self.items(one, "fields"))
        return Translations(self.text(one, "field"), self.text(one, "language"), languages, fields)
