"""What only one of two texts refers to, and ways of saying the same that are no difference."""

from __future__ import annotations

import pytest

from reasoner.cardtexts.collection import Occurrence
from reasoner.cardtexts.compare import Difference, difference, kinds, occurrence_difference, text_difference
from reasoner.cardtexts.workshop import Workshop, open_workshop
from reasoner.knowledge.base import open_base
from reasoner.paths import library
from reasoner.reference.selector import EVERYTHING, Has, Selector, all_of, any_of, negate
from reasoner.reference.wording import say
from reasoner.terms.namespaces import TYPE, core

ELF, GOBLIN, BLUE = (Has(TYPE.value, core(name)) for name in ("Elf", "Goblin", "Blue"))
SELF = Has(core("is").value, core("TextBearer"))
IT = Has(core("isOpenTo").value, core("SameWord"))
CHOSEN = Has(core("isOpenTo").value, core("ChosenTypeWord"))


def test_order_and_number_do_not_count() -> None:
    found = difference([ELF, GOBLIN, ELF], [GOBLIN, ELF])
    assert (found.first, found.second, bool(found)) == ((), (), False)


def test_what_only_one_has() -> None:
    found = difference([ELF, BLUE], [GOBLIN, BLUE])
    assert (found.first, found.second, bool(found)) == ((ELF,), (GOBLIN,), True)


def test_no_reference_is_not_every_reference() -> None:
    found = difference([EVERYTHING], [])
    assert (found.first, found.second) == ((EVERYTHING,), ())


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        pytest.param(any_of([ELF, GOBLIN]), {ELF, GOBLIN}, id="a choice is compared by what is chosen from"),
        pytest.param(
            all_of([BLUE, any_of([ELF, GOBLIN])]), {all_of([BLUE, ELF]), all_of([BLUE, GOBLIN])}, id="an inner choice"
        ),
        pytest.param(all_of([ELF, any_of([negate(ELF), BLUE])]), {all_of([ELF, BLUE])}, id="what nothing meets"),
        pytest.param(any_of([ELF, SELF]), {ELF}, id="the bearer of the text"),
        pytest.param(any_of([all_of([BLUE, SELF]), ELF]), {ELF}, id="the bearer as something"),
        pytest.param(any_of([ELF, IT]), {ELF}, id="what was spoken of before"),
        pytest.param(all_of([ELF, negate(SELF)]), {all_of([ELF, negate(SELF)])}, id="another"),
        pytest.param(all_of([ELF, CHOSEN]), {all_of([ELF, CHOSEN])}, id="what is told elsewhere"),
    ],
)
def test_kinds(selector: object, found: set[object]) -> None:
    assert set(kinds(selector)) == found  # type: ignore[arg-type]


def controlled(by: str) -> Selector:
    return all_of([ELF, Has(core("hasControllerInRole").value, core(by))])


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        ("ThatPlayer", "Opponent", False),
        ("AnyPlayer", "ThatPlayer", False),
        ("ThatPlayer", "ThatPlayer", False),
        ("Opponent", "AnyPlayer", True),
        ("ThatPlayer", "You", True),
        ("You", "Opponent", True),
    ],
)
def test_that_player_is_whom_the_other_text_names(first: str, second: str, differ: bool) -> None:
    assert bool(difference([controlled(first)], [controlled(second)])) == differ


def test_that_player_is_somebody() -> None:
    assert difference([controlled("ThatPlayer")], [ELF]) == Difference((controlled("ThatPlayer"),), (ELF,))


def test_of_occurrences() -> None:
    place = ("card", "bearer", "en", "words", 0, 5, ())
    first, second = [Occurrence("elf", *place)], [Occurrence("goblin", *place), Occurrence("elf", *place)]
    found = occurrence_difference(first, second, {"elf": ELF, "goblin": GOBLIN})
    assert (found.first, found.second) == ((), (GOBLIN,))


@pytest.fixture(scope="module")
def workshops() -> dict[str, Workshop]:
    base = open_base(library(), "mtg")
    return {code: open_workshop(base, code) for code in ("en", "ja")}


@pytest.mark.parametrize(
    ("english", "japanese", "first", "second", "whole"),
    [
        ("Destroy target creature.", "クリーチャー１体を対象とし、それを破壊する。", [], [], True),
        ("Destroy target creature.", "クリーチャー１体を対象とする。それを破壊する。", [], [], True),
        ("Tap target Elf or Goblin.", "エルフ１体かゴブリン１体を対象とし、それをタップする。", [], [], True),
        (
            "Destroy target nonlegendary creature.",
            "伝説のクリーチャーでないクリーチャー１体を対象とし、それを破壊する。",
            [],
            [],
            True,
        ),
        (
            "Destroy target Elf.",
            "ゴブリン１体を対象とし、それを破壊する。",
            ["is Elf, is permanent and is in battlefield"],
            ["is Goblin, is permanent and is in battlefield"],
            True,
        ),
        (
            "Destroy target strange Elf.",
            "エルフ１体を対象とし、それを破壊する。",
            [],
            ["is Elf, is permanent and is in battlefield"],
            False,
        ),
    ],
)
def test_of_texts(
    workshops: dict[str, Workshop], english: str, japanese: str, first: list[str], second: list[str], whole: bool
) -> None:
    found = text_difference(workshops["en"].read(english), workshops["ja"].read(japanese))
    words = workshops["en"].base.vocabulary
    assert [[say(one, words, "en") for one in side] for side in (found.first, found.second)] == [first, second]
    assert found.whole == whole
