"""Reasons for emptiness that the vocabulary states itself, without a reasoner."""

from __future__ import annotations

from collections.abc import Callable

import pyoxigraph as ox
import pytest

from reasoner.owl.names import Index
from reasoner.owl.told import Told
from reasoner.reference.selector import Compare, Has, Selector, all_of, any_of, negate
from reasoner.terms.namespaces import CORE, TYPE

EM = "https://w3id.org/cardlore/game/ember/term/"


def kind(name: str) -> Has:
    return Has(TYPE.value, ox.NamedNode(EM + name))


APART = "nothing is both <Lény> and <Spell>"
LEVEL = Compare(EM + "hasLevel", "AtMost", 3)
STATUS = Has(CORE + "hasStatus", ox.NamedNode(EM + "ready"))


@pytest.mark.parametrize(
    ("selector", "turtle", "reason"),
    [
        (all_of([kind("Lény"), kind("Spell")]), "", "nothing is both <Lény> and <Spell>"),
        (
            all_of([kind("Scout"), kind("Spell")]),
            "",
            "each <Scout> is <Soldier>; each <Soldier> is <Lény>; nothing is both <Lény> and <Spell>",
        ),
        (
            all_of([kind("Scout"), kind("Guard")]),
            "em:Scout owl:disjointWith em:Guard .",
            "nothing is both <Guard> and <Scout>",
        ),
        (
            all_of([kind("Scout"), kind("Guard")]),
            "em:Soldier owl:disjointUnionOf ( em:Scout em:Guard ) .",
            "nothing is both <Guard> and <Scout>",
        ),
        (
            all_of([kind("Scout"), kind("Guard")]),
            "em:Guard rdfs:subClassOf [ a owl:Class ; owl:complementOf em:Scout ] .",
            "nothing is both <Guard> and <Scout>",
        ),
        (
            all_of([kind("Spell"), kind("Both")]),
            "em:Both a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( em:Guard em:Scout ) ] .",
            "each <Both> is <Guard>; each <Guard> is <Soldier>; each <Soldier> is <Lény>; " + APART,
        ),
        (
            all_of([kind("Scout"), negate(kind("Lény"))]),
            "",
            "each <Scout> is <Soldier>; each <Soldier> is <Lény>; the reference leaves out <Lény>",
        ),
        (
            all_of([kind("Spell"), STATUS]),
            "core:hasStatus rdfs:subPropertyOf core:has . core:has rdfs:domain em:Lény .",
            "what has <hasStatus> is <Lény>; nothing is both <Lény> and <Spell>",
        ),
        (all_of([kind("Spell"), LEVEL]), "", f"what has <hasLevel> is <Lény>; {APART}"),
        (all_of([kind("Spell"), negate(LEVEL)]), "", f"what has <hasLevel> is <Lény>; {APART}"),
        (all_of([LEVEL, negate(LEVEL)]), "", ""),
        (kind("Guard"), "", ""),
        (any_of([kind("Lény"), kind("Spell")]), "", ""),
        (all_of([kind("Guard"), STATUS]), "", ""),
    ],
)
def test_reason(selector: Selector, turtle: str, reason: str, ember: Callable[..., bytes]) -> None:
    index = Index(quad.triple for quad in ox.parse(ember(turtle), format=ox.RdfFormat.N_TRIPLES))
    assert Told(index).why_empty("urn:r", selector).replace(EM, "").replace(CORE, "") == reason


def test_a_class_of_the_vocabulary_needs_no_selector(ember: Callable[..., bytes]) -> None:
    data = ember("em:Odd a owl:Class ; rdfs:subClassOf em:Guard , em:Spell .")
    index = Index(quad.triple for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES))
    assert Told(index).why_empty(EM + "Odd").endswith(f"nothing is both <{EM}Lény> and <{EM}Spell>")
