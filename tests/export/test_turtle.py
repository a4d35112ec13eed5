"""The Turtle export: read with rdflib, it holds every card, reference, relation, answer and rule, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib
from hypothesis import example, given
from rdflib import RDF, RDFS, URIRef
from rdflib.namespace import DCTERMS, OWL, PROV

from reasoner.errors import CardloreError
from reasoner.export import Edge, InteractionGraph, Node
from reasoner.export.model import MATCHES, REFERS_BY

from .graphs import CARD, graphs, sample, text, without_surrogates

BASE = "https://w3id.org/cardlore/"
CORE = rdflib.Namespace(BASE + "term/")
TOY = BASE + "game/toy/"


def iri(name: str) -> str:
    """The IRI of a node or relation in the graphs of these tests."""
    prefix, _, local = name.partition(":")
    return {"toyc": CARD, "toy": TOY + "term/", "core": BASE + "term/"}[prefix] + local


def rule(name: str) -> str:
    prefix, _, local = name.partition(":")
    return (BASE if prefix == "core" else TOY) + "rule/" + local


def source(name: str) -> str:
    return TOY + "source/" + name[5:] if name.startswith("toys:") else without_surrogates(name)


def basis(edge: Edge) -> tuple[object, ...]:
    return (
        edge.answer,
        frozenset(map(without_surrogates, edge.when)),
        frozenset(map(rule, edge.rules)),
        frozenset(map(source, edge.sources)),
        frozenset(map(without_surrogates, edge.editions)),
    )


def read(graph: InteractionGraph) -> rdflib.Graph:
    return rdflib.Graph().parse(data=text(graph, "ttl"), format="turtle")


def value(data: rdflib.Graph, subject: rdflib.term.Node, predicate: URIRef) -> str | None:
    found = data.value(subject, predicate, any=False)
    return None if found is None else str(found)


def answers(data: rdflib.Graph) -> dict[rdflib.term.Node, tuple[object, ...]]:
    """Every answer: its reference, its referent, and what it rests on."""
    result: dict[rdflib.term.Node, tuple[object, ...]] = {}
    for answer in data.subjects(RDF.type, CORE.Answer):
        many = [
            frozenset(map(str, data.objects(answer, predicate)))
            for predicate in (CORE.underCondition, CORE.decidedBy, DCTERMS.source, OWL.versionInfo)
        ]
        verdict = str(value(data, answer, CORE.verdict)).removeprefix(CORE).lower().replace("novalue", "no-value")
        result[answer] = (value(data, answer, CORE.ofReference), value(data, answer, CORE.toReferent), verdict, *many)
    return result


@given(graphs())
@example(sample())
def test_nodes(graph: InteractionGraph) -> None:
    data = read(graph)
    for kind, term in (("card", CORE.Card), ("reference", CORE.Reference)):
        found = {(str(node), value(data, node, RDFS.label)) for node in data.subjects(RDF.type, term)}
        assert found == {(n.iri, without_surrogates(n.label)) for n in graph.nodes if n.kind == kind}


@given(graphs())
@example(sample())
def test_answers_and_statements(graph: InteractionGraph) -> None:
    data = read(graph)
    given_answers = answers(data)
    statements = {
        (*(value(data, node, part) for part in (RDF.subject, RDF.predicate, RDF.object)), *given_answers[answer])
        for node in data.subjects(RDF.type, RDF.Statement)
        for answer in data.objects(node, PROV.wasDerivedFrom)
    }
    about = {
        edge: (
            iri(reference) if (reference := edge.of_reference()) else None,
            None if edge.relation == REFERS_BY else iri(edge.target),
            *basis(edge),
        )
        for edge in graph.edges
        if edge.relation != REFERS_BY or basis(edge) != basis(Edge("a:a", "a:a", REFERS_BY))
    }
    assert set(given_answers.values()) == set(about.values())
    assert len(given_answers) <= len(about)
    relations = {
        (iri(edge.source), iri(edge.relation), iri(edge.target), *answer)
        for edge, answer in about.items()
        if edge.relation != MATCHES
    }
    assert statements == relations


@given(graphs())
@example(sample())
def test_only_what_is_so_is_asserted(graph: InteractionGraph) -> None:
    data = read(graph)
    nodes = {URIRef(node.iri) for node in graph.nodes}
    found = {tuple(map(str, triple)) for triple in data if triple[0] in nodes and triple[2] in nodes}
    sure = {(iri(e.source), iri(e.relation), iri(e.target)) for e in graph.edges if e.answer == "yes"}
    matches = [edge for edge in graph.edges if edge.relation == MATCHES and edge.answer in ("yes", "when")]
    assert found == sure | {(iri(edge.source), CORE + "mayMatch", iri(edge.target)) for edge in matches}


@given(graphs())
@example(sample())
def test_wordings_and_relations_of_references(graph: InteractionGraph) -> None:
    data = read(graph)
    worded = {(e.of_reference(), without_surrogates(e.wording or "")) for e in graph.edges if e.wording}
    found = {(str(subject), str(wording)) for subject, wording in data.subject_objects(CORE.hasWording)}
    assert found == {(iri(reference), wording) for reference, wording in worded if reference}
    assert {str(comment) for comment in data.objects(None, RDFS.comment)} == {
        wording for reference, wording in worded if not reference
    }
    related = {(str(subject), str(relation)) for subject, relation in data.subject_objects(CORE.hasRelation)}
    between = [e for e in graph.edges if e.relation not in (MATCHES, REFERS_BY)]
    assert related == {(iri(e.reference), iri(e.relation)) for e in between if e.reference}


def test_a_relation_and_its_match_share_their_answer() -> None:
    data = read(sample())
    assert len(set(data.subjects(CORE.ofReference, URIRef(CARD + "mirror/a1/r1")))) == 5  # two cards refer, 3 matches


def test_the_graph_says_what_it_is_of() -> None:
    data = read(sample())
    assert [str(title) for title in data.objects(None, DCTERMS.title)] == ["toy"]
    assert [str(date) for date in data.objects(None, DCTERMS.valid)] == ["2012-05-01"]


def test_prefixes_are_sorted_and_used() -> None:
    lines = text(sample(), "ttl").splitlines()
    prefixes = [line for line in lines if line.startswith("@prefix")]
    assert prefixes == sorted(prefixes) == lines[: len(prefixes)]
    assert "\ttoy:burns toyc:rion ." in lines
    assert "\tcore:decidedBy toyr:B , toyr:G ;" in lines
    assert "\tcore:decidedBy corer:printed-type ." in lines


def test_a_graph_may_bring_prefixes() -> None:
    a = Node("x:a", "https://example.org/a", "card", "A")
    graph = InteractionGraph("toy", "", (a,), (Edge("x:a", "x:a", "y:hits"),), {"y": "https://example.org/y/"})
    assert (URIRef(a.iri), URIRef("https://example.org/y/hits"), URIRef(a.iri)) in read(graph)


@pytest.mark.parametrize(
    ("edge", "code"),
    [
        (Edge("x:a", "x:a", "tyo:hits"), "O104"),
        (Edge("x:a", "x:a", "toy:100%"), "U206"),
        (Edge("x:a", "x:a", "toy:hits", rules=("B",)), "U206"),
        (Edge("x:a", "x:a", "toy:hits", rules=("toy:a b",)), "U206"),
    ],
)
def test_what_has_to_be_an_iri_is_one(edge: Edge, code: str) -> None:
    a = Node("x:a", "https://example.org/a", "card", "A")
    with pytest.raises(CardloreError) as caught:
        text(InteractionGraph("toy", "", (a,), (edge,)), "ttl")
    assert caught.value.code == code


@pytest.mark.parametrize("game", ["7 wonders", "7w", "játék"])
def test_a_game_whose_name_is_no_prefix_can_be_written(game: str) -> None:
    a = Node("x:a", "https://example.org/a", "card", "A")
    graph = InteractionGraph(game, "", (a,), (Edge("x:a", "x:a", "core:requires"),))
    assert (URIRef(a.iri), CORE.requires, URIRef(a.iri)) in read(graph)


def test_every_term_of_the_core_that_is_used_is_declared_there(root: Path) -> None:
    core = rdflib.Graph().parse(root / "ontology" / "core.ttl")
    used = {term for triple in read(sample()) for term in triple if str(term).startswith(CORE)}
    undeclared = {term for term in used if (term, RDFS.isDefinedBy, None) not in core}
    assert undeclared <= {URIRef(iri(REFERS_BY))}
    assert len(used) > 10
