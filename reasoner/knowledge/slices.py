"""A card pool cut into slices, each of a few thousand cards: what is known of one slice fits into little memory.

A card and what belongs to it (faces, abilities, printings) are in one slice, and so are cards that have a value in
common by which rules look for cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pyoxigraph as ox

from reasoner.engine.conclusions import signatures
from reasoner.engine.pattern import Signature
from reasoner.knowledge.pools import CARDS, Pool
from reasoner.terms.namespaces import core, game_base

SLICE = 4_000  # cards: measured in benchmarks/README.md
_MOST_SLICES = 200  # files that are written at once
_TYPE = b"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_LISTED = str(core("listedName")).encode()
# Gives the predicates by which cards belong together, given the signatures of all facts; None: they can't be cut.
Together = Callable[[frozenset[Signature]], "Collection[str] | None"]


@dataclass(frozen=True)
class Slices:
    """The cards of a pool: `own` are the lines about cards that the library knows as well, `rest` files of the others.

    `cards` are the IRIs of all cards of the pool.
    """

    own: bytes
    rest: tuple[Path, ...]
    cards: tuple[str, ...]


def slices_of(
    pool: Pool, own: Sequence[ox.Triple], together: Together, folder: Path, size: int = SLICE
) -> Slices | None:
    """Return the pool cut into slices of `size` cards, written to `folder`; None if it can't be cut.

    `own` is what the library says of its own cards.

    Raises:
        DataError: D805 the pool is damaged.
        OSError: the folder can't be written to.
    """
    cut = _Cut(f"<{game_base(pool.game)}card/".encode())
    with pool.opened(CARDS) as file:
        for line in file:
            cut.look_at(line)
    predicates = together(frozenset(cut.signatures() | signatures(own)))
    known = {cut.owner(str(one.subject).encode()) for one in own if cut.is_of_card(one.subject)}
    strange = [one for one in own if not cut.is_of_card(one.subject) or cut.leads_out(one.object, known)]
    if predicates is None or cut.is_mixed or strange:
        return None
    if predicates:
        wanted = [f"<{one}>".encode() for one in sorted(predicates)]
        with pool.opened(CARDS) as file:
            lines = b"".join(line for line in file if line.split(b" ", 2)[1] in wanted)
        cut.keep_together(ox.parse(lines, format=ox.RdfFormat.N_TRIPLES))
        cut.keep_together(one for one in own if one.predicate.value in predicates)
    with pool.opened(CARDS) as file:
        return cut.written(file, known, folder, size)


@dataclass
class _Cut:
    """What is known of a pool while it is being cut: its cards by the start of their IRIs, each with its group."""

    start: bytes
    groups: dict[bytes, bytes] = field(default_factory=dict)
    cards: list[str] = field(default_factory=list)
    is_mixed: bool = False
    _others: dict[bytes, bytes] = field(default_factory=dict)
    _seen: set[tuple[bytes, bytes]] = field(default_factory=set)
    _first_with: dict[str, bytes] = field(default_factory=dict)
    _last: bytes = b""

    def owner(self, subject: bytes) -> bytes:
        """Return the card to which a subject belongs: what is no part of a card by its IRI, to the card before it."""
        if subject.startswith(self.start):
            rest = subject[len(self.start) :]
            return rest[: -1 if (at := rest.find(b"/")) < 0 else at]
        return self._others.get(subject, self._last)

    def look_at(self, line: bytes) -> None:
        """Take note of a line."""
        subject, verb, value = line.split(b" ", 2)
        owner = self.owner(subject)
        self._last = owner
        if not subject.startswith(self.start):
            self._others[subject] = owner
        self.groups.setdefault(owner, owner)
        if value.startswith(self.start) and self.owner(value[: value.rindex(b" ")]) != owner:
            self.is_mixed = True
        if verb == _LISTED:
            self.cards.append(subject[1:-1].decode())
        self._seen.add((verb, value if verb == _TYPE else b""))

    def signatures(self) -> set[Signature]:
        """Return the signatures of all facts."""
        lines = b"".join(b"<x:> %b %b" % (verb, value or b"<x:> .\n") for verb, value in sorted(self._seen))
        return signatures(ox.parse(lines, format=ox.RdfFormat.N_TRIPLES))

    def is_of_card(self, node: object) -> bool:
        """Return whether a node is a card or belongs to one by its IRI."""
        return str(node).encode().startswith(self.start)

    def leads_out(self, node: object, owners: Collection[bytes]) -> bool:
        """Return whether a node belongs to another card than those of `owners`."""
        return self.is_of_card(node) and self.owner(str(node).encode()) not in owners

    def keep_together(self, facts: Iterable[ox.Triple | ox.Quad]) -> None:
        """Let cards be of one group if these facts give them the same value."""
        for fact in facts:
            owner = self.owner(str(fact.subject).encode())
            self.groups.setdefault(owner, owner)
            one, other = self._group(owner), self._group(self._first_with.setdefault(str(fact.object), owner))
            self.groups[max(one, other)] = min(one, other)

    def _group(self, owner: bytes) -> bytes:
        while (above := self.groups[owner]) != owner:
            self.groups[owner] = owner = self.groups[above]
        return owner

    def written(self, lines: Iterable[bytes], own: Collection[bytes], folder: Path, size: int) -> Slices:
        """Write each line to the file of its slice; those of groups with `own` cards are kept."""
        members = Counter(self._group(one) for one in self.groups)
        kept = {self._group(one) for one in own if one in self.groups}
        size = max(size, -(-len(self.groups) // _MOST_SLICES))
        slice_of: dict[bytes, int] = {}
        number, room = -1, 0
        for group, count in members.items():
            if group not in kept:
                if room <= 0:
                    number, room = number + 1, size
                slice_of[group] = number
                room -= count
        paths = tuple(folder / f"{one}.nt" for one in range(number + 1))
        found: list[bytes] = []
        with ExitStack() as stack:
            files: list[IO[bytes]] = [stack.enter_context(path.open("wb")) for path in paths]
            for line in lines:
                group = self._group(self.owner(line.split(b" ", 1)[0]))
                if group in kept:
                    found.append(line)
                else:
                    files[slice_of[group]].write(line)
        return Slices(b"".join(found), paths, tuple(self.cards))
