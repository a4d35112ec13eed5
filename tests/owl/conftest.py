"""A small invented game, Ember, for the tests of the OWL layer."""

from __future__ import annotations

from collections.abc import Callable

import pyoxigraph as ox
import pytest

PREFIXES = """
@prefix core: <https://w3id.org/cardlore/term/> .
@prefix em: <https://w3id.org/cardlore/game/ember/term/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
# Card types are classes and individuals at once. The import must not be followed, the date not be read.
EMBER = """
<https://w3id.org/cardlore/ontology/ember> a owl:Ontology ;
    owl:imports <http://example.invalid/core> ; dct:modified "2026-01-10"^^xsd:date .
dct:modified a owl:AnnotationProperty .

core:Card a owl:Class ; rdfs:label "card"@en .
core:CardType a owl:Class .
core:Zone a owl:Class .
core:Status a owl:Class .
core:isDirectlyInZone a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:range core:Zone .
core:hasStatus a owl:ObjectProperty .
core:hasCardType a owl:ObjectProperty ; rdfs:range core:CardType .
core:hasName a owl:DatatypeProperty ; rdfs:range xsd:string .
em:hasLevel a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:domain em:Lény ; rdfs:range xsd:integer .

em:Lény a owl:Class , core:CardType , owl:NamedIndividual ; rdfs:subClassOf core:Card ; rdfs:label "lény"@hu .
em:Spell a owl:Class , core:CardType , owl:NamedIndividual ; rdfs:subClassOf core:Card .
em:Soldier a owl:Class ; rdfs:subClassOf em:Lény .
em:Guard a owl:Class ; rdfs:subClassOf em:Soldier .
em:Scout a owl:Class ; rdfs:subClassOf em:Soldier .
[] a owl:AllDisjointClasses ; owl:members ( em:Lény em:Spell ) .

em:ready a core:Status , owl:NamedIndividual .
em:hand a core:Zone , owl:NamedIndividual .
em:field a core:Zone , owl:NamedIndividual ; owl:differentFrom em:hand .
"""


def to_ntriples(turtle: str) -> bytes:
    """Return Turtle (without its prefixes) as N-Triples."""
    quads = ox.parse(PREFIXES + turtle, format=ox.RdfFormat.TURTLE)
    data = ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES)
    assert data is not None
    return data


@pytest.fixture(scope="session")
def ember() -> Callable[..., bytes]:
    """Ember's vocabulary as N-Triples, with more Turtle added where that is wanted."""
    return lambda more="": to_ntriples(EMBER + more)


@pytest.fixture(scope="session")
def turtle() -> Callable[[str], bytes]:
    """Turtle that stands alone, as N-Triples."""
    return to_ntriples
