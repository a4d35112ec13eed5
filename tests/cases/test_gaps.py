"""Known gaps: each still fails, and in the way its list says. One that has begun to work leaves the list."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasoner.errors import CaseError
from reasoner.knowledge.base import open_base
from reasoner.knowledge.yamlfile import Mapping, read_yaml
from reasoner.operations.casefile import case_of
from reasoner.operations.cases import run_case
from reasoner.paths import Library

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Library(ROOT)
KEYS = ["id", "about", "reason", "now", "case"]
GAPS = [
    pytest.param(path, gap, id=f"{path.parent.name}-{gap['id']}")
    for path in sorted((ROOT / "data").glob("*/known-gaps.yaml"))
    for gap in read_yaml(path, CaseError)["gaps"]
]


@pytest.mark.parametrize(("path", "gap"), GAPS)
def test_gap_is_still_one(path: Path, gap: Mapping) -> None:
    """The case of the gap does not pass, and what comes instead is what the list says."""
    assert list(gap) == KEYS
    case = case_of(gap["case"], path, gap["id"], LIBRARY.games())
    assert case.game == path.parent.name
    result = run_case(case, open_base(LIBRARY, case.game))
    assert not result.passed, f"{gap.place()}: this works now: take it off the list, make it a case"
    instead = result.error.code if result.error else {one.subject: one.found for one in result.differences}
    assert instead == gap["now"], f"{gap.place()}: {result.error or result.differences}"
