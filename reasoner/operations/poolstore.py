"""The dataset of an imported pool as a store on disk: what a query is asked of, opened in some milliseconds.

It holds the graphs of `reasoner.operations.dataset`, and in <game>/references what was read from the texts of the pool
with whom each reference selects. It lies in the cache, in a folder named by everything it was made from (see
`reasoner.knowledge.kept`), and is only read after that.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from reasoner.errors import CardloreError
from reasoner.index.opening import PoolIndex, build_index
from reasoner.index.references import ReadTexts, reference_lines
from reasoner.knowledge import cache
from reasoner.knowledge.base import LATEST, KnowledgeBase, open_base
from reasoner.knowledge.kept import kept_folder
from reasoner.knowledge.pools import Pool
from reasoner.operations.answertriples import answer_triples
from reasoner.operations.dataset import BLANK, NAMED, WRONG, dataset_key, everything, labelled, wrong_cases
from reasoner.operations.occurrences import read_pool_texts
from reasoner.operations.poolanswers import interpret_indexed
from reasoner.operations.storeload import Loader, work_beside
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
    read_texts: ReadTexts = read_pool_texts,
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
        except (OSError, RuntimeError, ValueError, LookupError):
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
        with (
            work_beside(self.library, self.game, self.as_of, self.pool) as ready,
            Loader(folder / _STORE, scratch) as loader,
        ):
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
        """Let vocabulary, rules, cases and the answers about printed references be loaded."""
        own = {*base.base, graph(self.game, "pool"), *base.pool_graphs}
        # Blank nodes get labels that follow from their graph, as in the dataset without a pool.
        blank = [*odd]
        for name in base.base[:-1]:
            blank += _hand_over(base.store, name, loader)
        answers = answer_triples(base, interpret_indexed(base, index))
        blank += _hand_over_triples(answers, base.pool_graphs[0], loader)
        # Cases are about the cards of the library: they are those of the library alone.
        rest = [
            quad
            for name in (NAMED, BLANK)
            for quad in ox.parse(plain[name], format=ox.RdfFormat.N_QUADS)
            if isinstance(quad.graph_name, ox.NamedNode) and quad.graph_name not in own
        ]
        rest += [ox.Quad(q.subject, q.predicate, q.object, ox.DefaultGraph()) for q in rest]
        path = loader.file().with_suffix(".blank")
        ox.serialize([*labelled(blank), *rest], str(path), format=ox.RdfFormat.N_QUADS)
        loader.load(path)


def _hand_over(store: ox.Store, name: ox.NamedNode, loader: Loader) -> list[ox.Quad]:
    """Let a graph be loaded, and return what of it has blank nodes, which is not."""
    path = loader.file()
    store.dump(str(path), format=ox.RdfFormat.N_TRIPLES, from_graph=name)
    with path.open("rb") as file:
        has_blank = any(b"_:" in line for line in file)
    if has_blank:
        path.unlink()
        triples = (quad.triple for quad in store.quads_for_pattern(None, None, None, name))
        return _hand_over_triples(triples, name, loader)
    loader.load(path, name)
    return []


def _hand_over_triples(triples: Iterable[ox.Triple], name: ox.NamedNode, loader: Loader) -> list[ox.Quad]:
    path, odd = loader.file(), []

    def plain() -> Iterator[ox.Triple]:
        for one in triples:
            if isinstance(one.subject, ox.BlankNode) or isinstance(one.object, ox.BlankNode):
                odd.append(ox.Quad(one.subject, one.predicate, one.object, name))
            else:
                yield one

    ox.serialize(plain(), str(path), format=ox.RdfFormat.N_TRIPLES)
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
