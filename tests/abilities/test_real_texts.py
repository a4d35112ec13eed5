"""Abilities in real card texts, where there are any: English and Japanese agree, and nothing is left over."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reasoner.abilities.model import Anatomy, Bearer
from reasoner.operations.abilities import AbilityReader
from reasoner.terms.namespaces import core, game_base

# Printed texts that say something else than the text of today, or have lost a line break or a mark in the data.
DIFFERENT = {
    "DOM": set[str](),
    "ELD": set[str](),
    "ISD": {"Armored Skaab", "Skaab Goliath", "Skaab Ruinator", "Stitched Drake"},
    "KTK": {
        "Become Immense",
        "Dead Drop",
        "Dig Through Time",
        "Empty the Pits",
        "Murderous Cut",
        "Set Adrift",
        "Treasure Cruise",
    },
    "LRW": {"Caterwauling Boggart"},
    "ZNR": set[str](),
}
Pair = tuple[dict[str, Any], Anatomy, Anatomy | None]


def pairs(reader: AbilityReader, path: Path) -> Iterator[Pair]:
    """Yield each face of a set, with what its English and its Japanese text hold."""
    vocabulary = reader.base.vocabulary
    types = {
        name.casefold(): {one.value for one in iris} for name, iris in vocabulary.labelled(core("CardType")).items()
    }
    modal = game_base("mtg") + "term/ModalDoubleFaced"
    seen: dict[tuple[str, str], bool] = {}
    for card in json.loads(path.read_text(encoding="utf-8"))["data"]["cards"]:
        foreign = [one for one in card.get("foreignData", ()) if one["language"] == "Japanese" and one.get("text")]
        key = (card["name"], card.get("side", ""))
        if seen.get(key, not foreign) and key in seen:
            continue
        seen[key] = seen.get(key, False) or bool(foreign)
        kinds = frozenset(iri for name in card["types"] for iri in types.get(name.casefold(), ()))
        layout = modal if card["layout"] == "modal_dfc" else ""
        name = card.get("faceName", card["name"])
        english = reader.classifiers["en"](card.get("text") or "", Bearer((name,), kinds, layout))
        japanese = None
        if foreign:
            names = (foreign[0].get("faceName") or foreign[0]["name"],)
            japanese = reader.classifiers["ja"](foreign[0]["text"], Bearer(names, kinds, layout))
        yield card, english, japanese


def kinds(anatomy: Anatomy) -> Counter[tuple[str, ...]]:
    """Return how many abilities of which kinds there are."""
    return Counter(tuple(sorted(one.kinds)) for one in anatomy.abilities)


@pytest.mark.parametrize("name", sorted(DIFFERENT))
def test_english_and_japanese_agree(reader: AbilityReader, real_data: Path, name: str) -> None:
    """As many abilities of the same kinds, but where the texts themselves differ; every line is told of."""
    differ, compared = set(), 0
    for card, english, japanese in pairs(reader, real_data / "sets" / f"{name}.json"):
        assert english.unread() == ()
        if japanese is not None:
            assert japanese.unread() == ()
            compared += 1
            if kinds(english) != kinds(japanese):
                differ.add(card["name"])
    assert compared > 200
    assert differ == DIFFERENT[name]


def test_no_hint_became_an_ability(reader: AbilityReader, real_data: Path) -> None:
    """Each face of the 36 modal double-faced cards has two lines of hints in Japanese, and none in English."""
    faces = hints = 0
    for card, english, japanese in pairs(reader, real_data / "sets" / "ZNR.json"):
        assert [one for one in english.ignored if one.reason == "hint"] == []
        found = [one for one in japanese.ignored if one.reason == "hint"] if japanese else []
        if card["layout"] == "modal_dfc" and japanese:
            faces, hints = faces + 1, hints + len(found)
        else:
            assert found == []
    assert (faces, hints) == (72, 144)
