"""Mutants are made as said, and the list of survivors names mutants that there are; `make mutants` tells the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasoner.engine.rule import PATTERN_FIELDS
from reasoner.engine.rulefile import read_rule
from tests.mutation.mutants import Mutant, mutants, written_anew
from tests.mutation.run import ROOT, Trial, listed, rule_files, survives, trials

RULE = """\
#+ id: ember:one
#+ title: A title
#+ source: embers:rules 1
#+ edition: undated
#+ exception-to: [ember:two, ember:three]
PREFIX : <https://example.org/ember/>

CONSTRUCT { ?x :glows true ; :burns ?y }
WHERE {
  ?x :near ?y , ?z ; :below+ ?w .   # a remark
  VALUES ?w { :coal :wood }
  FILTER(?y != ?z && (?y != :ash && true))
  FILTER NOT EXISTS { ?x :wet true . ?y :wet true }
}
"""


def test_what_is_left_out() -> None:
    assert [one.name for one in mutants(RULE)] == [
        "exception-to ember:two",
        "exception-to ember:three",
        "conclusion ?x :glows true",
        "conclusion ?x :burns ?y",
        "?x :near ?y",
        "?x :near ?z",
        "?x :below+ ?w",
        "the + of ?x :below+ ?w",
        "VALUES ?w { :coal :wood }",
        "VALUES ?w … :coal",
        "VALUES ?w … :wood",
        "FILTER ( ?y != ?z && ( ?y != :ash && true ) )",
        "FILTER … ?y != ?z",
        "FILTER … ( ?y != :ash && true )",
        "FILTER NOT EXISTS { ?x :wet true . ?y :wet true }",
        "FILTER NOT EXISTS … ?x :wet true",
        "FILTER NOT EXISTS … ?y :wet true",
    ]


@pytest.mark.parametrize("path", rule_files(), ids=[path.relative_to(ROOT).as_posix() for path in rule_files()])
def test_a_rule_written_anew_is_the_same_rule(path: Path) -> None:
    """With nothing left out nothing changes, and every mutant has a name and a text of its own."""
    text = path.read_text(encoding="utf-8")
    before, after = read_rule(path, path.name), read_rule(path, path.name, written_anew(text))
    for name in PATTERN_FIELDS:
        assert sorted(map(repr, getattr(before, name))) == sorted(map(repr, getattr(after, name)))
    found = list(mutants(text))
    assert found
    assert len({one.name for one in found}) == len({one.text for one in found}) == len(found)


def test_survivors_are_mutants_and_have_a_reason() -> None:
    known = listed()
    assert known
    assert all(len(reason.split()) > 3 for reason in known.values())
    assert known.keys() - {trial.name for trial in trials()} == set()


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("data/magus/rules/D.rq", "?mention core:isInAbility ?ability"),
        ("data/magus/rules/B.rq", "FILTER NOT EXISTS { ?word core:isNegated true }"),
        ("data/magus/rules/C-lasts.rq", "the + of ?object core:succeeds+ ?earlier"),
    ],
)
def test_a_mutant_that_a_case_sees(path: str, what: str) -> None:
    """Some that once were missed; the others take longer."""
    (mutant,) = [one for one in mutants((ROOT / path).read_text(encoding="utf-8")) if one.name == what]
    assert not survives(Trial(path, mutant))


def test_what_changes_nothing_survives() -> None:
    path = "data/magus/rules/tower-points.rq"
    assert survives(Trial(path, Mutant("nothing", (ROOT / path).read_text(encoding="utf-8"))))
