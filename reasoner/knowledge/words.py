"""The words of a game, taken from the labels of its terms and the names of its cards, for the lexicon."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

import pyoxigraph as ox

from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.language.lexicon import Entry
from reasoner.terms.namespaces import TYPE, core

# Kinds of terms whose labels are words, and the grammar class of these.
_KINDS = {
    "Quantity": "QUANTITY",
    "QuantityPair": "PAIR",
    "ObjectKind": "KIND",
    "Quality": "QUALITY",
    "Feature": "FEATURE",
    "Circumstance": "CIRCUMSTANCE",
    "Relation": "RELATION",
    "Keyword": "KEYWORD",
}


def game_entries(
    vocabulary: Vocabulary, names: Iterable[str], language: str, classes: frozenset[str] = frozenset()
) -> list[Entry]:
    """Return lexicon entries for every classifier, status, zone and quantity, and for card `names`.

    Where the grammar names the `classes` SUBTYPE and so on, words are told apart that else are of one class.
    """
    entries = []
    types = {iri for kind in ("CardType", "CardSubtype") for iri in vocabulary.instances(core(kind))}
    subtypes, kinds = vocabulary.instances(core("CardSubtype")), vocabulary.instances(core("ObjectKind"))
    for iri in vocabulary.instances(core("Classifier")):
        if "KIND" in classes and iri in kinds:
            continue
        kind = "SUBTYPE" if "SUBTYPE" in classes and iri in subtypes else "TYPE" if iri in types else "CLASSIFIER"
        entries += _named(vocabulary, iri, language, kind)
    for iri in vocabulary.instances(core("Status")):
        entries += _named(vocabulary, iri, language, "STATUS")
        for value in vocabulary.objects(iri, core("deniedLabel")):
            if isinstance(value, ox.Literal) and value.language == language:
                entries.append(_entry(value.value, "STATUS", iri.value, denied=True))
    for iri in vocabulary.instances(core("Zone")):
        entries += _named(vocabulary, iri, language, "ZONE")
    for kind, grammar_class in _KINDS.items():
        for iri in vocabulary.instances(core(kind)) if grammar_class in ("QUANTITY", *classes) else ():
            entries += _named(vocabulary, iri, language, grammar_class)
    return entries + name_entries(names)


def name_entries(names: Iterable[str]) -> list[Entry]:
    """Return lexicon entries for card names, each name once."""
    return translated_entries({name: name for name in names})


def translated_entries(names: Mapping[str, str]) -> list[Entry]:
    """Return lexicon entries for what is written for card names, by the spelling: the name that counts."""
    return [
        Entry(lexeme=spelling.casefold(), spelling=spelling, grammar_class="NAME", name=name)
        for spelling, name in names.items()
    ]


def languages_of(vocabulary: Vocabulary, game: ox.NamedNode) -> tuple[str, ...]:
    """Return the languages in which the cards of `game` are worded, that of its rules first."""
    found = {one.value for one in vocabulary.objects(game, core("textLanguage")) if isinstance(one, ox.Literal)}
    first = {one.value for one in vocabulary.objects(game, core("sourceLanguage")) if isinstance(one, ox.Literal)}
    return tuple(sorted(found, key=lambda code: (code not in first, code))) or ("en",)


def is_a(vocabulary: Vocabulary, iri: ox.NamedNode, kind: str) -> bool:
    """Return whether `iri` is an individual of the core class `kind`."""
    return iri in vocabulary.instances(core(kind)) or core(kind) in vocabulary.objects(iri, TYPE)


def _named(vocabulary: Vocabulary, iri: ox.NamedNode, language: str, grammar_class: str) -> list[Entry]:
    return [_entry(name, grammar_class, iri.value) for name in vocabulary.names(iri).get(language, ())]


def _entry(spelling: str, grammar_class: str, iri: str, *, denied: bool = False) -> Entry:
    text = unicodedata.normalize("NFC", spelling)
    return Entry(
        lexeme=text.casefold(), spelling=text, grammar_class=grammar_class, denotes=(iri,), name=None, denied=denied
    )
