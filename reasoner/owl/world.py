"""A game's vocabulary and its classified references as Python classes: a private owlready2 World.

For researchers who like owlready2's objects. Nothing here touches `owlready2.default_world`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

import pyoxigraph as ox

from reasoner.owl.java import find_java
from reasoner.owl.names import NOTHING, THING, ntriples, owl
from reasoner.owl.reasoner import Classification
from reasoner.terms.namespaces import BASE, SUBCLASS

if TYPE_CHECKING:
    from owlready2 import World

_JAVA = Lock()


def open_world(vocabulary: bytes, inferred: Classification | None = None) -> World:
    """Return a new owlready2 World in memory with the N-Triples `vocabulary`; close it when done.

    The vocabulary may hold definitions of references (reasoner.owl.expressions.define_all). What `inferred` found is
    in an ontology of its own, so that stated and inferred stay apart.
    """
    import owlready2

    world = owlready2.World()
    _load(world, "ontology/stated", vocabulary)
    if inferred:
        _load(world, "ontology/inferred", ntriples(_triples(inferred)))
    return world


@contextmanager
def owlready2_java() -> Iterator[None]:
    """Let owlready2's own `sync_reasoner` find Java as long as the block lasts; one thread at a time.

    Raises:
        OntologyError: O301 if there is no Java.
    """
    import owlready2

    with _JAVA:
        before = owlready2.JAVA_EXE
        owlready2.JAVA_EXE = str(find_java())
        try:
            yield
        finally:
            owlready2.JAVA_EXE = before


def _load(world: World, name: str, data: bytes) -> None:
    # owlready2 would look for imports on the network, and leaves an empty file open to guessing.
    kept = [quad.triple for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES) if quad.predicate != owl("imports")]
    if kept:
        world.get_ontology(f"{BASE}{name}#").load(only_local=True, fileobj=BytesIO(ntriples(kept)))


def _triples(inferred: Classification) -> Iterable[ox.Triple]:
    """Yield what was inferred; not that a class equals owl:Thing, which owlready2 would keep for every World."""
    for whole, part in inferred.contains:
        yield ox.Triple(ox.NamedNode(part), SUBCLASS, ox.NamedNode(whole))
    for group in inferred.equal:
        first, *others = (ox.NamedNode(iri) for iri in sorted(group - {THING.value}))
        yield from (ox.Triple(first, owl("equivalentClass"), other) for other in others)
    for empty in inferred.unsatisfiable:
        yield ox.Triple(ox.NamedNode(empty), SUBCLASS, NOTHING)
