"""Situations played event by event: where each fact comes from, and what is left in the store."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasoner.errors import CaseError
from reasoner.game import Game
from reasoner.knowledge.base import open_base
from reasoner.knowledge.yamlfile import read_yaml
from reasoner.operations.steps import Step
from reasoner.paths import Library
from reasoner.situation.play import Play

ROOT = Path(__file__).resolve().parents[2]
SITUATION = """\
game: magus
title: A card that the situation defines, and one of the pool, through four events
cards:
  - id: stranger
    name: Idegen
    type: Kalandozó
    invented: true
    note: It is there to be told apart from the other.
given:
  players: [én, ellenfél]
  jelen:
    - id: a
      card: stranger
      owner: ellenfél
      controller: én
      hidden: true
    - {id: b, card: Organ Rion, controlled: true}
steps:
  - do: {show: a}
  - do:
      control: a
      controller: ellenfél
  - do: {move: b, to: Sor}
  - do: {change type: b, to: Akciólap}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file that holds the situation."""
    path = tmp_path / "s.yaml"
    path.write_text(SITUATION, encoding="utf-8")
    return path


def given(steps: tuple[Step, ...]) -> dict[str, str]:
    """Return each line of an explanation that the situation gives or its card prints, with the line it stands in."""
    lines = [one for step in steps for one in step.walk() if ".yaml:" in one.origin and "data/" not in one.origin]
    return {one.text: f"{one.origin.partition(':')[0]} {one.origin.rpartition(':')[2]}" for one in lines}


PRINTED = {"Idegen has the printed card type Kalandozó": "printed 4"}
CHANGED = {
    "b is controlled": "given 17",
    "the effect begun by event 4 changes b": "given 24",
    "the effect begun by event 4 gives the card type Akciólap": "given 24",
}


@pytest.mark.parametrize(
    ("moment", "text", "who", "wanted"),
    [
        (0, "nyílt lap", "a", {"a is hidden": "given 16"}),
        (1, "nyílt lap", "a", {"a is not hidden": "given 19"}),
        (1, "irányított kalandozó", "a", {"a is controlled": "given 15", **PRINTED}),
        (2, "jelenben lévő lap", "a", {"a lies in Jelen": "given 12"}),
        (2, "jelenben lévő lap", "b", {"b lies in Jelen": "given 17"}),
        (3, "jelenben lévő lap", "b", {"b lies in Sor": "given 23"}),
        (4, "irányított akciólap", "b", CHANGED),
    ],
)
def test_a_proof_names_the_line_that_states_a_fact(
    file: Path, moment: int, text: str, who: str, wanted: dict[str, str]
) -> None:
    """Of what is given the line of the key, of what an event changed that of the event, also for cards of one's own."""
    game = Game(Library(ROOT), "magus")
    assert given(game.explain(text, who, scene=game.situation(file, moment))) == wanted


@pytest.mark.parametrize("moment", range(5))
def test_every_fact_of_a_moment_has_a_place(file: Path, moment: int) -> None:
    """And no fact that is no more."""
    now = Game(Library(ROOT), "magus").situation(file, moment).moment
    assert now is not None
    assert set(now.stated) == set(now.state.triples())
    assert {place.path for place in now.stated.values()} == {file}


UNDECIDED = """\
#+ id: ember:move-{name}
#+ title: What moves is a {name}
#+ source: embers:rules 1
#+ edition: undated
PREFIX core: <https://w3id.org/cardlore/term/>
PREFIX ember: <https://w3id.org/cardlore/game/ember/term/>

CONSTRUCT {{ ?object core:hasCardType ember:{name} }}
WHERE {{ ?event core:moves ?object }}
"""


def test_asking_whether_a_move_ends_an_object_leaves_no_graph(tmp_path: Path) -> None:
    """Not even where rules disagree about the event, so that there are several branches."""
    from tests.checks.libraries import ember

    library = ember(tmp_path)
    for name in ("Leny", "Varazs"):
        (library.game("ember") / "rules" / f"{name}.rq").write_text(UNDECIDED.format(name=name), encoding="utf-8")
    text = "given: {tér: [{id: a, card: dragon}]}\ndo: {move: a, to: kéz}\n"
    data = read_yaml(Path("s.yaml"), CaseError, text)
    play = Play(open_base(library, "ember"), "s", data["given"])
    moment = play.do(data["do"])
    assert len(moment.inference.branches) > 1
    graphs = {name.value for name in play.store.named_graphs()}
    kept = {one.value for m in play.moments for one in (m.graph, *(b.graph for b in m.inference.branches))}
    assert graphs - {name.value for name in play.base.base} == kept
