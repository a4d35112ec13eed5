"""Conclusions that exclude each other: which stands, what stays open, and what follows from either."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.engine.inference import Inference
from reasoner.engine.precedence import Conflict, Exclusions, Support, beats, resolve
from reasoner.engine.rule import Header, Rule
from reasoner.errors import RuleError

from .ember import EMBER, World, exclusions, iri, rule, say, short, told

COLOURS = exclusions(functional=["colour"])


def claim(name: str, value: str, *, when: str = "a :Card", **header: object) -> Rule:
    """Return the rule that a card has the colour `value`."""
    return rule(name, f"?x :colour :{value}", f"?x {when}", **header)  # type: ignore[arg-type]


def outcomes(found: Inference) -> list[list[str]]:
    """Return what was derived in each branch."""
    return [told(branch.supports) for branch in found.branches]


def defeats(conflict: Conflict) -> list[str]:
    """Return who set aside whom, and why."""

    def claimed(fact: ox.Triple, support: Support) -> str:
        return f"{short(str(fact.object))} by {support.rule.id}"

    return sorted(
        f"{claimed(one.fact, one.loser)} < {claimed(one.instead, one.winner)} ({one.basis})" for one in conflict.defeats
    )


@dataclass(frozen=True)
class Dispute:
    """Rules about the colour of one card: what holds in each branch, and who was set aside."""

    rules: Sequence[Rule]
    branches: Sequence[str]
    set_aside: Sequence[str] = ()


DISPUTES: dict[str, Dispute] = {
    "one voice": Dispute([claim("one", "red")], ["red"]),
    "two say the same": Dispute([claim("one", "red"), claim("two", "red")], ["red"]),
    "exception": Dispute(
        [claim("one", "red"), claim("two", "blue", exception_to=("one",))],
        ["blue"],
        ["red by ember:one < blue by ember:two (exception)"],
    ),
    "more specific": Dispute(
        [claim("one", "red"), claim("two", "blue", more_specific_than=("one",))],
        ["blue"],
        ["red by ember:one < blue by ember:two (specificity)"],
    ),
    "both": Dispute(
        [claim("one", "red"), claim("two", "blue", more_specific_than=("one",), exception_to=("one",))],
        ["blue"],
        ["red by ember:one < blue by ember:two (exception)"],
    ),
    "an exception that says the same sets nothing aside": Dispute(
        [claim("one", "red"), claim("two", "red", exception_to=("one",))], ["red"]
    ),
    "an exception to an exception": Dispute(
        [
            claim("one", "red"),
            claim("two", "blue", exception_to=("one",)),
            claim("three", "red", exception_to=("two",)),
        ],
        ["red"],
        ["blue by ember:two < red by ember:three (exception)"],
    ),
    "an exception to an exception, of a third value": Dispute(
        [
            claim("one", "red"),
            claim("two", "blue", exception_to=("one",)),
            claim("three", "green", exception_to=("two",)),
        ],
        ["green", "red"],  # the third says nothing about the first
        ["blue by ember:two < green by ember:three (exception)"],
    ),
    "a chain of four": Dispute(
        [
            claim("one", "red"),
            claim("two", "blue", exception_to=("one",)),
            claim("three", "green", exception_to=("one", "two")),
            claim("four", "black", exception_to=("one", "two", "three")),
        ],
        ["black"],
        [
            "blue by ember:two < black by ember:four (exception)",
            "green by ember:three < black by ember:four (exception)",
            "red by ember:one < black by ember:four (exception)",
        ],
    ),
    "an exception whose case does not arise": Dispute(
        [claim("one", "red"), claim("two", "blue", when="a :Coin", exception_to=("one",))], ["red"]
    ),
    "equal rank": Dispute([claim("one", "red"), claim("two", "blue")], ["blue", "red"]),
    "three rivals": Dispute(
        [claim("one", "red"), claim("two", "blue"), claim("three", "green")], ["blue", "green", "red"]
    ),
    "three rivals, one set aside": Dispute(
        [claim("one", "red"), claim("two", "blue"), claim("three", "green", exception_to=("one",))],
        ["blue", "green"],
        ["red by ember:one < green by ember:three (exception)"],
    ),
    "a value that two rules give needs only one of them": Dispute(
        [claim("one", "red"), claim("other", "red"), claim("two", "blue", exception_to=("one",))],
        ["blue", "red"],
        ["red by ember:one < blue by ember:two (exception)"],
    ),
    "two exceptions that disagree": Dispute(
        [
            claim("one", "red"),
            claim("two", "blue", exception_to=("one",)),
            claim("three", "green", exception_to=("one",)),
        ],
        ["blue", "green"],
        ["red by ember:one < blue by ember:two (exception)"],
    ),
    "one rule that disagrees with itself": Dispute([rule("one", "?x :colour ?c", "?x :shows ?c")], ["blue", "red"]),
}


@pytest.mark.parametrize("dispute", DISPUTES.values(), ids=DISPUTES)
def test_dispute(dispute: Dispute) -> None:
    """The values that stand, one branch each, and the defeats that led to it, whatever the order of the rules."""
    for rules in (dispute.rules, dispute.rules[::-1]):
        found = World(":ember a :Card ; :shows :red , :blue .").run(rules, COLOURS)
        assert outcomes(found) == [[f"ember colour {value}"] for value in dispute.branches]
        assert found.settled == (len(dispute.branches) == 1)
        assert [branch.choices for branch in found.branches] == [
            () if found.settled else (tuple(branch.supports),) for branch in found.branches
        ]
        conflicts = found.conflicts
        assert [one for conflict in conflicts for one in defeats(conflict)] == list(dispute.set_aside)
        assert len(conflicts) == (1 if dispute.set_aside or len(dispute.branches) > 1 else 0)


def test_conflict_names_its_rules() -> None:
    """All rules that took part, those that were set aside too."""
    dispute = DISPUTES["three rivals, one set aside"]
    (conflict,) = World(":ember a :Card .").run(dispute.rules, COLOURS).conflicts
    assert conflict.rules == ("ember:one", "ember:three", "ember:two")
    assert (short(str(conflict.subject)), short(f"<{conflict.predicate}>")) == ("ember", "colour")
    assert [[short(str(fact.object)) for fact in option] for option in conflict.options] == [["blue"], ["green"]]
    assert not conflict.settled


def test_values_that_may_stand_together() -> None:
    """Only disjoint values of a classifying property exclude each other; the rest of them stays in every branch."""
    excluding = exclusions(classifying=["kind"], disjoint=[("Fire", "Water"), ("Fire", "Ice"), ("Big", "Small")])
    kinds = [rule(name.lower(), f"?x :kind :{name}", "?x a :Card") for name in ("Fire", "Water", "Ice", "Big", "Holy")]
    found = World(":ember a :Card .").run(kinds, excluding)
    shared = ["ember kind Big", "ember kind Holy"]
    assert outcomes(found) == [
        sorted([*shared, "ember kind Fire"]),
        sorted([*shared, "ember kind Ice", "ember kind Water"]),
    ]


def test_values_of_other_properties_do_not_exclude() -> None:
    """Several values of a property that is neither functional nor classifying, and disjoint classes under another."""
    excluding = exclusions(classifying=["kind"], disjoint=[("Fire", "Water")])
    rules = [rule("a", "?x :likes :Fire , :Water", "?x a :Card"), rule("b", "?x a :Fire , :Water", "?x a :Card")]
    found = World(":ember a :Card .").run(rules, excluding)
    assert outcomes(found) == [["ember a Fire", "ember a Water", "ember likes Fire", "ember likes Water"]]
    assert found.conflicts == ()


def test_independent_disputes_multiply() -> None:
    """Two cards of two colours each, and one dispute of another property: every combination, each once."""
    rules = [
        rule("red", "?x :colour :red", "?x a :Card"),
        rule("blue", "?x :colour :blue", "?x a :Card"),
        rule("small", "?x :size 1", "?x a :Coin"),
        rule("big", "?x :size 2", "?x a :Coin"),
    ]
    world = World(":ash a :Card . :oak a :Card . :penny a :Coin .")
    found = world.run(rules, exclusions(functional=["colour", "size"]))
    expected = [
        sorted([f"ash colour {a}", f"oak colour {o}", f"penny size {s}"])
        for a, o, s in product(("blue", "red"), ("blue", "red"), (1, 2))
    ]
    assert sorted(outcomes(found)) == sorted(expected)
    assert len({branch.graph for branch in found.branches}) == 8
    for branch in found.branches:
        written = world.store.quads_for_pattern(None, None, None, branch.graph)
        assert told(quad.triple for quad in written) == told(branch.supports)
        assert sorted(say(fact) for option in branch.choices for fact in option) == told(branch.supports)
    assert len(found.conflicts) == 3


def test_graphs_of_branches_are_new() -> None:
    """A graph that is there already is not written to: the branch takes the next number."""
    world = World(":ember a :Card .")
    world.store.add(ox.Quad(iri("a"), iri("b"), iri("c"), ox.NamedNode(f"{EMBER}graph/inferred/2")))
    found = world.run(DISPUTES["three rivals"].rules, COLOURS)
    assert [branch.graph.value.removeprefix(f"{EMBER}graph/") for branch in found.branches] == [
        "inferred",
        "inferred/3",
        "inferred/4",
    ]


def test_later_rules_see_only_what_stands() -> None:
    """In a settled dispute the value that lost gives nothing; in an open one each branch goes on by itself."""
    follow = [
        rule("hot", "?x :feels :hot", "?x :colour :red"),
        rule("cold", "?x :feels :cold", "?x :colour :blue"),
        rule("dull", "?x :feels :dull", "?x a :Card FILTER NOT EXISTS { ?x :colour :red }"),
        rule("touch", "?y :warms ?x", "?x :feels :hot . ?y :holds ?x"),
    ]
    world = World(":ember a :Card . :hand :holds :ember .")
    settled = world.run([*DISPUTES["exception"].rules, *follow], COLOURS)
    blue = ["ember colour blue", "ember feels cold", "ember feels dull"]
    assert outcomes(settled) == [blue]
    undecided = World(":ember a :Card . :hand :holds :ember .").run([*DISPUTES["equal rank"].rules, *follow], COLOURS)
    assert outcomes(undecided) == [blue, ["ember colour red", "ember feels hot", "hand warms ember"]]


def test_disputes_of_the_second_order() -> None:
    """A dispute that arises only in one branch of another splits only that branch."""
    rules = [
        *DISPUTES["equal rank"].rules,
        rule("glow", "?x :light 1", "?x :colour :red"),
        rule("glimmer", "?x :light 2", "?x :colour :red"),
    ]
    found = World(":ember a :Card .").run(rules, exclusions(functional=["colour", "light"]))
    assert outcomes(found) == [
        ["ember colour blue"],
        ["ember colour red", "ember light 1"],
        ["ember colour red", "ember light 2"],
    ]
    assert [len(branch.conflicts) for branch in found.branches] == [1, 2, 2]


def test_what_is_given_is_not_concluded_again() -> None:
    """A value that is asserted stays where it was, even if rules with rivals give it as well."""
    found = World(":ember a :Card ; :colour :red .").run([claim("one", "red")], COLOURS)
    assert outcomes(found) == [[]]


# --- what is too much


def coins(number: int) -> str:
    """Return so many cards."""
    return " ".join(f":coin{n} a :Card ." for n in range(number))


TOO_MANY = (
    "R113 undecided conflicts give more than 64 combinations\n"
    "  narrow the situation, or decide which of the rules prevails"
)


def test_as_many_branches_as_can_be_followed() -> None:
    """Six open disputes of two values are 64 combinations; a seventh is too much, and so are forty, at once."""
    rules = DISPUTES["equal rank"].rules
    found = World(coins(6)).run(rules, COLOURS)
    assert len({tuple(one) for one in outcomes(found)}) == 64
    for number in (7, 40):
        with pytest.raises(RuleError) as caught:
            World(coins(number)).run(rules, COLOURS)
        assert str(caught.value) == TOO_MANY


def test_branches_add_up_over_disputes_of_different_orders() -> None:
    """64 branches, one of which would split again, are too many, too."""
    rules = [
        *DISPUTES["equal rank"].rules,
        rule("glow", "?x :light 1 , 2", ":coin0 :colour :red . :coin1 :colour :red . BIND(:coin0 AS ?x)"),
    ]
    excluding = exclusions(functional=["colour", "light"])
    assert len(World(coins(5)).run(rules, excluding).branches) == 32 + 8
    with pytest.raises(RuleError, match="64 combinations"):
        World(coins(6)).run(rules, excluding)


def test_as_many_values_as_can_be_followed() -> None:
    """64 values of one property, or six pairs; more are too many, and twenty pairs do not take forever."""
    shows = rule("shows", "?x :colour ?c", "?x :shows ?c")
    for number in (64, 65):
        world = World(f":ember :shows {', '.join(f':c{n}' for n in range(number))} .")
        if number == 64:
            assert len(world.run([shows], COLOURS).branches) == 64
        else:
            with pytest.raises(RuleError, match="64 combinations"):
                world.run([shows], COLOURS)
    for number in (6, 20):
        names = [(f"C{n}", f"D{n}") for n in range(number)]
        world = World(f":ember :shows {', '.join(f':{name}' for pair in names for name in pair)} .")
        excluding = exclusions(classifying=["colour"], disjoint=names)
        if number == 6:
            assert len(world.run([shows], excluding).branches) == 64
        else:
            with pytest.raises(RuleError, match="64 combinations"):
                world.run([shows], excluding)


# --- policies of the game

DATED = {
    "later": (["LaterPrevails"], "1996-02", "1996-04", "later issue"),
    "later, a day and a year": (["LaterPrevails"], "1995", "1996-04-01", "later issue"),
    "the same year is not later": (["LaterPrevails"], "1996", "1996-04", ""),
    "the same day is not later": (["LaterPrevails"], "1996-04", "1996-04", ""),
    "undated is neither earlier": (["LaterPrevails"], "undated", "1996-04", ""),
    "nor later": (["LaterPrevails"], "1996-04", "undated", ""),
    "no such policy": ([], "1996-02", "1996-04", ""),
    "another policy": (["OrderWithinChapter"], "1996-02", "1996-04", ""),
}


@pytest.mark.parametrize(("policies", "first", "second", "basis"), DATED.values(), ids=DATED)
def test_later_prevails(policies: list[str], first: str, second: str, basis: str) -> None:
    """Under this policy the rule issued later sets the earlier aside, as far as dates are known."""
    one, two = claim("one", "red", edition=first), claim("two", "blue", edition=second)
    assert beats(two, one, frozenset(policies)) == basis
    assert beats(one, two, frozenset(policies)) == ""
    found = World(":ember a :Card .").run([one, two], exclusions(functional=["colour"], policies=policies))
    assert found.settled == bool(basis)
    if basis:
        assert defeats(found.conflicts[0]) == [f"red by ember:one < blue by ember:two ({basis})"]


POINTS = {
    ("2.1", "2.2"): "later point",
    ("2.9", "2.10"): "later point",
    ("2", "2.1"): "later point",
    ("2.1", "3.1"): "",
    ("2.1", "2.1"): "",
    ("B", "2.1"): "",
    ("2.1, note", "2.1.4 and 2.2"): "later point",
}


@pytest.mark.parametrize(("points", "basis"), POINTS.items(), ids=[" ".join(points) for points in POINTS])
def test_later_point_of_a_chapter_prevails(points: tuple[str, str], basis: str) -> None:
    """Numbers are compared as numbers, and only within one chapter of one source."""
    one, two = claim("one", "red", section=points[0]), claim("two", "blue", section=points[1])
    policy = frozenset({"OrderWithinChapter"})
    assert (beats(two, one, policy), beats(one, two, policy)) == (basis, "")
    assert beats(two, one, frozenset({"LaterPrevails"})) == ""


WORDINGS = {
    "original and translation": ({"language": "en", "original": True}, {"language": "ja"}, "source language"),
    "two translations": ({"language": "hu"}, {"language": "ja"}, ""),
    "a rule of no language": ({"language": "en", "original": True}, {}, ""),
    "another point": ({"language": "en", "original": True}, {"language": "ja", "section": "2"}, ""),
    "a later translation": (
        {"language": "en", "original": True, "edition": "1996"},
        {"language": "ja", "edition": "1998"},
        "source language",
    ),
}


@pytest.mark.parametrize("name", WORDINGS)
def test_the_language_of_the_original_prevails(name: str) -> None:
    """Only over another wording of the same point, and before any date."""
    first, second, basis = WORDINGS[name]
    one, two = claim("one", "red", **first), claim("two", "blue", **second)
    policies = frozenset({"SourceLanguagePrevails", "LaterPrevails"})
    assert (beats(one, two, policies), beats(two, one, policies)) == (basis, "")


def test_rules_own_word_comes_before_the_policy() -> None:
    """An exception stays one, even if what it excepts was issued later."""
    one = claim("one", "red", edition="1998")
    two = claim("two", "blue", edition="1996", exception_to=("one",))
    found = World(":ember a :Card .").run([one, two], exclusions(functional=["colour"], policies=["LaterPrevails"]))
    assert outcomes(found) == [["ember colour blue"]]
    assert defeats(found.conflicts[0]) == ["red by ember:one < blue by ember:two (exception)"]


def test_exceptions_and_dates_in_a_circle_decide_nothing() -> None:
    """The first excepts the second, which is later than the third, which is later than the first: all stay open."""
    rules = [
        claim("one", "red", edition="1996", exception_to=("two",)),
        claim("two", "blue", edition="1998"),
        claim("three", "green", edition="1997"),
    ]
    for order in (rules, rules[::-1]):
        found = World(":ember a :Card .").run(order, exclusions(functional=["colour"], policies=["LaterPrevails"]))
        assert outcomes(found) == [["ember colour blue"], ["ember colour green"], ["ember colour red"]]
        assert [conflict.defeats for conflict in found.conflicts] == [()]


# --- against brute force


@dataclass(frozen=True)
class Drawn:
    """Rules about one subject: the value each gives, which ones outrank which, and which values exclude each other."""

    values: tuple[int, ...]
    outranks: frozenset[tuple[int, int]]
    excluded: frozenset[frozenset[int]]

    def candidates(self, order: Sequence[int]) -> dict[ox.Triple, list[Support]]:
        """Return the conclusions with their supports, in the order given."""
        found: dict[ox.Triple, list[Support]] = {}
        for number in order:
            header = Header(
                id=f"ember:r{number}",
                title="",
                source="",
                section="",
                edition="undated",
                exception_to=tuple(sorted(f"ember:r{loser}" for winner, loser in self.outranks if winner == number)),
            )
            support = Support(Rule(header, "", "", (), ()), {})
            found.setdefault(fact(self.values[number]), []).append(support)
        return found

    def exclusions(self) -> Exclusions:
        """Return what excludes what."""
        return exclusions(classifying=["kind"], disjoint=[[f"v{one}" for one in pair] for pair in self.excluded])


def fact(value: int) -> ox.Triple:
    """Return the fact that the card is of the kind `value`."""
    return ox.Triple(iri("ember"), iri("kind"), iri(f"v{value}"))


@st.composite
def drawn(draw: st.DrawFn, *, circles: bool = False) -> Drawn:
    """Draw up to six rules over four values; without `circles` a rule outranks only later ones."""
    values = tuple(draw(st.lists(st.integers(0, 3), min_size=1, max_size=6)))
    pairs = [
        pair for pair in product(range(len(values)), repeat=2) if pair[0] < pair[1] or (circles and pair[0] != pair[1])
    ]
    outranks = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    excluded = draw(st.sets(st.sampled_from([frozenset(pair) for pair in combinations(range(4), 2)])))
    return Drawn(values, frozenset(outranks), frozenset(excluded))


def attacks(one: Drawn) -> set[tuple[int, int]]:
    """Return (winner, loser) for rules whose values exclude each other and of which one outranks the other."""
    return {
        (winner, loser)
        for winner, loser in one.outranks
        if frozenset((one.values[winner], one.values[loser])) in one.excluded
    }


def maximal(values: Iterable[int], excluded: frozenset[frozenset[int]]) -> set[frozenset[int]]:
    """Return the maximal sets of values without two that exclude each other, by trying all sets."""
    different = sorted(set(values))
    found = [
        frozenset(chosen)
        for size in range(5)
        for chosen in combinations(different, size)
        if not any(frozenset(pair) in excluded for pair in combinations(chosen, 2))
    ]
    return {chosen for chosen in found if not any(chosen < other for other in found)}


@given(one=drawn())
def test_against_brute_force(one: Drawn) -> None:
    """What prevails is the one set of rules in which each is set aside exactly if another of the set outranks it."""
    hits = attacks(one)
    rules = range(len(one.values))
    stable = [
        set(chosen)
        for size in range(len(one.values) + 1)
        for chosen in combinations(rules, size)
        if all((number in chosen) != any((other, number) in hits for other in chosen) for number in rules)
    ]
    (left,) = stable
    conflict = resolve(one.candidates(list(rules)), one.exclusions())
    assert {number_of(support) for found in conflict.supports.values() for support in found} == left
    assert {number_of(defeat.loser) for defeat in conflict.defeats} == set(rules) - left
    for defeat in conflict.defeats:
        assert (number_of(defeat.winner), number_of(defeat.loser)) in hits
        assert number_of(defeat.winner) in left
        assert (defeat.fact, defeat.instead) == tuple(
            fact(one.values[number_of(support)]) for support in (defeat.loser, defeat.winner)
        )
    expected = maximal((one.values[number] for number in left), one.excluded)
    assert {frozenset(option) for option in conflict.options} == {
        frozenset(fact(value) for value in option) for option in expected
    }
    assert len(conflict.options) == len(expected)
    assert conflict.settled == (len(expected) == 1)


@given(one=drawn(circles=True), seed=st.integers(0, 99))
def test_order_of_hearing_does_not_matter(one: Drawn, seed: int) -> None:
    """Also where rules outrank each other in circles: the same defeats and options; no rule is set aside by a loser."""
    order = list(range(len(one.values)))
    first = resolve(one.candidates(order), one.exclusions())
    second = resolve(one.candidates(random.Random(seed).sample(order, len(order))), one.exclusions())
    assert first.options == second.options
    assert summary(first) == summary(second)
    hits = attacks(one)
    losers = {number_of(defeat.loser) for defeat in first.defeats}
    assert losers.isdisjoint(number_of(defeat.winner) for defeat in first.defeats)
    left = set(order) - losers
    for number in left:
        attackers = {winner for winner, loser in hits if loser == number}
        # Nobody who prevails outranks it: its attackers have lost, or stand in a circle with it.
        assert all(attacker in losers or any(loser == attacker for _, loser in hits) for attacker in attackers)


def number_of(support: Support) -> int:
    """Return the number of the rule behind a support."""
    return int(support.rule.id.removeprefix("ember:r"))


def summary(conflict: Conflict) -> tuple[Mapping[str, set[int]], set[int]]:
    """Return who stands for each fact, and who was set aside."""
    standing = {say(one): {number_of(support) for support in found} for one, found in conflict.supports.items()}
    return standing, {number_of(defeat.loser) for defeat in conflict.defeats}
