"""Where an asserted fact comes from: a line of a card file or of the ontology, the situation, or the text itself."""

from __future__ import annotations

from collections.abc import Mapping

import pyoxigraph as ox

from reasoner.engine.pattern import decode
from reasoner.errors import Place
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.turtle import line_of
from reasoner.terms.namespaces import BASE, game_base


class Origin:
    """Finds the place of asserted facts; files are read at most once, and only when a place in them is asked for."""

    def __init__(self, base: KnowledgeBase, stated: Mapping[ox.Triple, Place] | None = None) -> None:
        """Know `base`, and of a situation where each fact of it is `stated`."""
        self.base = base
        self.stated = stated or {}

    def of(self, fact: ox.Triple) -> str:
        """Return the origin of an asserted fact as text, e.g. "printed: data/…/cards/x.yaml:12"."""
        if fact in self.stated:
            return f"given: {self._short(self.stated[fact])}"
        subject = fact.subject.value if isinstance(fact.subject, ox.NamedNode) else ""
        return self.of_iri(subject)

    def of_text(self, term: str) -> str:
        """Return the origin of what is said of a term given as N-Triples text."""
        node = decode(term) if not term.startswith("?") else None
        return self.of_iri(node.value) if isinstance(node, ox.NamedNode) else ""

    def of_iri(self, iri: str) -> str:
        """Return the origin of what is said of `iri`."""
        if iri.startswith(BASE + "mention/"):
            return "seen in the text"
        if iri.startswith(game_base(self.base.game) + "case/"):
            return "given in the situation"
        if iri in self.base.places:
            return f"printed: {self._short(self.base.places[iri])}"
        place = self.term_place(iri)
        return f"term: {self._short(place)}" if place else ""

    def term_place(self, iri: str) -> Place | None:
        """Return where the ontology describes the term `iri`."""
        name = self.base.vocabulary.prefixes.shorten(iri)
        folder = self.base.library.game(self.base.game)
        for path in (folder / "terms.ttl", folder / "game.ttl", self.base.library.ontology / "core.ttl"):
            line = line_of(path, (name, f"<{iri}>"))
            if line:
                return Place(path, line)
        return None

    def _short(self, place: Place) -> str:
        try:
            return str(Place(place.path.relative_to(self.base.library.root), place.line))
        except ValueError:
            return str(place)
