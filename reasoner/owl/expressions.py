"""A selector as an OWL 2 class expression in RDF, and back.

| selector                        | class expression                                     |
| ------------------------------- | ---------------------------------------------------- |
| Has(rdf:type, C)                | C                                                    |
| Has(core:is, x)                 | owl:oneOf (x)                                        |
| Has(p, individual or literal)   | owl:Restriction on p with owl:hasValue               |
| Compare(p, AtMost, 3)           | owl:Restriction on p with owl:someValuesFrom         |
|                                 | a data range of reasoner.owl.comparisons             |
| Not(Compare(p, …))              | some value for p, and not one that compares so       |
| All, Any, Not                   | owl:intersectionOf, owl:unionOf, owl:complementOf    |
| EVERYTHING, NOTHING             | owl:Thing, owl:Nothing                               |

A comparison is no more true of what has no value than its negation, so the negation asks for a value as well; plain
owl:complementOf would make the class of a text that says "not at most 3" hold what the text does not refer to.

Blank nodes are named after the text of the selector (and the reference it defines) and numbered in the order in
which they are met, so that the same selector always gives the same bytes.

Source: OWL 2 Mapping to RDF Graphs, tables 1, 13, 14 and 15.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from reasoner.errors import OntologyError
from reasoner.owl.comparisons import INTEGER, comparison_of, data_range
from reasoner.owl.names import (
    CLASS,
    FIRST,
    INDIVIDUAL,
    NIL,
    NOTHING,
    REST,
    RESTRICTION,
    THING,
    Index,
    Node,
    Term,
    owl,
)
from reasoner.reference import selector as sel
from reasoner.reference.selector import All, Any, Compare, Has, Not, Selector
from reasoner.terms.namespaces import SUBCLASS, TYPE, core

IS = core("is")
EQUIVALENT = owl("equivalentClass")
_AND, _OR, _NOT, _ONE_OF = owl("intersectionOf"), owl("unionOf"), owl("complementOf"), owl("oneOf")
_ON, _VALUE, _SOME = owl("onProperty"), owl("hasValue"), owl("someValuesFrom")
_CONSTRUCTORS = (_AND, _OR, _NOT, _ONE_OF, _VALUE, _SOME)


def canonical(selector: Selector) -> Selector:
    """Return `selector` in the form that `all_of`, `any_of` and `negate` keep; one already in it stays the same."""
    if isinstance(selector, Not):
        return sel.negate(canonical(selector.part))
    if isinstance(selector, All):
        return sel.all_of(canonical(part) for part in selector.parts)
    if isinstance(selector, Any):
        return sel.any_of(canonical(part) for part in selector.parts)
    if isinstance(selector, Has) and selector.characteristic == TYPE.value and selector.value in (THING, NOTHING):
        return sel.EVERYTHING if selector.value == THING else sel.NOTHING
    return selector


def expression(selector: Selector, scope: str = "") -> tuple[Node, list[Triple]]:
    """Return the node that stands for `selector` and the triples that describe it (none for a named class).

    `scope` keeps the blank nodes of two equal expressions apart: OWL 2 lets an expression be used once only.

    Raises:
        OntologyError: O306 if a class or the referent of core:is is a literal.
    """
    selector = canonical(selector)
    writer = _Writer(_digest(selector, scope))
    return writer.write(selector), writer.triples


def define(reference: str, selector: Selector) -> list[Triple]:
    """Return the triples that make `reference` the class of everything that `selector` selects.

    Raises:
        OntologyError: O306 if a class or the referent of core:is is a literal.
    """
    node, triples = expression(selector, reference)
    name = NamedNode(reference)
    return [Triple(name, TYPE, CLASS), Triple(name, EQUIVALENT, node), *triples]


def define_all(references: Mapping[str, Selector]) -> list[Triple]:
    """Return the definitions of all `references` in the order of their IRIs, then the individuals they use, declared.

    Raises:
        OntologyError: O306 if a class or the referent of core:is is a literal.
    """
    triples = [triple for reference in sorted(references) for triple in define(reference, references[reference])]
    individuals = {
        atom.value
        for selector in references.values()
        for atom in sel.atoms(selector)
        if isinstance(atom, Has) and isinstance(atom.value, NamedNode) and atom.characteristic != TYPE.value
    }
    triples.extend(Triple(individual, TYPE, INDIVIDUAL) for individual in sorted(individuals, key=str))
    return triples


def require(reference: str, selector: Selector) -> list[Triple]:
    """Return one axiom for each part of `selector`: whatever `reference` selects meets it. Half of a definition.

    Raises:
        OntologyError: O306 if a class or the referent of core:is is a literal.
    """
    selector = canonical(selector)
    name = NamedNode(reference)
    triples = [Triple(name, TYPE, CLASS)]
    for part in selector.parts if isinstance(selector, All) else (selector,):
        writer = _Writer(_digest(part, reference))
        denied = part.part if isinstance(part, Not) and isinstance(part.part, Compare) else None
        nodes = [writer.write(part)] if denied is None else writer.denied(denied)
        triples += [*(Triple(name, SUBCLASS, node) for node in nodes), *writer.triples]
    return triples


def all_different(referents: Iterable[str]) -> list[Triple]:
    """Return the axiom that `referents` are different from each other; nothing for fewer than two."""
    names = sorted(set(referents))
    if len(names) < 2:
        return []
    writer = _Writer(hashlib.sha256(" ".join(names).encode()).hexdigest()[:16])
    writer.differ([NamedNode(name) for name in names])
    return writer.triples


def selector_of(node: Node, triples: Iterable[Triple] | Index) -> Selector:
    """Return the selector of the class expression `node`, which `triples` describe: the inverse of `expression`.

    Raises:
        OntologyError: O305 if the expression uses anything that no selector can say, or is not well formed.
    """
    return _Reader(triples if isinstance(triples, Index) else Index(triples)).read(node)


def definitions(triples: Iterable[Triple]) -> dict[str, Selector]:
    """Return the selector of every class that `triples` define with owl:equivalentClass, in the order of their IRIs.

    Raises:
        OntologyError: O305 if an expression uses anything that no selector can say or is not well formed, or if
            a class has two definitions.
    """
    index = Index(triples)
    found: dict[str, Selector] = {}
    for name in sorted(index.declared(CLASS)):
        for node in index.objects(NamedNode(name), EQUIVALENT):
            if name in found:
                raise _unreadable(f"{name} has two definitions")
            if isinstance(node, Literal):
                raise _unreadable(f"{name} is defined as equal to the literal {node}")
            found[name] = selector_of(node, index)
    return found


def _digest(selector: Selector, scope: str) -> str:
    return hashlib.sha256(f"{scope} {sel.sort_key(selector)}".encode()).hexdigest()[:16]


class _Writer:
    """Collects the triples of one expression; blank nodes are called `e<digest>n<number>`."""

    def __init__(self, digest: str) -> None:
        self.triples: list[Triple] = []
        self._names = (BlankNode(f"e{digest}n{number}") for number in count(1))

    def write(self, selector: Selector) -> Node:
        if selector == sel.EVERYTHING:
            return THING
        if selector == sel.NOTHING:
            return NOTHING
        if isinstance(selector, Has) and selector.characteristic == TYPE.value:
            return _named(selector, "a class")
        if isinstance(selector, Compare):
            node, triples = data_range(selector, self._names)
            self.triples += triples
            return self._some(selector.characteristic, node)
        if isinstance(selector, Has) and selector.characteristic != IS.value:
            return self._restriction(selector.characteristic, _VALUE, selector.value)
        node = next(self._names)
        self._add(node, TYPE, CLASS)
        if isinstance(selector, Has):
            self._list(node, _ONE_OF, [_named(selector, "a referent")])
        elif isinstance(selector, Not) and isinstance(selector.part, Compare):
            self._list(node, _AND, self.denied(selector.part))
        elif isinstance(selector, Not):
            self._add(node, _NOT, self.write(selector.part))
        else:
            self._list(node, _AND if isinstance(selector, All) else _OR, [self.write(one) for one in selector.parts])
        return node

    def denied(self, atom: Compare) -> list[Node]:
        """Write that there is a value, and that none compares as `atom` says; return both."""
        some, other = self._some(atom.characteristic, INTEGER), next(self._names)
        self._add(other, TYPE, CLASS)
        self._add(other, _NOT, self.write(atom))
        return [some, other]

    def _some(self, characteristic: str, datatype: Node) -> Node:
        return self._restriction(characteristic, _SOME, datatype)

    def _restriction(self, characteristic: str, kind: NamedNode, value: Term) -> Node:
        node = next(self._names)
        self._add(node, TYPE, RESTRICTION)
        self._add(node, _ON, NamedNode(characteristic))
        self._add(node, kind, value)
        return node

    def differ(self, members: Sequence[Node]) -> None:
        node = next(self._names)
        self._add(node, TYPE, owl("AllDifferent"))
        self._list(node, owl("distinctMembers"), members)

    def _list(self, subject: Node, predicate: NamedNode, members: Sequence[Term]) -> None:
        for member in members:
            cell = next(self._names)
            self._add(subject, predicate, cell)
            self._add(cell, FIRST, member)
            subject, predicate = cell, REST
        self._add(subject, predicate, NIL)

    def _add(self, subject: Node, predicate: NamedNode, value: Term) -> None:
        self.triples.append(Triple(subject, predicate, value))


class _Reader:
    """Reads expressions of one graph; `_open` holds the nodes being read, to notice a cycle."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._open: set[Node] = set()

    def read(self, node: Term) -> Selector:
        if isinstance(node, Literal):
            raise _unreadable(f"the literal {node} stands where a class belongs")
        if isinstance(node, NamedNode):
            return canonical(Has(TYPE.value, node))
        if node in self._open:
            raise _unreadable("it contains itself")
        self._open.add(node)
        found = [(one, value) for one in _CONSTRUCTORS for value in self._index.objects(node, one)]
        if len(found) != 1:
            other = sorted(p.value for p in self._index.predicates(node) if p not in (TYPE, _ON))
            raise _unreadable(f"one constructor that a selector has was expected, found {', '.join(other) or 'none'}")
        constructor, value = found[0]
        result = self._build(node, constructor, value)
        self._open.discard(node)
        return result

    def _build(self, node: Node, constructor: NamedNode, value: Term) -> Selector:
        if constructor == _NOT:
            denied = self.read(value)
            if isinstance(denied, Compare):
                raise _unreadable("a comparison may be denied only of what has a value: see how it is written")
            return sel.negate(denied)
        if constructor in (_VALUE, _SOME):
            properties = self._index.objects(node, _ON)
            if len(properties) != 1 or not isinstance(properties[0], NamedNode):
                raise _unreadable("a restriction needs one named property")
            if constructor == _SOME:
                found_comparison = comparison_of(properties[0].value, value, self._index)
                if found_comparison is None:
                    raise _unreadable("owl:someValuesFrom needs one whole number, or xsd:integer with one facet")
                return found_comparison
            if isinstance(value, BlankNode):
                raise _unreadable("owl:hasValue needs a value that is not a blank node")
            return Has(properties[0].value, value)
        members = self._index.members(value)
        if members is None:
            raise _unreadable("its rdf:List is not well formed")
        if constructor == _AND and (denied_comparison := self._denied_comparison(members)) is not None:
            return sel.negate(denied_comparison)
        if constructor == _ONE_OF:
            return sel.any_of(Has(IS.value, member) for member in map(_referent, members))
        combine = sel.all_of if constructor == _AND else sel.any_of
        return combine([self.read(member) for member in members])

    def _denied_comparison(self, members: Sequence[Term]) -> Compare | None:
        """Return the comparison that an intersection denies of what has a value; None if it is no such intersection."""
        if len(members) != 2 or not all(isinstance(member, BlankNode) for member in members):
            return None
        some, other = members
        denied = [] if isinstance(other, Literal) else self._index.objects(other, _NOT)
        if isinstance(some, Literal) or self._index.objects(some, _SOME) != [INTEGER] or len(denied) != 1:
            return None
        found = self.read(denied[0])
        if isinstance(found, Compare) and self._index.objects(some, _ON) == [NamedNode(found.characteristic)]:
            return found
        return None


def _named(atom: Has, what: str) -> NamedNode:
    if isinstance(atom.value, NamedNode):
        return atom.value
    raise OntologyError("O306", f"{atom.value} is a literal, but {atom.characteristic} needs the IRI of {what}")


def _referent(member: Term) -> NamedNode:
    if isinstance(member, NamedNode):
        return member
    raise _unreadable(f"owl:oneOf lists {member}, which is not the IRI of a referent")


def _unreadable(why: str) -> OntologyError:
    return OntologyError(
        "O305",
        f"this class expression is no selector: {why}",
        hint="a selector has named classes, owl:hasValue, owl:someValuesFrom with facets, owl:oneOf, intersections, "
        "unions and complements",
    )
