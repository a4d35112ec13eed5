"""The content of an index: which cards have which value for which characteristic, and the rules that say so.

It is kept as an SQLite database. A set of cards is kept as the numbers of its members where
it is small, and as compressed bits where it is large.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from array import array
from collections.abc import Iterable
from contextlib import closing
from functools import cache, cached_property
from typing import Any, NamedTuple

_SPARSE, _DENSE = b"s", b"d"
_FEW = 4  # sets of so many members are kept as their numbers
_SCHEMA = """
CREATE TABLE posting (branch INTEGER, characteristic TEXT, value TEXT, number INTEGER, rules INTEGER, cards BLOB);
CREATE INDEX of_value ON posting (branch, characteristic, value);
CREATE TABLE part (name TEXT PRIMARY KEY, content BLOB);
"""


class Posting(NamedTuple):
    """The `cards` that have a value (canonical text, and `number` where it is whole), all by the same `rules`."""

    value: str
    number: int | None
    rules: int
    cards: int


class Postings:
    """The content of one index, read where it is asked for.

    Raises:
        sqlite3.DatabaseError: if `data` is something else than `to_bytes` gave.
    """

    def __init__(self, data: bytes) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.deserialize(data)
        self.of_value = cache(self._of_value)
        self.of_characteristic = cache(self._of_characteristic)

    def _of_value(self, branch: int, characteristic: str, value: str) -> tuple[Posting, ...]:
        rows = self._database.execute(
            "SELECT value, number, rules, cards FROM posting WHERE branch = ? AND characteristic = ? AND value = ?",
            (branch, characteristic, value),
        )
        return tuple(Posting(value, number, rules, unpacked(cards)) for value, number, rules, cards in rows)

    def _of_characteristic(self, branch: int, characteristic: str) -> tuple[Posting, ...]:
        """Return all postings of a characteristic, by number and value."""
        rows = self._database.execute(
            "SELECT value, number, rules, cards FROM posting WHERE branch = ? AND characteristic = ?"
            " ORDER BY number, value, rules",
            (branch, characteristic),
        )
        return tuple(Posting(value, number, rules, unpacked(cards)) for value, number, rules, cards in rows)

    def values_of(self, branch: int, characteristic: str) -> tuple[str, ...]:
        """Return the canonical texts of all values of a characteristic."""
        query = "SELECT DISTINCT value FROM posting WHERE branch = ? AND characteristic = ? ORDER BY value"
        return tuple(value for (value,) in self._database.execute(query, (branch, characteristic)))

    def part(self, name: str) -> Any:
        """Return what is kept under a name, plain data; None if nothing is."""
        row = self._database.execute("SELECT content FROM part WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(zlib.decompress(row[0]))

    @cached_property
    def rule_sets(self) -> tuple[frozenset[str], ...]:
        """The sets of rules behind values, by the numbers that postings give."""
        return tuple(frozenset(ids) for ids in self.part("rules"))


def to_bytes(
    postings: Iterable[tuple[int, str, str, int | None, int, bytes]], parts: Iterable[tuple[str, Any]]
) -> bytes:
    """Return the bytes of an index: rows of branch, characteristic, value, number, rules and packed cards.

    `parts` is plain data, each with its name.
    """
    with closing(sqlite3.connect("")) as database:
        database.executescript(_SCHEMA)
        database.executemany("INSERT INTO posting VALUES (?, ?, ?, ?, ?, ?)", postings)
        content = ((name, zlib.compress(json.dumps(data, ensure_ascii=False).encode(), 1)) for name, data in parts)
        database.executemany("INSERT INTO part VALUES (?, ?)", content)
        database.commit()
        return database.serialize()


def packed_numbers(numbers: Iterable[int], count: int) -> bytes:
    """Return a set of cards, of `count` in all, as bytes."""
    found = sorted(set(numbers))
    if len(found) <= _FEW:
        return _SPARSE + array("I", found).tobytes()
    data = bytearray((count + 7) // 8)
    for number in found:
        data[number >> 3] |= 1 << (number & 7)
    return _DENSE + zlib.compress(bytes(data).rstrip(b"\0"), 1)


def packed(cards: int) -> bytes:
    """Return a set of cards as bytes."""
    numbers = []
    while cards:
        numbers.append((cards & -cards).bit_length() - 1)
        cards &= cards - 1
    return packed_numbers(numbers, max(numbers, default=-1) + 1)


def unpacked(data: bytes) -> int:
    """Return the set of cards that `packed` made these bytes of."""
    if data[:1] == _DENSE:
        return int.from_bytes(zlib.decompress(data[1:]), "little")
    numbers = array("I", data[1:])
    cards = 0
    for number in numbers:
        cards |= 1 << number
    return cards
