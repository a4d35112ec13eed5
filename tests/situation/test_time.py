"""Time in Ember, to which the tests add layers, steps and a crew: what triggers, what lasts, what is drawn."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import reasoner
from reasoner.game import Game
from reasoner.operations.casefile import read_case
from reasoner.operations.cases import run_case
from reasoner.render.steps import tree
from tests.checks.libraries import ember

HERE = Path(__file__).resolve().parent
CARDS = """
cards:
  - id: bell
    name: Harang
    type: varázs
    abilities:
      - id: ring
        triggers at: hajnal
        if: térben lévő varázsló
        resolves: true
        scope: térben lévő lovag
        adds power: 1
        lasts: alkonyig
      - id: hush
        triggers at: hajnal
        if: teljes legénység
        resolves: true
        scope: térben lévő lovag
        forbids: harc
        lasts: alkonyig
  - {id: sage, name: Bölcs, type: lény, subtype: varázsló, power: 1}
  - {id: rider, name: Lovas, type: lény, subtype: lovag, power: 1}
  - {id: both, name: Kettős, type: lény, subtype: [lovag, varázsló], power: 1}
"""
GIVEN = """
  players: [te, más]
  tér:
    - {id: bell, card: bell, owner: te, controller: te}
    - {id: rider, card: rider, owner: te, controller: te}
    - {id: sage, card: sage, owner: te, controller: te}
  kéz:
    - {id: late, card: rider, owner: te}
    - {id: other, card: sage, owner: más}
    - {id: next, card: both, owner: te}
"""
BOTH_RING = """
  - do: {begin step: hajnal}
  - expect: {triggers: {bell: [hush, ring]}, by: [ember:triggers]}
"""
CASES = {
    "what changes a characteristic is settled, what forbids is not": """
  - do: {resolve: bell, ability: ring}
  - do: {resolve: bell, ability: hush}
  - do: {move: late, to: tér, controller: te}
  - expect: {characteristics: rider, power: 2, barred from: harc}
  - expect: {characteristics: late, power: 1, barred from: harc}
  - expect: {characteristics: sage, power: 1, barred from: []}
""",
    "what lasts until dusk is over then, and not before": """
  - do: {resolve: bell, ability: ring}
  - do: {resolve: bell, ability: hush}
  - do: {begin step: hajnal}
  - expect: {characteristics: rider, power: 2, barred from: harc}
  - do: {begin step: alkony}
  - expect: {triggers: {}}
  - expect: {characteristics: rider, power: 1, barred from: []}
""",
    "a condition is asked again on resolution, a reference as well as a state": """
  - do: {move: sage, to: kéz}
  - do: {resolve: bell, ability: ring}
  - expect: {takes effect: false}
  - do: {resolve: bell, ability: hush}
  - expect: {takes effect: false}
  - expect: {characteristics: rider, power: 1, barred from: []}
""",
    "an ability resolves once for each time that it has triggered, even if its bearer has left": """
  - do: {move: bell, to: kéz}
  - do: {begin step: hajnal}
  - expect: {triggers: {}}
  - do: {resolve: bell, ability: hush}
  - expect: {takes effect: true}
  - expect: {characteristics: rider, barred from: harc}
""",
    "the card on top is drawn, each owner having an order of their own": """
  - expect: {characteristics: late, position: 1}
  - expect: {characteristics: next, position: 2}
  - expect: {characteristics: other, position: 1}
  - do: {move: late, to: kéz, at: bottom}
  - expect: {characteristics: next, position: 1}
  - do: {draw: te}
  - expect: {characteristics: late, position: 1}
  - expect: {value: crew, of: te, is: 2, seats: {lovag: rider, varázsló: sage}, others: true}
""",
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Ember with layers and with time."""
    library = ember(tmp_path_factory.mktemp("library"))
    folder = library.data / "ember"
    for place in (HERE / "ember", HERE.parent / "effects" / "ember"):
        for path in place.glob("*.ttl"):
            shutil.copy(path, folder)
        for path in place.glob("*.rq"):
            shutil.copy(path, folder / "rules")
    return reasoner.load("ember", library=library.root)


def write(folder: Path, steps: str, given: str = GIVEN) -> Path:
    """Write a case in Ember and return its file."""
    path = folder / "case.yaml"
    path.write_text(f"game: ember\ntitle: a case\n{CARDS}\ngiven:{given}\nsteps:{steps}", encoding="utf-8")
    return path


def differences(game: Game, path: Path) -> list[str]:
    """Play a case and return what differs from what it expects, or the error that ended it."""
    result = run_case(read_case(path, ("ember",)), game.base)
    return [str(result.error)] if result.error else [str(one) for one in result.differences]


@pytest.mark.parametrize("name", CASES)
def test_time(game: Game, tmp_path: Path, name: str) -> None:
    assert differences(game, write(tmp_path, BOTH_RING + CASES[name])) == []


def test_what_has_not_come_true_is_a_difference(game: Game, tmp_path: Path) -> None:
    """Both ways: what is said and is not so, and what is so and is not said."""
    steps = """
  - do: {begin step: hajnal}
  - expect: {triggers: {rider: ring, bell: ring}}
  - expect: {takes effect: false}
  - expect: {value: crew, of: te, is: 1, seats: {lovag: sage}, others: true}
  - expect: {condition: teljes legénység, of: te, answer: no}
"""
    path = write(tmp_path, steps)
    assert [one.replace(f"{path}:", "") for one in differences(game, path)] == [
        "40: triggers: bell: expected [ring], found [hush, ring]",
        "40: triggers: rider: expected [ring], found []",
        "41: takes effect: takes effect: expected no, found yes",
        "42: value 'crew', of te: value: expected 1, found 2",
        "42: value 'crew', of te: lovag: expected sage, found rider",
        "42: value 'crew', of te: varázsló: expected empty, found sage",
        "42: value 'crew', of te: others: expected yes, found no",
        "43: condition 'teljes legénység', of te: answer: expected no, found yes",
    ]


def test_the_proof_of_a_matching_shows_who_fills_which_seat(game: Game, tmp_path: Path) -> None:
    path = write(tmp_path, "\n  - expect: {value: crew, of: te, is: 2}\n")
    (step,) = game.explain_value("crew", "te", scene=game.situation(path))
    lines = [line.lstrip("│├└─ ") for line in tree(step).splitlines()]
    assert [line.partition("   ")[0] for line in lines] == [
        "“crew” of te: 2",
        "“crew” means the crew",
        "what te is",
        "te has a crew of 2",
        "rider fills the lovag seat of te",
        "rider is lovag",
        "rider has subtype lovag",
        "rider starts with the subtype lovag",
        "Lovas has the printed subtype lovag",
        "rider is lény",
        "rider has card type lény",
        "rider starts with the card type lény",
        "Lovas has the printed card type lény",
        "rider is in tér",
        "rider lies in tér",
        "sage fills the varázsló seat of te",
        "sage is varázsló",
        "sage has subtype varázsló",
        "sage starts with the subtype varázsló",
        "Bölcs has the printed subtype varázsló",
        "sage is lény",
        "sage has card type lény",
        "sage starts with the card type lény",
        "Bölcs has the printed card type lény",
        "sage is in tér",
        "sage lies in tér",
        "as many seats of te can be filled in another way: false",
    ]
