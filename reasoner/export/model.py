"""An interaction graph: cards and references as nodes; refers, matches and interacts as edges.

    card ──core:refersBy──► reference ──core:matches──► card
    card ──a relation (a subproperty of core:interactsWith)──► card

A card may interact with another in several ways, so two nodes may have several edges. Every value is checked
and put into canonical order when it is made; the exporters rely on that: equal graphs give equal files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from reasoner.errors import UseError, close_to

Attribute: TypeAlias = str | int | float | bool | tuple[str, ...]
Kind: TypeAlias = Literal["card", "reference"]
Given: TypeAlias = Literal["yes", "when", "unsettled", "no-value"]

REFERS_BY = "core:refersBy"
MATCHES = "core:matches"
KINDS: tuple[str, ...] = get_args(Kind)
ANSWERS: tuple[str, ...] = get_args(Given)

# What every format can carry as an identifier: no space, no quote, no control character, no lone surrogate.
_UNFIT = r"\x00-\x20\x7f-\xa0<>\"{}|^`\\\u2028\u2029\ud800-\udfff\ufffe\uffff"
_CURIE = re.compile(rf"[^:{_UNFIT}]+:[^{_UNFIT}]+")
_IRI = re.compile(rf"[A-Za-z][A-Za-z0-9+.-]*:[^{_UNFIT}]+")


@dataclass(frozen=True)
class Node:
    """A card or a reference. `attributes` are what else is known of it; they are kept sorted by name.

    Raises:
        UseError: U206 if `id`, `iri` or `kind` is not one.
    """

    id: str
    iri: str
    kind: Kind
    label: str
    attributes: Mapping[str, Attribute] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _check_id(self.id, "the id of a node")
        if not _IRI.fullmatch(self.iri):
            raise UseError("U206", f"node {self.id}: {self.iri!r} is not an absolute IRI")
        _check_member(self.kind, KINDS, f"node {self.id}: kind")
        object.__setattr__(self, "attributes", dict(sorted(self.attributes.items())))


@dataclass(frozen=True)
class Edge:
    """One node refers to, matches or interacts with another, with the answer and what it rests on.

    `when` lists the conditions of the answer "when"; `rules` are written `game:local`; `reference` is the
    reference that an edge between cards comes from, `wording` how that is worded.

    Raises:
        UseError: U206 if `source`, `target`, `relation`, `reference` or `answer` is not one.
    """

    source: str
    target: str
    relation: str
    answer: Given = "yes"
    when: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    editions: tuple[str, ...] = ()
    reference: str | None = None
    wording: str | None = None

    def __post_init__(self) -> None:
        edge = f"edge {self.source} -> {self.target}:"
        _check_id(self.source, f"{edge} the source")
        _check_id(self.target, f"{edge} the target")
        _check_id(self.relation, f"{edge} the relation")
        if self.reference is not None:
            _check_id(self.reference, f"{edge} the reference")
        _check_member(self.answer, ANSWERS, f"{edge} answer")

    def of_reference(self) -> str | None:
        """Return the id of the reference that this edge is about, if there is one."""
        if self.relation == MATCHES:
            return self.source
        if self.relation == REFERS_BY:
            return self.target
        return self.reference


@dataclass(frozen=True)
class InteractionGraph:
    """The nodes (by id) and edges of one game as of one date or edition: sorted, each once.

    `prefixes` are namespaces beside those that every game has; only the Turtle export expands names.

    Raises:
        UseError: U206 if two different nodes have one id; U207 if an edge ends at a node that is not there
            or of the wrong kind.
    """

    game: str
    as_of: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    prefixes: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        nodes: dict[str, Node] = {}
        for node in self.nodes:
            if nodes.setdefault(node.id, node) != node:
                raise UseError("U206", f"two different nodes have the id '{node.id}'", hint="give one another id")
        for edge in self.edges:
            _check_ends(edge, nodes)
        object.__setattr__(self, "nodes", tuple(nodes[name] for name in sorted(nodes)))
        object.__setattr__(self, "edges", tuple(sorted(set(self.edges), key=_edge_order)))
        object.__setattr__(self, "prefixes", dict(sorted(self.prefixes.items())))


def _edge_order(edge: Edge) -> tuple[object, ...]:
    basis = (edge.when, edge.rules, edge.sources, edge.editions)
    # No reference and an empty one are different things, and so must not tie.
    optional = tuple((text is not None, text or "") for text in (edge.reference, edge.wording))
    return (edge.source, edge.target, edge.relation, optional[0], edge.answer, *basis, optional[1])


def _check_id(name: str, what: str) -> None:
    if not _CURIE.fullmatch(name):
        raise UseError("U206", f"{what} is {name!r}", hint="write prefix:name, without spaces, quotes or brackets")


def _check_member(value: str, known: Iterable[str], what: str) -> None:
    if value not in known:
        raise UseError(
            "U206", f"{what} is {value!r}", suggestions=close_to(value, known), hint=f"one of {', '.join(known)}"
        )


def _check_ends(edge: Edge, nodes: Mapping[str, Node]) -> None:
    ends = {MATCHES: ("reference", "card"), REFERS_BY: ("card", "reference")}.get(edge.relation, ("card", "card"))
    for name, kind in zip((edge.source, edge.target), ends, strict=True):
        node = nodes.get(name)
        if node is None:
            raise UseError(
                "U207",
                f"{edge.relation} from {edge.source} to {edge.target}: there is no node '{name}'",
                suggestions=close_to(name, nodes),
                hint="add the node, or leave the edge out",
            )
        if node.kind != kind:
            raise UseError(
                "U207",
                f"{edge.relation} from {edge.source} to {edge.target}: '{name}' is a {node.kind}",
                hint=f"{edge.relation} goes from a {ends[0]} to a {ends[1]}",
            )
