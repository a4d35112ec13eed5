"""Why a fact does not hold: the premise at which each rule that could conclude it comes to an end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyoxigraph as ox
import pytest

from reasoner.engine.pattern import Pattern, pattern_from_text
from reasoner.engine.rule import Rule
from reasoner.operations.whynot import DEEPEST, Failure, WhyNot

from .ember import BASE, MORE, World, exclusions, iri, program, rule, short

FIRE = [
    rule("dry", "?x :is :dry", "?x a :Wood FILTER NOT EXISTS { ?x :is :wet }"),
    rule("burn", "?x :is :burning", "?x :is :dry ; :meets ?y . ?y a :Fire"),
    rule("char", "?x :is :burning", "?x a :Coal ; :touches ?y . ?y :is :burning"),
    rule("wet", "?x :is :wet", "?x :meets ?y . ?y a :Water"),
]


def goal(text: str) -> Pattern:
    """Return the pattern of a fact in local names; `a` is rdf:type, `?x` a variable."""
    subject, verb, value = text.split()
    encoded = [part if part.startswith("?") else str(iri(part)) for part in (subject, verb, value)]
    if verb == "a":
        encoded[1] = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    return pattern_from_text(encoded)


def outline(failure: Failure, depth: int = 0) -> Iterator[str]:
    """Yield the lines of an explanation: what does not hold, and why no rule gives it."""
    text = " ".join(short(part.rpartition(" | ")[2]) for part in failure.fact)
    yield "  " * depth + f"no: {text}" + (" …" if failure.cut else "")
    for attempt in failure.attempts:
        yield "  " * depth + f"- {attempt.rule.id} after {attempt.met}"
        for fact in attempt.instead:
            yield "  " * (depth + 1) + "but: " + " ".join(short(str(part)) for part in fact)
        if attempt.failed is not None:
            yield from outline(attempt.failed, depth + 1)
        elif attempt.blocked_by:
            facts = [" ".join(short(part) for part in fact) for fact in attempt.blocked_by]
            yield "  " * (depth + 1) + "blocked: " + ", ".join(facts)
        elif attempt.condition is not None:
            values = ", ".join(f"{name} is {short(str(value))}" for name, value in attempt.condition.values)
            yield "  " * (depth + 1) + f"unmet: {attempt.condition.text} ({values})"
        else:
            yield "  " * (depth + 1) + "fires"


@dataclass(frozen=True)
class Example:
    """Facts, a fact that does not follow from them by the rules, and why."""

    given: str
    asked: str
    why: Sequence[str]
    rules: Sequence[Rule] = tuple(FIRE)


EXAMPLES: dict[str, Example] = {
    "no rule concludes it": Example(":log a :Wood .", "log a Fire", ["no: log a Fire"]),
    "no rule concludes that value": Example(":log a :Wood .", "log is cold", ["no: log is cold"]),
    "an asserted premise is missing": Example(
        ":log :meets :spark . :log a :Coal ; :touches :ash .",
        "log is burning",
        [
            "no: log is burning",
            "- ember:char after 2",
            "  no: ash is burning",
            "  - ember:burn after 0",
            "    no: ash is dry",
            "    - ember:dry after 0",
            "      no: ash a Wood",
            "  - ember:char after 0",
            "    no: ash a Coal",
            "- ember:burn after 0",
            "  no: log is dry",
            "  - ember:dry after 0",
            "    no: log a Wood",
        ],
    ),
    "the last premise of several": Example(
        ":log a :Wood ; :meets :friend .",
        "log is burning",
        [
            "no: log is burning",
            "- ember:burn after 2",
            "  no: friend a Fire",
            "- ember:char after 0",
            "  no: log a Coal",
        ],
    ),
    "what must be absent is there": Example(
        ":log a :Wood ; :meets :rain , :spark . :rain a :Water . :spark a :Fire .",
        "log is burning",
        [
            "no: log is burning",
            "- ember:burn after 0",
            "  but: log is wet",
            "  no: log is dry",
            "  - ember:dry after 1",
            "    blocked: log is wet",
            "- ember:char after 0",
            "  no: log a Coal",
        ],
    ),
    "a walk leads nowhere": Example(
        ":a :next :b . :b :next :c . :d a :End .",
        "a reaches d",
        ["no: a reaches d", "- ember:walk after 0", "  no: a next+ d"],
        [rule("walk", "?x :reaches ?y", "?x :next+ ?y . ?y a :End")],
    ),
    "no branch of a union": Example(
        ":a :o :b .",
        "a r b",
        ["no: a r b", "- ember:either after 1", "  no: a p b"],
        [rule("either", "?x :r ?y", "?x :o ?y { ?x :p ?y } UNION { ?x :q ?y }")],
    ),
    "a constant of the head is another": Example(
        ":a :p 2 .", "a is big", ["no: a is big"], [rule("small", "?x :is :small", "?x :p 2")]
    ),
    "one variable for subject and object": Example(
        ":a :p :a , :b .", "a same b", ["no: a same b"], [rule("same", "?x :same ?x", "?x :p ?x")]
    ),
    "one end that is not the other": Example(
        ":a :p :b .",
        "a same a",
        ["no: a same a", "- ember:same after 0", "  no: a p a"],
        [rule("same", "?x :same ?x", "?x :p ?x")],
    ),
    "one variable for both ends, both open": Example(
        ":a :p :b ; a :Card .",
        "a loops yes",
        ["no: a loops yes", "- ember:loops after 1", "  no: ?y p ?y"],
        [rule("loops", "?x :loops :yes", "?x a :Card . ?y :p ?y")],
    ),
    "what must be absent together is not": Example(
        ":a a :Card ; :p :b . :c :q :end . :a :level 3 .",
        "a free yes",
        ["no: a free yes", "- ember:free after 1", "  no: a open yes"],
        [rule("free", "?x :free :yes", "?x a :Card ; :open :yes FILTER NOT EXISTS { ?x :p ?y . ?y :q :end }")],
    ),
    "what must be absent together is there": Example(
        ":a a :Card ; :p :b , :c . :c :q :end .",
        "a free yes",
        ["no: a free yes", "- ember:free after 1", "  blocked: a p c, c q end"],
        [rule("free", "?x :free :yes", "?x a :Card FILTER NOT EXISTS { ?x :p ?y . ?y :q :end }")],
    ),
    "a filter inside what must be absent": Example(
        ":a a :Card ; :level 3 , 5 .",
        "a low yes",
        ["no: a low yes", "- ember:low after 1", "  blocked: a level 5"],
        [rule("low", "?x :low :yes", "?x a :Card FILTER NOT EXISTS { ?x :level ?n FILTER(?n > 4) }")],
    ),
    "one way is blocked and the other is not": Example(
        ":a :p :b , :c . :b a :Wet .",
        "a free yes",
        ["no: a free yes", "- ember:free after 1", "  unmet: FILTER(?y != :c) (y is c)"],
        [rule("free", "?x :free :yes", "?x :p ?y FILTER NOT EXISTS { ?y a :Wet } FILTER(?y != :c)")],
    ),
    "a filter": Example(
        ":a :level 3 .",
        "a high yes",
        ["no: a high yes", "- ember:high after 1", "  unmet: FILTER(?n > 4) (n is 3)"],
        [rule("high", "?x :high :yes", "?x :level ?n FILTER(?n > 4)")],
    ),
    "values": Example(
        ":a :kind :Fire .",
        "a wet yes",
        ["no: a wet yes", "- ember:wet after 1", "  unmet: VALUES ?kind { :Water :Rain } (kind is Fire)"],
        [rule("wet", "?x :wet :yes", "?x :kind ?kind VALUES ?kind { :Water :Rain }")],
    ),
    "a number that comes out otherwise": Example(
        ":a :level 3 .",
        "a next 5",
        ["no: a next 5", "- ember:next after 1", "  unmet: BIND(?n + 1 AS ?m) (n is 3, m is 4)"],
        [rule("next", "?x :next ?m", "?x :level ?n BIND(?n + 1 AS ?m)")],
    ),
    "what is taken away": Example(
        ":a :p :b ; :q :b .",
        "a r b",
        ["no: a r b", "- ember:minus after 1", "  blocked: a q b"],
        [rule("minus", "?x :r ?y", "?x :p ?y MINUS { ?x :q ?y }")],
    ),
    "what must exist": Example(
        ":a :p :b .",
        "a r b",
        ["no: a r b", "- ember:exists after 1", "  no: b q ?z"],
        [rule("exists", "?x :r ?y", "?x :p ?y FILTER EXISTS { ?y :q ?z }")],
    ),
    "a rule about another kind of thing comes last": Example(
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
        ":x :kind :Card . :kind rdfs:range :Kind . :Card a :Kind . :colour rdfs:range :Colour . :red a :Colour . "
        ":red rdfs:subClassOf :warm . :Card rdfs:subClassOf :thing .",
        "x a warm",
        [
            "no: x a warm",
            "- ember:z-colour after 0",
            "  no: x colour ?c",
            "- ember:a-kind after 1",
            "  no: Card subClassOf* warm",
        ],
        [
            rule("a-kind", "?x a ?class", "?x :kind ?k . ?k rdfs:subClassOf* ?class"),
            rule("z-colour", "?x a ?class", "?x :colour ?c . ?c rdfs:subClassOf* ?class"),
        ],
    ),
    "a rival prevailed": Example(
        ":a a :Card .",
        "a colour red",
        ["no: a colour red", "- ember:one after 1", "  fires"],
        [
            rule("one", "?x :colour :red", "?x a :Card"),
            rule("two", "?x :colour :blue", "?x a :Card", exception_to=("one",)),
        ],
    ),
    "what is so instead": Example(
        ":a a :Card ; :kind :Fire .",
        "a feels cold",
        ["no: a feels cold", "- ember:cold after 1", "  but: a colour red", "  no: red a ColdColour"],
        [
            rule("red", "?x :colour :red", "?x :kind :Fire"),
            rule("cold", "?x :feels :cold", "?x :colour ?c . ?c a :ColdColour"),
        ],
    ),
}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_the_failing_premise_is_named(example: Example) -> None:
    """For each rule that could conclude the fact, the one that came furthest first, where it ends and why."""
    world = World(example.given)
    excluding = exclusions(functional=["colour"])
    (branch,) = world.run(example.rules, excluding).branches
    found = WhyNot(world.store, (BASE, MORE, branch.graph), [program(example.rules, excluding)]).explain(
        goal(example.asked)
    )
    assert list(outline(found)) == list(example.why)


RECURSIVE = {
    "to itself": [rule("again", "?x :likes ?y", "?y :likes ?x")],
    "transitive": [rule("further", "?x :reaches ?z", "?x :reaches ?y . ?y :reaches ?z")],
    "round": [
        rule("one", "?x :b ?y", "?x :a ?y"),
        rule("two", "?x :c ?y", "?x :b ?y"),
        rule("three", "?x :a ?y", "?x :c ?y"),
    ],
    "ever new": [
        rule("up", "?x :is ?y", "?z :below ?x . ?z :is ?y"),
        rule("down", "?x :below ?y", "?z :is ?x . ?z :below ?y"),
    ],
}


@pytest.mark.parametrize(
    ("rules", "asked"),
    list(zip(RECURSIVE.values(), ["k likes l", "k reaches l", "k a l", "k is l"], strict=True)),
    ids=RECURSIVE,
)
def test_recursion_comes_to_an_end(rules: Sequence[Rule], asked: str) -> None:
    """A fact that would follow from itself is cut off where it comes again, and nothing goes deeper than DEEPEST."""
    world = World(":m :other :n .")
    pattern = goal(asked) if asked != "k a l" else Pattern(iri("k"), iri("a"), iri("l"))
    found = WhyNot(world.store, (BASE,), [program(rules)]).explain(pattern)
    lines = list(outline(found))
    assert any(line.endswith("…") for line in lines)
    assert max(line.index("no:") // 2 for line in lines if "no:" in line) <= DEEPEST
    assert len(lines) < 200


def test_question_with_an_open_place() -> None:
    """A place of the fact may be left open: nothing at all is found there."""
    world = World(":log a :Wood .")
    found = WhyNot(world.store, (BASE,), [program(FIRE)]).explain(goal("log meets ?y"))
    assert list(outline(found)) == ["no: log meets ?y"]
    bound = WhyNot(world.store, (BASE,), [program(FIRE)]).explain(
        goal("?x is wet"), {"x": ox.NamedNode(iri("log").value)}
    )
    assert list(outline(bound)) == ["no: log is wet", "- ember:wet after 0", "  no: log meets ?y"]
