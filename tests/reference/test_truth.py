"""The logic of what may be open or have no value: its laws, on random selectors."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.reference.selector import EVERYTHING, NOTHING, Atom, Selector, all_of, any_of, negate
from reasoner.reference.truth import NO_VALUE, Defined, Truth, defined, over_outcomes, truth

from .selectors import ATOMS, has, selectors

A, B = has("hasKind", "a"), has("hasKind", "b")
DEFINED: tuple[Defined, ...] = (False, NO_VALUE, True)
valuations = st.fixed_dictionaries({atom: st.sampled_from(DEFINED) for atom in ATOMS})
opened = st.fixed_dictionaries({atom: st.sampled_from([*DEFINED, None]) for atom in ATOMS})


def opposite(value: Truth) -> Truth:
    """Return the truth of the negation, where that follows from the truth alone."""
    return not value if isinstance(value, bool) else value


@pytest.mark.parametrize(("one", "other"), list(product(DEFINED, repeat=2)))
def test_tables(one: Defined, other: Defined) -> None:
    """All is the least, Any the greatest of the two, in the order False, no value, True; Not turns the order round."""
    values: dict[Atom, Defined] = {A: one, B: other}
    least, greatest = (choose((one, other), key=DEFINED.index) for choose in (min, max))
    assert defined(all_of([A, B]), values) is least
    assert defined(any_of([A, B]), values) is greatest
    assert defined(negate(A), values) is opposite(one)
    assert (defined(EVERYTHING, values), defined(NOTHING, values)) == (True, False)


@given(selectors(), selectors(), valuations)
def test_laws(one: Selector, other: Selector, values: Mapping[Atom, Defined]) -> None:
    """De Morgan, absorption, distribution: a lattice with an involution, in which there may be a third."""
    assert defined(negate(one), values) == opposite(defined(one, values))
    assert defined(all_of([one, any_of([one, other])]), values) == defined(one, values)
    assert defined(any_of([one, all_of([one, other])]), values) == defined(one, values)
    both = all_of([any_of([one, other]), any_of([one, negate(other)])])
    assert defined(both, values) == defined(any_of([one, all_of([other, negate(other)])]), values)
    third = defined(any_of([one, negate(one)]), values)
    assert third is (True if isinstance(defined(one, values), bool) else NO_VALUE)


@given(selectors(), valuations, valuations)
def test_a_value_that_turns_up_changes_no_answer(
    selector: Selector, values: Mapping[Atom, Defined], more: Mapping[Atom, Defined]
) -> None:
    """Kleene's logic is monotonic: what is true or false although something has no value stays so with any value."""
    filled = {atom: more[atom] if value is NO_VALUE else value for atom, value in values.items()}
    if isinstance(defined(selector, values), bool):
        assert defined(selector, filled) == defined(selector, values)


@given(selectors(), opened)
def test_what_turns_out_agrees(selector: Selector, values: Mapping[Atom, Truth]) -> None:
    """However an open atom turns out, a yes stays a yes and a no a no, and no yes comes of no value."""
    before, left = truth(selector, values)
    assert (left is None) == (before is not None)
    for atom in [atom for atom, value in values.items() if value is None]:
        for outcome in (False, True):
            after, _ = truth(selector, {**values, atom: outcome})
            if isinstance(before, bool):
                assert after is before
            elif before is NO_VALUE:
                assert after in (False, NO_VALUE)


@given(selectors(), valuations)
def test_where_nothing_is_open(selector: Selector, values: Mapping[Atom, Defined]) -> None:
    """The two ways to evaluate are one."""
    assert truth(selector, values) == (defined(selector, values), None)


@given(selectors(), opened)
def test_negation(selector: Selector, values: Mapping[Atom, Truth]) -> None:
    """It turns yes and no round, and makes neither of anything else: "open and no value" is denied by what is open."""
    plain, denied = truth(selector, values)[0], truth(negate(selector), values)[0]
    if isinstance(plain, bool) or isinstance(denied, bool):
        assert denied is opposite(plain)
    else:
        assert {plain, denied} <= {None, NO_VALUE}


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([True], True),
        ([False, False], False),
        ([NO_VALUE], NO_VALUE),
        ([True, False], None),
        ([True, NO_VALUE], None),
        ([False, NO_VALUE], NO_VALUE),
        ([True, False, NO_VALUE], None),
    ],
)
def test_outcomes(outcomes: list[Defined], expected: Truth) -> None:
    """Yes in all, when in some; where in none, no value if there is one without."""
    assert over_outcomes(outcomes) is expected
