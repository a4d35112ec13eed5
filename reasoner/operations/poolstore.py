"""The dataset of an imported pool as a store on disk: what a query is asked of, opened in some milliseconds.

It holds the graphs of `reasoner.operations.dataset`, and in <game>/references what was read from the texts of the pool
with whom each reference selects. It lies in the cache, in a folder named by everything it was made from (see
`reasoner.knowledge.kept`), and is only read after that.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
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
from reasoner.operations.storeload import BLANK_NODES, PLAY_CASES, READ_TEXTS, Loader, work_ahead
from reasoner.parallel import seldom_collected
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
        small = open_base(self.library, self.game, self.as_of)  # kept for the other process as well
        tasks = (READ_TEXTS, PLAY_CASES) if self.read_texts is read_pool_texts else (PLAY_CASES,)
        with (
            seldom_collected(),
            work_ahead(tasks, self.library, self.game, self.as_of, self.pool) as ahead,
            Loader(folder / _STORE, scratch) as loader,
        ):
            cards, copies = graph(self.game, "cards"), graph(self.game, "pool")
            odd: list[ox.Quad] = []

            def told(store: ox.Store) -> None:
                odd.extend(quad for name in (cards, copies) for quad in _hand_over(store, name, loader))

            def derived(base: KnowledgeBase) -> None:
                odd.extend(quad for name in base.pool_graphs for quad in _hand_over(base.store, name, loader))

            base, index = build_index(self.library, self.game, self.as_of, self.pool, told, derived)
            self._write_small(base, index, odd, loader)
            base = index.base  # the facts of the cards are no longer needed, and take memory
            ahead.wait_for(READ_TEXTS)
            found = self.read_texts(base, index)
            path = loader.file()
            with path.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(reference_lines(index, found))
            loader.load(path, graph(self.game, "references"))
            ahead.wait_for(PLAY_CASES)
            plain = everything(small)
            self._write_cases(base, plain, loader)
        shutil.rmtree(scratch)
        _write_about(folder, base.vocabulary.prefixes.namespaces, plain[WRONG])

    def _write_small(self, base: KnowledgeBase, index: PoolIndex, odd: Iterable[ox.Quad], loader: Loader) -> None:
        """Let the vocabulary and the answers about printed references be loaded."""
        # Blank nodes get labels that follow from their graph, as in the dataset without a pool.
        blank = [*odd]
        for name in base.base[:-1]:
            blank += _hand_over(base.store, name, loader)
        answers = answer_triples(base, interpret_indexed(base, index))
        blank += _hand_over_triples(answers, base.pool_graphs[0], loader)
        path = loader.file().with_suffix(BLANK_NODES)
        ox.serialize(labelled(blank), str(path), format=ox.RdfFormat.N_QUADS)
        loader.load(path)

    def _write_cases(self, base: KnowledgeBase, plain: Mapping[str, bytes], loader: Loader) -> None:
        """Let the rules and cases be loaded: cases are about the cards of the library, and are those of it alone."""
        own = {str(name).encode() for name in (*base.base, graph(self.game, "pool"), *base.pool_graphs)}
        for name, suffix in ((NAMED, ".nq"), (BLANK, BLANK_NODES)):
            path = loader.file().with_suffix(suffix)
            with path.open("wb") as file:
                file.writelines(_in_both_graphs(plain[name], own))
            loader.load(path)


def _in_both_graphs(quads: bytes, own: Container[bytes]) -> Iterator[bytes]:
    """Yield the lines of N-Quads that are in named graphs other than the `own`, each for the default graph as well."""
    for line in quads.splitlines():
        rest = line.split(b" ", 2)[2]
        # Neither IRIs nor what follows the last quotation mark of a literal has spaces in it.
        value = rest[max(0, rest.rfind(b'"')) :].split(b" ")
        if len(value) == 3 and value[1] not in own:
            yield line + b"\n"
            yield line.removesuffix(value[1] + b" .") + b".\n"


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
