"""`cardlore abilities`, and what is said where the files on abilities are wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reasoner import paths
from reasoner.abilities.rulebook import read_rulebook
from reasoner.abilities.script import read_script
from reasoner.errors import DataError
from reasoner.knowledge.base import open_base

ROOT = Path(__file__).resolve().parents[2]


Run = Callable[..., tuple[int, str, str]]


def test_of_a_text(run: Run) -> None:
    """All that is known of each ability, and of what is none."""
    text = "Equip {2}\n({T}: Croak.)"
    code, out, err = run("abilities", "mtg", text, "--type", "artifact", "-f", "json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "game": "mtg",
        "asked": text,
        "texts": [
            {
                "name": "",
                "language": "en",
                "abilities": [
                    {
                        "kinds": ["activated ability"],
                        "keyword": "equip",
                        "works_in": ["battlefield"],
                        "span": [0, 9],
                        "text": "Equip {2}",
                        "rules": ["mtgs:cr-702.6"],
                    }
                ],
                "ignored": [
                    {"reason": "reminder", "span": [10, 23], "text": "({T}: Croak.)", "rules": ["mtgs:cr-207.2a"]}
                ],
            }
        ],
    }


def test_of_a_card_without_text(run: Run) -> None:
    """The abilities that its file states."""
    assert run("abilities", "mtg", "titanoth-rex", "-f", "csv") == (
        0,
        (
            "of,language,kind,keyword,works in,rules,text\n"
            "Titanoth Rex,,triggered ability,,everywhere,,\n"
            "Titanoth Rex,,activated ability,cycling,hand,,\n"
            "Titanoth Rex,,static ability,trample,battlefield,,\n"
        ),
        "",
    )


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["mtg", "Titanoth Rax"], "U104"),
        (["magus", "HARCOS"], "U116"),
        (["mtg", "Flying", "--lang", "jp"], "U116"),
        (["mtg", "Flying", "--type", "artefact"], "U108"),
    ],
)
def test_mistakes(arguments: list[str], code: str, run: Run) -> None:
    """An unknown card, a game and a language that tell nothing of abilities, an unknown type."""
    status, out, err = run("abilities", *arguments)
    assert (status, out, err.split()[0]) == (2, "", code)


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("bullets:", "bulets:", "D702", None),
        ("  level symbol: '^", "  level symbol: '(^", "D702", "level symbol:"),
        ("  sentence: '", "  sentense: '", "D702", None),
    ],
)
def test_a_wrong_file_of_a_language(tmp_path: Path, old: str, new: str, code: str, line: str | None) -> None:
    """What is missing, or no pattern, is named with its place."""
    text = (ROOT / "data/languages/en/abilities.yaml").read_text(encoding="utf-8")
    assert old in text
    changed = text.replace(old, new, 1)
    (tmp_path / "abilities.yaml").write_text(changed, encoding="utf-8")
    with pytest.raises(DataError) as problem:
        read_script(tmp_path)
    assert problem.value.code == code
    if line:
        number = next(n for n, one in enumerate(changed.split("\n"), 1) if line in one)
        assert problem.value.place is not None
        assert problem.value.place.line == number


@pytest.mark.parametrize(
    ("old", "new"),
    [("mtg:SpellAbility", "mtg:SpelAbility"), ("hint:", "hints:"), ("forms:", "formes:")],
)
def test_a_wrong_file_of_a_game(tmp_path: Path, old: str, new: str) -> None:
    """What is missing, or no term, is D806."""
    library = paths.library(ROOT)
    shutil.copy(library.game("mtg") / "abilities.yaml", tmp_path)
    path = tmp_path / "abilities.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace(f"\n{old}", f"\n{new}", 1) if old.endswith(":") else text.replace(old, new, 1), encoding="utf-8"
    )
    with pytest.raises(DataError) as problem:
        read_rulebook(tmp_path, open_base(library, "mtg").vocabulary)
    assert problem.value.code == "D806"
