"""What was written comes back: whole sets of nodes and edges, compared both ways with the graph that went in."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import example, given

from reasoner.export import InteractionGraph, Node, to_networkx
from reasoner.export.flat import flatten, written

from .graphs import cleaned, graphs, mapped, sample, text

# Nodes by id, and edges by key with source, target and attributes.
Read: TypeAlias = tuple[dict[str, dict[str, Any]], dict[str, tuple[str, str, dict[str, Any]]]]


def parts(graph: Any) -> Read:
    """The nodes and edges of a networkx multigraph."""
    edges = {key: (source, target, data) for source, target, key, data in graph.edges(keys=True, data=True)}
    assert len(edges) == graph.number_of_edges()
    return dict(graph.nodes(data=True)), edges


def expected(graph: InteractionGraph, change: Callable[[Any], Any] = cleaned) -> Read:
    """What a format has to give back, with every value changed as that format has to."""
    nodes, edges = parts(to_networkx(graph))
    return (
        {name: mapped(data, change) for name, data in nodes.items()},
        {key: (source, target, mapped(data, change)) for key, (source, target, data) in edges.items()},
    )


def as_text(value: Any) -> str:
    return str(cleaned(written(value)))


def from_graphml(graph: InteractionGraph) -> Read:
    read = nx.parse_graphml(text(graph, "graphml"), force_multigraph=True)
    about = {name: value for name, value in read.graph.items() if name not in ("node_default", "edge_default")}
    assert about == mapped(to_networkx(graph).graph)
    return parts(read)


def from_gexf(graph: InteractionGraph) -> Read:
    read = nx.read_gexf(io.BytesIO(text(graph, "gexf").encode()))
    edges = {}
    for source, target, data in read.edges(data=True):
        assert data.pop("label") == data["relation"]
        edges[data.pop("id")] = (source, target, data)
    assert len(edges) == read.number_of_edges()
    return dict(read.nodes(data=True)), edges


@pytest.mark.parametrize("read", [from_graphml, from_gexf])
@given(graph=graphs())
@example(graph=sample())
def test_xml(read: Callable[[InteractionGraph], Read], graph: InteractionGraph) -> None:
    assert read(graph) == expected(graph)


@pytest.mark.parametrize("read", [from_graphml, from_gexf])
def test_types_come_back_as_well(read: Callable[[InteractionGraph], Read]) -> None:
    nodes, _ = read(sample())
    rion = nodes["toyc:rion"]
    assert (rion["level"], rion["invented"]) == (3, True)
    assert (type(rion["level"]), type(rion["invented"])) == (int, bool)
    assert nodes["toyc:mirror"]["weight"] == 0.5
    assert nodes["toyc:lute"]["start_"] == "later"


@pytest.mark.parametrize("format", ["graphml", "gexf"])
def test_ids_in_xml_are_unique_and_declared(format: str) -> None:  # noqa: A002
    root = ElementTree.fromstring(text(sample(), format))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids)) > len(sample().nodes) + len(sample().edges)
    declared = {element.get("id") for element in root.iter() if element.tag.endswith(("}key", "}attribute"))}
    used = {element.get("key") for element in root.iter() if element.tag.endswith("}data")}
    used |= {element.get("for") for element in root.iter() if element.tag.endswith("}attvalue")}
    assert used == declared


def test_gexf_does_not_tell_the_day_of_writing() -> None:
    assert "lastmodified" not in text(sample(), "gexf")


@given(graphs())
@example(sample())
def test_node_link_json_gives_the_graph_of_to_networkx(graph: InteractionGraph) -> None:
    read = nx.node_link_graph(json.loads(text(graph, "json"), parse_constant=pytest.fail), edges="edges")
    assert isinstance(read, nx.MultiDiGraph)
    assert parts(read) == expected(graph, lambda value: value)
    assert read.graph == to_networkx(graph).graph
    assert list(read.nodes) == [node.id for node in graph.nodes]


@given(graphs())
@example(sample())
def test_csv(graph: InteractionGraph) -> None:
    node_rows = list(csv.DictReader(io.StringIO(text(graph, "csv", "-nodes"), newline="")))
    edge_rows = list(csv.DictReader(io.StringIO(text(graph, "csv"), newline="")))
    nodes = {row.pop("id"): dict.fromkeys(("label", "kind", "iri"), "") | without_empty(row) for row in node_rows}
    edges = {row.pop("key"): (row.pop("source"), row.pop("target"), row) for row in edge_rows}
    assert (len(nodes), len(edges)) == (len(node_rows), len(edge_rows))
    assert (nodes, edges) == expected(graph, as_text)


def without_empty(row: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in row.items() if value}


def test_csv_has_its_header_even_without_rows() -> None:
    empty = InteractionGraph("toy", "", (), ())
    assert text(empty, "csv").startswith("key,source,target,relation,answer,")
    assert text(empty, "csv", "-nodes") == "id,label,kind,iri\r\n"


_TOKEN = re.compile(r'\s*(?:"((?:\\.|[^"\\])*)"|(->|[\[\]{};=,])|([A-Za-z_]\w*))', re.DOTALL)
_LINE_ENDS = {"n": "\n", "r": "\r"}


def tokens(dot: str) -> Iterator[str]:
    """The tokens of a DOT file: quoted texts start with a quote, which tells them from words and signs."""
    end = 0
    dot = dot.rstrip()
    while end < len(dot):
        found = _TOKEN.match(dot, end)
        assert found, dot[end : end + 40]
        end = found.end()
        if found[1] is None:
            yield found[2] or found[3]
        else:
            yield '"' + re.sub(r"\\(.)", lambda escape: _LINE_ENDS.get(escape[1], escape[1]), found[1], flags=re.DOTALL)


def from_dot(graph: InteractionGraph) -> Read:
    """Read the statements `"node" [...]`, `"a" -> "b" [...]` and `graph [...]`; each word before `[` belongs to it."""
    nodes, edges, head = {}, {}, list[str]()
    stream = tokens(text(graph, "dot"))
    opening = [next(stream) for _ in range(3)]
    assert opening == ["digraph", f'"{graph.game}', "{"]
    for token in stream:
        if token == "[":
            data = attributes(stream)
            if "->" in head:
                source, _, target = head
                edges[data.pop("key")] = (source[1:], target[1:], data)
            elif head == ["graph"]:
                assert data == mapped(to_networkx(graph).graph)
            else:
                nodes[head[0][1:]] = data
            head = []
        elif token not in (";", "}"):
            head.append(token)
    assert head == []
    return nodes, edges


def attributes(stream: Iterator[str]) -> dict[str, str]:
    """The attributes up to the closing bracket."""
    found = {}
    for name in stream:
        if name == "]":
            break
        if name != ",":
            assert next(stream) == "="
            assert name not in found
            found[name] = next(stream)[1:]
    return found


@given(graphs())
@example(sample())
def test_dot(graph: InteractionGraph) -> None:
    statements = len(graph.nodes) + len(graph.edges) + 3
    assert (text(graph, "dot").count("\n"), text(graph, "dot").count("\r")) == (statements, 0)
    nodes, edges = from_dot(graph)
    for data in nodes.values():
        data["label"] = data["label"].replace("&amp;", "&")  # Graphviz reads references to characters in labels
        assert data.pop("shape") == {"card": "box", "reference": "ellipse"}[data["kind"]]
    for _, _, data in edges.values():
        assert data.pop("label") == data["relation"]
        assert data.pop("style") == {"yes": "solid", "when": "dashed"}.get(data["answer"], "dotted")
    all_nodes, all_edges = expected(graph, as_text)
    drawn = {name: {field: data[field] for field in ("label", "kind", "iri")} for name, data in all_nodes.items()}
    assert (nodes, edges) == (drawn, all_edges)


def test_dot_shows_what_looks_like_a_character_reference_as_it_is() -> None:
    card = Node("toyc:a", "https://example.org/a", "card", "A &lt; B & C")
    assert '[label="A &amp;lt; B & C", ' in text(InteractionGraph("toy", "", (card,), ()), "dot")


def test_the_strategy_reaches_what_it_is_meant_to() -> None:
    assert flatten(sample()).columns["caste"] == "list"
    multi = to_networkx(sample())
    assert multi.number_of_edges("toyc:lute", "toyc:rion") == 2
    assert nx.number_of_selfloops(multi) == 1
