"""Triple patterns: the heads, premises and absences of a rule, and their plain-text form for the cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import pyoxigraph as ox

from reasoner.terms.namespaces import TYPE

Term: TypeAlias = ox.NamedNode | ox.Literal | ox.BlankNode
Binding: TypeAlias = Mapping[str, Term]
Signature: TypeAlias = tuple[str, str | None]

ANY_PREDICATE = "*"


class Solution(Mapping[str, Term]):
    """A solution of a query: the bound variables by name. Terms become Python objects only where they are asked for."""

    __slots__ = ("names", "row")

    def __init__(self, names: tuple[str, ...], row: ox.QuerySolution) -> None:
        self.names = names
        self.row = row

    def __getitem__(self, name: str) -> Term:
        value: Term | ox.Triple | None = self.row[self.names.index(name)] if name in self.names else None
        if value is None or isinstance(value, ox.Triple):
            raise KeyError(name)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self.names and self.row[self.names.index(name)] is not None

    def __iter__(self) -> Iterator[str]:
        return (name for name, value in zip(self.names, self.row, strict=True) if value is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"Solution({dict(self)})"


@dataclass(frozen=True)
class Variable:
    """A SPARQL variable, without its question mark."""

    name: str


@dataclass(frozen=True)
class Path:
    """A property path as SPARQL text, with the predicates it walks over ("*": all but those)."""

    text: str
    predicates: tuple[str, ...]


Slot: TypeAlias = ox.NamedNode | ox.Literal | Variable
Verb: TypeAlias = ox.NamedNode | Variable | Path


@dataclass(frozen=True)
class Pattern:
    """Subject, verb and object, each a term or a variable; the verb may be a path."""

    subject: Slot
    verb: Verb
    object: Slot

    def signatures(self) -> tuple[Signature, ...]:
        """Return what the pattern touches: (predicate, object), the object only where it is a constant.

        Predicate *and* constant object are the unit of dependency, so that unrelated uses of one predicate
        (two classes under rdf:type) do not look like a cycle. A variable verb gives ("*", None), as does
        a path over all properties but some.
        """
        if isinstance(self.verb, Path):
            return tuple((predicate, None) for predicate in self.verb.predicates)
        if isinstance(self.verb, Variable):
            return ((ANY_PREDICATE, None),)
        constant = None if isinstance(self.object, Variable) else str(self.object)
        return ((self.verb.value, constant),)

    def instance(self, binding: Binding) -> ox.Triple | None:
        """Return the triple under `binding`; None if a variable is unbound or the verb is a path."""
        subject, verb, value = (_bind(slot, binding) for slot in (self.subject, self.verb, self.object))
        if subject is None or verb is None or value is None or not isinstance(verb, ox.NamedNode):
            return None
        if isinstance(subject, ox.Literal):
            return None
        return ox.Triple(subject, verb, value)

    def text(self, binding: Binding | None = None) -> tuple[str, str, str]:
        """Return the three parts as text, with bound variables replaced."""
        parts = []
        for slot in (self.subject, self.verb, self.object):
            bound = _bind(slot, binding or {})
            parts.append(encode(slot) if bound is None else str(bound))
        return (parts[0], parts[1], parts[2])


def overlap(read: Signature, written: Signature) -> bool:
    """Return whether a fact written under `written` can be seen by something that reads `read`."""
    if ANY_PREDICATE in (read[0], written[0]):
        return True
    return read[0] == written[0] and (read[1] is None or written[1] is None or read[1] == written[1])


def encode(slot: Slot | Verb) -> str:
    """Return the slot as plain text: ?name, an N-Triples term, or `path`, its text and its predicates."""
    if isinstance(slot, Variable):
        return f"?{slot.name}"
    if isinstance(slot, Path):
        return f"path {' '.join(slot.predicates)} | {slot.text}"
    return str(slot)


@lru_cache(maxsize=4096)
def decode(text: str) -> Slot | Verb:
    """Return the slot that `encode` wrote as `text`."""
    if text.startswith("?"):
        return Variable(text[1:])
    if text.startswith("path "):
        predicates, _, path = text[5:].partition(" | ")
        return Path(path, tuple(predicates.split()))
    if text.startswith("<"):
        return ox.NamedNode(text[1:-1])
    line = f"{TYPE} {TYPE} {text} ."
    value = next(iter(ox.parse(line, format=ox.RdfFormat.N_TRIPLES))).object
    assert isinstance(value, ox.Literal)
    return value


def pattern_from_text(parts: tuple[str, str, str] | list[str]) -> Pattern:
    """Return the pattern whose three encoded parts are `parts`."""
    subject, verb, value = (decode(part) for part in parts)
    assert not isinstance(subject, Path)
    assert not isinstance(value, Path)
    assert not isinstance(verb, ox.Literal)
    return Pattern(subject, verb, value)


def _bind(slot: Slot | Verb, binding: Binding) -> Term | None:
    if isinstance(slot, Variable):
        return binding.get(slot.name)
    if isinstance(slot, Path):
        return None
    return slot
