"""What a selector comes to for a referent: yes or no where that is certain, and what remains to be known otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.reference.evaluate import View
from reasoner.reference.possible import IDENTITY
from reasoner.reference.selector import EVERYTHING, NOTHING, Atom, Has, Selector, all_of, any_of, atoms, negate
from reasoner.reference.truth import MOST_OPEN, NO_VALUE, Truth
from reasoner.terms.namespaces import BASE, TYPE, Prefixes

from .selectors import (
    ATOMS,
    COSTS,
    EMBER,
    KINDS,
    LEVELS,
    MARKS,
    REFERENT,
    SIZES,
    UNDEFINED,
    degree,
    has,
    iri,
    selectors,
)

TERMS = ox.NamedNode(EMBER + "graph/terms")
FACTS = ox.NamedNode(EMBER + "graph/facts")
MORE = ox.NamedNode(EMBER + "graph/more")
TURTLE = f"""
@prefix : <{EMBER}> .
@prefix core: <{BASE}term/> .
:hasMark core:isDeniedBy :lacksMark .
:hasCost core:isOpenWithoutValue true .
:hasSize core:isOpenWithoutValue true .
"""


def view(facts: str = "", more: str = "", *, is_pool: bool = False) -> View:
    """Return the view of facts in two graphs; in Turtle, the empty prefix is the game's."""
    store = ox.Store()
    for graph, text in ((TERMS, TURTLE), (FACTS, facts), (MORE, more)):
        store.load(f"@prefix : <{EMBER}> . {text}".encode(), format=ox.RdfFormat.TURTLE, to_graph=graph)
    return View(store, (FACTS, MORE), Vocabulary(store, (TERMS,), Prefixes({})), is_pool)


KNOWN = ":referent :hasMark :m0 ; :lacksMark :m1 ; :hasKind :Fire ."
TESTED: dict[str, tuple[Atom, str, Truth]] = {
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
    "a number that compares so": (LEVELS[0], ":referent :hasLevel 3 .", True),
    "a number that does not": (LEVELS[1], ":referent :hasLevel 3 .", False),
    "several numbers, one of which compares so": (LEVELS[1], ":referent :hasLevel 3 , 10 .", True),
    "no number": (LEVELS[0], ":other :hasLevel 3 .", NO_VALUE),
    "no whole number": (LEVELS[0], ':referent :hasLevel "3" , 2.5 , :three .', NO_VALUE),
    "a number where none is known": (SIZES[0], "", None),
    "the number that is known": (SIZES[0], ":referent :hasSize 2 .", True),
}


@pytest.mark.parametrize(("atom", "facts", "expected"), TESTED.values(), ids=TESTED)
def test_atom(atom: Atom, facts: str, expected: Truth) -> None:
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
LEFT: dict[str, tuple[Selector, Truth, Selector | None]] = {
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
    "no level": (LEVELS[0], NO_VALUE, None),
    "not of such a level": (negate(LEVELS[0]), NO_VALUE, None),
    "of a level or of another": (any_of(LEVELS), NO_VALUE, None),
    "open and of a level": (all_of([MARKS[0], LEVELS[0]]), NO_VALUE, None),
    "open or of a level": (any_of([MARKS[0], LEVELS[0]]), None, MARKS[0]),
    "two cases that cover all": (
        any_of([all_of([MARKS[0], KINDS[0]]), all_of([negate(MARKS[0]), KINDS[0]])]),
        True,
        None,
    ),
}


@pytest.mark.parametrize(("selector", "value", "left"), LEFT.values(), ids=LEFT)
def test_what_is_left_open(selector: Selector, value: Truth, left: Selector | None) -> None:
    """What is certain drops out, and what remains is a selector in canonical form."""
    outcome = view(OPEN).evaluate(selector, REFERENT)
    assert (outcome.value, outcome.open) == (value, left)


_states = st.fixed_dictionaries({atom: st.sampled_from([True, False, None]) for atom in MARKS})


@settings(max_examples=200)
@given(
    selector=selectors(),
    marks=_states,
    cost=st.sampled_from([None, "1", "2", "3"]),
    level=st.sampled_from([None, 3, 4]),
    size=st.sampled_from([None, 2]),
    fire=st.booleans(),
)
def test_against_all_completions(
    selector: Selector,
    marks: Mapping[Has, bool | None],
    cost: str | None,
    level: int | None,
    size: int | None,
    fire: bool,
) -> None:
    """Yes exactly if the selector holds however the open atoms turn out, open if it holds in some ways only."""
    facts = [f":{'has' if value else 'lacks'}Mark {atom.value}" for atom, value in marks.items() if value is not None]
    facts += [f':hasCost "{cost}"'] if cost else []
    facts += [f":hasLevel {level}"] if level else []
    facts += [f":hasSize {size}"] if size else []
    facts += [":hasKind :Fire"] if fire else []
    shown = view(" ".join(f":referent {fact} ." for fact in facts))
    known: dict[Atom, Truth] = dict(marks)
    known.update({atom: None if cost is None else atom.value.value == cost for atom in COSTS})
    known.update({KINDS[0]: fire, KINDS[1]: False})
    known.update({LEVELS[0]: level == 3, LEVELS[1]: level == 4} if level else dict.fromkeys(LEVELS, NO_VALUE))
    known.update({SIZES[0]: True if size else None})
    assert {atom: shown.test(REFERENT, atom) for atom in ATOMS} == known
    completions = completed(known)
    degrees = {degree(selector, values) for values in completions}
    outcome = shown.evaluate(selector, REFERENT)
    assert outcome.value == (
        True if degrees == {1} else None if 1 in degrees else NO_VALUE if UNDEFINED in degrees else False
    )
    assert (outcome.open is None) == (outcome.value is not None)
    if outcome.open is not None:
        for values in completions:
            assert (degree(outcome.open, values) == 1) == (degree(selector, values) == 1)
        assert all(known[atom] is None for atom in atoms(outcome.open))
    assert {one.atom: one.result for one in outcome.tested} == {atom: known[atom] for atom in atoms(selector)}
    assert len(outcome.tested) == len(set(atoms(selector)))


def completed(known: Mapping[Atom, Truth]) -> list[dict[Atom, float]]:
    """Return every way in which what is open can turn out."""
    unknown = [atom for atom, value in known.items() if value is None]
    settled = {atom: UNDEFINED if value is NO_VALUE else float(value is True) for atom, value in known.items()}
    return [{**settled, **dict(zip(unknown, row, strict=True))} for row in product((0, 1), repeat=len(unknown))]


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
