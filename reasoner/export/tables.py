"""Node-link JSON, which keeps every character but lone surrogates, and CSV, which keeps those that XML keeps too."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator

from reasoner.export.flat import EDGE_FIELDS, flatten, written
from reasoner.export.model import InteractionGraph
from reasoner.export.text import legal


def node_link(graph: InteractionGraph) -> Iterator[str]:
    """Yield `graph` as node-link JSON: `networkx.node_link_graph(json.load(file), edges="edges")` reads it.

    What that gives equals `to_networkx(graph)`; lists are joined there as well (see reasoner.export.flat).
    """
    flat = flatten(graph)
    head = json.dumps(flat.attributes, ensure_ascii=False)
    yield f'{{\n"directed": true,\n"multigraph": true,\n"graph": {head},\n"nodes": ['
    yield from _lines({**node.attributes, "id": node.id} for node in flat.nodes)
    yield '],\n"edges": ['
    yield from _lines(
        {**edge.attributes, "source": edge.source, "target": edge.target, "key": edge.key} for edge in flat.edges
    )
    yield "]\n}\n"


def edge_table(graph: InteractionGraph) -> Iterator[str]:
    """Yield the edges of `graph` as CSV (RFC 4180): key, source and target, then what every edge has."""
    yield from _csv(["key", "source", "target", *EDGE_FIELDS], _edge_rows(graph))


def node_table(graph: InteractionGraph) -> Iterator[str]:
    """Yield the nodes of `graph` as CSV (RFC 4180): id, then every attribute; an empty cell is no value."""
    flat = flatten(graph)
    rows = ([node.id, *(written(node.attributes.get(name, "")) for name in flat.columns)] for node in flat.nodes)
    yield from _csv(["id", *flat.columns], rows)


def _edge_rows(graph: InteractionGraph) -> Iterator[list[str]]:
    for edge in flatten(graph).edges:
        yield [edge.key, edge.source, edge.target, *edge.attributes.values()]


def _lines(items: Iterable[object]) -> Iterator[str]:
    """Yield the items of a JSON array, one on each line, so that files can be compared line by line."""
    separator = "\n"
    for item in items:
        yield separator + json.dumps(item, ensure_ascii=False, allow_nan=False)
        separator = ",\n"
    if separator != "\n":
        yield "\n"


class _Pieces(list[str]):
    """What csv.writer writes to: a list of the rows, as text."""

    def write(self, text: str) -> None:
        self.append(text)


def _csv(header: list[str], rows: Iterable[list[str]]) -> Iterator[str]:
    pieces = _Pieces()
    writer = csv.writer(pieces)  # lines end in CR LF, as the RFC says; so both get quoted inside a cell
    writer.writerow(header)
    for row in rows:
        writer.writerow(map(legal, row))
        yield from pieces
        pieces.clear()
    yield from pieces
