"""Queries and cases as a user calls them, over a small library of which a case may be wrong."""

from __future__ import annotations

import json
import shutil
import signal
import threading
from _thread import interrupt_main
from collections.abc import Callable
from pathlib import Path

import pytest

from reasoner.operations.sparqlrun import within

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, str, str]]
UNREADABLE = "game: ember\ncitse: A key that there is not\n"
UNPLAYABLE = """\
game: ember
title: A card that there is not
given: {tér: [{id: one, card: dragoon}]}
steps: [{expect: {match: lény, members: {one: yes}}}]
"""
SITUATION = """\
game: ember
title: A tired dragon goes back to the hand
cards:
  - id: echo
    name: Visszhang
    type: lény
    abilities: [{id: call, references: [{text: fáradt lény, relation: requires}]}]
given: {tér: [{id: one, card: dragon, tired: true}, {id: two, card: echo}]}
steps:
  - expect: {match: fáradt lény, members: {one: yes}}
  - do: {move: one, to: kéz}
  - expect: {match: fáradt lény, members: {one: yes}}
"""
UNKNOWN_KEY = """\
C104 {place}:2: unknown key 'citse'
  did you mean 'cites' or 'title'?
  keys: game, title, cites, as-of, note, cards, given, steps
"""


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of cases of a library with one small game, which is the one in use."""
    for folder in ("ontology", "data/languages", "queries"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copytree(ROOT / "tests" / "checks" / "ember", tmp_path / "data" / "ember")
    monkeypatch.setenv("CARDLORE_LIBRARY", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return Path("data/ember/cases")


def test_a_wrong_case_does_not_keep_the_others_from_being_run(run: Run, cases: Path) -> None:
    (cases / "a-wrong.yaml").write_text(UNREADABLE, encoding="utf-8")
    (cases / "unplayable.yaml").write_text(UNPLAYABLE, encoding="utf-8")
    code, out, err = run("cases")
    assert code == 2
    assert [line.split()[:4] for line in out.splitlines()[1:]] == [
        ["ember", "a-wrong", "ERROR", "0"],
        ["ember", "everything", "pass", "7"],
        ["ember", "unplayable", "ERROR", "0"],
    ]
    assert err == (
        UNKNOWN_KEY.format(place="data/ember/cases/a-wrong.yaml")
        + "C104 data/ember/cases/unplayable.yaml:3: unknown card 'dragoon'\n"
        "  did you mean 'dragon'?\n"
        "  a case may define cards of its own under cards:\n"
        "1 passed, 0 failed, 2 wrong\n"
    )
    code, out, _ = run("cases", "-f", "json")
    assert code == 2
    assert [
        (one["game"], one["case"], one["passed"], one["error"] and one["error"]["place"]) for one in json.loads(out)
    ] == [
        ("ember", "a-wrong", False, "data/ember/cases/a-wrong.yaml:2"),
        ("ember", "everything", True, None),
        ("ember", "unplayable", False, "data/ember/cases/unplayable.yaml:3"),
    ]


def test_a_wrong_date_in_a_case_is_an_error_of_that_case_only(run: Run, cases: Path) -> None:
    text = (cases / "everything.yaml").read_text(encoding="utf-8")
    (cases / "dated.yaml").write_text(text.replace("cites:", "as-of: yesterday\ncites:"), encoding="utf-8")
    code, out, err = run("cases")
    assert code == 2
    assert [line.split()[2] for line in out.splitlines()[1:]] == ["ERROR", "pass"]
    assert err.startswith("U107 data/ember/cases/dated.yaml:3: 'yesterday' is no date and no edition")
    assert run("cases", "--as-of", "yesterday")[:2] == (2, "")


def test_each_case_is_run_once_however_often_it_is_named(run: Run, cases: Path) -> None:
    file = cases / "everything.yaml"
    for names in (("ember", "ember"), (str(cases), str(file)), (str(file), str(cases / ".." / "cases"), "ember")):
        code, out, err = run("cases", *names)
        assert (code, err) == (0, "1 passed, 0 failed\n")
        assert len(out.splitlines()) == 2


def test_a_query_goes_on_without_a_wrong_case_and_says_so(run: Run, cases: Path) -> None:
    """The same whether the knowledge base is built or comes from the cache; what is on stdout is the answer alone."""
    count = ("query", "SELECT (COUNT(?case) AS ?n) { ?case a core:Ruling }", "-f", "json")
    assert run(*count) == (0, '[\n  {\n    "n": 1\n  }\n]\n', "")
    (cases / "a-wrong.yaml").write_text(UNREADABLE, encoding="utf-8")
    warning = "warning: not all of a case was asked, because it is wrong: "
    for _ in range(2):
        code, out, err = run(*count)
        assert (code, json.loads(out)) == (0, [{"n": 1}])
        assert err == warning + UNKNOWN_KEY.format(place="data/ember/cases/a-wrong.yaml")


def test_a_query_about_the_wrong_case_is_refused(run: Run, cases: Path) -> None:
    (cases / "a-wrong.yaml").write_text(UNREADABLE, encoding="utf-8")
    (cases / "unplayable.yaml").write_text(UNPLAYABLE, encoding="utf-8")
    for name, key in (("a-wrong", "unknown key 'citse'"), ("unplayable", "unknown card 'dragoon'")):
        code, out, err = run("query", "objects-by-class", "--set", f"case={name}")
        assert (code, out) == (2, "")
        assert err.startswith(f"C104 data/ember/cases/{name}.yaml:")
        assert key in err
    assert run("query", "objects-by-class", "--set", "case=everythin")[2].startswith(
        "Q109 nothing that ?case can be is called 'everythin'\n  did you mean 'everything'"
    )


def test_questions_about_cases_are_asked_of_the_situation_alone(run: Run, cases: Path, tmp_path: Path) -> None:
    """With the cards it defines itself, under whatever name its file has, and beside a case that has the same."""
    for name in ("a situation.yaml", "everything.yaml"):
        path = tmp_path / name
        path.write_text(SITUATION, encoding="utf-8")
        asked = ("query", "which-objects-match", "-s", str(path), "--set", "on=two", "-f", "json")
        code, out, err = run(*asked)
        assert (code, err) == (0, "")
        assert [
            [row[key] for key in ("moment", "on", "object", "name", "answer", "condition")] for row in json.loads(out)
        ] == [
            [0, "two", "one", "Zsarát", "yes", None],
            [1, "two", "one", "Zsarát", "yes", None],
        ]
        code, out, err = run("query", "objects-by-class", "-s", str(path), "-f", "json")
        assert {row["object"] for row in json.loads(out)} == {"one", "two"}
    assert {row["object"] for row in json.loads(run("query", "objects-by-class", "-f", "json")[1])} == {
        "first",
        "second",
        "spell",
    }


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("ASK { ?x a core:NoSuchThing }", {"boolean": False}),
        ("SELECT ?x { ?x a core:NoSuchThing }", []),
        ("DESCRIBE <http://example.org/nothing>", []),
        ("SELECT ?x (1 AS ?n) (1.5 AS ?d) (true AS ?b) { }", [{"x": None, "n": 1, "d": 1.5, "b": True}]),
    ],
)
def test_json_is_all_there_is_on_stdout(run: Run, cases: Path, text: str, wanted: object) -> None:
    code, out, err = run("query", text, "-f", "json")
    assert (code, json.loads(out), err) == (0, wanted, "")


def test_an_error_is_json_on_stderr_and_nothing_on_stdout(run: Run, cases: Path) -> None:
    code, out, err = run("query", "SELECT ?x { ?x a no:Card }", "-f", "json")
    assert (code, out) == (2, "")
    assert [one["code"] for one in json.loads(err)["errors"]] == ["Q105"]


def test_two_runs_give_the_same_blank_nodes(run: Run, cases: Path) -> None:
    text = "SELECT ?x ?p ?y { ?x ?p ?y FILTER(ISBLANK(?x)) }"
    first = run("query", text, "-f", "csv")
    assert first[0] == 0
    assert len(first[1].splitlines()) > 10
    assert run("query", text, "-f", "csv") == first


def test_waiting_for_a_query_can_be_interrupted() -> None:
    over = threading.Event()
    # What runs in the background of a shell may have been told to ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.2, interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        within(None, lambda: over.wait(30))
    over.set()
    signal.signal(signal.SIGINT, before)
