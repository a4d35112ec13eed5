"""What two texts of the same card, as in two languages, refer to differently.

Compared is what their references select, however often and in whichever order. Two ways to say the same are one:

- what points back, or at the bearer of the text, is left out: one language says "it" where another repeats the noun;
- a choice is compared by what is chosen from: "an Elf or a Goblin" refers to Elves and to Goblins;
- "that player" is whichever player the other text names, unless that is the one who reads it: it points back;
- what nothing can meet is left out: "nonlegendary" may be said as "that is no legendary creature", which holds for what
  is no creature too, of which there is none among creatures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

from pyoxigraph import NamedNode

from reasoner.cardtexts.collection import Occurrence
from reasoner.cardtexts.reader import CardText
from reasoner.cardtexts.segments import UNREAD
from reasoner.reference.selector import All, Any, Has, Selector, all_of, negate, sort_key
from reasoner.terms.namespaces import core

_IDENTITY: Final = core("is").value
_OPEN: Final = core("isOpenTo").value
_POINTER: Final = core("SameWord")
_THAT_PLAYER: Final = core("ThatPlayer")
_PLAYERS: Final = (_THAT_PLAYER, core("Opponent"), core("AnyPlayer"))
_SOMEBODY: Final = core("Player")


@dataclass(frozen=True)
class Difference:
    """What only the first text refers to and what only the second does; `whole`: both are wholly read."""

    first: tuple[Selector, ...]
    second: tuple[Selector, ...]
    whole: bool = True

    def __bool__(self) -> bool:
        """Return whether they differ."""
        return bool(self.first or self.second)


def text_difference(first: CardText, second: CardText) -> Difference:
    """Return what only one of two read texts refers to."""
    whole = all(one.kind != UNREAD for text in (first, second) for one in text.stretches)
    return difference(*(_selectors(text) for text in (first, second)), whole=whole)


def occurrence_difference(
    first: Iterable[Occurrence], second: Iterable[Occurrence], selectors: Mapping[str, Selector], *, whole: bool = True
) -> Difference:
    """Return what only one of two rows of occurrences refers to; `selectors` are those of the collection."""
    return difference(*([selectors[one.reference] for one in row] for row in (first, second)), whole=whole)


def difference(first: Iterable[Selector], second: Iterable[Selector], *, whole: bool = True) -> Difference:
    """Return what only one of two rows of selectors selects, each in canonical order."""
    one, other = ({kind for selector in row for kind in kinds(selector)} for row in (first, second))
    one, other = _without_told(one - other, other), _without_told(other - one, one)
    return Difference(tuple(sorted(one, key=sort_key)), tuple(sorted(other, key=sort_key)), whole)


def kinds(selector: Selector) -> tuple[Selector, ...]:
    """Return the kinds of referents between which `selector` leaves the choice, without those it only points at."""
    found = (all_of(parts) for parts in _choices(selector) if not _is_void(parts) and not _points(parts))
    return tuple(dict.fromkeys(found))


def _without_told(kinds: set[Selector], others: set[Selector]) -> set[Selector]:
    """Return `kinds` without those that are among `others` but for how a player is told: "that player" points back."""
    told = {_unnamed(other) for other in others}
    pointing = {_unnamed(other) for other in others if other != _unnamed(other, _THAT_PLAYER)}
    return {
        one
        for one in kinds
        if not (_unnamed(one) in pointing or (one != _unnamed(one, _THAT_PLAYER) and _unnamed(one) in told))
    }


def _unnamed(selector: Selector, *players: NamedNode) -> Selector:
    """Return `selector` with no particular one of the `players`, by default of all that can be told apart."""
    if isinstance(selector, All):
        return all_of(_unnamed(part, *players) for part in selector.parts)
    if isinstance(selector, Has) and selector.value in (players or _PLAYERS):
        return Has(selector.characteristic, _SOMEBODY)
    return selector


def _choices(selector: Selector) -> list[tuple[Selector, ...]]:
    """Return the ways to meet `selector`, each as parts that must all be met."""
    if isinstance(selector, Any):
        return [way for part in selector.parts for way in _choices(part)]
    if isinstance(selector, All):
        return [sum(ways, ()) for ways in product(*(_choices(part) for part in selector.parts))]
    return [(selector,)]


def _is_void(parts: tuple[Selector, ...]) -> bool:
    met = set(parts)
    return any(negate(part) in met for part in parts)


def _points(parts: tuple[Selector, ...]) -> bool:
    """Return whether what is meant is the bearer of the text, or what was spoken of before."""
    held = [part for part in parts if isinstance(part, Has)]
    return any(
        part.characteristic == _IDENTITY or (part.characteristic == _OPEN and part.value == _POINTER) for part in held
    )


def _selectors(text: CardText) -> list[Selector]:
    return [one.meaning.selector for one in text.references if one.meaning is not None]
