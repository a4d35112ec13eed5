"""What rules make of facts: the same as a reference evaluator makes of them, in any order, in every run."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.engine import inference
from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import Branch, Inference, infer
from reasoner.engine.precedence import Exclusions, Support
from reasoner.engine.rule import Rule
from reasoner.errors import RuleError

from . import datalog
from .ember import BASE, MORE, TARGET, World, exclusions, facts, iri, program, reasons, rule, say, told


def derived(found: Inference) -> list[str]:
    """Return what was derived in the only branch."""
    (branch,) = found.branches
    return told(branch.supports)


@settings(max_examples=100)
@given(facts=datalog.facts, clauses=datalog.programs, split=st.integers(0, 12), seed=st.integers(0, 99))
def test_same_facts_as_the_reference(
    facts: set[datalog.Fact], clauses: list[datalog.Clause], split: int, seed: int
) -> None:
    """All that holds and nothing else, whatever the order of facts, of rules and of graphs; or R107 where none is."""
    expected = datalog.model(facts, clauses)
    rules = [clause.compiled(number) for number, clause in enumerate(clauses)]
    ordered = sorted(facts)
    world = World(datalog.turtle(ordered[:split]), datalog.turtle(ordered[split:]))
    if expected is None:
        with pytest.raises(RuleError, match=r"^R107 .* wait for each other in a cycle"):
            world.run(rules)
        return
    before = sorted(map(str, world.store))
    found = world.run(rules)
    assert derived(found) == sorted(" ".join(fact) for fact in expected - facts)
    written = [quad for quad in world.store if quad.graph_name == TARGET]
    assert sorted(map(str, world.store)) == sorted(before + list(map(str, written)))
    assert told(quad.triple for quad in written) == derived(found)
    shuffle = random.Random(seed).sample
    other = World(datalog.turtle(shuffle(ordered, len(ordered))))
    again = other.run(shuffle(rules, len(rules)))
    assert list(reasons(again.branches[0]).items()) == list(reasons(found.branches[0]).items())


CHAIN = " ".join(f":n{n} :next :n{n + 1} ." for n in range(30))
CIRCLE = f"{CHAIN} :n30 :next :n0 ."
STEP = rule("step", "?x :reaches ?y", "?x :next ?y")
FURTHER = {
    "to the right": rule("further", "?x :reaches ?z", "?x :next ?y . ?y :reaches ?z"),
    "to the left": rule("further", "?x :reaches ?z", "?x :reaches ?y . ?y :next ?z"),
    "both ways": rule("further", "?x :reaches ?z", "?x :reaches ?y . ?y :reaches ?z"),
}


@pytest.mark.parametrize("further", FURTHER.values(), ids=FURTHER)
def test_transitive_closure(further: Rule) -> None:
    """Of a chain and of a circle, however the recursion is written, and the same as a property path gives."""
    for given_facts, pairs in ((CHAIN, 30 * 31 // 2), (CIRCLE, 31 * 31)):
        found = derived(World(given_facts).run([STEP, further]))
        assert len(found) == pairs
        assert found == derived(World(given_facts).run([rule("path", "?x :reaches ?y", "?x :next+ ?y")]))


def test_mutual_recursion_and_what_waits_for_it() -> None:
    """Even and odd places of a chain, then what is neither; a negation sees the end of the recursion."""
    rules = [
        rule(
            "lost", "?x :is :lost", "?x a :Place FILTER NOT EXISTS { ?x :is :even } FILTER NOT EXISTS { ?x :is :odd }"
        ),
        rule("odd", "?y :is :odd", "?x :is :even . ?x :next ?y"),
        rule("even", "?y :is :even", "?x :is :odd . ?x :next ?y"),
    ]
    world = World(":n0 :is :even . :n0 :next :n1 . :n1 :next :n2 . :n2 :next :n3 . :n3 a :Place . :far a :Place .")
    assert derived(world.run(rules)) == ["far is lost", "n1 is odd", "n2 is even", "n3 is odd"]


SINGLE: dict[str, tuple[str, str, str, list[str]]] = {
    "several heads": (":a :p :b .", "?x :r ?y . ?y :s ?x . :k :t 1", "?x :p ?y", ["a r b", "b s a", "k t 1"]),
    "a literal is no subject": (":a :p 1 , :b .", "?y :r ?x", "?x :p ?y", ["b r a"]),
    "an unbound variable gives no fact": (
        ":a :p :b . :c :p :d ; :q :e .",
        "?x :r ?z ; :s ?y",
        "?x :p ?y OPTIONAL { ?x :q ?z }",
        ["a s b", "c r e", "c s d"],
    ),
    "an error in BIND leaves unbound": (":a :p 'x' , 2 .", "?x :r ?z", "?x :p ?y BIND(?y + 1 AS ?z)", ["a r 3"]),
    "new IRIs": (":a :p :b .", "?z :r ?x", '?x :p ?y BIND(IRI(CONCAT(STR(?x), "2")) AS ?z)', ["a2 r a"]),
    "what is given is not derived": (":a :p :b ; :r :b . :c :p :d .", "?x :r ?y", "?x :p ?y", ["c r d"]),
    "types that are given": (
        ":a a :Spell ; :p 1 . :b :p 1 . :Spell a :Class .",
        "?x a :Spell , :Card",
        "?x :p 1",
        ["a a Card", "b a Card", "b a Spell"],
    ),
    "count": (
        ":a :p 1 , 2 , 3 . :b :p 1 .",
        "?x :many ?n",
        "{ SELECT ?x (COUNT(?y) AS ?n) { ?x :p ?y } GROUP BY ?x } FILTER(?n > 1)",
        ["a many 3"],
    ),
    "greatest": (
        ":a :p 1 , 3 . :b :p 2 .",
        "?x :is :greatest",
        "?x :p ?y FILTER NOT EXISTS { ?other :p ?more FILTER(?more > ?y) }",
        ["a is greatest"],
    ),
    "no body": ("", ":a :r :b", "", ["a r b"]),
    "values": ("", "?x :r ?y", "VALUES (?x ?y) { (:a 1) (:b 2) }", ["a r 1", "b r 2"]),
    "no fact for a premise": (":a :p :b .", "?x :r ?y", "?x :p ?y . ?y a :Spell", []),
}


@pytest.mark.parametrize(("given_facts", "head", "body", "expected"), SINGLE.values(), ids=SINGLE)
def test_one_rule(given_facts: str, head: str, body: str, expected: list[str]) -> None:
    """The facts a single rule gives, the whole of them."""
    assert derived(World(given_facts).run([rule("one", head, body)])) == expected


def test_the_first_way_by_its_text_is_kept() -> None:
    """Of several solutions that give a fact, the first by its bindings; of several rules, the one that ran first."""
    one, two = rule("one", "?x :r 1", "?x :p ?y"), rule("two", "?x :r 1 ; :s 1", "?x :p ?y")
    for order in (":a :p :c , :b , :d .", ":a :p :d , :b , :c .", ":a :p :b , :d , :c ."):
        assert reasons(World(order).run([two, one]).branches[0]) == {
            "a r 1": ("ember:one", {"x": "a", "y": "b"}),
            "a s 1": ("ember:two", {"x": "a", "y": "b"}),
        }


def test_other_graphs_do_not_matter() -> None:
    """Facts of graphs that are not named are not seen, and stay."""
    world = World(":a :p :b .", ":c :p :d .")
    found = infer(world.store, [BASE], signatures(facts(":a :p :b .")), program([STEP_P]), TARGET)
    assert derived(found) == ["a r b"]
    assert [say(q.triple) for q in world.store.quads_for_pattern(None, None, None, MORE)] == ["c p d"]


STEP_P = rule("step-p", "?x :r ?y", "?x :p ?y")


def test_blank_nodes_are_facts_like_others() -> None:
    """A conclusion about a blank node of the facts is about that very node."""
    world = World("_:b :p :a .")
    (fact,) = world.run([STEP_P]).branches[0].supports
    assert fact.subject == next(iter(world.asserted)).subject


def test_signatures() -> None:
    """The predicates of facts, and the classes of types, whether facts come alone or with their graphs."""
    triples = facts(":a :p 1 , 2 ; a :Spell . :b a 'text' .")
    expected = {
        ("https://example.org/ember/p", None),
        ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", None),
        ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "<https://example.org/ember/Spell>"),
        ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", '"text"'),
    }
    assert signatures(triples) == expected
    assert signatures(ox.Quad(t.subject, t.predicate, t.object, BASE) for t in triples) == expected


ENDLESS = {
    "counting": rule("count", "?x :n ?next", "?x :n ?n BIND(?n + 1 AS ?next)"),
    "growing": rule("grow", "?new :p ?x", '?x :p ?y BIND(IRI(CONCAT(STR(?x), "x")) AS ?new)'),
}


@pytest.mark.parametrize("endless", ENDLESS.values(), ids=ENDLESS)
def test_recursion_without_end_is_an_error(endless: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that makes new values of its own is stopped, and named."""
    monkeypatch.setattr(inference, "MOST_ROUNDS", 50)
    with pytest.raises(RuleError) as caught:
        World(":a :n 1 ; :p :b .").run([endless])
    assert str(caught.value) == (
        f"R113 recursive rules find no end: {endless.id}\n  they make new values out of their own"
    )


def test_recursion_that_explodes_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that doubles what there is in each round is stopped long before the last round."""
    monkeypatch.setattr(inference, "MOST_FACTS", 60)
    pair = rule("pair", "?new a :Thing", "?x a :Thing . ?y a :Thing BIND(IRI(CONCAT(STR(?x), STR(?y))) AS ?new)")
    with pytest.raises(RuleError, match=r"^R113 recursive rules find no end: ember:pair"):
        World("<x:a> a :Thing .").run([pair])


def test_recursion_with_an_end_is_none() -> None:
    """Counting down ends by itself, however many values it makes."""
    down = rule("down", "?x :n ?less", "?x :n ?n FILTER(?n > 0) BIND(?n - 1 AS ?less)")
    assert derived(World(":a :n 120 .").run([down])) == sorted(f"a n {n}" for n in range(120))


# --- the same in every run

RICH = """
:ash a :Tree ; :meets :spark , :rain ; :height 3 . :oak a :Tree ; :meets :spark ; :height 5 ; :next :ash .
:fir a :Tree ; :meets :rain , :spark ; :next :oak . :spark a :Fire . :rain a :Water .
"""


def rich_rules() -> Sequence[Rule]:
    """Return rules with recursion, negation, a settled and two unsettled conflicts, and a rule after them."""
    return [
        rule("burns", "?x :state :burning", "?x :meets/a :Fire"),
        rule("wet", "?x :state :wet", "?x :meets/a :Water"),
        rule("tall", "?x :size :tall", "?x :height ?h FILTER(?h > 2)"),
        rule("small", "?x :size :small", "?x :height ?h FILTER(?h < 4)", exception_to=("tall",)),
        rule("spread", "?x :near ?y", "?x :next+ ?y . ?y :meets ?z"),
        rule("smoke", "?x :smokes 1", "?x :state :burning FILTER NOT EXISTS { ?x :size :small }"),
    ]


def transcript() -> str:
    """Return all that is known after the rules have run, and why, in the order in which it came out."""
    found = World(RICH).run(rich_rules(), exclusions(functional=("state", "size")))
    lines = []
    for branch in found.branches:
        lines += [branch.graph.value, *(f"{fact}: {why}" for fact, why in reasons(branch).items())]
        lines += [f"{conflict.subject} {conflict.rules} {conflict.options}" for conflict in branch.conflicts]
    return "\n".join(lines)


def test_same_in_every_process(root: Path) -> None:
    """Facts, their reasons, conflicts, branches, and the order of them all, whatever the seed of Python's hashes."""
    command = [sys.executable, "-c", "from tests.engine.test_inference import transcript; print(transcript())"]
    outputs = set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        outputs.add(
            subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=True).stdout
        )
    assert outputs == {transcript() + "\n"}
    assert len(World(RICH).run(rich_rules(), exclusions(functional=("state", "size"))).branches) == 4


def test_nothing_runs_that_cannot_fire(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule one of whose premises no fact can meet is never asked of the store."""
    asked = []
    fire = inference._fire
    monkeypatch.setattr(inference, "_fire", lambda *args: asked.append(args[3].id) or fire(*args))
    rules = [
        rule("one", "?x :q ?y", "?x :p ?y"),
        rule("two", "?x :r ?y", "?x :q ?y . ?x a :Spell"),
        rule("three", "?x :s ?y", "?x :q ?y OPTIONAL { ?x :never ?z } FILTER NOT EXISTS { ?x :never ?z }"),
    ]
    assert derived(World(":a :p :b ; a :Card .").run(rules)) == ["a q b", "a s b"]
    assert asked == ["ember:one", "ember:three"]


# --- facts that an informant supplies


def informed(rules: Sequence[Rule], given_facts: str, excluding: Exclusions) -> tuple[Inference, list[list[str]]]:
    """Return what rules make of facts with an informant who says, of each branch, what glows; and what he was shown."""
    world, shown = World(given_facts), []

    def informant(branch: Branch) -> dict[ox.Triple, Support]:
        shown.append(told(branch.supports))
        support = Support(rule("informant", ":a :b :c", ""), {})
        red = [fact.subject for fact in branch.supports if fact.object == iri("red")]
        return {ox.Triple(subject, iri("glows"), iri("yes")): support for subject in red}

    chosen = replace(program(rules, excluding), informed=(frozenset({iri("glows").value}),))
    return infer(world.store, [BASE, MORE], signatures(world.asserted), chosen, TARGET, [informant]), shown


def test_informant_is_asked_once_in_each_branch() -> None:
    """When all is known that does not depend on what he says; what does depend on it follows."""
    rules = [
        rule("a-seen", "?x :seen 1", "?x :glows ?y"),
        rule("red", "?x :colour :red", "?x a :Card"),
        rule("blue", "?x :colour :blue", "?x a :Card"),
        rule("z-big", "?x :size 3", "?x a :Card"),
    ]
    found, shown = informed(rules, ":ember a :Card .", exclusions(functional=["colour"]))
    assert shown == [["ember colour blue", "ember size 3"], ["ember colour red", "ember size 3"]]
    assert [told(branch.supports) for branch in found.branches] == [
        ["ember colour blue", "ember size 3"],
        ["ember colour red", "ember glows yes", "ember seen 1", "ember size 3"],
    ]


def test_rival_of_what_waits_for_the_informant_waits_too() -> None:
    """What reads one value of a property waits, if another value of it can still be set in its place."""
    rules = [
        rule("plain", "?x :level 1", "?x a :Card"),
        rule("raised", "?x :level 2", "?x :glows ?y", exception_to=("plain",)),
        rule("red", "?x :colour :red", "?x a :Warm"),
        rule("low", "?x :is :low", "?x :level 1"),
    ]
    found, shown = informed(rules, ":ember a :Card , :Warm . :ash a :Card .", exclusions(functional=["level"]))
    assert shown == [["ember colour red"]]
    assert derived(found) == ["ash is low", "ash level 1", "ember colour red", "ember glows yes", "ember level 2"]
