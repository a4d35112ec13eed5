"""JSON Schemas of card and case files, filled with the words of a game, for editors that validate as you type.

The game.ttl of a game is Turtle: what it must have is told by SHACL shapes instead.

Source: JSON Schema draft 2020-12.
"""

from __future__ import annotations

import json
from typing import Any

import pyoxigraph as ox

from reasoner.errors import UseError, close_to
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.knowledge.cards import is_printed, is_translated
from reasoner.operations.casefile import EXPECT_KEYS
from reasoner.paths import Library
from reasoner.situation.events import SEVERAL, events_of
from reasoner.situation.given import OBJECT_KEYS, status_fields
from reasoner.situation.notes import object_fields
from reasoner.terms.namespaces import NATURAL, RANGE, SUBPROPERTY, WHOLE_NUMBERS, core

GAME = "game"
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_ANSWER = {"oneOf": [{"type": "boolean"}, {"type": "string", "pattern": "^(yes|no|no-value|unsettled|when .+)$"}]}


def schema_text(what: str, library: Library, game: str | None = None) -> str:
    """Return the schema of a "case" or "card" file as JSON, or the shapes of a "game" (its game.ttl) as Turtle.

    Raises:
        UseError: U109 an unknown kind of file, U101 an unknown game.
    """
    if game is not None:
        library.game(game)
    if what == GAME:
        return (library.ontology / "shapes" / "games.ttl").read_text(encoding="utf-8").rstrip("\n")
    return json.dumps(schema_of(what, library, game), ensure_ascii=False, indent=2)


def schema_of(what: str, library: Library, game: str | None = None) -> dict[str, Any]:
    """Return the JSON Schema of a "case" or "card" file; with `game`, its words are listed.

    Raises:
        UseError: U109 an unknown kind of file, U101 an unknown game.
    """
    makers = {"case": _case, "card": _card_file}
    if what not in makers:
        kinds = (*makers, GAME)
        raise UseError(
            "U109", f"no schema for '{what}'", suggestions=close_to(what, kinds), hint=f"one of: {', '.join(kinds)}"
        )
    bases = [open_base(library, name) for name in ([game] if game else library.games())]
    return {"$schema": _DRAFT, "title": f"Cardlore {what} file", **makers[what](bases)}


def _card_file(bases: list[KnowledgeBase]) -> dict[str, Any]:
    return _object({"cards": {"type": "array", "items": {"anyOf": [_card(base) for base in bases]}}}, ["cards"])


def _card(base: KnowledgeBase) -> dict[str, Any]:
    vocabulary = base.vocabulary
    fields: dict[str, Any] = {"id": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$"}}
    fields |= {key: _values(base, prop) for key, prop in sorted(vocabulary.card_fields.items())}
    relations = _relations(base)
    reference = _object(
        {"text": {"type": "string", "minLength": 1}, "relation": {"enum": relations}}, ["text", "relation"]
    )
    ability = {"id": fields["id"], "references": {"type": "array", "items": reference}}
    ability |= {key: _values(base, prop) for key, prop in sorted(vocabulary.ability_fields.items())}
    fields["abilities"] = {"type": "array", "items": _object(ability, [])}
    inner = {key: one for key, one in fields.items() if key == "abilities" or _is_on_faces(base, key)}
    face = _object(inner, ["name", "type"])
    fields["faces"] = {"type": "array", "items": face, "minItems": 2}
    whole = _object(fields, ["id"])
    return whole | {"anyOf": [{"required": ["name", "type"]}, {"required": ["layout", "faces"]}]}


def _relations(base: KnowledgeBase) -> list[str]:
    below = base.vocabulary.below(core("interactsWith"), SUBPROPERTY)
    return sorted(iri.value.rsplit("/", 1)[1] for iri in below)


def _is_on_faces(base: KnowledgeBase, key: str) -> bool:
    prop = base.vocabulary.card_fields.get(key)
    return prop is not None and is_printed(prop, base.vocabulary)


def _values(base: KnowledgeBase, prop: ox.NamedNode) -> dict[str, Any]:
    if is_translated(prop, base.vocabulary):
        text = {"type": "string", "minLength": 1}
        return {"type": "object", "additionalProperties": {"anyOf": [text, {"type": "array", "items": text}]}}
    datatype = base.vocabulary.datatype_of(prop)
    if datatype is None:
        kinds = [kind for kind in base.vocabulary.objects(prop, RANGE) if isinstance(kind, ox.NamedNode)]
        one: dict[str, Any] = {"enum": sorted(base.vocabulary.labelled(kinds[0])) if kinds else []}
    else:
        one = {"type": {"integer": "integer", "boolean": "boolean"}.get(datatype.rsplit("#", 1)[1], "string")}
    return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


def _case(bases: list[KnowledgeBase]) -> dict[str, Any]:
    events = [event for base in bases for event in _events(base)]
    events.append(_object({"refer to": {"type": "string"}, "as": {"type": "string"}}, ["refer to"]))
    unique = list({str(event): event for event in events}.values())
    members = {"type": "object", "additionalProperties": _ANSWER}
    properties: dict[str, Any] = {
        "match": {"type": "string"},
        "condition": _named(bases, "PlayerState", "A state of the player that 'of' names, or a text."),
        "members": members,
        "answer": _ANSWER,
    }
    text, texts = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
    properties |= {
        "on": text,
        "antecedent": text,
        "error": text,
        "note": text,
        "by": texts,
        "reveals": texts,
        **{key: {"type": "integer", "minimum": 1} for key in ("reading", "readings")},
    }
    properties |= {
        "value": _named(bases, "Quantity", "A quantity of the object or player that 'of' names."),
        "of": text,
        "is": {"anyOf": [{"type": "integer"}, {"enum": ["no-value", "unsettled"]}]},
    }
    ability = {"anyOf": [text, texts]}
    relations = sorted({name for base in bases for name in _relations(base)})
    roles = {"anyOf": [{"enum": relations}, {"type": "array", "items": {"enum": relations}}]}
    properties |= {
        "text": {"type": "string", "description": "A whole text, or a sentence of one, as it stands on a card."},
        "lang": {"type": "string", "description": "The language of the text, by its code."},
        "references": {
            "type": "object",
            "additionalProperties": roles,
            "description": "Every reference in the text, by its words, with all its roles; {} for none.",
        },
        "unread": {
            "type": "array",
            "items": {"type": "string"},
            "description": "What of the text is not understood. Left out: all of it is.",
        },
        "seats": {
            "type": "object",
            "additionalProperties": text,
            "description": "Who fills which seat, where seats give the value: the name of each seat filled, and an id.",
        },
        "others": {"type": "boolean", "description": "Whether as many seats could be filled otherwise."},
        "triggers": {"type": "object", "additionalProperties": ability},
        "takes effect": {"type": "boolean"},
    }
    expects = [_object({key: properties[key] for key in keys}, [kind]) for kind, keys in EXPECT_KEYS.items() if keys]
    expects.append({"type": "object", "required": ["characteristics"]})
    step = {"oneOf": [_object({"do": {"anyOf": unique}}, ["do"]), _object({"expect": {"anyOf": expects}}, ["expect"])]}
    fields = {
        "game": {"enum": [base.game for base in bases]},
        "title": text,
        "cites": texts,
        "as-of": {"type": ["string", "integer"]},
        "note": text,
        "cards": {"type": "array", "items": {"anyOf": [_card(base) for base in bases]}},
        "given": {"anyOf": [_given(base) for base in bases]},
        "steps": {"type": "array", "items": step, "minItems": 1},
    }
    return _object(fields, ["game", "title", "given", "steps"])


def _named(bases: list[KnowledgeBase], kind: str, description: str) -> dict[str, Any]:
    """Return the schema of a text that is one of the names of a kind of term, or something else."""
    names = {name for base in bases for name in base.vocabulary.labelled(core(kind))}
    return {"type": "string", "description": description, "examples": sorted(names)}


def _given(base: KnowledgeBase) -> dict[str, Any]:
    one: dict[str, Any] = {key: {"type": "string"} for key in OBJECT_KEYS}
    one["timestamp"] = {"type": "integer"}
    one |= {key: {"type": "boolean"} for key in sorted(status_fields(base.vocabulary))}
    one |= _noted(base)
    zones = base.vocabulary.labelled(core("Zone"))
    fields: dict[str, Any] = {"players": {"type": "array", "items": {"type": "string"}, "uniqueItems": True}}
    # A zone may also be written in lower case.
    fields |= {
        name: {"type": "array", "items": _object(one, ["id", "card"])}
        for zone in zones
        for name in (zone, zone.lower())
    }
    return _object(fields, [])


def _events(base: KnowledgeBase) -> list[dict[str, Any]]:
    found = []
    statuses: dict[str, Any] = {key: {"type": "boolean"} for key in sorted(status_fields(base.vocabulary))}
    statuses |= _noted(base)
    for kind in sorted(events_of(base).values(), key=lambda one: one.key):
        keys = (kind.key, "controller", "note") if kind.names_controller else (kind.key, "note")
        fields: dict[str, Any] = {key: {"type": "string"} for key in keys}
        for key, prop in sorted(kind.parameters.items()):
            datatype = base.vocabulary.datatype_of(prop)
            one: dict[str, Any] = {"type": "integer" if datatype in WHOLE_NUMBERS else "string"}
            one |= {"minimum": 0} if datatype == NATURAL else {}
            fields[key] = {"anyOf": [one, {"type": "array", "items": one}]} if prop in SEVERAL else one
        found.append(_object(fields | (statuses if core("Move") in kind.above else {}), [kind.key]))
    return found


def _noted(base: KnowledgeBase) -> dict[str, Any]:
    """Return what a case may note of an object beyond its statuses."""
    return {
        key: {"type": "integer" if (base.vocabulary.datatype_of(prop) or "").endswith("#integer") else "string"}
        for key, prop in sorted(object_fields(base.vocabulary).items())
    }


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
