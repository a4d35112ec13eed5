"""Shorthand: what it stands for, how it is said back, and what can't be read."""

from __future__ import annotations

from functools import cache

import pytest

from reasoner.errors import TextError, UseError
from reasoner.index.opening import PoolIndex, open_index
from reasoner.operations.match import selector_json
from reasoner.operations.poolmatch import match_pool
from reasoner.operations.shorthand import match_shorthand, parse
from reasoner.paths import library
from reasoner.reference.wording import say


@cache
def index() -> PoolIndex:
    """Return the cards of Magic that ship."""
    return open_index(library(), "mtg")


SAID = {
    "t:elf": "is Elf",
    "T:Elf": "is Elf",
    "t=elf": "is Elf",
    "t!=elf": "is not Elf",
    "-t:elf": "is not Elf",
    "t:elf mv<=3": "is Elf and has a mana value of at most 3",
    "t:elf or t:goblin": "is Elf or is Goblin",
    "(t:elf or t:goblin) -c:g": "(is Elf or is Goblin) and does not (has the colour green)",
    "-(t:elf or c:g)": "is not Elf and does not (has the colour green)",
    "mv:2..4": "has a mana value of at least 2 and has a mana value of at most 4",
    "cmc!=3": "has a mana value that is not exactly 3",
    "pow>=4": "has a power of at least 4",
    "tou<2": "has a toughness of less than 2",
    "c:gw": "has the colour green and has the colour white",
    "c:green": "has the colour green",
    "bolt": "has “bolt” in its name",
    '"lightning bolt"': "has “lightning bolt” in its name",
    "o:flying": "has “flying” in its text",
    'o:"draw a card"': "has “draw a card” in its text",
}


@pytest.mark.parametrize("text", SAID)
def test_said_back(text: str) -> None:
    """Every query is said in plain English."""
    base = index().base
    assert say(parse(text, base), base.vocabulary, "en") == SAID[text]


def test_same_selectors_as_card_wording() -> None:
    """Shorthand finds what the wording of a card means of its types and numbers."""
    short = match_shorthand(index(), "t:creature mv<=2")
    worded = match_pool(index(), "creature card with mana value 2 or less")
    assert worded is not None
    assert short.readings[0].selectors == worded.readings[0].selectors
    assert [m.referent.id for m in short.readings[0].members] == [m.referent.id for m in worded.readings[0].members]
    assert short.to_json()["readings"][0]["selector"] == selector_json(worded.readings[0].selectors[0])


def test_sets_of_letters_compare() -> None:
    """Colours compare as sets: `>=` has them all, `<=` no others, `=` both."""
    base = index().base
    assert parse("c>=wu", base) == parse("c:wu", base) == parse("c:w c:u", base)
    assert parse("c<=wu", base) == parse("-c:b -c:r -c:g", base)
    assert parse("c=wu", base) == parse("c>=wu c<=wu", base)
    assert parse("c!=w", base) == parse("-c=w", base)
    assert parse("c>w", base) == parse("c>=w -c=w", base)
    assert parse("c<w", base) == parse("c<=w -c=w", base)


REFUSED = {
    "": "T118 shorthand has 1 to 2000 letters",
    "tt:elf": "T118 unknown key 'tt'",
    "t:elff": "T118 t: there is no 'elff'",
    "t>elf": "T118 t can't be compared by >",
    "mv<=x": "T118 'x' is no whole number",
    "t:elf (": "T118 the shorthand can't be read at its end",
    "t:elf )": "T118 the shorthand can't be read at ')' at letter 7",
    "t:": "T118 the shorthand can't be read at its end",
    'o:"fly': "T118 the shorthand can't be read at '\"fly' at letter 3",
    "(" * 900 + "elf" + ")" * 900: "T118 the shorthand is nested too deep",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    """What can't be read is one clear error."""
    with pytest.raises(TextError) as caught:
        parse(text, index().base)
    assert f"{caught.value.code} {caught.value.message}" == REFUSED[text]


def test_without_what_it_needs() -> None:
    """Texts are sought only where there are any, and a game without keys has no shorthand."""
    with pytest.raises(UseError) as caught:
        match_shorthand(index(), "o:flying")
    assert str(caught.value.message) == "these cards have no texts to search"
    with pytest.raises(UseError) as caught:
        parse("t:x", open_index(library(), "magus").base)
    assert str(caught.value.message) == "'magus' has no shorthand"
