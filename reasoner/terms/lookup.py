"""Looking things up in a store: the named subjects and plain objects of one predicate in one graph."""

from __future__ import annotations

import pyoxigraph as ox

Value = ox.NamedNode | ox.Literal


def pairs(store: ox.Store, predicate: ox.NamedNode, graph: ox.NamedNode) -> list[tuple[ox.NamedNode, Value]]:
    """Return every (named subject, IRI or literal) of `predicate` in `graph`, in canonical order."""
    return _plain(store, None, predicate, None, graph)


def values(store: ox.Store, subject: ox.NamedNode, predicate: ox.NamedNode, graph: ox.NamedNode) -> list[Value]:
    """Return the IRIs and literals that `subject` has for `predicate` in `graph`, in canonical order."""
    return [value for _, value in _plain(store, subject, predicate, None, graph)]


def subjects(store: ox.Store, predicate: ox.NamedNode, value: Value, graph: ox.NamedNode) -> list[ox.NamedNode]:
    """Return the named subjects that have `value` for `predicate` in `graph`, in canonical order."""
    return [subject for subject, _ in _plain(store, None, predicate, value, graph)]


def _plain(
    store: ox.Store,
    subject: ox.NamedNode | None,
    predicate: ox.NamedNode,
    value: Value | None,
    graph: ox.NamedNode,
) -> list[tuple[ox.NamedNode, Value]]:
    found = [
        (quad.subject, quad.object)
        for quad in store.quads_for_pattern(subject, predicate, value, graph)
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode | ox.Literal)
    ]
    return sorted(found, key=str)
