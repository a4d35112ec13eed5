"""The answers of all cards to one selector, as three sets of cards, each a Python integer with one bit per card.

The four truths are a chain: False < NO_VALUE < open < True. `All` is the least of its parts in it and `Any` the
greatest, as long as no open atom has to do with another (see `reasoner.reference.truth`). So an extension keeps, for
every step of the chain, who is at least so far, and conjunction and disjunction are one operation for each step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Extension(NamedTuple):
    """Who meets a selector: `true`; who does or may, `open`; who does, may, or has no value to compare, `valued`."""

    true: int
    open: int
    valued: int

    @property
    def only_open(self) -> int:
        return self.open & ~self.true

    @property
    def missing(self) -> int:
        return self.valued & ~self.open


def plain(cards: int) -> Extension:
    """Return the extension that is true of `cards`, and false of all others."""
    return Extension(cards, cards, cards)


def opposite(of: Extension, everyone: int) -> Extension:
    """Return the extension of the denial: true and false change places."""
    true, opened, valued = of
    if true is opened and opened is valued:
        return plain(everyone ^ true)
    denied = everyone ^ valued
    opened = denied | (opened & ~true)
    return Extension(denied, opened, everyone ^ true)


def least(parts: Iterable[Extension], everyone: int) -> Extension:
    """Return the extension of a conjunction."""
    true = opened = valued = everyone
    for part in parts:
        same = true is opened and part.true is part.open
        both = opened is valued and part.open is part.valued
        true &= part.true
        opened = true if same else opened & part.open
        valued = opened if both else valued & part.valued
    return Extension(true, opened, valued)


def greatest(parts: Iterable[Extension]) -> Extension:
    """Return the extension of a disjunction."""
    true = opened = valued = 0
    for part in parts:
        same = true is opened and part.true is part.open
        both = opened is valued and part.open is part.valued
        true |= part.true
        opened = true if same else opened | part.open
        valued = opened if both else valued | part.valued
    return Extension(true, opened, valued)


def members(cards: int) -> Iterator[int]:
    """Yield the numbers of the cards in a set, in order."""
    data = cards.to_bytes((cards.bit_length() + 7) // 8, "little")
    for place, byte in enumerate(data):
        if byte:
            for bit in _BITS[byte]:
                yield 8 * place + bit


_BITS = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))
