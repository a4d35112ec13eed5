"""`cardlore diff`: every answer that two editions of a game give differently, whole and both ways.

The library has the game whole but three of its cases, so that a case more elsewhere changes nothing here. After a
change of wording, `python -m tests.cli.test_diff` writes the expected output anew; read the diff before you commit it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXPECTED = Path(__file__).resolve().parent / "expected"
CASES = ("AK28a-five-examples", "AK28b-costs-compared", "AK28b-langolo-ver")
# What is shown of it as a file: the name of the file, and the arguments.
SHOWN = {
    "diff.txt": ("AK4", "AK28"),
    "diff-back.txt": ("AK28", "AK4"),
}


def make_library(place: Path) -> Path:
    """Make the library in the empty folder `place`."""
    for folder in ("ontology", "queries", "data/languages"):
        shutil.copytree(ROOT / folder, place / folder)
    shutil.copytree(ROOT / "data" / "hkk", place / "data" / "hkk", ignore=shutil.ignore_patterns("cases"))
    (place / "data" / "hkk" / "cases").mkdir()
    for name in CASES:
        shutil.copy(ROOT / "data" / "hkk" / "cases" / f"{name}.yaml", place / "data" / "hkk" / "cases")
    return place


def diff(place: Path, *arguments: str) -> tuple[int, str, str]:
    """Return exit code, stdout and stderr of `cardlore diff hkk …` over the library at `place`."""
    env = {**os.environ, "CARDLORE_LIBRARY": str(place), "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "200"}
    command = [sys.executable, "-m", "reasoner", "diff", "hkk", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=env, cwd=place, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_library(tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize("name", SHOWN)
def test_whole_output(place: Path, name: str) -> None:
    """The whole table stands in a file; some answer differs, which exit code 1 tells."""
    code, out, _ = diff(place, *SHOWN[name])
    assert code == 1
    assert out == (EXPECTED / name).read_text(encoding="utf-8")


def test_both_ways(place: Path) -> None:
    """Asked the other way round, the same answers differ in the same order, with their sides exchanged."""
    ways = (("AK4", "AK28"), ("AK28", "AK4"))
    there, back = (json.loads(diff(place, *editions, "-f", "json")[1]) for editions in ways)
    assert there["changes"]
    assert (there["before"], there["after"]) == (back["after"], back["before"])
    turned = [{**one, "before": one["after"], "after": one["before"]} for one in back["changes"]]
    assert turned == there["changes"]


def test_order(place: Path) -> None:
    """Twice the same; by case, in each by place of the question, then by subject."""
    first, second = (diff(place, "AK4", "AK28", "-f", "json")[1] for _ in range(2))
    assert first == second
    changes = json.loads(first)["changes"]
    order = [(one["where"], int(one["place"].rpartition(":")[2]), one["subject"]) for one in changes]
    assert order == sorted(order)


def test_both_proofs(place: Path) -> None:
    """Each answer about a text is proved under the one edition, then under the other, from the rules it names."""
    changes = json.loads(diff(place, "AK4", "AK28", "-f", "json")[1])["changes"]
    table, *proofs = diff(place, "AK4", "AK28", "--why")[1].split("\n\n")
    assert table + "\n" == (EXPECTED / "diff.txt").read_text(encoding="utf-8")
    asked = [one for one in changes if not one["question"].startswith("characteristics")]
    wanted = [
        (one["where"], edition, one[side]) for one in asked for edition, side in (("AK4", "before"), ("AK28", "after"))
    ]
    assert len(proofs) == len(wanted) > 0
    for proof, (where, edition, side) in zip(proofs, wanted, strict=True):
        heading, question, *steps = proof.splitlines()
        assert heading == f"{where}, as of {edition}:"
        assert question.split("? ")[-1].startswith(side["answer"].split()[0]) or side["answer"] in question
        assert [rule for rule in side["rules"] if not any(rule in step for step in steps)] == []


def test_an_edition_and_itself(place: Path) -> None:
    code, out, err = diff(place, "AK28", "AK28", "-f", "csv")
    assert (code, out.splitlines()) == (0, ["where,question,subject,AK28,AK28"])
    assert err == "no answer to 80 questions differs\n"


def test_a_case_that_cannot_be_read_is_told_beside_the_others(place: Path) -> None:
    """The other cases are asked all the same; exit code 2 tells it apart from answers that differ."""
    broken = place / "data" / "hkk" / "cases" / "AK1-broken.yaml"
    broken.write_text("game: hkk\ntitel: a case\n", encoding="utf-8")
    try:
        code, out, err = diff(place, "AK28", "AK28", "-f", "csv")
        assert (code, out.splitlines()) == (2, ["where,question,subject,AK28,AK28"])
        assert err.splitlines()[0] == f"C104 {broken.relative_to(place)}:2: unknown key 'titel'"
        assert err.splitlines()[-1] == "no answer to 80 questions differs"
        assert len(json.loads(diff(place, "AK28", "AK28", "-f", "json")[1])["wrong"]) == 1
    finally:
        broken.unlink()


def test_unknown_edition(place: Path) -> None:
    code, out, err = diff(place, "AK4", "AK82")
    assert (code, out) == (2, "")
    assert err.startswith("U107 ")
    assert "did you mean 'AK2' or 'AK32' or 'AK28'?" in err


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = make_library(Path(folder))
        EXPECTED.mkdir(exist_ok=True)
        for file, given in SHOWN.items():
            (EXPECTED / file).write_text(diff(made, *given)[1], encoding="utf-8")
