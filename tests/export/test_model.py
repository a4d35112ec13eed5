"""Graphs are checked and put into canonical order when they are made."""

from __future__ import annotations

import dataclasses
import pickle

import pytest

from reasoner.errors import UseError
from reasoner.export import Edge, InteractionGraph, Node

from .graphs import CARD, sample

A = Node("toyc:a", CARD + "a", "card", "A")
R = Node("toyc:r", CARD + "r", "reference", "R")


def test_the_order_given_does_not_matter_and_repetition_neither() -> None:
    graph = sample()
    again = InteractionGraph("toy", graph.as_of, graph.nodes[::-1] * 2, graph.edges[::-1] * 2)
    assert again == graph
    assert [node.id for node in again.nodes] == sorted(node.id for node in graph.nodes)


def test_edges_that_differ_in_nothing_but_an_absent_text_have_an_order() -> None:
    edges = [Edge(A.id, A.id, f"toy:r{index}", wording=wording) for index in range(20) for wording in ("", None)]
    graph = InteractionGraph("toy", "", (A,), tuple(edges))
    assert [edge.wording for edge in graph.edges] == [None, ""] * 20


def test_values_are_frozen_hashable_and_can_be_pickled() -> None:
    graph = sample()
    assert pickle.loads(pickle.dumps(graph)) == graph
    assert len({graph, sample()}) == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        graph.game = "other"  # type: ignore[misc]


def test_a_later_change_of_the_attributes_given_changes_no_node() -> None:
    given = {"level": 1}
    node = Node("toyc:a", CARD + "a", "card", "A", given)
    given["level"] = 2
    assert node.attributes == {"level": 1}


@pytest.mark.parametrize(
    "name", ["", "noprefix", ":a", "toyc:", "toyc:a b", "toyc:<a>", 'toyc:"', "toyc:a\n", "toyc:\ud800"]
)
def test_an_id_is_a_curie(name: str) -> None:
    with pytest.raises(UseError, match="prefix:name") as caught:
        Node(name, CARD + "a", "card", "A")
    assert caught.value.code == "U206"


@pytest.mark.parametrize("iri", ["", "a", "https:", "https://example.org/a b", "https://example.org/<"])
def test_an_iri_is_absolute(iri: str) -> None:
    with pytest.raises(UseError, match="absolute IRI"):
        Node("toyc:a", iri, "card", "A")


def test_kinds_and_answers_are_suggested() -> None:
    with pytest.raises(UseError, match="did you mean 'card'"):
        Node("toyc:a", CARD + "a", "cards", "A")  # type: ignore[arg-type]
    with pytest.raises(UseError, match="did you mean 'unsettled'"):
        Edge("toyc:a", "toyc:a", "core:requires", "unsetled")  # type: ignore[arg-type]


def test_two_nodes_with_one_id() -> None:
    with pytest.raises(UseError, match="two different nodes have the id 'toyc:a'") as caught:
        InteractionGraph("toy", "", (A, dataclasses.replace(A, label="B")), ())
    assert caught.value.code == "U206"


def test_an_edge_to_nowhere() -> None:
    with pytest.raises(UseError, match=r"(?s)there is no node 'toyc:aa'.*did you mean 'toyc:a'") as caught:
        InteractionGraph("toy", "", (A, R), (Edge("toyc:a", "toyc:aa", "core:requires"),))
    assert caught.value.code == "U207"


@pytest.mark.parametrize(
    ("source", "target", "relation"),
    [(A, R, "core:requires"), (A, A, "core:matches"), (R, R, "core:matches"), (R, A, "core:refersBy")],
)
def test_an_edge_of_the_wrong_kind(source: Node, target: Node, relation: str) -> None:
    with pytest.raises(UseError, match=f"{relation} goes from a") as caught:
        InteractionGraph("toy", "", (A, R), (Edge(source.id, target.id, relation),))
    assert caught.value.code == "U207"
