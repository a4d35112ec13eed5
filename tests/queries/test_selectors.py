"""Two ways to one answer: the evaluator's plain yes and no against the selector written out as SPARQL."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pyoxigraph as ox
import pytest

from reasoner.errors import TextError
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.language.mention import COMPARISONS, Comparison
from reasoner.operations.casefile import expectation_kind, read_case
from reasoner.operations.cases import base_of, context_of
from reasoner.operations.interactions import Interpreted, interpret_all
from reasoner.operations.match import match
from reasoner.operations.scene import Referent, Scene, moment_scene, pool_scene
from reasoner.paths import Library
from reasoner.reference.evaluate import View
from reasoner.reference.possible import IDENTITY
from reasoner.reference.selector import All, Compare, Has, Not, Selector, all_of, any_of, negate
from reasoner.situation.play import Play
from reasoner.terms.namespaces import TYPE, XSD, core

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Library(ROOT)
CASES = sorted((ROOT / "data").glob("*/cases/**/*.yaml"))
GAMES = LIBRARY.games()


@cache
def base(game: str) -> KnowledgeBase:
    """The knowledge base of a game, once per run."""
    return open_base(LIBRARY, game)


def condition(selector: Selector, vocabulary: Vocabulary, *, pool: bool) -> str:
    """Return a SPARQL expression that is true of ?x where `selector` holds of it, whatever is still open.

    A negation holds only where the contrary is known: by the property that denies, or by some other value. So does that
    of a comparison.
    """
    if isinstance(selector, Compare):
        return f"EXISTS {{ {valued(selector)} FILTER(?value {OPERATORS[selector.comparison]} {selector.number}) }}"
    if isinstance(selector, Not) and isinstance(selector.part, Compare):
        return f"(EXISTS {{ {valued(selector.part)} }} && !{condition(selector.part, vocabulary, pool=pool)})"
    if isinstance(selector, Has):
        if selector.characteristic == IDENTITY:
            return "false" if pool else f"?x = {selector.value}"
        return f"EXISTS {{ ?x <{selector.characteristic}> {selector.value} }}"
    if isinstance(selector, Not):
        assert isinstance(selector.part, Has)
        predicate, value = ox.NamedNode(selector.part.characteristic), selector.part.value
        if predicate.value == IDENTITY:
            return f"?x != {value}"
        absent = f"NOT EXISTS {{ ?x {predicate} {value} }}"
        denial = vocabulary.first(predicate, core("isDeniedBy"))
        if denial is not None:
            return f"EXISTS {{ ?x {denial} {value} }}"
        if vocabulary.first(predicate, core("isOpenWithoutValue")) is not None:
            return f"({absent} && EXISTS {{ ?x {predicate} ?any }})"
        return absent
    if not selector.parts:
        return "true" if isinstance(selector, All) else "false"
    sign = " && " if isinstance(selector, All) else " || "
    return "(" + sign.join(condition(part, vocabulary, pool=pool) for part in selector.parts) + ")"


OPERATORS = {"AtMost": "<=", "AtLeast": ">=", "MoreThan": ">", "LessThan": "<", "Exactly": "="}


def valued(atom: Compare) -> str:
    """Return a pattern that finds the whole numbers that an atom compares."""
    return f"?x <{atom.characteristic}> ?value FILTER(datatype(?value) = <{XSD}integer>)"


def selected(selector: Selector, view: View, referents: Iterable[Referent]) -> set[str]:
    """Return which of `referents` the `selector` holds of in the facts of `view`, by SPARQL."""
    text = f"""SELECT DISTINCT ?x WHERE {{
        VALUES ?x {{ {" ".join(str(one.iri) for one in referents)} }}
        FILTER({condition(selector, view.vocabulary, pool=view.is_pool)})
    }}"""
    solutions = view.store.query(text, default_graph=list(view.graphs))
    assert isinstance(solutions, ox.QuerySolutions)
    return {str(solution["x"]) for solution in solutions}


def compare(selector: Selector, scene: Scene) -> None:
    """Assert that evaluator and SPARQL agree on `selector`: on whom it holds of, and of whom it does not."""
    for stage in scene.stages:
        values = {str(one.iri): stage.view.evaluate(selector, one.iri).value for one in scene.referents}
        for part, wanted in ((selector, True), (negate(selector), False)):
            meant = {iri for iri, value in values.items() if value is wanted}
            found = selected(part, stage.view, scene.referents)
            if is_both_ways(selector):
                assert found <= meant
            else:
                assert found == meant


def is_both_ways(selector: Selector) -> bool:
    """Return whether an atom stands there plain and negated: what is open may then cancel out, unseen by SPARQL."""
    return not set(plain(selector)).isdisjoint(negated(selector))


def plain(selector: Selector) -> list[Selector]:
    """Return the atoms that are not negated."""
    if isinstance(selector, Has | Compare | Not):
        return [] if isinstance(selector, Not) else [selector]
    return [atom for part in selector.parts for atom in plain(part)]


def negated(selector: Selector) -> list[Selector]:
    """Return the atoms that are negated."""
    return plain(negate(selector))


@cache
def interpreted(game: str) -> tuple[tuple[Interpreted, ...], Scene]:
    """Every printed reference of a game, read, and the pool."""
    scene = pool_scene(base(game))
    return interpret_all(base(game), scene), scene


@pytest.mark.parametrize("game", GAMES)
def test_every_printed_reference(game: str) -> None:
    """On the pool, for every reading of every reference printed on a card."""
    found, scene = interpreted(game)
    selectors = {selector for one in found for reading in one.readings for selector in reading.selectors}
    assert selectors
    for selector in selectors:
        compare(selector, scene)


@pytest.mark.parametrize("game", GAMES)
def test_matches_in_the_dataset_are_those_of_sparql(game: str) -> None:
    """A reference with one reading and one meaning matches in the dataset exactly what SPARQL finds."""
    found, scene = interpreted(game)
    view = scene.stages[0].view
    tried = 0
    for one in found:
        if len(one.readings) == len(scene.stages) == 1 and len(one.readings[0].selectors) == 1:
            matched = {str(member.referent.iri) for member in one.readings[0].members if member.answer.verdict == "yes"}
            assert matched == selected(one.readings[0].selectors[0], view, scene.referents)
            tried += 1
    assert tried


@pytest.mark.parametrize("path", CASES, ids=[path.relative_to(ROOT / "data").as_posix() for path in CASES])
def test_every_text_of_a_case(path: Path) -> None:
    """At the moments of the cases, for every text that they match, and for what stands there negated."""
    case = read_case(path, GAMES)
    play = Play(base_of(case, base(case.game)), case.name, case.data["given"], case.data.get("cards"))
    for step in case.steps:
        if "do" in step:
            play.do(step["do"])
            continue
        kind = expectation_kind(step["expect"])
        if kind not in ("match", "condition") or "of" in step["expect"]:
            continue  # it asks for no selector
        text, expect = str(step["expect"][kind]), step["expect"]
        scene = moment_scene(play.base, play.now)
        try:
            context = context_of(expect, scene, text)
            for reading in match(scene, text, context).readings:
                for selector in reading.selectors:
                    compare(selector, scene)
        except TextError:
            assert "error" in expect


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("comparison", COMPARISONS)
def test_every_comparison(game: str, comparison: Comparison) -> None:
    """Of every quantity with numbers around those on the cards, on the pool, alone and with another condition."""
    scene = pool_scene(base(game))
    vocabulary = base(game).vocabulary
    kind = Has(TYPE.value, vocabulary.instances(core("CardType"))[0])
    for given in {value.value for _, value in vocabulary.pairs(core("isGivenBy")) if isinstance(value, ox.NamedNode)}:
        for number in (-1, 0, 3, 4, 100):
            atom = Compare(given, comparison, number)
            for selector in (atom, all_of([kind, atom]), any_of([kind, atom]), any_of([kind, negate(atom)])):
                compare(selector, scene)


def test_what_is_open_either_way_is_not_open() -> None:
    """An open atom and its negation: together they hold of nothing, as alternatives of everything."""
    game = GAMES[0]
    scene = pool_scene(base(game))
    status = base(game).vocabulary.instances(core("Status"))[0]
    kind = base(game).vocabulary.instances(core("CardType"))[0]
    controlled, typed = Has(core("hasStatus").value, status), Has(TYPE.value, kind)
    for one in scene.referents:
        evaluate = scene.stages[0].view.evaluate
        assert evaluate(controlled, one.iri).value is None
        assert evaluate(all_of([controlled, negate(controlled)]), one.iri).value is False
        assert evaluate(any_of([controlled, negate(controlled)]), one.iri).value is True
        either = any_of([all_of([controlled, typed]), all_of([negate(controlled), typed])])
        assert evaluate(either, one.iri).value is evaluate(typed, one.iri).value
        # The same condition twice is one condition.
        twice = any_of([all_of([controlled, typed]), all_of([controlled, negate(typed)])])
        assert evaluate(twice, one.iri).open == controlled
