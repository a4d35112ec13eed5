"""A pool cut into slices: what belongs together stays together, and nothing is lost."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pyoxigraph as ox

from reasoner.knowledge.pools import CARDS, Pool
from reasoner.knowledge.slices import Slices, slices_of
from reasoner.terms.namespaces import game_base

GAME = "lantern"
START = f"<{game_base(GAME)}"
LISTED, FACE, NAME = (f"<https://w3id.org/cardlore/term/{one}>" for one in ("listedName", "hasFace", "printedName"))


def pool(folder: Path, *lines: str) -> Pool:
    """Return a pool with these lines; in them `card/x` is a card, `printing/x` a printing of the card before it."""
    text = "".join(line.replace("<", START) + " .\n" for line in lines)
    for one in ("listedName", "hasFace", "printedName", "isPrintingOf"):
        text = text.replace(f" {one} ", f" <https://w3id.org/cardlore/term/{one}> ")
    (folder / CARDS).write_text(text, encoding="utf-8")
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    return Pool(GAME, "test", "key", folder, "test.json", {}, {CARDS: digest})


def cut(found: Pool, *own: str, by: tuple[str, ...] | None = (), size: int = 1) -> Slices | None:
    """Return the pool in slices; the library has a fact about each of the `own` cards."""
    facts = [
        ox.Triple(ox.NamedNode(f"{game_base(GAME)}card/{one}"), _term("printedName"), ox.Literal(one)) for one in own
    ]
    predicates = None if by is None else [_term(one).value for one in by]
    folder = found.folder / "slices"
    folder.mkdir(exist_ok=True)
    return slices_of(found, facts, lambda _: predicates, folder, size)


def _term(name: str) -> ox.NamedNode:
    return ox.NamedNode(f"https://w3id.org/cardlore/term/{name}")


def subjects(data: bytes) -> list[str]:
    """Return what the lines are about."""
    return [line.split(b" ")[0].decode().removeprefix(START).rstrip(">") for line in data.splitlines()]


def shown(found: Slices | None) -> list[list[str]]:
    """Return what the slices are about: first what the library knows as well."""
    assert found is not None
    return [subjects(found.own), *(subjects(path.read_bytes()) for path in found.rest)]


CARD_LINES = (
    '<card/a> listedName "A"',
    "<card/a> hasFace <card/a/face/1>",
    '<card/a/face/1> printedName "A"',
    "<printing/1> isPrintingOf <card/a>",
    '<card/b> listedName "B"',
    '<card/b> printedName "A"',
    '<card/c> listedName "C"',
    '<card/a/face/2> printedName "b"',
)


def test_each_card_in_one_slice(tmp_path: Path) -> None:
    """What belongs to a card is where it is, wherever it stands; what the library knows comes by itself."""
    found = pool(tmp_path, *CARD_LINES)
    a = ["card/a", "card/a", "card/a/face/1", "printing/1", "card/a/face/2"]
    assert shown(cut(found)) == [[], a, ["card/b", "card/b"], ["card/c"]]
    assert shown(cut(found, size=2)) == [[], [*a[:4], "card/b", "card/b", a[4]], ["card/c"]]
    assert shown(cut(found, "b")) == [["card/b", "card/b"], a, ["card/c"]]
    whole = cut(found)
    assert whole is not None
    assert [one.removeprefix(game_base(GAME)) for one in whole.cards] == ["card/a", "card/b", "card/c"]


def test_the_same_value(tmp_path: Path) -> None:
    """Cards with the same value are in one slice, also with one that only the library has."""
    found = pool(tmp_path, *CARD_LINES)
    first = ["card/a", "card/a", "card/a/face/1", "printing/1", "card/b", "card/b", "card/a/face/2"]
    assert shown(cut(found, by=("printedName",))) == [[], first, ["card/c"]]
    assert shown(cut(found, "b", by=("printedName",))) == [first, ["card/c"]]
    found = pool(tmp_path, *CARD_LINES, '<card/c> printedName "own"')
    assert shown(cut(found, "own", by=("printedName",))) == [["card/c", "card/c"], first]


def test_what_cannot_be_cut(tmp_path: Path) -> None:
    """Rules that look at all cards at once, and facts that lead from one card to another."""
    assert cut(pool(tmp_path, *CARD_LINES), by=None) is None
    assert cut(pool(tmp_path, *CARD_LINES, "<card/c> hasFace <card/a/face/1>")) is None
    assert cut(pool(tmp_path, *CARD_LINES, "<printing/1> isPrintingOf <card/b>")) is None
