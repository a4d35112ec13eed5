"""Texts read: every letter accounted for, references with their roles, and nothing dropped in silence."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.abilities.model import Bearer
from reasoner.cardtexts.reader import KINDS, CardText
from reasoner.cardtexts.segments import UNREAD
from reasoner.cardtexts.workshop import Workshop, open_workshop
from reasoner.knowledge.base import open_base
from reasoner.paths import library
from reasoner.reference.wording import say


@cache
def workshop() -> Workshop:
    """What reads texts in English: a fixture would be shown whole in failures of properties."""
    return open_workshop(open_base(library(), "mtg"), "en")


def told(read: CardText) -> list[tuple[str, str]]:
    """The stretches with their kinds, but for what is understood and refers to nothing."""
    return [(one.kind, read.text[one.start : one.end]) for one in read.stretches if one.kind != "understood"]


def test_what_stands_in_a_text(english: Workshop) -> None:
    """References, words that point back, a reminder that is ignored, and what no phrase accounts for."""
    text = "Bold Rider deals 2 damage to target Wolf. (Wolves howl.)\nUntap it. Gleep the river."
    read = english.read(text, Bearer(("Bold Rider",)))
    assert told(read) == [
        ("reference", "target Wolf"),
        ("ignored", "(Wolves howl.)"),
        ("pointer", "it"),
        ("unread", "Gleep the river"),
    ]
    assert read.sentences == (
        ("{this} deals 2 damage to target Wolf.", True),
        ("Untap it.", True),
        ("Gleep the river.", False),
    )


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("Prevent all damage that would be dealt to target creature this turn.", ["target creature"]),
        ("Whenever you cast a red spell this turn, draw a card.", ["a red spell"]),
        ("Spells you cast this turn cost {1} less to cast.", ["Spells you cast this turn"]),
        (
            "Shuffle all creature cards from your graveyard into your library.",
            ["all creature cards from your graveyard"],
        ),
        ("Create a white Cat token and a black Rat token.", ["a white Cat token and a black Rat token"]),
    ],
)
def test_where_a_reference_ends(english: Workshop, text: str, references: list[str]) -> None:
    """When something happens, and where something is put, is no part of what is spoken of."""
    read = english.read(text)
    assert [text[one.start : one.end] for one in read.references] == references


def test_a_noun_with_a_quality_after_it_is_whole(english: Workshop) -> None:
    """Of two kinds of tokens neither has the subtype of the other."""
    (one,) = english.read("Create a white Cat token and a black Rat token.").references
    assert one.meaning is not None
    assert say(one.meaning.selector, english.base.vocabulary, "en") == (
        "(is Cat, is permanent, has the colour white, is token and is in battlefield)"
        " or (is permanent, is Rat, has the colour black, is token and is in battlefield)"
    )


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Destroy target creature with three sleeves.", ["target creature", "with three sleeves"]),
        ("Destroy target gleaming creature.", ["target gleaming", "creature"]),
        ("Destroy target creature.", []),
        ("Exile each creature whose hat is red.", ["each creature", "whose hat"]),
    ],
)
def test_a_reference_beside_what_is_not_understood_is_none(english: Workshop, text: str, left: list[str]) -> None:
    """It would mean too much: a word that may go on it is missing."""
    read = english.read(text)
    assert [text[one.start : one.end] for one in read.stretches if one.kind == UNREAD] == left
    assert bool(read.references) == (not left)


def test_quoted_abilities_are_read(english: Workshop) -> None:
    """What stands between quotation marks is a text of its own."""
    read = english.read('Goblins you control have "{T}: Destroy target Wall."')
    assert [(one.wording, [role.rsplit("/", 1)[1] for role, _ in one.roles]) for one in read.references] == [
        ("Goblins you control", ["grantsAbilityTo"]),
        ("target Wall", ["destroys", "targets"]),
    ]


def test_own_names_are_no_references(english: Workshop) -> None:
    """Neither whole nor short, though a word of the game be in them."""
    read = english.read("Elf, Keeper of Trees gets +1/+1. Sacrifice Elf.", Bearer(("Elf, Keeper of Trees",)))
    assert read.references == ()
    assert told(read) == []


def test_the_rules_behind_meaning_and_role(english: Workshop) -> None:
    """Both are told: those that read the words, and those that read what governs them."""
    (one,) = english.read("Destroy target Elf spell.").references
    assert one.meaning is not None
    vocabulary = english.base.vocabulary
    assert say(one.meaning.selector, vocabulary, "en") == "is Elf, is spell and is in stack"
    roles = {role.rsplit("/", 1)[1]: sorted(rules) for role, rules in one.roles}
    assert roles == {"destroys": ["mtg:608.2c.acts", "mtg:701.7.destroys"], "targets": ["mtg:115.1.targets"]}
    assert "mtg:109.2b.stack" in one.meaning.rules


_PIECES = (
    'Destroy|target creature|an Elf|you control|.|,|and|or|whenever|dies|if|{T}|:|(It glows.)|\n|•|"|gleep|+1/+1|'
    "gets|until end of turn|X|named Foo Bar|non|—|enters the battlefield|it|Flying|from your graveyard|with|[−2]:|I —"
)


@settings(max_examples=150)
@given(st.lists(st.sampled_from(_PIECES.split("|")), max_size=14).map(" ".join))
def test_every_letter_is_accounted_for(text: str) -> None:
    """Whatever is written: stretches in order, that do not overlap, and hold every word."""
    read = workshop().read(text, Bearer(("Foo",)))
    at = 0
    for one in read.stretches:
        assert one.kind in KINDS
        assert at <= one.start < one.end <= len(text)
        assert not any(char.isalnum() for char in text[at : one.start])
        at = one.end
    assert not any(char.isalnum() for char in text[at:])
