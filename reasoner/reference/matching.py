"""Matchings: how many seats can be filled at once if each candidate fills one at most.

Source: Berge, "Two theorems in graph theory" (1957), by way of networkx.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Matching:
    """An assignment that fills as many seats as can be: pairs of a seat and its candidate, by their numbers.

    `has_other`: as many seats can be filled in another way.
    """

    filled: tuple[tuple[int, int], ...]
    has_other: bool


def matching(fits: Sequence[Sequence[int]]) -> Matching:
    """Return the largest assignment, where `fits` lists for each seat the candidates that can fill it.

    Of several the one is returned that gives the first seat its first candidate where that costs nothing, then the
    second, and so on.
    """
    left = {(seat, one) for seat, candidates in enumerate(fits) for one in candidates}
    size = wanted = _size(left)
    filled: list[tuple[int, int]] = []
    for seat, candidates in enumerate(fits):
        tried: set[frozenset[int]] = set()
        for one in sorted(candidates):
            # Of candidates for the same seats one is as good as another.
            seats = frozenset(other for other, whom in left if whom == one)
            if (seat, one) not in left or seats in tried:
                continue
            tried.add(seats)
            rest = {(other, whom) for other, whom in left if other > seat and whom != one}
            if 1 + _size(rest) == wanted:
                filled.append((seat, one))
                left, wanted = rest, wanted - 1
                break
        else:
            left = {(other, whom) for other, whom in left if other != seat}
    pairs = {(seat, one) for seat, candidates in enumerate(fits) for one in candidates}
    return Matching(tuple(filled), any(_size(pairs - {pair}) == size for pair in filled))


def _size(pairs: set[tuple[int, int]]) -> int:
    """Return how many seats can be filled from `pairs` of a seat and a candidate."""
    if not pairs:
        return 0
    import networkx as nx  # slow to import, and only some games have seats

    graph: nx.Graph[tuple[str, int]] = nx.Graph((("seat", seat), ("candidate", one)) for seat, one in sorted(pairs))
    seats = [node for node in graph if node[0] == "seat"]
    return len(nx.bipartite.maximum_matching(graph, top_nodes=seats)) // 2
