"""The vocabulary of a game: what the ontology says of terms, looked up in a store. Never changed after loading."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import combinations

import pyoxigraph as ox

from reasoner.engine.precedence import Exclusions
from reasoner.errors import CardloreError, DataError, Place, close_to
from reasoner.terms.namespaces import (
    BASE,
    CORE,
    LABEL,
    OWL,
    RANGE,
    RDF,
    SKOS,
    SUBCLASS,
    SUBPROPERTY,
    TYPE,
    Prefixes,
    core,
)

_FIRST = ox.NamedNode(RDF + "first")
_REST = ox.NamedNode(RDF + "rest")
_NIL = ox.NamedNode(RDF + "nil")
_ALT = ox.NamedNode(SKOS + "altLabel")


class Vocabulary:
    """Read-only view of the vocabulary graphs of a store, with labels, kinds and the annotations code relies on."""

    def __init__(self, store: ox.Store, graphs: Iterable[ox.NamedNode], prefixes: Prefixes) -> None:
        self.store = store
        self.graphs = tuple(graphs)
        self.prefixes = prefixes
        self.instances = lru_cache(maxsize=None)(self._instances)
        self.first = lru_cache(maxsize=None)(self._first)
        self.labelled = lru_cache(maxsize=None)(self._labelled)

    def objects(self, subject: object, predicate: ox.NamedNode) -> list[object]:
        """Return the objects of subject and predicate in canonical order."""
        found = {q.object for g in self.graphs for q in self.store.quads_for_pattern(subject, predicate, None, g)}  # type: ignore[arg-type]
        return sorted(found, key=str)

    def subjects(self, predicate: ox.NamedNode, value: object) -> list[ox.NamedNode]:
        """Return the named subjects of predicate and object in canonical order."""
        found = {q.subject for g in self.graphs for q in self.store.quads_for_pattern(None, predicate, value, g)}  # type: ignore[arg-type]
        return sorted((s for s in found if isinstance(s, ox.NamedNode)), key=str)

    def pairs(self, predicate: ox.NamedNode) -> list[tuple[ox.NamedNode, object]]:
        """Return every (named subject, object) of a predicate in canonical order."""
        found = {
            (q.subject, q.object) for g in self.graphs for q in self.store.quads_for_pattern(None, predicate, None, g)
        }
        return sorted(((s, o) for s, o in found if isinstance(s, ox.NamedNode)), key=str)

    def _first(self, subject: object, predicate: ox.NamedNode) -> object | None:
        """Return the first object of subject and predicate, or None."""
        found = self.objects(subject, predicate)
        return found[0] if found else None

    def texts(self, subject: object, predicate: ox.NamedNode) -> dict[str, str]:
        """Return the literals of subject and predicate by language tag ("" for none)."""
        return {(o.language or ""): o.value for o in self.objects(subject, predicate) if isinstance(o, ox.Literal)}

    def label(self, iri: ox.NamedNode | str, *languages: str) -> str:
        """Return the label in the first of `languages` (then en, then any) that has one, else the compact name."""
        node = iri if isinstance(iri, ox.NamedNode) else ox.NamedNode(iri)
        labels = self.texts(node, LABEL)
        for language in (*languages, "en", *sorted(labels)):
            if language in labels:
                return labels[language]
        return self.prefixes.shorten(node.value)

    def names(self, iri: ox.NamedNode) -> dict[str, list[str]]:
        """Return labels and alternative labels by language."""
        result: dict[str, list[str]] = {}
        for predicate in (LABEL, _ALT):
            for value in self.objects(iri, predicate):
                if isinstance(value, ox.Literal):
                    result.setdefault(value.language or "", []).append(value.value)
        return result

    def is_declared(self, iri: str) -> bool:
        """Return whether the vocabulary says anything of `iri`, or `iri` lies outside the product's namespaces."""
        return not iri.startswith(BASE) or self.first(ox.NamedNode(iri), TYPE) is not None

    def declared(self) -> list[str]:
        """Return the compact names of all terms, sorted."""
        return sorted(self.prefixes.shorten(s.value) for s, _ in self.pairs(TYPE) if s.value.startswith(BASE))

    def below(self, iri: ox.NamedNode, relation: ox.NamedNode = SUBCLASS) -> list[ox.NamedNode]:
        """Return `iri` and everything below it along `relation`."""
        found = {iri: None}
        queue = [iri]
        while queue:
            for child in self.subjects(relation, queue.pop()):
                if child not in found:
                    found[child] = None
                    queue.append(child)
        return list(found)

    def _instances(self, kind: ox.NamedNode) -> tuple[ox.NamedNode, ...]:
        """Return the individuals of a class and of all classes below it, in canonical order."""
        found = {s for c in self.below(kind) for s in self.subjects(TYPE, c)}
        return tuple(sorted(found, key=str))

    def find(
        self,
        text: str,
        kind: ox.NamedNode,
        place: Place | None,
        *,
        what: str = "",
        error: type[CardloreError] = DataError,
        code: str = "D104",
    ) -> ox.NamedNode:
        """Return the individual of `kind` that is called `text` in some language; case counts.

        Raises:
            DataError: D104 (or `error` with `code`) if none is called so, or several are.
        """
        what = what or self.label(kind)
        wanted = unicodedata.normalize("NFC", text)
        named = self.labelled(kind)
        found = sorted(named.get(wanted, ()), key=str)
        if not found:
            # A label may be written in another letter case, unless case tells words of the game apart.
            folded = {iri for name, iris in named.items() if name.casefold() == wanted.casefold() for iri in iris}
            alike = {
                iri
                for name, iris in self.labelled(core("Classifier")).items()
                if name.casefold() == wanted.casefold()
                for iri in iris
            }
            found = sorted(folded, key=str) if len(folded | alike) == 1 else []
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(self.prefixes.shorten(iri.value) for iri in found)
            raise error(
                code, f"'{text}' can mean {names}", place=place, hint="write the label that only one of them has"
            )
        raise error(
            code, f"unknown {what} '{text}'", place=place, suggestions=close_to(text, named), hint=_listing(what, named)
        )

    def _labelled(self, kind: ox.NamedNode) -> Mapping[str, frozenset[ox.NamedNode]]:
        """Return the individuals of `kind` by every name they have in any language."""
        result: dict[str, set[ox.NamedNode]] = {}
        for iri in self.instances(kind):
            for names in self.names(iri).values():
                for name in names:
                    result.setdefault(unicodedata.normalize("NFC", name), set()).add(iri)
        return {name: frozenset(iris) for name, iris in result.items()}

    @cached_property
    def card_fields(self) -> dict[str, ox.NamedNode]:
        """The printed property behind each field of a card file."""
        return {str(value.value): iri for iri, value in self.pairs(core("cardField"))}  # type: ignore[attr-defined]

    @cached_property
    def ability_fields(self) -> dict[str, ox.NamedNode]:
        """The property behind each field of the abilities part of a card file."""
        return {str(value.value): iri for iri, value in self.pairs(core("abilityField"))}  # type: ignore[attr-defined]

    @cached_property
    def exclusions(self) -> Exclusions:
        """What excludes what, as the ontology declares it."""
        functional = {s.value for s in self.subjects(TYPE, ox.NamedNode(OWL + "FunctionalProperty"))}
        classifying = {s.value for s in self.below(core("hasClassifier"), SUBPROPERTY)}
        # A value with which something starts has the same rivals as the value that it is in the end.
        for iri, start in self.pairs(core("startsFrom")):
            for kind in (functional, classifying):
                if iri.value in kind and isinstance(start, ox.NamedNode):
                    kind.add(start.value)
        policies = {
            value.value.removeprefix(CORE)
            for _, value in self.pairs(core("hasPolicy"))
            if isinstance(value, ox.NamedNode)
        }
        return Exclusions(
            frozenset(functional), frozenset(classifying), frozenset(self._disjoint_pairs()), frozenset(policies)
        )

    def _disjoint_pairs(self) -> set[frozenset[str]]:
        roots: set[frozenset[ox.NamedNode]] = set()
        for graph in self.graphs:
            for quad in self.store.quads_for_pattern(None, ox.NamedNode(OWL + "disjointWith"), None, graph):
                roots.add(frozenset((quad.subject, quad.object)))  # type: ignore[arg-type]
            for quad in self.store.quads_for_pattern(None, TYPE, ox.NamedNode(OWL + "AllDisjointClasses"), graph):
                members = self.first(quad.subject, ox.NamedNode(OWL + "members"))
                roots.update(frozenset(pair) for pair in combinations(self.items(members), 2))
        below = {one: [each.value for each in self.below(one)] for one in set().union(*roots)}
        pairs: set[frozenset[str]] = set()
        for root in roots:
            if len(root) == 2 and all(isinstance(one, ox.NamedNode) for one in root):
                first, second = root
                pairs.update(frozenset((a, b)) for a in below[first] for b in below[second] if a != b)
        return pairs

    def items(self, head: object | None) -> list[ox.NamedNode]:
        """Return the members of an RDF list."""
        result: list[ox.NamedNode] = []
        while head is not None and head != _NIL:
            result.extend(value for value in self.objects(head, _FIRST) if isinstance(value, ox.NamedNode))
            head = self.first(head, _REST)
        return result

    def datatype_of(self, prop: ox.NamedNode) -> str | None:
        """Return the XSD datatype that is the range of `prop`, or None for an object property."""
        ranges = [r.value for r in self.objects(prop, RANGE) if isinstance(r, ox.NamedNode)]
        return next((r for r in ranges if r.startswith("http://www.w3.org/2001/XMLSchema#")), None)


def _listing(what: str, names: Iterable[str], most: int = 12) -> str:
    known = sorted(set(names), key=str.casefold)
    if not known:
        return f"there is no {what} in this game"
    shown = ", ".join(known[:most])
    return f"known: {shown}" + (f" and {len(known) - most} more" if len(known) > most else "")
