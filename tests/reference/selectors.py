"""Random selectors over the characteristics of an invented game, and what they come to under given truth values."""

from __future__ import annotations

from collections.abc import Mapping

import pyoxigraph as ox
from hypothesis import strategies as st

from reasoner.reference.selector import All, Any, Atom, Compare, Has, Not, Selector, all_of, any_of, negate

EMBER = "https://example.org/ember/"
REFERENT = ox.NamedNode(EMBER + "referent")


def iri(name: str) -> ox.NamedNode:
    """Return the term called `name`."""
    return ox.NamedNode(EMBER + name)


def has(characteristic: str, value: str) -> Has:
    """Return the atom that the referent has a value, both in local names."""
    return Has(EMBER + characteristic, iri(value))


# Marks are open where neither they nor their denial is known, costs and sizes where none is known, kinds never; what
# compares a level has no truth where there is no level.
MARKS = tuple(has("hasMark", f"m{number}") for number in range(3))
COSTS = (Has(EMBER + "hasCost", ox.Literal("1")), Has(EMBER + "hasCost", ox.Literal("2")))
KINDS = (has("hasKind", "Fire"), has("hasKind", "Water"))
LEVELS = (Compare(EMBER + "hasLevel", "AtMost", 3), Compare(EMBER + "hasLevel", "MoreThan", 3))
SIZES = (Compare(EMBER + "hasSize", "Exactly", 2),)
ATOMS: tuple[Atom, ...] = (*MARKS, *COSTS, *KINDS, *LEVELS, *SIZES)
UNDEFINED = 0.5


def selectors(atoms: tuple[Atom, ...] = ATOMS, leaves: int = 8) -> st.SearchStrategy[Selector]:
    """Draw selectors built with `all_of`, `any_of` and `negate`, some of them empty."""
    return st.recursive(
        st.sampled_from(atoms),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(all_of), st.lists(inner, max_size=3).map(any_of), inner.map(negate)
        ),
        max_leaves=leaves,
    )


def degree(selector: Selector, values: Mapping[Atom, float]) -> float:
    """Return 1 for true, 0 for false, UNDEFINED for neither, where the degree of every atom is known."""
    if isinstance(selector, Not):
        return 1 - degree(selector.part, values)
    if isinstance(selector, All):
        return min((degree(part, values) for part in selector.parts), default=1)
    if isinstance(selector, Any):
        return max((degree(part, values) for part in selector.parts), default=0)
    return values[selector]
