"""Many sets of cards written with few statements: each as the blocks that it is made of, which others share.

Cards are put in an order in which those stand together that are in the same sets, and cut into pieces of `SIZE`. What a
set has of a piece is a block; sets that have the same of a piece share it. Blocks of one set have no card in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple

SIZE = 32  # measured: docs/decisions/0010
_COUNTED = 256  # by so many sets cards are put in order


class Blocks(NamedTuple):
    """`sets` gives the numbers of the blocks of each set, `members` the numbers of the cards of each block."""

    sets: dict[int, list[int]]
    members: list[list[int]]


def in_blocks(sets: Iterable[int], count: int) -> Blocks:
    """Return sets of cards (as bits) of `count` cards in blocks; the same for the same sets in the same order."""
    asked = [one for one in dict.fromkeys(sets) if one]
    order = _order(asked, count)
    numbers: dict[tuple[int, str], int] = {}
    members: list[list[int]] = []
    found: dict[int, list[int]] = {}
    for one, text in zip(asked, _arranged(asked, order, count), strict=True):
        blocks = found[one] = []
        at = text.find("1")
        while at >= 0:
            start = at - at % SIZE
            piece = text[start : start + SIZE]
            number = numbers.get((start, piece))
            if number is None:
                number = numbers[start, piece] = len(members)
                members.append(sorted(order[start + place] for place, bit in enumerate(piece) if bit == "1"))
            blocks.append(number)
            at = text.find("1", start + SIZE)
    return Blocks(found, members)


def _order(sets: list[int], count: int) -> list[int]:
    """Return the cards so that those stand together that are in the same of the sets that halve the cards best."""
    telling = sorted(sets, key=lambda one: abs(2 * one.bit_count() - count))[:_COUNTED]
    columns = ["".join(column) for column in zip(*(_text(one, count) for one in telling), strict=True)]
    return sorted(range(count), key=columns.__getitem__) if columns else list(range(count))


def _arranged(sets: list[int], order: list[int], count: int) -> Iterator[str]:
    if count < 2:
        yield from (_text(one, count) for one in sets)
        return
    pick = itemgetter(*order)
    for one in sets:
        yield "".join(pick(_text(one, count)))


def _text(cards: int, count: int) -> str:
    """Return a set as a text with a 1 for each member, in the order of the cards."""
    return format(cards, f"0{count}b")[::-1]
