"""Texts that compare a number: what they come to, how that is said, and the answers where there is no number."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner import load
from reasoner.errors import TextError
from reasoner.export import FORMATS, render
from reasoner.game import Game
from reasoner.language.mention import COMPARISONS, Comparison
from reasoner.operations.dataset import full_store
from reasoner.operations.match import match
from reasoner.operations.scene import Scene, pool_scene
from reasoner.owl.expressions import definitions
from reasoner.paths import Library
from reasoner.reference.answer import NO_VALUE, conditions
from reasoner.reference.interpret import Reference, interpret
from reasoner.reference.mentiongraph import NOWHERE, describe
from reasoner.reference.selector import Compare, Selector, all_of, any_of, atoms, negate
from reasoner.reference.wording import say
from reasoner.terms.namespaces import BASE, core

ROOT = Path(__file__).resolve().parents[2]
GAMES = Library(ROOT).games()
WITH_QUANTITIES = [
    name
    for name in GAMES
    if any("core:isGivenBy" in path.read_text(encoding="utf-8") for path in (ROOT / "data" / name).glob("*.ttl"))
]
LEVEL = BASE + "game/magus/term/hasLevel"
PEOPLE = "legfeljebb 3. szintű kalandozó lap"
NOBODY_S_LEVEL = "test-no-level"


@cache
def game(name: str, as_of: str | None = None) -> Game:
    """A game under an edition, once per run."""
    return load(name, as_of=as_of, library=ROOT)


@cache
def pool(name: str) -> Scene:
    """The pool of a game."""
    return pool_scene(game(name).base)


def reference(text: str, name: str = "magus", as_of: str | None = None) -> Reference:
    """What a text with one reading comes to on the pool."""
    base = game(name, as_of).base
    (reading,) = base.read(text)
    return interpret(reading, NOWHERE, base, pool_scene(base).stages[0].surroundings)


# --- what a text comes to


def test_a_mention_tells_comparison_and_number() -> None:
    """As facts about the one word that compares; a number that counts gives none."""
    base = game("magus").base
    (reading,) = base.read("két legfeljebb 3. szintű kalandozó")
    told = [
        (triple.subject.value.rpartition("/")[2], triple.predicate.value, triple.object)
        for triple in describe(reading, NOWHERE, base.iri).triples
        if isinstance(triple.subject, ox.NamedNode)
        and triple.predicate in (core("hasComparison"), core("comparesWith"))
    ]
    assert told == [
        ("2", core("hasComparison").value, core("AtMost")),
        ("2", core("comparesWith").value, ox.Literal(3)),
    ]


@pytest.mark.parametrize(
    ("text", "comparison", "number"),
    [
        ("3 szintű kalandozó lap", "Exactly", 3),
        ("legfeljebb 3. szintű kalandozó lap", "AtMost", 3),
        ("legalább hat szintű kalandozó lap", "AtLeast", 6),
        ("3-nál nagyobb szintű kalandozó lap", "MoreThan", 3),
        ("5-nél kevesebb szintű kalandozó lap", "LessThan", 5),
        ("0 vagy kisebb szintű kalandozó lap", "AtMost", 0),
        ("legfeljebb 99999999999999999999 szintű kalandozó lap", "AtMost", 99999999999999999999),
    ],
)
def test_a_comparison_is_a_condition(text: str, comparison: Comparison, number: int) -> None:
    """On the characteristic that gives the quantity; the text then asks for no number."""
    (interpretation,) = reference(text).interpretations
    wanted = Compare(LEVEL, comparison, number)
    assert wanted in list(atoms(interpretation.selector))
    assert interpretation.quantities == ()
    (ground,) = [fact for atom, fact in interpretation.grounds if atom == wanted]
    assert ground.predicate == core("meansQuantity")
    with pytest.raises(TextError) as refused:
        game("magus").value(text, "organ-rion")
    assert refused.value.code == "T114"


@pytest.mark.parametrize(
    ("as_of", "text", "characteristic"),
    [
        ("AK2", "legfeljebb 3 idézési költségű lény", "hasModifiedCost"),
        ("AK4", "legfeljebb 3 idézési költségű lény", "hasBaseCost"),
        (None, "legfeljebb 3 idézési költségű lény", "hasModifiedCost"),
        (None, "legfeljebb 3 alap idézési költségű lény", "hasBaseCost"),
    ],
)
def test_rules_say_which_number_is_compared(as_of: str | None, text: str, characteristic: str) -> None:
    """And another edition may say another."""
    (interpretation,) = reference(text, "hkk", as_of).interpretations
    compared = [atom for atom in atoms(interpretation.selector) if isinstance(atom, Compare)]
    assert compared == [Compare(core(characteristic).value, "AtMost", 3)]


def test_a_quantity_that_no_rule_explains_is_refused() -> None:
    """As any word is: without its condition the text would refer to too much."""
    with pytest.raises(TextError, match="idézési költségű") as refused:
        reference("legfeljebb 3 idézési költségű lény", "hkk", "1990-01")
    assert refused.value.code == "T110"


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        (Compare(LEVEL, "AtMost", 3), "has a level of at most 3"),
        (Compare(LEVEL, "AtLeast", 3), "has a level of at least 3"),
        (Compare(LEVEL, "MoreThan", 3), "has a level of more than 3"),
        (Compare(LEVEL, "LessThan", 3), "has a level of less than 3"),
        (Compare(LEVEL, "Exactly", 3), "has a level of exactly 3"),
        (negate(Compare(LEVEL, "AtMost", 3)), "has a level that is not at most 3"),
        (Compare(core("isPaidIn").value, "AtMost", 3), "has an is paid in of at most 3"),
    ],
)
def test_comparisons_are_said_back(selector: Selector, said: str) -> None:
    """By the label of the quantity; as a condition that is open, too."""
    vocabulary = game("magus").base.vocabulary
    assert say(selector, vocabulary, "hu") == said
    assert conditions(Compare(LEVEL, "AtMost", 3), vocabulary) == ("level at most 3",)
    assert conditions(negate(Compare(LEVEL, "AtMost", 3)), vocabulary) == ("not level at most 3",)


# --- answers


def test_answers_as_data() -> None:
    """The selector holds the comparison; what has no level is listed with an answer of its own."""
    (reading,) = json.loads(json.dumps(game("magus").match("legfeljebb 3. szintű lap").to_json()))["readings"]
    assert reading["selector"] == {"compare": [LEVEL, "AtMost", 3]}
    assert reading["words"] == "has a level of at most 3"
    answers = {member["id"]: member["answer"] for member in reading["members"]}
    assert (answers["organ-rion"], answers[NOBODY_S_LEVEL]) == ("yes", "no-value")
    assert "rutilicus" not in answers
    assert set(answers.values()) == {"yes", "no-value"}


@pytest.mark.parametrize("name", WITH_QUANTITIES)
@pytest.mark.parametrize("comparison", COMPARISONS)
@pytest.mark.parametrize("number", [0, 3])
def test_a_comparison_or_its_denial_or_no_value(name: str, comparison: Comparison, number: int) -> None:
    """Of every card exactly one of the three holds; together and apart the two say no more than that."""
    vocabulary = game(name).base.vocabulary
    given = {value.value for _, value in vocabulary.pairs(core("isGivenBy")) if isinstance(value, ox.NamedNode)}
    assert given
    for atom in (Compare(iri, comparison, number) for iri in given):
        for stage in pool(name).stages:
            for one in pool(name).referents:
                plain, denied, both, either = (
                    stage.view.evaluate(selector, one.iri).value
                    for selector in (
                        atom,
                        negate(atom),
                        all_of([atom, negate(atom)]),
                        any_of([atom, negate(atom)]),
                    )
                )
                assert {plain, denied} in ({True, False}, {plain})
                assert (both, either) == ((False, True) if isinstance(plain, bool) else (plain, plain))
                assert isinstance(plain, bool) == bool(stage.view.numbers(one.iri, atom.characteristic))


def explanation(text: str, who: str) -> list[str]:
    """The lines of the one explanation of an answer, top down."""
    (step,) = game("magus").explain(text, who)
    return [line.text for line in step.walk()]


def test_explanations_show_value_and_comparison() -> None:
    """Whichever way it comes out, and of a missing value why it is missing."""
    lines = explanation(PEOPLE, "organ-rion")
    assert "the word “legfeljebb 3. szintű” compares: at most 3" in lines
    assert "the level of Organ Rion, 3, is at most 3" in lines
    assert "Organ Rion has level 3" in lines
    lines = explanation(PEOPLE, "rutilicus")
    assert lines[0].endswith("? no")
    assert "the level of Rutilicus, 4, is not at most 3" in lines
    assert "Rutilicus has level 4" in lines
    lines = explanation(PEOPLE, NOBODY_S_LEVEL)
    assert lines[0].endswith("? no-value")
    assert "Kikötői naplopó has no level: “at most 3” is neither true nor false of it" in lines
    assert any(line.startswith("magus:C.level would say so, but") for line in lines)
    lines = explanation("nem legfeljebb 3. szintű kalandozó lap", NOBODY_S_LEVEL)
    assert lines[0].endswith("? no-value")


def test_rules_behind_answers() -> None:
    """A value rests on the rules that give it, a missing one on those that read the text."""
    (reading,) = game("magus").match(PEOPLE).readings
    rules = {member.referent.id: [rule.id for rule in member.rules] for member in reading.members}
    assert rules["organ-rion"] == ["magus:B.lap", "magus:C.level"]
    assert rules[NOBODY_S_LEVEL] == ["magus:B.lap"]


EXTRA = """cards:
  - id: test-herald
    name: Toborzó
    type: Akciólap
    invented: true
    note: A reference that compares a level.
    abilities:
      - id: call
        references:
          - {text: legfeljebb 3. szintű kalandozó lap, relation: strengthens}
"""


@pytest.fixture(scope="module")
def with_reference(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The game with a card on which a comparison is printed."""
    root = tmp_path_factory.mktemp("library")
    for folder in ("ontology", "queries", "data/magus", "data/languages"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("cases"))
    (root / "data/magus/cards/extra.yaml").write_text(EXTRA, encoding="utf-8")
    return load("magus", library=root)


def test_printed_comparisons_in_the_dataset(with_reference: Game) -> None:
    """A reified answer for what has no level, no match and no relation; the reference is a class of its own."""
    store = full_store([with_reference.base])
    card = BASE + "game/magus/card/"
    printed, none = ox.NamedNode(card + "test-herald/ability/call/reference/1"), ox.NamedNode(card + NOBODY_S_LEVEL)

    def found(subject: ox.NamedNode, local: str) -> set[object]:
        return {quad.object for quad in store.quads_for_pattern(subject, core(local), None)}

    answers = {quad.subject for quad in store.quads_for_pattern(None, core("ofReference"), printed)}
    (about,) = [node for node in answers if isinstance(node, ox.NamedNode) and found(node, "toReferent") == {none}]
    assert found(about, "verdict") == {core("NoValue")}
    for subject, local in (
        (printed, "matches"),
        (printed, "mayMatch"),
        (ox.NamedNode(card + "test-herald"), "strengthens"),
        (ox.NamedNode(card + "test-herald"), "mayInteractWith"),
    ):
        assert ox.NamedNode(card + "organ-rion") in found(subject, local)
        assert none not in found(subject, local)
    defined = definitions(quad.triple for quad in store.quads_for_pattern(None, None, None))
    assert Compare(LEVEL, "AtMost", 3) in list(atoms(defined[printed.value]))


def test_printed_comparisons_in_the_graph(with_reference: Game) -> None:
    """An edge with the answer no-value, in every format."""
    graph = with_reference.graph()
    found = {edge.relation for edge in graph.edges if edge.answer == NO_VALUE}
    assert found == {"core:matches", "core:strengthens"}
    for name in FORMATS:
        pieces = [piece for file in render(graph, name).values() for piece in file]
        assert any(NO_VALUE in piece or "NoValue" in piece for piece in pieces)


# --- never a crash

PIECES = (
    "legfeljebb|legalább|pontosan|több mint|kevesebb mint|3 szintű|szintű|szint|szintek|3|3.|0|12|egy|két|harmadik"
    "|3-nál|5-nél|egynél|nagyobb|kevesebb|vagy kisebb|vagy több|alatti|feletti|kalandozó|kalandozók|lap|akciólap|Lovag"
    "|HARCOS|nem|nem-|vagy|és|,|(|)|irányított|Jelenben lévő|másik|ugyanaz a|Vaskapu szint|**Organ Rion**|az összes"
)


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES.split("|")), min_size=1, max_size=7).map(" ".join))
def test_any_comparison_is_answered_or_refused(text: str) -> None:
    """Whatever stands beside it: answers, or an error about the text."""
    scene = pool("magus")
    try:
        found = match(scene, text)
    except TextError:
        return
    for reading in found.readings:
        assert reading.words
        for member in reading.members:
            assert member.answer.verdict in ("yes", "when", "no-value", "unsettled")
    json.dumps(found.to_json())
