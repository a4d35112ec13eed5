"""The store of an imported pool: the same as in memory, whom references select, and what can go wrong with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from reasoner.index.references import reference_iri
from reasoner.knowledge.base import open_base
from reasoner.knowledge.pools import find_pool
from reasoner.operations.dataset import BLANK, NAMED, everything
from reasoner.operations.query import Question, run_query
from reasoner.paths import Library
from reasoner.reference.answer import WHEN, YES, answer_of
from reasoner.reference.evaluate import View
from reasoner.terms.namespaces import core, graph

from .pool import SELECTORS, library_at, store_of

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The library of Ember, with its pool imported and no store built yet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDLORE_POOLS", str(tmp_path_factory.mktemp("pools")))
        yield library_at(tmp_path_factory.mktemp("ember"))


@pytest.fixture(scope="module")
def store(library: Library) -> ox.Store:
    """The store of the pool."""
    return store_of(library).store


def rows(store: ox.Store, library: Library, text: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    prefixes = open_base(library, "ember").vocabulary.prefixes
    return list(run_query(store, Question("", "", "", {}, Path("<text>"), text), prefixes).rows)


def test_the_same_graphs_as_in_memory(library: Library, store: ox.Store) -> None:
    """Every graph of the dataset is there as it is in memory, and besides these only what was read from texts.

    Whom printed references match is told by links in place of pairs.
    """
    kept = everything(open_base(library, "ember", None, find_pool("ember", "many")))
    expected = ox.Store()
    for name in (NAMED, BLANK):
        quads = ox.parse(kept[name], format=ox.RdfFormat.N_QUADS)
        expected.extend(quad for quad in quads if quad.predicate not in (core("matches"), core("mayMatch")))
    references = graph("ember", "references")
    more = {quad.triple for quad in store.quads_for_pattern(None, None, None, references)}
    found = {quad for quad in store if quad.graph_name != references}
    assert {quad for quad in found if quad.graph_name != ox.DefaultGraph() or quad.triple not in more} == set(expected)
    assert {quad.triple for quad in found if quad.graph_name == ox.DefaultGraph()} >= more


def by_card(library: Library) -> dict[str, dict[str, set[str]]]:
    """Return whom each reference selects, and may select, card by card."""
    base = open_base(library, "ember", None, find_pool("ember", "many"))
    view = View(base.store, base.pool_graphs, base.vocabulary, is_pool=True)
    found: dict[str, dict[str, set[str]]] = {}
    for selector in SELECTORS:
        answers = {
            card.value: answer_of(outcome.value, outcome.open, (), base.vocabulary).verdict
            for card in base.cards
            for outcome in [view.evaluate(selector, card)]
        }
        found[reference_iri("ember", selector)] = {
            "matches": {card for card, verdict in answers.items() if verdict == YES},
            "mayMatch": {card for card, verdict in answers.items() if verdict in (YES, WHEN)},
        }
    return found


@pytest.mark.parametrize("verb", ["matches", "mayMatch"])
def test_whom_printed_references_match(library: Library, store: ox.Store, verb: str) -> None:
    """What pairs say in memory follows from links in the store."""
    kept = everything(open_base(library, "ember", None, find_pool("ember", "many")))
    pairs = {
        (quad.subject.value, quad.object.value)  # type: ignore[union-attr]
        for quad in ox.parse(kept[NAMED], format=ox.RdfFormat.N_QUADS)
        if quad.predicate == core(verb)
    }
    own = "FILTER(!STRSTARTS(STR(?r), STR(<https://w3id.org/cardlore/game/ember/reference/>)))"
    found = rows(store, library, f"SELECT ?r ?c {{ ?r core:{verb} ?c {own} }}")
    assert len(found) == len(pairs) > 0
    assert {(one.value, card.value) for one, card in found} == pairs


@pytest.mark.parametrize("verb", ["matches", "mayMatch"])
def test_whom_references_select(library: Library, store: ox.Store, verb: str) -> None:
    """The plain pattern gives every card that is selected, each once, asked from either end."""
    wanted = sorted((iri, card) for iri, found in by_card(library).items() for card in found[verb])
    own = "FILTER(STRSTARTS(STR(?r), STR(<https://w3id.org/cardlore/game/ember/reference/>)))"
    found = rows(store, library, f"SELECT ?r ?c {{ ?r core:{verb} ?c {own} }}")
    assert sorted((one.value, card.value) for one, card in found) == wanted
    card = "<https://w3id.org/cardlore/game/ember/card/lap-1>"
    from_card = rows(store, library, f"SELECT ?r {{ {card} ^core:{verb} ?r {own} }}")
    assert sorted(one.value for (one,) in from_card) == sorted(iri for iri, one in wanted if f"<{one}>" == card)
    in_graph = f"SELECT ?r ?c {{ GRAPH <{graph('ember', 'references').value}> {{ ?r core:{verb} ?c {own} }} }}"
    assert sorted((one.value, card.value) for one, card in rows(store, library, in_graph)) == wanted


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("SELECT * { ?r <{p}> ?c }", False),
        ("CONSTRUCT { ?r <{p}> ?c } WHERE { ?r a ?t ; <{p}> ?c }", False),
        ("CONSTRUCT WHERE { ?r <{p}> ?c }", False),
        ("SELECT * { ?r ?p ?c FILTER(?p IN (<{p}>, core:mayMatch)) }", True),
        ("SELECT * { VALUES ?p { <{p}> } ?r ?p ?c }", True),
        ("SELECT * { ?r !(<{p}>|core:mayMatch) ?c }", True),
        ("SELECT ('<{p}>' AS ?text) { <{p}> a ?c }", True),
    ],
)
def test_where_the_property_is_meant(library: Library, store: ox.Store, text: str, kept: bool) -> None:
    """A property is asked for by its chain where a pattern has it, and left alone elsewhere."""
    from reasoner.operations.chains import unchained
    from reasoner.operations.sparqltext import SparqlText

    prefixes = open_base(library, "ember").vocabulary.prefixes.namespaces
    sparql = SparqlText(text.replace("{p}", core("matches").value))
    asked = unchained(store, sparql, prefixes)
    assert (asked.text == sparql.text) is kept
    if text.startswith("CONSTRUCT"):
        wanted = {
            (iri, core("matches").value, card) for iri, one in by_card(library).items() for card in one["matches"]
        }
        made = {tuple(term.value for term in row) for row in rows(store, library, sparql.text)}
        assert {one for one in made if "/reference/" in one[0] and "/card/" not in one[0]} == wanted
        assert {verb for _, verb, _ in made} == {core("matches").value}


def test_the_command(library: Library, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    """`cardlore query --pool` asks the store; with a situation, or without the name of a game, it is all the same."""
    monkeypatch.setenv("CARDLORE_LIBRARY", str(library.root))
    text = "SELECT (COUNT(DISTINCT ?card) AS ?n) { ?card core:isImportedAs ?as ; core:hasCardType ember:Leny }"
    for more in ((), ("--game", "ember")):
        code, out, err = run("query", text, "--pool", "many", "-f", "json", *more)
        assert (code, json.loads(out), err) == (0, [{"n": 72}], "")


def started(library: Library) -> subprocess.Popen[str]:
    """Start a process that builds the store."""
    command = [sys.executable, "-m", "tests.queries.pool", str(library.root)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)


def test_two_builds_at_once(library: Library, store: ox.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both answer alike, and one whole store is left."""
    monkeypatch.setenv("CARDLORE_CACHE", str(tmp_path))
    running = [started(library) for _ in range(2)]
    assert [one.communicate()[0] for one in running] == [f"{len(store)}\n"] * 2
    assert len(list(tmp_path.glob("*-store"))) == 1
    assert not list(tmp_path.glob(".new-*"))


def test_a_killed_build(library: Library, store: ox.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it leaves is never taken for a store, and the next run is right."""
    monkeypatch.setenv("CARDLORE_CACHE", str(tmp_path))
    process = started(library)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".new-*/store/CURRENT")):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert list(tmp_path.glob(".new-*"))
    assert not list(tmp_path.glob("*-store"))
    assert set(store_of(library).store) == set(store)


@pytest.mark.parametrize("damage", ["cut", "gone", "changed", "about"])
def test_a_damaged_store(
    library: Library, store: ox.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """It is noticed, and built anew."""
    monkeypatch.setenv("CARDLORE_CACHE", str(tmp_path))
    folder = store_of(library).folder
    largest = max((folder / "store").glob("*.sst"), key=lambda path: path.stat().st_size)
    data = largest.read_bytes()
    if damage == "cut":
        largest.write_bytes(data[: len(data) // 2])
    elif damage == "gone":
        largest.unlink()
    elif damage == "changed":
        middle = len(data) // 2
        largest.write_bytes(data[:middle] + bytes(100) + data[middle + 100 :])
    else:
        (folder / "about.json").write_text("{", encoding="utf-8")
    again = store_of(library)
    assert set(again.store) == set(store)


def test_damage_that_is_met_while_asking(
    library: Library, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault in a large file is met only when it is read: then the store is built anew, and the answer is right."""
    from reasoner.knowledge import kept

    monkeypatch.setenv("CARDLORE_CACHE", str(tmp_path))
    monkeypatch.setenv("CARDLORE_LIBRARY", str(library.root))
    monkeypatch.setattr(kept, "_SMALL", 0)
    asked = ("query", "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "--game", "ember", "--pool", "many", "-f", "json")
    expected = run(*asked)
    assert expected[0] == 0
    (folder,) = tmp_path.glob("*-store")
    for path in (folder / "store").glob("*.sst"):
        data = path.read_bytes()
        path.write_bytes(bytes(len(data) // 2) + data[len(data) // 2 :])
    assert run(*asked) == expected


def test_the_same_input_gives_the_same_content(
    library: Library, store: ox.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else differs in the files, the quads are the same."""
    monkeypatch.setenv("CARDLORE_CACHE", "off")
    assert sorted(map(str, store_of(library).store)) == sorted(map(str, store))
