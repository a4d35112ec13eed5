"""Questions that ship with the product: what each answers, in full, on Oxigraph and through rdflib."""

from __future__ import annotations

import re
import shutil
from functools import cache
from keyword import iskeyword
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib
import yaml

from reasoner.game import Game
from reasoner.knowledge.base import KnowledgeBase, build
from reasoner.operations.dataset import add_situation, full_store
from reasoner.operations.query import Question, plain, questions, run_query, term
from reasoner.paths import Library

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Library(ROOT)
EXPECTED = sorted((Path(__file__).parent / "expected").glob("*.yaml"))
QUESTIONS = questions(LIBRARY)
# The pool has no such thing, and is not to have one: a test below, or tests of imports, add some.
NONE_IN_THE_POOL = ("references-nothing-matches", "where-listed-and-derived-differ", "which-texts-concern-a-card")
each_question = pytest.mark.parametrize("name", QUESTIONS)
each_answer = pytest.mark.parametrize("path", EXPECTED, ids=[path.stem for path in EXPECTED])


@cache
def game() -> Game:
    """The game that the expected rows are about."""
    return Game(LIBRARY, "magus")


@cache
def store() -> ox.Store:
    """Everything known of it."""
    return full_store([game().base])


@cache
def with_situation(name: str) -> ox.Store:
    """The same with one of the game's cases as the situation asked about, which has the answers of its moments too."""
    added = full_store([game().base])
    add_situation(added, LIBRARY.game("magus") / "cases" / name, [game().base])
    return added


def asked(wanted: dict[str, Any]) -> ox.Store:
    """What the question of a file of expectations is asked of."""
    return with_situation(wanted["situation"]) if "situation" in wanted else store()


@cache
def expected(path: Path) -> dict[str, Any]:
    """What a file expects; every value is text."""
    data: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return data


@each_answer
def test_question_answers_exactly_this(path: Path) -> None:
    """The rows, all of them and in this order."""
    wanted = expected(path)
    prefixes = game().base.vocabulary.prefixes
    found = run_query(asked(wanted), QUESTIONS[wanted["question"]], prefixes, wanted["set"])
    assert list(found.columns) == wanted["columns"]
    assert [[plain(value, prefixes) for value in row] for row in found.rows] == wanted["rows"]


each_of_the_knowledge_base = pytest.mark.parametrize(
    "path", [path for path in EXPECTED if "situation" not in expected(path)], ids=lambda path: path.stem
)


@each_of_the_knowledge_base
def test_rdflib_answers_the_same(path: Path) -> None:
    """The rdflib view of the knowledge base gives the same rows in the same order."""
    wanted = expected(path)
    question = QUESTIONS[wanted["question"]]
    assert rows_of_rdflib(game().dataset(), question, wanted["set"]) == wanted["rows"]


@pytest.mark.parametrize(
    "path",
    [path for path in EXPECTED if QUESTIONS[expected(path)["question"]].about in ("cards", "rules")],
    ids=lambda path: path.stem,
)
def test_rdflib_alone_answers_the_same(path: Path) -> None:
    """The questions are standard SPARQL: an engine that shares no code with Oxigraph gives the same rows.

    It is too slow for the questions that look at all facts of moments.
    """
    wanted = expected(path)
    place = {name: index for index, name in enumerate(wanted["columns"])}
    rows = [
        row
        for row in all_rows(wanted["question"])
        if all(row[place[name]] == value for name, value in wanted["set"].items())
    ]
    assert sorted(rows) == sorted(wanted["rows"])


@cache
def all_rows(name: str) -> list[list[str]]:
    """What rdflib's own engine answers to a question of which nothing is set."""
    return rows_of_rdflib(in_memory(), QUESTIONS[name], {})


@cache
def in_memory() -> rdflib.Dataset:
    """The knowledge base, without the moments of cases, in rdflib's own store."""
    dataset = rdflib.Dataset(default_union=True)
    quads = [
        quad
        for quad in store()
        if isinstance(quad.graph_name, ox.NamedNode) and "/moment/" not in quad.graph_name.value
    ]
    data = ox.serialize(quads, format=ox.RdfFormat.N_QUADS)
    assert data is not None
    dataset.parse(data=data, format="nquads")
    return dataset


def rows_of_rdflib(dataset: rdflib.Dataset, question: Question, values: dict[str, str]) -> list[list[str]]:
    """Return the rows that rdflib gives, as text."""
    prefixes = game().base.vocabulary.prefixes
    bindings = {name: to_rdflib(term(value, prefixes)) for name, value in values.items()}
    return [
        [plain(to_oxigraph(value), prefixes) for value in row]
        for row in dataset.query(question.text, initBindings=bindings)
        if isinstance(row, tuple)
    ]


def to_rdflib(value: ox.NamedNode | ox.Literal) -> rdflib.term.Identifier:
    """Return the same term for rdflib."""
    if isinstance(value, ox.NamedNode):
        return rdflib.URIRef(value.value)
    integer = value.datatype.value.endswith("integer")
    return rdflib.Literal(value.value, datatype=rdflib.XSD.integer if integer else None)


def to_oxigraph(value: Any) -> Any:
    """Return a term of rdflib as one of Oxigraph."""
    if value is None:
        return None
    return ox.NamedNode(str(value)) if isinstance(value, rdflib.URIRef) else ox.Literal(str(value))


@each_question
def test_question_says_what_it_is(name: str) -> None:
    """It has a title, a description, parameters that are columns of the answer, an order, and an answer in full."""
    question = QUESTIONS[name]
    assert question.title.endswith("?")
    assert question.description
    assert question.parameters
    assert question.about in ("cards", "rules", "cases", "situation")
    # What can be asked of a situation is asked of one case at a time.
    assert ("case" in question.parameters) == (question.about in ("cases", "situation"))
    found = run_query(store(), question, game().base.vocabulary.prefixes)
    assert set(question.parameters) <= set(found.columns)
    assert all(question.parameters.values())
    # In Python they are keyword arguments of Game.query.
    assert [key for key in question.parameters if not key.isidentifier() or iskeyword(key)] == []
    assert re.search(r"^ORDER BY ", question.text, re.MULTILINE)
    assert [path for path in EXPECTED if expected(path)["question"] == name]


@each_question
def test_order_is_whole(name: str) -> None:
    """What a question orders by tells all its rows apart, so that no engine can give them in another order."""
    situation = QUESTIONS[name].about == "situation"
    where = with_situation("D-copied-ability-names-the-copier.yaml") if situation else store()
    found = run_query(where, QUESTIONS[name], game().base.vocabulary.prefixes)
    assert found.rows or name in NONE_IN_THE_POOL
    ordered = re.findall(r"\?(\w+)", QUESTIONS[name].text.rpartition("\nORDER BY")[2])
    places = [found.columns.index(key) for key in ordered]
    keys = [tuple(str(row[place]) for place in places) for row in found.rows]
    assert len(set(keys)) == len(keys)


def copy_with(tmp_path: Path, **files: str) -> KnowledgeBase:
    """Return the knowledge base of a copy of the library in which card files were added."""
    for name in ("ontology", "data"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("cases", "known-gaps.yaml"))
    for name, text in files.items():
        (tmp_path / "data" / "magus" / "cards" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return build(Library(tmp_path), "magus")


def test_a_reference_that_means_nothing_is_found(tmp_path: Path) -> None:
    """The pool has none, so a copy gets three: one without any card, one that contradicts itself, one unreadable."""
    base = copy_with(
        tmp_path,
        added="""
cards:
  - id: zz-test
    name: Senkit sem hívó
    type: Szövetséges
    invented: true
    abilities:
      - id: calls
        references:
          - {text: VÁNDOR szövetséges lap, relation: requires}
          - {text: irányítatlan kalandozó, relation: requires}
          - {text: olvashatatlan, relation: requires}
          - {text: kalandozó lap, relation: requires}
""",
    )
    found = run_query(full_store([base]), QUESTIONS["references-nothing-matches"], base.vocabulary.prefixes)
    assert [[plain(value, base.vocabulary.prefixes) for value in row] for row in found.rows] == [
        [f"magusc:zz-test/ability/calls/reference/{number}", "magusc:zz-test", "Senkit sem hívó", wording]
        for number, wording in enumerate(("VÁNDOR szövetséges lap", "irányítatlan kalandozó", "olvashatatlan"), 1)
    ]
