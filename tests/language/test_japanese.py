"""Japanese: words in text without spaces, what stands before a noun, and the same selectors as in English."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reasoner
from reasoner.errors import TextError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.language.grammar import Language, load_language, read
from reasoner.language.lexicon import Entry, Lexicon
from reasoner.language.tokens import tokenise
from reasoner.reference.interpret import interpret_all, pool_surroundings
from reasoner.reference.mentiongraph import NOWHERE
from reasoner.reference.selector import Selector

# Phrases of our own with their English counterparts: both must mean the same.
SAME = {
    "あなたがコントロールしているクリーチャー": "creature you control",
    "あなたがコントロールしているクリーチャー１体を対象とする": "target creature you control",
    "対戦相手がコントロールしていて土地でないパーマネント最大２つ": "nonland permanent an opponent controls",
    "他の、あなたがコントロールしていてトークンでないクリーチャー": "another nontoken creature you control",
    "あなたの墓地からクリーチャー・カード１枚": "creature card from your graveyard",
    "あなたの墓地にあるインスタントかソーサリーであるカード": "instant or sorcery card in your graveyard",
    "すべての多相の戦士": "all Shapeshifters",
    "戦士１体": "Warrior",
    "アーティファクト１つかエンチャント１つを対象とする": "target artifact or enchantment",
    "あなたがコントロールしているアーティファクトかクリーチャー": "artifact or creature you control",
    "攻撃クリーチャー１体かブロック・クリーチャー１体": "attacking creature or blocking creature",
    "攻撃かブロックしているクリーチャー": "attacking or blocking creature",
    "パワーが４以上のクリーチャー": "creature with power 4 or greater",
    "マナ総量が２以下であるクリーチャー・カード": "creature card with mana value 2 or less",
    "飛行か到達を持つクリーチャー": "creature with flying or reach",
    "飛行を持たないクリーチャー": "creature without flying",
    "能力を持たないクリーチャー": "creature with no abilities",
    "白か青のクリーチャー": "white or blue creature",
    "黒でないクリーチャー": "nonblack creature",
    "クリーチャーでも土地でもないカード": "noncreature, nonland card",
    "２/２のゴブリン・クリーチャー・トークン": "2/2 Goblin creature token",
    "－１/－１カウンターが置かれているクリーチャー": "creature with a -1/-1 counter on it",
    "《どこにもない名前》という名前のクリーチャー": "",
    "これ以外のパーマネント": "permanent other than this permanent",
}


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    """Magic, with the words of both languages."""
    return reasoner.load("mtg").base


@pytest.fixture(scope="module")
def language() -> Language:
    """Japanese."""
    return load_language(Path(__file__).resolve().parents[2] / "data" / "languages" / "ja")


def selector(text: str, base: KnowledgeBase) -> Selector:
    """What the usual reading of `text` selects."""
    (reference,) = interpret_all([base.read(text)[0]], NOWHERE, base, pool_surroundings(base))
    assert not isinstance(reference, Exception)
    return reference.interpretations[0].selector


@pytest.mark.parametrize(("japanese", "english"), [pair for pair in SAME.items() if pair[1]])
def test_both_languages_select_the_same(japanese: str, english: str, base: KnowledgeBase) -> None:
    """And each text is read in the language that it is in."""
    assert [base.read(text)[0].language for text in (japanese, english)] == ["ja", "en"]
    assert selector(japanese, base) == selector(english, base)


def test_a_name_in_marks_need_not_be_known(base: KnowledgeBase) -> None:
    """Only where the words after it say that it is a name."""
    text = next(japanese for japanese, english in SAME.items() if not english)
    ((mention,),) = (reading.alternatives for reading in base.read(text))
    assert [word.name for word in mention.words] == ["どこにもない名前", None]
    with pytest.raises(TextError) as raised:
        base.read("《どこにもない名前》")
    assert raised.value.code == "T104"


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("あなたがコントロールしているドワワーフ", "T101", "unknown word 'ドワワーフ' (letter 15)"),
        ("あなたがクリーチャー", "T102", "'クリーチャー' (letter 5) can't stand after 'が'"),
        ("飛行を持つ", "T102", "the phrase is not complete after 'を持つ'"),
    ],
)
def test_what_can_not_be_read_is_refused(text: str, code: str, words: str, base: KnowledgeBase) -> None:
    """With the whole word at which it fails, not only a letter."""
    with pytest.raises(TextError) as raised:
        base.read(text)
    assert (raised.value.code, raised.value.message) == (code, words)


@given(
    st.lists(st.sampled_from(["竜", "竜王", "王", "王の竜", "の竜", "ミノ", "ミノタウルス"]), min_size=1, max_size=6)
)
def test_the_fewest_words_count(parts: list[str]) -> None:
    """Every way through that is left has as few words as any way can have, and each letter belongs to one."""
    language = load_language(Path(__file__).resolve().parents[2] / "data" / "languages" / "ja")
    vocabulary = ["竜", "竜王", "王", "王の竜", "の竜", "ミノ", "ミノタウルス"]
    lexicon = Lexicon([Entry(word, word, "TYPE", (word,)) for word in vocabulary])
    text = "".join(parts)
    least = [0] + [len(text) + 1] * len(text)
    for stop in range(1, len(text) + 1):
        ends = [word for word in vocabulary if text[:stop].endswith(word)]
        least[stop] = min((least[stop - len(word)] + 1 for word in ends), default=len(text) + 1)
    paths = language.builder(lexicon).build(tokenise(text)).fewest().paths(10_000)
    assert paths
    assert {len(path) for path in paths} == {least[-1]}
    assert {"".join(edge.entry.spelling for edge in path) for path in paths} == {text}


def test_a_longer_word_hides_those_within(language: Language) -> None:
    """What a longer word holds is not read by itself."""
    words = [("多相", "KEYWORD"), ("戦士", "SUBTYPE"), ("多相の戦士", "SUBTYPE")]
    lexicon = Lexicon([*language.entries, *(Entry(word, word, kind, (word,)) for word, kind in words)])
    (reading,) = read("多相の戦士", lexicon, language)
    assert [[word.lexeme for word in mention.words] for mention in reading.alternatives] == [["多相の戦士"]]
