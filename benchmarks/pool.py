"""Measures the index and the store of a card pool: `python benchmarks/pool.py [FOLDER] [--grow 1,4,16]`.

FOLDER (by default ../shared/fixtures/mtg) holds AtomicCards-known.json.gz and gold/dev.jsonl. The pool is imported and
its store built by the commands that a user gives, with all texts read. All distinct references that are read from the
gold phrases are then matched with the whole pool: on the index, by bare numpy operations on the same bits (what is open
counts as met), and, for a sample, by one SPARQL query each. numpy is needed for that comparison.

With --grow, only import and build are measured, once for every number given, with so many renamed copies of each card;
a table and a plot of time and memory are printed. What would leave less than 2 GB of memory is stopped.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from timing import best, timed

from reasoner.errors import CardloreError
from reasoner.importing.run import import_file
from reasoner.index.opening import open_index
from reasoner.index.pool import IndexedView
from reasoner.knowledge.base import open_base
from reasoner.knowledge.pools import find_pool
from reasoner.operations.poolmatch import match_pool
from reasoner.operations.poolstore import PoolStore, open_pool_store
from reasoner.paths import library
from reasoner.reference.interpret import interpret_all
from reasoner.reference.mentiongraph import NOWHERE
from reasoner.reference.selector import All, Compare, Has, Not, Selector, atoms
from reasoner.terms.namespaces import core, graph

ROOT = Path(__file__).resolve().parent.parent
GAME, FORM, RUNS, SAMPLE = "mtg", "mtgjson", 5, 40
LEAST_FREE = 2_000  # MB of memory: what leaves less is stopped
UNITS = {"clock": "s", "processor": "s", "memory": "MB"}
TEXT = "creature card with mana value 3 or less from your graveyard"
SIGNS = {"AtMost": "<=", "AtLeast": ">=", "MoreThan": ">", "LessThan": "<", "Exactly": "="}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared" / "fixtures" / "mtg")
    parser.add_argument("--grow", default="")
    chosen = parser.parse_args()
    cards, gold = chosen.folder / "AtomicCards-known.json.gz", chosen.folder / "gold" / "dev.jsonl"
    if not (cards.is_file() and gold.is_file()):
        print(f"pool: skipped, no card data in {chosen.folder}", file=sys.stderr)
        return
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; processor time unless it says otherwise")
    if chosen.grow:
        print_growth(cards, [int(one) for one in chosen.grow.split(",")])
        return
    with pool_of(cards, 1) as path:
        one = built(path)
        print(
            f"import and build of {one.cards:,} cards, texts read: {one.clock:.0f} s by the clock (aim: 90),"
            f" {one.processor:.0f} s of processor, {one.memory:,} MB at most (aim: 2,000)",
            flush=True,
        )
        print_again(path)
        sought = read_references(gold)
        print_references(sought)
        print_command()
        print_query()


@contextmanager
def pool_of(cards: Path, times: int) -> Iterator[Path]:
    """Yield a file of so many copies of each card; pools and caches are kept in an empty place meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        os.environ["CARDLORE_POOLS"], os.environ["CARDLORE_CACHE"] = f"{place}/pools", f"{place}/cache"
        path = cards
        if times > 1:
            path = place / "cards.json.gz"
            # In a process of its own, so that the memory that it takes is given back.
            code = "import pool, sys; pool.replicate(pool.Path(sys.argv[1]), pool.Path(sys.argv[2]), int(sys.argv[3]))"
            command = [sys.executable, "-c", code, str(cards.resolve()), str(path), str(times)]
            subprocess.run(command, check=True, cwd=Path(__file__).parent)
        yield path


class Built(NamedTuple):
    """How a build went: cards, seconds by the clock and of processor time, memory in MB (all processes together), size.

    `size` is that of the store, in MB.
    """

    cards: int
    clock: float
    processor: float
    memory: int
    size: int


class StoppedError(Exception):
    """Too little memory was left."""


def commands(cards: Path) -> list[list[str]]:
    """Return the commands by which a user imports cards, and has their store built by a first query."""
    start = [sys.executable, "-m", "reasoner"]
    query = "SELECT (COUNT(*) AS ?n) WHERE { ?reference a core:Reference }"
    return [
        [*start, "import", FORM, str(cards), "--name", "bench"],
        [*start, "query", query, "-g", GAME, "--pool", "bench"],
    ]


def built(cards: Path) -> Built:
    """Import and build, caches empty, and return how that went.

    Raises:
        StoppedError: there was too little memory.
    """
    before, clock, memory = children(), time.perf_counter(), 0
    for command in commands(cards):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT)
        while process.poll() is None:
            members = family(process.pid)
            memory = max(memory, sum(resident(one) for one in members) // 1024)
            if free_memory() < LEAST_FREE:
                for one in reversed(members):
                    with suppress(OSError):
                        os.kill(one, signal.SIGKILL)
                process.wait()
                raise StoppedError(f"stopped after {time.perf_counter() - clock:.0f} s: {memory:,} MB were taken")
            time.sleep(0.1)
        if process.returncode:
            raise SystemExit(f"{command[3]} ended with {process.returncode}")
    took = time.perf_counter() - clock
    size = sum(path.stat().st_size for path in Path(os.environ["CARDLORE_CACHE"]).glob("*-store/store/*")) // 1_000_000
    return Built(find_pool(GAME, "bench").counts["cards"], took, children() - before, memory, size)


def print_growth(cards: Path, numbers: list[int]) -> None:
    """Print how import and build grow with the pool, as a table and as a plot."""
    print("| pool | cards | by the clock | of processor | memory at most | store on disk |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    grown: dict[int, Built] = {}
    for times in numbers:
        with pool_of(cards, times) as path:
            try:
                one = grown[times] = built(path)
                figures = (f"{one.clock:,.0f} s", f"{one.processor:,.0f} s", f"{one.memory:,} MB", f"{one.size:,} MB")
                row = f"{one.cards:,} | {' | '.join(figures)} |"
            except StoppedError as error:
                row = f"{error} | | | | |"
        print(f"| {times} x | {row}", flush=True)
    print()
    plot(grown)


def free_memory() -> int:
    """Return how many MB of memory are available (Linux; elsewhere as if there were enough)."""
    with suppress(OSError, IndexError):
        return int(Path("/proc/meminfo").read_text().split("MemAvailable:")[1].split()[0]) // 1024
    return LEAST_FREE


def family(process: int) -> list[int]:
    """Return a process and all that it began (Linux; elsewhere none)."""
    found = [process]
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            found += [one for child in path.read_text().split() for one in family(int(child))]
    return found


def resident(process: int) -> int:
    """Return how many kB a process has in memory."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{process}/status").read_text().split("VmRSS:")[1].split()[0])
    return 0


def print_again(cards: Path) -> None:
    """Print how long a second build with nothing changed takes."""

    def store() -> PoolStore:
        return open_pool_store(library(ROOT), GAME, find_pool(GAME, "bench"))

    again = timed(lambda: (import_file(library(ROOT), FORM, cards, name="bench"), store()))
    found = store()
    links = sum(1 for _ in found.store.quads_for_pattern(None, None, None, graph(GAME, "references")))
    size = sum(path.stat().st_size for path in found.folder.rglob("*") if path.is_file()) / 1e6
    print(f"  nothing changed: {again:.2f} s  (aim: under 1 s); {len(found.store):,} quads, {size:,.0f} MB on disk,")
    print(f"  of these {links:,} triples tell of references: where they stand, and whom they select")


def print_query() -> None:
    """Print how long a query over the built pool takes as a command."""
    text = "SELECT (COUNT(*) AS ?n) { ?card core:isImportedAs ?as ; core:hasCardType mtg:Creature }"
    command = [sys.executable, "-m", "reasoner", "query", text, "--game", GAME, "--pool", "bench"]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    before, clock = children(), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    took = time.perf_counter() - clock
    print(
        f"query over the built pool, as a command: {children() - before:.2f} s ({took:.2f} s by the clock; aim: 1.0 s)"
    )


def plot(grown: dict[int, Built]) -> None:
    """Print time and memory as bars."""
    for name in ("clock", "processor", "memory"):
        values = {times: getattr(one, name) for times, one in grown.items()}
        most = max(values.values(), default=1) or 1
        print({"clock": "by the clock", "processor": "of processor", "memory": "memory at most"}[name])
        for times, value in values.items():
            print(f"{times:>4} x  {'#' * max(1, round(50 * value / most)):<50} {value:,.0f} {UNITS[name]}")


def replicate(source: Path, target: Path, times: int) -> None:
    """Write the cards of `source` so many times, those of each copy under names of their own."""
    with gzip.open(source, "rt", encoding="utf-8") as file:
        whole = json.load(file)
    data = whole["data"]
    with gzip.open(target, "wt", encoding="utf-8", compresslevel=1) as file:
        file.write(f'{{"meta": {json.dumps(whole.get("meta", {}))}, "data": {{')
        for number in range(1, times + 1):
            for name, faces in data.items():
                first = number == 1 and name == next(iter(data))
                copies = faces if number == 1 else [copied(face, number) for face in faces]
                file.write(f"{'' if first else ', '}{json.dumps(renamed(name, number))}: {json.dumps(copies)}")
        file.write("}}")


def copied(face: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a face of a copy: it has another name, in each language, and calls itself so in its text."""
    called = [face[key] for key in ("name", "faceName") if face.get(key)]
    found = {**face, **{key: renamed(face[key], number) for key in ("name", "faceName") if face.get(key)}}
    if text := face.get("text"):
        for name in sorted({part for one in called for part in one.split(" // ")}):
            whole = rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)
            text = re.sub(whole, lambda match: f"{match.group()} {number}", text)
        found["text"] = text
    if others := face.get("foreignData"):
        found["foreignData"] = [copied(one, number) for one in others]
    return found


def renamed(name: str, number: int) -> str:
    """Return the name of a copy."""
    return name if number == 1 else " // ".join(f"{part} {number}" for part in name.split(" // "))


def read_references(gold: Path) -> list[Selector]:
    """Return the distinct selectors of the phrases that can be read."""
    index = open_index(library(ROOT), GAME, None, find_pool(GAME, "bench"))
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
    index = open_index(library(ROOT), GAME, None, find_pool(GAME, "bench"))
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
    print(
        f"match, text not seen before: in-process {warm * 1000:.1f} ms (aim: 10); command {children() - before:.2f} s",
        end="",
    )
    print(f" ({took:.2f} s by the clock; aim: 1.0 s)")


def children() -> float:
    """Return the processor time of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
