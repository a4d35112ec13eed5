"""The dataset of an imported pool as a store on disk: what a query is asked of, opened in some milliseconds.

It holds the graphs of `reasoner.operations.dataset`, and in <game>/references what was read from the texts of the pool
with whom each reference selects. It lies in the cache, in a folder named by everything it was made from (see
`reasoner.knowledge.kept`), and is only read after that.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from reasoner.errors import CardloreError
from reasoner.index.opening import PoolIndex, build_index
from reasoner.index.references import ReadTexts, read_nothing, reference_lines
from reasoner.knowledge import cache
from reasoner.knowledge.base import LATEST, KnowledgeBase, open_base
from reasoner.knowledge.kept import kept_folder
from reasoner.knowledge.pools import Pool
from reasoner.operations.answertriples import answer_triples
from reasoner.operations.dataset import BLANK, NAMED, WRONG, as_files, dataset_key, everything, wrong_cases
from reasoner.operations.poolanswers import interpret_indexed
from reasoner.operations.storeload import Loader, cases_beside
from reasoner.paths import Library
from reasoner.terms.namespaces import Prefixes, graph

_STORE, _ABOUT = "store", "about.json"


@dataclass(frozen=True)
class PoolStore:
    """A store that is only read, the prefixes to ask it with, what is wrong with its cases, and its folder."""

    store: ox.Store
    prefixes: Prefixes
    wrong: tuple[CardloreError, ...]
    folder: Path

    def forget(self) -> None:
        """Remove the store, which turned out to be damaged."""
        shutil.rmtree(self.folder, ignore_errors=True)


def open_pool_store(
    library: Library,
    game: str,
    pool: Pool,
    as_of: str | None = None,
    others: Sequence[str] = (),
    read_texts: ReadTexts = read_nothing,
) -> PoolStore:
    """Return the store of `game` with `pool`, and of the `others` among the games, built if need be.

    Raises:
        CardloreError: whatever is wrong with the game's files; U118 there is no room for the store.
    """
    edition = as_of or LATEST
    reader = f"{read_texts.__module__}.{read_texts.__qualname__}"
    key = f"{cache.joined([dataset_key(library, game, edition, pool), reader])}-store"
    if others:
        more = [dataset_key(library, name, edition, None) for name in others]
        key = f"{cache.joined([key, *more])}-store"

    def build(folder: Path) -> None:
        if others:
            _add_others(folder, open_pool_store(library, game, pool, as_of, (), read_texts), library, others, as_of)
        else:
            _Build(library, game, pool, as_of, read_texts).write(folder)

    for again in (False, True):
        folder = kept_folder(key, build)
        try:
            about = json.loads((folder / _ABOUT).read_bytes())
            store = ox.Store.read_only(str(folder / _STORE))
            wrong = wrong_cases((folder / WRONG).read_bytes(), library.root)
            return PoolStore(store, Prefixes(about["prefixes"]), tuple(wrong), folder)
        except (OSError, ValueError, LookupError):
            if again:
                raise
            shutil.rmtree(folder, ignore_errors=True)
    raise AssertionError("the second attempt returns or raises")


def in_memory(store: ox.Store) -> ox.Store:
    """Return a copy of a store on disk that can be written to."""
    copy = ox.Store()
    copy.bulk_extend(store)
    return copy


@dataclass(frozen=True)
class _Build:
    library: Library
    game: str
    pool: Pool
    as_of: str | None
    read_texts: ReadTexts

    def write(self, folder: Path) -> None:
        """Build the store in `folder`. While rules run and the index is made, what is known already is being loaded."""
        scratch = folder / "scratch"
        scratch.mkdir()
        with cases_beside(self.library, self.game, self.as_of) as ready, Loader(folder / _STORE, scratch) as loader:
            cards, copies = graph(self.game, "cards"), graph(self.game, "pool")
            odd: list[ox.Quad] = []

            def told(store: ox.Store) -> None:
                odd.extend(quad for name in (cards, copies) for quad in _hand_over(store, name, loader))

            def derived(base: KnowledgeBase) -> None:
                odd.extend(quad for name in base.pool_graphs for quad in _hand_over(base.store, name, loader))

            base, index = build_index(self.library, self.game, self.as_of, self.pool, told, derived)
            ready()
            plain = everything(open_base(self.library, self.game, self.as_of))
            self._write_small(base, index, plain, odd, loader)
            found = self.read_texts(base, index)
            path = loader.file()
            with path.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(reference_lines(index, found))
            loader.load(path, graph(self.game, "references"))
        shutil.rmtree(scratch)
        _write_about(folder, base.vocabulary.prefixes.namespaces, plain[WRONG])

    def _write_small(
        self,
        base: KnowledgeBase,
        index: PoolIndex,
        plain: Mapping[str, bytes],
        odd: Iterable[ox.Quad],
        loader: Loader,
    ) -> None:
        """Write vocabulary, rules, cases, and the answers about printed references."""
        own = {*base.base, graph(self.game, "pool"), *base.pool_graphs}
        both = [
            *odd,
            *(q for name in base.base[:-1] for q in base.store.quads_for_pattern(None, None, None, name)),
        ]
        answers = answer_triples(base, interpret_indexed(base, index))
        both += [ox.Quad(t.subject, t.predicate, t.object, base.pool_graphs[0]) for t in answers]
        merged = [ox.Quad(q.subject, q.predicate, q.object, ox.DefaultGraph()) for q in both]
        files = as_files([*both, *merged], b"")
        # Cases are about the cards of the library: they are those of the library alone.
        rest = [
            quad
            for name in (NAMED, BLANK)
            for quad in ox.parse(plain[name], format=ox.RdfFormat.N_QUADS)
            if isinstance(quad.graph_name, ox.NamedNode) and quad.graph_name not in own
        ]
        rest += [ox.Quad(q.subject, q.predicate, q.object, ox.DefaultGraph()) for q in rest]
        named, blank = loader.file(), loader.file().with_suffix(".blank")
        named.write_bytes(files[NAMED])
        blank.write_bytes(files[BLANK])
        loader.load(named)
        loader.load(blank)
        more = loader.file().with_suffix(".blank")
        ox.serialize(rest, str(more), format=ox.RdfFormat.N_QUADS)
        loader.load(more)


def _hand_over(store: ox.Store, name: ox.NamedNode, loader: Loader) -> list[ox.Quad]:
    """Let a graph be loaded, and return what of it has blank nodes, which is not."""
    path = loader.file()
    data = store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=name) or b""
    odd: list[ox.Quad] = []
    if b"_:" in data:
        quads = list(store.quads_for_pattern(None, None, None, name))
        odd = [q for q in quads if isinstance(q.subject, ox.BlankNode) or isinstance(q.object, ox.BlankNode)]
        if odd:
            apart = set(odd)
            data = ox.serialize((q.triple for q in quads if q not in apart), format=ox.RdfFormat.N_TRIPLES) or b""
    path.write_bytes(data)
    loader.load(path, name)
    return odd


def _add_others(folder: Path, one: PoolStore, library: Library, others: Sequence[str], as_of: str | None) -> None:
    """Copy a built store and add what is known of other games."""
    source = one.folder
    shutil.copytree(source / _STORE, folder / _STORE)
    wrong = json.loads((source / WRONG).read_bytes())
    store = ox.Store(str(folder / _STORE))
    namespaces = one.prefixes
    for name in others:
        base = open_base(library, name, as_of)
        stored = everything(base)
        store.bulk_load(stored[NAMED], format=ox.RdfFormat.N_QUADS)
        store.bulk_extend(ox.parse(stored[BLANK], format=ox.RdfFormat.N_QUADS))
        wrong += json.loads(stored[WRONG])
        namespaces = namespaces.merged(base.vocabulary.prefixes.namespaces.items())
    store.flush()
    del store
    _write_about(folder, namespaces.namespaces, cache.to_bytes(wrong))


def _write_about(folder: Path, namespaces: Mapping[str, str], wrong: bytes) -> None:
    (folder / _ABOUT).write_bytes(cache.to_bytes({"prefixes": dict(namespaces)}))
    (folder / WRONG).write_bytes(wrong)
