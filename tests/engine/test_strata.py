"""The order of rules: against an independent stratifier on random rule sets, and by hand for what has rivals."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.engine.pattern import Pattern, Variable
from reasoner.engine.rule import Header, Rule
from reasoner.engine.strata import Component, stratify
from reasoner.errors import RuleError

from .ember import EMBER, iri, rule

PREDICATES = "abcdef"


def flat(name: str, head: str, positive: Collection[str], negative: Collection[str], kind: str = "absent") -> Rule:
    """Return a rule with one pattern per predicate, put together without compiling anything."""
    header = Header(id=name, title=name, source="embers:rules", section="", edition="undated")
    negated = {kind: tuple(pattern(one) for one in negative)}
    return Rule(header, f"{name}.rq", "", (pattern(head),), tuple(pattern(one) for one in positive), **negated)


def pattern(predicate: str) -> Pattern:
    """Return the pattern `?x predicate ?y`."""
    return Pattern(Variable("x"), iri(predicate), Variable("y"))


@dataclass(frozen=True)
class Drawn:
    """A random rule: the predicate it concludes, those it needs, those it needs complete."""

    head: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]


_some = st.lists(st.sampled_from(PREDICATES), max_size=2, unique=True).map(tuple)
_rule = st.builds(Drawn, st.sampled_from(PREDICATES), _some, _some)
_rules = st.lists(_rule, min_size=1, max_size=7)
_kinds = st.sampled_from(["absent", "optional", "counted"])


def edges(drawn: Sequence[Drawn], exclusive: Collection[str]) -> dict[tuple[int, int], bool]:
    """Return (writer, reader) -> whether the reader needs all that the writer gives, straight from the definition."""
    found = {}
    for r, reader in enumerate(drawn):
        for w, writer in enumerate(drawn):
            whole = writer.head in reader.negative or (
                writer.head in exclusive and writer.head in (*reader.positive, *reader.negative)
            )
            if whole or writer.head in reader.positive:
                found[w, r] = whole
    return found


def strata_of(number: int, constraints: dict[tuple[int, int], bool]) -> list[int] | None:
    """Return the least strata that meet all constraints, or None if there are none: by relaxation, with no graph."""
    strata = [0] * number
    for _ in range(number + 1):
        changed = False
        for (writer, reader), whole in constraints.items():
            least = strata[writer] + whole
            if strata[reader] < least:
                strata[reader] = least
                changed = True
        if not changed:
            return strata
    return None


def never(_: str) -> bool:
    """No predicate has rivals."""
    return False


def among(names: Collection[str]) -> Callable[[str], bool]:
    """Return the test whether a predicate is one of `names`."""
    return lambda predicate: predicate.removeprefix(EMBER) in names


@given(drawn=_rules, exclusive=st.sets(st.sampled_from(PREDICATES), max_size=2), kind=_kinds, seed=st.integers(0, 99))
def test_order_of_random_rules(drawn: list[Drawn], exclusive: set[str], kind: str, seed: int) -> None:
    """There is an order exactly if an independent stratifier finds one; it keeps every constraint and is the least."""
    rules = [flat(f"ember:r{n}", one.head, one.positive, one.negative, kind) for n, one in enumerate(drawn)]
    constraints = edges(drawn, exclusive)
    expected = strata_of(len(drawn), constraints)
    shuffled = random.Random(seed).sample(rules, len(rules))
    if expected is None:
        messages = {error_of(order, exclusive) for order in (rules, shuffled)}
        assert len(messages) == 1
        assert_is_cycle(messages.pop(), constraints)
        return
    components = stratify(rules, among(exclusive))
    assert components == stratify(shuffled, among(exclusive))
    place = {int(one.id.removeprefix("ember:r")): at for at, part in enumerate(components) for one in part.rules}
    assert sorted(place) == list(range(len(drawn)))
    for (writer, reader), whole in constraints.items():
        assert place[writer] < place[reader] or (place[writer] == place[reader] and not whole)
    assert [components[place[n]].stratum for n in range(len(drawn))] == expected
    for at, part in enumerate(components):
        inside = {n for n, where in place.items() if where == at}
        assert part.recursive == any({writer, reader} <= inside for writer, reader in constraints)
        assert inside == {n for n in range(len(drawn)) if all(_reach(n, m, constraints) for m in inside)} or not (
            part.recursive
        )
        assert [one.id for one in part.rules] == sorted(one.id for one in part.rules)


def _reach(start: int, end: int, constraints: Collection[tuple[int, int]]) -> bool:
    """Return whether rule `start` feeds rule `end` and is fed by it, or is the same."""
    return start == end or (_path(start, end, constraints) and _path(end, start, constraints))


def _path(start: int, end: int, constraints: Collection[tuple[int, int]]) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for writer, reader in constraints:
            if writer == here and reader == end:
                return True
            if writer == here and reader not in seen:
                seen.add(reader)
                waiting.append(reader)
    return False


def error_of(rules: Sequence[Rule], exclusive: Collection[str]) -> str:
    """Return the message that there is no order."""
    with pytest.raises(RuleError) as caught:
        stratify(rules, among(exclusive))
    assert caught.value.code == "R107"
    return caught.value.message


def assert_is_cycle(message: str, constraints: dict[tuple[int, int], bool]) -> None:
    """The message shows rules each of which feeds the next, round to the first; one needs the one before complete."""
    assert message.startswith("rules that wait for each other in a cycle: ")
    cycle = [int(number) for number in re.findall(r"ember:r(\d+)", message)]
    steps = list(pairwise(cycle))
    assert steps
    assert cycle[0] == cycle[-1]
    assert set(steps) <= set(constraints)
    assert any(constraints[step] for step in steps)


def names(components: Sequence[Component]) -> list[list[str]]:
    """Return the rules of each component by their local names, recursive ones with a star."""
    return [[one.id.partition(":")[2] + "*" * part.recursive for one in part.rules] for part in components]


def test_negative_cycle_is_printed() -> None:
    """The shortest way round, from the rule whose result must be complete, with the file and a next step."""
    rules = [
        rule("kindle", "?x :burns ?y", "?x :meets ?y FILTER NOT EXISTS { ?x :isWet ?y }"),
        rule("steam", "?x :fumes ?y", "?x :burns ?y"),
        rule("drench", "?x :isWet ?y", "?x :fumes ?y"),
        rule("bystander", "?x :sees ?y", "?x :fumes ?y"),
    ]
    with pytest.raises(RuleError) as caught:
        stratify(rules, never)
    assert str(caught.value) == (
        "R107 kindle.rq:4: rules that wait for each other in a cycle: "
        "ember:drench -> ember:kindle -> ember:steam -> ember:drench\n"
        "  ember:drench (drench.rq:3) concludes :isWet, which must be absent for ember:kindle (kindle.rq:4)\n"
        "  ember:kindle (kindle.rq:3) concludes :burns, needed by ember:steam (steam.rq:4)\n"
        "  ember:steam (steam.rq:3) concludes :fumes, needed by ember:drench (drench.rq:4)\n"
        "  split one of these rules, so that what ember:kindle waits for does not depend on ember:kindle"
    )


@pytest.mark.parametrize(
    ("body", "exclusive", "step"),
    [
        ("?x :level ?z . ?z :next ?y", {"level"}, "whose values exclude each other and are all needed by"),
        ("?x :p ?y OPTIONAL { ?x :level ?z }", (), "which is optional for"),
        ("{ SELECT ?x (COUNT(?z) AS ?y) { ?x :level ?z } GROUP BY ?x }", (), "which is counted by"),
        ("?x :p ?y FILTER(?y > 1 || NOT EXISTS { ?x :level ?y })", (), "the lack of which counts for"),
    ],
)
def test_rule_that_waits_for_itself(body: str, exclusive: Collection[str], step: str) -> None:
    """It is said why the rule needs all of what it concludes: that need not be a negation."""
    with pytest.raises(RuleError) as caught:
        stratify([rule("raise", "?x :level ?y", body)], among(exclusive))
    assert str(caught.value) == (
        "R107 raise.rq:4: rules that wait for each other in a cycle: ember:raise -> ember:raise\n"
        f"  ember:raise (raise.rq:3) concludes :level, {step} ember:raise (raise.rq:4)\n"
        "  split one of these rules, so that it does not read what it concludes"
    )


def test_every_writer_of_a_predicate_with_rivals_comes_first() -> None:
    """Also a writer of another value than the one that is read: it may set aside the rule that gives it."""
    rules = [
        rule("read", "?x :reads 1", "?x :level 1"),
        rule("say-one", "?x :level 1", "?x :given ?y"),
        rule("z-say-two", "?x :level 2", "?x :given ?y"),
    ]
    assert names(stratify(rules, never)) == [["say-one"], ["read"], ["z-say-two"]]
    ordered = stratify(rules, among({"level"}))
    assert names(ordered) == [["say-one"], ["z-say-two"], ["read"]]
    assert [part.stratum for part in ordered] == [0, 0, 1]


def test_any_property_reads_what_has_rivals() -> None:
    """A variable predicate, and a path over all properties but some, wait as one that is named does."""
    say = rule("z-say", "?x :level ?y", "?x :given ?y")
    for body in ("?x ?any ?y", "?x !:other ?y"):
        read = rule("read", "?x :seen 1", f"{body} . ?x :marked 1")
        assert names(stratify([read, say], among({"level"}))) == [["z-say"], ["read*"]]
        with pytest.raises(RuleError, match="ember:read -> ember:read"):
            stratify([read, say], among({"seen"}))


def test_constant_objects_keep_rules_apart() -> None:
    """Two classes under one predicate are no cycle; a variable object meets both."""
    apart = [
        rule("one", "?x a :Wet", "?x :p ?y FILTER NOT EXISTS { ?x a :Burnt }"),
        rule("two", "?x a :Burnt", "?x a :Dry"),
        rule("three", "?x a :Dry", "?x :q ?y"),
    ]
    assert names(stratify(apart, never)) == [["three"], ["two"], ["one"]]
    with pytest.raises(RuleError, match="ember:two -> ember:one -> ember:two"):
        stratify([apart[0], rule("two", "?x a :Burnt", "?x a ?any")], never)


def test_mutual_recursion_is_one_component() -> None:
    """Rules that feed each other run together until nothing is new."""
    rules = [
        rule("odd", "?x :odd ?z", "?x :next ?y . ?y :even ?z"),
        rule("even", "?x :even ?z", "?x :next ?y . ?y :odd ?z"),
        rule("zero", "?x :even ?x", "?x :is 0"),
        rule("after", "?x :lonely ?y", "?x :is ?y FILTER NOT EXISTS { ?x :odd ?z }"),
    ]
    assert names(stratify(rules, never)) == [["zero"], ["even*", "odd*"], ["after"]]


def test_no_rules() -> None:
    """No rules, no components."""
    assert stratify([], never) == ()
