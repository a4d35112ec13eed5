"""What is known already, handed over to the process that loads it into a store on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyoxigraph as ox

from reasoner.operations.storeload import PIECE, Loader

_BLANK = b"_:"


class Handover:
    """Hands graphs over to `loader`, a part of a graph at a time. What has blank nodes is kept in `odd` instead."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._filling: dict[ox.NamedNode, Path] = {}
        self.odd: list[ox.Quad] = []

    def graphs(self, store: ox.Store, names: Sequence[ox.NamedNode]) -> None:
        """Hand over graphs of a store."""
        for name in names:
            path = self._filling.setdefault(name, self._loader.file())
            before = path.stat().st_size if path.exists() else 0
            with path.open("ab") as file:
                store.dump(file, format=ox.RdfFormat.N_TRIPLES, from_graph=name)
            if _has_blank(path, before):
                with path.open("r+b") as file:
                    file.truncate(before)
                self.triples((quad.triple for quad in store.quads_for_pattern(None, None, None, name)), name)
            self._pass_on(name, PIECE)

    def triples(self, triples: Iterable[ox.Triple], name: ox.NamedNode) -> None:
        """Hand over triples of the graph `name`."""

        def plain() -> Iterator[ox.Triple]:
            for one in triples:
                if isinstance(one.subject, ox.BlankNode) or isinstance(one.object, ox.BlankNode):
                    self.odd.append(ox.Quad(one.subject, one.predicate, one.object, name))
                else:
                    yield one

        with self._filling.setdefault(name, self._loader.file()).open("ab") as file:
            ox.serialize(plain(), file, format=ox.RdfFormat.N_TRIPLES)
        self._pass_on(name, PIECE)

    def finish(self) -> None:
        """Hand over what is left."""
        for name in list(self._filling):
            self._pass_on(name, 0)

    def _pass_on(self, name: ox.NamedNode, least: int) -> None:
        if name in self._filling and self._filling[name].stat().st_size >= least:
            self._loader.load(self._filling.pop(name), name)


def _has_blank(path: Path, start: int) -> bool:
    with path.open("rb") as file:
        file.seek(start)
        return any(_BLANK in line for line in file)
