"""Selectors as plain data, to be kept and read back."""

from __future__ import annotations

import hashlib
from typing import Any as Anything

import pyoxigraph as ox

from reasoner.engine.pattern import decode
from reasoner.reference.selector import All, Any, Compare, Has, Not, Selector, sort_key
from reasoner.terms.namespaces import game_base


def to_data(selector: Selector) -> list[Anything]:
    """Return `selector` as lists of texts and numbers, the inverse of `from_data`."""
    if isinstance(selector, Has):
        return ["has", selector.characteristic, str(selector.value)]
    if isinstance(selector, Compare):
        return ["compare", selector.characteristic, selector.comparison, selector.number]
    if isinstance(selector, Not):
        return ["not", to_data(selector.part)]
    return ["all" if isinstance(selector, All) else "any", [to_data(part) for part in selector.parts]]


def from_data(data: list[Anything]) -> Selector:
    """Return the selector that `to_data` told.

    Raises:
        ValueError: it is no such data.
    """
    kind, *parts = data
    if kind == "has":
        value = decode(parts[1])
        if not isinstance(value, ox.NamedNode | ox.Literal):
            raise ValueError(f"no value: {parts[1]}")
        return Has(parts[0], value)
    if kind == "compare":
        return Compare(parts[0], parts[1], parts[2])
    if kind == "not":
        return Not(from_data(parts[0]))
    if kind not in ("all", "any"):
        raise ValueError(f"no selector: {kind}")
    inner = tuple(from_data(part) for part in parts[0])
    return All(inner) if kind == "all" else Any(inner)


def reference_iri(game: str, selector: Selector) -> str:
    """Return the IRI of the reference of a game that selects what `selector` does: equal selectors have the same."""
    key = hashlib.blake2b(sort_key(selector).encode(), digest_size=10).hexdigest()
    return f"{game_base(game)}reference/{key}"
