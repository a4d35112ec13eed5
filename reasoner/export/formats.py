"""The formats an interaction graph can be written in, and writing it to a file.

The suffix of the file names the format:

    .graphml  GraphML                         .gexf  GEXF, for Gephi
    .json     node-link JSON (networkx, D3)   .csv   edges; the nodes are beside it, in <name>-nodes.csv
    .dot      Graphviz                        .ttl   RDF in Turtle
    .html     one page for a browser: tables and a drawing, without network access
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from reasoner.errors import UseError, close_to
from reasoner.export.atomic import write_all
from reasoner.export.dot import dot
from reasoner.export.model import InteractionGraph
from reasoner.export.page import page
from reasoner.export.tables import edge_table, node_link, node_table
from reasoner.export.turtle import turtle
from reasoner.export.xmlgraph import gexf, graphml

Writer: TypeAlias = Callable[[InteractionGraph], Iterator[str]]

# Format -> what is added to the name of the file before its suffix -> what goes into that file.
_WRITERS: dict[str, dict[str, Writer]] = {
    "graphml": {"": graphml},
    "gexf": {"": gexf},
    "json": {"": node_link},
    "csv": {"": edge_table, "-nodes": node_table},
    "dot": {"": dot},
    "ttl": {"": turtle},
    "html": {"": page},
}

FORMATS: tuple[str, ...] = tuple(_WRITERS)


def render(graph: InteractionGraph, format: str) -> dict[str, Iterator[str]]:  # noqa: A002
    """Return the pieces of text of each file: under "" the file itself, under "-nodes" the one beside it.

    Raises:
        UseError: U201 if there is no such format.
    """
    return {ending: writer(graph) for ending, writer in _WRITERS[_known(format, format)].items()}


def write(
    graph: InteractionGraph,
    path: Path | str,
    format: str | None = None,  # noqa: A002
) -> tuple[Path, ...]:
    """Write `graph` to `path` and return the paths written, `path` first; without `format`, the suffix decides.

    The same graph gives the same bytes. A file is replaced only when all that belongs to it has been written.

    Raises:
        UseError: U201 if there is no such format; U202 to U204 if the file cannot be written; U206 if Turtle
            cannot hold an IRI.
        OntologyError: O104 if Turtle needs a prefix that nobody declared.
    """
    path = Path(path)
    chosen = _known(path.suffix if format is None else format, str(path))
    files = {_with_ending(path, ending): pieces for ending, pieces in render(graph, chosen).items()}
    write_all(files)
    return tuple(files)


def _known(name: str, asked: str) -> str:
    plain = name.removeprefix(".").lower()
    if plain not in _WRITERS:
        raise UseError(
            "U201",
            f"unknown format of a graph: '{plain}'" if plain else f"no format: '{asked}' has no suffix",
            suggestions=close_to(plain, FORMATS),
            hint=f"formats here: {', '.join(FORMATS)}",
        )
    return plain


def _with_ending(path: Path, ending: str) -> Path:
    return path.with_name(path.stem + ending + path.suffix) if ending else path
