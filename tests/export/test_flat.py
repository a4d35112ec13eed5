"""Flat data loses nothing: lists come apart again, types agree, and networkx gets every node and edge."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given

from reasoner.export import Edge, InteractionGraph, Node, join_list, split_list, to_networkx
from reasoner.export.flat import edge_keys, flatten
from reasoner.export.model import Attribute

from .graphs import CARD, graphs, lists, sample, without_surrogates


@given(lists)
def test_lists_come_apart_again(items: tuple[str, ...]) -> None:
    assert split_list(join_list(items)) == items


def test_lists_without_special_characters_are_easy_to_read() -> None:
    assert join_list(["Fighter", "Knight"]) == "Fighter|Knight"
    assert [join_list(items) for items in ([], [""], ["", ""])] == ["", "\\e", "\\e|\\e"]


def cards(*values: Attribute | None) -> InteractionGraph:
    """A graph whose cards have these values for one attribute."""
    nodes = [
        Node(f"toyc:c{index}", CARD + str(index), "card", "", {} if value is None else {"x": value})
        for index, value in enumerate(values)
    ]
    return InteractionGraph("toy", "", tuple(nodes), ())


@pytest.mark.parametrize(
    ("given_values", "kind", "expected"),
    [
        ([1, 2], "long", [1, 2]),
        ([1, 2.5], "double", [1.0, 2.5]),
        ([True, False], "boolean", [True, False]),
        ([True, 1], "string", ["true", "1"]),
        ([1, "*"], "string", ["1", "*"]),
        ([("a", "b|"), "c", 4], "list", ["a|b\\|", "c", "4"]),
        ([float("inf"), 1.0], "string", ["inf", "1.0"]),
        ([2**63, 1], "string", ["9223372036854775808", "1"]),
        ([2**63 - 1], "long", [2**63 - 1]),
        ([None, "", (), 3], "long", [None, None, None, 3]),
        ([0, False], "string", ["0", "false"]),
    ],
)
def test_an_attribute_has_one_type(given_values: list[Attribute | None], kind: str, expected: list[object]) -> None:
    flat = flatten(cards(*given_values))
    found = [node.attributes.get("x") for node in flat.nodes]
    assert flat.columns["x"] == kind
    assert found == expected
    assert [type(value) for value in found] == [type(value) for value in expected]


def test_an_attribute_that_no_card_has_a_value_for_is_no_column() -> None:
    assert list(flatten(cards("", ())).columns) == ["label", "kind", "iri"]


def test_names_that_mean_something_to_a_format_are_changed_without_clash() -> None:
    node = Node(
        "toyc:a", CARD + "a", "card", "A", {"label": "1", "label_": "2", "id": "3", "\x00": "4", "\x01": "5", "": "6"}
    )
    [flat] = flatten(InteractionGraph("toy", "", (node,), ())).nodes
    own = {name: value for name, value in flat.attributes.items() if name not in ("kind", "iri")}
    assert own == {"label": "A", "label_": "1", "label__": "2", "id_": "3", "\ufffd": "4", "\ufffd_": "5", "_": "6"}


@given(graphs())
def test_networkx_gets_every_node_and_edge_and_no_other(graph: InteractionGraph) -> None:
    result = to_networkx(graph)
    nodes = {name: (data["iri"], data["kind"], data["label"]) for name, data in result.nodes(data=True)}
    assert nodes == {node.id: (node.iri, node.kind, without_surrogates(node.label)) for node in graph.nodes}
    assert list(nodes) == [node.id for node in graph.nodes]
    found = [
        (source, target, *(data[name] for name in plain), *(split_list(data[name]) for name in basis))
        for source, target, data in result.edges(data=True)
    ]
    expected = [
        (
            *(edge.source, edge.target, edge.relation, edge.answer, edge.reference or ""),
            *(without_surrogates(edge.wording or ""), *(clean(getattr(edge, name)) for name in basis)),
        )
        for edge in graph.edges
    ]
    assert sorted(found) == sorted(expected)
    everything = [
        result.graph,
        *(data for _, data in result.nodes(data=True)),
        *(data for *_, data in result.edges(data=True)),
    ]
    assert {type(value) for data in everything for value in data.values()} <= {str, int, float, bool}


plain = ("relation", "answer", "reference", "wording")
basis = ("when", "rules", "sources", "editions")


def clean(items: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(without_surrogates(item) for item in items)


@given(graphs())
def test_the_attributes_of_cards_come_back(graph: InteractionGraph) -> None:
    result = to_networkx(graph)
    assert list(flatten(graph).columns)[:3] == ["label", "kind", "iri"]
    for node in graph.nodes:
        own = [value for value in node.attributes.values() if value not in ("", ())]
        assert len(result.nodes[node.id]) == 3 + len(own)


def test_lists_are_named() -> None:
    result = to_networkx(sample())
    assert split_list(result.graph["node_lists"]) == ("caste",)
    assert split_list(result.graph["edge_lists"]) == ("when", "rules", "sources", "editions")
    assert split_list(result.nodes["toyc:rion"]["caste"]) == ("Fighter", "a|b")
    assert result.nodes["toyc:mirror"]["caste"] == "Thing"
    assert (result.graph["game"], result.graph["as_of"]) == ("toy", "2012-05-01")


def test_the_key_of_an_edge_depends_on_its_ends_relation_and_reference_alone() -> None:
    edges = sample().edges
    assert len(set(edge_keys(edges))) == len(edges)
    other = [dataclasses.replace(edge, answer="unsettled", rules=("toy:Z",), wording="other") for edge in edges]
    assert list(edge_keys(other)) == list(edge_keys(edges))
    assert list(edge_keys([Edge("toyc:a", "toyc:b", "core:requires")])) == ["e2e9f6abf56f7c969"]


def test_edges_that_differ_in_their_answer_alone_get_different_keys() -> None:
    two = [Edge("toyc:c0", "toyc:c0", "core:requires", answer) for answer in ("yes", "when")]
    first, second = edge_keys(two)
    assert second == f"{first}-2"


def test_edges_of_different_references_get_keys_of_their_own() -> None:
    two = [Edge("toyc:c0", "toyc:c0", "core:requires", reference=name) for name in ("toyc:r0", "toyc:r1")]
    assert list(edge_keys(two)) == [key for edge in two for key in edge_keys([edge])]


def test_networkx_is_not_imported_before_it_is_needed(root: Path, environment: dict[str, str]) -> None:
    code = "import sys, reasoner.export; sys.exit('networkx' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, cwd=root)
