"""Is a set of triples OWL 2 DL? The faults that ontologies really have, found without Java.

| code | fault                                                                                      |
| ---- | ------------------------------------------------------------------------------------------ |
| O351 | a class, datatype, property or individual is used and not declared                         |
| O352 | one IRI has kinds that exclude each other, such as object property and data property       |
| O353 | an rdf:List is not well formed                                                             |
| O354 | a term of RDF, RDFS, OWL or XSD that does not exist, or is used as one's own               |
| O355 | a term of the wrong kind, such as a literal as the value of an object property             |
| O356 | a class expression that is not complete, or has two constructors                           |
| O357 | a blank node of an expression or a list is used twice                                      |
| O358 | a property that is not simple where only a simple one may stand                            |
| O359 | a datatype outside the OWL 2 datatype map (annotations may have any)                       |

Stricter than the standard in one point: individuals must be declared, since owlready2 does not see others. Not
checked: the order among property chains, whether a facet fits its datatype, cycles of datatype definitions and of
anonymous individuals. What it does find was compared with the OWL API's profile checker on mutated ontologies.

Source: OWL 2 Structural Specification, sections 3, 5.8 and 11.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from reasoner.owl import constructs as c
from reasoner.owl.constructs import Role
from reasoner.owl.names import BUILTIN_ANNOTATIONS, DATATYPE, FIRST, REST, RESTRICTION, Index, Node, Term, owl
from reasoner.owl.simple import composite, named_property
from reasoner.terms.namespaces import OWL, RDF, RDFS, TYPE, XSD

_RESERVED = (RDF, RDFS, OWL, XSD)


class Finding(NamedTuple):
    """One fault: its code, the IRI of the term that has it (for a blank node, of the term it describes), and why."""

    code: str
    iri: str
    message: str


def check(triples: Iterable[Triple]) -> list[Finding]:
    """Return every fault of `triples`, sorted, each once; nothing if they are OWL 2 DL as far as this looks."""
    return _Profile(Index(triples)).findings()


class _Profile:
    def __init__(self, index: Index) -> None:
        self._index = index
        self._found: set[Finding] = set()
        self._declared = {
            role: index.declared(kind) | c.BUILTIN.get(role, frozenset()) for kind, role in c.DECLARES.items()
        }
        self._annotations = self._declared[Role.ANNOTATION_PROPERTY] | BUILTIN_ANNOTATIONS
        self._composite = composite(index)
        self._parents: dict[Node, Node] = {}
        self._uses: Counter[Node] = Counter()

    def findings(self) -> list[Finding]:
        self._count_uses()
        self._kinds()
        for subject in self._index.subjects():
            for predicate in self._index.predicates(subject):
                for value in self._index.objects(subject, predicate):
                    self._triple(subject, predicate, value)
            if isinstance(subject, BlankNode):
                self._blank(subject)
        return sorted(self._found)

    # Bookkeeping

    def _count_uses(self) -> None:
        for subject in self._index.subjects():
            for predicate in self._index.predicates(subject):
                values = self._index.objects(subject, predicate)
                if predicate in c.LEFT_HAND:
                    self._uses[subject] += len(values)
                for value in values:
                    if isinstance(value, BlankNode) and predicate.value not in self._annotations:
                        self._uses[value] += 1
                        self._parents.setdefault(value, subject)

    def _owner(self, term: Term) -> str:
        """Return the IRI that `term` belongs to, or the name of the blank node if there is none."""
        seen: set[Term] = set()
        while isinstance(term, BlankNode) and term in self._parents and term not in seen:
            seen.add(term)
            term = self._parents[term]
        return term.value if isinstance(term, NamedNode) else str(term)

    def _report(self, code: str, at: Term, message: str) -> None:
        self._found.add(Finding(code, self._owner(at), message))

    # Declarations

    def _kinds(self) -> None:
        for one, other in c.EXCLUSIVE:
            for iri in self._declared[one] & self._declared[other]:
                self._report("O352", NamedNode(iri), f"declared as {one} and as {other}")
        for role, iris in self._declared.items():
            for iri in iris - c.BUILTIN.get(role, frozenset()) - BUILTIN_ANNOTATIONS:
                if iri.startswith(_RESERVED):
                    self._report("O354", NamedNode(iri), f"declared as {role}, but its namespace is reserved")

    # Triples

    def _triple(self, subject: Node, predicate: NamedNode, value: Term) -> None:
        if predicate == TYPE:
            self._type(subject, value)
        elif predicate in c.AXIOMS:
            self._axiom(subject, predicate, value)
        elif predicate in c.LISTS or predicate == c.MEMBERS:
            self._list(subject, predicate, value)
        elif predicate in c.VALUES:
            self._value(subject, predicate, value)
        elif predicate in c.CARDINALITIES:
            if not (isinstance(value, Literal) and value.value.isdecimal() and value.datatype.value in c.INTEGERS):
                self._report("O355", subject, f"{value} is no number for {predicate.value}")
            self._simple(subject, subject, predicate)
        elif predicate in (FIRST, REST) or predicate in c.HEADER or predicate in c.ANNOTATING:
            return
        elif predicate.value.startswith(_RESERVED):
            if predicate.value not in self._annotations and predicate not in c.FACETS:
                self._report("O354", subject, f"{predicate.value} is no property of OWL 2")
        elif predicate.value not in self._annotations:
            self._assertion(subject, predicate, value)

    def _type(self, subject: Node, value: Term) -> None:
        if isinstance(value, NamedNode) and value in c.PARTS:
            self._parts(subject, value)
        if value in c.DECLARES or value in c.STRUCTURE:
            return
        if isinstance(value, NamedNode) and value in c.CHARACTERISTICS:
            self._need(subject, c.CHARACTERISTICS[value], subject)
            if value in c.NEED_SIMPLE:
                self._need_simple(subject, subject, f"cannot be an {value.value}")
            return
        self._need(value, Role.CLASS, subject)
        self._need(subject, Role.INDIVIDUAL, subject)

    def _parts(self, node: Node, kind: NamedNode) -> None:
        """Check that an axiom with a node of its own is complete, and that one it annotates is stated."""
        parts = [[v for one in each for v in self._index.objects(node, one)] for each in c.PARTS[kind]]
        if any(len(values) != 1 for values in parts):
            self._report("O356", node, f"an {kind.value} needs each of its parts once")
        elif kind == owl("Axiom"):
            (source,), (predicate,), (target,) = parts
            link = predicate if isinstance(predicate, NamedNode) else TYPE
            if isinstance(source, Literal) or target not in self._index.objects(source, link):
                self._report("O356", source, "an owl:Axiom annotates an axiom that is not stated")

    def _axiom(self, subject: Node, predicate: NamedNode, value: Term) -> None:
        left, right = c.AXIOMS[predicate]
        if left == Role.ANY_PROPERTY and self._plays(subject, Role.ANNOTATION_PROPERTY):
            right = Role.ANNOTATION_PROPERTY if right == Role.ANY_PROPERTY else Role.IRI
        elif left == Role.ANY_PROPERTY and predicate == c.RANGE:
            right = Role.DATA if self._plays(subject, Role.DATA_PROPERTY) else Role.CLASS
        elif left == right and left in c.FILLED_BY:  # both sides are of one kind
            right = self._kind_of(subject, right)
        self._need(subject, left, subject)
        self._need(value, right, subject)
        if predicate in c.ONLY_WITH:
            beside, kind = c.ONLY_WITH[predicate]
            for one in self._index.objects(subject, beside):
                self._need(one, kind, subject)
        if predicate == owl("propertyDisjointWith"):
            self._need_simple(subject, subject, "cannot be declared disjoint")
            self._need_simple(value, subject, "cannot be declared disjoint")
        if predicate == c.HAS_SELF:
            self._simple(subject, subject, predicate)

    def _list(self, subject: Node, predicate: NamedNode, head: Term) -> None:
        role = next((role for kind, role in c.MEMBER_ROLES.items() if self._index.is_a(subject, kind)), Role.ANYTHING)
        left, each = c.LISTS.get(predicate, (Role.ANYTHING, role))
        self._need(subject, left, subject)
        members = self._index.members(head)
        if members is None:
            self._report("O353", subject, f"{predicate.value} has an rdf:List that is not well formed")
            return
        if each == Role.CLASS_OR_DATA:
            each = Role.DATA if self._index.is_a(subject, DATATYPE) else Role.CLASS
        if each == Role.VALUE:
            each = Role.LITERAL if self._index.is_a(subject, DATATYPE) else Role.INDIVIDUAL
        if predicate == c.MEMBERS and role == Role.PROPERTY and members:  # all of one kind
            each = self._kind_of(members[0], role)
        for member in members:
            self._need(member, each, subject)
            if predicate == c.MEMBERS and role == Role.PROPERTY:
                self._need_simple(member, subject, "cannot be declared disjoint")
        least = c.AT_LEAST.get(predicate, 1)
        count = len(members if predicate == c.CHAIN else set(members))  # a chain may go along one property twice
        if count < least:
            self._report("O356", subject, f"{predicate.value} has {count} members, and needs {least} or more")

    def _value(self, subject: Node, predicate: NamedNode, value: Term) -> None:
        """Check the object of owl:someValuesFrom, owl:allValuesFrom or owl:hasValue against the property."""
        data = any(self._plays(one, Role.DATA_PROPERTY) for one in self._index.objects(subject, c.ON_PROPERTY))
        if c.VALUES[predicate] == Role.VALUE:
            self._need(value, Role.LITERAL if data else Role.INDIVIDUAL, subject)
        else:
            self._need(value, Role.DATA if data else Role.CLASS, subject)

    def _assertion(self, subject: Node, predicate: NamedNode, value: Term) -> None:
        if self._plays(predicate, Role.OBJECT_PROPERTY):
            self._need(value, Role.INDIVIDUAL, subject)
        elif self._plays(predicate, Role.DATA_PROPERTY):
            self._need(value, Role.LITERAL, subject)
        else:
            self._report("O351", predicate, "used as property, but not declared as one")
            return
        self._need(subject, Role.INDIVIDUAL, subject)

    # Terms

    def _plays(self, term: Term, role: Role) -> bool:
        if isinstance(term, BlankNode):
            if role == Role.OBJECT_PROPERTY:
                return bool(self._index.objects(term, owl("inverseOf")))
            data = self._index.is_a(term, DATATYPE)
            typed = any(self._index.is_a(term, kind) for kind in c.EXPRESSION_KINDS)
            return (
                data if role == Role.DATA else role == Role.CLASS and not data and (typed or self._is_expression(term))
            )
        return isinstance(term, NamedNode) and term.value in self._declared.get(role, ())

    def _kind_of(self, term: Term, role: Role) -> Role:
        """Return which of the roles that fill `role` the term has, or `role` if it has none."""
        return next((one for one in c.FILLED_BY[role] if self._plays(term, one)), role)

    def _is_expression(self, node: BlankNode) -> bool:
        return any(predicate in c.CONSTRUCTORS for predicate in self._index.predicates(node))

    def _is_facet(self, node: Term) -> bool:
        """Return whether `node` limits a datatype, as [ xsd:minInclusive 1 ] does."""
        if not isinstance(node, BlankNode):
            return False
        predicates = self._index.predicates(node)
        values = [value for one in predicates for value in self._index.objects(node, one)]
        return len(values) == 1 and predicates[0] in c.FACETS and isinstance(values[0], Literal)

    def _need(self, term: Term, role: Role, at: Term) -> None:
        """Report `term`, which belongs to `at`, unless it can have `role`."""
        if role == Role.ANYTHING or (role == Role.IRI and isinstance(term, NamedNode)):
            return
        if isinstance(term, Literal):
            self._need_literal(term, role, at)
            return
        if role == Role.LITERAL:
            self._report("O355", at, f"{term} stands where a literal belongs")
            return
        if any(self._plays(term, one) for one in c.FILLED_BY.get(role, (role,))):
            return
        if isinstance(term, BlankNode):
            if role == Role.FACET and self._is_facet(term):
                return
            if role not in (Role.INDIVIDUAL, Role.VALUE) or self._is_expression(term):
                self._report("O355", at, f"a blank node stands where {_a(role)} belongs, and is none")
        elif term.value.startswith(_RESERVED):
            code = "O359" if role == Role.DATA and term.value.startswith(XSD) else "O354"
            self._report(code, at, f"{term.value} is no {role} of OWL 2")
        else:
            self._undeclared(term, role)

    def _undeclared(self, term: NamedNode, role: Role) -> None:
        others = sorted(one for one, iris in self._declared.items() if term.value in iris and one != Role.INDIVIDUAL)
        if others and role not in (Role.INDIVIDUAL, Role.VALUE):
            self._report("O355", term, f"used as {role}, but declared as {' and '.join(others)}")
        else:
            self._report("O351", term, f"used as {role}, but not declared as one")

    def _need_literal(self, term: Literal, role: Role, at: Term) -> None:
        if role not in (Role.LITERAL, Role.VALUE):
            self._report("O355", at, f"the literal {term} stands where {_a(role)} belongs")
        elif term.datatype.value not in self._declared[Role.DATA]:
            self._report("O359", at, f"the literal {term} has a datatype that OWL 2 does not know")

    # Blank nodes

    def _blank(self, node: BlankNode) -> None:
        cell = bool(self._index.objects(node, FIRST) or self._index.objects(node, REST))
        expression = self._is_expression(node)
        if cell and self._index.members(node) is None:
            self._report("O353", node, "an rdf:List is not well formed")
        elif (cell or expression) and self._uses[node] > 1:
            self._report("O357", node, "a blank node of an expression or a list is used twice: repeat the expression")
        kinds = [kind for kind in c.EXPRESSION_KINDS if self._index.is_a(node, kind)]
        if not expression and not kinds:
            return
        built = [one for one in c.CONSTRUCTORS for _ in self._index.objects(node, one)]
        if len(built) != 1:
            self._report("O356", node, f"an expression has {len(built)} constructors in place of one")
        elif built == [c.ON_PROPERTY]:
            self._restriction(node)
        elif not set(kinds) & {owl("Class"), DATATYPE}:
            self._report("O356", node, "an expression lacks its rdf:type owl:Class (or rdfs:Datatype)")

    def _restriction(self, node: BlankNode) -> None:
        said = [one for one in c.FILLERS for _ in self._index.objects(node, one)]
        if len(said) != 1:
            self._report("O356", node, f"a restriction says {len(said)} things of its property in place of one")
        if not self._index.is_a(node, RESTRICTION):
            self._report("O356", node, "a restriction lacks its rdf:type owl:Restriction")
        counted = [v for one in (owl("onClass"), owl("onDataRange")) for v in self._index.objects(node, one)]
        if len(counted) != (1 if any(one in c.QUALIFIED for one in said) else 0):
            self._report(
                "O356", node, "owl:onClass or owl:onDataRange goes with a qualified cardinality, and only there"
            )

    # Simple properties

    def _simple(self, restriction: Node, at: Term, predicate: NamedNode) -> None:
        for one in self._index.objects(restriction, c.ON_PROPERTY):
            self._need_simple(one, at, f"cannot stand with {predicate.value}")

    def _need_simple(self, term: Term, at: Term, consequence: str) -> None:
        name = named_property(self._index, term)
        if name in self._composite:
            self._report("O358", at, f"{name} is transitive or has a chain, itself or below it: it {consequence}")


def _a(role: Role) -> str:
    return f"an {role}" if role[0] in "aio" else f"a {role}"
