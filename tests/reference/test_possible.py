"""What can hold of one referent at once, and what that makes of answers."""

from __future__ import annotations

from itertools import product

import pyoxigraph as ox
import pytest
from hypothesis import given

from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.reference.evaluate import View
from reasoner.reference.possible import IDENTITY, Clash, Possible
from reasoner.reference.selector import EVERYTHING, NOTHING, Has, Selector, all_of, any_of, atoms, negate
from reasoner.reference.truth import defined
from reasoner.reference.wording import say_clash
from reasoner.terms.namespaces import BASE, TYPE, Prefixes, core

from .selectors import EMBER, REFERENT, iri, selectors

TERMS = ox.NamedNode(EMBER + "graph/terms")
TURTLE = f"""
@prefix : <{EMBER}> .
@prefix core: <{BASE}term/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
core:isDirectlyInZone a owl:FunctionalProperty .
core:isInZone core:isOpenWithoutValue true ; core:phrase "{{s}} is in {{o}}"@en .
core:hasStatus core:isDeniedBy core:lacksStatus ; core:phrase "{{s}} is {{o}}"@en .
core:hasColour a owl:FunctionalProperty ; core:phrase "{{s}} has colour {{o}}"@en .
:red rdfs:label "red" . :blue rdfs:label "blue" .
:field rdfs:label "field" . :hand rdfs:label "hand" . :row rdfs:label "row" ; core:isPartOf :field .
:tired rdfs:label "tired" ; core:appliesIn :field . :lined rdfs:label "lined up" ; core:appliesIn :row .
:Fire rdfs:label "fire" . :Water rdfs:label "water" ; owl:disjointWith :Fire .
:Flame rdfs:label "flame" ; rdfs:subClassOf :Fire . :Ember rdfs:label "ember" ; core:isTiedTo :Fire .
"""


def zone(name: str) -> Has:
    """Return that the referent lies in a zone."""
    return Has(core("isInZone").value, iri(name))


def status(name: str) -> Has:
    """Return that the referent has a status."""
    return Has(core("hasStatus").value, iri(name))


def kind(name: str) -> Has:
    """Return that the referent is of a class."""
    return Has(TYPE.value, iri(name))


def vocabulary(turtle: str = TURTLE) -> Vocabulary:
    """Return a vocabulary with zones, statuses and classes."""
    store = ox.Store()
    store.load(turtle.encode(), format=ox.RdfFormat.TURTLE, to_graph=TERMS)
    return Vocabulary(store, (TERMS,), Prefixes({}))


FIELD, HAND, ROW = zone("field"), zone("hand"), zone("row")
TIRED, LINED = status("tired"), status("lined")
NEVER: dict[str, tuple[Selector, str]] = {
    "two zones": (all_of([FIELD, HAND]), "nothing is in field and is in hand at once"),
    "a zone and a part of another": (
        all_of([ROW, HAND]),
        "nothing is in hand and is in row at once",
    ),
    "a status and a zone where it is not": (
        all_of([TIRED, HAND]),
        "what is tired is in field, and nothing is in hand and is in field at once",
    ),
    "a status outside its zone": (all_of([TIRED, negate(FIELD)]), "what is tired is in field"),
    "a part outside the whole": (all_of([ROW, negate(FIELD)]), "what is in row is in field"),
    "a status outside what its zone is part of": (all_of([LINED, negate(FIELD)]), "what is lined up is in field"),
    "a status and its absence": (
        all_of([TIRED, negate(TIRED)]),
        "nothing is tired and is not tired at once",
    ),
    "disjoint classes": (all_of([kind("Fire"), kind("Water")]), "nothing is fire and is water at once"),
    "below a disjoint class": (all_of([kind("Flame"), kind("Water")]), "nothing is flame and is water at once"),
    "tied to a disjoint class": (
        all_of([kind("Ember"), kind("Water")]),
        "what is ember is fire, and nothing is water and is fire at once",
    ),
    "a class without the one above": (all_of([kind("Flame"), negate(kind("Fire"))]), "what is flame is fire"),
    "two values of a functional characteristic": (
        all_of([Has(core("hasColour").value, iri("red")), Has(core("hasColour").value, iri("blue"))]),
        "nothing has colour blue and has colour red at once",
    ),
    "each way for itself": (
        any_of([all_of([FIELD, HAND]), all_of([ROW, HAND])]),
        "nothing is in field and is in hand at once; nothing is in hand and is in row at once",
    ),
}
SOMETIMES = {
    "a zone": FIELD,
    "a part and its whole": all_of([ROW, FIELD]),
    "a status in its zone": all_of([TIRED, FIELD]),
    "a status in a part of its zone": all_of([TIRED, ROW]),
    "neither zone": all_of([negate(FIELD), negate(HAND)]),
    "either zone": any_of([FIELD, HAND]),
    "one way of two": any_of([all_of([FIELD, HAND]), all_of([TIRED, FIELD])]),
    "a class and one below": all_of([kind("Fire"), kind("Flame")]),
    "everything": EVERYTHING,
}


@pytest.mark.parametrize(("selector", "why"), NEVER.values(), ids=NEVER)
def test_never(selector: Selector, why: str) -> None:
    """What excludes what is declared, and it is said what does."""
    words = vocabulary()
    assert "; ".join(say_clash(one, words, "en") for one in Possible(words).never(selector)) == why


def test_two_identities_exclude_each_other() -> None:
    """One referent is not two."""
    one, other = (Has(IDENTITY, iri(name)) for name in ("a", "b"))
    assert Possible(vocabulary()).never(all_of([one, other])) == (Clash((one, other)),)


@pytest.mark.parametrize("selector", SOMETIMES.values(), ids=SOMETIMES)
def test_not_never(selector: Selector) -> None:
    """What no declaration excludes can be."""
    assert Possible(vocabulary()).never(selector) == ()


def test_only_what_is_declared_excludes() -> None:
    """Without the declaration that a referent lies in one place, it may lie in two."""
    undeclared = vocabulary(TURTLE.replace("core:isDirectlyInZone a owl:FunctionalProperty .", ""))
    assert Possible(undeclared).never(all_of([FIELD, HAND])) == ()


def test_too_many_ways_are_not_judged() -> None:
    """Nothing is said to be impossible that was not tried in every way."""
    many = all_of(any_of([status(f"a{n}"), status(f"b{n}")]) for n in range(9))
    assert Possible(vocabulary()).never(all_of([many, FIELD, HAND])) == ()
    assert Possible(vocabulary()).never(NOTHING) == ()


@given(selectors((FIELD, HAND, ROW, TIRED, LINED)))
def test_never_against_all_places(selector: Selector) -> None:
    """A selector can be met if and only if it is true in some place, with statuses that a referent can have there."""
    worlds = []
    for place in ("", "field", "row", "hand"):
        inside = {FIELD: place in ("field", "row"), ROW: place == "row", HAND: place == "hand"}
        for tired, lined in product((False, True), repeat=2):
            if (not tired or inside[FIELD]) and (not lined or inside[ROW]):
                worlds.append({**inside, TIRED: tired, LINED: lined})
    met = any(defined(selector, world) is True for world in worlds)
    never = Possible(vocabulary()).never(selector)
    assert not (met and never)
    if not met and list(atoms(selector)):
        assert never


@pytest.mark.parametrize(
    ("selector", "value", "left"),
    [
        (all_of([TIRED, HAND]), False, None),
        (all_of([TIRED, FIELD]), None, all_of([TIRED, FIELD])),
        (any_of([negate(TIRED), FIELD]), True, None),
        (any_of([all_of([TIRED, HAND]), ROW]), None, ROW),
        (all_of([HAND, any_of([TIRED, kind("Fire")])]), False, None),
        (all_of([HAND, any_of([TIRED, negate(LINED)])]), None, all_of([HAND, negate(LINED)])),
    ],
)
def test_answers(selector: Selector, value: bool | None, left: Selector | None) -> None:
    """What can't hold together is no, what can't be otherwise is yes, and no condition names what can't be."""
    words = vocabulary()
    outcome = View(words.store, (ox.NamedNode(EMBER + "graph/facts"),), words, is_pool=True).evaluate(
        selector, REFERENT
    )
    assert (outcome.value, outcome.open) == (value, left)
