"""Which rules tell of each thing by itself, so that they can be run over groups of things one after the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.engine.apart import kept_together
from reasoner.engine.conclusions import signatures
from reasoner.engine.rule import Rule
from tests.engine.ember import EMBER, World, facts, rule, told

# Cards with faces; colours and kinds are what is known around them.
CARDS = (
    ':a a :Card ; :colour :red ; :face :a1 ; :called "x" ; :size 1 . :a1 a :Face ; :colour :red ; :size 2 .',
    ':b a :Card ; :colour :red ; :face :b1 ; :called "y" ; :size 3 . :b1 a :Face ; :colour :blue ; :called "x" .',
    ':c a :Card ; :colour :blue ; :called "z" ; :size 1 .',
)
AROUND = ':red a :Colour ; :warm true ; :near :blue . :blue a :Colour ; :near :red ; :called "blue" .'
APART = {
    "plain": rule("plain", "?c :has ?v", "?c :colour ?v"),
    "of its face": rule("face", "?c :has ?v", "?c a :Card ; :face/:colour ?v"),
    "backward to the card": rule("back", "?f :faceOf ?c", "?c :face ?f . ?f :size ?n"),
    "by what is around": rule("warm", "?c :has :Warmth", "?c :face ?f ; :colour ?v . ?v :near* ?w . ?w :warm true"),
    "absent of its own": rule("lone", "?c :has :NoFace", "?c a :Card ; :size ?n . FILTER NOT EXISTS { ?c :face ?f }"),
    "either of its own": rule("either", "?c :has ?v", "{ ?c :size ?v } UNION { ?c :face ?v }"),
    "optional of its own": rule("maybe", "?g :has ?v", "?c :face ?f . ?f :size ?n OPTIONAL { ?g :size ?v ; :face ?f }"),
    "counted of its own": rule(
        "sum", "?c :total ?n", "{ SELECT ?c (SUM(?v) AS ?n) { ?c :face ?f . ?f :size ?v } GROUP BY ?c }"
    ),
    "about what is around": rule("around", "?v :known true", "?v a :Colour"),
    "never": rule("never", "?c :has ?o", "?c :colour ?v . ?o :colour ?v ; :nowhere ?x"),
    "never in any alternative": rule("dead", "?o :has ?c", "?c :size ?v { ?o :gone true } UNION { ?o :lost true }"),
}
NOT_APART = {
    "denied of others": rule("only", "?c :has :Alone", "?c :size ?v . FILTER NOT EXISTS { ?o :face ?f }"),
    "denied of what is around": rule("cold", "?c :has :Cold", "?c :size ?v . FILTER NOT EXISTS { ?o :colour :red }"),
    "counted of all": rule("all", "?c :total ?n", "?c :size ?v { SELECT (COUNT(?o) AS ?n) { ?o :size ?m } }"),
    "one of all": rule("first", "?c :has :First", "{ SELECT ?c { ?c :size ?v } ORDER BY ?v LIMIT 1 }"),
    "alternatives of others": rule("or", "?c :has ?v", "?c :size ?v { ?c :face ?f } UNION { ?o :face ?f }"),
    "optional of others": rule("if", "?c :has ?f", "?c :size ?v OPTIONAL { ?o :face ?f }"),
    "backward from a value": rule("same", "?c :has ?o", "?c :colour/^:colour ?o"),
    "about a value": rule("count", "?v :used true", "?c :colour ?v"),
    "any predicate": rule("any", "?o :has ?v", "?c :size ?n . ?o ?p ?v"),
    "a name made": rule("made", "?c :has ?o", f'?c :called ?n BIND(IRI(CONCAT("{EMBER}", ?n)) AS ?o)'),
}
TOGETHER = {
    "same colour": (rule("alike", "?c :like ?o", "?c :colour ?v ; :size ?n . ?o :colour ?v ; :size ?m"), {"colour"}),
    "name of another": (rule("named", "?c :like ?o", "?c :face ?f ; :size ?n . ?f :size ?m . ?o :size ?m"), {"size"}),
}


def together(*rules: Rule) -> set[str] | None:
    """Return the local names of the predicates by which things are kept together."""
    found = kept_together(rules, signatures(facts("\n".join(CARDS))), signatures(facts(AROUND)))
    return None if found is None else {one.removeprefix(EMBER) for one in found}


@pytest.mark.parametrize("what", APART)
def test_apart(what: str) -> None:
    assert together(APART[what]) == set()


@pytest.mark.parametrize("what", NOT_APART)
def test_not_apart(what: str) -> None:
    assert together(NOT_APART[what]) is None


@pytest.mark.parametrize("what", TOGETHER)
def test_together(what: str) -> None:
    one, predicates = TOGETHER[what]
    assert together(one) == predicates


def test_a_value_that_is_concluded() -> None:
    """Things are together by a value only if whoever concludes it has found it in the same way."""
    alike = TOGETHER["same colour"][0]
    assert together(alike, rule("copied", "?c :colour ?v", "?c :face ?f . ?f :colour ?v")) == {"colour"}
    assert together(alike, rule("mixed", "?c :colour ?v", "?c :face ?f . ?f :colour ?w . ?w :near ?v")) is None


@given(chosen=st.sets(st.sampled_from(sorted(APART)), min_size=1))
def test_one_after_the_other_gives_the_same(chosen: set[str]) -> None:
    """What rules that are apart conclude of all things is what they conclude of one after the other."""
    rules = tuple(APART[one] for one in sorted(chosen))
    assert together(*rules) == set()
    whole = concluded(rules, "\n".join(CARDS))
    assert whole == set().union(*(concluded(rules, card) for card in CARDS))


def concluded(rules: tuple[Rule, ...], cards: str) -> set[str]:
    """Return what follows."""
    return set(told(World(cards, AROUND).run(rules).branches[0].supports))
