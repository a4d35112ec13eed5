"""RDF in Turtle, in the core vocabulary, for any SPARQL store.

    card       a core:Card ; rdfs:label ; core:refersBy a reference ; <a relation> another card
    reference  a core:Reference ; rdfs:label ; core:hasWording ; core:hasRelation ;
               core:matches a card (the answer is "yes") ; core:mayMatch a card (it is "yes" or "when")
    answer     a core:Answer ; core:ofReference ; core:toReferent ; core:verdict ; core:underCondition ;
               core:decidedBy the rules ; dct:source ; owl:versionInfo the editions
    statement  a rdf:Statement ; rdf:subject ; rdf:predicate ; rdf:object ; prov:wasDerivedFrom the answer

Two nodes are related directly only where the answer is "yes"; relations with any other answer are statements
that nobody asserts. A relation and the match that it comes from share their answer. A card's attributes stay
out: they are labels, and the card's IRI leads to the statements that they come from.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pyoxigraph as ox

from reasoner.errors import UseError
from reasoner.export.flat import edge_keys
from reasoner.export.model import MATCHES, REFERS_BY, Edge, InteractionGraph
from reasoner.export.text import encodable
from reasoner.terms.namespaces import BASE, CORE, DCT, LABEL, OWL, RDF, RDFS, TYPE, Prefixes, core, game_base, rule_iri

Subject: TypeAlias = ox.NamedNode | ox.BlankNode
Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal

PROV = "http://www.w3.org/ns/prov#"
VOID = "http://rdfs.org/ns/void#"

_ANSWER, _VERDICT, _OF, _TO = core("Answer"), core("verdict"), core("ofReference"), core("toReferent")
_CONDITION, _DECIDED_BY, _SOURCE = core("underCondition"), core("decidedBy"), ox.NamedNode(DCT + "source")
_VERDICTS = {
    "yes": core("Yes"),
    "when": core("When"),
    "unsettled": core("Unsettled"),
    "no-value": core("NoValue"),
}
_WEB = re.compile(r"https?://")
_PREFIX_NAME = re.compile(r"[A-Za-z]([\w-]*\w)?", re.ASCII)


def turtle(graph: InteractionGraph) -> Iterator[str]:
    """Yield `graph` as Turtle, in a fixed order.

    Raises:
        OntologyError: O104 if a relation or reference has a prefix that nobody declared; O105 if the graph's
            own prefixes give a known one another meaning.
        UseError: U206 if something that has to be an IRI, or the name of a rule, is not one.
    """
    triples = _Triples(graph)
    triples.gather()
    known = {name: space for name, space in triples.prefixes.namespaces.items() if _PREFIX_NAME.fullmatch(name)}
    written = io.BytesIO()
    ox.serialize(triples, written, format=ox.RdfFormat.TURTLE, prefixes=known)
    text = written.getvalue().decode()
    header = text.splitlines(keepends=True)[: len(known)]
    yield from sorted(header)  # Oxigraph promises no order of prefixes
    yield text[sum(map(len, header)) :]


class _Triples:
    """The triples of a graph by subject and predicate; they come out in the order in which they were gathered."""

    def __init__(self, graph: InteractionGraph) -> None:
        self.prefixes = _prefixes(graph)
        self._graph = graph
        self._iris = {node.id: node.iri for node in graph.nodes}
        self._terms: dict[str, ox.NamedNode] = {}  # every name comes back many times
        self._found: dict[Subject, dict[ox.NamedNode, dict[Term, None]]] = {}

    def __iter__(self) -> Iterator[ox.Triple]:
        for subject, values in self._found.items():
            for predicate, objects in values.items():
                for value in objects:
                    yield ox.Triple(subject, predicate, value)

    def gather(self) -> None:
        """Gather the triples about the graph itself, about all nodes, and about all edges."""
        about = ox.BlankNode("graph")
        self._add(about, TYPE, ox.NamedNode(VOID + "Dataset"))
        self._add(about, ox.NamedNode(DCT + "title"), _literal(self._graph.game))
        self._add(about, ox.NamedNode(DCT + "valid"), _literal(self._graph.as_of))
        for node in self._graph.nodes:
            subject = _iri(node.iri)
            self._add(subject, TYPE, core("Card" if node.kind == "card" else "Reference"))
            self._add(subject, LABEL, _literal(node.label))
        for edge, key in zip(self._graph.edges, edge_keys(self._graph.edges), strict=True):
            self._edge(edge, ox.BlankNode(key))

    def _edge(self, edge: Edge, statement: ox.BlankNode) -> None:
        source, target, relation = (self._named(name) for name in (edge.source, edge.target, edge.relation))
        name = edge.of_reference()
        reference = None if name is None else self._named(name)
        if edge.answer == "yes":
            self._add(source, relation, target)
        if edge.relation == MATCHES and edge.answer in ("yes", "when"):
            self._add(source, core("mayMatch"), target)
        if reference is not None and edge.wording:
            self._add(reference, core("hasWording"), _literal(edge.wording))
        if edge.relation == MATCHES:
            self._answer(edge, reference, target)
        elif edge.relation != REFERS_BY:
            self._statement(statement, (source, relation, target), self._answer(edge, reference, target))
            if reference is not None:
                self._add(reference, core("hasRelation"), relation)
            elif edge.wording:
                self._add(statement, ox.NamedNode(RDFS + "comment"), _literal(edge.wording))
        elif edge.answer != "yes" or edge.when or edge.rules or edge.sources or edge.editions:
            self._statement(statement, (source, relation, target), self._answer(edge, reference, None))
        # Otherwise a card simply makes a reference, and the one triple says that.

    def _statement(self, statement: ox.BlankNode, parts: tuple[Term, Term, Term], answer: ox.BlankNode) -> None:
        self._add(statement, TYPE, ox.NamedNode(RDF + "Statement"))
        for name, part in zip(("subject", "predicate", "object"), parts, strict=True):
            self._add(statement, ox.NamedNode(RDF + name), part)
        self._add(statement, ox.NamedNode(PROV + "wasDerivedFrom"), answer)

    def _answer(self, edge: Edge, reference: Term | None, referent: Term | None) -> ox.BlankNode:
        """Gather an answer, and return it: equal answers to one question are one."""
        identity = (reference, referent, edge.answer, edge.when, edge.rules, edge.sources, edge.editions)
        answer = ox.BlankNode("a" + hashlib.sha256(repr(identity).encode()).hexdigest()[:16])
        self._add(answer, TYPE, _ANSWER)
        if reference is not None:
            self._add(answer, _OF, reference)
        if referent is not None:
            self._add(answer, _TO, referent)
        self._add(answer, _VERDICT, _VERDICTS[edge.answer])
        for condition in edge.when:
            self._add(answer, _CONDITION, _literal(condition))
        for rule in edge.rules:
            self._add(answer, _DECIDED_BY, _rule(rule))
        for source in edge.sources:
            self._add(answer, _SOURCE, self._source(source))
        for edition in edge.editions:
            self._add(answer, ox.NamedNode(OWL + "versionInfo"), _literal(edition))
        return answer

    def _add(self, subject: Subject, predicate: ox.NamedNode, value: Term) -> None:
        self._found.setdefault(subject, {}).setdefault(predicate, {})[value] = None

    def _named(self, name: str) -> ox.NamedNode:
        """Return the IRI of the node with this id, or else the one that the CURIE stands for."""
        if name not in self._terms:
            self._terms[name] = _iri(self._iris[name] if name in self._iris else self.prefixes.expand(name))
        return self._terms[name]

    def _source(self, source: str) -> Term:
        """Return the IRI of a source if it is one or has a known prefix, and a literal otherwise."""
        if _WEB.match(source):
            return _iri(source)
        prefix, _, local = source.partition(":")
        known = prefix in self.prefixes.namespaces and local and " " not in source
        return _iri(self.prefixes.expand(source)) if known else _literal(source)


def _prefixes(graph: InteractionGraph) -> Prefixes:
    """Return the prefixes of the vocabularies used, of the game, and those that the graph brings."""
    game, base = graph.game, game_base(graph.game)
    own = {game: "term/", f"{game}c": "card/", f"{game}r": "rule/", f"{game}s": "source/"}
    shared = {"core": CORE, "corer": BASE + "rule/", "dct": DCT, "owl": OWL, "prov": PROV, "rdf": RDF, "rdfs": RDFS}
    given = {prefix: base + folder for prefix, folder in own.items()} | dict(graph.prefixes)
    return Prefixes({**shared, "void": VOID}).merged(given.items())


def _rule(name: str) -> ox.NamedNode:
    """Return the IRI of the rule written `game:local`, or of one that is given as an IRI."""
    if _WEB.match(name):
        return _iri(name)
    game, _, local = name.partition(":")
    if not game or not local:
        raise UseError("U206", f"'{name}' is not the name of a rule", hint="write game:local")
    return _made(name, lambda: rule_iri(name))


def _iri(iri: str) -> ox.NamedNode:
    return _made(iri, lambda: ox.NamedNode(iri))


def _made(name: str, make: Callable[[], ox.NamedNode]) -> ox.NamedNode:
    try:
        return make()
    except ValueError as error:
        raise UseError("U206", f"{name!r} gives no IRI: {error}", hint="see RFC 3987") from error


def _literal(text: str) -> ox.Literal:
    return ox.Literal(encodable(text))
