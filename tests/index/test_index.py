"""The index gives, for all cards at once, the answers that are given card by card."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reasoner
from reasoner.errors import TextError
from reasoner.index.extension import members
from reasoner.index.opening import PoolIndex, open_index
from reasoner.index.postings import packed, unpacked
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.knowledge.pools import find_pool
from reasoner.operations.poolmatch import match_pool
from reasoner.paths import Library, library
from reasoner.reference.evaluate import View
from reasoner.reference.selector import Atom, Compare, Has, Selector
from reasoner.terms.namespaces import core
from tests.reference.selectors import selectors

GAMES = library().games()


@cache
def both(game: str) -> tuple[PoolIndex, KnowledgeBase]:
    """Return the index and the knowledge base of the cards that ship."""
    return open_index(library(), game), open_base(library(), game)


@cache
def atoms_of(game: str) -> tuple[Atom, ...]:
    """Return atoms of every kind: values that cards have, values that they never have, comparisons, identity."""
    _, base = both(game)
    found: dict[Atom, None] = {}
    numbered: dict[str, None] = {}
    for name in base.pool_graphs:
        for quad in sorted(base.store.quads_for_pattern(None, None, None, name), key=str):
            if isinstance(quad.object, ox.NamedNode | ox.Literal):
                found[Has(quad.predicate.value, quad.object)] = None
                if isinstance(quad.object, ox.Literal) and quad.object.value.isdecimal():
                    numbered[quad.predicate.value] = None
    some = list(found)[:: max(1, len(found) // 60)]
    some += [Compare(name, "AtMost", 3) for name in numbered] + [Compare(name, "MoreThan", 3) for name in numbered]
    some += [Has(core("isInZone").value, zone) for zone in base.vocabulary.instances(core("Zone"))]
    some += [Has(core("hasStatus").value, one) for one in base.vocabulary.instances(core("Status"))]
    some += [Compare(core("hasNoSuchThing").value, "Exactly", 1), Has(core("is").value, base.cards[0])]
    return tuple(some)


def by_card(selector: Selector, view: View, cards: tuple[ox.NamedNode, ...]) -> dict[str, list[int]]:
    """Return the numbers of the cards of each truth, one card at a time."""
    found: dict[str, list[int]] = {"true": [], "open": [], "no value": []}
    for number, card in enumerate(cards):
        value = view.evaluate(selector, card).value
        if value is not False:
            found["true" if value is True else "open" if value is None else "no value"].append(number)
    return found


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_selectors_are_as_card_by_card(game: str, data: st.DataObject) -> None:
    """Any selector is true, open or without value of the same cards."""
    index, base = both(game)
    selector = data.draw(selectors(atoms_of(game), 6))
    for indexed, name in zip(index.views, base.pool_graphs, strict=True):
        extension = indexed.extension(selector)
        found = {
            "true": list(members(extension.true)),
            "open": list(members(extension.only_open)),
            "no value": list(members(extension.missing)),
        }
        assert found == by_card(selector, View(base.store, (name,), base.vocabulary, is_pool=True), base.cards)


@pytest.mark.parametrize("game", GAMES)
def test_printed_references_match_alike(game: str) -> None:
    """Every reference that is printed on a card that ships gets the same answers, by the same rules."""
    index, _ = both(game)
    loaded = reasoner.load(game)
    quads = loaded.base.store.quads_for_pattern(None, core("hasWording"), None, loaded.base.base[-1])
    wordings = sorted({quad.object.value for quad in quads if isinstance(quad.object, ox.Literal)})
    compared = 0
    for text in wordings:
        try:
            found = match_pool(index, text)
        except TextError:
            with pytest.raises(TextError):
                loaded.match(text)
            continue
        if found is not None:
            compared += 1
            assert found.to_json() == loaded.match(text).to_json(), text
    assert compared or not wordings


@given(st.sets(st.integers(0, 40_000), max_size=40))
def test_sets_of_cards_come_back(numbers: set[int]) -> None:
    """A set of cards is the same after it was packed, and its members are in order."""
    cards = sum(1 << number for number in numbers)
    assert unpacked(packed(cards)) == cards
    assert list(members(cards)) == sorted(numbers)


def test_damage_is_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that a killed build or a fault of the disk has spoilt is built anew."""
    monkeypatch.setenv("CARDLORE_CACHE", str(tmp_path))
    expected = open_index(library(), "magus").views[0].extension(atoms_of("magus")[0])
    (kept,) = tmp_path.glob("*-index/postings.sqlite")
    kept.write_bytes(kept.read_bytes()[:500])
    assert open_index(library(), "magus").views[0].extension(atoms_of("magus")[0]) == expected
    assert not list(tmp_path.glob(".new-*"))


def test_two_builds_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes that build the same index both answer, and leave one whole entry."""
    monkeypatch.setenv("CARDLORE_CACHE", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(library().root))
    code = (
        "from reasoner.index.opening import open_index; from reasoner.paths import library;"
        "print(len(open_index(library(), 'magus').cards))"
    )
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [one.communicate()[0] for one in running]
    assert said == [f"{len(both('magus')[1].cards)}\n"] * 2
    assert len(list(tmp_path.glob("*-index"))) == 1
    assert not list(tmp_path.glob(".new-*"))


@pytest.fixture(scope="module")
def imported(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A library with the imported cards of Zendikar Rising."""
    from reasoner.importing.run import import_file

    path = real_data / "sets" / "ZNR.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDLORE_POOLS", str(tmp_path_factory.mktemp("pools")))
        import_file(library(), "mtgjson", path)
        yield library()


def test_imported_cards_match_alike(imported: Library) -> None:
    """Texts of many kinds get the same answers and rules over an imported pool."""
    index = open_index(imported, "mtg", None, find_pool("mtg", "znr"))
    loaded = reasoner.load("mtg", library=imported.root, pool="znr")
    texts = (
        "creature card with mana value 3 or less from your graveyard",
        "nonland permanent with power 4 or greater",
        "artifact or enchantment an opponent controls",
        "noncreature spell",
        "tapped creature",
        "legendary card",
    )
    found = {text: match_pool(index, text) for text in texts}
    assert {text: one.to_json() for text, one in found.items() if one} == {
        text: loaded.match(text).to_json() for text in texts
    }
