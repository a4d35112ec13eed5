"""The order of effects as the rules say it, word by word and without care for speed: what the product is compared with.

Everything is done on plain dictionaries that are copied as a whole, every dependency is found by applying the other
effect and looking at everything again, and circles are what networkx calls strongly connected components.
"""

from __future__ import annotations

import copy
from typing import Any

import networkx as nx

from tests.effects.worlds import DOES, KIND, LAYERS, Does, World

State = list[dict[str, Any]]


def solve(world: World) -> tuple[list[tuple[str, int, list[int]]], list[dict[str, list[str]]]]:
    """Return applications and final values, as `worlds.told` has them."""
    state: State = [
        {"kind": set(one.kinds), "colour": set(one.colours), "size": one.size, "abilities": set()}
        for one in world.things
    ]
    for place, ability in enumerate(world.abilities):
        state[ability.bearer]["abilities"].add(place)
    started: dict[int, list[int]] = {}
    order = []
    for layer, does in LAYERS:
        done: set[int] = set()
        due: list[int] = []
        while left := _left(world, state, started, does, done):
            if "DefiningFirst" in world.policies:
                left = [one for one in left if world.abilities[one].defines] or left
            graph = _graph(world, state, started, does, left)
            chosen = _next(world, graph, left, due)
            if "DependencyOverAge" in world.policies:
                freed = [
                    one for one in left if list(graph.successors(one)) == [chosen] and not graph.has_edge(chosen, one)
                ]
                freed = [one for one in freed if not nx.has_path(graph, chosen, one)]
                due = [one for one in due if one != chosen] + freed
            targets = _targets(world, state, started, chosen)
            order.append((layer, chosen, targets))
            state = _apply(world, state, started, does, chosen)
            started.setdefault(chosen, targets)
            done.add(chosen)
    final = [
        {"kind": sorted(one["kind"]), "colour": sorted(one["colour"]), "size": [str(one["size"])]} for one in state
    ]
    return order, final


def _left(
    world: World, state: State, started: dict[int, list[int]], does: tuple[str, ...], done: set[int]
) -> list[int]:
    found = [
        place
        for place, one in enumerate(world.abilities)
        if place not in done and set(one.does) & set(does) and _exists(world, state, started, place)
    ]
    return sorted(found, key=lambda place: _age(world, place))


def _age(world: World, place: int) -> tuple[Any, ...]:
    bearer = world.abilities[place].bearer
    # An object has one age: that of the last ability put on it. Of two abilities on it one is always first.
    since = [one.since for one in world.abilities if one.bearer == bearer][-1]
    return since, bearer, f"thing/{bearer}/ability/{place}"


def _exists(world: World, state: State, started: dict[int, list[int]], place: int) -> bool:
    kept = "KeepsItsObjects" in world.policies and place in started
    return kept or place in state[world.abilities[place].bearer]["abilities"]


def _targets(world: World, state: State, started: dict[int, list[int]], place: int) -> list[int]:
    if "KeepsItsObjects" in world.policies and place in started:
        return started[place]
    one = world.abilities[place]
    if not one.of:
        return [one.bearer]
    return [number for number, thing in enumerate(state) if _meets(one, thing)]


def _meets(one: Does, thing: dict[str, Any]) -> bool:
    has = thing["kind"] | thing["colour"]
    return ("*" in one.of or any(name in has for name in one.of)) and not any(name in has for name in one.but)


def _doing(world: World, state: State, does: tuple[str, ...], place: int) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in sorted(world.abilities[place].does.items()):
        if name in does:
            counted = sum(value in thing["kind"] for thing in state) if name == "counts size" else value
            found.append((name, counted))
    return found


def _apply(world: World, state: State, started: dict[int, list[int]], does: tuple[str, ...], place: int) -> State:
    after = copy.deepcopy(state)
    sequence = ("Clearing", "Setting", "Counting", "Removing", "Adding", "Shifting")
    doing = sorted(_doing(world, state, does, place), key=lambda pair: sequence.index(DOES[pair[0]][0]))
    for number in _targets(world, state, started, place):
        thing = after[number]
        for name, value in doing:
            operation, what = DOES[name]
            key = {KIND: "kind"}.get(what, what.rsplit("/", 1)[1])
            if operation == "Clearing":
                thing["abilities" if "abilities" in name else "colour"].clear()
            elif operation in ("Setting", "Counting"):
                thing[key] = value if key == "size" else {value}
            elif operation == "Removing":
                thing[key].discard(value)
            elif operation == "Adding":
                thing[key].add(value)
            else:
                thing[key] += value
    return after


def _graph(world: World, state: State, started: dict[int, list[int]], does: tuple[str, ...], left: list[int]) -> Any:
    graph = nx.DiGraph()
    graph.add_nodes_from(left)
    for one in left:
        for other in left:
            if one != other and world.abilities[one].defines == world.abilities[other].defines:
                after = _apply(world, state, started, does, other)
                if _seen(world, after, started, does, one) != _seen(world, state, started, does, one):
                    graph.add_edge(one, other)
    return graph


def _seen(world: World, state: State, started: dict[int, list[int]], does: tuple[str, ...], place: int) -> Any:
    """Return whether there is an effect, what it applies to, and what it does to those."""
    if not _exists(world, state, started, place):
        return None
    targets = _targets(world, state, started, place)
    return targets, _doing(world, state, does, place) if targets else []


def _next(world: World, graph: Any, left: list[int], due: list[int]) -> int:
    if "DependencyOverAge" not in world.policies:
        return left[0]
    for one in sorted((one for one in due if one in left), key=lambda place: _age(world, place)):
        if not list(graph.successors(one)):
            return one
    circle = {one: members for members in nx.strongly_connected_components(graph) for one in members}
    return next(one for one in left if set(graph.successors(one)) <= circle[one])
