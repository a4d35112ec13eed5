"""What may stand at a place is kept by the words that follow, and is what reading the sentence anew gives."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.cardtexts import places as module
from reasoner.cardtexts.places import Onward, Places, Row
from reasoner.cardtexts.workshop import Workshop, open_workshop
from reasoner.knowledge.base import open_base
from reasoner.language.ordered import OrderedParser
from reasoner.language.tokens import plain_tokens
from reasoner.paths import library

WORDS = {
    "en": "Destroy target creature card with flying or an Elf you control . draw three cards When it dies Blorb , "
    "non - black with mana value 2 or less",
    "ja": "クリーチャー ・ カード １体 を 対象とし 、 それを 破壊する 。 多相の戦士 戦士 でない ぶろぶ",
}
GAPS = {"en": " ", "ja": ""}


@cache
def workshop(code: str) -> Workshop:
    return open_workshop(open_base(library(), "mtg"), code)


def places(code: str) -> Places:
    language = workshop(code).tongue.language
    assert isinstance(language.parser, OrderedParser)
    return Places(language.spots(workshop(code).tongue.lexicon), language.parser, workshop(code).book)


@cache
def shared(code: str) -> Places:
    """Places that know what all examples before have left."""
    return places(code)


def onward(found: Places, code: str, text: str) -> list[Onward]:
    """Return what may stand at each place of a text."""
    tongue = workshop(code).tongue
    tokens = tongue.language.divided(plain_tokens(text), tongue.lexicon)
    row = found.of(tokens)
    return [found.onward(row, at) for at in range(len(tokens))]


def told(found: Onward) -> tuple[list[int], list[tuple[int, bool]]]:
    return [length for length, _ in found.phrases], list(found.references)


@pytest.mark.parametrize("code", sorted(WORDS))
def test_as_read_anew(code: str) -> None:
    @settings(deadline=None, max_examples=100)
    @given(st.lists(st.sampled_from(WORDS[code].split()), min_size=1, max_size=10))
    def check(chosen: list[str]) -> None:
        text = GAPS[code].join(chosen)
        assert onward(shared(code), code, text) == onward(places(code), code, text)

    check()


def test_what_may_stand_where() -> None:
    """Lengths in tokens, the longest first; a pronoun is told apart."""
    found = onward(places("en"), "en", "Destroy target creature or it. Untap it.")
    references = [[], [(4, False), (2, False)], [(3, False), (1, False)], [], [(1, True)], [], [], [(1, True)], []]
    assert [told(one)[1] for one in found] == references
    assert [bool(told(one)[0]) for one in found] == [True, False, False, True, False, True, True, False, True]


def test_the_same_words_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    reading = Row.read
    monkeypatch.setattr(Row, "read", lambda row, at: (read.append(at), reading(row, at))[1])
    found = places("en")
    onward(found, "en", "Destroy target creature.")
    assert read == [0, 1, 2, 3]
    read.clear()
    onward(found, "en", "Destroy target creature.")
    assert read == []
    onward(found, "en", "Blorb. Destroy target creature.")
    assert read == [0, 1]  # the point after "Blorb" is another than the one at the end


def test_what_is_kept_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 4)
    found = places("en")
    for text in ("Destroy target creature.", "Draw three cards.", "Destroy target creature."):
        assert onward(found, "en", text) == onward(places("en"), "en", text)
