"""What a reasoner is given: the triples that mean something to it, in a file of its own, after a look at the terms."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph as ox

from reasoner.errors import CardloreError, OntologyError, close_to, raise_all
from reasoner.owl.expressions import IS
from reasoner.owl.names import (
    ANNOTATION_PROPERTY,
    BUILTIN_ANNOTATIONS,
    CLASS,
    DATA_PROPERTY,
    NOTHING,
    OBJECT_PROPERTY,
    ONTOLOGY,
    THING,
    Index,
    rdfs,
)
from reasoner.reference.selector import Atom, Compare, Selector, atoms
from reasoner.terms.namespaces import SUBPROPERTY, TYPE

_ABOUT_PROPERTIES = (SUBPROPERTY, rdfs("domain"), rdfs("range"))


def read_ntriples(data: bytes) -> list[ox.Triple]:
    """Return the triples of `data`.

    Raises:
        OntologyError: O307 if it is not N-Triples.
    """
    try:
        return [quad.triple for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES)]
    except SyntaxError as error:
        raise OntologyError("O307", f"line {error.lineno or 0} is not valid N-Triples: {error.msg}") from None


def logical(triples: list[ox.Triple]) -> list[ox.Triple]:
    """Return the triples that mean something to a reasoner: no annotations, no ontology headers, no imports.

    HermiT would fetch imports from the network, and Pellet complains of what annotation properties say of themselves.
    """
    index = Index(triples)
    kept = index.declared(OBJECT_PROPERTY) | index.declared(DATA_PROPERTY)
    dropped = (index.declared(ANNOTATION_PROPERTY) - kept) | BUILTIN_ANNOTATIONS
    headers = index.declared(ONTOLOGY)

    def means_something(triple: ox.Triple) -> bool:
        about = triple.subject.value if isinstance(triple.subject, ox.NamedNode) else ""
        annotation_axiom = about in dropped and triple.predicate in _ABOUT_PROPERTIES
        return not (triple.predicate.value in dropped or about in headers or annotation_axiom)

    return [triple for triple in triples if means_something(triple)]


@contextmanager
def written(triples: Iterable[ox.Triple]) -> Iterator[Path]:
    """Write `triples` to a private file for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="cardlore-owl-") as folder:
        path = Path(folder) / "ontology.nt"
        ox.serialize(dict.fromkeys(triples), path, format=ox.RdfFormat.N_TRIPLES)
        yield path


def check_terms(vocabulary: Index, selectors: Mapping[str, Selector]) -> None:
    """Check that `vocabulary` declares every class and property that the references use, and as what they use it.

    Raises:
        OntologyError: O304 if it does not; Problems if there are several.
    """
    kinds = {
        "class": vocabulary.declared(CLASS) | {THING.value, NOTHING.value, *selectors},
        "object property": vocabulary.declared(OBJECT_PROPERTY),
        "data property": vocabulary.declared(DATA_PROPERTY),
    }
    errors: list[CardloreError] = []
    for reference, selector in selectors.items():
        for atom in dict.fromkeys(atoms(selector)):
            if atom.characteristic == IS.value:
                continue
            kind, iri = _term_of(atom)
            if iri not in kinds[kind]:
                message = f"reference {reference}: {iri} is not declared as {'an' if kind[0] == 'o' else 'a'} {kind}"
                errors.append(OntologyError("O304", message, suggestions=close_to(iri, kinds[kind])))
    raise_all(errors)


def _term_of(atom: Atom) -> tuple[str, str]:
    if isinstance(atom, Compare):
        return "data property", atom.characteristic
    if atom.characteristic == TYPE.value:
        return "class", atom.value.value
    return ("object property" if isinstance(atom.value, ox.NamedNode) else "data property"), atom.characteristic
