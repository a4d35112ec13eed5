"""What property chains of the ontology say, asked of a store that holds only their links.

`?reference core:matches ?card` is not written for every pair; it follows from three links by an owl:propertyChainAxiom.
So in the patterns of a query a property with such an axiom is replaced by a path: the links one after the other, or
itself as well where some of it is written. That is sound and complete wherever the property is written in a pattern or
a path. A variable in its place, a negated set of properties, and DESCRIBE find what is written, that is the links.

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
        before, after = text[: token.start], text[token.start + len(token.text) :]
        # Alternatives can stand only where a pattern has a property; steps could be a division.
        if _is_valid(f"{before}(<{tokens[token.start]}>|^<{tokens[token.start]}>){after}", prefixes):
            text = f"{before}{paths[tokens[token.start]]}{after}"
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
    """Return the path for a property; none where nothing is linked so.

    Oxigraph finds a good order for the steps of a path, but does not look into alternatives.
    """
    path = "/".join(map(str, links))
    if not _is_stated(store, links[0]):
        return ""
    return f"(<{iri}>|{path})" if _is_stated(store, ox.NamedNode(iri)) else f"({path})"


def _is_stated(store: ox.Store, predicate: ox.NamedNode) -> bool:
    return next(iter(store.quads_for_pattern(None, predicate, None, None)), None) is not None


def _value(store: ox.Store, subject: ox.NamedNode | ox.BlankNode, predicate: ox.NamedNode) -> ox.NamedNode | None:
    found = next(iter(store.quads_for_pattern(subject, predicate, None, graph("core"))), None)
    return None if found is None else found.object  # type: ignore[return-value]


def _is_valid(text: str, prefixes: Mapping[str, str]) -> bool:
    try:
        ox.Store().query(text, prefixes=dict(prefixes))
    except SyntaxError:
        return False
    return True
