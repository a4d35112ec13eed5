"""The order of effects: single rules by small boards, and all of it against a literal implementation."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.effects import literal
from tests.effects.worlds import POLICIES, Does, Thing, World, solve, told

KINDS, COLOURS = ("k1", "k2", "k3"), ("c1", "c2")
_names = st.sampled_from(KINDS + COLOURS)
_changes = st.fixed_dictionaries(
    {},
    optional={
        "adds kind": st.sampled_from(KINDS),
        "sets kind": st.sampled_from(KINDS),
        "removes kind": st.sampled_from(KINDS),
        "adds colour": st.sampled_from(COLOURS),
        "sets colour": st.sampled_from(COLOURS),
        "loses abilities": st.just("yes"),
        "clears": st.just("yes"),
        "sets size": st.integers(0, 3),
        "counts size": st.sampled_from(KINDS),
        "adds size": st.integers(1, 2),
    },
).filter(bool)
_things = st.lists(
    st.builds(
        Thing,
        kinds=st.frozensets(st.sampled_from(KINDS)),
        colours=st.frozensets(st.sampled_from(COLOURS)),
        size=st.integers(0, 2),
    ),
    min_size=1,
    max_size=4,
)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Draw a world of a few things, and abilities of different ages on some of them."""
    things = draw(_things)
    ages = draw(st.permutations(range(5)))
    abilities = [
        Does(
            bearer=draw(st.integers(0, len(things) - 1)),
            since=ages[number],
            does=draw(_changes),
            of=draw(st.sampled_from([(), ("*",), ("k1",), ("k2",), ("k1", "k3"), ("c1",)])),
            but=draw(st.sampled_from([(), (), ("k2",), ("k3",), ("c2",)])),
            defines=draw(st.sampled_from([False, False, True])),
        )
        for number in range(draw(st.integers(1, 5)))
    ]
    return World(
        things, abilities, draw(st.sampled_from([POLICIES, POLICIES, frozenset(), POLICIES - {"KeepsItsObjects"}]))
    )


@given(worlds())
def test_order_is_what_the_rules_say_word_by_word(world: World) -> None:
    """Applications, what each was applied to, and what everything is in the end."""
    assert told(solve(world)) == literal.solve(world)


@given(worlds())
def test_effects_that_change_nothing_for_each_other_come_by_age(world: World) -> None:
    """Without policies the order within a layer is that of age, whatever there is."""
    order, _ = told(solve(replace(world, policies=frozenset())))
    ages = [world.abilities[number].since for layer, number, _ in order if layer == "colours"]
    bearers = [world.abilities[number].bearer for layer, number, _ in order if layer == "colours"]
    if len(set(bearers)) == len(bearers) == len({one.bearer for one in world.abilities}):
        assert ages == sorted(ages)


@given(worlds(), st.randoms(use_true_random=False))
def test_order_of_the_input_changes_nothing(world: World, random: object) -> None:
    """Which ability is told first is no matter; where one object has several, they stay in their order."""
    one_each = [
        one
        for number, one in enumerate(world.abilities)
        if one.bearer not in [o.bearer for o in world.abilities[:number]]
    ]
    first = replace(world, abilities=one_each)
    places = list(range(len(one_each)))
    random.shuffle(places)  # type: ignore[attr-defined]
    second = replace(world, abilities=[one_each[place] for place in places])
    order, final = told(solve(first))
    other, same = told(solve(second))
    assert final == same
    assert order == [(layer, places[number], targets) for layer, number, targets in other]
