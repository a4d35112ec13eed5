"""What words may stand from each token of a text on, worked out once for the same tokens, in whatever text they stand.

Card texts say the same things over and over: of a hundred places of a text all but a few are known from texts before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reasoner.language.lattice import Builder, Edge, Lattice, goes_on
from reasoner.language.tokens import Token

MOST_KEPT: Final = 200_000
_END: Final = ""


@dataclass(frozen=True, eq=False)
class Spot:
    """The `edges` from a token on; they count from it. `opens`: words beside some of them need not be known.

    `length` is the number of tokens of the longest.
    """

    edges: tuple[Edge, ...]
    opens: bool = False
    length: int = 0


_NOTHING: Final = Spot(())


class Spots:
    """Finds the spots of texts in which nothing is marked. Where nothing opens, these are the edges of the lattice."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        # By tokens: a spot, or that it depends on the token after them as well.
        self._known: dict[tuple[str, ...], Spot | None] = {}

    def __call__(self, tokens: Sequence[Token]) -> list[Spot]:
        """Return the spot of each of `tokens`."""
        spots = self._of(tokens)
        if not any(spot.opens for spot in spots):
            return spots
        return [_spot(found, at) for at, found in enumerate(self._lattice(tokens, spots).edges)]

    def lattice(self, tokens: Sequence[Token]) -> Lattice:
        """Return the lattice of a text, whether anything in it is marked or not."""
        if any(token.run for token in tokens):
            return self._builder.build(tokens)
        return self._lattice(tokens, self._of(tokens))

    def _lattice(self, tokens: Sequence[Token], spots: Sequence[Spot]) -> Lattice:
        edges = (tuple([edge.moved(at) for edge in spot.edges]) for at, spot in enumerate(spots))
        return self._builder.build(tokens, edges)

    def _of(self, tokens: Sequence[Token]) -> list[Spot]:
        if len(self._known) > MOST_KEPT:
            self._known.clear()
        # Where a word goes on after a token, endings and hyphens have to be looked at: that is not kept.
        broken = [goes_on(tokens, at) > 0 for at in range(len(tokens) + 1)]
        return [self._at(tokens, at, broken) for at in range(len(tokens))]

    def _at(self, tokens: Sequence[Token], at: int, broken: Sequence[bool]) -> Spot:
        first, size = tokens[at], len(tokens)
        if first.glued and first.is_word and tokens[at - 1].is_word:
            return _NOTHING
        if first.text.isdecimal() and at + 1 < size and tokens[at + 1].glued:
            return self._made(tokens, at)
        key: tuple[str, ...] = ()
        for place in range(at, size):
            if broken[place + 1]:
                return self._made(tokens, at)
            token = tokens[place]
            key = (*key, _told(token, bool(key)))
            found = self._known.get(key, _NOTHING)
            if found is _NOTHING:
                return self._found(tokens, at, broken)
            if found is not None:
                return found
        return self._known.get((*key, _END)) or self._found(tokens, at, broken)

    def _found(self, tokens: Sequence[Token], at: int, broken: Sequence[bool]) -> Spot:
        """Return the spot of a token, and keep it by the tokens on which it depends."""
        key: tuple[str, ...] = ()
        keys: list[tuple[str, ...]] = []
        for stop in range(at + 1, self._builder.reach(tokens, at) + 1):
            if broken[stop]:
                return self._made(tokens, at)
            token = tokens[stop - 1]
            key = (*key, _told(token, bool(key)))
            keys.append(key)
        spot = self._made(tokens, at)
        if self._builder.continues(tokens, at, at + len(key)):  # nothing but the end of the text ends it
            keys.append((*key, _END))
        self._known.update(dict.fromkeys(keys[:-1]))
        self._known[keys[-1]] = spot
        return spot

    def _made(self, tokens: Sequence[Token], at: int) -> Spot:
        return _spot(self._builder.edges(tokens, at), at)


def _told(token: Token, inside: bool) -> str:
    """Return what tells a token from others: its text and, `inside` what is looked up, whether it is glued on."""
    return f"\0{token.text}" if token.glued and inside else token.text


def _spot(edges: Sequence[Edge], at: int) -> Spot:
    near = tuple([edge.moved(-at) for edge in edges])
    opens = any(edge.entry.before or edge.entry.after for edge in near)
    return Spot(near, opens, max((edge.stop for edge in near), default=0))
