"""Spots kept from text to text are what a lattice has that is made anew, whatever texts came before."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.knowledge.base import open_base
from reasoner.knowledge.tongues import Tongue
from reasoner.language import spots as module
from reasoner.language.lattice import Builder, Lattice
from reasoner.language.lexicon import Entry, Lexicon
from reasoner.language.morphology import Unchanging
from reasoner.language.spots import Spots
from reasoner.language.tokens import plain_tokens
from reasoner.paths import library

ENGLISH = (
    "target creature creatures card with mana value 3 or less flying non - Elf's +1/+1 legendary first strike land's "
    "named “ Bog Wraith ” , and 12 you control X"
)
JAPANESE = "クリーチャー ・ カード 多相の戦士 戦士 でない あなたが コントロールする １ つ 飛行 《 》"


@cache
def tongue(code: str) -> Tongue:
    return next(one for one in open_base(library(), "mtg").tongues if one.language.code == code)


@cache
def kept(code: str) -> Spots:
    """Spots that all examples share, so that each finds what those before it have left."""
    return Spots(builder(code))


def builder(code: str) -> Builder:
    return tongue(code).language.builder(tongue(code).lexicon)


def anew(code: str, text: str) -> Lattice:
    return builder(code).build(plain_tokens(text))


@pytest.mark.parametrize(("code", "words", "gap"), [("en", ENGLISH, " "), ("ja", JAPANESE, "")])
def test_as_made_anew(code: str, words: str, gap: str) -> None:
    @settings(deadline=None, max_examples=150)
    @given(st.lists(st.sampled_from(words.split()), max_size=9))
    def check(chosen: list[str]) -> None:
        text = gap.join(chosen)
        assert kept(code).lattice(plain_tokens(text)) == anew(code, text)

    check()


def test_nothing_is_looked_up_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may stand from a token on is kept by the tokens that words can go on with."""
    asked: list[int] = []
    edges = Builder.edges
    monkeypatch.setattr(Builder, "edges", lambda *given: (asked.append(given[2]), edges(*given))[1])
    found = Spots(builder("en"))
    found(plain_tokens("target Elf with flying"))
    assert asked == [0, 1, 2, 3]
    asked.clear()
    found(plain_tokens("with flying target Elf with flying"))
    assert asked == []
    found(plain_tokens("target Elf with first strike"))
    # There are words that begin with "with" and go on: what may stand from there depends on the next.
    assert asked == [2, 3, 4]


def test_a_word_is_longer_only_where_the_text_goes_on() -> None:
    """ "Kos" at the end of a text is one thing, and another where a text goes on with "Moor"."""
    entries = [Entry(name.casefold(), name, "NAME", name=name) for name in ("Kos", "Kos Moor")]
    made = Builder(Lexicon(entries), Unchanging())
    found = Spots(made)
    for text in ("Kos", "Kos Moor", "Kos", "Kos Kos", "Kos Moor Kos"):
        assert found.lattice(plain_tokens(text)) == made.build(plain_tokens(text))


def test_what_is_kept_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 3)
    found = Spots(builder("en"))
    for text in ("target Elf with flying", "Elf", "with flying", "target Elf"):
        assert found.lattice(plain_tokens(text)) == anew("en", text)
        assert len(found._known) <= 3 + 8
