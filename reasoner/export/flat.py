r"""An interaction graph as flat data: every attribute is a text, a whole number, a number or a boolean.

Graph formats know no lists, no missing values, and one type per attribute. So:

* A list becomes one text, its items joined with `|`. In an item, `\` is written `\\` and `|` is written `\|`;
  an item without text is written `\e`. `split_list` undoes it. The graph attributes `node_lists` and
  `edge_lists`, lists themselves, say which attributes are lists.
* `label`, `kind` and `iri` of a node and all fields of an edge are always there; an empty text means "none".
  Of a card's other attributes those without a value (an empty text or list) are left out.
* An attribute has one type throughout: a list if any node has a list there; whole numbers beside other numbers
  become numbers; any other mixture becomes text (`true` and `false` for booleans), and so do infinities and
  whole numbers of more than 64 bits, which the formats do not have.
* An attribute whose name means something to a format (`id`, `label`, `start`…) gets `_` at its end.

Keys of edges do not depend on answers, so one edge has one key in every edition; they are fit for XML ids.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from reasoner.export.model import Attribute, Edge, InteractionGraph
from reasoner.export.text import encodable, legal

Scalar: TypeAlias = str | int | float | bool
Type: TypeAlias = Literal["string", "long", "double", "boolean", "list"]

NODE_FIELDS = ("label", "kind", "iri")
EDGE_FIELDS = ("relation", "answer", "when", "rules", "sources", "editions", "reference", "wording")
EDGE_LISTS = ("when", "rules", "sources", "editions")

# Names with a meaning of their own in node-link JSON, GEXF or the tools that read them.
_TAKEN = frozenset({*NODE_FIELDS, "end", "for", "id", "parents", "pid", "slices", "spells", "start", "viz"})
_LARGEST = 2**63
_ESCAPED = re.compile(r"\\([\\|e])|(\|)")


@dataclass(frozen=True)
class FlatNode:
    """A node with its attributes, in the order of the columns."""

    id: str
    attributes: dict[str, Scalar]


@dataclass(frozen=True)
class FlatEdge:
    """An edge with its key and attributes, in the order of EDGE_FIELDS."""

    source: str
    target: str
    key: str
    attributes: dict[str, str]


@dataclass(frozen=True)
class FlatGraph:
    """Flat nodes and edges; `columns` gives each node attribute its type, `attributes` are the graph's own."""

    attributes: dict[str, str]
    columns: dict[str, Type]
    nodes: tuple[FlatNode, ...]
    edges: tuple[FlatEdge, ...]


def flatten(graph: InteractionGraph) -> FlatGraph:
    """Return `graph` as flat data, in its own order."""
    names = _column_names({name for node in graph.nodes for name in node.attributes})
    given: dict[str, list[Attribute]] = {name: [] for name in names}
    for node in graph.nodes:
        for name, value in node.attributes.items():
            if value not in ("", ()):
                given[name].append(value)
    types = {name: _common_type(values) for name, values in given.items() if values}
    nodes = []
    for node in graph.nodes:
        flat: dict[str, Scalar] = {"label": encodable(node.label), "kind": node.kind, "iri": node.iri}
        for name, kind in types.items():
            value = node.attributes.get(name, "")
            if value not in ("", ()):
                flat[names[name]] = _as_type(value, kind)
        nodes.append(FlatNode(node.id, flat))
    columns: dict[str, Type] = dict.fromkeys(NODE_FIELDS, "string")
    columns |= {names[name]: kind for name, kind in types.items()}
    lists = [name for name, kind in columns.items() if kind == "list"]
    attributes = {
        "game": encodable(graph.game),
        "as_of": encodable(graph.as_of),
        "node_lists": join_list(lists),
        "edge_lists": join_list(EDGE_LISTS),
    }
    return FlatGraph(attributes, columns, tuple(nodes), tuple(_flat_edges(graph.edges)))


def join_list(items: Iterable[str]) -> str:
    r"""Return `items` as one text: joined with `|`, escaped so that `split_list` gives them back."""
    return "|".join(item.replace("\\", "\\\\").replace("|", "\\|") or "\\e" for item in items)


def split_list(text: str) -> tuple[str, ...]:
    """Return the items that `join_list` joined."""
    if not text:
        return ()
    items = [""]
    end = 0
    for found in _ESCAPED.finditer(text):
        items[-1] += text[end : found.start()]
        end = found.end()
        if found[2]:
            items.append("")
        elif found[1] != "e":
            items[-1] += found[1]
    items[-1] += text[end:]
    return tuple(items)


def written(value: Scalar) -> str:
    """Return `value` as XML Schema, CSV and DOT write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def edge_keys(edges: Iterable[Edge]) -> Iterator[str]:
    """Yield the key of each edge: short, unique in the graph, the same in every run and edition."""
    seen: dict[str, int] = {}
    for edge in edges:
        identity = "\n".join((edge.source, edge.target, edge.relation, edge.reference or ""))
        key = "e" + hashlib.sha256(identity.encode()).hexdigest()[:16]
        seen[key] = seen.get(key, 0) + 1
        yield key if seen[key] == 1 else f"{key}-{seen[key]}"


def _flat_edges(edges: tuple[Edge, ...]) -> Iterator[FlatEdge]:
    for edge, key in zip(edges, edge_keys(edges), strict=True):
        flat = {
            "relation": edge.relation,
            "answer": edge.answer,
            "when": join_list(edge.when),
            "rules": join_list(edge.rules),
            "sources": join_list(edge.sources),
            "editions": join_list(edge.editions),
            "reference": edge.reference or "",
            "wording": edge.wording or "",
        }
        yield FlatEdge(edge.source, edge.target, key, {name: encodable(text) for name, text in flat.items()})


def _column_names(names: Iterable[str]) -> dict[str, str]:
    """Return the name of the column for each name of an attribute; no two get the same."""
    result: dict[str, str] = {}
    taken = set(_TAKEN)
    for name in sorted(names):
        column = legal(name) or "_"
        while column in taken:
            column += "_"
        taken.add(column)
        result[name] = column
    return result


def _common_type(values: Iterable[Attribute]) -> Type:
    types = {_type(value) for value in values}
    if len(types) == 1:
        return types.pop()
    if "list" in types:
        return "list"
    return "double" if types == {"long", "double"} else "string"


def _type(value: Attribute) -> Type:
    if isinstance(value, tuple):
        return "list"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "long" if -_LARGEST <= value < _LARGEST else "string"
    if isinstance(value, float):
        return "double" if math.isfinite(value) else "string"
    return "string"


def _as_type(value: Attribute, kind: Type) -> Scalar:
    if kind == "list":
        return encodable(join_list(value if isinstance(value, tuple) else (written(value),)))
    assert not isinstance(value, tuple)  # a list anywhere makes the column a list
    if kind == "string":
        return encodable(written(value))
    return float(value) if kind == "double" else value
