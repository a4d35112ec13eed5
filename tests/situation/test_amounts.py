"""What is paid is nothing or more, and a question about a value says of what."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasoner.game import load
from reasoner.operations.casefile import read_case
from reasoner.operations.cases import run_case

CASE = """\
game: hkk
title: A trap
given:
  players: [me]
  kéz: [{{id: trap, card: Manacsapda}}]
steps:
  - do: {{play: trap, {paid}}}
  - expect: {{value: base cost, {question}}}
"""
FALSE = [
    ("for: -3", "of: trap, is: -3", ("C103", 7, "'for' is at least 0, not -3")),
    ("for: 8, extra: -1", "of: trap, is: 8", ("C103", 7, "'extra' is at least 0, not -1")),
    ("for: 1.5", "of: trap, is: 1", ("C103", 7, "'for' is a whole number, not '1.5'")),
    ("for: 8", "is: 8", ("C103", 8, "'value' needs 'of'")),
    ("for: 8", "of: no, is: 8", ("C104", 8, "unknown object 'no'")),
]


def outcome(tmp_path: Path, paid: str, question: str) -> tuple[str, int, str] | bool:
    """Return whether the case passes, or code, line and message of the error that ends it."""
    path = tmp_path / "trap.yaml"
    path.write_text(CASE.format(paid=paid, question=question), encoding="utf-8")
    result = run_case(read_case(path, ("hkk",)), load("hkk").base)
    if result.error is None:
        return result.passed
    place = result.error.place
    return result.error.code, place.line if place else 0, result.error.message


@pytest.mark.parametrize(("paid", "question", "expected"), FALSE)
def test_what_makes_no_sense_is_an_error(
    tmp_path: Path, paid: str, question: str, expected: tuple[str, int, str]
) -> None:
    assert outcome(tmp_path, paid, question) == expected


def test_what_makes_sense_is_none(tmp_path: Path) -> None:
    assert outcome(tmp_path, "for: 8", "of: trap, is: 8") is True
    assert outcome(tmp_path, "for: 8", "of: trap, is: 9") is False
