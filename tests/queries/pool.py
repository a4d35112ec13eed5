"""A small invented pool, as a user would import it, and references that are asked of it.

Run as a program it builds the store of that pool, for tests that end it midway or run it twice.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyoxigraph as ox

from reasoner.importing.run import import_file
from reasoner.index.opening import PoolIndex
from reasoner.index.references import PoolReferences, numbered
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.pools import find_pool
from reasoner.operations.poolstore import PoolStore, open_pool_store
from reasoner.paths import Library
from reasoner.reference.selector import EVERYTHING, NOTHING, Has, Not, Selector, all_of, any_of
from reasoner.terms.namespaces import TYPE, core, game_base
from tests.checks.libraries import ember

_TERM = f"{game_base('ember')}term/"
MAPPING = """
title: cards of Ember
shapes: [{name: a list, below: data, records: cards}]
card:
  {name: name, separator: " // ", face name: faceName, face: side, faces: {a: 1}, layout: layout, one face: [normal]}
fields:
  - {field: types, property: core:printedCardType, words: true}
  - {field: subtypes, property: core:printedCardSubtype, words: true}
"""
CREATURE, SPELL, DRAGON = (Has(TYPE.value, ox.NamedNode(_TERM + name)) for name in ("Leny", "Varazs", "Sarkany"))
TIRED = Has(core("hasStatus").value, ox.NamedNode(_TERM + "Tired"))
SELECTORS: tuple[Selector, ...] = (
    CREATURE,
    SPELL,
    DRAGON,
    Not(DRAGON),
    all_of([CREATURE, Not(DRAGON)]),
    all_of([CREATURE, TIRED]),
    any_of([SPELL, all_of([CREATURE, Not(TIRED)])]),
    any_of([TIRED, Not(TIRED)]),
    Has(core("is").value, ox.NamedNode(game_base("ember") + "card/dragon")),
    EVERYTHING,
    NOTHING,
)


def read_some(_base: KnowledgeBase, _index: PoolIndex) -> PoolReferences:
    """Return references such as texts would give, and where one of them occurs."""
    found = numbered("ember", SELECTORS)
    first = next(iter(found))
    line = f"<urn:occurrence> <urn:isOccurrenceOf> <{first}> .\n"
    return PoolReferences(found, [line])


def library_at(place: Path) -> Library:
    """Make a library of Ember with a format to import, and import 100 cards as the pool `many`."""
    library = ember(place)
    imports = place / "data" / "ember" / "imports"
    imports.mkdir()
    (imports / "list.yaml").write_text(MAPPING, encoding="utf-8")
    kinds = [(["creature"], []), (["creature"], ["dragon"]), (["spell"], [])]
    cards = [
        {"name": f"Lap {number}", "layout": "normal", "types": types, "subtypes": subtypes}
        for number in range(100)
        for types, subtypes in [kinds[number % 7 % 3]]
    ]
    path = place / "many.json"
    path.write_text(json.dumps({"data": {"cards": cards}}), encoding="utf-8")
    import_file(library, "list", path)
    return library


def store_of(library: Library) -> PoolStore:
    """Return the store of the pool."""
    return open_pool_store(library, "ember", find_pool("ember", "many"), None, (), read_some)


if __name__ == "__main__":
    print(len(store_of(Library(Path(sys.argv[1]))).store))
