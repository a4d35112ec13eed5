"""Random selectors over the characteristics of an invented game, and what they come to under given truth values."""

from __future__ import annotations

from collections.abc import Mapping

import pyoxigraph as ox
from hypothesis import strategies as st

from reasoner.reference.selector import All, Has, Not, Selector, all_of, any_of, negate

EMBER = "https://example.org/ember/"
REFERENT = ox.NamedNode(EMBER + "referent")


def iri(name: str) -> ox.NamedNode:
    """Return the term called `name`."""
    return ox.NamedNode(EMBER + name)


def has(characteristic: str, value: str) -> Has:
    """Return the atom that the referent has a value, both in local names."""
    return Has(EMBER + characteristic, iri(value))


# Marks are open where neither they nor their denial is known, costs where none is known, kinds never.
MARKS = tuple(has("hasMark", f"m{number}") for number in range(4))
COSTS = (Has(EMBER + "hasCost", ox.Literal("1")), Has(EMBER + "hasCost", ox.Literal("2")))
KINDS = (has("hasKind", "Fire"), has("hasKind", "Water"))
ATOMS = (*MARKS, *COSTS, *KINDS)


def selectors(atoms: tuple[Has, ...] = ATOMS, leaves: int = 8) -> st.SearchStrategy[Selector]:
    """Draw selectors built with `all_of`, `any_of` and `negate`, some of them empty."""
    return st.recursive(
        st.sampled_from(atoms),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(all_of), st.lists(inner, max_size=3).map(any_of), inner.map(negate)
        ),
        max_leaves=leaves,
    )


def truth(selector: Selector, values: Mapping[Has, bool]) -> bool:
    """Return what a selector comes to where every atom is known, straight from its meaning."""
    if isinstance(selector, Has):
        return values[selector]
    if isinstance(selector, Not):
        return not truth(selector.part, values)
    parts = [truth(part, values) for part in selector.parts]
    return all(parts) if isinstance(selector, All) else any(parts)
