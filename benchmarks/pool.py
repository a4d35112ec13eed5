"""Measures import, build, index and queries of a card pool: `python benchmarks/pool.py [FOLDER]`.

FOLDER (by default ../shared/fixtures/mtg) holds AtomicCards-known.json.gz and gold/dev.jsonl. The cards are imported
and the store of the pool is built with all texts read, by the commands that a user would give. All distinct references
that are read from the gold phrases are matched with the whole pool: on the index, by bare numpy operations on the same
bits (what is open counts as met), and, for a sample, by one SPARQL query each. numpy is needed for the comparison.
How the build grows with the pool is measured by growth.py.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from growth import CARDS, FOLDER, FORM, GAME, POOL, ROOT, built, children, open_store, pool_of
from timing import best, timed

from reasoner.errors import CardloreError
from reasoner.importing.run import import_file
from reasoner.index.opening import open_index
from reasoner.index.pool import IndexedView
from reasoner.knowledge.base import open_base
from reasoner.knowledge.pools import find_pool
from reasoner.operations.poolmatch import match_pool
from reasoner.paths import library
from reasoner.reference.interpret import interpret_all
from reasoner.reference.mentiongraph import NOWHERE
from reasoner.reference.selector import All, Compare, Has, Not, Selector, atoms
from reasoner.terms.namespaces import core, graph

RUNS, SAMPLE = 5, 40
TEXT = "creature card with mana value 3 or less from your graveyard"
SIGNS = {"AtMost": "<=", "AtLeast": ">=", "MoreThan": ">", "LessThan": "<", "Exactly": "="}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    chosen = parser.parse_args()
    cards, gold = chosen.folder / CARDS, chosen.folder / "gold" / "dev.jsonl"
    if not (cards.is_file() and gold.is_file()):
        print(f"pool: skipped, no card data in {chosen.folder}", file=sys.stderr)
        return
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; processor time unless it says otherwise")
    with pool_of(cards, 1) as path:
        one = built(path)
        print(
            f"import and build of {find_pool(GAME, POOL).counts['cards']:,} cards, texts read: {one.clock:.0f} s by the"
            f" clock (aim: 90 s), {one.processor:.0f} s of processor, {one.memory:,} MB at most (aim: 2,000 MB)"
        )
        print_again(path)
        print_references(read_references(gold))
        print_command()
        print_query()


def print_again(cards: Path) -> None:
    """Print how long a second build with nothing changed takes."""
    again = timed(lambda: (import_file(library(ROOT), FORM, cards, name=POOL), open_store()))
    found = open_store()
    links = sum(1 for _ in found.store.quads_for_pattern(None, None, None, graph(GAME, "references")))
    size = sum(path.stat().st_size for path in found.folder.rglob("*") if path.is_file()) / 1e6
    print(f"  nothing changed: {again:.2f} s  (aim: under 1 s); {len(found.store):,} quads, {size:,.0f} MB on disk,")
    print(f"  of these {links:,} triples for references, where they stand and whom they select")


def print_query() -> None:
    """Print how long a query over the built pool takes as a command."""
    text = "SELECT (COUNT(*) AS ?n) { ?card core:isImportedAs ?as ; core:hasCardType mtg:Creature }"
    command = [sys.executable, "-m", "reasoner", "query", text, "--game", GAME, "--pool", POOL]
    before, clock = children(), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    took = time.perf_counter() - clock
    print(
        f"query over the built pool, as a command: {children() - before:.2f} s ({took:.2f} s by the clock; aim: 1.0 s)"
    )


def read_references(gold: Path) -> list[Selector]:
    """Return the distinct selectors of the phrases that can be read."""
    index = open_index(library(ROOT), GAME, None, find_pool(GAME, POOL))
    readings = []
    for line in gold.read_text(encoding="utf-8").splitlines():
        try:
            readings += index.base.read(json.loads(line)["phrase"])
        except CardloreError:
            continue
    found = interpret_all(readings, NOWHERE, index.base, index.surroundings)
    read = [one for one in found if not isinstance(one, CardloreError)]
    return list(dict.fromkeys(meaning.selector for one in read for meaning in one.interpretations))


def print_references(sought: list[Selector]) -> None:
    """Print how long it takes to match all references, in three ways."""
    index = open_index(library(ROOT), GAME, None, find_pool(GAME, POOL))
    view = index.views[0]
    cold = timed(lambda: [view.extension(one) for one in sought])
    formulas = [view.prepare(one) for one in sought]
    ours = best(lambda: [view.evaluate(one) for one in formulas], RUNS)
    matches = sum(view.extension(one).open.bit_count() for one in sought)
    print(f"{len(sought):,} distinct references x {len(index.cards):,} cards, {matches:,} matches")
    print(f"  index        {ours * 1000:9.1f} ms  (first time, from disk, preparation included: {cold * 1000:.0f} ms)")
    try:
        bare = numpy_time(view, sought)
        print(f"  bare numpy   {bare * 1000:9.1f} ms  index / numpy = {ours / bare:.2f}  (aim: at most 2)")
    except ImportError:
        print("  bare numpy   not measured: numpy is not installed")
    step = max(1, len(sought) // SAMPLE)
    seconds, alike, asked = sparql_time(view, sought[::step])
    whole = seconds / asked * len(sought)
    print(f"  SPARQL       {whole:9.1f} s   by {asked} of them; same cards: {alike};", end=" ")
    print(f"SPARQL / index = {whole / ours:,.0f}  (aim: at least 200)")


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
    base = open_base(library(ROOT), GAME, None, find_pool(GAME, POOL))
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
    index = open_index(library(ROOT), GAME, None, find_pool(GAME, POOL))
    match_pool(index, "creature card")
    warm = timed(lambda: match_pool(index, TEXT))
    command = [sys.executable, "-m", "reasoner", "match", GAME, TEXT, "--pool", POOL]
    before, clock = children(), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    took = time.perf_counter() - clock
    print(
        f"match, text not seen before: in-process {warm * 1000:.1f} ms (aim: 10); command {children() - before:.2f} s",
        end="",
    )
    print(f" ({took:.2f} s by the clock; aim: 1.0 s)")


if __name__ == "__main__":
    main()
