"""Each folder of tests/bad holds the smallest input that trips one check or error, and what is then said.

A folder is called CODE-what-is-wrong; tests/checks/libraries.py tells what its files are. `expected.txt` is the whole
message: of the error that stops the reading, or of the findings that the clean game does not give. After a change of
wording, `python -m tests.checks.test_bad` writes these files anew; read the diff before you commit it.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from reasoner.errors import CardloreError
from reasoner.knowledge.base import open_base
from reasoner.operations.checks.classification import Classified, owl_profile
from reasoner.operations.checks.contradictions import contradictions
from reasoner.operations.checks.findings import Finding, in_order
from reasoner.operations.checks.references import references
from reasoner.operations.checks.rules import failing_cases, unfired_rules, unread_rules
from reasoner.operations.checks.shapes import shapes
from reasoner.operations.checks.shared import catalog, folders, questions
from reasoner.operations.checks.stale import stale_cases
from reasoner.operations.checks.subject import Subject
from reasoner.operations.checks.violations import read_violations, violations
from reasoner.paths import Library

from .libraries import ROOT, ember, with_fault

BAD = ROOT / "tests" / "bad"
FOLDERS = sorted(path for path in BAD.iterdir() if path.name != "shapes")


def classification(subject: Subject) -> Iterable[Finding]:
    """The findings of the OWL reasoner."""
    return Classified(subject).findings()


# Which check a code belongs to, by its beginning; the longest that fits counts. Most faults stop the reading before.
FAMILIES: dict[str, Callable[[Subject], Iterable[Finding]]] = {
    "": references,
    "C": failing_cases,
    "K0": violations,
    "K1": classification,
    "K2": shapes,
    "K3": violations,
    "K4": contradictions,
    "K501": failing_cases,
    "K502": unfired_rules,
    "K503": unfired_rules,
    "K504": unread_rules,
    "K505": stale_cases,
    "K506": stale_cases,
    "O304": classification,
    "O35": owl_profile,
    "O401": shapes,
    "O101-no-game-file": folders,
    "O102-catalog": catalog,
    "O103": catalog,
    "O106": catalog,
    "R113-in-a-case": failing_cases,
    "Q": violations,
    "Q102-header": questions,
    "Q103-question": questions,
    "Q104": questions,
}
# The modules that read what people write, and the codes of theirs that no file can trip.
READERS = (
    *("knowledge/cards", "knowledge/turtle", "knowledge/yamlfile", "knowledge/program", "knowledge/vocabulary"),
    *("engine/rulefile", "engine/compiler", "engine/strata", "engine/inference"),
    *("language/tokens", "language/refusal", "language/datafiles", "language/parser"),
    *("operations/casefile", "operations/cases", "situation/given", "situation/events", "situation/play"),
)
ELSEWHERE = {
    "C108": "it is the command line that asks for a moment of a case",
    "T107": "more than 64 readings take a game with many words that mean several things",
}
# The faults that have a file, but no line.
UNREADABLE = ["C101-not-utf-8", "D101-not-utf-8", "O101-no-game-file", "O101-terms-missing"]
CODE = re.compile(r'"([A-Z]\d{3})"')


def said(folder: Path, place: Path) -> str:
    """Return what is said of the fault in `folder`; the library is made in the empty folder `place`."""
    library = with_fault(folder, place)
    family = FAMILIES[max((start for start in FAMILIES if folder.name.startswith(start)), key=len)]
    try:
        found = _findings(family, library)
    except CardloreError as error:
        return _without(str(error), library) + "\n"
    return "\n".join(text for text in found if text not in _usual(family))


@cache
def _usual(family: Callable[[Subject], Iterable[Finding]]) -> frozenset[str]:
    """Return what the check says of the clean game."""
    with tempfile.TemporaryDirectory() as place:
        return frozenset(_findings(family, ember(Path(place))))


def _findings(family: Callable[[Subject], Iterable[Finding]], library: Library) -> list[str]:
    return [_text(finding, library) for finding in in_order(family(Subject(open_base(library, "ember"))))]


def _text(finding: Finding, library: Library) -> str:
    hint = [f"-> {finding.hint}"] if finding.hint else []
    lines = [f"{finding.code} {finding.severity} {finding.place or 'no place'}", finding.message, *hint]
    witness = [f"| {line}" for line in finding.witness.splitlines()]
    return _without("\n  ".join([*lines, *finding.details, *witness]), library) + "\n"


def _without(text: str, library: Library) -> str:
    return text.replace(f"{library.root}/", "")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_fault_is_reported(folder: Path, tmp_path: Path) -> None:
    """The fault gives its code, and the message is the one that was read over."""
    found = said(folder, tmp_path)
    assert re.match(rf"{folder.name.partition('-')[0]}\b", found), found
    assert found == (folder / "expected.txt").read_text(encoding="utf-8")


def test_every_fault_has_a_line() -> None:
    """Each message tells file and line, but for files that can't be read at all."""
    placed = re.compile(r"[A-Z]\d{3} (?:\w+ )?[\w./-]+\.\w+:\d+")
    lost = [
        folder.name for folder in FOLDERS if not placed.match((folder / "expected.txt").read_text(encoding="utf-8"))
    ]
    assert lost == UNREADABLE


def test_every_violation_query_is_tripped() -> None:
    """No query that has never found anything."""
    queries = read_violations(Library(ROOT))
    assert queries
    assert len({query.code for query in queries}) == len(queries)
    assert {query.code for query in queries} - codes_in_bad() == set()


def test_every_finding_is_tripped() -> None:
    """No check that has never found anything; what is missing in the environment is tried in test_check."""
    checks = sorted((ROOT / "reasoner" / "operations" / "checks").glob("*.py"))
    used = {code for path in checks for code in CODE.findall(path.read_text(encoding="utf-8")) if code[0] == "K"}
    assert used
    assert used - codes_in_bad() == {"K001", "K002"}


def test_every_reader_error_is_tripped() -> None:
    """Each error code of the readers of cards, rules, terms, texts and cases has its smallest input."""
    used = set()
    for name in READERS:
        used |= set(CODE.findall((ROOT / "reasoner" / f"{name}.py").read_text(encoding="utf-8")))
    assert used
    assert used - codes_in_bad() - set(ELSEWHERE) == set()


def codes_in_bad() -> set[str]:
    """Return the codes that the folders of tests/bad trip."""
    return {folder.name.partition("-")[0] for folder in FOLDERS}


def main(names: list[str]) -> None:
    """Write what is said today into the expected.txt of the folders called `names`, of all if there are none."""
    for folder in FOLDERS:
        if not names or folder.name in names:
            place = Path(tempfile.mkdtemp())
            (folder / "expected.txt").write_text(said(folder, place), encoding="utf-8")
            shutil.rmtree(place)


if __name__ == "__main__":
    main(sys.argv[1:])
