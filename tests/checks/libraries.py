"""Libraries to check: the product's ontology, queries and languages, and the invented game Ember with one fault."""

from __future__ import annotations

import shutil
from pathlib import Path

from reasoner.paths import Library

EMBER = Path(__file__).resolve().parent / "ember"
ROOT = Path(__file__).resolve().parents[2]

# What a file of a folder in tests/bad is to the library. Turtle is added to what is there, the rest is a file more.
_ADDED = {
    "terms.ttl": "data/ember/terms.ttl",
    "game.ttl": "data/ember/game.ttl",
    "waivers.ttl": "ontology/waivers.ttl",
}
_PUT = {
    "shapes.ttl": "data/ember/shapes.ttl",
    "cards.yaml": "data/ember/cards/bad.yaml",
    "rule.rq": "data/ember/rules/bad.rq",
    "case.yaml": "data/ember/cases/bad.yaml",
    "violation.rq": "queries/violations/bad.rq",
}


def ember(place: Path) -> Library:
    """Make a library in the empty folder `place` that holds Ember as its only game, and no waivers."""
    for folder in ("ontology", "data/languages", "queries"):
        shutil.copytree(ROOT / folder, place / folder)
    shutil.copytree(EMBER, place / "data" / "ember")
    (place / "ontology" / "waivers.ttl").write_text("", encoding="utf-8")
    return Library(place.resolve())


def with_fault(folder: Path, place: Path) -> Library:
    """Make the library of Ember in `place`, with the files in `folder`, one of tests/bad.

    Files below `instead/` replace those of the library, `remove.txt` lists files to remove, and a file that ends in
    `.latin1` is written in that encoding.
    """
    library = ember(place)
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "expected.txt"):
        text = path.read_text(encoding="utf-8")
        name = path.name.removesuffix(".latin1")
        inside = path.relative_to(folder)
        if path.name == "remove.txt":
            for line in text.splitlines():
                (place / line).unlink()
        elif inside.parts[0] == "instead":
            target = place / inside.relative_to("instead")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        elif name in _ADDED:
            with (place / _ADDED[name]).open("a", encoding="utf-8") as file:
                file.write(f"\n{text}")
        else:
            (place / _PUT[name]).write_text(text, encoding="latin-1" if name != path.name else "utf-8")
    return library
