"""owlready2 Worlds: private, with stated and inferred apart; and owlready2's own reasoner as a second opinion."""

from __future__ import annotations

from collections.abc import Callable

import owlready2
import pyoxigraph as ox
import pytest

from reasoner.owl.expressions import define_all
from reasoner.owl.java import find_java
from reasoner.owl.names import ntriples
from reasoner.owl.reasoner import classify
from reasoner.owl.world import open_world, owlready2_java
from reasoner.reference.selector import EVERYTHING, Has, Selector, all_of
from reasoner.terms.namespaces import TYPE

EM = "https://w3id.org/cardlore/game/ember/term/"
REF = "urn:ember:reference:"


def kind(name: str) -> Has:
    return Has(TYPE.value, ox.NamedNode(EM + name))


REFERENCES: dict[str, Selector] = {
    REF + "guards": kind("Guard"),
    REF + "none": all_of([kind("Guard"), kind("Spell")]),
    REF + "all": EVERYTHING,
    REF + "few": all_of([kind("Soldier"), Has("https://w3id.org/cardlore/term/hasName", ox.Literal("Őr"))]),
}


def test_a_world_is_private_and_complete(ember: Callable[..., bytes]) -> None:
    before = len(owlready2.default_world.graph)
    found = classify(ember(), REFERENCES)
    world = open_world(ember() + ntriples(define_all(REFERENCES)), found)
    try:
        assert world[EM + "Soldier"] in world[REF + "few"].is_a
        assert world[REF + "guards"] in world[EM + "Guard"].equivalent_to
        assert owlready2.Nothing in world[REF + "none"].is_a
        assert world[EM + "Lény"] is not None
        assert len(owlready2.default_world.graph) == before
        assert owlready2.Thing.equivalent_to == []
        assert open_world(ember())[REF + "few"] is None
    finally:
        world.close()


def test_java_is_lent_to_owlready2_and_taken_back() -> None:
    before = owlready2.JAVA_EXE
    seen = []

    def fail() -> None:
        with owlready2_java():
            seen.append(owlready2.JAVA_EXE)
            raise RuntimeError("inside")

    with pytest.raises(RuntimeError, match="inside"):
        fail()
    assert seen == [str(find_java())]
    assert before == owlready2.JAVA_EXE


def test_owlready2_s_own_reasoner_agrees_where_nothing_is_punned(turtle: Callable[[str], bytes]) -> None:
    data = turtle("""
        em:Soldier a owl:Class . em:Guard a owl:Class ; rdfs:subClassOf em:Soldier .
        em:Spell a owl:Class ; owl:disjointWith em:Soldier . core:hasName a owl:DatatypeProperty .""")
    chosen = {iri: selector for iri, selector in REFERENCES.items() if iri != REF + "all"}
    ours = classify(data, chosen)
    world = open_world(data + ntriples(define_all(chosen)))
    try:
        with owlready2_java():
            owlready2.sync_reasoner_hermit(world, debug=0)
        assert {one.iri for one in world.inconsistent_classes() if one is not owlready2.Nothing} == set(
            ours.unsatisfiable
        )
        for whole, part in ours.contains:
            assert world[whole] in world[part].ancestors()
    finally:
        world.close()
