"""What property chains of the ontology say, asked of a store that holds only their links.

`?reference core:matches ?card` is not written for every pair; it follows from three links by an owl:propertyChainAxiom.
So in the patterns of a query a property with such an axiom is replaced by a path: itself, or the links one after the
other. That is sound and complete wherever the property is written in a pattern or a path. A variable in its place, a
negated set of properties, and DESCRIBE find what is written, that is the links.

Source: OWL 2 Structural Specification, 9.2.1 (subproperties by chains); SPARQL 1.1 Query Language, 9 (paths).
"""

from __future__ import annotations

from collections.abc import Mapping

import pyoxigraph as ox

from reasoner.operations.sparqltext import SparqlText
from reasoner.terms.namespaces import OWL, RDF, graph

_CHAIN = ox.NamedNode(OWL + "propertyChainAxiom")
_FIRST, _REST, _NIL = (ox.NamedNode(RDF + name) for name in ("first", "rest", "nil"))


def unchained(store: ox.Store, sparql: SparqlText, prefixes: Mapping[str, str]) -> SparqlText:
    """Return the query, known to be valid, as it has to be asked of `store`."""
    tokens = {token.start: iri for token in sparql.tokens if (iri := sparql.iri(token, prefixes))}
    if not tokens:
        return sparql
    paths = {
        iri: path
        for iri in set(tokens.values())
        if (links := _links(store, iri)) and (path := _path(store, iri, links))
    }
    found = [token for token in sparql.tokens if tokens.get(token.start) in paths]
    if not found:
        return sparql
    text = sparql.in_full
    if text != sparql.text:
        return unchained(store, SparqlText(text), prefixes)
    for token in reversed(found):  # so that the places of those before stay as they are
        changed = f"{text[: token.start]}{paths[tokens[token.start]]}{text[token.start + len(token.text) :]}"
        if _is_valid(changed, prefixes):  # a path can stand only where a pattern has a property
            text = changed
    return SparqlText(text)


def _links(store: ox.Store, iri: str) -> list[ox.NamedNode]:
    """Return the properties of the chain of a property."""
    node = _value(store, ox.NamedNode(iri), _CHAIN)
    links: list[ox.NamedNode] = []
    while node is not None and node != _NIL:
        link = _value(store, node, _FIRST)
        if not isinstance(link, ox.NamedNode):
            return []
        links.append(link)
        node = _value(store, node, _REST)
    return links


def _path(store: ox.Store, iri: str, links: list[ox.NamedNode]) -> str:
    """Return the path for a property; none where nothing is linked so."""
    first = next(iter(store.quads_for_pattern(None, links[0], None, None)), None)
    return "" if first is None else f"(<{iri}>|{'/'.join(map(str, links))})"


def _value(store: ox.Store, subject: ox.NamedNode | ox.BlankNode, predicate: ox.NamedNode) -> ox.NamedNode | None:
    found = next(iter(store.quads_for_pattern(subject, predicate, None, graph("core"))), None)
    return None if found is None else found.object  # type: ignore[return-value]


def _is_valid(text: str, prefixes: Mapping[str, str]) -> bool:
    try:
        ox.Store().query(text, prefixes=dict(prefixes))
    except SyntaxError:
        return False
    return True
