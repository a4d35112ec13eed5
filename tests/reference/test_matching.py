"""Matchings: as many seats as can be, the same assignment every time, and whether there is another."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.reference.matching import Matching, matching

BOARDS = st.lists(st.lists(st.integers(0, 3), max_size=4, unique=True).map(sorted), max_size=4)


def assignments(fits: list[list[int]]) -> list[tuple[tuple[int, int], ...]]:
    """Return every way to fill seats, by trying all."""
    choices = product(*[[None, *candidates] for candidates in fits])
    filled = [tuple((seat, one) for seat, one in enumerate(choice) if one is not None) for choice in choices]
    return [one for one in filled if len({who for _, who in one}) == len(one)]


@given(BOARDS)
def test_it_is_the_first_of_the_largest(fits: list[list[int]]) -> None:
    """The order: the first seat is rather filled than not, and with its first candidate; then the second seat."""
    every = assignments(fits)
    largest = [one for one in every if len(one) == max(map(len, every))]
    first = min(largest, key=lambda one: [dict(one).get(seat, len(fits) + 4) for seat in range(len(fits))])
    assert matching(fits) == Matching(first, len(largest) > 1)


@pytest.mark.parametrize(
    ("fits", "filled", "has_other"),
    [
        ([], (), False),
        ([[], []], (), False),
        ([[0, 1], [0]], ((0, 1), (1, 0)), False),
        ([[0], [0]], ((0, 0),), True),
    ],
)
def test_small_boards(fits: list[list[int]], filled: tuple[tuple[int, int], ...], has_other: bool) -> None:
    assert matching(fits) == Matching(filled, has_other)
