"""A pool built in slices: the rules run over some thousand cards at a time, and their proofs are dropped after that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from reasoner.engine.apart import kept_together
from reasoner.engine.conclusions import signatures
from reasoner.engine.pattern import Signature
from reasoner.index.make import IndexMaker
from reasoner.knowledge.base import LATEST, KnowledgeBase, base_on
from reasoner.knowledge.pools import Pool
from reasoner.paths import Library
from reasoner.terms.namespaces import core, game_base, graph

if TYPE_CHECKING:
    from reasoner.knowledge.ground import Concluded, Ground, Names, Told

_OWN_CARD: Signature = (core("hasOwnCard").value, None)


def build_sliced(
    library: Library, game: str, as_of: str | None, pool: Pool, told: Told, folder: Path
) -> tuple[KnowledgeBase, bytes, Path] | None:
    """Return the base of the cards that the library describes, the index of all cards, and a file of all facts.

    None where rules look at several cards at once, or where they disagree on a card and nothing decides.

    Raises:
        CardloreError: whatever is wrong with the game's files, or with the pool.
    """
    from reasoner.knowledge.ground import Names, read_ground
    from reasoner.knowledge.slices import slices_of

    ground = read_ground(library, game, as_of, as_of or LATEST, pool)
    vocabulary = list(ground.store)
    if any(str(quad.object).startswith(f"<{game_base(game)}card/") for quad in vocabulary):
        return None
    around = signatures(vocabulary)

    def together(given: frozenset[Signature]) -> Collection[str] | None:
        return kept_together(ground.programs.state.rules, given | {_OWN_CARD}, around)

    slices = slices_of(pool, ground.facts.triples, together, folder)
    if slices is None:
        return None
    listed = {card.value for card in ground.facts.cards}
    work = _Work(ground, IndexMaker(game, listed.union(slices.cards)), folder / "facts.nq", told, Names())
    work.write(ground.store, [graph("core"), graph(game, "terms")])
    ground.store.bulk_load(slices.own, format=ox.RdfFormat.N_TRIPLES, to_graph=graph(game, "cards"))
    small = work.conclude(ground.store, ground.facts.triples)
    for path in slices.rest:
        if not work.is_settled:
            return None
        work.add_slice(vocabulary, path)
    if not work.is_settled:
        return None
    base = base_on(ground, replace(small, present=frozenset(work.present)), work.names)
    return base, work.maker.to_bytes(), work.facts


@dataclass
class _Work:
    """What is kept of each slice: its part of the index, its names, and all facts, in a file."""

    ground: Ground
    maker: IndexMaker
    facts: Path
    told: Told
    names: Names
    present: set[Signature] = field(default_factory=set)
    is_settled: bool = True

    def add_slice(self, vocabulary: Iterable[ox.Quad], path: Path) -> None:
        """Let the rules run over the slice in a file, which is removed. Nothing else of it stays in memory."""
        store = ox.Store()
        store.bulk_extend(vocabulary)
        store.bulk_load(path=str(path), format=ox.RdfFormat.N_TRIPLES, to_graph=graph(self.ground.game, "cards"))
        path.unlink()
        self.conclude(store, ())

    def conclude(self, store: ox.Store, own: Sequence[ox.Triple]) -> Concluded:
        """Let the rules run over a slice and keep what is to be kept of it, unless they disagree."""
        from reasoner.knowledge.ground import Names, conclude

        found = conclude(self.ground, store, own, self._take)
        self.present |= found.present
        self.is_settled &= found.inference.settled
        if self.is_settled:
            self.maker.add(store, found.inference)
            self.names.add(Names.of(store, graph(self.ground.game, "cards")))
        return found

    def _take(self, store: ox.Store, graphs: Sequence[ox.NamedNode]) -> None:
        self.told(store, graphs)
        self.write(store, graphs)

    def write(self, store: ox.Store, graphs: Sequence[ox.NamedNode]) -> None:
        """Add graphs of a store to the file of all facts."""
        with self.facts.open("ab") as file:
            for name in graphs:
                ox.serialize(store.quads_for_pattern(None, None, None, name), file, format=ox.RdfFormat.N_QUADS)
