"""Opening the index of a pool: what reading a text needs, and the sets of cards, without the pool's facts.

It is a cache entry of its own beside the built knowledge base, with a key that depends on the same files.
"""

from __future__ import annotations

import gc
import sqlite3
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pyoxigraph as ox

from reasoner.engine.rule import Rule
from reasoner.errors import CardloreError
from reasoner.index.make import IndexMaker
from reasoner.index.pool import IndexedView
from reasoner.index.postings import Postings
from reasoner.index.sliced import build_sliced
from reasoner.knowledge import cache
from reasoner.knowledge.base import (
    BASE_FILES,
    LATEST,
    KnowledgeBase,
    base_key,
    build_with_proofs,
    from_cache,
    to_cache,
)
from reasoner.knowledge.cardnames import card_called
from reasoner.knowledge.kept import scratch_folder
from reasoner.knowledge.pools import Pool
from reasoner.paths import Library
from reasoner.reference.interpret import Surroundings, pool_surroundings
from reasoner.terms.namespaces import graph

if TYPE_CHECKING:
    from reasoner.knowledge.ground import Told

_POSTINGS = "postings.sqlite"
_FILES = (*BASE_FILES, _POSTINGS)


@dataclass(frozen=True)
class PoolIndex:
    """The cards of a pool as an index. `base` knows the game's words and rules, and no cards."""

    base: KnowledgeBase
    postings: Postings

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The IRIs of the cards, by number."""
        return tuple(self.postings.part("cards"))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What lists call the cards, by number."""
        return tuple(self.postings.part("names"))

    def card(self, text: str) -> str:
        """Return the IRI of the card with the id or the name `text`; the name of a face or a translation does as well.

        Raises:
            UseError: U104 if no card, or more than one, is called so.
        """

        def spellings() -> dict[str, list[str]]:
            kept = self.postings.part("spellings").items()
            return {spelling: [self.cards[number] for number in found] for spelling, found in kept}

        return card_called(text, self.base.game, dict(zip(self.cards, self.names, strict=True)), spellings)

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """All rules in force, by id."""
        return {rule.id: rule for rule in self.base.programs.rules}

    @cached_property
    def views(self) -> tuple[IndexedView, ...]:
        """The facts of the pool, once for each branch of what rules say of it."""
        branches = range(self.postings.part("branches"))
        return tuple(IndexedView(self.postings, branch, self.cards, self.base.vocabulary) for branch in branches)

    @cached_property
    def surroundings(self) -> Surroundings:
        """Where texts are read that stand on no card."""
        return pool_surroundings(self.base)


def open_index(library: Library, game: str, as_of: str | None = None, pool: Pool | None = None) -> PoolIndex:
    """Return the index of the cards of `game` and of an imported `pool`, from the cache if nothing has changed.

    Raises:
        CardloreError: whatever is wrong with the game's files.
    """
    edition = as_of or LATEST
    base_entry = base_key(library, game, edition, pool)
    key = f"{base_entry}-index"
    stored = cache.load(key, _FILES)
    if stored is not None:
        try:
            postings = Postings(stored[_POSTINGS])
            return PoolIndex(from_cache(library, game, edition, stored, pool), postings)
        except (CardloreError, ValueError, LookupError, TypeError, AttributeError, SyntaxError, OSError, sqlite3.Error):
            cache.forget(key)
    return build_index(library, game, as_of, pool)[1]


def build_index(
    library: Library,
    game: str,
    as_of: str | None = None,
    pool: Pool | None = None,
    told: Told = lambda _store, _graphs: None,
) -> tuple[KnowledgeBase, PoolIndex]:
    """Return a knowledge base and the index of its cards, both built anew and kept in the cache.

    Of an imported pool the base has, where the rules allow that it is built in slices, only the cards that the library
    describes as well. `told` is given stores and graphs in them that are complete, until all has been told; the same
    may be told twice.

    Raises:
        CardloreError: whatever is wrong with the game's files; U118 there is no room for what is built.
    """
    base_entry = base_key(library, game, as_of or LATEST, pool)
    with scratch_folder() as scratch:
        built = build_sliced(library, game, as_of, pool, told, scratch) if pool else None
        base, postings, facts = built or _build_whole(library, game, as_of, pool, told)
        gc.collect()
        files = to_cache(base, facts)
        small = {**files, BASE_FILES[0]: _words(base), _POSTINGS: postings}
        cache.save(base_entry, files)
    cache.save(f"{base_entry}-index", small)
    lasting = {name: data for name, data in small.items() if isinstance(data, bytes)}
    return base, PoolIndex(from_cache(library, game, as_of or LATEST, lasting, pool), Postings(postings))


def _build_whole(
    library: Library, game: str, as_of: str | None, pool: Pool | None, told: Told
) -> tuple[KnowledgeBase, bytes, None]:
    base, inference = build_with_proofs(library, game, as_of, pool, told)
    maker = IndexMaker(game, (card.value for card in base.cards))
    maker.add(base.store, inference)
    return base, maker.to_bytes(), None


def _words(base: KnowledgeBase) -> bytes:
    """Return the vocabulary alone: a text that stands on no card is read by it, whatever cards there are."""
    store = ox.Store()
    for name in (graph("core"), graph(base.game, "terms")):
        store.extend(base.store.quads_for_pattern(None, None, None, name))
    return store.dump(format=ox.RdfFormat.N_QUADS) or b""
