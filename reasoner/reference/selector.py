"""A reference as an expression over effective characteristics: what OWL calls a class expression.

`Has` and `Compare` are atoms, `All`, `Any` and `Not` combine. Build them with `all_of`, `any_of` and `negate`, which
keep every selector in one canonical form, so that equal selectors compare equal and print the same.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from pyoxigraph import Literal, NamedNode

from reasoner.language.mention import Comparison

Value: TypeAlias = NamedNode | Literal

_OPERATORS: Final[Mapping[Comparison, Callable[[int, int], bool]]] = {
    "AtMost": operator.le,
    "AtLeast": operator.ge,
    "MoreThan": operator.gt,
    "LessThan": operator.lt,
    "Exactly": operator.eq,
}


@dataclass(frozen=True)
class Has:
    """The referent has `value` for `characteristic` (an IRI; rdf:type for a class, core:is for identity)."""

    characteristic: str
    value: Value


@dataclass(frozen=True)
class Compare:
    """A value of the referent for `characteristic` (an IRI) compares so with `number`.

    Of a referent without a value neither this nor its negation is true: see `reasoner.reference.truth`.
    """

    characteristic: str
    comparison: Comparison
    number: int

    def is_met_by(self, value: int) -> bool:
        """Return whether `value` compares so."""
        return _OPERATORS[self.comparison](value, self.number)


@dataclass(frozen=True)
class Not:
    """The referent does not meet `part`."""

    part: Selector


@dataclass(frozen=True)
class All:
    """The referent meets every part; no part at all means everything."""

    parts: tuple[Selector, ...]


@dataclass(frozen=True)
class Any:
    """The referent meets at least one part; no part at all means nothing."""

    parts: tuple[Selector, ...]


Atom: TypeAlias = Has | Compare
Selector: TypeAlias = Has | Compare | Not | All | Any

EVERYTHING = All(())
NOTHING = Any(())


def all_of(parts: Iterable[Selector]) -> Selector:
    """Return the conjunction of `parts`: flattened, without repetitions, in canonical order."""
    return _combine(All, parts, NOTHING)


def any_of(parts: Iterable[Selector]) -> Selector:
    """Return the disjunction of `parts`: flattened, without repetitions, in canonical order."""
    return _combine(Any, parts, EVERYTHING)


def negate(part: Selector) -> Selector:
    """Return the negation of `part`, pushed down to the atoms (De Morgan's laws, double negation)."""
    if isinstance(part, Not):
        return part.part
    if isinstance(part, All):
        return any_of(negate(inner) for inner in part.parts)
    if isinstance(part, Any):
        return all_of(negate(inner) for inner in part.parts)
    return Not(part)


def atoms(selector: Selector) -> Iterator[Atom]:
    """Yield every atom of `selector`, left to right, repetitions included."""
    if isinstance(selector, Has | Compare):
        yield selector
    elif isinstance(selector, Not):
        yield from atoms(selector.part)
    else:
        for part in selector.parts:
            yield from atoms(part)


def sort_key(selector: Selector) -> str:
    """Return the text by which canonical order is decided: the same selector always gives the same text."""
    if isinstance(selector, Has):
        return f"{selector.characteristic} {selector.value}"
    if isinstance(selector, Compare):
        return f"{selector.characteristic} {selector.comparison} {selector.number}"
    if isinstance(selector, Not):
        return f"{sort_key(selector.part)} not"
    name = "all" if isinstance(selector, All) else "any"
    return f"{name}({', '.join(sort_key(part) for part in selector.parts)})"


def _combine(kind: type[All] | type[Any], parts: Iterable[Selector], absorbing: Selector) -> Selector:
    flat: dict[Selector, None] = {}
    for part in parts:
        inner = part.parts if isinstance(part, kind) else (part,)
        flat.update(dict.fromkeys(inner))
    if absorbing in flat:
        return absorbing
    ordered = tuple(sorted(flat, key=sort_key))
    return ordered[0] if len(ordered) == 1 else kind(ordered)
