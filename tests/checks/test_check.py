"""The check as a whole: what it says of a clean game, what is missing in the environment, and what it leaves alone."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.namespace import XSD
from rdflib.term import _toPythonMapping

import reasoner
from reasoner.errors import DataError, OntologyError, Place, UseError
from reasoner.knowledge.base import open_base
from reasoner.operations.check import check, check_all
from reasoner.operations.checks.findings import ERROR, INFO, WARNING, Finding, Report, in_order
from reasoner.operations.checks.rules import failing_cases
from reasoner.operations.checks.shapes import shapes, validate
from reasoner.operations.checks.stale import stale_cases
from reasoner.operations.checks.subject import Subject
from reasoner.operations.checks.violations import violations
from reasoner.owl import java
from reasoner.paths import Library, files_in

from .libraries import ROOT, ember, with_fault

LOWER_CASE_CLASS = """
ember:alvo a owl:Class ;
  rdfs:label "asleep"@en, "alvó"@hu ;
  skos:definition "Referent at rest."@en ;
  rdfs:isDefinedBy <https://w3id.org/cardlore/ontology/ember> .
"""
WAIVER = """
@prefix core: <https://w3id.org/cardlore/term/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<https://w3id.org/cardlore/waiver/alvo> a core:Waiver ;
  core:waives <https://w3id.org/cardlore/shape/ClassName> ;
  core:waivedFor <https://w3id.org/cardlore/game/ember/term/alvo> ;
  dct:description "The local name keeps a difference of letter case."@en ;
  dct:date "2026-11-30"^^xsd:date .
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """A library with the clean game."""
    return ember(tmp_path / "library")


def codes(findings: Iterable[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def triples(turtle: str) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse(turtle, format=ox.RdfFormat.TURTLE)]


def test_clean_game_gives_information_only(library: Library) -> None:
    """A game in order has no error and no warning; its classification is told."""
    report = check(open_base(library, "ember"))
    assert {finding.severity for finding in report.findings} == {INFO}
    assert [(one.code, one.message) for one in report.findings] == [
        ("K104", "always the same: lény, “lény” on Zsarát"),
        ("K105", "lény contains sárkány"),
    ]
    assert "OWL classification: 1 equal group, 1 containment, 0 without possible members" in report.notes


def test_summary_counts_what_was_checked() -> None:
    """Numbers and plurals, and what the reasoner found."""
    findings = (Finding(ERROR, "K101", "one"), Finding(WARNING, "K502", "two"), Finding(WARNING, "K502", "three"))
    report = Report("ember", findings, (("term", 12), ("case", 1)), ("OWL classification: not run",))
    assert report.summary() == [
        "ember: checked 12 terms, 1 case",
        "ember: OWL classification: not run",
        "ember: 1 error, 2 warnings, 0 for information",
    ]


def test_findings_come_most_severe_first_then_by_place() -> None:
    """Severity, place, code; what is said twice is said once."""
    early, late = Place(Path("a.ttl"), 2), Place(Path("a.ttl"), 10)
    note, warning = Finding(INFO, "K104", "note", early), Finding(WARNING, "K502", "warning", late)
    fault, second = Finding(ERROR, "K202", "fault", late), Finding(ERROR, "K201", "fault", early)
    assert in_order([note, warning, fault, second, fault]) == (second, fault, warning, note)


def test_finding_as_json() -> None:
    """Plain data, with nothing left out."""
    finding = Finding(WARNING, "K401", "they disagree", Place(Path("x.yaml"), 3), "ask", ("one", "other"))
    assert finding.to_json() == {
        "severity": "warning",
        "code": "K401",
        "message": "they disagree",
        "place": "x.yaml:3",
        "hint": "ask",
        "details": ["one", "other"],
        "witness": None,
    }
    assert Finding(INFO, "K105", "none").to_json()["place"] is None


def test_missing_java_is_said_and_the_rest_is_checked(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Java one warning says what was not checked, and how to get it."""

    def none() -> Path:
        raise OntologyError("O301", "the OWL reasoner needs Java, and there is none here")

    monkeypatch.setattr(java, "find_java", none)
    (library.data / "ember" / "cases" / "everything.yaml").unlink()
    report = check(open_base(library, "ember"))
    assert codes(report.findings) == ["K001", "K503"]
    assert report.findings[0].severity == WARNING
    assert "references that can never match" in report.findings[0].message
    assert report.findings[0].hint == "pip install 'cardlore[check]'"
    assert "ember: OWL classification: not run" in report.summary()


def test_missing_pyshacl_is_said(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyshacl one warning says what was not checked, and how to get it."""
    monkeypatch.setitem(sys.modules, "pyshacl", None)
    (finding,) = shapes(Subject(open_base(library, "ember")))
    assert (finding.code, finding.severity) == ("K002", WARNING)
    assert finding.hint == "pip install 'cardlore[check]'"


def test_rdflib_reads_literals_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Validation leaves rdflib's settings as it found them, not as rdflib ships them."""
    boolean = XSD.boolean

    def parse(text: str) -> bool:
        return text == "yes"

    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)
    monkeypatch.setitem(_toPythonMapping, boolean, parse)
    validate([], triples("<urn:s> a <http://www.w3.org/ns/shacl#NodeShape> ."))
    assert rdflib.NORMALIZE_LITERALS is False
    assert _toPythonMapping[boolean] is parse


def test_only_results_of_the_report_count() -> None:
    """A shape within a shape explains why; it is no second fault."""
    demand = """
        @prefix sh: <http://www.w3.org/ns/shacl#> .
        <urn:shape> a sh:NodeShape ; sh:targetNode <urn:x> ; sh:message "Give it a name." ;
          sh:node [ sh:property [ sh:path <urn:name> ; sh:minCount 1 ; sh:message "Too few." ] ] .
    """
    (result,) = validate(triples("<urn:x> <urn:age> 3 ."), triples(demand))
    assert (result.focus, result.shape, result.message) == ("urn:x", "urn:shape", "Give it a name.")


def test_waiver_lifts_a_demand(library: Library) -> None:
    """What is waived is no finding; without the waiver it is one."""
    with (library.data / "ember" / "terms.ttl").open("a", encoding="utf-8") as file:
        file.write(LOWER_CASE_CLASS)
    (finding,) = shapes(Subject(open_base(library, "ember")))
    assert finding.code == "K201"
    assert "UpperCamelCase" in finding.message
    (library.ontology / "waivers.ttl").write_text(WAIVER, encoding="utf-8")
    assert list(shapes(Subject(open_base(library, "ember")))) == []


def test_case_of_an_earlier_edition_is_played_under_it(library: Library) -> None:
    """A case with as-of knows only the rules that had been issued by then."""
    folder = library.data / "ember"
    for path in (folder / "rules").glob("*.rq"):
        path.write_text(path.read_text(encoding="utf-8").replace("undated", "2020"), encoding="utf-8")
    case = (folder / "cases" / "everything.yaml").read_text(encoding="utf-8")
    (folder / "cases" / "everything.yaml").write_text(case + "as-of: 2019\n", encoding="utf-8")
    assert "K501" in codes(failing_cases(Subject(open_base(library, "ember"))))
    (folder / "cases" / "everything.yaml").write_text(case + "as-of: 2021\n", encoding="utf-8")
    assert list(failing_cases(Subject(open_base(library, "ember")))) == []


@pytest.fixture(scope="module")
def report() -> Report:
    """What is said of the first game."""
    return reasoner.load("magus").check()


def test_classes_and_references_are_compared(report: Report) -> None:
    """What contains what, and what is the same, is told in plain lines, placed at the class or the reference."""
    said = {one.message: one.place for one in report.findings if one.code in ("K104", "K105")}
    whole = (
        "HARCOS contains Bajvívó, Barbár, Fejvadász, Gladiátor, Harcos, Lovag, “HARCOS kalandozók” on Héroszok csarnoka"
    )
    assert str(said[whole]).endswith("data/magus/terms.ttl:138")
    assert "always the same: Harcos, “Harcos” on Riadó" in said
    assert None not in said.values()


def test_contradictions_of_the_rule_text_come_out_by_themselves(report: Report) -> None:
    """Open questions that the sources of the first game leave: found in cards and cases, not written down anywhere."""
    starts = ("magus:B against magus:B.reason", "magus:C.lasts against magus:F.fresh", "magus:A prevails over magus:G")
    for start, severity in zip(starts, (WARNING, WARNING, INFO), strict=True):
        (finding,) = (one for one in report.findings if one.message.startswith(start))
        assert finding.severity == severity
        assert finding.place is not None
        assert finding.place.line
        assert sum("; data/magus/rules/" in line for line in finding.details) == 2
        assert sum(" says: " in line for line in finding.details) == 2
    assert [finding for finding in report.findings if finding.severity == ERROR] == []


def test_case_that_cites_both_rules_shows_the_change(tmp_path: Path) -> None:
    """A case is stale if it knows only the superseded rule; one that cites its successor too is not."""
    library = with_fault(ROOT / "tests" / "bad" / "K505-superseded", tmp_path)
    (found,) = stale_cases(Subject(open_base(library, "ember")))
    assert (found.code, found.severity) == ("K505", WARNING)
    assert str(found.place).endswith("everything.yaml:3")
    path = library.data / "ember" / "cases" / "everything.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("[ember:names", "[ember:bad, ember:names"), "utf-8")
    assert list(stale_cases(Subject(open_base(library, "ember")))) == []


def test_cases_bound_to_an_edition_are_no_fault() -> None:
    """What was right as of its edition is told for information: one line for each case and superseded rule."""
    found = in_order(stale_cases(Subject(open_base(Library(ROOT), "hkk"))))
    assert {(one.code, one.severity) for one in found} == {("K506", INFO)}
    assert [one.place.path.stem for one in found if one.place] == [
        "AK16-as-of-1997-04",
        "AK28b-as-of-1996-04",
        "AK4-as-of-1996-04",
        "AK4-costs-compared-as-of-1996-04",
    ]
    assert all("hkk:AK28b.word (1998-04) has superseded hkk:AK4.word since" in one.message for one in found)


def test_query_that_is_wrong_keeps_no_other_from_running(tmp_path: Path) -> None:
    """A violation query that can't be run is one finding; what the others find is told as well."""
    library = with_fault(ROOT / "tests" / "bad" / "K310-class-below-itself", tmp_path)
    (library.queries / "violations" / "bad.rq").write_text("SELECT", encoding="utf-8")
    assert sorted(codes(violations(Subject(open_base(library, "ember"))))) == ["K310", "Q102"]


@pytest.mark.parametrize("name", ["cards", "rules", "cases"])
def test_folder_that_cannot_be_read_is_an_error(library: Library, name: str) -> None:
    """What lies in it would be missed in silence otherwise. A file in its place is such a folder even for root."""
    folder = library.data / "ember" / name
    shutil.rmtree(folder)
    folder.write_text("", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        check(open_base(library, "ember"))
    assert (caught.value.code, caught.value.place) == ("D107", Place(folder))
    assert caught.value.message.startswith("cannot read the folder: ")
    folder.unlink()
    assert files_in(folder, ".yaml") == []


def test_folder_of_a_game_without_permission_is_an_error(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose folder may not be entered does not just disappear."""
    entered = Path.stat

    def stat(path: Path, **options: bool) -> os.stat_result:
        if path == library.data / "ember" / "game.ttl":
            raise PermissionError(13, "Permission denied", str(path))
        return entered(path, **options)

    monkeypatch.setattr(Path, "stat", stat)
    with pytest.raises(DataError) as caught:
        library.games()
    assert (caught.value.code, caught.value.place) == ("D107", Place(library.data / "ember"))
    assert "Permission denied" in caught.value.message


def test_folder_without_game_file_is_told(library: Library) -> None:
    """Asked for by name, and where there is nothing else to check."""
    (library.data / "ember" / "game.ttl").unlink()
    with pytest.raises(UseError) as caught:
        check_all(["ember"], None, library)
    assert (caught.value.code, caught.value.message) == ("U101", "unknown game 'ember'")
    assert caught.value.hint == "data/ember has no game.ttl; games here: none (cardlore games)"
    with pytest.raises(UseError) as caught:
        check_all([], None, library)
    assert (caught.value.code, caught.value.message) == ("U101", "there are no games to check")
