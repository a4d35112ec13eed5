"""Effects in situations of Ember, to which the tests add layers: scopes are texts, and all that changes is proved."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import reasoner
from reasoner.effects.order import Resolution
from reasoner.errors import RuleError
from reasoner.game import Game
from reasoner.operations.casefile import read_case
from reasoner.operations.cases import run_case
from reasoner.operations.steps import Step
from reasoner.paths import Library
from reasoner.render.steps import tree
from reasoner.situation.play import Moment
from tests.checks.libraries import ember

HERE = Path(__file__).resolve().parent / "ember"

CARDS = """
cards:
  - {id: grove, name: Liget, type: varázs, abilities: [{id: paths, scope: lény, adds subtypes: lovag}]}
  - id: limb
    name: Ág
    type: varázs
    abilities:
      - {id: life, scope: lovag vagy varázsló, adds subtypes: [lovag, varázsló], adds types: lény, adds power: 1}
  - {id: sage, name: Bölcs, type: lény, subtype: lovag, power: 1}
  - {id: plain, name: Sík, type: lény, power: 2}
  - {id: egg, name: Tojás, type: lény, subtype: varázsló, power: 0}
"""


def layered(place: Path) -> Library:
    """Make a library in the empty folder `place` that holds Ember with layers."""
    library = ember(place)
    folder = library.data / "ember"
    for path in HERE.glob("*.ttl"):
        shutil.copy(path, folder)
    for path in HERE.glob("*.rq"):
        shutil.copy(path, folder / "rules")
    return library


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Ember with layers."""
    return reasoner.load("ember", library=layered(tmp_path_factory.mktemp("library")).root)


def play(game: Game, folder: Path, steps: str, given: str, cards: str = CARDS) -> tuple[Path, list[str], Moment]:
    """Play a case in Ember and return its file, what differs from what it expects, and its last moment."""
    path = folder / "case.yaml"
    path.write_text(f"game: ember\ntitle: a case\n{cards}\ngiven:\n{given}\nsteps:\n{steps}\n", encoding="utf-8")
    result = run_case(read_case(path, ("ember",)), game.base)
    assert result.play is not None, result.error
    return path, [str(result.error)] if result.error else [str(one) for one in result.differences], result.play.now


def lines(steps: tuple[Step, ...]) -> list[str]:
    """Return the lines of an explanation without their branches, as plain text."""
    return [line.lstrip("│├└─ ") for step in steps for line in tree(step).splitlines()]


ON_THE_FIELD = """
  tér:
    - {id: limb, card: limb}
    - {id: grove, card: grove}
    - {id: sage, card: sage}
    - {id: one, card: plain}
    - {id: two, card: plain}
"""


def test_the_older_effect_waits_for_the_one_that_gives_it_more(game: Game, tmp_path: Path) -> None:
    """What the younger one makes a knight the older one makes a wizard, in all its layers; the explanation says why."""
    steps = """
  - expect: {match: varázsló, members: {sage: yes, one: yes, two: yes}}
  - expect: {characteristics: one, power: 3, subtype: [lovag, varázsló], type: lény}
  - expect: {characteristics: grove, subtype: [], type: varázs}
"""
    path, differences, _ = play(game, tmp_path, steps, ON_THE_FIELD)
    assert differences == []
    found = lines(game.order(game.situation(path)))
    assert found == [
        "Effects are applied in this order",
        "layer of kinds   [ember:3: embers:rules 3, undated]",
        "1. “paths” of grove, applied to sage, one, two",
        "it gives the subtype lovag as well",
        "it is the oldest of the 2 left in this layer that waits for nothing",
        "2. “life” of limb, applied to sage, one, two",
        (
            "it gives the subtype lovag as well; it gives the subtype varázsló as well; "
            "it gives the card type lény as well"
        ),
        (
            "it waits for “paths” of grove, which is younger: before it this one would be applied to sage, after it to "
            "sage, one, two   [ember:4: embers:rules 4, undated]"
        ),
        "without “paths” of grove it would be applied to sage",
        (
            "were there also something that is lovag, or varázsló and nothing else, the two would wait for each other, "
            "and “life” of limb would come first, being older"
        ),
        "layer of power   [ember:3: embers:rules 3, undated]",
        "1. “life” of limb, applied to sage, one, two",
        "it adds 1 to power",
    ]
    (proof,) = game.explain("varázsló", "one", scene=game.situation(path))
    assert [line.replace(str(path), "case.yaml") for line in lines((proof,))] == [
        "Does “varázsló” refer to one (Sík)? yes",
        "“varázsló” means: what is varázsló",
        "the word “varázsló” asks for varázsló   [core:type-word: core:DesignPrinciples mentions, undated]",
        "the word “varázsló” can denote varázsló   (seen in the text)",
        "the word “varázsló” is printed in lower case   (seen in the text)",
        "varázsló is a card subtype   (term: data/ember/terms-layers.ttl:10)",
        "what one is",
        "one is varázsló   [core:subtype-class: core:DesignPrinciples effective characteristics, undated]",
        "one has subtype varázsló   [ember:3: embers:rules 3, undated]",
        "“life” of limb is applied to one   [ember:3: embers:rules 3, undated]",
        "limb starts with the ability “life” of Ág   [ember:print: embers:rules 3, undated]",
        "Ág has the ability “life” of Ág   (printed: case.yaml:6)",
        "“life” of Ág applies to: “lovag vagy varázsló”   (printed: case.yaml:10)",
        "“life” of limb waits for “paths” of grove, which would change it   [ember:4: embers:rules 4, undated]",
        "“life” of Ág gives the subtype varázsló as well   (printed: case.yaml:10)",
    ]


def test_with_one_more_wizard_the_two_wait_for_each_other_and_age_decides(game: Game, tmp_path: Path) -> None:
    """A wizard that is no creature: the older effect makes it one, so that now each would change the other."""
    steps = """
  - expect: {match: varázsló, members: {sage: yes, relic: yes}}
  - expect: {characteristics: one, power: 2, subtype: lovag}
"""
    cards = CARDS + "  - {id: relic, name: Ereklye, type: varázs, subtype: varázsló}\n"
    _, differences, _ = play(game, tmp_path, steps, ON_THE_FIELD + "    - {id: relic, card: relic}\n", cards)
    assert differences == []


def test_an_ability_of_a_card_out_of_play_does_nothing(game: Game, tmp_path: Path) -> None:
    """Abilities work in one zone; what leaves it takes its effect along, and what comes back is younger."""
    steps = """
  - do: {move: grove, to: kéz}
  - expect: {match: varázsló, members: {sage: yes}}
  - do: {move: grove, to: tér}
  - expect: {match: varázsló, members: {sage: yes, one: yes, two: yes}}
"""
    _, differences, now = play(game, tmp_path, steps, ON_THE_FIELD)
    assert differences == []
    (found,) = [one for one in now.inference.branches[0].records if isinstance(one, Resolution)]
    ages = {one.effect.iri.value.rsplit("/", 4)[1]: one.effect.since for one in found.applications}
    assert ages == {"limb": (0, 1), "grove": (2, 0)}


def test_what_changes_nothing_cannot_be_carried_out(game: Game, tmp_path: Path) -> None:
    """An ability without changes is refused, with the place where it stands."""
    cards = CARDS + "  - {id: odd, name: Furcsa, type: varázs, abilities: [{id: odd, keyword: füst}]}\n"
    path, differences, _ = play(
        game, tmp_path, "  - do: {resolve: odd, ability: odd}", "  tér: [{id: odd, card: odd}]", cards
    )
    hint = "say in the card file what the ability changes, with fields such as 'adds types'"
    assert differences == [f"C111 {path}:14: carrying out 'odd' changes nothing that lasts\n  {hint}"]


def test_no_starting_value_rests_on_final_ones(tmp_path: Path) -> None:
    """A rule that reads what effects have made of a referent may not say what it starts with."""
    library = layered(tmp_path)
    (library.data / "ember" / "rules" / "bad.rq").write_text(
        """#+ id: ember:strong
#+ title: Knights are strong
#+ source: embers:rules 3
#+ edition: undated
PREFIX core: <https://w3id.org/cardlore/term/>
PREFIX ember: <https://w3id.org/cardlore/game/ember/term/>

CONSTRUCT { ?card ember:hasPower 9 } WHERE { ?card core:hasCardSubtype ember:Lovag }
""",
        encoding="utf-8",
    )
    with pytest.raises(RuleError) as caught:
        reasoner.load("ember", library=library.root)
    assert caught.value.code == "R115"


def test_a_word_is_changed_in_the_texts_of_a_card_whatever_its_language(game: Game, tmp_path: Path) -> None:
    """What spoke of knights speaks of wizards, in its scope and in what it gives; the type line changes as well."""
    cards = """
cards:
  - {id: swap, name: Csere, type: varázs, abilities: [{id: swap, scope: varázs, changes word: lovag, into: varázsló}]}
  - {id: limb, name: Ág, type: varázs, abilities: [{id: life, scope: lovagok, adds subtypes: lovag, adds power: 1}]}
  - {id: sage, name: Bölcs, type: lény, subtype: lovag, power: 1}
  - {id: egg, name: Tojás, type: lény, subtype: varázsló, power: 0}
  - {id: sign, name: Jel, type: varázs, subtype: lovag}
"""
    given = """
  tér:
    - {id: limb, card: limb}
    - {id: swap, card: swap}
    - {id: sage, card: sage}
    - {id: egg, card: egg}
    - {id: sign, card: sign}
"""
    steps = """
  - expect: {characteristics: sage, power: 1, subtype: lovag}
  - expect: {characteristics: egg, power: 1, subtype: varázsló}
  - expect: {match: varázsló, members: {egg: yes, sign: yes}}
  - do: {move: swap, to: kéz}
  - expect: {characteristics: sage, power: 2, subtype: lovag}
  - expect: {characteristics: egg, power: 0, subtype: varázsló}
  - expect: {match: varázsló, members: {egg: yes}}
"""
    path, differences, _ = play(game, tmp_path, steps, given, cards)
    assert differences == []
    found = lines(game.order(game.situation(path, moment=0)))
    assert found == [
        "Effects are applied in this order",
        "layer of kinds   [ember:3: embers:rules 3, undated]",
        "1. “swap” of swap, applied to limb, swap, sign",
        "it changes the word lovag; it puts the word varázsló instead",
        "it is the oldest of the 2 left in this layer that waits for nothing",
        "2. “life” of limb, applied to egg, sign",
        "it gives the subtype varázsló as well",
        (
            "it waits for “swap” of swap, which is younger: before it this one would be applied to sage, sign, after "
            "it to egg, sign   [ember:4: embers:rules 4, undated]"
        ),
        "without “swap” of swap it would be applied to sage, sign",
        "layer of power   [ember:3: embers:rules 3, undated]",
        "1. “life” of limb, applied to egg, sign",
        "it adds 1 to power",
    ]
    (proof,) = game.explain("varázsló", "sign", scene=game.situation(path, moment=0))
    assert [line.replace(str(path), "case.yaml") for line in lines((proof,))[8:]] == [
        "sign has subtype varázsló   [ember:3: embers:rules 3, undated]",
        "“life” of limb is applied to sign   [ember:3: embers:rules 3, undated]",
        "limb starts with the ability “life” of Ág   [ember:print: embers:rules 3, undated]",
        "Ág has the ability “life” of Ág   (printed: case.yaml:6)",
        "“life” of Ág applies to: “lovagok”   (printed: case.yaml:6)",
        "“life” of limb waits for “swap” of swap, which would change it   [ember:4: embers:rules 4, undated]",
        "“swap” of swap is applied to limb   [ember:3: embers:rules 3, undated]",
        "swap starts with the ability “swap” of Csere   [ember:print: embers:rules 3, undated]",
        "Csere has the ability “swap” of Csere   (printed: case.yaml:5)",
        "“swap” of Csere applies to: “varázs”   (printed: case.yaml:5)",
        "“swap” of Csere changes the word lovag   (printed: case.yaml:5)",
        "“swap” of Csere puts the word varázsló instead   (printed: case.yaml:5)",
        "“life” of Ág gives the subtype lovag as well   (printed: case.yaml:6)",
    ]
