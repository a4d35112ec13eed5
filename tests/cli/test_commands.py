"""Every command as a user calls it: output, exit code, and where each goes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

CASE = """\
game: magus
title: A type change in play
cites: [magus:C]
given:
  players: [én]
  jelen:
    - {id: rion, card: Organ Rion, controller: én, controlled: true}
    - {id: masik, card: Gyászhozó}
steps:
  - expect: {match: HARCOS, members: {rion: yes}}
  - do: {change type: rion, to: Akciólap}
  - expect: {match: HARCOS, members: {}}
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """Return a case file with one event."""
    path = tmp_path / "type-change.yaml"
    path.write_text(CASE, encoding="utf-8")
    return path


def test_match_gives_the_documented_json(run: Run) -> None:
    code, out, err = run("match", "magus", "HARCOS", "--on", "Organ Rion", "--format", "json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert {key: data[key] for key in ("game", "text", "as_of")} == {
        "game": "magus",
        "text": "HARCOS",
        "as_of": "latest",
    }
    (reading,) = data["readings"]
    assert set(reading) == {"selector", "words", "members"}
    assert reading["selector"] == {
        "has": ["http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "https://w3id.org/cardlore/game/magus/term/HARCOS"]
    }
    assert reading["words"] == "is HARCOS"
    first = reading["members"][0]
    assert first == {
        "id": "organ-rion",
        "name": "Organ Rion",
        "answer": "yes",
        "when": [],
        "rules": [
            {"id": "magus:C.caste", "source": "maguss:references C and H", "edition": "undated"},
            {"id": "magus:H.caste-class", "source": "maguss:references H", "edition": "undated"},
            {"id": "magus:H.main", "source": "maguss:references H", "edition": "undated"},
        ],
    }


def test_match_says_the_same_in_every_format(run: Run) -> None:
    _, as_json, _ = run("match", "magus", "Harcos", "-f", "json")
    expected = [
        [one["id"], one["name"], one["answer"], " ".join(rule["id"] for rule in one["rules"])]
        for one in json.loads(as_json)["readings"][0]["members"]
    ]
    assert expected, "the fixture must have members"
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        _, out, _ = run("match", "magus", "Harcos", "-f", name)
        header, *rows = csv.reader(io.StringIO(out), delimiter=delimiter)
        assert header == ["id", "name", "answer", "rules"]
        assert rows == expected
    _, table, _ = run("match", "magus", "Harcos")
    assert [line.split()[0] for line in table.splitlines()[2:]] == [row[0] for row in expected]
    _, markdown, _ = run("match", "magus", "Harcos", "-f", "md")
    assert [line.split("|")[1].strip() for line in markdown.splitlines() if line.startswith("| ")][2:] == [
        row[0] for row in expected
    ]


def test_an_ambiguous_phrase_shows_every_reading(run: Run) -> None:
    code, out, err = run("match", "magus", "kalandozó vagy szövetséges lap")
    assert code == 0
    assert err == "T112 “kalandozó vagy szövetséges lap” can be read in 2 ways; all are shown\n"
    titles = [line for line in out.splitlines() if line.startswith("“")]
    assert titles == [
        "“kalandozó vagy szövetséges lap”, reading 1: what (is Kalandozó and is controlled) or is Szövetséges",
        "“kalandozó vagy szövetséges lap”, reading 2: what is Kalandozó or is Szövetséges",
    ]


def test_a_text_that_matches_nothing_says_so(run: Run) -> None:
    code, out, err = run("match", "magus", "Harcos Bajvívó lap")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "no card is meant"


def test_a_text_that_can_never_match_says_why(run: Run) -> None:
    why = "nothing is Akciólap and is Harcos at once"
    code, out, err = run("match", "magus", "Harcos akciólap")
    assert (code, err) == (0, f"T116 “Harcos akciólap” can never match: {why}\n")
    assert out.splitlines()[-1] == "no card is meant"
    _, out, err = run("match", "magus", "Harcos akciólap", "--format", "json")
    (reading,) = json.loads(out)["readings"]
    assert (reading["never"], reading["members"], err) == (why, [], "")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["match", "magsu", "HARCOS"], "U101", "unknown game 'magsu'"),
        (["match", "magus", "HaRcOs"], "T110", "no rule of the game says what 'HaRcOs' means"),
        (["match", "magus", "kalandzó"], "T101", "kalandzó"),
        (["match", "magus", ""], "T105", "the phrase has no words"),
        (["match", "magus", "HARCOS", "--on", "Nincs Ilyen"], "U104", "unknown card 'Nincs Ilyen'"),
        (["match", "magus", "HARCOS", "--moment", "1"], "U108", "--moment needs --situation"),
        (["match", "magus", "ilyen lap", "--antecedent", "rion"], "U108", "--antecedent needs --situation"),
        (["match", "magus", "ilyen lap"], "T110", "'ilyen' points back at an object, and nothing says at which"),
        (["match", "magus", "HARCOS", "--as-of", "tegnap"], "U107", "'tegnap' is no date"),
        (["query", "cards-by-class", "--as-of", "AK4"], "U107", "not every game has an edition 'AK4'"),
        (["value", "magus", "MP", "Organ Rion"], "T101", "quantities: MP value or MP-érték; level or szint"),
        (["value", "magus", "levle", "Organ Rion"], "T101", "did you mean 'level'?\n"),
        (["value", "magus", "lap", "Organ Rion"], "T114", "quantities: MP value or MP-érték; level or szint"),
        (["explain", "magus", "HARCOS", "Kapuőr"], "U104", "2 cards are called 'Kapuőr'"),
        (["explain", "magus", "HARCOS", "-f", "yaml"], "U100", "'yaml' is not one of 'tree', 'md', 'json'"),
        (["match", "magus"], "U100", "Missing argument 'TEXT'"),
        (["match", "magus", "HARCOS", "--moment", "-1"], "U100", "-1 is not in the range"),
        (["mtach", "magus", "HARCOS"], "U110", "unknown command 'mtach'"),
        (["query", "SELECT * WHERE {"], "Q103", "not a valid SPARQL query"),
        (["query", "INSERT DATA { <a:a> <a:b> <a:c> }"], "Q106", "INSERT is an update"),
        (["query", "LOAD <http://example.org/x>"], "Q106", "LOAD is an update"),
        (["query", "SELECT * { ?x a mags:HARCOS }"], "Q105", "did you mean 'magus:'"),
        (["query", "SELECT * FROM core:Card { ?x a ?y }"], "Q107", "there is no graph"),
        (["query", "SELECT ?x { ?x a core:Card }", "--timeout", "0"], "U100", "0 is not in the range"),
        (["query", "which-objects-match"], "Q110", "'which-objects-match' is about a situation"),
        (["query", "which-cards-match", "-s", "x.yaml"], "Q110", "a situation changes nothing in its answer"),
        (["query", "which-cards-interact", "--set", "card=Rutilicas"], "Q109", "did you mean 'Rutilicus'"),
        (["query", "no-such-question"], "U105", "'no-such-question' is no query"),
        (["query", "missing.rq"], "Q101", "no such file: missing.rq"),
        (["query", "SELECT ?x { ?x a core:Card }", "--set", "y=1"], "Q104", "the query has no variable ?y"),
        (["query", "SELECT ?x { ?x a core:Card }", "--set", "y"], "U108", "--set takes NAME=VALUE"),
        (["cases", "nothing"], "U105", "'nothing' is no game, no file and no case"),
        (["schema", "cards"], "U109", "no schema for 'cards'"),
        (["check", "--fail-on", "always"], "U100", "'always' is not one of 'error', 'warning', 'never'"),
        (["graph", "magus", "-o", "x.grpahml"], "U201", "grpahml"),
    ],
)
def test_bad_use_is_one_clear_message_and_exit_code_2(run: Run, arguments: list[str], code: str, message: str) -> None:
    status, out, err = run(*arguments)
    assert status == 2
    assert out == ""
    assert err.startswith(f"{code} ")
    assert message in err
    assert "Traceback" not in err


def test_errors_are_json_where_json_is_asked_for(run: Run) -> None:
    status, out, err = run("match", "magsu", "HARCOS", "--format", "json")
    assert (status, out) == (2, "")
    (error,) = json.loads(err)["errors"]
    assert error["code"] == "U101"
    assert error["suggestions"] == ["magus"]


def test_explain_in_three_formats(run: Run) -> None:
    code, tree, _ = run("explain", "magus", "HARCOS", "Organ Rion")
    assert code == 0
    assert tree.splitlines()[0] == "Does “HARCOS” refer to organ-rion (Organ Rion)? yes"
    _, markdown, _ = run("explain", "magus", "HARCOS", "Organ Rion", "-f", "md")
    assert markdown.startswith("**Does “HARCOS” refer to organ-rion (Organ Rion)? yes**\n\n- ")
    _, out, _ = run("explain", "magus", "HARCOS", "Organ Rion", "-f", "json")
    (reading,) = json.loads(out)["readings"]

    def rules(step: dict[str, object]) -> set[str]:
        own = {step["rule"]["id"]} if "rule" in step else set()  # type: ignore[index]
        return own.union(*(rules(inner) for inner in step.get("steps", [])))  # type: ignore[union-attr, attr-defined]

    assert rules(reading) == {"magus:H.main", "magus:H.caste-class", "magus:C.caste", "core:printed-type"}
    assert "(printed: data/magus/cards/" in tree


def test_explain_not_names_what_failed_and_its_exit_code_says_whether_it_is_a_no(run: Run, case: Path) -> None:
    code, out, _ = run("explain", "magus", "HARCOS", "rion", "--not", "-s", str(case))
    assert code == 0
    assert "not so: rion is HARCOS" in out
    assert "rion has card type Akciólap   [magus:C: maguss:references C, undated]" in out
    code, out, _ = run("explain", "magus", "HARCOS", "rion", "--not", "-s", str(case), "-m", "0")
    assert code == 1
    assert out.splitlines()[0] == "Does “HARCOS” refer to rion (Organ Rion)? yes"


SAME = """\
game: magus
title: A card that an effect spoke of, and another one
given:
  jelen:
    - {id: rion, card: Organ Rion, controlled: true}
    - {id: other, card: Organ Rion, controlled: true}
steps:
  - do: {refer to: rion, as: it}
"""


@pytest.mark.parametrize(("name", "meant"), [("it", "rion"), ("rion", "rion"), ("other", "other")])
def test_an_antecedent_is_what_the_same_points_back_at(run: Run, tmp_path: Path, name: str, meant: str) -> None:
    path = tmp_path / "same.yaml"
    path.write_text(SAME, encoding="utf-8")
    there = ("-s", str(path), "--antecedent", name)
    code, out, _ = run("match", "magus", "ugyanaz a kalandozó lap", *there, "-f", "json")
    assert code == 0
    (reading,) = json.loads(out)["readings"]
    assert [(one["id"], one["answer"]) for one in reading["members"]] == [(meant, "yes")]
    code, out, _ = run("explain", "magus", "ugyanaz a kalandozó lap", meant, *there)
    assert code == 0
    assert f"the text points back at {meant}   (seen in the text)" in out


def test_an_unknown_antecedent_is_told_with_what_there_is(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "same.yaml"
    path.write_text(SAME, encoding="utf-8")
    code, out, err = run("value", "magus", "szint", "rion", "-s", str(path), "--antecedent", "rino")
    assert (code, out) == (2, "")
    assert err.splitlines() == [
        "U104 nothing was referred to as 'rino', and no object is called so",
        "  did you mean 'rion'?",
        "  name an object, or say before in the case  do: {refer to: ID, as: NAME}",
    ]


def test_a_text_that_an_object_has_by_copying_names_the_copier(run: Run) -> None:
    path = Path(__file__).parents[2] / "data" / "magus" / "cases" / "D-copied-ability-names-the-copier.yaml"
    for text in ("**Organ Rion** kalandozó lap", "**Organ Rion** kalandozó lapot"):
        arguments = ("magus", text, "--on", "copier", "-s", str(path), "-f", "csv")
        _, out, _ = run("match", *arguments, "-m", "0")
        assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["held-original", "original", "other-original"]
        _, out, _ = run("match", *arguments)
        assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["copier", "held"]


def test_cases_pass_or_fail_with_the_difference(run: Run, case: Path) -> None:
    code, out, err = run("cases", str(case))
    assert (code, err) == (0, "1 passed, 0 failed\n")
    assert out.splitlines()[1].split() == ["magus", "type-change", "pass", "2", "A", "type", "change", "in", "play"]
    case.write_text(CASE.replace("members: {}", "members: {masik: yes}"), encoding="utf-8")
    code, out, err = run("cases", str(case))
    assert code == 1
    assert f"{case}:12: match 'HARCOS': masik: expected yes, found no" in err
    assert err.endswith("0 passed, 1 failed\n")


def test_what_if_tells_gains_and_losses(run: Run, case: Path) -> None:
    arguments = (
        "what-if",
        "magus",
        "-s",
        str(case),
        "-m",
        "0",
        "--do",
        "{change type: rion, to: Akciólap}",
        "-t",
        "HARCOS",
        "-t",
        "akciólap",
    )
    code, out, _ = run(*arguments, "-f", "json")
    assert code == 0
    assert json.loads(out) == [
        {"text": "HARCOS", "on": "", "id": "rion", "before": "yes", "after": "no"},
        {"text": "akciólap", "on": "", "id": "rion", "before": "no", "after": "yes"},
    ]
    code, _, err = run("what-if", "magus", "-s", str(case), "--do", "{moev: rion, to: múlt}")
    assert code == 2
    assert err.startswith("C104 --do:1: unknown event 'moev'\n  did you mean 'move'?")


def test_query_takes_values_and_gives_a_stable_order(run: Run) -> None:
    text = "SELECT ?card ?name { ?card core:printedName ?name }"
    _, first, _ = run("query", text, "-f", "csv")
    _, second, _ = run("query", text, "-f", "csv")
    assert first == second
    _, out, _ = run("query", text, "--set", "name=Organ Rion", "-f", "json")
    assert json.loads(out) == [{"card": "magusc:organ-rion", "name": "Organ Rion"}]
    assert run("query", "ASK { magusc:organ-rion a core:Card }")[1] == "yes\n"


def test_games_lists_what_there_is(run: Run) -> None:
    code, out, _ = run("games", "-f", "json")
    assert code == 0
    (magus,) = [row for row in json.loads(out) if row["game"] == "magus"]
    assert magus["name"] == "M.A.G.U.S. Kártya"
    assert magus["language"] == "hu"
    assert magus["cards"] >= 40
    assert {type(magus[name]) for name in ("cards", "rules", "cases")} == {int}


def test_graph_writes_the_file_and_says_what(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "g.json"
    code, out, err = run("graph", "magus", "-o", str(target))
    assert (code, out) == (0, "")
    assert err.startswith(f"wrote {target}: ")
    data = json.loads(target.read_text(encoding="utf-8"))
    assert {node["kind"] for node in data["nodes"]} == {"card", "reference"}


def test_help_and_version(run: Run) -> None:
    code, out, _ = run("--version")
    assert code == 0
    assert out.startswith("cardlore ")
    code, out, _ = run("--help")
    assert code == 0
    for verb in ("match", "explain", "query", "cases", "check", "what-if", "graph", "games", "schema", "value", "diff"):
        assert verb in out
