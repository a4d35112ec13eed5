"""Opening the index of a pool: what reading a text needs, and the sets of cards, without the pool's facts.

It is a cache entry of its own beside the built knowledge base, with a key that depends on the same files.
"""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import pyoxigraph as ox

from reasoner.engine.rule import Rule
from reasoner.errors import CardloreError
from reasoner.index.keptrules import KeptRules
from reasoner.index.make import make_index
from reasoner.index.pool import IndexedView
from reasoner.index.postings import Postings
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
from reasoner.knowledge.pools import Pool
from reasoner.paths import Library
from reasoner.reference.interpret import Surroundings, pool_surroundings
from reasoner.terms.namespaces import graph

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
    told: Callable[[ox.Store], object] = lambda _store: None,
    derived: Callable[[KnowledgeBase], object] = lambda _base: None,
) -> tuple[KnowledgeBase, PoolIndex]:
    """Return the knowledge base and the index of its cards, both built anew and kept in the cache.

    `told` is given the store when it holds what the rules do not derive, `derived` the base before the index is made.

    Raises:
        CardloreError: whatever is wrong with the game's files.
    """
    edition = as_of or LATEST
    base_entry = base_key(library, game, edition, pool)
    base, inference = build_with_proofs(library, game, as_of, pool, told, KeptRules)
    derived(base)
    postings = make_index(base, inference)
    del inference
    gc.collect()
    whole = to_cache(base)
    cache.save(base_entry, whole)
    files = {name: content for name, content in whole.items() if isinstance(content, bytes)}
    files |= {BASE_FILES[0]: _words(base), _POSTINGS: postings}
    cache.save(f"{base_entry}-index", files)
    return base, PoolIndex(from_cache(library, game, edition, files, pool), Postings(postings))


def _words(base: KnowledgeBase) -> bytes:
    """Return the vocabulary alone: a text that stands on no card is read by it, whatever cards there are."""
    store = ox.Store()
    for name in (graph("core"), graph(base.game, "terms")):
        store.extend(base.store.quads_for_pattern(None, None, None, name))
    return store.dump(format=ox.RdfFormat.N_QUADS) or b""
