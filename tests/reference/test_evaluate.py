"""What a selector comes to for a referent: yes or no where that is certain, and what remains to be known otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.reference.evaluate import IDENTITY, MOST_OPEN, View
from reasoner.reference.selector import EVERYTHING, NOTHING, Has, Selector, all_of, any_of, atoms, negate
from reasoner.terms.namespaces import BASE, TYPE, Prefixes

from .selectors import ATOMS, COSTS, EMBER, KINDS, MARKS, REFERENT, has, iri, selectors, truth

TERMS = ox.NamedNode(EMBER + "graph/terms")
FACTS = ox.NamedNode(EMBER + "graph/facts")
MORE = ox.NamedNode(EMBER + "graph/more")
TURTLE = f"""
@prefix : <{EMBER}> .
@prefix core: <{BASE}term/> .
:hasMark core:isDeniedBy :lacksMark .
:hasCost core:isOpenWithoutValue true .
"""


def view(facts: str = "", more: str = "", *, is_pool: bool = False) -> View:
    """Return the view of facts in two graphs; in Turtle, the empty prefix is the game's."""
    store = ox.Store()
    for graph, text in ((TERMS, TURTLE), (FACTS, facts), (MORE, more)):
        store.load(f"@prefix : <{EMBER}> . {text}".encode(), format=ox.RdfFormat.TURTLE, to_graph=graph)
    return View(store, (FACTS, MORE), Vocabulary(store, (TERMS,), Prefixes({})), is_pool)


KNOWN = ":referent :hasMark :m0 ; :lacksMark :m1 ; :hasKind :Fire ."
TESTED: dict[str, tuple[Has, str, bool | None]] = {
    "known": (MARKS[0], KNOWN, True),
    "denied": (MARKS[1], KNOWN, False),
    "neither known nor denied": (MARKS[2], KNOWN, None),
    "another's": (MARKS[2], ":other :hasMark :m2 ; :lacksMark :m2 .", None),
    "both known and denied": (MARKS[0], ":referent :hasMark :m0 ; :lacksMark :m0 .", True),
    "a value where none is known": (COSTS[0], KNOWN, None),
    "the value that is known": (COSTS[0], ':referent :hasCost "1" .', True),
    "another value than the known one": (COSTS[1], ':referent :hasCost "1" .', False),
    "a characteristic that is never open": (KINDS[0], KNOWN, True),
    "and what is not known of it": (KINDS[1], KNOWN, False),
    "a class": (Has(TYPE.value, iri("Spell")), ":referent a :Spell .", True),
    "another class": (Has(TYPE.value, iri("Spell")), ":referent a :Card .", False),
    "itself": (Has(IDENTITY, REFERENT), "", True),
    "another": (Has(IDENTITY, iri("other")), "", False),
}


@pytest.mark.parametrize(("atom", "facts", "expected"), TESTED.values(), ids=TESTED)
def test_atom(atom: Has, facts: str, expected: bool | None) -> None:
    """In which graph a fact stands does not matter."""
    for shown in (view(facts), view("", facts)):
        assert shown.test(REFERENT, atom) is expected
        outcome = shown.evaluate(atom, REFERENT)
        assert outcome.value is expected
        assert outcome.open == (atom if expected is None else None)
        assert [(one.atom, one.result) for one in outcome.tested] == [(atom, expected)]


def test_card_of_a_pool_is_not_one_copy() -> None:
    """Which copy is meant stays open; another card is not meant at all."""
    pool = view(is_pool=True)
    assert pool.test(REFERENT, Has(IDENTITY, REFERENT)) is None
    assert pool.test(REFERENT, Has(IDENTITY, iri("other"))) is False


OPEN = ":referent :lacksMark :m1 ; :hasKind :Fire ."  # of the marks m1 is denied, the others are open
LEFT: dict[str, tuple[Selector, bool | None, Selector | None]] = {
    "and, with what holds": (all_of([KINDS[0], MARKS[0]]), None, MARKS[0]),
    "and, with what does not": (all_of([KINDS[1], MARKS[0]]), False, None),
    "or, with what holds": (any_of([KINDS[0], MARKS[0]]), True, None),
    "or, with what does not": (any_of([KINDS[1], MARKS[0]]), None, MARKS[0]),
    "two open ones": (all_of([MARKS[2], KINDS[0], MARKS[0]]), None, all_of([MARKS[0], MARKS[2]])),
    "not": (negate(MARKS[0]), None, negate(MARKS[0])),
    "not what is denied": (negate(MARKS[1]), True, None),
    "nested": (
        all_of([KINDS[0], any_of([MARKS[1], all_of([MARKS[0], negate(MARKS[2])])])]),
        None,
        all_of([MARKS[0], negate(MARKS[2])]),
    ),
    "everything": (EVERYTHING, True, None),
    "nothing": (NOTHING, False, None),
    "this or not this": (any_of([MARKS[0], negate(MARKS[0])]), True, None),
    "this and not this": (all_of([MARKS[0], negate(MARKS[0])]), False, None),
    "this, or not this and that": (
        any_of([MARKS[0], all_of([negate(MARKS[0]), MARKS[2]])]),
        None,
        any_of([MARKS[0], all_of([negate(MARKS[0]), MARKS[2]])]),
    ),
    "two cases that cover all": (
        any_of([all_of([MARKS[0], KINDS[0]]), all_of([negate(MARKS[0]), KINDS[0]])]),
        True,
        None,
    ),
}


@pytest.mark.parametrize(("selector", "value", "left"), LEFT.values(), ids=LEFT)
def test_what_is_left_open(selector: Selector, value: bool | None, left: Selector | None) -> None:
    """What is certain drops out, and what remains is a selector in canonical form."""
    outcome = view(OPEN).evaluate(selector, REFERENT)
    assert (outcome.value, outcome.open) == (value, left)


STATES = st.fixed_dictionaries({atom: st.sampled_from([True, False, None]) for atom in MARKS})


@settings(max_examples=200)
@given(selector=selectors(), marks=STATES, cost=st.sampled_from([None, "1", "2", "3"]), fire=st.booleans())
def test_against_all_completions(
    selector: Selector, marks: Mapping[Has, bool | None], cost: str | None, fire: bool
) -> None:
    """Yes exactly if the selector holds however the open atoms turn out, no if it never does, and else open."""
    facts = [
        f":referent :{'has' if value else 'lacks'}Mark <{atom.value.value}> ."
        for atom, value in marks.items()
        if value is not None
    ]
    facts += [f':referent :hasCost "{cost}" .'] if cost else []
    facts += [":referent :hasKind :Fire ."] if fire else []
    shown = view(" ".join(facts))
    known: dict[Has, bool | None] = dict(marks)
    known.update({atom: None if cost is None else atom.value.value == cost for atom in COSTS})
    known.update({KINDS[0]: fire, KINDS[1]: False})
    assert {atom: shown.test(REFERENT, atom) for atom in ATOMS} == known
    completions = completed(known)
    found = {truth(selector, values) for values in completions}
    outcome = shown.evaluate(selector, REFERENT)
    assert outcome.value == (found.pop() if len(found) == 1 else None)
    assert (outcome.open is None) == (outcome.value is not None)
    if outcome.open is not None:
        assert all(truth(outcome.open, values) == truth(selector, values) for values in completions)
        assert all(known[atom] is None for atom in atoms(outcome.open))
    assert [(one.atom, one.result) for one in outcome.tested] == [(atom, known[atom]) for atom in atoms(selector)]


def completed(known: Mapping[Has, bool | None]) -> list[dict[Has, bool]]:
    """Return every way in which what is open can turn out."""
    unknown = [atom for atom, value in known.items() if value is None]
    settled = {atom: value for atom, value in known.items() if value is not None}
    return [{**settled, **dict(zip(unknown, row, strict=True))} for row in product((False, True), repeat=len(unknown))]


def test_too_many_open_atoms_are_left_open() -> None:
    """Beyond MOST_OPEN atoms the completions are not tried: the answer is that it depends, which is not wrong."""
    many = [has("hasMark", f"many{number:02}") for number in range(MOST_OPEN + 1)]
    few = any_of([any_of(many[:-1]), negate(many[0])])
    all_of_them = any_of([any_of(many), negate(many[0])])
    assert view().evaluate(few, REFERENT).value is True
    outcome = view().evaluate(all_of_them, REFERENT)
    assert (outcome.value, outcome.open) == (None, all_of_them)


def test_facts_of_a_referent() -> None:
    """The facts about one characteristic from all graphs, each once, in the order of their text."""
    shown = view(":referent :hasKind :Water , :Fire ; a :Spell .", ":referent :hasKind :Fire . :other :hasKind :Ice .")
    assert [fact.object.value for fact in shown.facts_of(REFERENT, EMBER + "hasKind")] == [
        EMBER + "Fire",
        EMBER + "Water",
    ]
    assert [fact.object for fact in shown.facts_of(REFERENT, TYPE.value)] == [iri("Spell")]
    assert shown.facts_of(REFERENT, EMBER + "hasMark") == []
