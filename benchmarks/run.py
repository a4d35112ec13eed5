"""Measures what the product promises, as ratios within one run: `make bench`, or `python benchmarks/run.py --json`.

Figures, not tests: it always ends with exit code 0. Whole processes are timed by the clock, as a user waits for them,
in runs that alternate, of which the median counts; everything else by the processor time it takes, so that other work
on the same machine changes the ratios little.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from timing import timed

ROOT = Path(__file__).resolve().parent.parent
MOST_SECONDS = 60.0  # for plain rdflib, so that all is done in about three minutes
GAME, TEXT = "magus", "HARCOS kalandozó lap"


@dataclass(frozen=True)
class Figure:
    """One line of the table: what was measured, the value as text, and what is promised."""

    what: str
    value: str
    promised: str


def main() -> None:
    """Run all measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--cards", type=int, default=20_000, help="how many cards to generate (default 20000)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CARDLORE_CACHE"] = folder
        figures = [
            *measured(whole_process),
            *measured(cold_build),
            *measured(situations),
            *measured(editions),
            *measured(lambda: rule_engine(500)),  # as many as plain rdflib gets through
            *measured(lambda: rule_engine(arguments.cards)),
        ]
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    if arguments.json:
        print(
            json.dumps({"machine": machine, "figures": [asdict(one) for one in figures]}, ensure_ascii=False, indent=2)
        )
        return
    print(machine)
    width = max(len(one.what) for one in figures)
    for one in figures:
        print(f"{one.what:{width}}  {one.value:>24}  {one.promised}")


def measured(section: Callable[[], list[Figure]]) -> list[Figure]:
    """Return the figures of a section, or the one that it could not be measured: a broken game breaks no other."""
    try:
        return section()
    except Exception as error:
        return [Figure("not measured", type(error).__name__, str(error).partition("\n")[0])]


def process(*arguments: str) -> float:
    """Run Python with `arguments`, its output thrown away, and return how many seconds that takes by the clock."""
    # As a user's process: compiled modules are kept.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, cwd=ROOT, env=env)
    return time.perf_counter() - start


def whole_process() -> list[Figure]:
    """Compare the command as a user starts it with the mere import of the libraries below it."""
    command = ("-m", "reasoner", "match", GAME, TEXT)
    baseline = ("-c", "import rdflib, pyoxigraph")
    process(*command)
    process(*baseline)
    pairs = [(process(*command), process(*baseline)) for _ in range(9)]
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(one / other for one, other in pairs)
    return [
        Figure("match as a whole process, warm cache", f"{ours * 1000:.0f} ms", ""),
        Figure("import rdflib, pyoxigraph", f"{theirs * 1000:.0f} ms", ""),
        Figure("ratio", f"{ratio:.2f}", "at most 2.5"),
    ]


def cold_build() -> list[Figure]:
    """Measure a build from the files, compiling every rule, against opening it from the cache."""
    from reasoner.knowledge.base import build, open_base
    from reasoner.knowledge.program import make_programs, read_rules
    from reasoner.paths import library

    place = library(ROOT)
    folders = [place.ontology / "rules", place.game(GAME) / "rules"]
    cold = statistics.median(timed(lambda: build(place, GAME)) for _ in range(3))
    base = open_base(place, GAME)
    warm = statistics.median(timed(lambda: open_base(place, GAME)) for _ in range(5))
    rules = read_rules(folders, place.root)
    compiled = statistics.median(timed(lambda: read_rules(folders, place.root)) for _ in range(3))
    ordered = statistics.median(
        timed(lambda: make_programs(rules, base.vocabulary, place.root, None)) for _ in range(3)
    )
    return [
        Figure("build from files", f"{cold * 1000:.0f} ms", ""),
        Figure(f"of it, {len(rules)} rules compiled", f"{compiled * 1000:.0f} ms", ""),
        Figure("of it, rules checked and put in order", f"{ordered * 1000:.0f} ms", ""),
        Figure("open from the cache", f"{warm * 1000:.0f} ms", ""),
    ]


def situations() -> list[Figure]:
    """Measure a case of five moments, and the suite of each game with the time per moment and its parts."""
    from reasoner.knowledge.base import open_base
    from reasoner.operations.cases import base_of, run_case
    from reasoner.operations.dataset import case_files
    from reasoner.paths import library

    figures = []
    for game in library(ROOT).games():
        base = open_base(library(ROOT), game)
        cases = [(case, base_of(case, base)) for case in case_files(base)]
        for case, its_base in cases[:3]:
            run_case(case, its_base)
        times, moments = [], []
        for case, its_base in cases:
            start = time.process_time()
            result = run_case(case, its_base)
            times.append(time.process_time() - start)
            moments.append(len(result.play.moments) if result.play else 1)
        five = [(case, its_base) for (case, its_base), count in zip(cases, moments, strict=True) if count == 5]
        if five:
            median = statistics.median(timed(lambda c=c, b=b: run_case(c, b)) for c, b in five for _ in range(5))
            figures.append(Figure(f"{game}: a case of 5 moments", f"{median * 1000:.0f} ms", "at most 50 ms"))
        per_moment = statistics.median(seconds / count for seconds, count in zip(times, moments, strict=True))
        figures.append(Figure(f"{game}: suite of {len(cases)} cases", f"{sum(times):.2f} s", "under 5 s"))
        figures.append(Figure(f"{game}: per moment, median", f"{per_moment * 1000:.1f} ms", "at most 20 ms"))
        figures.append(Figure(f"{game}: share of rules, effects, references, rest", shares(cases), ""))
    return figures


def editions() -> list[Figure]:
    """Compare telling what differs between two editions with one run of the suite, in turns."""
    from reasoner.knowledge.base import open_base
    from reasoner.operations.cases import base_of, run_case
    from reasoner.operations.dataset import case_files
    from reasoner.operations.diff import diff
    from reasoner.paths import library

    figures = []
    for game in library(ROOT).games():
        base = open_base(library(ROOT), game)
        issued = sorted({rule.header.edition for rule in base.programs.rules} - {"undated"})
        if len(issued) < 2:
            continue
        first, second = (open_base(library(ROOT), game, date) for date in issued[-2:])
        cases = [(case, base_of(case, base)) for case in case_files(base)]
        files = [case for case, _ in cases]
        pairs = [
            (
                timed(lambda one=first, other=second, files=files: diff(one, other, files)),
                timed(lambda cases=cases: [run_case(case, its_base) for case, its_base in cases]),
            )
            for _ in range(3)
        ]
        seconds = statistics.median(one for one, _ in pairs)
        ratio = statistics.median(one / other for one, other in pairs)
        figures.append(Figure(f"{game}: diff {issued[-2]} {issued[-1]}", f"{seconds:.2f} s", ""))
        figures.append(Figure("ratio to one run of the suite", f"{ratio:.2f}", "at most 2.2"))
    return figures


def shares(cases: list[tuple[object, object]]) -> str:
    """Return how the time of a suite divides: rules about objects, effects (what events begin and abilities reach),
    references (texts read and matched), and the rest."""
    import cProfile
    import pstats

    from reasoner.operations.cases import run_case

    profile = cProfile.Profile()
    profile.enable()
    for case, base in cases:
        run_case(case, base)  # type: ignore[arg-type]
    profile.disable()
    spent: dict[tuple[str, str], float] = {}
    total = 0.0
    for (path, _, name), (_, _, own, cumulative, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        total += own
        spent[Path(path).name, name] = cumulative
    reached = spent.get(("scopes.py", "__call__"), 0.0)
    rules = (spent.get(("play.py", "_moment"), 0.0) - reached) / total
    effects = (spent.get(("changes.py", "apply"), 0.0) + reached) / total
    references = spent.get(("asking.py", "ask"), 0.0) / total
    rest = max(0.0, 1 - rules - effects - references)
    return f"{rules:.0%}, {effects:.0%}, {references:.0%}, {rest:.0%}"


def rule_engine(count: int) -> list[Figure]:
    """Compare the engine, proofs included, with rdflib running the same CONSTRUCT rules over the same cards."""
    import pyoxigraph as ox

    from reasoner.engine.conclusions import signatures
    from reasoner.engine.inference import infer
    from reasoner.knowledge.base import open_base
    from reasoner.paths import library

    base = open_base(library(ROOT), GAME)
    cards = generated(count, base.vocabulary)
    store = ox.Store()
    vocabulary = [quad for name in base.base[:2] for quad in base.store.quads_for_pattern(None, None, None, name)]
    store.extend(vocabulary)
    entry, target = ox.NamedNode("urn:cards"), ox.NamedNode("urn:inferred")
    store.extend(ox.Quad(t.subject, t.predicate, t.object, entry) for t in cards)
    present = signatures([*(quad.triple for quad in vocabulary), *cards])
    graphs = [*base.base[:2], entry]
    start = time.process_time()
    found = infer(store, graphs, present, base.programs.state, target)
    ours = time.process_time() - start
    derived = {str(fact) for fact in found.branches[0].supports}
    limit = min(max(30.0, 20 * ours), MOST_SECONDS)
    result = within(limit, [*(quad.triple for quad in vocabulary), *cards], base.programs.state, base.library.root)
    figures = [Figure(f"rules over {count} cards, with proofs", f"{ours:.2f} s", f"{len(derived)} facts")]
    if result is None:
        figures.append(Figure("the same rules in plain rdflib", f"over {limit:.0f} s", "stopped unfinished"))
        return [*figures, Figure("ratio", f"over {limit / ours:.0f}", "at least 10")]
    theirs, expected = result
    same = "the same facts" if derived == expected else f"{len(derived ^ expected)} facts differ"
    figures.append(Figure("the same rules in plain rdflib", f"{theirs:.1f} s", same))
    return [*figures, Figure("ratio", f"{theirs / ours:.1f}", "at least 10")]


def within(limit: float, triples: list[object], program: object, root: Path) -> tuple[float, set[str]] | None:
    """Return what `plain_rdflib` gives, or None if that takes more than `limit` seconds (reading the facts aside)."""
    import multiprocessing
    import resource

    def work() -> None:
        sender.send(plain_rdflib(triples, program, root, begin))

    def begin() -> None:
        most = int(time.process_time() + limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))

    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    worker = context.Process(target=work)
    worker.start()
    sender.close()
    try:
        return receiver.recv()  # type: ignore[no-any-return]
    except EOFError:  # the system has ended it
        return None
    finally:
        worker.join()


def generated(count: int, vocabulary: object) -> list[object]:
    """Return the facts of `count` cards: names, and types, castes, properties in turn, always the same."""
    import pyoxigraph as ox

    from reasoner.terms.namespaces import core, game_base

    term = f"{game_base(GAME)}term/"
    printed = vocabulary.card_fields  # type: ignore[attr-defined]
    kinds = vocabulary.labelled(core("CardType"))  # type: ignore[attr-defined]
    types = sorted({iri for iris in kinds.values() for iri in iris}, key=str)
    castes = sorted(
        {iri for iris in vocabulary.labelled(ox.NamedNode(f"{term}SubCaste")).values() for iri in iris}, key=str
    )  # type: ignore[attr-defined]
    triples: list[object] = []
    for number in range(count):
        card = ox.NamedNode(f"{game_base(GAME)}card/generated-{number}")
        triples += [
            ox.Triple(card, core("hasOwnCard"), card),
            ox.Triple(card, printed["name"], ox.Literal(f"Lap {number % (count * 9 // 10)}")),
            ox.Triple(card, printed["type"], types[number % len(types)]),
            ox.Triple(card, printed["caste"], castes[number % len(castes)]),
        ]
    return triples


def plain_rdflib(
    triples: list[object], program: object, root: Path, ready: Callable[[], None]
) -> tuple[float, set[str]]:
    """Return the seconds plain rdflib takes for the same rules in the same order, and the facts it derives."""
    import re

    import pyoxigraph as ox
    from rdflib import Graph

    graph = Graph()
    graph.parse(data=ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES), format="nt")  # type: ignore[arg-type]
    rules = [rule for component in program.order for rule in component.rules]  # type: ignore[attr-defined]
    present = {(p, None) for p in {str(p) for p in graph.predicates()}}
    before = set(graph)
    ready()
    start = time.process_time()
    for rule in rules:
        if all(predicate in {name for name, _ in present} for predicate, _ in rule.needs):
            text = re.sub(r"^#.*$", "", (root / rule.path).read_text(encoding="utf-8"), flags=re.MULTILINE)
            new = list(graph.query(text))
            for triple in new:
                graph.add(triple)  # type: ignore[arg-type]
            present |= {(predicate, None) for predicate, _ in rule.writes}
    seconds = time.process_time() - start
    found = Graph()
    for triple in graph:
        if triple not in before:
            found.add(triple)
    lines = ox.parse(found.serialize(format="nt").encode(), format=ox.RdfFormat.N_TRIPLES)
    return seconds, {str(quad.triple) for quad in lines}


if __name__ == "__main__":
    main()
