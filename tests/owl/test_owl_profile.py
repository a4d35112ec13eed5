"""OWL 2 DL without Java: every fault has an example that trips it, and a twin without it that does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.owl.java import run
from reasoner.owl.profile import Finding, check

EM = "https://w3id.org/cardlore/game/ember/term/"

# What is right, in all the shapes that the tables know.
FINE = {
    "restrictions": """
        em:A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty core:hasStatus ; owl:someValuesFrom core:Status ] ,
            [ a owl:Restriction ; owl:onProperty core:hasName ; owl:allValuesFrom xsd:string ] ,
            [ a owl:Restriction ; owl:onProperty core:hasStatus ; owl:maxCardinality 1 ] ,
            [ a owl:Restriction ; owl:onProperty core:hasStatus ; owl:minQualifiedCardinality 1 ;
                owl:onClass core:Status ] ,
            [ a owl:Restriction ; owl:onProperty core:hasName ; owl:qualifiedCardinality 1 ;
                owl:onDataRange xsd:string ] ,
            [ a owl:Restriction ; owl:onProperty core:hasStatus ; owl:hasSelf true ] ,
            [ a owl:Restriction ; owl:onProperty [ owl:inverseOf core:hasStatus ] ; owl:hasValue em:ready ] ,
            [ a owl:Restriction ; owl:onProperty core:hasName ; owl:hasValue "Őr" ] .
        em:A a owl:Class .""",
    "data ranges": """
        core:cost a owl:DatatypeProperty ; rdfs:range
            [ a rdfs:Datatype ; owl:onDatatype xsd:integer ; owl:withRestrictions ( [ xsd:minInclusive 0 ] ) ] .
        core:rarity a owl:DatatypeProperty ; rdfs:range [ a rdfs:Datatype ; owl:oneOf ( "common" "rare" ) ] .
        core:other a owl:DatatypeProperty ; rdfs:range [ a rdfs:Datatype ; owl:datatypeComplementOf xsd:string ] .
        core:Both a rdfs:Datatype ; owl:equivalentClass
            [ a rdfs:Datatype ; owl:unionOf ( xsd:string xsd:integer ) ] .""",
    "classes": """
        em:A a owl:Class ; owl:disjointUnionOf ( em:B em:C ) ; owl:hasKey ( core:hasStatus core:hasName ) .
        em:B a owl:Class . em:C a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:complementOf em:B ] .
        [ a owl:Class ; owl:intersectionOf ( em:B em:Guard ) ] rdfs:subClassOf em:Spell .""",
    "properties": """
        core:near a owl:ObjectProperty , owl:SymmetricProperty , owl:IrreflexiveProperty ; owl:inverseOf core:nearBy .
        core:nearBy a owl:ObjectProperty ; owl:propertyDisjointWith core:hasStatus .
        core:isIn a owl:ObjectProperty , owl:TransitiveProperty . core:isDirectlyInZone rdfs:subPropertyOf core:isIn .
        core:reaches a owl:ObjectProperty ; owl:propertyChainAxiom ( core:isIn core:near ) .
        core:hasNickname a owl:DatatypeProperty ; rdfs:subPropertyOf core:hasName .
        [] a owl:AllDisjointProperties ; owl:members ( core:hasStatus core:near ) .
        core:note a owl:AnnotationProperty ; rdfs:subPropertyOf core:remark ; rdfs:range xsd:date ;
            rdfs:domain core:Card .
        core:remark a owl:AnnotationProperty . em:Guard core:note "x"^^xsd:date , em:unheard .""",
    "individuals": """
        em:ready core:hasStatus em:ready ; core:hasName "kész" ; owl:sameAs em:steady ; core:hasStatus [] .
        em:steady a owl:NamedIndividual , owl:Thing .
        [] a owl:AllDifferent ; owl:distinctMembers ( em:hand em:field em:ready ) .
        [] a owl:NegativePropertyAssertion ; owl:sourceIndividual em:ready ; owl:assertionProperty core:hasName ;
            owl:targetValue "x" .
        [] a owl:Axiom ; owl:annotatedSource em:Guard ; owl:annotatedProperty rdfs:subClassOf ;
            owl:annotatedTarget em:Soldier ; rdfs:comment "why" .""",
}

ANNOTATED = "[] a owl:Axiom ; owl:annotatedSource em:Guard ; owl:annotatedProperty rdfs:subClassOf ; "
DENIED = "[] a owl:NegativePropertyAssertion ; owl:sourceIndividual em:ready ; owl:assertionProperty "
LIMITED = (
    "core:cost a owl:DatatypeProperty ; "
    "rdfs:range [ a rdfs:Datatype ; owl:onDatatype xsd:integer ; owl:withRestrictions "
)
CHAIN = "core:isIn a owl:ObjectProperty ; owl:propertyChainAxiom ( core:hasStatus core:hasStatus ) . "
TRANSITIVE = "core:isIn a owl:ObjectProperty , owl:TransitiveProperty . "


def on(prop: str, rest: str) -> str:
    return f"em:Guard rdfs:subClassOf [ a owl:Restriction ; owl:onProperty {prop} ; {rest} ] ."


# Code, name of what is at fault (em:, core: or a whole IRI; "" for none), Turtle.
FAULTS = [
    ("O351", "Nobody", "em:Guard rdfs:subClassOf em:Nobody ."),
    ("O351", "Nobody", "em:Guard owl:equivalentClass [ a owl:Class ; owl:unionOf ( em:Nobody em:Scout ) ] ."),
    ("O351", "Nobody", "em:ready a em:Nobody ."),
    ("O351", "core:unheard", "em:ready core:unheard em:ready ."),
    ("O351", "core:unheard", "em:ready core:unheard 'x' ."),
    ("O351", "core:unheard", "core:hasStatus rdfs:subPropertyOf core:unheard ."),
    ("O351", "core:unheard", "core:unheard rdfs:domain core:Card ."),
    ("O351", "core:unheard", on("core:unheard", "owl:hasSelf true")),
    ("O351", "core:unheard", "core:unheard a owl:SymmetricProperty ."),
    ("O351", "nobody", "em:nobody a core:Status ."),
    ("O351", "nobody", "em:ready core:hasStatus em:nobody ."),
    ("O351", "Guard", "em:Guard core:hasStatus em:ready ."),
    ("O351", "core:Unheard", "core:hasName rdfs:range core:Unheard ."),
    ("O352", "core:both", "core:both a owl:ObjectProperty , owl:DatatypeProperty ."),
    ("O352", "core:both", "core:both a owl:ObjectProperty , owl:AnnotationProperty ."),
    ("O352", "core:both", "core:both a owl:DatatypeProperty , owl:AnnotationProperty ."),
    ("O352", "core:Both", "core:Both a owl:Class , rdfs:Datatype ."),
    ("O353", "A", "em:A a owl:Class ; owl:disjointUnionOf em:Guard ."),
    ("O353", "A", "em:A a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:unionOf [ rdf:first em:Guard ] ] ."),
    ("O353", "A", "em:A a owl:Class ; owl:disjointUnionOf [ rdf:first em:Guard , em:Scout ; rdf:rest rdf:nil ] ."),
    ("O353", "A", "em:A a owl:Class ; owl:disjointUnionOf _:l . _:l rdf:first em:Guard ; rdf:rest _:l ."),
    ("O354", "Guard", "em:Guard rdfs:subClassOf owl:Everything ."),
    ("O354", "Guard", "em:Guard owl:subClassOf em:Soldier ."),
    ("O354", "http://www.w3.org/2002/07/owl#Mine", "owl:Mine a owl:Class ."),
    ("O354", "ready", "em:ready a owl:Individual ."),
    ("O354", "core:hasName", "core:hasName rdfs:subPropertyOf rdfs:name ."),
    ("O355", "Guard", "em:Guard rdfs:subClassOf 'x' ."),
    ("O355", "Guard", "em:Guard rdfs:subClassOf [ rdfs:label 'x' ] ."),
    ("O355", "ready", "em:ready core:hasStatus 'x' ."),
    ("O355", "ready", "em:ready core:hasName em:ready ."),
    ("O355", "Guard", on("core:hasStatus", "owl:hasValue 'x'")),
    ("O355", "Guard", on("core:hasName", "owl:hasValue em:ready")),
    ("O355", "core:hasStatus", "core:hasName rdfs:subPropertyOf core:hasStatus ."),
    ("O355", "core:hasName", "core:hasName a owl:TransitiveProperty ."),
    ("O355", "core:Card", "core:hasName rdfs:range core:Card ."),
    ("O355", "core:hasStatus", "em:Guard rdfs:subClassOf core:hasStatus ."),
    ("O355", "Guard", "em:Guard owl:equivalentClass [ a rdfs:Datatype ; owl:oneOf ( 'x' ) ] ."),
    ("O355", "Guard", "em:Guard owl:equivalentClass [ a owl:Class ; owl:oneOf ( 'x' ) ] ."),
    ("O355", "Guard", on("core:hasStatus", "owl:hasSelf em:ready")),
    (
        "O356",
        "Guard",
        "em:Guard rdfs:subClassOf [ a owl:Class ; owl:complementOf em:Spell ; owl:unionOf ( em:Scout em:Spell ) ] .",
    ),
    ("O356", "Guard", "em:Guard rdfs:subClassOf [ a owl:Class ; owl:intersectionOf ( em:Soldier ) ] ."),
    ("O356", "Guard", on("core:hasStatus", "")),
    ("O356", "Guard", "em:Guard rdfs:subClassOf [ owl:onProperty core:hasStatus ; owl:hasValue em:ready ] ."),
    ("O356", "Guard", "em:Guard rdfs:subClassOf [ owl:complementOf em:Spell ] ."),
    ("O356", "Guard", "em:Guard rdfs:subClassOf [ a owl:Class ] ."),
    ("O356", "Guard", on("core:hasStatus", "owl:maxCardinality 1 ; owl:onClass core:Status")),
    ("O356", "Guard", on("core:hasStatus", "owl:qualifiedCardinality 1")),
    ("O355", "", "[] a owl:AllDisjointProperties ; owl:members ( core:hasStatus core:hasName ) ."),
    ("O355", "core:note", "core:note a owl:AnnotationProperty ; rdfs:range [ a rdfs:Datatype ; owl:oneOf ( 'x' ) ] ."),
    ("O355", "core:cost", LIMITED + "( [ xsd:minInclusive em:ready ] ) ] ."),
    ("O355", "core:cost", LIMITED + "( [ rdfs:label 'x' ] ) ] ."),
    ("O355", "core:cost", LIMITED + "( [] ) ] ."),
    ("O355", "Guard", on("core:hasStatus", "owl:maxCardinality 'many'")),
    ("O355", "Guard", on("core:hasStatus", "owl:maxCardinality -1")),
    ("O355", "core:hasStatus", DENIED + "core:hasStatus ; owl:targetValue 'x' ."),
    ("O355", "core:hasName", DENIED + "core:hasName ; owl:targetIndividual em:ready ."),
    ("O355", "core:hasName", on("core:hasName", "owl:hasSelf true")),
    ("O355", "core:hasName", on("core:hasName", "owl:maxQualifiedCardinality 1 ; owl:onClass core:Card")),
    ("O355", "core:hasStatus", on("core:hasStatus", "owl:maxQualifiedCardinality 1 ; owl:onDataRange xsd:string")),
    ("O356", "", "[] a owl:AllDifferent ; owl:distinctMembers ( em:ready ) ."),
    ("O356", "", "[] a owl:AllDisjointClasses ; owl:members () ."),
    ("O356", "Guard", "em:Guard owl:equivalentClass [ a owl:Class ; owl:unionOf ( em:Scout em:Scout ) ] ."),
    ("O356", "", "[] a owl:AllDisjointClasses ."),
    ("O356", "", "[] a owl:NegativePropertyAssertion ; owl:sourceIndividual em:ready ; owl:targetValue 'x' ."),
    ("O356", "Guard", "em:Guard owl:hasKey () ."),
    ("O356", "Guard", "em:Guard owl:equivalentClass [ a owl:Class ; owl:oneOf () ] ."),
    ("O356", "Guard", ANNOTATED + "owl:annotatedTarget em:Spell ."),
    ("O356", "", ANNOTATED + "rdfs:comment 'why' ."),
    (
        "O357",
        "Guard",
        "em:Guard rdfs:subClassOf _:x . em:Scout rdfs:subClassOf _:x . _:x a owl:Class ; owl:complementOf em:Spell .",
    ),
    (
        "O357",
        "Guard",
        "em:Guard owl:hasKey _:l . em:Scout owl:hasKey _:l . _:l rdf:first core:hasName ; rdf:rest rdf:nil .",
    ),
    ("O358", "core:isIn", "core:isIn a owl:ObjectProperty , owl:TransitiveProperty , owl:FunctionalProperty ."),
    ("O358", "core:isIn", CHAIN + "core:isIn a owl:AsymmetricProperty ."),
    (
        "O358",
        "core:over",
        TRANSITIVE
        + "core:isIn rdfs:subPropertyOf core:over . core:over a owl:ObjectProperty , owl:IrreflexiveProperty .",
    ),
    (
        "O358",
        "core:holds",
        TRANSITIVE + "core:holds a owl:ObjectProperty , owl:InverseFunctionalProperty ; owl:inverseOf core:isIn .",
    ),
    ("O358", "Guard", TRANSITIVE + on("core:isIn", "owl:maxCardinality 1")),
    ("O358", "Guard", TRANSITIVE + on("[ owl:inverseOf core:isIn ]", "owl:hasSelf true")),
    ("O358", "core:hasStatus", TRANSITIVE + "core:hasStatus owl:propertyDisjointWith core:isIn ."),
    ("O358", "", TRANSITIVE + "[] a owl:AllDisjointProperties ; owl:members ( core:hasStatus core:isIn ) ."),
    ("O359", "ready", "em:ready core:hasName '2026-01-10'^^xsd:date ."),
    ("O359", "core:printed", "core:printed a owl:DatatypeProperty ; rdfs:range xsd:date ."),
]


def parse(data: bytes) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES)]


def findings(data: bytes) -> list[Finding]:
    return check(parse(data))


def iri(name: str) -> str:
    if name.startswith("core:"):
        return "https://w3id.org/cardlore/term/" + name.removeprefix("core:")
    return name if name.startswith("http") else EM + name


def test_nothing_is_fine() -> None:
    assert check([]) == []


@pytest.mark.parametrize("name", ["", *FINE])
def test_what_owl_2_dl_allows_passes(name: str, ember: Callable[..., bytes]) -> None:
    assert findings(ember(FINE.get(name, ""))) == []


@pytest.mark.parametrize(("code", "name", "turtle"), FAULTS)
def test_each_fault_is_found_where_it_is(code: str, name: str, turtle: str, ember: Callable[..., bytes]) -> None:
    found = findings(ember(turtle))
    if name:
        assert (code, iri(name)) in {(one.code, one.iri) for one in found}
    assert {one.code for one in found} == {code}


def test_every_code_of_the_table_has_a_fault() -> None:
    documented = {f"O{number}" for number in range(351, 360)}
    assert {code for code, _, _ in FAULTS} == documented
    assert all(f"| {code} |" in (check.__globals__["__doc__"] or "") for code in documented)


@given(data=st.data())
def test_no_set_of_triples_makes_it_fail(data: st.DataObject, ember: Callable[..., bytes]) -> None:
    """Whatever stands where, the answer is a list of findings."""
    triples = parse(ember("".join(FINE.values())))
    indices = data.draw(st.lists(st.tuples(*[st.integers(0, len(triples) - 1)] * 2), max_size=30))
    swapped = [ox.Triple(triples[i].subject, triples[i].predicate, triples[j].object) for i, j in indices]
    dropped = {i for i, _ in indices}
    check([*(one for i, one in enumerate(triples) if i not in dropped), *swapped])


def test_findings_are_sorted_and_each_comes_once(ember: Callable[..., bytes]) -> None:
    found = findings(ember("em:Guard rdfs:subClassOf em:X , em:Y . em:Scout rdfs:subClassOf em:X ."))
    assert [one.iri for one in found] == [EM + "X", EM + "Y"]
    assert found[0] == Finding("O351", EM + "X", "used as class, but not declared as one")


@pytest.mark.parametrize("name", ["", *FINE])
def test_the_owl_api_agrees_that_it_is_owl_2_dl(name: str, ember: Callable[..., bytes], tmp_path: Path) -> None:
    """The OWL API's own profile checker, which Pellet's `info` prints the verdict of."""
    path = tmp_path / "ontology.nt"
    path.write_bytes(b"".join(line for line in ember(FINE.get(name, "")).splitlines(True) if b"#imports" not in line))
    assert "OWL Profile = OWL 2 DL" in run("pellet", ["pellet.Pellet", "info", str(path)], 60).out
