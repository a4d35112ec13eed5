"""The references that the texts of a pool make, and where they stand, as they are put into the store of the pool."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from reasoner.cardtexts.collection import Collection, open_collection
from reasoner.index.opening import PoolIndex
from reasoner.index.references import PoolReferences
from reasoner.knowledge.base import LATEST, KnowledgeBase
from reasoner.terms.namespaces import TYPE, XSD, core

_INTEGER = ox.NamedNode(XSD + "integer")


def read_pool_texts(base: KnowledgeBase, _index: PoolIndex) -> PoolReferences:
    """Return the references in all texts of the cards of `base`, of whatever language can be read."""
    as_of = None if base.edition == LATEST else base.edition
    found = open_collection(base.library, base.game, as_of, base.pool)
    return PoolReferences(found.selectors(), occurrence_lines(found))


def occurrence_lines(found: Collection) -> Iterator[str]:
    """Yield what is known of each occurrence of a reference, as lines of N-Triples."""
    for one in found.occurrences():
        node = ox.NamedNode(f"{one.bearer}/occurrence/{one.language}/{one.start}-{one.end}")
        values = [
            (TYPE, core("Occurrence")),
            (core("occursOn"), ox.NamedNode(one.bearer)),
            (core("isOccurrenceOf"), ox.NamedNode(one.reference)),
            (core("occursAs"), ox.Literal(one.wording, language=one.language)),
            (core("beginsAt"), ox.Literal(str(one.start), datatype=_INTEGER)),
            *((core("hasRole"), ox.NamedNode(role)) for role in one.roles),
        ]
        for verb, value in values:
            yield f"{node} {verb} {value} .\n"
