"""Measures the index of a card pool: `python benchmarks/pool.py [FOLDER] [--grow 1,4]`.

FOLDER (by default ../shared/fixtures/mtg) holds AtomicCards-known.json.gz and gold/dev.jsonl. All distinct references
that are read from the gold phrases are matched with the whole pool: on the index, by bare numpy operations on the same
bits (what is open counts as met), and, for a sample, by one SPARQL query each. With --grow, the pool is built once for
every number given, with so many renamed copies of each card, each time in a process of its own. Needs numpy.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from timing import best, timed

from reasoner.errors import CardloreError
from reasoner.importing.run import import_file
from reasoner.index.opening import PoolIndex, open_index
from reasoner.index.pool import IndexedView
from reasoner.knowledge.base import open_base
from reasoner.knowledge.pools import find_pool
from reasoner.operations.poolmatch import match_pool
from reasoner.paths import library
from reasoner.reference.interpret import interpret_all
from reasoner.reference.mentiongraph import NOWHERE
from reasoner.reference.selector import All, Compare, Has, Not, Selector, atoms
from reasoner.terms.namespaces import core, graph

ROOT = Path(__file__).resolve().parent.parent
GAME, FORM, RUNS, SAMPLE = "mtg", "mtgjson", 5, 40
TEXT = "creature card with mana value 3 or less from your graveyard"
SIGNS = {"AtMost": "<=", "AtLeast": ">=", "MoreThan": ">", "LessThan": "<", "Exactly": "="}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared" / "fixtures" / "mtg")
    parser.add_argument("--grow", default="")
    parser.add_argument("--built", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.built:
        print_build()
        return
    cards = chosen.folder / "AtomicCards-known.json.gz"
    if not cards.is_file():
        print(f"no card data in {chosen.folder}: nothing to measure", file=sys.stderr)
        return
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; all times are processor time")
    with tempfile.TemporaryDirectory() as place:
        os.environ["CARDLORE_POOLS"], os.environ["CARDLORE_CACHE"] = f"{place}/pools", f"{place}/cache"
        import_file(library(ROOT), FORM, cards, name="bench")
        print("build of the pool:", built())
        print_references(chosen.folder / "gold" / "dev.jsonl")
        print_command()
    for times in [int(one) for one in chosen.grow.split(",") if one]:
        with tempfile.TemporaryDirectory() as place:
            os.environ["CARDLORE_POOLS"], os.environ["CARDLORE_CACHE"] = f"{place}/pools", f"{place}/cache"
            path = Path(place) / "cards.json.gz"
            replicate(cards, path, times)
            import_file(library(ROOT), FORM, path, name="bench")
            print(f"{times:>3} x the pool:", built())


def built() -> str:
    """Build the index in a process of its own, and return what that says."""
    command = [sys.executable, __file__, "--built"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def print_build() -> None:
    """Build the index, open it again, and print time and memory."""
    pool = find_pool(GAME, "bench")
    first = timed(lambda: open_index(library(ROOT), GAME, None, pool))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    again = timed(lambda: open_index(library(ROOT), GAME, None, pool))
    print(f"{pool.counts['cards']:,} cards, {first:.1f} s, {memory:,.0f} MB at most; opened again {again:.2f} s")


def replicate(source: Path, target: Path, times: int) -> None:
    """Write the cards of `source` so many times, those of each copy under names of their own."""
    with gzip.open(source, "rt", encoding="utf-8") as file:
        whole = json.load(file)
    data = dict(whole["data"])
    for number in range(2, times + 1):
        for name, faces in whole["data"].items():
            data[renamed(name, number)] = [
                {**face, **{key: renamed(face[key], number) for key in ("name", "faceName") if key in face}}
                for face in faces
            ]
    with gzip.open(target, "wt", encoding="utf-8", compresslevel=1) as file:
        json.dump({**whole, "data": data}, file)


def renamed(name: str, number: int) -> str:
    """Return the name of a copy."""
    return " // ".join(f"{part} {number}" for part in name.split(" // "))


def references(index: PoolIndex, gold: Path) -> list[Selector]:
    """Return the distinct selectors of the phrases that can be read."""
    readings = []
    for line in gold.read_text(encoding="utf-8").splitlines():
        try:
            readings += index.base.read(json.loads(line)["phrase"])
        except CardloreError:
            continue
    found = interpret_all(readings, NOWHERE, index.base, index.surroundings)
    read = [one for one in found if not isinstance(one, CardloreError)]
    return list(dict.fromkeys(meaning.selector for one in read for meaning in one.interpretations))


def print_references(gold: Path) -> None:
    """Print how long it takes to match all references, in three ways."""
    index = open_index(library(ROOT), GAME, None, find_pool(GAME, "bench"))
    sought = references(index, gold)
    view = index.views[0]
    cold = timed(lambda: [view.extension(one) for one in sought])
    formulas = [view.prepare(one) for one in sought]
    ours = best(lambda: [view.evaluate(one) for one in formulas], RUNS)
    matches = sum(view.extension(one).open.bit_count() for one in sought)
    print(f"{len(sought):,} distinct references of {gold.name} x {len(index.cards):,} cards, {matches:,} matches")
    print(f"  index        {ours * 1000:9.1f} ms  (first time, from disk: {cold * 1000:.0f} ms)")
    try:
        bare = numpy_time(view, sought)
        print(f"  bare numpy   {bare * 1000:9.1f} ms  index / numpy = {ours / bare:.2f}")
    except ImportError:
        print("  bare numpy   not measured: numpy is not installed")
    step = max(1, len(sought) // SAMPLE)
    seconds, alike, asked = sparql_time(view, sought[::step])
    whole = seconds / asked * len(sought)
    print(
        f"  SPARQL       {whole:9.1f} s   by {asked} of them; SPARQL / index = {whole / ours:,.0f}; same cards: {alike}"
    )


def numpy_time(view: IndexedView, sought: list[Selector]) -> float:
    """Return how long bare numpy takes for the same selectors, with all atoms and formulas ready."""
    import numpy as np

    size = (view.everyone.bit_length() + 63) // 64 * 8
    arrays: dict[Selector, Any] = {}

    def bits(cards: int) -> Any:
        return np.frombuffer(cards.to_bytes(size, "little"), dtype=np.uint64)

    def formula(selector: Selector) -> Any:
        if isinstance(selector, Has | Compare | Not):
            if selector not in arrays:
                arrays[selector] = bits(view.extension(selector).open)
            return arrays[selector]
        return isinstance(selector, All), [formula(part) for part in selector.parts]

    def evaluate(one: Any) -> Any:
        if not isinstance(one, tuple):
            return one
        every, parts = one
        found = everyone if every else nobody
        for part in parts:
            found = found & evaluate(part) if every else found | evaluate(part)
        return found

    everyone, nobody = bits(view.everyone), bits(0)
    formulas = [formula(one) for one in sought]
    return best(lambda: [evaluate(one) for one in formulas], RUNS)


def sparql_time(view: IndexedView, sought: list[Selector]) -> tuple[float, str, int]:
    """Return how long SPARQL takes for some references, of how many it finds the same cards, and how many they are."""
    base = open_base(library(ROOT), GAME, None, find_pool(GAME, "bench"))
    graphs = [*base.pool_graphs, graph(GAME, "pool")]
    spent, alike = 0.0, 0
    for one in sought:
        query = f"SELECT DISTINCT ?card {{ ?card {core('hasOwnCard')} ?card . {pattern(one, view, [0])} }}"
        start = time.process_time()
        rows = list(base.store.query(query, default_graph=graphs))
        spent += time.process_time() - start
        alike += len(rows) == view.extension(one).open.bit_count()
    return spent, f"{alike} of {len(sought)}", len(sought)


def pattern(selector: Selector, view: IndexedView, used: list[int]) -> str:
    """Return the graph pattern of a selector; what is open of all cards asks for nothing."""
    if isinstance(selector, All):
        return " ".join(pattern(part, view, used) for part in selector.parts)
    if not isinstance(selector, Has | Compare | Not):
        return " UNION ".join(f"{{ {pattern(part, view, used)} }}" for part in selector.parts) or "FILTER(false)"
    if view.extension(selector).open == view.everyone:
        return ""
    atom = next(atoms(selector))
    if isinstance(atom, Has):
        text = f"?card <{atom.characteristic}> {atom.value} ."
        return f"FILTER NOT EXISTS {{ {text} }}" if isinstance(selector, Not) else text
    used[0] += 1
    test = f"?n{used[0]} {SIGNS[atom.comparison]} {atom.number}"
    denied = "!" if isinstance(selector, Not) else ""
    return f"?card <{atom.characteristic}> ?n{used[0]} . FILTER({denied}({test}))"


def print_command() -> None:
    """Print how long one match takes in a running process, and as a command."""
    index = open_index(library(ROOT), GAME, None, find_pool(GAME, "bench"))
    match_pool(index, "creature card")
    warm = timed(lambda: match_pool(index, TEXT))
    command = [sys.executable, "-m", "reasoner", "match", GAME, TEXT, "--pool", "bench"]
    before, clock = children(), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    took = time.perf_counter() - clock
    print(f"match, text not seen before: in-process {warm * 1000:.1f} ms; command {children() - before:.2f} s", end="")
    print(f" ({took:.2f} s by the clock)")


def children() -> float:
    """Return the processor time of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
