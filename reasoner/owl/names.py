"""The terms of OWL 2 that this package builds and reads, and triples by subject and predicate.

Source: OWL 2 Web Ontology Language, Mapping to RDF Graphs (second edition).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from reasoner.terms.namespaces import OWL, RDF, RDFS, TYPE

Node: TypeAlias = NamedNode | BlankNode
Term: TypeAlias = NamedNode | BlankNode | Literal


def rdf(local: str) -> NamedNode:
    """Return the RDF term called `local`."""
    return NamedNode(RDF + local)


def rdfs(local: str) -> NamedNode:
    """Return the RDF Schema term called `local`."""
    return NamedNode(RDFS + local)


def owl(local: str) -> NamedNode:
    """Return the OWL 2 term called `local`."""
    return NamedNode(OWL + local)


FIRST, REST, NIL = rdf("first"), rdf("rest"), rdf("nil")
THING, NOTHING = owl("Thing"), owl("Nothing")
CLASS, RESTRICTION, INDIVIDUAL, ONTOLOGY = owl("Class"), owl("Restriction"), owl("NamedIndividual"), owl("Ontology")
OBJECT_PROPERTY, DATA_PROPERTY = owl("ObjectProperty"), owl("DatatypeProperty")
ANNOTATION_PROPERTY, DATATYPE = owl("AnnotationProperty"), rdfs("Datatype")
BUILTIN_ANNOTATIONS = frozenset(
    {rdfs(local).value for local in ("label", "comment", "seeAlso", "isDefinedBy")}
    | {
        owl(local).value
        for local in ("deprecated", "versionInfo", "priorVersion", "backwardCompatibleWith", "incompatibleWith")
    }
)


def ntriples(triples: Iterable[Triple]) -> bytes:
    """Return `triples` as N-Triples, in the order given."""
    data = serialize(triples, format=RdfFormat.N_TRIPLES)
    return data or b""


class Index:
    """Triples by subject and predicate: built once, only read afterwards. Triple terms are left out."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._objects: dict[Node, dict[NamedNode, dict[Term, None]]] = {}
        self._values: set[Term] = set()
        for triple in triples:
            subject, value = triple.subject, triple.object
            if not isinstance(subject, Triple) and not isinstance(value, Triple):
                self._objects.setdefault(subject, {}).setdefault(triple.predicate, {})[value] = None
                self._values.add(value)

    def subjects(self) -> list[Node]:
        """Return every subject, in the order of the input."""
        return list(self._objects)

    def mentions(self, iri: str) -> bool:
        """Return whether `iri` is the subject or the object of a triple."""
        return NamedNode(iri) in self._objects or NamedNode(iri) in self._values

    def predicates(self, subject: Node) -> list[NamedNode]:
        """Return the predicates that `subject` has."""
        return list(self._objects.get(subject, ()))

    def objects(self, subject: Node, predicate: NamedNode) -> list[Term]:
        """Return every object of `subject` and `predicate`, without repetitions."""
        return list(self._objects.get(subject, {}).get(predicate, ()))

    def is_a(self, subject: Node, kind: NamedNode) -> bool:
        """Return whether `subject rdf:type kind` is stated."""
        return kind in self._objects.get(subject, {}).get(TYPE, ())

    def declared(self, kind: NamedNode) -> frozenset[str]:
        """Return the IRIs stated to be of `kind`."""
        return frozenset(one.value for one in self._objects if isinstance(one, NamedNode) and self.is_a(one, kind))

    def members(self, head: Term) -> list[Term] | None:
        """Return the members of the rdf:List that starts at `head`, or None if it is not well formed."""
        found: list[Term] = []
        seen: set[Term] = set()
        while head != NIL:
            if not isinstance(head, BlankNode) or head in seen:
                return None
            seen.add(head)
            first, rest = self.objects(head, FIRST), self.objects(head, REST)
            if len(first) != 1 or len(rest) != 1:
                return None
            found.append(first[0])
            head = rest[0]
        return found
