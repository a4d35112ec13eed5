"""What a case notes of an object beyond its statuses: which face is up, a number that was chosen.

The keys and what they may hold come from the ontology (core:objectField and rdfs:range).
"""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox

from reasoner.errors import CaseError, close_to
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.yamlfile import Mapping
from reasoner.situation.state import Object, integer
from reasoner.terms.lookup import Value, values
from reasoner.terms.namespaces import RANGE, XSD, core

# Names for faces that need no knowledge of the card; a face can also be called by its name.
_FACES = {"front": 1, "back": 2}


def object_fields(vocabulary: Vocabulary) -> dict[str, ox.NamedNode]:
    """Return the properties that a case may note of an object, by their keys."""
    return {key.value: iri for iri, key in vocabulary.pairs(core("objectField")) if isinstance(key, ox.Literal)}


def apply_notes(one: Object, entry: Mapping, base: KnowledgeBase, store: ox.Store) -> Object:
    """Return the object with everything noted that `entry` states; `store` holds the cards in play.

    Raises:
        CaseError: C103 a value of the wrong kind, C104 an unknown face or term.
    """
    for key, prop in object_fields(base.vocabulary).items():
        if key in entry:
            one = one.with_note(prop, _value(one, key, prop, entry, base, store))
    return one


def whole_number(given: Any, key: str, entry: Mapping, least: int | None = None) -> int:
    """Return what is `given` under `key`, if it is a whole number, and not less than the `least` there can be.

    Raises:
        CaseError: C103 if it is not.
    """
    if not isinstance(given, int) or isinstance(given, bool):
        raise CaseError("C103", f"'{key}' is a whole number, not '{given}'", place=entry.place(key))
    if least is not None and given < least:
        raise CaseError("C103", f"'{key}' is at least {least}, not {given}", place=entry.place(key))
    return given


def faces(card: ox.NamedNode, base: KnowledgeBase, store: ox.Store) -> dict[int, ox.NamedNode]:
    """Return the faces of a card by their numbers."""
    graph = base.base[-1]
    found = {}
    for face in values(store, card, core("hasFace"), graph):
        if isinstance(face, ox.NamedNode):
            for number in values(store, face, core("faceNumber"), graph):
                found[int(number.value)] = face
    return dict(sorted(found.items()))


def _value(one: Object, key: str, prop: ox.NamedNode, entry: Mapping, base: KnowledgeBase, store: ox.Store) -> Value:
    given: Any = entry[key]
    datatype = base.vocabulary.datatype_of(prop)
    if datatype == XSD + "integer":
        return integer(whole_number(given, key, entry))
    if datatype is not None:
        return ox.Literal(str(given))
    kinds = [kind for kind in base.vocabulary.objects(prop, RANGE) if isinstance(kind, ox.NamedNode)]
    if core("Face") in kinds:
        return _face(one, key, entry, base, store)
    return base.vocabulary.find(str(given), kinds[0], entry.place(key), what=key, error=CaseError, code="C104")


def _face(one: Object, key: str, entry: Mapping, base: KnowledgeBase, store: ox.Store) -> ox.NamedNode:
    known = faces(one.card, base, store)
    graph = base.base[-1]
    called = {word: known[number] for word, number in _FACES.items() if number in known}
    for prop in ("printedName", "translatedName"):
        called |= {name.value: face for face in known.values() for name in values(store, face, core(prop), graph)}
    if str(entry[key]) not in called:
        raise CaseError(
            "C104",
            f"the card of '{one.piece}' has no face '{entry[key]}'",
            place=entry.place(key),
            suggestions=close_to(str(entry[key]), called),
            hint=f"faces: {', '.join(called) or 'the card has none'}",
        )
    return called[str(entry[key])]
