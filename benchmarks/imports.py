"""Measures imports of card data: `python benchmarks/imports.py [FOLDER]`, MTGJSON files in FOLDER and its `sets/`.

FOLDER is by default ../shared/fixtures/mtg. Each file is imported, from reading it to a pool on disk, then loaded
into a store; beside it `json.load` and the making of the same triples one by one in pyoxigraph. Processor
time, best of 3.
The figures to the right: the rules run over the pool, and the pool opened again from the cache.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import tempfile
from pathlib import Path

import pyoxigraph as ox
from timing import best, timed

from reasoner.importing.run import import_file
from reasoner.knowledge.base import open_base
from reasoner.knowledge.pools import CARDS, Pool, find_pool
from reasoner.paths import library

ROOT = Path(__file__).resolve().parent.parent
GAME, FORM, RUNS = "mtg", "mtgjson", 3
COLUMNS = ("file", "cards", "triples", "import", "json.load + triples", "ratio", "rules", "from the cache")


def main() -> None:
    """Print one line for each file."""
    named = sys.argv[1:]
    folder = Path(named[0]) if named else ROOT.parent / "shared" / "fixtures" / "mtg"
    files = [folder / "sets" / "ZNR.json", *sorted(folder.glob("AtomicCards*.json.gz"))]
    print("  ".join(f"{name:>20}" for name in COLUMNS))
    for path in files:
        if path.is_file():
            print("  ".join(f"{cell:>20}" for cell in measure(path)))
        else:
            print(f"no such file: {path}", file=sys.stderr)


def measure(path: Path) -> tuple[str, ...]:
    """Return the cells of the line of one file."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["CARDLORE_POOLS"], os.environ["CARDLORE_CACHE"] = f"{place}/pools", f"{place}/cache"
        ours = best(lambda: imported(path, place), RUNS)
        pool = find_pool(GAME, "bench")
        lines = [(str(t.subject.value), t.predicate.value, t.object) for t in triples(pool)]
        theirs = best(lambda: baseline(path, lines), RUNS)
        rules = timed(lambda: open_base(library(ROOT), GAME, None, pool))
        again = timed(lambda: open_base(library(ROOT), GAME, None, pool))
    return (
        path.name,
        f"{pool.counts['cards']:,}",
        f"{len(lines):,}",
        f"{ours * 1000:.0f} ms",
        f"{theirs * 1000:.0f} ms",
        f"{ours / theirs:.2f}",
        f"{rules:.1f} s",
        f"{again:.1f} s",
    )


def imported(path: Path, place: str) -> None:
    """Import the file anew and load what came of it."""
    for old in Path(place).glob(f"pools/{GAME}/*/*"):
        old.unlink()
    import_file(library(ROOT), FORM, path, name="bench")
    ox.Store().bulk_load(find_pool(GAME, "bench").read(CARDS), format=ox.RdfFormat.N_TRIPLES)


def triples(pool: Pool) -> list[ox.Triple]:
    """Return the triples of a pool."""
    return [quad.triple for quad in ox.parse(pool.read(CARDS), format=ox.RdfFormat.N_TRIPLES)]


def baseline(path: Path, lines: list[tuple[str, str, ox.NamedNode | ox.Literal]]) -> None:
    """Read the file with `json.load`, and make the triples from plain texts."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        json.load(file)
    store = ox.Store()
    store.extend(ox.Quad(ox.NamedNode(subject), ox.NamedNode(verb), made(value)) for subject, verb, value in lines)


def made(value: ox.NamedNode | ox.Literal) -> ox.NamedNode | ox.Literal:
    """Return a term made anew."""
    if isinstance(value, ox.NamedNode):
        return ox.NamedNode(value.value)
    if value.language:
        return ox.Literal(value.value, language=value.language)
    return ox.Literal(value.value, datatype=value.datatype)


if __name__ == "__main__":
    main()
