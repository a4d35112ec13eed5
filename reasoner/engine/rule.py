"""A compiled rule: its header, its query, and the patterns that stratification and proofs need."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from pyoxigraph import NamedNode

from reasoner.engine.parts import Part
from reasoner.engine.pattern import Pattern, Signature, Variable, pattern_from_text
from reasoner.terms.namespaces import TYPE

_PREFIX = re.compile(r"(?i)\bPREFIX\s+([\w-]*):\s*<([^>]*)>")
_OBJECTS = f"{TYPE.value} of objects of "
_ASIDE = re.compile(r"(?i)\s*(#|PREFIX\b)")
PATTERN_FIELDS = ("heads", "required", "either", "optional", "absent", "counted", "guarded")


@dataclass(frozen=True)
class Header:
    """What a rule file says of itself in its `#+` lines.

    `source` is the source's compact name, `section` the clause in it; `edition` is the ISO date on which
    the text was issued, or "undated". `exception_to` lists rules this one excepts in the source's own
    words; `more_specific_than` rules it outranks by our judgement, reported as such. `language` is that of the wording,
    where the text exists in several that differ; `original`: its source was written in that language.
    """

    id: str
    title: str
    source: str
    section: str
    edition: str
    exception_to: tuple[str, ...] = ()
    more_specific_than: tuple[str, ...] = ()
    note: str = ""
    language: str = ""
    original: bool = False

    @property
    def clause(self) -> str:
        """Return the clause the rule belongs to: its id up to the first dot (`game:B` for `game:B.except`)."""
        game, _, local = self.id.partition(":")
        return f"{game}:{local.partition('.')[0]}"


def keys_of(signatures: Iterable[Signature]) -> tuple[str, ...]:
    """Return signatures as keys of facts (see `key_of_type`), sorted: a class only where not all types are meant."""
    found = set(signatures)
    all_types = (TYPE.value, None) in found
    named = (
        key_of_type(value) if predicate == TYPE.value and value and not all_types else predicate
        for predicate, value in found
    )
    return tuple(sorted(set(named)))


def key_of_type(kind: str) -> str:
    """Return the key under which the facts are found that something is of a class, which is given as SPARQL text."""
    return f"{TYPE.value} {kind}"


def key_of_joined(predicate: str) -> str:
    """Return the key under which the classes are found of what is the object of a predicate."""
    return f"{_OBJECTS}{predicate}"


def joined_in(key: str) -> str | None:
    """Return the predicate of a key of `key_of_joined`, or None."""
    return key[len(_OBJECTS) :] if key.startswith(_OBJECTS) else None


@dataclass(frozen=True)
class Rule:
    """One CONSTRUCT rule. `select` is its body as a SELECT query; the rest is read off its algebra.

    `required` are the patterns every solution meets, `either` those in a branch of a UNION or under EXISTS,
    `optional` those under OPTIONAL, `absent` those under NOT EXISTS and MINUS, `counted` those inside an aggregate or
    a LIMIT, `guarded` those of which a solution tells nothing: under two negations, or under one that need not apply.
    `parts` is what the body has besides its plain patterns, as written.
    """

    header: Header
    path: str
    select: str
    heads: tuple[Pattern, ...]
    required: tuple[Pattern, ...]
    either: tuple[Pattern, ...] = ()
    optional: tuple[Pattern, ...] = ()
    absent: tuple[Pattern, ...] = ()
    counted: tuple[Pattern, ...] = ()
    guarded: tuple[Pattern, ...] = ()
    parts: tuple[Part, ...] = ()
    lines: dict[str, int] = field(default_factory=dict, compare=False, hash=False)

    def __hash__(self) -> int:
        return hash(self.header.id)

    @property
    def id(self) -> str:
        return self.header.id

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """All patterns of head and body."""
        return tuple(pattern for name in PATTERN_FIELDS for pattern in getattr(self, name))

    @property
    def body(self) -> Iterator[tuple[str, Pattern]]:
        """The patterns of the body, each with its kind."""
        return ((name, pattern) for name in PATTERN_FIELDS[1:] for pattern in getattr(self, name))

    def spelled(self, signature: Signature) -> str:
        """Return what `signature` is called in the rule's own text."""
        return f"a {self._name(signature)}" if signature[0] == TYPE.value else self._name(signature)

    def head_line(self, signature: Signature) -> int:
        """Return the line on which `signature` stands in the head."""
        return self.lines.get(self._name(signature), 1)

    def body_line(self, signature: Signature) -> int:
        """Return the first line on which `signature` stands in the body; the head is left out of `select`."""
        name = re.compile(rf"(?<![\w.:-]){re.escape(self._name(signature))}(?![\w-])")
        lines = enumerate(self.select.splitlines(), 1)
        return next((number for number, line in lines if not _ASIDE.match(line) and name.search(line)), 1)

    def _name(self, signature: Signature) -> str:
        predicate, value = signature
        return self._spelled((value or "").strip("<>") if predicate == TYPE.value and value else predicate)

    def _spelled(self, iri: str) -> str:
        for prefix, namespace in _PREFIX.findall(self.select):
            if namespace and iri.startswith(namespace) and "/" not in iri[len(namespace) :]:
                return f"{prefix}:{iri[len(namespace) :]}"
        return f"<{iri}>"

    @cached_property
    def writes(self) -> frozenset[Signature]:
        """What the rule concludes."""
        return frozenset(signature for head in self.heads for signature in head.signatures())

    @cached_property
    def reads(self) -> frozenset[Signature]:
        """What the rule needs to be there."""
        patterns = (*self.required, *self.either)
        return frozenset(signature for pattern in patterns for signature in pattern.signatures())

    @cached_property
    def reads_complete(self) -> frozenset[Signature]:
        """What must be complete before the rule runs: all that is not simply needed."""
        patterns = (*self.optional, *self.absent, *self.counted, *self.guarded)
        return frozenset(signature for pattern in patterns for signature in pattern.signatures())

    @cached_property
    def read_predicates(self) -> tuple[str, ...]:
        """The predicates of all that the rule reads in any way, sorted; "*" if it can be any."""
        return tuple(sorted({predicate for predicate, _ in self.reads | self.reads_complete}))

    @cached_property
    def read_keys(self) -> tuple[str, ...]:
        """What the rule reads as a memo looks it up: predicates, and of rdf:type single classes where it names them."""
        keys = keys_of(self.reads | self.reads_complete)
        return tuple(sorted({*keys, *map(key_of_joined, self.joined)} - {TYPE.value})) if self.joined else keys

    @cached_property
    def joined(self) -> tuple[str, ...]:
        """Predicates such that the rule reads the classes of their objects alone; none if it reads others as well."""
        found: set[str] = set()
        for _, pattern in self.body:
            if all(key[0] != TYPE.value or key[1] is not None for key in pattern.signatures()):
                continue
            links = [
                one.verb.value
                for one in self.required
                if isinstance(one.verb, NamedNode) and one.verb != TYPE and one.object == pattern.subject
            ]
            if pattern.verb != TYPE or not isinstance(pattern.subject, Variable) or not links:
                return ()
            found.add(min(links))
        return tuple(sorted(found))

    @cached_property
    def needs(self) -> frozenset[Signature]:
        """The signatures (see `signatures` of facts) without any one of which the rule can't fire."""
        found: set[Signature] = set()
        for pattern in self.required:
            if isinstance(pattern.verb, NamedNode):
                predicate, value = pattern.signatures()[0]
                found.add((predicate, value) if predicate == TYPE.value else (predicate, None))
        return frozenset(found)

    def to_json(self) -> dict[str, Any]:
        """Return the rule as plain data."""
        data: dict[str, Any] = {
            "header": asdict(self.header),
            "path": self.path,
            "select": self.select,
            "lines": self.lines,
            "parts": [
                [
                    one.kind,
                    one.text,
                    one.block,
                    *([each.text() for each in found] for found in (one.patterns, one.others)),
                ]
                for one in self.parts
            ],
        }
        for name in PATTERN_FIELDS:
            data[name] = [pattern.text() for pattern in getattr(self, name)]
        return data

    @staticmethod
    def from_json(data: dict[str, Any]) -> Rule:
        """Return the rule that `to_json` wrote."""
        header = dict(data["header"])
        for name in ("exception_to", "more_specific_than"):
            header[name] = tuple(header[name])
        patterns = {name: tuple(pattern_from_text(parts) for parts in data[name]) for name in PATTERN_FIELDS}
        parts = tuple(
            Part(kind, text, block, *(tuple(map(pattern_from_text, found)) for found in inside))
            for kind, text, block, *inside in data["parts"]
        )
        return Rule(
            header=Header(**header),
            path=data["path"],
            select=data["select"],
            lines=data["lines"],
            parts=parts,
            **patterns,
        )
