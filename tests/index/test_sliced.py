"""A pool that is built in slices is the same as one that is built at once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from reasoner.importing.run import import_file
from reasoner.index import sliced
from reasoner.index.make import IndexMaker
from reasoner.index.opening import open_index
from reasoner.index.postings import Postings, unpacked
from reasoner.index.sliced import build_sliced
from reasoner.knowledge import slices
from reasoner.knowledge.base import build_with_proofs, open_base
from reasoner.knowledge.pools import Pool
from reasoner.operations.poolmatch import match_pool
from reasoner.paths import library

GAME = "mtg"


def card(name: str, **more: Any) -> dict[str, Any]:
    """Return a card as the format has them."""
    plain = {"name": name, "layout": "normal", "types": ["Creature"], "subtypes": ["Elf"], "supertypes": []}
    return {**plain, "colors": ["G"], "colorIdentity": ["G"], "manaCost": "{1}{G}", "manaValue": 2.0, **more}


def face(name: str, own: str, side: str, **more: Any) -> dict[str, Any]:
    """Return a face of a card."""
    return card(name, faceName=own, side=side, **more)


CARDS = [
    card("Ash Runner", power="2", toughness="1", text="Target Elf gets +1/+1 until end of turn."),
    card("Elder Stump", types=["Artifact"], subtypes=[], colors=[], manaValue=4.0, text="Destroy target Elf."),
    card("Grizzly Bears", power="2", toughness="2", subtypes=["Bear"]),
    face("Left Half // Right Half", "Left Half", "a", layout="split", types=["Instant"], subtypes=[]),
    face("Left Half // Right Half", "Right Half", "b", layout="split", types=["Sorcery"], subtypes=[], manaValue=3.0),
    face("First Part // Joined One", "First Part", "a", layout="meld"),
    face("Second Part // Joined One", "Second Part", "a", layout="meld", manaValue=5.0),
    face("Joined One", "Joined One", "b", layout="meld", power="9", toughness="9"),
    card("Many Shaped", keywords=["Changeling"], text="Changeling"),
    *(card(f"Plain Elf {number}", power=str(number), toughness="1") for number in range(12)),
]


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Pool:
    """A pool of these cards, some of which the library knows as well."""
    folder = tmp_path_factory.mktemp("cards")
    data: dict[str, list[dict[str, Any]]] = {}
    for one in CARDS:
        data.setdefault(one["name"], []).append(one)
    path = folder / "some.json"
    path.write_text(json.dumps({"data": data}), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDLORE_POOLS", str(folder / "pools"))
        return import_file(library(), "mtgjson", path).pool


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of five cards."""
    monkeypatch.setattr(slices.slices_of, "__defaults__", (5,))


def content(data: bytes) -> tuple[set[Any], dict[str, Any]]:
    """Return all that an index holds: values with the cards and the rules behind them, and the rest by name."""
    postings = Postings(data)
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(data)
        rows = database.execute("SELECT * FROM posting").fetchall()
    told = {(*row[:4], postings.rule_sets[row[4]], unpacked(row[5])) for row in rows}
    assert len(told) == len(rows)
    return told, {name: postings.part(name) for name in ("cards", "names", "spellings", "branches", "texts-en")}


def lines(data: bytes) -> list[bytes]:
    """Return lines in order, but for those with blank nodes, which have other names each time."""
    return sorted(line for line in data.splitlines() if b"_:" not in line)


@pytest.mark.usefixtures("small_slices")
def test_index_and_facts_are_the_same(pool: Pool, tmp_path: Path) -> None:
    """Also where a rule looks for cards with the same value: the halves that meld."""
    told: list[ox.Quad] = []

    def tell(store: ox.Store, names: Sequence[ox.NamedNode]) -> None:
        told.extend(quad for name in names for quad in store.quads_for_pattern(None, None, None, name))

    built = build_sliced(library(), GAME, None, pool, tell, tmp_path)
    assert built is not None
    base, postings, facts = built
    whole, inference = build_with_proofs(library(), GAME, None, pool)
    maker = IndexMaker(GAME, [one.value for one in whole.cards])
    maker.add(whole.store, inference)
    assert content(postings) == content(maker.to_bytes())
    assert len(told) == len(set(told))
    assert set(told) == {quad for quad in whole.store if quad.graph_name not in whole.base[:-1]}
    assert set(base.card_names) < set(whole.card_names)
    assert base.present == whole.present
    assert [one.lexicon.to_json() for one in base.tongues] == [one.lexicon.to_json() for one in whole.tongues]
    expected = whole.store.dump(format=ox.RdfFormat.N_QUADS)
    assert expected is not None
    assert lines(facts.read_bytes()) == lines(expected)


def test_what_cannot_be_built_in_slices(pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rules look at all cards at once there are no slices, and the index is made all the same."""
    found = []
    for number, together in enumerate((sliced.kept_together, lambda *_: None)):
        monkeypatch.setenv("CARDLORE_CACHE", str(tmp_path / str(number)))
        monkeypatch.setattr(sliced, "kept_together", together)
        index = open_index(library(), GAME, None, pool)
        text = "creature card with mana value 3 or less"
        matched = match_pool(index, text)
        assert matched is not None
        found.append(
            (index.cards, matched.to_json(), sorted(open_base(library(), GAME, None, pool).card_names.items()))
        )
        assert len(list((tmp_path / str(number)).glob("*-index"))) == 1
        assert not list((tmp_path / str(number)).glob(".new-*"))
    assert found[0] == found[1]
    assert build_sliced(library(), GAME, None, pool, lambda _store, _names: None, tmp_path) is None
