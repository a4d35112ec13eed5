"""The namespaces of the product, and compact names (CURIEs) for IRIs.

Sources: W3C CURIE Syntax 1.0; the base IRI is decided in docs/decisions/0001.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from pyoxigraph import NamedNode

from reasoner.errors import OntologyError, close_to

BASE = "https://w3id.org/cardlore/"
CORE = BASE + "term/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCT = "http://purl.org/dc/terms/"
NATURAL = XSD + "nonNegativeInteger"
WHOLE_NUMBERS = frozenset({XSD + "integer", NATURAL})
SH = "http://www.w3.org/ns/shacl#"

TYPE = NamedNode(RDF + "type")
DOMAIN, RANGE = NamedNode(RDFS + "domain"), NamedNode(RDFS + "range")
LABEL = NamedNode(RDFS + "label")
SUBCLASS = NamedNode(RDFS + "subClassOf")
SUBPROPERTY = NamedNode(RDFS + "subPropertyOf")


@lru_cache(maxsize=2048)
def core(name: str) -> NamedNode:
    """Return the shared term called `name`."""
    return NamedNode(CORE + name)


def game_base(game: str) -> str:
    """Return the IRI below which everything of one game lies."""
    return f"{BASE}game/{game}/"


def rule_iri(identifier: str) -> NamedNode:
    """Return the IRI of the rule written `game:local` (or `core:local`) in headers, cases and answers."""
    game, _, local = identifier.partition(":")
    return NamedNode((BASE if game == "core" else game_base(game)) + f"rule/{local}")


def rule_id(iri: str) -> str:
    """Return the short form `game:local` of a rule's IRI: the inverse of `rule_iri`."""
    owner, _, local = iri.removeprefix(BASE).partition("rule/")
    return f"{owner.removeprefix('game/').rstrip('/') or 'core'}:{local}"


def graph(*parts: str) -> NamedNode:
    """Return the name of a graph, e.g. graph("core") or graph("<game>", "asserted")."""
    return NamedNode(BASE + "graph/" + "/".join(parts))


@dataclass(frozen=True)
class Prefixes:
    """Prefixes and their namespaces; the longest namespace that fits an IRI shortens it."""

    namespaces: Mapping[str, str]
    _longest: tuple[tuple[str, str], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ordered = sorted(
            ((ns, prefix) for prefix, ns in self.namespaces.items()), key=lambda pair: (-len(pair[0]), pair[1])
        )
        object.__setattr__(self, "_longest", tuple(ordered))

    def shorten(self, iri: str) -> str:
        """Return `prefix:local`, or `<iri>` when no prefix fits."""
        for namespace, prefix in self._longest:
            if iri.startswith(namespace) and len(iri) > len(namespace):
                return f"{prefix}:{iri[len(namespace) :]}"
        return f"<{iri}>"

    def expand(self, curie: str) -> str:
        """Return the IRI that `prefix:local` stands for.

        Raises:
            OntologyError: O104 for an unknown prefix.
        """
        prefix, _, local = curie.partition(":")
        if prefix not in self.namespaces:
            raise OntologyError("O104", f"unknown prefix '{prefix}:'", suggestions=close_to(prefix, self.namespaces))
        return self.namespaces[prefix] + local

    def merged(self, others: Iterable[tuple[str, str]]) -> Prefixes:
        """Return these prefixes with `others` added.

        Raises:
            OntologyError: O105 if a prefix would get a second namespace.
        """
        result = dict(self.namespaces)
        for prefix, namespace in others:
            if result.setdefault(prefix, namespace) != namespace:
                raise OntologyError(
                    "O105",
                    f"prefix '{prefix}:' is declared for {result[prefix]} and for {namespace}",
                    hint="give one of the two another prefix",
                    about=prefix,
                )
        return Prefixes(result)
