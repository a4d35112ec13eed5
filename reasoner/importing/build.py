"""Records in, facts out: cards, faces, printings and translations as lines of N-Triples.

A card is known by the name that its records share; its facts are taken from the first record of each face. A word that
the game's terms lack becomes a term of the pool, and is reported.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from json.encoder import encode_basestring
from typing import Any

import pyoxigraph as ox

from reasoner.importing.abilities import Abilities
from reasoner.importing.mapping import Field, ImportMapping
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.terms.namespaces import OWL, RANGE, RDFS, TYPE, XSD, core, game_base

# Far more than any card has (some 1,500 letters of text, 150 of name): a file that is broken, or meant to do harm.
MOST_LETTERS, MOST_OF_NAME = 20_000, 1_000
_WHOLE = re.compile(r"[-+]?[0-9]+")
_UNNAMED = re.compile(r"[^a-z0-9]+")
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'"})


class BadRecordError(Exception):
    """A record is not as the mapping says; `key` is where in the record, the message what is wrong."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


@dataclass
class NewTerm:
    """A word for which the game has no term: what it would be, on how many records it stands, the first of them."""

    word: str
    kind: str
    iri: str
    records: int
    first: str


@dataclass
class _Card:
    iri: str
    names: list[str]
    layout: str = ""
    faces: set[int] = field(default_factory=set)
    translated: set[tuple[str, str, str]] = field(default_factory=set)


class Builder:
    """Turns records into lines of N-Triples, given to `write` card by card or face by face."""

    def __init__(
        self,
        mapping: ImportMapping,
        vocabulary: Vocabulary,
        write: Callable[[str], object],
        abilities: Abilities | None = None,
    ) -> None:
        self._mapping = mapping
        self._abilities = abilities
        self._vocabulary = vocabulary
        self._write = write
        self._base = game_base(mapping.game)
        self._cards: dict[str, _Card] = {}
        self._ids: set[str] = set()
        self._lone: dict[str, dict[str, Any]] = {}
        self._words: dict[str, dict[str, str]] = {}
        self._now = ""
        self.new_terms: dict[str, NewTerm] = {}
        self.faces = 0
        self.printings = 0

    @property
    def cards(self) -> int:
        """The number of cards so far."""
        return len(self._cards)

    def add(self, record: Any) -> None:
        """Add one record: a face of a card, or a printing of one.

        Raises:
            BadRecordError: it is not as the mapping says. Nothing of it has been written then.
        """
        if not isinstance(record, dict):
            raise BadRecordError("", "the record is no object")
        key = self._mapping.card
        name = _text(record, key.name)
        face_name = _text(record, key.face_name) if key.face_name in record else name
        layout = _text(record, key.layout) if key.layout in record else ""
        if layout in key.one_face or key.face not in record:
            self._add(record, face_name, [face_name], 0, layout, "")
            return
        side = _text(record, key.face)
        if side not in key.faces:
            raise BadRecordError(key.face, f"'{side}' is none of {', '.join(key.faces)}")
        if layout not in key.layouts:
            raise BadRecordError(key.layout, f"a card with faces has the unknown layout '{layout}'")
        names = name.split(key.separator)
        if len(names) == 1:  # a face that several cards share; they tell it in their names
            self._check(record)
            self._lone.setdefault(name, record)
            return
        self._add(record, name, names, key.faces[side], layout, face_name)

    def finish(self) -> None:
        """Add the faces that several cards share to each of them, and write the terms of the pool."""
        used = set()
        for card in self._cards.values():
            for number, name in enumerate(card.names, 1):
                if len(card.names) > 1 and number not in card.faces and name in self._lone:
                    used.add(name)
                    lines: list[str] = []
                    self._face(self._lone[name], card, number, name, lines)
                    self._write("".join(lines))
        for name, record in self._lone.items():
            if name not in used:
                self._add(record, name, [name], 0, "", "")

    def term_lines(self) -> str:
        """Return what is known of the terms that only this pool has."""
        lines: list[str] = []
        for term in self.new_terms.values():
            kinds = (term.kind, OWL + "Class", OWL + "NamedIndividual")
            lines.extend(f"<{term.iri}> <{TYPE.value}> <{kind}> .\n" for kind in kinds)
            lines.append(f"<{term.iri}> <{RDFS}subClassOf> <{core('Referent').value}> .\n")
            lines.append(f"<{term.iri}> <{RDFS}label> {encode_basestring(term.word)}@en .\n")
        return "".join(lines)

    def _add(
        self, record: dict[str, Any], name: str, names: list[str], number: int, layout: str, face_name: str
    ) -> None:
        card = self._cards.get(name)
        lines: list[str] = []
        new = card is None
        if card is None:
            card = _Card(
                f"{self._base}card/{self._id(name)}", names, self._mapping.card.layouts[layout] if number else ""
            )
            about = f"<{card.iri}> <"
            lines.append(f"{about}{TYPE.value}> <{core('Card').value}> .\n")
            lines.append(f"{about}{core('isInGame').value}> <{self._base.rstrip('/')}> .\n")
            lines.append(f"{about}{core('listedName').value}> {encode_basestring(name)} .\n")
            lines.append(f"{about}{core('isImportedAs').value}> {encode_basestring(self._mapping.path.stem)} .\n")
            if number:
                lines.append(f"{about}{core('hasLayout').value}> <{self._mapping.card.layouts[layout]}> .\n")
            for one in self._mapping.card_fields:
                self._field(record, one, card.iri, lines)
        before = (set(card.faces), set(card.translated), self.faces)
        self._now = name
        try:
            if number:
                self._face(record, card, number, face_name, lines)
            else:
                self._print(record, card, card.iri, 0, name, lines)
            printed = self._printing(record, card, number, lines)
            text = "".join(lines)
            _check_text(text)
        except BadRecordError:
            card.faces, card.translated, self.faces = before
            raise
        self._write(text)
        self.printings += printed
        if new:
            self._cards[name] = card
            self._ids.add(card.iri)

    def _face(self, record: dict[str, Any], card: _Card, number: int, name: str, lines: list[str]) -> None:
        iri = f"{card.iri}/face/{number}"
        if number not in card.faces:
            lines.append(f"<{card.iri}> <{core('hasFace').value}> <{iri}> .\n")
            lines.append(f"<{iri}> <{TYPE.value}> <{core('Face').value}> .\n")
            lines.append(f'<{iri}> <{core("faceNumber").value}> "{number}"^^<{XSD}integer> .\n')
        self._print(record, card, iri, number, name, lines)

    def _print(self, record: dict[str, Any], card: _Card, iri: str, number: int, name: str, lines: list[str]) -> None:
        if number not in card.faces:
            lines.append(f"<{iri}> <{core('printedName').value}> {encode_basestring(name)} .\n")
            for one in self._mapping.fields:
                self._field(record, one, iri, lines)
            self._add_abilities(record, card, iri, name, lines)
            card.faces.add(number)
            self.faces += 1
        self._translate(record, card, iri, lines)

    def _add_abilities(self, record: dict[str, Any], card: _Card, iri: str, name: str, lines: list[str]) -> None:
        text = record.get(self._mapping.abilities[0]) if self._mapping.abilities else None
        if self._abilities is not None and isinstance(text, str):
            start = f"<{iri}> <{core('printedCardType').value}> <"
            types = [line.removeprefix(start).removesuffix("> .\n") for line in lines if line.startswith(start)]
            lines.extend(self._abilities(iri, text, [name], card.layout, types))

    def _field(self, record: dict[str, Any], one: Field, iri: str, lines: list[str], language: str = "") -> None:
        key = one.name if one.name in record else one.other
        value = record.get(key)
        if value is None:
            return
        about = f"<{iri}> <{one.property}> "
        if one.whole:
            if isinstance(value, float) and value.is_integer():
                value = int(value)
            if _is_whole(value):
                lines.append(f'{about}"{int(value)}"^^<{XSD}integer> .\n')
            elif isinstance(value, str | float) and one.otherwise:
                lines.append(f"<{iri}> <{one.otherwise}> {encode_basestring(str(value))} .\n")
            else:
                raise BadRecordError(key, f"{value!r} is no whole number")
        elif one.letters or one.words:
            if not isinstance(value, list):
                raise BadRecordError(key, "this is no list of texts")
            for item in value:
                if not isinstance(item, str) or not item:
                    raise BadRecordError(key, "this is no list of texts")
                _check_length(key, item, MOST_OF_NAME)
                lines.append(f"{about}<{self._letter(item, one, key) if one.letters else self._word(item, one)}> .\n")
        else:
            if not isinstance(value, str):
                raise BadRecordError(key, "this is no text")
            _check_length(key, value, MOST_LETTERS)
            tag = language or one.language
            lines.append(f"{about}{encode_basestring(value)}{'@' + tag if tag else ''} .\n")

    def _letter(self, item: str, one: Field, key: str) -> str:
        if item not in one.letters:
            raise BadRecordError(key, f"'{item}' is none of {', '.join(one.letters)}")
        return one.letters[item]

    def _word(self, item: str, one: Field) -> str:
        """Return the term called `item`; letter case and the form of apostrophes do not count. A new one if need be."""
        known = self._words.get(one.property) or self._known_words(one)
        iri = known.get(item)
        if iri is None:
            plain = item.translate(_APOSTROPHES)
            iri = known.get(plain) or known.get(plain.casefold())
            if iri is None:
                kind = self._kind(one)
                local = "".join(
                    word[:1].upper() + word[1:] for word in re.split(r"\W+", plain.replace("'", "")) if word
                )
                iri = f"{self._base}term/{local or hashlib.blake2b(item.encode(), digest_size=6).hexdigest()}"
                self.new_terms[iri] = NewTerm(plain, kind, iri, 0, self._now)
            known[item] = iri
        if iri in self.new_terms:
            self.new_terms[iri].records += 1
        return iri

    def _known_words(self, one: Field) -> dict[str, str]:
        known: dict[str, str] = {}
        for name, iris in self._vocabulary.labelled(ox.NamedNode(self._kind(one))).items():
            if len(iris) == 1:
                iri = next(iter(iris)).value
                known[name] = iri
                known.setdefault(name.casefold(), iri)
        return self._words.setdefault(one.property, known)

    def _kind(self, one: Field) -> str:
        kinds = self._vocabulary.objects(ox.NamedNode(one.property), RANGE)
        return next(kind.value for kind in kinds if isinstance(kind, ox.NamedNode))

    def _translate(self, record: dict[str, Any], card: _Card, iri: str, lines: list[str]) -> None:
        translations = self._mapping.translations
        if translations is None:
            return
        given = record.get(translations.field)
        if given is None:
            return
        if not isinstance(given, list):
            raise BadRecordError(translations.field, "this is no list")
        for one in given:
            if not isinstance(one, dict):
                raise BadRecordError(translations.field, "a translation is no object")
            tag = translations.languages.get(str(one.get(translations.language)))
            if tag is None:
                continue
            for each in translations.fields:
                if (iri, tag, each.property) not in card.translated and (each.name in one or each.other in one):
                    self._field(one, each, iri, lines, tag)
                    card.translated.add((iri, tag, each.property))

    def _printing(self, record: dict[str, Any], card: _Card, number: int, lines: list[str]) -> int:
        if self._mapping.printing_id not in record:
            return 0
        iri = f"{self._base}printing/{_slug(_text(record, self._mapping.printing_id))}"
        label = " ".join(_text(record, key) for key in self._mapping.printing_number if key in record)
        lines.append(f"<{iri}> <{TYPE.value}> <{core('Printing').value}> .\n")
        lines.append(f"<{iri}> <{core('isPrintingOf').value}> <{card.iri}> .\n")
        if number:
            lines.append(f"<{iri}> <{core('printsFace').value}> <{card.iri}/face/{number}> .\n")
        if label:
            lines.append(f"<{iri}> <{core('printingNumber').value}> {encode_basestring(label)} .\n")
        return 1

    def _check(self, record: dict[str, Any]) -> None:
        """Refuse a record that is put by if it could not be written later."""
        lines: list[str] = []
        for one in self._mapping.fields:
            self._field(record, one, "", lines)
        _check_text("".join(lines))

    def _id(self, name: str) -> str:
        """Return an id made of the name; of two names that look alike the second gets some letters more."""
        slug = _slug(name)
        if not slug or f"{self._base}card/{slug}" in self._ids:
            digest = hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=4).hexdigest()
            slug = f"{slug}-{digest}".strip("-")
        return slug


def _is_whole(value: Any) -> bool:
    if isinstance(value, str):
        return _WHOLE.fullmatch(value) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def _slug(text: str) -> str:
    plain = text.translate(_APOSTROPHES).replace("'", "")
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return _UNNAMED.sub("-", plain.lower()).strip("-")


def _text(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str) or not value.strip():
        raise BadRecordError(key, "this is missing, or no text")
    _check_length(key, value, MOST_OF_NAME)
    return value


def _check_length(key: str, value: str, most: int) -> None:
    if len(value) > most:
        raise BadRecordError(key, f"this has {len(value):,} letters, and no card has more than {most:,}")


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadRecordError("", "the record holds half a character (a lone surrogate)") from None
