"""What a game declares about effects: layers, characteristics, what changes them and how, policies of the order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import pyoxigraph as ox

from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import CORE, DCT, RANGE, SUBCLASS, SUBPROPERTY, core

DEFINING_FIRST, DEPENDENCY, KEEPS = "DefiningFirst", "DependencyOverAge", "KeepsItsObjects"
COPYING, REWORDING = "Copying", "Rewording"
COPIED = core("copiesValuesOf")


@dataclass(frozen=True, eq=False)
class Modification:
    """A property by which an ability or effect changes `characteristics`; `operation` says how (core:Operation).

    `kinds` are, of a property that sets values of several kinds, those kinds with the values of each.
    """

    iri: ox.NamedNode
    operation: str
    characteristics: tuple[str, ...]
    kinds: tuple[tuple[ox.NamedNode, frozenset[ox.NamedNode]], ...] = ()


@dataclass(frozen=True, eq=False)
class Layer:
    """A step of the order; `orders` are the modifications made in it, `section` is where the rules describe it."""

    iri: ox.NamedNode
    orders: frozenset[ox.NamedNode]
    for_defining: bool
    copiable: bool
    section: ox.NamedNode | None


@dataclass(frozen=True)
class Seated:
    """A quantity that a matching gives: the wording of who can fill its seats, and the class of each seat."""

    candidates: str
    seats: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Declared:
    """Everything a game declares about effects.

    `starts` gives the property of starting values by characteristic, `members` the values of those that classify,
    `ties` which values are lost with others: (characteristic, its values, the other one, of which one is needed);
    `seated` the quantities that a matching gives, by their names.
    """

    layers: tuple[Layer, ...]
    starts: Mapping[str, ox.NamedNode]
    modifications: Mapping[ox.NamedNode, Modification]
    members: Mapping[str, frozenset[Value]]
    ties: tuple[tuple[str, frozenset[ox.NamedNode], str, frozenset[ox.NamedNode]], ...]
    clears: Mapping[Value, tuple[str, ...]]
    policies: frozenset[str]
    zones: frozenset[ox.NamedNode]
    seated: Mapping[str, Seated]

    def layer_of(self, modification: ox.NamedNode, defines: bool) -> Layer | None:
        """Return the layer in which an effect makes a change; None if the game orders no such change."""
        found = [layer for layer in self.layers if modification in layer.orders]
        own = [layer for layer in found if layer.for_defining]
        rest = [layer for layer in found if not layer.for_defining]
        return next(iter(own if defines and own else rest), None)


@lru_cache(maxsize=16)
def declared(vocabulary: Vocabulary) -> Declared | None:
    """Return what the game of `vocabulary` declares; None if it has no layers, and so no effects of this kind."""
    layers = vocabulary.instances(core("Layer"))
    if not layers:
        return None
    starts = {iri.value: start for iri, start in _links(vocabulary, "startsFrom")}
    return Declared(
        layers=tuple(_layer(iri, vocabulary) for iri in _ordered(layers, vocabulary)),
        starts=starts,
        modifications=_modifications(vocabulary),
        members=_members(vocabulary, starts),
        ties=_ties(vocabulary, starts),
        clears=_clears(vocabulary),
        policies=frozenset(policy.value.removeprefix(CORE) for _, policy in _links(vocabulary, "hasPolicy")),
        zones=frozenset(zone for _, zone in _links(vocabulary, "abilitiesWorkIn")),
        seated=_seated(vocabulary),
    )


def _ordered(layers: Iterable[ox.NamedNode], vocabulary: Vocabulary) -> list[ox.NamedNode]:
    """Return the layers as they are applied: each after all that come before it, else in the order of their IRIs."""
    waiting = {layer: set(vocabulary.subjects(core("comesBefore"), layer)) for layer in sorted(layers, key=str)}
    found: list[ox.NamedNode] = []
    while waiting:
        free = [layer for layer, before in waiting.items() if not before & waiting.keys()]
        found.append(free[0] if free else next(iter(waiting)))
        del waiting[found[-1]]
    return found


def _layer(iri: ox.NamedNode, vocabulary: Vocabulary) -> Layer:
    section = vocabulary.first(iri, ox.NamedNode(DCT + "source"))
    return Layer(
        iri,
        frozenset(_nodes(vocabulary, iri, "orders")),
        _is_true(vocabulary.first(iri, core("isForDefining"))),
        _is_true(vocabulary.first(iri, core("isCopiable"))),
        section if isinstance(section, ox.NamedNode) else None,
    )


def _modifications(vocabulary: Vocabulary) -> dict[ox.NamedNode, Modification]:
    found = {}
    for prop, operation in _links(vocabulary, "modifiesBy"):
        how = operation.value.removeprefix(CORE)
        changed = tuple(one.value for one in _nodes(vocabulary, prop, "modifies"))
        whole = _nodes(vocabulary, prop, "replacesWithin")
        kinds = tuple(
            (kind, frozenset(vocabulary.instances(kind))) for top in whole for kind in _below(top, vocabulary)
        )
        found[prop] = Modification(prop, how, changed, kinds)
    return found


def _members(vocabulary: Vocabulary, starts: Mapping[str, ox.NamedNode]) -> dict[str, frozenset[Value]]:
    found: dict[str, frozenset[Value]] = {}
    for iri in (one for one in vocabulary.below(core("hasClassifier"), SUBPROPERTY) if one.value in starts):
        kinds = [kind for kind in vocabulary.objects(iri, RANGE) if isinstance(kind, ox.NamedNode)]
        found[iri.value] = frozenset(one for kind in kinds for one in vocabulary.instances(kind))
    return found


def _ties(
    vocabulary: Vocabulary, starts: Mapping[str, ox.NamedNode]
) -> tuple[tuple[str, frozenset[ox.NamedNode], str, frozenset[ox.NamedNode]], ...]:
    """Return which values are lost when others are: (characteristic, its values, the other one, what they need)."""
    ranges = {
        characteristic: kinds[0]
        for characteristic in starts
        if (kinds := vocabulary.objects(ox.NamedNode(characteristic), RANGE))
    }
    kinds_of = {
        characteristic: set(vocabulary.below(kind))
        for characteristic, kind in ranges.items()
        if isinstance(kind, ox.NamedNode)
    }
    found = []
    for kind in dict.fromkeys(iri for iri, _ in vocabulary.pairs(core("isTiedTo"))):
        needed = frozenset(_nodes(vocabulary, kind, "isTiedTo"))
        own = [one for one, kinds in kinds_of.items() if kind in kinds]
        other = [one for one, kinds in kinds_of.items() if any(needed & set(vocabulary.instances(k)) for k in kinds)]
        if own and other:
            found.append((own[0], frozenset(vocabulary.instances(kind)), other[0], needed))
    return tuple(found)


def _clears(vocabulary: Vocabulary) -> dict[Value, tuple[str, ...]]:
    found: dict[Value, tuple[str, ...]] = {}
    for kind in dict.fromkeys(iri for iri, _ in vocabulary.pairs(core("clearsWhenSet"))):
        emptied = tuple(one.value for one in _nodes(vocabulary, kind, "clearsWhenSet"))
        found.update(dict.fromkeys(vocabulary.instances(kind), emptied))
    return found


def _seated(vocabulary: Vocabulary) -> dict[str, Seated]:
    found = {}
    for quantity, text in vocabulary.pairs(core("hasCandidates")):
        seats = tuple(kind.value for kind in _nodes(vocabulary, quantity, "hasSeat"))
        for names in vocabulary.names(quantity).values():
            found.update(dict.fromkeys(names, Seated(getattr(text, "value", ""), seats)))
    return found


def _below(kind: ox.NamedNode, vocabulary: Vocabulary) -> list[ox.NamedNode]:
    return vocabulary.subjects(SUBCLASS, kind)


def _links(vocabulary: Vocabulary, name: str) -> list[tuple[ox.NamedNode, ox.NamedNode]]:
    return [(iri, value) for iri, value in vocabulary.pairs(core(name)) if isinstance(value, ox.NamedNode)]


def _nodes(vocabulary: Vocabulary, subject: ox.NamedNode, name: str) -> list[ox.NamedNode]:
    return [value for value in vocabulary.objects(subject, core(name)) if isinstance(value, ox.NamedNode)]


def _is_true(value: object) -> bool:
    return isinstance(value, ox.Literal) and value.value == "true"
