"""Classification of a game's vocabulary together with its references: which are empty, equal, part of another.

The references are defined classes (reasoner/owl/expressions.py). Reasoning is OWL 2 DL, so the world is open: what is
not stated may still be the case, and two references are equal only if they must be. Only the referents that references
name with core:is are taken to be different from each other, as their identifiers are.

This is for vocabularies, never for card pools. Measured on two busy cores, with seventy classes: 1 to 2 s with up to a
hundred different references, 3 to 6 s with 250, 80 s with 700. `consistent` takes 0.6 to 1.5 s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal as Choice

import networkx as nx
import pyoxigraph as ox

from reasoner.errors import OntologyError
from reasoner.owl import engines
from reasoner.owl.expressions import IS, all_different, canonical, define_all, require
from reasoner.owl.inputs import check_terms, logical, read_ntriples, written
from reasoner.owl.names import CLASS, NOTHING, THING, Index
from reasoner.owl.told import Told
from reasoner.reference.selector import Has, Selector, atoms
from reasoner.terms.namespaces import OWL

Engine = Choice["hermit", "pellet"]
ENGINES = {"hermit": engines.hermit_hierarchy, "pellet": engines.pellet_hierarchy}
TIMEOUT = 300.0


@dataclass(frozen=True)
class Classification:
    """What follows about the named classes of a vocabulary and its references. All IRIs, all in canonical order.

    `unsatisfiable` have no members in any model. `equal` are groups of two or more that have the same members in all.
    `contains` are (super, sub) pairs with nothing between them, where super is not owl:Thing and both have members;
    every member of an equal group is listed. `why` has a text for unsatisfiable classes where one is cheap, and for
    owl:Thing when nothing is consistent; IRIs in it stand in angle brackets. `culprits` are then references
    that the vocabulary cannot be had with, none of them to spare; there are none if the vocabulary contradicts itself.
    """

    consistent: bool
    unsatisfiable: tuple[str, ...] = ()
    equal: tuple[frozenset[str], ...] = ()
    contains: tuple[tuple[str, str], ...] = ()
    why: Mapping[str, str] = field(default_factory=dict)
    culprits: tuple[str, ...] = ()

    def includes(self, whole: str, part: str) -> bool:
        """Return whether every member of `part` must be one of `whole`; so for anything if `part` is empty."""
        if not self.consistent or part in self.unsatisfiable or whole in (part, THING.value):
            return True
        if any(THING.value in group and whole in group for group in self.equal):
            return True
        return whole in self._above and part in self._above and nx.has_path(self._above, part, whole)

    @cached_property
    def _above(self) -> nx.DiGraph[str]:
        graph: nx.DiGraph[str] = nx.DiGraph((part, whole) for whole, part in self.contains)
        for group in self.equal:
            nx.add_cycle(graph, sorted(group))
        return graph


def classify(
    vocabulary: bytes,
    references: Mapping[str, Selector],
    engine: Engine = "hermit",
    *,
    timeout: float = TIMEOUT,
) -> Classification:
    """Return the hierarchy of the classes of `vocabulary` (N-Triples) and of `references` (by IRI).

    `timeout` is in seconds, for each run of the engine. HermiT is complete and runs on any Java. Pellet also gives
    reasons why classes are empty that are not plain from the vocabulary, but misses that {x} is part of not {y}.
    An inconsistent vocabulary is a result, not an error.

    Raises:
        OntologyError: O301 no Java, O302 out of time, O303 the engine cannot handle the ontology, O304 a reference
            uses a term that the vocabulary does not declare, O306 it has a literal in place of an IRI, O307 not
            N-Triples. Several of O304 come as Problems.
    """
    stated = logical(read_ntriples(vocabulary))
    selectors = {iri: canonical(references[iri]) for iri in sorted(references)}
    index = Index(stated)
    check_terms(index, selectors)
    # References that say the same are one class for the reasoner: a card pool repeats "creature" thousands of times.
    # One that the vocabulary says something about stays by itself.
    twins: dict[tuple[Selector, str], list[str]] = {}
    for iri, selector in selectors.items():
        twins.setdefault((selector, iri if index.mentions(iri) else ""), []).append(iri)
    distinct = {same[0]: selectors[same[0]] for same in twins.values()}
    triples = [*stated, *define_all(distinct), *all_different(_identities(distinct.values()))]
    with written(triples) as path:
        edges = ENGINES[engine](path, timeout)
        if edges is None:
            return _inconsistent(stated, distinct, timeout)
        names = _named_classes(Index(triples))
        for same in twins.values():
            edges.extend(engines.ring(same))
            names.update(same)
        empty, equal, contains = _hierarchy(names, edges)
        told = Told(Index(triples))
        why = {iri: text for iri in empty if (text := told.why_empty(iri, selectors.get(iri)))}
    if engine == "pellet" and set(empty) - set(why):
        why = _reasons(stated, selectors, empty, timeout) | why
    return Classification(True, empty, equal, contains, why)


def consistent(ntriples: bytes, *, timeout: float = TIMEOUT) -> bool:
    """Return whether the ontology `ntriples` has a model: far cheaper than `classify`, and bears individuals too.

    Raises:
        OntologyError: O301 no Java, O302 out of time, O303 HermiT cannot handle the ontology, O307 not N-Triples.
    """
    return _consistent(logical(read_ntriples(ntriples)), timeout)


def _consistent(triples: Iterable[ox.Triple], timeout: float) -> bool:
    with written(triples) as path:
        return engines.hermit_consistent(path, timeout)


def _identities(selectors: Iterable[Selector]) -> set[str]:
    return {atom.value.value for atom in _having(selectors) if atom.characteristic == IS.value}


def _having(selectors: Iterable[Selector]) -> Iterator[Has]:
    return (atom for one in selectors for atom in atoms(one) if isinstance(atom, Has))


def _named_classes(index: Index) -> set[str]:
    return {iri for iri in index.declared(CLASS) if not iri.startswith(OWL)}


def _hierarchy(
    names: set[str], edges: Iterable[engines.Edge]
) -> tuple[tuple[str, ...], tuple[frozenset[str], ...], tuple[tuple[str, str], ...]]:
    """Return the empty classes, the equal ones and the direct (super, sub) pairs of the hierarchy `edges`."""
    thing, nothing = THING.value, NOTHING.value
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from([*sorted(names), thing, nothing])
    graph.add_edges_from(edges)
    graph.add_edges_from((name, thing) for name in names)
    groups = nx.condensation(graph)
    members: dict[int, set[str]] = {
        node: set(data["members"]) & (names | {thing, nothing}) for node, data in groups.nodes(data=True)
    }
    bottom, top = groups.graph["mapping"][nothing], groups.graph["mapping"][thing]
    empty = tuple(sorted(members[bottom] - {nothing}))
    equal = sorted((frozenset(same) for node, same in members.items() if node != bottom and len(same) > 1), key=sorted)
    groups.remove_node(bottom)
    reduced = nx.transitive_reduction(groups)
    contains = sorted(
        (whole, part)
        for low, high in reduced.edges
        for whole in members[high] - ({thing} if high == top else set())
        for part in members[low]
    )
    return empty, tuple(equal), tuple(contains)


def _inconsistent(stated: list[ox.Triple], references: Mapping[str, Selector], timeout: float) -> Classification:
    """Return the result for an inconsistent ontology: whose fault it is, and the axioms where Pellet finds them."""
    culprits: tuple[str, ...] = ()
    text = "the vocabulary contradicts itself, without any reference"
    if _consistent(stated, timeout):
        culprits = _culprits(stated, references, timeout)
        text = f"the vocabulary is consistent, but not with {', '.join(f'<{iri}>' for iri in culprits)}"
    chosen = {iri: references[iri] for iri in culprits}
    try:
        with written([*stated, *_parts(chosen), *all_different(_identities(chosen.values()))]) as path:
            axioms = engines.pellet_contradiction(path, timeout)
    except OntologyError:  # no Java that Pellet runs on, or no time: the axioms are an extra
        axioms = ""
    return Classification(False, why={THING.value: f"{text}\n{axioms}".strip()}, culprits=culprits)


def _parts(references: Mapping[str, Selector]) -> list[ox.Triple]:
    """Return what members of `references` must meet, in one axiom for each part: what Pellet can explain.

    Its printer fails on an intersection of two anonymous classes. The parts say less than a definition, but as much
    about what makes a class empty.
    """
    return [triple for iri, selector in references.items() for triple in require(iri, selector)]


def _reasons(
    stated: list[ox.Triple], selectors: Mapping[str, Selector], empty: Iterable[str], timeout: float
) -> dict[str, str]:
    """Return Pellet's reasons why the classes `empty` are so, as far as it finds and prints them."""
    chosen = {iri: selector for iri, selector in selectors.items() if iri in empty}
    used = {atom.value.value for atom in _having(chosen.values())}
    others = {iri: selector for iri, selector in selectors.items() if iri in used - set(chosen)}
    differing = all_different(_identities(selectors.values()))
    with written([*stated, *_parts(chosen), *define_all(others), *differing]) as path:
        reasons = engines.pellet_reasons(path, timeout)
    ending: dict[str, list[str]] = {}
    for iri in empty:
        last = max((last for last in reasons if iri.endswith(last)), key=len, default="")
        ending.setdefault(last, []).append(iri)
    return {iris[0]: reasons[last] for last, iris in ending.items() if len(iris) == 1 and last}


def _culprits(stated: list[ox.Triple], references: Mapping[str, Selector], timeout: float) -> tuple[str, ...]:
    """Return references that contradict the vocabulary, none of them to spare: QuickXplain (U. Junker, AAAI 2004)."""

    # Defining a name that nothing else mentions contradicts nothing; naming a referent may, since all are different.
    index = Index(stated)
    used = {atom.value.value for atom in _having(references.values())}
    suspects = [
        iri for iri in sorted(references) if index.mentions(iri) or iri in used or _identities([references[iri]])
    ]

    def clash(chosen: list[str]) -> bool:
        part = {iri: references[iri] for iri in chosen}
        return not _consistent([*stated, *define_all(part), *all_different(_identities(part.values()))], timeout)

    def search(background: list[str], added: bool, candidates: list[str]) -> list[str]:
        if added and clash(background):
            return []
        if len(candidates) <= 1:
            return candidates
        half = len(candidates) // 2
        left, right = candidates[:half], candidates[half:]
        second = search([*background, *left], bool(left), right)
        first = search([*background, *second], bool(second), left)
        return [*first, *second]

    return tuple(sorted(search([], False, suspects)))
