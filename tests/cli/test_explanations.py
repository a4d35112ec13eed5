"""Why something is not so, told as a whole: the rule that came nearest first, and every sentence readable."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

import reasoner
from reasoner.engine.pattern import Pattern, Variable
from reasoner.knowledge.base import open_base
from reasoner.operations.behind import behind_match
from reasoner.operations.casefile import read_case
from reasoner.operations.cases import play_until
from reasoner.operations.match import match
from reasoner.operations.reasons import Reasons
from reasoner.operations.scene import moment_scene
from reasoner.operations.steps import Step, Teller
from reasoner.paths import library
from reasoner.render.steps import tree
from reasoner.situation.play import Play
from reasoner.terms.namespaces import core, game_base

CASE = """\
game: magus
title: A type change, and a move that ends it
given:
  jelen:
    - {id: rion, card: Organ Rion, controlled: true}
    - {id: lovag, card: test-named-lovag, controlled: true}
steps:
  - do: {change type: rion, to: Akciólap}
  - do: {move: rion, to: Kéz}
  - expect: {match: HARCOS, members: {rion: yes}}
"""


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """The situation after its first event."""
    return _play(tmp_path, 1)


def _play(folder: Path, moment: int) -> Play:
    path = folder / "case.yaml"
    path.write_text(CASE, encoding="utf-8")
    return play_until(read_case(path, ["magus"]), open_base(library(), "magus"), moment)


def outline(step: Step) -> list[str]:
    """Return the lines of an explanation without the places and rules behind them, what is folded left out."""
    lines = tree(step).splitlines()
    folds = [number for number, line in enumerate(lines) if "… " in line]
    return [line.split("   [")[0].split("   (")[0] for line in lines[: folds[0] if folds else None]]


def test_what_overrules_a_rule_is_named(play: Play) -> None:
    """Not merely that another rule prevails: which, why, and what it says instead."""
    scene = moment_scene(play.base, play.now)
    rion = play.now.state.find("rion")
    assert rion is not None
    goal = Pattern(rion.iri, core("hasCardType"), _term("Kalandozo"))
    assert outline(Reasons(scene, Teller(scene)).why_not(goal, scene.stages[0])) == [
        "not so: rion has card type Kalandozó",
        "├─ core:printed-type would say so, but magus:C is an exception to it",
        "│  └─ rion has card type Akciólap",
        "│     ├─ the effect begun by event 1 changes rion",
        "│     ├─ the effect begun by event 1 gives the card type Akciólap",
        "│     └─ not “rion has card type Kalandozó” by core:printed-type: magus:C is an exception to it",
    ]


def test_what_is_lacking_is_said_plainly(play: Play) -> None:
    """An open place is no “something”."""
    scene = moment_scene(play.base, play.now)
    rion = play.now.state.find("rion")
    assert rion is not None
    reasons = Reasons(scene, Teller(scene))
    assert outline(reasons.why_not(Pattern(rion.iri, core("hasCardSubtype"), Variable("value")), scene.stages[0])) == [
        "rion has no subtype",
        "└─ magus:C.subtype would say so, but",
        "   └─ Organ Rion has no printed subtype",
    ]


NOT: dict[str, tuple[str, str, list[str]]] = {
    "a card named as a caste": (
        "Lovag",
        "Lovag",
        [
            "Does “Lovag” refer to test-named-lovag (Lovag)? no",
            "   └─ not so: “Lovag” is Lovag",
            "      ├─ magus:H.caste-class would say so, but",
            "      │  ├─ “Lovag” has the caste Barbár",
            "      │  └─ not so: Barbár is at or below Lovag",
        ],
    ),
    "another name": (
        "**Organ Rion**",
        "Rutilicus",
        [
            "Does “**Organ Rion**” refer to rutilicus (Rutilicus)? no",
            "   └─ not so: Rutilicus counts as named “Organ Rion”",
            "      ├─ core:own-name would say so, but",
            "      │  ├─ Rutilicus is named “Rutilicus”",
            "      │  └─ not so: Rutilicus is named “Organ Rion”",
        ],
    ),
    "no property": (
        "harcos",
        "Küdügin",
        [
            "Does “harcos” refer to kudugin (Küdügin)? no",
            "   └─ not so: Küdügin is harcos",
            "      ├─ magus:H.property-class would say so, but",
            "      │  └─ Küdügin has no property",
        ],
    ),
    "what can never match": (
        "kézben lévő kalandozó",
        "Organ Rion",
        [
            "Does “kézben lévő kalandozó” refer to organ-rion (Organ Rion)? no",
            (
                "├─ “kézben lévő kalandozó” can never match: what is controlled is in Present, and "
                "nothing is in Hand and is in Present at once"
            ),
        ],
    ),
}


@pytest.mark.parametrize(("text", "card", "lines"), NOT.values(), ids=NOT)
def test_why_not(text: str, card: str, lines: list[str]) -> None:
    """The lines are there in this order."""
    found = outline(reasoner.load("magus").explain(text, card)[0])
    places = [found.index(line) for line in lines]
    assert places == sorted(places)


def test_rules_behind_an_answer(tmp_path: Path) -> None:
    """The rule that set a printed type aside is behind the no; one that drew what no answer rests on is not."""
    changed = _play(tmp_path, 1)
    assert "magus:C" in _behind("HARCOS", changed)
    assert "magus:C" not in _behind("**Lovag**", changed)
    assert "magus:igaz-nev" not in _behind("HARCOS", changed)


def test_what_ended_a_stay_is_behind_what_is_over(tmp_path: Path) -> None:
    """After the move the change of type is over, because a rule ended the stay on which it was."""
    assert "magus:F" not in _behind("HARCOS", _play(tmp_path, 1))
    assert "magus:F" in _behind("HARCOS", _play(tmp_path, 2))


def _behind(text: str, play: Play) -> set[str]:
    scene = moment_scene(play.base, play.now)
    behind = behind_match(scene, text, match(scene, text).readings[0], tuple(play.moments))
    return {name for part in (behind.given, behind.lacking) for found in part() for name in found}


def _term(name: str) -> ox.NamedNode:
    return ox.NamedNode(f"{game_base('magus')}term/{name}")
