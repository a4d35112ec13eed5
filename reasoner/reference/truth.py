"""Truth of selectors, of which parts may be open, and parts compare a value that is not there.

An atom is True, False, open (None: the question leaves it open), or NO_VALUE: a comparison with a value that the
referent does not have is neither true nor false, and neither is its denial.

Let every open atom be decided in one way or the other. Then a selector has one of three values by Kleene's strong
logic of the undefined, in which NO_VALUE lies between False and True:

    Not   swaps True and False, and leaves NO_VALUE
    All   is the least of its parts: False if one is, else NO_VALUE if one is, else True
    Any   is the greatest of its parts: True if one is, else NO_VALUE if one is, else False

What is open is asked of all its outcomes, as in van Fraassen's supervaluations. A selector is

    True      if it is true in every outcome: "controlled or not controlled" of a card of which control is unknown
    open      if it is true in some outcomes, and not in all
    NO_VALUE  if it is true in no outcome, and has no value in some
    False     if it is false in every outcome: "controlled and not controlled" of that card

Outcomes that can't come about do not count: "controlled and in the hand" is False where what is controlled is in play.

So "controlled and of level at most 3" is NO_VALUE for a card without a level, controlled or not, because nothing that
may yet become known gives it a level; and "controlled or of level at most 3" is open, because control makes it true.

Sources: S. C. Kleene, Introduction to Metamathematics (1952), section 64; B. van Fraassen, "Singular Terms,
Truth-Value Gaps, and Free Logic" (1966).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from itertools import product
from typing import Final, TypeAlias

from reasoner.reference.selector import All, Any, Atom, Not, Selector, all_of, any_of, atoms

MOST_OPEN: Final = 12


class Missing(Enum):
    """The truth of what compares a value that is not there."""

    NO_VALUE = "no-value"

    def __repr__(self) -> str:
        return self.name


NO_VALUE: Final = Missing.NO_VALUE

Defined: TypeAlias = bool | Missing
Truth: TypeAlias = bool | Missing | None


Outcome: TypeAlias = Mapping[Atom, Defined]


def truth(
    selector: Selector, values: Mapping[Atom, Truth], can_hold: Callable[[Outcome], bool] | None = None
) -> tuple[Truth, Selector | None]:
    """Return the truth of `selector`, and where that is open, what must hold to make it true.

    `values` gives the truth of every atom; `can_hold` tells which outcomes can come about (None: all of them). If more
    than MOST_OPEN open atoms stand in a selector, what follows from two of them alone is not seen, and the selector may
    be open though it need not be.

    Raises:
        KeyError: if an atom has no truth in `values`.
    """
    value, left = _by_parts(selector, values)
    if not isinstance(value, bool) and (can_hold is not None or _is_both_ways(selector, values)):
        value = _by_outcomes(selector, values, value, can_hold)
    return value, left if value is None else None


def defined(selector: Selector, values: Mapping[Atom, Defined]) -> Defined:
    """Return the value of `selector` where no atom is open."""
    if isinstance(selector, Not):
        return _opposite(defined(selector.part, values))
    if isinstance(selector, All | Any):
        return _extreme((defined(part, values) for part in selector.parts), decisive=isinstance(selector, Any))
    return values[selector]


def over_outcomes(outcomes: Iterable[Defined]) -> Truth:
    """Return what the values of a selector in all outcomes of what is open come to."""
    found = set(outcomes)
    if True in found:
        return True if len(found) == 1 else None
    return NO_VALUE if NO_VALUE in found else False


def _opposite(value: Defined) -> Defined:
    return not value if isinstance(value, bool) else value


def _extreme(values: Iterable[Defined], *, decisive: bool) -> Defined:
    found = set(values)
    return decisive if decisive in found else NO_VALUE if NO_VALUE in found else not decisive


def _by_parts(selector: Selector, values: Mapping[Atom, Truth]) -> tuple[Truth, Selector | None]:
    """Return the truth from that of the parts: exact wherever no open atom stands both plain and denied."""
    if isinstance(selector, Not):
        inner, _ = _by_parts(selector.part, values)
        return (None, selector) if inner is None else (_opposite(inner), None)
    if not isinstance(selector, All | Any):
        value = values[selector]
        return value, selector if value is None else None
    decisive = isinstance(selector, Any)
    left: list[Selector] = []
    missing = False
    for part in selector.parts:
        value, still = _by_parts(part, values)
        if value is decisive:
            return value, None
        if still is not None:
            left.append(still)
        missing = missing or value is NO_VALUE
    if missing and not (decisive and left):
        return NO_VALUE, None
    return (None, any_of(left) if decisive else all_of(left)) if left else (not decisive, None)


def _by_outcomes(
    selector: Selector, values: Mapping[Atom, Truth], otherwise: Truth, can_hold: Callable[[Outcome], bool] | None
) -> Truth:
    """Return the truth from all outcomes of the open atoms; `otherwise` if they are too many."""
    known: dict[Atom, Defined] = {atom: value for atom, value in values.items() if value is not None}
    still = [atom for atom in dict.fromkeys(atoms(selector)) if values[atom] is None]
    if len(still) > MOST_OPEN:
        return otherwise
    outcomes = [{**known, **dict(zip(still, row, strict=True))} for row in product((False, True), repeat=len(still))]
    # Where none can come about, what is known contradicts itself already, and tells nothing of what is open.
    left = [outcome for outcome in outcomes if can_hold is None or can_hold(outcome)] or outcomes
    return over_outcomes(defined(selector, outcome) for outcome in left)


def _is_both_ways(selector: Selector, values: Mapping[Atom, Truth]) -> bool:
    denied = [atom for atom in _literals(selector, plainly=False) if values[atom] is None]
    return bool(denied) and not _literals(selector, plainly=True).isdisjoint(denied)


def _literals(selector: Selector, *, plainly: bool) -> set[Atom]:
    """Return the atoms that stand in `selector` plain, or those that stand there denied."""
    if isinstance(selector, Not):
        return _literals(selector.part, plainly=not plainly)
    if isinstance(selector, All | Any):
        return {atom for part in selector.parts for atom in _literals(part, plainly=plainly)}
    return {selector} if plainly else set()
