"""Measures how the build of a card pool grows: `python benchmarks/growth.py [FOLDER] [--times 1,4,16]`.

FOLDER (by default ../shared/fixtures/mtg) holds AtomicCards-known.json.gz. For every number given, a file with so many
renamed copies of each card is imported, and the store of its pool built with all texts read, by the commands that a
user would give, with nothing in the cache. A copy calls itself by its own name in its text as well, so that its
sentences are those of the original. A table and a plot are printed. A build that leaves less than 2 GB of memory or of
disk is stopped, and the table says so. 16 times the pool takes some 15 GB of disk, and long.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from reasoner.knowledge.pools import find_pool
from reasoner.operations.poolstore import PoolStore, open_pool_store
from reasoner.paths import library

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT.parent / "shared" / "fixtures" / "mtg"
GAME, FORM, POOL = "mtg", "mtgjson", "bench"
CARDS = "AtomicCards-known.json.gz"
QUERY = "SELECT (COUNT(*) AS ?n) WHERE { ?reference a core:Reference }"  # builds the store, and takes no time itself
ENOUGH = 2_000_000  # kB


class Built(NamedTuple):
    """How import and build went: seconds by the clock and of processor time, and memory in MB, all processes together.

    `stopped`: memory or disk became scarce, and it did not end.
    """

    clock: float
    processor: float
    memory: int
    stopped: bool


def main() -> None:
    """Print a table and a plot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--times", default="1,4,16")
    chosen = parser.parse_args()
    cards = chosen.folder / CARDS
    if not cards.is_file():
        print(f"growth: skipped, no card data in {chosen.folder}", file=sys.stderr)
        return
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; memory of all processes together, at its most\n")
    print("| pool | cards | quads | store | by the clock | processor | memory |\n|---|---|---|---|---|---|---|")
    grown: dict[int, Built] = {}
    for times in [int(one) for one in chosen.times.split(",")]:
        with pool_of(cards, times) as path:
            one = grown[times] = built(path)
            size = "| stopped: less than 2 GB of memory or disk was left | | " if one.stopped else measured_store()
            print(f"| {times}x {size}| {one.clock:.0f} s | {one.processor:.0f} s | {one.memory:,} MB |", flush=True)
    plot(grown)


def measured_store() -> str:
    """Return how large the pool and its store are, as cells of a table."""
    found = open_store()
    size = sum(path.stat().st_size for path in found.folder.rglob("*") if path.is_file()) / 1e6
    return f"| {find_pool(GAME, POOL).counts['cards']:,} | {len(found.store):,} | {size:,.0f} MB "


def open_store() -> PoolStore:
    """Return the store of the pool, which has been built."""
    return open_pool_store(library(ROOT), GAME, find_pool(GAME, POOL))


@contextmanager
def pool_of(cards: Path, times: int) -> Iterator[Path]:
    """Yield a file of so many copies of each card; meanwhile pools and caches are kept in a new place."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CARDLORE_POOLS"], os.environ["CARDLORE_CACHE"] = f"{folder}/pools", f"{folder}/cache"
        path = cards
        if times > 1:
            path = Path(folder) / "cards.json.gz"
            replicate(cards, path, times)
        yield path


def built(cards: Path) -> Built:
    """Import the cards and build the store, by commands, and return how that went."""
    before, start, memory = children(), time.perf_counter(), 0
    for arguments in (["import", FORM, str(cards), "--name", POOL], ["query", QUERY, "-g", GAME, "--pool", POOL]):
        process = subprocess.Popen([sys.executable, "-m", "reasoner", *arguments], cwd=ROOT, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            running = family(process.pid)
            memory = max(memory, sum(map(resident, running)) // 1024)
            if scarce():
                for one in running:
                    with suppress(OSError):
                        os.kill(one, 9)
                process.wait()
                return Built(time.perf_counter() - start, children() - before, memory, stopped=True)
            time.sleep(0.1)
        if process.returncode:
            raise SystemExit(f"cardlore {arguments[0]} ended with {process.returncode}")
    return Built(time.perf_counter() - start, children() - before, memory, stopped=False)


def scarce() -> bool:
    """Return whether little memory (Linux; elsewhere it is not known) or disk is left."""
    if shutil.disk_usage(os.environ["CARDLORE_POOLS"].rpartition("/")[0]).free < ENOUGH * 1000:
        return True
    with suppress(OSError):
        return int(Path("/proc/meminfo").read_text().split("MemAvailable:")[1].split()[0]) < ENOUGH
    return False


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


def children() -> float:
    """Return the processor time of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def plot(grown: dict[int, Built]) -> None:
    """Print time and memory as bars."""
    for name, values in (
        ("s by the clock", {times: one.clock for times, one in grown.items()}),
        ("s of processor", {times: one.processor for times, one in grown.items()}),
        ("MB", {times: one.memory for times, one in grown.items()}),
    ):
        most = max(values.values()) or 1
        print()
        for times, value in values.items():
            stopped = " when it was stopped" if grown[times].stopped else ""
            print(f"{times:>4}x  {'#' * max(1, round(50 * value / most)):<50} {value:,.0f} {name}{stopped}")


def replicate(source: Path, target: Path, times: int) -> None:
    """Write the cards of `source` so many times, those of each copy under names of their own."""
    with gzip.open(source, "rt", encoding="utf-8") as file:
        whole = json.load(file)
    data = whole["data"]
    with gzip.open(target, "wt", encoding="utf-8", compresslevel=1) as file:
        file.write(f'{{"meta": {json.dumps(whole.get("meta", {}))}, "data": {{')
        separator = ""
        for number in range(1, times + 1):
            for name, faces in data.items():
                copies = faces if number == 1 else [copied(face, number) for face in faces]
                file.write(f"{separator}{json.dumps(renamed(name, number))}: {json.dumps(copies)}")
                separator = ", "
        file.write("}}")


def copied(face: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a face of a copy: it has another name, in each language, and calls itself so in its text."""
    called = [key for key in ("name", "faceName") if face.get(key)]
    found = {**face, **{key: renamed(face[key], number) for key in called}}
    if text := face.get("text"):
        for name in sorted({part for key in called for part in face[key].split(" // ")}):
            whole = rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)
            text = re.sub(whole, lambda match: f"{match.group()} {number}", text)
        found["text"] = text
    if others := face.get("foreignData"):
        found["foreignData"] = [copied(one, number) for one in others]
    return found


def renamed(name: str, number: int) -> str:
    """Return the name of a copy; the first is the card itself."""
    return name if number == 1 else " // ".join(f"{part} {number}" for part in name.split(" // "))


if __name__ == "__main__":
    main()
