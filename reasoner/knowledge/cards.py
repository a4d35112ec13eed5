"""Card files: YAML in, triples out. Which fields exist and what they may hold comes from the game's terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from reasoner.errors import CardloreError, DataError, Place, close_to, raise_all
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.yamlfile import Mapping, Sequence, read_yaml
from reasoner.paths import files_in
from reasoner.terms.namespaces import RDFS, TYPE, XSD, core, game_base

STRUCTURE = ("id", "abilities")
_ID = re.compile(r"[a-z0-9][a-z0-9-]*")
_RANGE = ox.NamedNode(RDFS + "range")
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
    known = (*STRUCTURE, *sorted(vocabulary.card_fields))
    for key in card:
        if key not in known:
            raise DataError(
                "D105",
                f"unknown field '{key}'",
                place=card.place(key),
                suggestions=close_to(key, known),
                hint=f"fields: {', '.join(known)}",
            )
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
    _need(card, "name"), _need(card, "type")
    triples = [
        ox.Triple(iri, TYPE, core("Card")),
        ox.Triple(iri, core("isInGame"), ox.NamedNode(game_base(game).rstrip("/"))),
    ]
    for key in card:
        if key in vocabulary.card_fields:
            prop = vocabulary.card_fields[key]
            triples.extend(ox.Triple(iri, prop, value) for value in _values(card, key, prop, vocabulary))
    places = {iri.value: card.place()}
    for ability_triples, ability_places in _abilities(card, iri, vocabulary):
        triples.extend(ability_triples)
        places.update(ability_places)
    facts.triples.extend(triples)
    facts.places.update(places)
    facts.cards.append(iri)
    return iri


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
    items = value if isinstance(value, list) else [value]
    datatype = vocabulary.datatype_of(prop)
    result: list[ox.NamedNode | ox.Literal] = []
    for item in items:
        if item is None or isinstance(item, list | dict) or (isinstance(item, str) and not item.strip()):
            raise DataError("D103", f"'{key}' is empty or nested", place=card.place(key))
        if datatype is None:
            kinds = [kind for kind in vocabulary.objects(prop, _RANGE) if isinstance(kind, ox.NamedNode)]
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
