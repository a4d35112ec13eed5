"""Small boards for the tests of effects: things with colours, kinds and a size, and abilities that change them.

An ability is told in plain Python (`Does`), so that two implementations can be given the same thing: the product's, and
the literal one in tests/effects/literal.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox

from reasoner.effects.board import Board, Ground, literal
from reasoner.effects.declared import Declared, Layer, Modification
from reasoner.effects.effect import ABILITIES, Effect, Said, Sources
from reasoner.effects.order import Resolution, resolve
from reasoner.reference.selector import EVERYTHING, All, Has, Not, Selector, any_of
from reasoner.terms.namespaces import BASE

POLICIES = frozenset({"DefiningFirst", "DependencyOverAge", "KeepsItsObjects"})
KIND, COLOUR, SIZE, ABILITY = f"{BASE}kind", f"{BASE}colour", f"{BASE}size", ABILITIES
# What an ability can do, by name: operation and characteristic.
DOES = {
    "adds kind": ("Adding", KIND),
    "sets kind": ("Setting", KIND),
    "removes kind": ("Removing", KIND),
    "adds colour": ("Adding", COLOUR),
    "sets colour": ("Setting", COLOUR),
    "loses abilities": ("Clearing", ABILITY),
    "clears": ("Clearing", COLOUR),
    "sets size": ("Setting", SIZE),
    "counts size": ("Counting", SIZE),
    "adds size": ("Shifting", SIZE),
}
# The order of layers. Taking abilities away comes with the kinds, so that effects can end in the layer of others.
LAYERS = (
    ("kinds", ("adds kind", "sets kind", "removes kind", "loses abilities")),
    ("colours", ("adds colour", "sets colour", "clears")),
    ("sizes", ("sets size", "counts size", "adds size")),
)


@dataclass(frozen=True)
class Does:
    """An ability: `bearer` has it since `since`; a thing must have a value in `of`, and lack the one in `but`.

    Without `of` it applies to its bearer alone; "*" stands for everything. `does` maps names of DOES to values.
    """

    bearer: int
    since: int
    does: Mapping[str, str | int]
    of: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    defines: bool = False


@dataclass(frozen=True)
class Thing:
    """A thing as it starts."""

    kinds: frozenset[str] = frozenset()
    colours: frozenset[str] = frozenset()
    size: int = 1


@dataclass(frozen=True)
class World:
    """Things and abilities; `policies` are those of the order."""

    things: Sequence[Thing]
    abilities: Sequence[Does]
    policies: frozenset[str] = field(default=POLICIES)


def node(name: str) -> ox.NamedNode:
    """Return the IRI of something called `name`."""
    return ox.NamedNode(BASE + name.replace(" ", "-"))


def selector(one: Does) -> Selector:
    """Return what an ability applies to as a selector."""
    wanted = EVERYTHING if "*" in one.of else any_of(_has(name) for name in one.of)
    return All((wanted, *(Not(_has(name)) for name in one.but)))


def declared_of(world: World) -> Declared:
    """Return the declarations of the little game."""
    modifications = {node(name): Modification(node(name), how, (what,)) for name, (how, what) in DOES.items()}
    layers = tuple(
        Layer(node(name), frozenset(node(one) for one in orders), False, False, None) for name, orders in LAYERS
    )
    starts = {one: ox.NamedNode(f"{one}/start") for one in (KIND, COLOUR, SIZE, ABILITY)}
    return Declared(layers, starts, modifications, {}, (), {}, world.policies, frozenset(), {})


def solve(world: World) -> Resolution:
    """Return what the product makes of a world."""
    declared = declared_of(world)
    objects = tuple(node(f"thing/{number}") for number in range(len(world.things)))
    ground = Ground(objects, declared, lambda _: (0, 0), lambda *_: None)
    table: dict[str, dict[ox.NamedNode | ox.Literal, int]] = {KIND: {}, COLOUR: {}, SIZE: {}, ABILITY: {}}

    def put(characteristic: str, value: ox.NamedNode | ox.Literal, number: int) -> None:
        table[characteristic][value] = table[characteristic].get(value, 0) | 1 << number

    for number, thing in enumerate(world.things):
        for kind in thing.kinds:
            put(KIND, node(kind), number)
        for colour in thing.colours:
            put(COLOUR, node(colour), number)
        put(SIZE, literal(thing.size), number)
    meanings, said = {}, {}
    for place, one in enumerate(world.abilities):
        ability = node(f"ability/{place}")
        changes = tuple(
            (declared.modifications[node(name)], (_value(name, value),)) for name, value in sorted(one.does.items())
        )
        meanings[ability] = selector(one)
        said[ability] = Said(ability, changes, one.defines, "scope" if one.of else None)
        put(ABILITY, ability, one.bearer)
    since = [(0, 0)] * len(world.things)
    for one in world.abilities:
        since[one.bearer] = (one.since, one.bearer)
    sources = Sources(
        (),
        said,
        tuple(since),
        dict.fromkeys(said, ground.all),
        lambda text, _, ability, __: meanings[ability] if text == "scope" else Has(KIND, node(text)),
    )
    return resolve(sources, Board(ground, table))


def told(found: Resolution) -> tuple[list[tuple[str, int, list[int]]], list[dict[str, list[str]]]]:
    """Return the applications (layer, ability, things) and the final values of each thing, in plain Python."""
    ground = found.start.ground
    order = [
        (one.layer.iri.value.removeprefix(BASE), number_of(one.effect), _numbers(one.targets))
        for one in found.applications
    ]
    final = [
        {
            what.removeprefix(BASE): sorted(
                value.value.removeprefix(BASE) for value in found.final.values(number, what)
            )
            for what in (KIND, COLOUR, SIZE)
        }
        for number in range(len(ground.objects))
    ]
    return order, final


def number_of(effect: Effect) -> int:
    """Return the place of an effect's ability in the world."""
    return int(effect.said.node.value.rsplit("/", 1)[1])


def _has(name: str) -> Has:
    return Has(COLOUR if name.startswith("c") else KIND, node(name))


def _value(name: str, value: str | int) -> ox.NamedNode | ox.Literal:
    if isinstance(value, int):
        return literal(value)
    return ox.Literal(value) if name == "counts size" or DOES[name][0] == "Clearing" else node(value)


def _numbers(objects: int) -> list[int]:
    return [number for number in range(objects.bit_length()) if objects >> number & 1]
