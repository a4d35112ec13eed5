"""Abilities in texts made up for these tests: each form, in English and Japanese."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from reasoner.abilities.classify import Classifier
from reasoner.abilities.model import Bearer
from reasoner.operations.abilities import AbilityReader

Kinds = Callable[..., list[str]]
FIELD = "@ Battlefield"

CREATURE = {
    "a line of keywords": (
        "Flying, vigilance; reach",
        [f"Flying: Static {FIELD}", f"Vigilance: Static {FIELD}", f"Reach: Static {FIELD}"],
    ),
    "keywords with a cost, without a reminder": (
        "Equip {2}\nCycling {1}{U}\nLevel up {3}\nKicker {2}",
        [
            f"Equip: Activated {FIELD}",
            "Cycling: Activated @ Hand",
            f"LevelUp: Activated {FIELD}",
            "Kicker: Static @ Stack",
        ],
    ),
    "keywords that are written otherwise": (
        "Swampwalk\nPlainscycling {2}\nProtection from red, from blue, and from Goats\nCycling—Discard a frog.",
        [
            f"Landwalk: Static {FIELD}",
            "Cycling: Activated @ Hand",
            *[f"Protection: Static {FIELD}"] * 3,
            "Cycling: Activated @ Hand",
        ],
    ),
    "a sentence that begins like a keyword": ("Flying frogs you control croak.", [f"Static {FIELD}"]),
    "a cost": ("{2}, Feed a frog: Draw a card.", [f"Activated {FIELD}"]),
    "a colon between quotation marks": ('Frogs you control have "{T}: Croak."', [f"Static {FIELD}"]),
    "a colon in a reminder": ("Frogs croak. ({T}: A frog croaks.)", [f"Static {FIELD}"]),
    "a reminder alone": ("({T}: Add {G}.)", ["reminder"]),
    "mana": (
        "{T}: Add {G}.\n{T}: Add one mana of any color.\n{T}: Target frog croaks. Add {G}.",
        [f"Activated Mana {FIELD}", f"Activated Mana {FIELD}", f"Activated {FIELD}"],
    ),
    "mana from mana, and from something else": (
        "Whenever a frog is tapped for mana, add {G}.\nWhenever a frog croaks, add {G}.",
        [f"Triggered Mana {FIELD}", f"Triggered {FIELD}"],
    ),
    "when, whenever, at": (
        "When a frog croaks, draw a card.\nPond — Whenever it rains, croak.\nAt the beginning of your upkeep, croak.",
        [f"Triggered {FIELD}"] * 3,
    ),
    "cycling and what it triggers": (
        "Cycling {2}\nWhen you cycle this card, a frog croaks.",
        ["Cycling: Activated @ Hand", "Triggered @ everywhere"],
    ),
    "chapters": (
        "(A reminder about lore.)\nI, II — A frog croaks.\nIII — At night, it rains.",
        ["reminder", f"ChapterSymbol: Triggered Chapter {FIELD}", f"ChapterSymbol: Triggered Chapter {FIELD}"],
    ),
    "loyalty, mana or not": (
        "[+1]: Add {R}.\n[−2]: A frog croaks.\n−X: It rains.",
        [f"Activated Loyalty {FIELD}"] * 3,
    ),
    "levels": (
        "Level up {1}\nLEVEL 1-3\n2/2\nFlying\nLEVEL 4+\n5/5",
        [
            f"LevelUp: Activated {FIELD}",
            f"LevelSymbol: Static {FIELD}",
            f"Flying: Static {FIELD}",
            f"LevelSymbol: Static {FIELD}",
        ],
    ),
    "a choice, and anchors": (
        "\n".join(
            (
                "When it rains, choose one —",
                "• A frog croaks.",
                "• It croaks.",
                "As Old Frog enters, choose Rain or Sun.",
                "• Rain — At dusk, it rains.",
                "• Sun — Frogs are green.",
            )
        ),
        [f"Triggered {FIELD}", f"Static {FIELD}", f"Triggered {FIELD}", f"Static {FIELD}"],
    ),
    "what defines the card itself": (
        "Old Frog's power is equal to the number of frogs you control.\nChangeling\nOther frogs' power is 2.",
        [
            "Static CharacteristicDefining @ everywhere",
            "Changeling: Static CharacteristicDefining @ everywhere",
            f"Static {FIELD}",
        ],
    ),
    "what works elsewhere": (
        "\n".join(
            (
                "{2}, Exile Old Frog from your graveyard: Croak.",
                "When you cast this spell, croak.",
                "This spell costs {1} less.",
                "As long as Old Frog is in your graveyard, croak.",
            )
        ),
        ["Activated @ Graveyard", "Triggered @ Stack", "Static @ Stack", "Static @ Graveyard"],
    ),
}
SPELL = {
    "sentences": ("A frog croaks.\nIt rains.", ["Spell @ Stack", "Spell @ Stack"]),
    "modes": ("Choose two —\n• A frog croaks.\n• It rains.", ["Spell @ Stack"]),
    "a delayed trigger": ("At the beginning of the next end step, a frog croaks.", ["Spell @ Stack"]),
    "its own trigger": ("When you cycle this card, croak.", ["Triggered @ everywhere"]),
    "what it costs": (
        "As an additional cost to cast this spell, feed a frog.\nCroak.",
        ["Static @ Stack", "Spell @ Stack"],
    ),
}
JAPANESE = {
    "keywords": (
        "飛行、警戒\n装備{2}\n沼渡り\nプロテクション（赤）\nエンチャント（蛙）",
        [
            f"Flying: Static {FIELD}",
            f"Vigilance: Static {FIELD}",
            f"Equip: Activated {FIELD}",
            f"Landwalk: Static {FIELD}",
            f"Protection: Static {FIELD}",
            f"Enchant: Static {FIELD}",
        ],
    ),
    "cost, trigger, statement": (
        "{T}：{G}を加える。\n{2}：蛙１体を対象とする。それは鳴く。\n雨が降るたび、蛙は鳴く。\nあなたのアップキープの開始時に、蛙は鳴く。\n蛙は「{T}：鳴く。」を持つ。（鳴く：声を出す。）",
        [
            f"Activated Mana {FIELD}",
            f"Activated {FIELD}",
            f"Triggered {FIELD}",
            f"Triggered {FIELD}",
            f"Static {FIELD}",
        ],
    ),
    "symbols": (
        "I ― 蛙は鳴く。\n+1：蛙は鳴く。\n－２：雨が降る。",
        [f"ChapterSymbol: Triggered Chapter {FIELD}", f"Activated Loyalty {FIELD}", f"Activated Loyalty {FIELD}"],
    ),
}


@pytest.mark.parametrize("name", CREATURE)
def test_on_a_creature(shown: Kinds, name: str) -> None:
    """The forms on what becomes a permanent."""
    text, expected = CREATURE[name]
    assert shown(text, "Creature", names=("Old Frog",)) == expected


@pytest.mark.parametrize("name", SPELL)
def test_on_a_spell(shown: Kinds, name: str) -> None:
    """The forms on an instant or sorcery."""
    text, expected = SPELL[name]
    assert shown(text, "Sorcery", names=("Croak",)) == expected


@pytest.mark.parametrize("name", JAPANESE)
def test_in_japanese(shown: Kinds, name: str) -> None:
    """The same forms in Japanese."""
    text, expected = JAPANESE[name]
    assert shown(text, "Creature", language="ja") == expected


def test_hints_of_the_other_face(shown: Kinds) -> None:
    """They stand last, on cards with two modal faces; elsewhere such lines are read as they are."""
    modal = "https://w3id.org/cardlore/game/mtg/term/ModalDoubleFaced"
    text = "蛙は鳴く。\n土地\n{T}：{G}を加える。"
    assert shown(text, "Sorcery", language="ja", layout=modal) == ["Spell @ Stack", "hint", "hint"]
    assert shown(text, "Sorcery", language="ja") == ["Spell @ Stack", "hint", "hint"]
    assert shown(text, "Sorcery", language="ja", layout="") == [
        "Spell @ Stack",
        "Spell @ Stack",
        "Activated Mana @ Stack",
    ]
    back = "この土地はタップ状態で戦場に出る。\n{T}：{G}を加える。\nクレリック\n{1}{W}"
    assert shown(back, "Land", language="ja", layout=modal) == [
        f"Static {FIELD}",
        f"Activated Mana {FIELD}",
        "hint",
        "hint",
    ]
    assert shown("蛙は鳴く。\n鳴き声\n{1}{W}", "Creature", language="ja", layout=modal) == [f"Static {FIELD}"] * 3


def test_a_keyword_without_a_section_of_its_own_cites_that_of_keywords(reader: AbilityReader) -> None:
    """What the file of the game says of keywords stands in for what a keyword itself does not say."""
    known = reader.classifiers["en"]
    bare = tuple(replace(one, cites="") if "flying" in one.names["en"] else one for one in known.rulebook.keywords)
    classifier = Classifier(replace(known.rulebook, keywords=bare), known.script)
    bearer = Bearer((), frozenset(), None)
    own = {one.iri: one.cites for one in known.rulebook.keywords}
    found = {one.keyword.rsplit("/", 1)[1]: one.cites for one in classifier("Flying, vigilance", bearer).abilities}
    assert found == {
        "KeywordFlying": ("https://w3id.org/cardlore/game/mtg/source/cr-702.1",),
        "KeywordVigilance": tuple(own[iri] for iri in own if iri.endswith("KeywordVigilance")),
    }
