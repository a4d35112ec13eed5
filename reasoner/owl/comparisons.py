"""The whole numbers that compare in some way with one, as an OWL 2 data range in RDF, and back.

| comparison                            | data range                                           |
| ------------------------------------- | ---------------------------------------------------- |
| AtMost, AtLeast, MoreThan, LessThan 3 | xsd:integer with one facet, as xsd:maxInclusive 3    |
| Exactly 3                             | owl:oneOf (3)                                        |

"Exactly" could be two facets as well, but of an interval with one number in it both HermiT and Pellet (those that come
with owlready2 0.51) draw wrong conclusions: they do not find a class disjoint from its complement.

Source: OWL 2 Mapping to RDF Graphs, table 12; OWL 2 Structural Specification, section 4.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from reasoner.language.mention import Comparison
from reasoner.owl.names import DATATYPE, FIRST, NIL, REST, Index, Term, owl
from reasoner.reference.selector import Compare
from reasoner.terms.namespaces import TYPE, XSD

INTEGER: Final = NamedNode(XSD + "integer")

_ON_TYPE, _FACETS, _ONE_OF = owl("onDatatype"), owl("withRestrictions"), owl("oneOf")
_WHOLE = re.compile(r"-?[0-9]+")
_FACET_OF: Final[Mapping[Comparison, NamedNode]] = {
    "AtMost": NamedNode(XSD + "maxInclusive"),
    "AtLeast": NamedNode(XSD + "minInclusive"),
    "MoreThan": NamedNode(XSD + "minExclusive"),
    "LessThan": NamedNode(XSD + "maxExclusive"),
}
_COMPARISON_OF: Final[Mapping[NamedNode, Comparison]] = {facet: one for one, facet in _FACET_OF.items()}


def data_range(atom: Compare, names: Iterator[BlankNode]) -> tuple[BlankNode, list[Triple]]:
    """Return the node of the data range of what compares as `atom` says, called from `names`, and its triples."""
    node, cell = next(names), next(names)
    number = Literal(str(atom.number), datatype=INTEGER)
    end = Triple(cell, REST, NIL)
    if atom.comparison not in _FACET_OF:
        return node, [Triple(node, TYPE, DATATYPE), Triple(node, _ONE_OF, cell), Triple(cell, FIRST, number), end]
    facet = next(names)
    triples = [Triple(node, TYPE, DATATYPE), Triple(node, _ON_TYPE, INTEGER), Triple(node, _FACETS, cell)]
    return node, [*triples, Triple(cell, FIRST, facet), end, Triple(facet, _FACET_OF[atom.comparison], number)]


def comparison_of(characteristic: str, node: Term, index: Index) -> Compare | None:
    """Return what compares the values of `characteristic` with the data range `node`; None if nothing does."""
    found: list[tuple[Comparison, Term]] = []
    if isinstance(node, BlankNode):
        found += [("Exactly", value) for value in _only(node, _ONE_OF, index)]
        if index.objects(node, _ON_TYPE) == [INTEGER]:
            found += _limits(node, index)
    if len(found) == 1:
        comparison, number = found[0]
        if isinstance(number, Literal) and number.datatype == INTEGER and _WHOLE.fullmatch(number.value):
            return Compare(characteristic, comparison, int(number.value))
    return None


def _limits(node: BlankNode, index: Index) -> Iterator[tuple[Comparison, Term]]:
    for one in _only(node, _FACETS, index):
        if not isinstance(one, Literal):
            for facet in index.predicates(one):
                if facet in _COMPARISON_OF:
                    yield from ((_COMPARISON_OF[facet], value) for value in index.objects(one, facet))


def _only(node: BlankNode, predicate: NamedNode, index: Index) -> list[Term]:
    """Return the member of the list that `node` has for `predicate`, if that has just one."""
    lists = index.objects(node, predicate)
    members = index.members(lists[0]) if len(lists) == 1 else None
    return members if members is not None and len(members) == 1 else []
