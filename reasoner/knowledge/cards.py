"""Card files: YAML in, triples out. Which fields exist and what they may hold comes from the game's terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from reasoner.errors import CardloreError, DataError, Place, close_to, raise_all
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.yamlfile import Mapping, Sequence, read_yaml
from reasoner.paths import files_in
from reasoner.terms.namespaces import DOMAIN, RANGE, RDF, RDFS, TYPE, XSD, core, game_base

STRUCTURE = ("id", "abilities", "faces")
FACE_STRUCTURE = ("abilities",)
BETWEEN_FACES = " // "
_ID = re.compile(r"[a-z0-9][a-z0-9-]*")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_TAGGED = ox.NamedNode(RDF + "langString")
_BOOLEAN, _INTEGER = ox.NamedNode(XSD + "boolean"), ox.NamedNode(XSD + "integer")


@dataclass
class CardFacts:
    """What card files say: triples, and the place of each card, ability and reference by IRI."""

    triples: list[ox.Triple] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    cards: list[ox.NamedNode] = field(default_factory=list)


def read_cards(folder: Path, game: str, vocabulary: Vocabulary) -> CardFacts:
    """Return the facts of all `*.yaml` files in `folder`, in the order of file names.

    Raises:
        DataError: D101/D102 unreadable file, D103 a field is missing or of the wrong kind, D104 an unknown term,
            D105 an unknown field, D106 an id is used twice, D107 unreadable folder. All faults in files are reported
            together.
    """
    facts = CardFacts()
    errors: list[CardloreError] = []
    for path in files_in(folder, ".yaml", deep=False):
        try:
            content = read_yaml(path)
            cards = content.get("cards") if isinstance(content, Mapping) else None
            if not isinstance(cards, Sequence):
                raise DataError("D103", "a card file holds a list under 'cards:'", place=Place(path, 1))
        except CardloreError as error:
            errors.append(error)
            continue
        for index, card in enumerate(cards):
            try:
                add_card(card, cards.place(index), game, vocabulary, facts)
            except CardloreError as error:
                errors.append(error)
    raise_all(errors)
    return facts


def add_card(card: Any, place: Place, game: str, vocabulary: Vocabulary, facts: CardFacts) -> ox.NamedNode:
    """Add the facts of one card (a mapping as in a card file) to `facts` and return its IRI.

    Raises:
        DataError: as `read_cards`.
    """
    if not isinstance(card, Mapping):
        raise DataError("D103", "a card is a mapping with at least id, name and type", place=place)
    _only(card, (*STRUCTURE, *sorted(vocabulary.card_fields)))
    identifier = str(_need(card, "id"))
    if not _ID.fullmatch(identifier):
        raise DataError(
            "D103",
            f"'{identifier}' is no card id",
            place=card.place("id"),
            hint="lower-case letters, digits and hyphens",
        )
    iri = ox.NamedNode(f"{game_base(game)}card/{identifier}")
    if iri.value in facts.places:
        raise DataError(
            "D106", f"card id '{identifier}' is used twice, also at {facts.places[iri.value]}", place=card.place("id")
        )
    triples = [
        ox.Triple(iri, TYPE, core("Card")),
        ox.Triple(iri, core("isInGame"), ox.NamedNode(game_base(game).rstrip("/"))),
    ]
    places = {iri.value: card.place()}
    if "faces" in card:
        _faces(card, iri, vocabulary, triples, places)
    else:
        _print(card, iri, vocabulary, triples, places)
        triples.append(ox.Triple(iri, core("listedName"), ox.Literal(str(card["name"]))))
    facts.triples.extend(triples)
    facts.places.update(places)
    facts.cards.append(iri)
    return iri


def _print(
    bearer: Mapping, iri: ox.NamedNode, vocabulary: Vocabulary, triples: list[ox.Triple], places: dict[str, Place]
) -> None:
    """Add what is printed on a card without faces, or on one face."""
    _need(bearer, "name"), _need(bearer, "type")
    for key in bearer:
        if key in vocabulary.card_fields:
            prop = vocabulary.card_fields[key]
            triples.extend(ox.Triple(iri, prop, value) for value in _values(bearer, key, prop, vocabulary))
    for ability_triples, ability_places in _abilities(bearer, iri, vocabulary):
        triples.extend(ability_triples)
        places.update(ability_places)


def _faces(
    card: Mapping, iri: ox.NamedNode, vocabulary: Vocabulary, triples: list[ox.Triple], places: dict[str, Place]
) -> None:
    """Add the faces of a card, and what belongs to the card as a whole."""
    faces = card["faces"]
    if not isinstance(faces, Sequence) or len(faces) < 2:
        raise DataError("D103", "'faces' is a list of two mappings or more", place=card.place("faces"))
    _need(card, "layout")
    names = []
    for number, face in enumerate(faces, 1):
        if not isinstance(face, Mapping):
            raise DataError("D103", "a face is a mapping with at least name and type", place=faces.place(number - 1))
        _only(face, (*FACE_STRUCTURE, *(key for key in sorted(vocabulary.card_fields) if _is_printed(key, vocabulary))))
        node = face_iri(iri, number)
        triples += [
            ox.Triple(iri, core("hasFace"), node),
            ox.Triple(node, TYPE, core("Face")),
            ox.Triple(node, core("faceNumber"), ox.Literal(str(number), datatype=_INTEGER)),
        ]
        places[node.value] = face.place()
        _print(face, node, vocabulary, triples, places)
        names.append(str(face["name"]))
    listed = str(card["name"]) if "name" in card else BETWEEN_FACES.join(names)
    triples.append(ox.Triple(iri, core("listedName"), ox.Literal(listed)))
    for key in card:
        if key in (*STRUCTURE, "name"):
            continue
        prop = vocabulary.card_fields[key]
        if _is_printed(key, vocabulary) and prop != core("translatedName"):
            raise DataError("D103", f"'{key}' belongs to one of the faces", place=card.place(key))
        triples.extend(ox.Triple(iri, prop, value) for value in _values(card, key, prop, vocabulary))
    if "abilities" in card:
        raise DataError("D103", "'abilities' belong to one of the faces", place=card.place("abilities"))


def face_iri(card: ox.NamedNode, number: int) -> ox.NamedNode:
    """Return the IRI of the face with this number, from one on."""
    return ox.NamedNode(f"{card.value}/face/{number}")


def is_printed(prop: ox.NamedNode, vocabulary: Vocabulary) -> bool:
    """Return whether a property says what is printed, so that each face has its own."""
    return core("PrintBearer") in vocabulary.objects(prop, DOMAIN)


def is_translated(prop: ox.NamedNode, vocabulary: Vocabulary) -> bool:
    """Return whether the values of a property are texts in several languages."""
    return _TAGGED in vocabulary.objects(prop, RANGE)


def _is_printed(key: str, vocabulary: Vocabulary) -> bool:
    return is_printed(vocabulary.card_fields[key], vocabulary)


def _abilities(
    card: Mapping, iri: ox.NamedNode, vocabulary: Vocabulary
) -> Iterator[tuple[list[ox.Triple], dict[str, Place]]]:
    abilities = card.get("abilities") or []
    if not isinstance(abilities, list):
        raise DataError("D103", "'abilities' is a list", place=card.place("abilities"))
    seen: set[str] = set()
    for number, ability in enumerate(abilities, 1):
        if not isinstance(ability, Mapping):
            raise DataError("D103", "an ability is a mapping", place=card.place("abilities"))
        fields = vocabulary.ability_fields
        _only(ability, ("id", *sorted(fields), "references"))
        name = str(ability.get("id", f"a{number}"))
        if name in seen or not _ID.fullmatch(name):
            raise DataError(
                "D106" if name in seen else "D103",
                f"ability id '{name}' is used twice or malformed",
                place=ability.place("id"),
            )
        seen.add(name)
        node = ox.NamedNode(f"{iri.value}/ability/{name}")
        triples = [ox.Triple(node, TYPE, core("Ability")), ox.Triple(iri, core("hasAbility"), node)]
        _together(ability, fields, vocabulary)
        places = {node.value: ability.place()}
        for key in ability:
            if key in fields:
                triples.extend(
                    ox.Triple(node, fields[key], value) for value in _values(ability, key, fields[key], vocabulary)
                )
        for index, reference in enumerate(ability.get("references") or [], 1):
            if not isinstance(reference, Mapping):
                raise DataError(
                    "D103", "a reference is a mapping with text and relation", place=ability.place("references")
                )
            _only(reference, ("text", "relation"))
            target = ox.NamedNode(f"{node.value}/reference/{index}")
            relation = _relation(reference, vocabulary)
            triples += [
                ox.Triple(target, TYPE, core("Reference")),
                ox.Triple(target, core("isReferenceOf"), node),
                ox.Triple(target, core("hasWording"), ox.Literal(str(_need(reference, "text")))),
                ox.Triple(target, core("hasRelation"), relation),
            ]
            places[target.value] = reference.place("text")
        yield triples, places


def _together(ability: Mapping, fields: Map[str, ox.NamedNode], vocabulary: Vocabulary) -> None:
    """See that a field which says nothing without another has that other one."""
    for key in ability:
        if key in fields:
            for other in vocabulary.objects(fields[key], core("goesWith")):
                name = next(name for name, prop in fields.items() if prop == other)
                if name not in ability:
                    hint = f"write both: {key}: …, {name}: …"
                    raise DataError("D103", f"'{key}' needs '{name}'", place=ability.place(key), hint=hint)


def _relation(reference: Mapping, vocabulary: Vocabulary) -> ox.NamedNode:
    text = str(_need(reference, "relation"))
    known = {
        iri.value.rsplit("/", 1)[1]: iri
        for iri in vocabulary.below(core("interactsWith"), ox.NamedNode(RDFS + "subPropertyOf"))
    }
    if text not in known:
        raise DataError(
            "D104",
            f"unknown relation '{text}'",
            place=reference.place("relation"),
            suggestions=close_to(text, known),
            hint=f"known: {', '.join(sorted(known))}",
        )
    return known[text]


def _values(card: Mapping, key: str, prop: ox.NamedNode, vocabulary: Vocabulary) -> list[ox.NamedNode | ox.Literal]:
    value = card[key]
    if is_translated(prop, vocabulary):
        return _translations(card, key)
    items = value if isinstance(value, list) else [value]
    datatype = vocabulary.datatype_of(prop)
    result: list[ox.NamedNode | ox.Literal] = []
    for item in items:
        if item is None or isinstance(item, list | dict) or (isinstance(item, str) and not item.strip()):
            raise DataError("D103", f"'{key}' is empty or nested", place=card.place(key))
        if datatype is None:
            kinds = [kind for kind in vocabulary.objects(prop, RANGE) if isinstance(kind, ox.NamedNode)]
            result.append(
                vocabulary.find(str(item), kinds[0] if kinds else core("Classifier"), card.place(key), what=key)
            )
        elif datatype == _INTEGER.value:
            if not isinstance(item, int) or isinstance(item, bool):
                raise DataError("D103", f"'{key}' is a whole number, not '{item}'", place=card.place(key))
            result.append(ox.Literal(str(item), datatype=_INTEGER))
        elif datatype == _BOOLEAN.value:
            result.append(_boolean(card, key))
        else:
            result.append(ox.Literal(str(item)))
    return result


def _translations(card: Mapping, key: str) -> list[ox.NamedNode | ox.Literal]:
    """Return the texts in a mapping from language tags to a text, or to a list of them."""
    given = card[key]
    if not isinstance(given, Mapping):
        raise DataError("D103", f"'{key}' is a mapping from languages, such as {{ja: …}}", place=card.place(key))
    result: list[ox.NamedNode | ox.Literal] = []
    for language, value in given.items():
        texts = value if isinstance(value, list) else [value]
        if not _LANGUAGE.fullmatch(language) or not texts or not all(isinstance(t, str) and t.strip() for t in texts):
            raise DataError("D103", f"'{language}: …' is no text in a language", place=given.place(language))
        result += [ox.Literal(text, language=language) for text in texts]
    return result


def _boolean(card: Mapping, key: str) -> ox.Literal:
    if not isinstance(card[key], bool):
        raise DataError("D103", f"'{key}' is true or false, not '{card[key]}'", place=card.place(key))
    return ox.Literal("true" if card[key] else "false", datatype=_BOOLEAN)


def _need(mapping: Mapping, key: str) -> Any:
    value = mapping.get(key)
    if value is None or value == "":
        raise DataError("D103", f"'{key}' is missing", place=mapping.place(key))
    return value


def _only(mapping: Mapping, keys: tuple[str, ...]) -> None:
    for key in mapping:
        if key not in keys:
            raise DataError(
                "D105",
                f"unknown field '{key}'",
                place=mapping.place(key),
                suggestions=close_to(key, keys),
                hint=f"fields: {', '.join(keys)}",
            )
