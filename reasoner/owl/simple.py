"""Which object properties are simple: neither transitive nor made by a chain, themselves or through a subproperty.

Source: OWL 2 Structural Specification, section 11.1.
"""

from __future__ import annotations

import networkx as nx
from pyoxigraph import BlankNode, NamedNode

from reasoner.owl.names import Index, Term, owl
from reasoner.terms.namespaces import OWL, SUBPROPERTY

_INVERSE, _EQUIVALENT = owl("inverseOf"), owl("equivalentProperty")


def named_property(index: Index, term: Term) -> str | None:
    """Return the IRI of the property that `term` is, or is the inverse of; None if it is neither."""
    if isinstance(term, BlankNode):
        named = [one for one in index.objects(term, _INVERSE) if isinstance(one, NamedNode)]
        return named[0].value if len(named) == 1 else None
    return term.value if isinstance(term, NamedNode) else None


def composite(index: Index) -> frozenset[str]:
    """Return the IRIs of the object properties that are not simple, owl:topObjectProperty among them.

    A property and its inverse are both simple or both not, so the direction of a property does not matter.
    """
    into: nx.DiGraph[str] = nx.DiGraph()
    roots = {OWL + "topObjectProperty"} | index.declared(owl("TransitiveProperty"))
    for subject in index.subjects():
        name = named_property(index, subject)
        if name is None:
            continue
        if index.objects(subject, owl("propertyChainAxiom")):
            roots.add(name)
        for predicate in (SUBPROPERTY, _EQUIVALENT, _INVERSE):
            for value in index.objects(subject, predicate):
                other = named_property(index, value)
                if other is not None:
                    into.add_edge(name, other)
                    if predicate != SUBPROPERTY:
                        into.add_edge(other, name)
    found = set(roots)
    for root in roots & set(into):
        found |= nx.descendants(into, root)
    return frozenset(found)
