"""The examples of CONTRIBUTING.md are one game that grows: it is built from the page, checked, and its case is run.

A fence that names a file (```turtle data/…) is put there; a second fence for one file goes on where the first ended.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from reasoner.game import Game
from reasoner.operations.check import check
from reasoner.operations.checks.findings import INFO
from reasoner.operations.checks.subject import Subject
from reasoner.operations.checks.violations import violations
from reasoner.paths import Library

from .test_readme import Block, blocks

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = [block for block in blocks(PAGE) if block.file]
GAME = "lantern"


def write(files: list[Block], root: Path) -> None:
    """Write `files` below `root`, each after what is there already."""
    for block in files:
        path = root / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{block.body}" if path.stat().st_size else block.body)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """A library without games."""
    for folder in ("ontology", "data/languages", "queries"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "ontology" / "waivers.ttl").write_text("", encoding="utf-8")
    return Library(tmp_path.resolve())


def members(game: Game, text: str) -> dict[str, str]:
    """Return the answers to what `text` means by id."""
    (reading,) = game.match(text).readings
    return {one.referent.id: str(one.answer) for one in reading.members if str(one.answer) != "no"}


def test_every_section_has_an_example() -> None:
    """What can be added has a section, and each section a file to copy."""
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    shown = {part.partition("\n")[0]: [block.file for block in blocks(part) if block.file] for part in sections}
    assert {name: files for name, files in shown.items() if files} == {
        "A game": ["data/lantern/game.ttl", "data/lantern/terms.ttl"],
        "A card": ["data/lantern/cards/cards.yaml"],
        "A term": ["data/lantern/terms.ttl"],
        "A rule": ["data/lantern/rules/3-names.rq"],
        "A case": ["data/lantern/cases/3-names.yaml"],
        "A check": ["queries/violations/name-in-lower-case.rq", "tests/bad/K399-name-in-lower-case/cards.yaml"],
    }


def test_game_of_two_files(library: Library) -> None:
    """The first section alone gives a game that can be asked."""
    write(FILES[:2], library.root)
    assert members(Game(library, GAME), "fenevad") == {}


def test_examples_are_a_game_without_a_fault(library: Library) -> None:
    """All of it together: no error and no warning, the case passes, and the card name means what the rule says."""
    write(FILES, library.root)
    game = Game(library, GAME)
    assert [one for one in check(game.base).findings if one.severity != INFO] == []
    (result,) = game.cases()
    assert (result.passed, result.expectations) == (True, 2)
    assert members(game, "Éji lepke") == {"moth": "yes"}


def test_example_of_a_check_is_tripped(library: Library) -> None:
    """The bad input is found by the query, and by it alone."""
    write(FILES, library.root)
    (bad,) = (library.root / block.file for block in FILES if "/bad/" in block.file)
    shutil.copy(bad, library.data / GAME / "cards" / "bad.yaml")
    (found,) = violations(Subject(Game(library, GAME).base))
    assert (found.code, found.message) == ("K399", "the name “rossz” begins with a lower-case letter")
    assert found.place is not None
    assert str(found.place).endswith("cards/bad.yaml:2")
