"""What games share: the catalog of ontologies, the questions that ship, and the folders that ought to be games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox

from reasoner.errors import OntologyError, Place, QueryError
from reasoner.knowledge.turtle import declared_prefixes, read_turtle
from reasoner.operations.checks.findings import ERROR, Finding, from_error
from reasoner.operations.checks.subject import Subject, place_in
from reasoner.operations.query import read_question, run_query
from reasoner.paths import files_in
from reasoner.terms.namespaces import OWL, TYPE, Prefixes, core

_IMPORTS, _ONTOLOGY = ox.NamedNode(OWL + "imports"), ox.NamedNode(OWL + "Ontology")
_NO_GAMES = ("languages",)  # folders of data/ that hold something else


def catalog(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong with the catalog, and imports that it does not list."""
    library = subject.base.library
    path = library.ontology / "catalog.ttl"
    try:
        triples = read_turtle(path)
    except OntologyError as error:
        yield from from_error(error)
        return
    stored = {str(t.subject.value): t for t in triples if t.predicate == core("isStoredIn")}  # type: ignore[union-attr]
    for iri, triple in stored.items():
        name = str(getattr(triple.object, "value", ""))
        if not _declares(library.root / name, iri):
            yield Finding(
                ERROR,
                "O103",
                f"{iri} is not in {name or 'the file named'}, where the catalog says it is",
                place_in(path, iri) or Place(path, 1),
                "give the file below the root of the library that declares this ontology",
            )
    for file in subject.ontology_files:
        for triple in read_turtle(file):
            iri = str(getattr(triple.object, "value", ""))
            if triple.predicate == _IMPORTS and iri not in stored:
                yield Finding(
                    ERROR,
                    "O106",
                    f"the import {iri} is not listed in the catalog",
                    place_in(file, str(triple.subject.value)) or Place(file, 1),  # type: ignore[union-attr]
                    "say in ontology/catalog.ttl with core:isStoredIn which file holds it; nothing is fetched",
                )


def _declares(path: Path, iri: str) -> bool:
    try:
        triples = read_turtle(path)
    except OntologyError:
        return False
    return ox.Triple(ox.NamedNode(iri), TYPE, _ONTOLOGY) in triples


def questions(subject: Subject) -> Iterator[Finding]:
    """Yield the shipped questions that can't be read or asked."""
    prefixes = _prefixes(subject)
    for path in files_in(subject.base.library.queries / "questions", ".rq", deep=False):
        try:
            question = read_question(path)
            run_query(ox.Store(), question, prefixes, dict.fromkeys(question.parameters, ""))
        except QueryError as error:
            yield from from_error(error.located(Place(path, 1)))


def _prefixes(subject: Subject) -> Prefixes:
    """Return the prefixes of all games, which a question may use."""
    library = subject.base.library
    found = dict(subject.base.vocabulary.prefixes.namespaces)
    for game in library.games():
        for prefix, namespace in declared_prefixes(read_turtle(library.game(game) / "game.ttl")):
            found.setdefault(prefix, namespace)
    return Prefixes(found)


def folders(subject: Subject) -> Iterator[Finding]:
    """Yield the folders of games that are none, because they say nothing of themselves."""
    library = subject.base.library
    known = (*library.games(), *_NO_GAMES)
    for folder in sorted(path for path in library.data.iterdir() if path.is_dir()):
        if folder.name not in known and files_in(folder, (".ttl", ".rq", ".yaml")):
            yield Finding(
                ERROR,
                "O101",
                f"there is no game.ttl, so the folder {folder.name} is no game",
                Place(folder / "game.ttl"),
                "write it (CONTRIBUTING.md, 'A game'), or move the folder out of data/",
            )
