"""Selectors have one form: what is the same by the laws that are applied is equal, and means what it meant before."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.reference.selector import (
    EVERYTHING,
    NOTHING,
    All,
    Any,
    Compare,
    Has,
    Not,
    Selector,
    all_of,
    any_of,
    atoms,
    negate,
    sort_key,
)

from .selectors import ATOMS, UNDEFINED, degree, has, selectors

A, B, C = has("hasKind", "a"), has("hasKind", "b"), has("hasKind", "c")

SAME: dict[str, tuple[Selector, Selector]] = {
    "order": (all_of([B, A]), All((A, B))),
    "repetition": (any_of([A, A]), A),
    "one part": (all_of([A]), A),
    "no part is everything": (all_of([]), EVERYTHING),
    "no alternative is nothing": (any_of([]), NOTHING),
    "flat": (all_of([all_of([A, C]), B]), All((A, B, C))),
    "flat alternatives": (any_of([any_of([A, C]), B]), Any((A, B, C))),
    "alternatives within": (all_of([any_of([B, A]), C]), All((Any((A, B)), C))),
    "nothing absorbs": (all_of([A, NOTHING]), NOTHING),
    "everything absorbs": (any_of([A, EVERYTHING]), EVERYTHING),
    "everything adds nothing": (all_of([A, EVERYTHING]), A),
    "nothing adds nothing": (any_of([A, NOTHING]), A),
    "not": (negate(A), Not(A)),
    "not not": (negate(negate(A)), A),
    "not everything": (negate(EVERYTHING), NOTHING),
    "not nothing": (negate(NOTHING), EVERYTHING),
    "De Morgan, and": (negate(all_of([A, B])), Any((Not(A), Not(B)))),
    "De Morgan, or": (negate(any_of([A, negate(B)])), All((Not(A), B))),
    "De Morgan, deep": (negate(all_of([A, any_of([B, C])])), Any((All((Not(B), Not(C))), Not(A)))),
}


@pytest.mark.parametrize(("built", "expected"), SAME.values(), ids=SAME)
def test_form(built: Selector, expected: Selector) -> None:
    """What the constructors make of their parts."""
    assert built == expected
    assert hash(built) == hash(expected)


@given(parts=st.lists(selectors(), max_size=4), seed=st.integers(0, 99))
def test_order_and_grouping_do_not_matter(parts: list[Selector], seed: int) -> None:
    """However parts are ordered, repeated or grouped, the selector is the same."""
    shuffled = random.Random(seed).sample(parts, len(parts))
    for build in (all_of, any_of):
        expected = build(parts)
        assert build(shuffled) == expected
        assert build([*parts, *shuffled]) == expected
        assert build([build(parts[:2]), build(parts[2:])]) == expected


@given(selector=selectors())
def test_negation(selector: Selector) -> None:
    """Negated twice a selector is itself; a negation stands only before an atom."""
    negated = negate(selector)
    assert negate(negated) == selector
    assert only_atoms_are_negated(negated)
    assert set(atoms(negated)) == set(atoms(selector))


def only_atoms_are_negated(selector: Selector) -> bool:
    """Return whether every negation in a selector is one of an atom."""
    if isinstance(selector, Not):
        return isinstance(selector.part, Has | Compare)
    return isinstance(selector, Has | Compare) or all(only_atoms_are_negated(part) for part in selector.parts)


@given(parts=st.lists(selectors(ATOMS[:4], leaves=4), max_size=3))
def test_meaning(parts: list[Selector]) -> None:
    """Under every truth of the atoms, or lack of it, the constructors mean and, or, and not."""
    for row in product((0, UNDEFINED, 1), repeat=4):
        values = dict(zip(ATOMS[:4], row, strict=True))
        each = [degree(part, values) for part in parts]
        assert degree(all_of(parts), values) == min(each, default=1)
        assert degree(any_of(parts), values) == max(each, default=0)
        assert [degree(negate(part), values) for part in parts] == [1 - one for one in each]


@given(one=selectors(), other=selectors())
def test_text_of_the_order(one: Selector, other: Selector) -> None:
    """Two selectors have the same text exactly if they are the same, so that the order of parts is decided."""
    assert (sort_key(one) == sort_key(other)) == (one == other)


def test_atoms_from_left_to_right() -> None:
    """With repetitions, as they stand."""
    assert list(atoms(all_of([any_of([A, B]), negate(B), C]))) == [A, B, B, C]
    assert list(atoms(EVERYTHING)) == []


COMPARED = {"AtMost": [1, 2], "AtLeast": [2, 3], "MoreThan": [3], "LessThan": [1], "Exactly": [2]}


@pytest.mark.parametrize("comparison", COMPARED)
def test_comparison(comparison: str) -> None:
    """Which of the numbers one to three compare so with two."""
    two = Compare("https://example.org/ember/hasLevel", comparison, 2)  # type: ignore[arg-type]
    assert [number for number in (1, 2, 3) if two.is_met_by(number)] == COMPARED[comparison]
