"""English: endings, words that no lexicon knows, lists and how far the words around them reach, refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.errors import TextError
from reasoner.language.grammar import Language, load_language, read
from reasoner.language.lexicon import Entry, Lexicon
from reasoner.language.mention import Mention, Reading, Word
from reasoner.language.morphology import BARE, GENITIVE, Stem

TERM = "https://example.org/term/"
WORDS = {
    "TYPE": "artifact creature enchantment instant land sorcery",
    "SUBTYPE": "Elf Dwarf Wizard Forest Plains Fungus Mercenary Wolf Werewolf Mouse Ox Human",
    "CLASSIFIER": "red black legendary basic",
    "STATUS": "tapped attacking blocking token",
    "ZONE": "graveyard hand battlefield",
    "KIND": "permanent spell",
    "KEYWORD": "flying haste trample",
    "QUANTITY": "power toughness",
    "PAIR": "/",
    "CIRCUMSTANCE": "",
}
PHRASES = [("QUANTITY", "mana value"), ("CIRCUMSTANCE", "attacked this turn"), ("FEATURE", "no abilities")]
NAMES = ("Plains", "Rune of Ash", "Fire, Bringer of War")


@pytest.fixture(scope="module")
def language() -> Language:
    """English."""
    return load_language(Path(__file__).resolve().parents[2] / "data" / "languages" / "en")


@pytest.fixture(scope="module")
def lexicon(language: Language) -> Lexicon:
    """The words of the language with those of a game."""
    words = [(kind, word) for kind, text in WORDS.items() for word in text.split()]
    entries = [Entry(word.casefold(), word, kind, (TERM + word,)) for kind, word in [*words, *PHRASES]]
    entries += [Entry("nontoken", "nontoken", "STATUS", (TERM + "token",), denied=True)]
    entries += [Entry(name.casefold(), name, "NAME", name=name) for name in NAMES]
    return Lexicon([*language.entries, *entries])


@pytest.fixture(scope="module")
def shown(language: Language, lexicon: Lexicon) -> Callable[[str], list[str]]:
    """The readings of a phrase, each in one line: `!` denied by a word before it, `~` by itself, `:` its parts."""

    def word(one: Word) -> str:
        flags = "!" * one.negated + "~" * one.denied
        if one.comparison:
            return f"{flags}{one.lexeme}:{one.comparison}:{one.number}"
        parts = [iri.rsplit("/", 1)[1] for iri in one.arguments]
        return flags + ":".join([one.lexeme, *parts, *one.texts, *map(str, one.numbers)])

    def mention(one: Mention) -> str:
        return " ".join(word(each) for each in one.words if each.grammar_class not in ("DET", "NUM"))

    return lambda text: [" | ".join(map(mention, one.alternatives)) for one in read(text, lexicon, language)]


# --- endings


@pytest.mark.parametrize(
    ("word", "plural"),
    [
        ("Elf", "Elves"),
        ("Dwarf", "Dwarves"),
        ("Werewolf", "Werewolves"),
        ("Mouse", "Mice"),
        ("Ox", "Oxen"),
        ("Fungus", "Fungi"),
        ("Plains", "Plains"),
        ("Sphinx", "Sphinxes"),
        ("Mercenary", "Mercenaries"),
        ("Ally", "Allies"),
        ("Monkey", "Monkeys"),
        ("Hero", "Heroes"),
        ("sorcery", "sorceries"),
        ("Human", "Humans"),
        ("Wizard", "Wizards"),
        ("mana value", "mana values"),
    ],
)
def test_plurals(word: str, plural: str, language: Language) -> None:
    """The usual form comes first, and leads back to the word; a word that is its own plural has no other form."""
    assert language.endings.inflect(word, plural=True)[0] == plural
    last, form = word.split()[-1], plural.split()[-1]
    assert (Stem(last, BARE, True) in language.endings.stems(form)) is (last != form)


def test_genitives(language: Language) -> None:
    """After an s the sign stands alone, and is no part of the word."""
    assert language.endings.inflect("opponent", GENITIVE) == ("opponent's", "opponent’s")
    assert Stem("opponent", GENITIVE, False) in language.endings.stems("opponent's")
    assert language.endings.inflect("opponents", GENITIVE) == ()
    assert Stem("mouse", GENITIVE, True) in language.endings.stems("mice's")


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzAEIOUS", min_size=1, max_size=12))
def test_every_form_leads_back_to_its_word(word: str) -> None:
    """And no stem is found that does not form what was typed."""
    endings = load_language(Path(__file__).resolve().parents[2] / "data" / "languages" / "en").endings
    for form in endings.inflect(word.lower(), plural=True):
        assert form == word.lower() or word.lower() in [stem.text for stem in endings.stems(form)]
    for stem in endings.stems(word):
        assert word.lower() in endings.inflect(stem.text.lower(), stem.case, plural=stem.plural)


# --- what phrases say: every reading, the usual one first


@pytest.mark.parametrize(
    ("phrase", "readings"),
    [
        ("creature", ["creature"]),
        ("Elves you control", ["elf control:You"]),
        ("a tapped land", ["tapped land"]),
        ("noncreature, nonland permanent", ["!creature !land permanent"]),
        ("non-Human creature", ["!human creature"]),
        ("nontoken creature", ["~nontoken creature"]),
        ("creature card with mana value 3 or less", ["creature card mana value:AtMost:3"]),
        ("creature with power greater than 4", ["creature power:MoreThan:4"]),
        ("creature with power 4 or 5", ["creature power:Exactly:4 | creature power:Exactly:5"]),
        ("creature with power or toughness 1 or less", ["creature power:AtMost:1 | creature toughness:AtMost:1"]),
        ("2/1 creature", ["/:2:1 creature"]),
        ("creature with flying and haste", ["creature flying haste"]),
        ("creature with flying or haste", ["creature flying | creature haste"]),
        ("creature without flying", ["creature !flying"]),
        ("creature with no abilities", ["creature no abilities"]),
        ("creature with a +1/+1 counter on it", ["creature counter on it:+1/+1"]),
        ("creature with two bounty counters on it", ["creature counters on it:bounty:2"]),
        ("land without a flood counter on it", ["land !counter on it:flood"]),
        ("creature card in your graveyard", ["creature card graveyard:You"]),
        ("card from an opponent's graveyard", ["card graveyard:Opponent"]),
        ("creatures your opponents control", ["creature control:Opponent"]),
        ("creature you don't control", ["creature !control:You"]),
        ("creature you control but don't own", ["creature control:You !own:You"]),
        ("another creature that attacked this turn", ["another creature attacked this turn"]),
        ("card named Rune of Ash", ["card rune of ash:NamedWord"]),
        ("card named Some Unknown of Names", ["card some unknown of names:NamedWord"]),
        (
            "card named Rune of Ash or Plains",
            ["card rune of ash:NamedWord | card plains:NamedWord", "card rune of ash:NamedWord | plains"],
        ),
        ("permanent that's a Wolf or a Werewolf", ["permanent wolf | permanent werewolf", "permanent wolf | werewolf"]),
        ("permanent that's both red and black", ["permanent red black"]),
        ("permanent that isn't legendary", ["permanent !legendary"]),
        ("permanents other than artifacts", ["permanent !artifact"]),
        ("permanent other than a land card", ["permanent !land:CardWord"]),
        ("you control a Wolf", ["control:You wolf"]),
        ("this creature", ["this creature"]),
    ],
)
def test_phrases(phrase: str, readings: list[str], shown: Callable[[str], list[str]]) -> None:
    """Nothing is dropped, nothing added."""
    assert shown(phrase) == readings


@pytest.mark.parametrize(
    ("phrase", "readings"),
    [
        # the last words are shared by members that lack them
        ("Elf or Wizard creature card", ["elf creature card | wizard creature card"]),
        ("Elf or creature card", ["elf card | creature card"]),
        ("red or black creature", ["red creature | black creature"]),
        ("legendary or Elf card", ["legendary card | elf card"]),
        ("attacking or blocking Elf", ["attacking elf | blocking elf"]),
        ("an artifact, creature, or land card", ["artifact card | creature card | land card"]),
        ("artifact creature or red creature", ["artifact creature | red creature"]),
        ("land card or Elf card", ["land card | elf card"]),
        (
            "instant or sorcery card or a creature card with flying",
            ["instant card | sorcery card | creature card flying"],
        ),
        # adjectives of the first member hold for those that have none
        ("basic Forest or Plains card", ["basic forest card | basic plains card"]),
        ("red creatures and black creatures", ["red creature | black creature"]),
        (
            "legendary artifact or creature",
            ["legendary artifact | legendary creature", "legendary artifact | creature"],
        ),
        ("another creature or land", ["another creature | another land"]),
        # what follows the last member
        ("artifact or creature you control", ["artifact control:You | creature control:You"]),
        ("Elves you control and Wizards", ["elf control:You | wizard"]),
        ("artifact or creature with mana value 2", ["artifact mana value:Exactly:2 | creature mana value:Exactly:2"]),
        (
            "artifact, enchantment, or creature with flying",
            ["artifact | enchantment | creature flying", "artifact flying | enchantment flying | creature flying"],
        ),
        ("land card or a card with mana value 2", ["land card | card mana value:Exactly:2"]),
        ("Rune of Ash or another creature you control", ["rune of ash | another creature control:You"]),
    ],
)
def test_lists(phrase: str, readings: list[str], shown: Callable[[str], list[str]]) -> None:
    """The usual reading comes first; where the words allow another, it follows."""
    assert shown(phrase) == readings


def test_a_name_alone_counts_only_where_it_is_no_other_word(shown: Callable[[str], list[str]]) -> None:
    """A type is meant by a word that is a card's name as well, unless "named" says otherwise."""
    assert shown("Plains") == ["plains"]
    assert shown("Rune of Ash") == ["rune of ash"]


@pytest.mark.parametrize(
    ("phrase", "code", "said"),
    [
        ("creature card from your graveyrad", "T101", "unknown word 'graveyrad' (letter 25)"),
        ("creature glorious", "T101", "unknown word 'glorious' (letter 10)"),
        ("creature with", "T102", "the phrase is not complete after 'with'"),
        ("creature or", "T102", "the phrase is not complete after 'or'"),
        ("you control", "T102", "the phrase is not complete after 'control'"),
    ],
)
def test_refusals(phrase: str, code: str, said: str, language: Language, lexicon: Lexicon) -> None:
    """A phrase of which any word has no place is refused as a whole."""
    with pytest.raises(TextError) as refused:
        read(phrase, lexicon, language)
    assert (refused.value.code, refused.value.message) == (code, said)


# --- properties

_NOUNS = st.sampled_from(["creature", "artifact", "land", "Elf", "Wizards", "red creature", "tapped land"])
_AFTER = st.sampled_from(["", " you control", " with flying", " with mana value 3 or less", " in your graveyard"])


@given(nouns=st.lists(_NOUNS, min_size=1, max_size=4), after=_AFTER, word=st.sampled_from(["or", "and", "and/or"]))
def test_lists_of_any_length(nouns: list[str], after: str, word: str) -> None:
    """Each member is there once, in order, and the first reading uses every word of the phrase."""
    language, lexicon = _english()
    comma = "," if len(nouns) > 2 else ""
    phrase = nouns[0] if len(nouns) == 1 else f"{', '.join(nouns[:-1])}{comma} {word} {nouns[-1]}"
    readings = read(phrase + after, lexicon, language)
    assert len(readings[0].alternatives) == len(set(nouns)) or len(nouns) != len(set(nouns))
    used = {place for one in readings[0].alternatives for each in one.words for place in range(each.start, each.end)}
    lone = [piece for piece in phrase.replace(",", "").split() if piece not in ("or", "and", "and/or")]
    assert all(any(place in used for place in _places(phrase, piece)) for piece in lone)
    assert len(readings) == len(set(readings))


_ANY = (
    "creature",
    "card",
    "Elf",
    "or",
    "and",
    ",",
    "with",
    "flying",
    "you",
    "control",
    "your",
    "a",
    "3",
    "non",
    "that's",
)


@given(st.lists(st.sampled_from(_ANY), max_size=9))
def test_any_sequence_is_read_or_refused(words: list[str]) -> None:
    """And always in the same way."""
    language, lexicon = _english()
    text = " ".join(words)

    def outcome() -> tuple[Reading, ...] | str:
        try:
            return read(text, lexicon, language)
        except TextError as error:
            return error.code

    assert outcome() == outcome()


def _places(phrase: str, piece: str) -> range:
    start = phrase.index(piece)
    return range(start, start + len(piece))


def _english() -> tuple[Language, Lexicon]:
    if not _KEPT:
        one = load_language(Path(__file__).resolve().parents[2] / "data" / "languages" / "en")
        words = [(kind, word) for kind, text in WORDS.items() for word in text.split()]
        entries = [Entry(word.casefold(), word, kind, (TERM + word,)) for kind, word in [*words, *PHRASES]]
        _KEPT.append((one, Lexicon([*one.entries, *entries])))
    return _KEPT[0]


_KEPT: list[tuple[Language, Lexicon]] = []
