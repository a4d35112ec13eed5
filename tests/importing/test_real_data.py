"""Real card data, where there are any: what is in them, by the rules, and how it compares with what they state."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import reasoner
from reasoner.abilities.model import Bearer
from reasoner.game import Game
from reasoner.importing.run import Imported, import_file
from reasoner.operations.abilities import AbilityReader
from reasoner.operations.query import find_query
from reasoner.paths import Library
from reasoner.terms.namespaces import game_base

SETS = ("DOM", "ELD", "ISD", "KTK", "LRW", "ZNR")
PARTY = {"Cleric": 23, "Rogue": 23, "Warrior": 29, "Wizard": 21}


@pytest.fixture(scope="module")
def pools_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A place for the pools of this file."""
    folder = tmp_path_factory.mktemp("pools")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDLORE_POOLS", str(folder))
        yield folder


@pytest.fixture(scope="module")
def imported(library: Library, real_data: Path, pools_place: Path) -> Imported:
    """Zendikar Rising, imported."""
    return import_file(library, "mtgjson", real_data / "sets" / "ZNR.json")


@pytest.fixture(scope="module")
def znr(library: Library, imported: Imported) -> Game:
    """Magic with the cards of Zendikar Rising."""
    return reasoner.load("mtg", library=library.root, pool="znr")


def members(game: Game, text: str) -> set[str]:
    """Return the cards of the set that the text means, whatever else holds of them."""
    listed = {row[0].value.rsplit("/", 1)[1] for row in game.query("SELECT ?card { ?card core:isImportedAs ?as }").rows}
    readings = game.match(text).readings
    assert len(readings) == 1
    return {one.referent.id for one in readings[0].members} & listed


def local(iri: str) -> str:
    """Return the last part of an IRI."""
    return iri.rsplit("/", 1)[1]


def test_numbers_of_the_set(imported: Imported) -> None:
    assert imported.pool.counts == {"records": 453, "cards": 278, "faces": 314, "printings": 453, "skipped": 0}
    assert imported.new_terms == ()


def test_party(znr: Game) -> None:
    """As many of each type as there are, and none of two types."""
    found = {name: members(znr, f"{name} creature card") for name in PARTY}
    assert {name: len(cards) for name, cards in found.items()} == PARTY
    assert len(set().union(*found.values())) == sum(PARTY.values()) == 96
    assert members(znr, "Cleric, Rogue, Warrior, or Wizard creature card") == set().union(*found.values())


def spoken_of(real_data: Path, words: str) -> dict[str, dict[str, Any]]:
    """Return the cards of the set whose text has these words, by name."""
    cards = json.loads((real_data / "sets" / "ZNR.json").read_text(encoding="utf-8"))["data"]["cards"]
    return {card["name"]: card for card in cards if words in (card.get("text") or "")}


def test_cards_that_speak_of_a_full_party(znr: Game, real_data: Path) -> None:
    """There are five; what each says of it is an ability of the right kind, at work where its bearer needs it."""
    reader = AbilityReader(znr.base)
    found = {}
    for name, card in spoken_of(real_data, "full party").items():
        kinds = frozenset(f"{game_base('mtg')}term/{kind}" for kind in card["types"])
        anatomy = reader.classifiers["en"](card["text"], Bearer((name,), kinds, ""))
        speaking = [one for one in anatomy.abilities if "full party" in card["text"][one.start : one.end]]
        found[name] = [(sorted(map(local, one.kinds)), sorted(map(local, one.where.zones))) for one in speaking]
        assert znr.base.card(name) is not None
    triggered = [(["TriggeredAbility"], ["Battlefield"])]
    assert found == {
        "Archpriest of Iona": triggered,
        "Coveted Prize": [(["SpellAbility"], ["Stack"])],
        "Linvala, Shield of Sea Gate": triggered,
        "Nimble Trapfinder": triggered,
        "Squad Commander": triggered,
    }


def test_every_party_creature_takes_its_place(znr: Game, real_data: Path, tmp_path: Path) -> None:
    """A board of all creatures of one type fills one place; with one of each type the party is full, for every one."""
    kinds = {name: sorted(members(znr, f"{name} creature card")) for name in PARTY}
    players = [*PARTY, *(f"p{number}" for number in range(max(map(len, kinds.values()))))]
    field = [(one, name) for name, cards in kinds.items() for one in cards]
    # The teams: every creature stands in one at least, with one of each of the other types.
    teams = [tuple(cards[number % len(cards)] for cards in kinds.values()) for number in range(len(players) - 4)]
    assert {one for team in teams for one in team} == {one for one, _ in field}
    field += [(one, f"p{number}") for number, team in enumerate(teams) for one in team]
    lines = [f"    - {{id: c{number}, card: {one}, controller: {who}}}" for number, (one, who) in enumerate(field)]
    steps = [f"  - expect: {{value: party size, of: {name}, is: {1 if name in PARTY else 4}}}" for name in players]
    steps += [f"  - expect: {{condition: full party, of: {name}, answer: {name not in PARTY}}}" for name in players]
    path = tmp_path / "case.yaml"
    given = [f"  players: [{', '.join(players)}]", "  battlefield:", *lines]
    path.write_text("\n".join(["game: mtg", "title: parties", "given:", *given, "steps:", *steps]), encoding="utf-8")
    (result,) = znr.cases([path])
    assert (result.error, result.differences) == (None, [])
    assert result.expectations == 2 * len(players) == 2 * (4 + PARTY["Warrior"])


def test_modal_double_faced_cards(znr: Game) -> None:
    """Their front faces count in the pool, and their back faces are lands all."""
    rows = znr.query(
        "SELECT ?front ?back { ?card core:isImportedAs ?as ; core:hasLayout mtg:ModalDoubleFaced . "
        "?card core:hasFace ?a , ?b ."
        " ?a core:faceNumber 1 ; core:printedCardType ?front . ?b core:faceNumber 2 ; core:printedCardType ?back }"
    ).rows
    fronts = Counter(front.value.rsplit("/", 1)[1] for front, _ in rows)
    assert fronts == {"Instant": 12, "Sorcery": 11, "Creature": 7, "Land": 6}
    assert {back.value.rsplit("/", 1)[1] for _, back in rows} == {"Land"}


def test_land_cards(znr: Game) -> None:
    """By their front faces, not by what could be played as a land."""
    assert len(members(znr, "land card")) == 15
    either = "SELECT DISTINCT ?card { ?card core:isImportedAs ?as ; core:hasFace?/core:printedCardType mtg:Land }"
    assert len(znr.query(either).rows) == 45


def test_japanese_names(znr: Game) -> None:
    assert znr.base.card("墓入りの妨害") == znr.base.card("Thwart the Grave")
    assert znr.base.card("セジーリの氷河") == znr.base.card("Sejiri Shelter")


@pytest.mark.parametrize("name", [*SETS, "AtomicCards-known"])
def test_colour_identity(library: Library, real_data: Path, pools_place: Path, name: str) -> None:
    """What the rules make of costs, texts and land types is what the data say, on every card."""
    path = real_data / "AtomicCards-known.json.gz" if name not in SETS else real_data / "sets" / f"{name}.json"
    import_file(library, "mtgjson", path, name=name.lower())
    game = reasoner.load("mtg", library=library.root, pool=name.lower())
    prefixes = dict(game.base.vocabulary.prefixes.namespaces)
    # The knowledge base alone: the whole dataset has what references match as well, which takes minutes.
    question = find_query("where-listed-and-derived-differ", library).text
    assert list(game.base.store.query(question, use_default_graph_as_union=True)) == []
    agree = "SELECT * { ?card core:isImportedAs ?as ; mtg:hasColourIdentity ?c ; mtg:listedColourIdentity ?c }"
    found = game.base.store.query(agree, prefixes=prefixes, use_default_graph_as_union=True)
    assert len(list(found)) >= 200
