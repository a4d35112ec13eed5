"""The vocabulary of a game and nothing else of it, read quickly: an import needs no cards, rules or languages."""

from __future__ import annotations

import pyoxigraph as ox

from reasoner.knowledge.turtle import declared_prefixes, read_turtle
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.paths import Library
from reasoner.terms.namespaces import SH, Prefixes, graph


def vocabulary_of(library: Library, game: str) -> Vocabulary:
    """Return the vocabulary of `game`.

    Raises:
        OntologyError: a file of terms can't be read, or a prefix has two namespaces.
    """
    store = ox.Store()
    core, terms = graph("core"), graph(game, "terms")
    own = (*library.game_files(game), *library.term_files(game))
    prefix_file = library.ontology / "prefixes.ttl"
    for path, name in [*((one, core) for one in (prefix_file, *library.core_files)), *((one, terms) for one in own)]:
        try:
            store.bulk_load(path=str(path), format=ox.RdfFormat.TURTLE, to_graph=name)
        except (SyntaxError, OSError, ValueError):
            read_turtle(path)  # says what is wrong, and where
            raise
    said = [
        quad.triple
        for verb in ("declare", "prefix", "namespace")
        for quad in store.quads_for_pattern(None, ox.NamedNode(SH + verb), None, None)
    ]
    return Vocabulary(store, (core, terms), Prefixes({}).merged(declared_prefixes(said)))
