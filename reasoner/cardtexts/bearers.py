"""The texts of all cards of a knowledge base, each with what is known of the card or face that bears it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.abilities.model import Bearer
from reasoner.knowledge.base import KnowledgeBase
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import core, graph


@dataclass(frozen=True)
class Borne:
    """A printed `text` in a `language`, on a card or face (`iri`) of a `card`."""

    iri: str
    card: str
    language: str
    text: str
    bearer: Bearer


def borne_texts(base: KnowledgeBase, languages: Iterable[str], card: str | None = None) -> list[Borne]:
    """Return the printed texts in these languages, of all cards or of one, by card, face and language."""
    wanted = frozenset(languages)
    cards = {face.value: owner.value for owner, face in _pairs(base, "hasFace")}
    layouts = {one.value: layout.value for one, layout in _pairs(base, "hasLayout")}
    names: dict[str, list[str]] = {}
    translated: dict[tuple[str, str], list[str]] = {}
    types: dict[str, set[str]] = {}
    for one, name in _pairs(base, "printedName"):
        names.setdefault(one.value, []).append(name.value)
    for one, name in _pairs(base, "translatedName"):
        if isinstance(name, ox.Literal):
            translated.setdefault((one.value, name.language or ""), []).append(name.value)
    for one, kind in _pairs(base, "printedCardType"):
        types.setdefault(one.value, set()).add(kind.value)
    found = []
    for one, text in _pairs(base, "printedText"):
        owner = cards.get(one.value, one.value)
        language = text.language or "" if isinstance(text, ox.Literal) else ""
        if not text.value.strip() or language not in wanted or card not in (None, owner):
            continue
        own = (*names.get(one.value, ()), *translated.get((one.value, language), ()))
        bearer = Bearer(own, frozenset(types.get(one.value, ())), layouts.get(owner, ""))
        found.append(Borne(one.value, owner, language, text.value, bearer))
    return sorted(found, key=lambda one: (one.card, one.iri, one.language, one.text))


def _pairs(base: KnowledgeBase, name: str) -> list[tuple[ox.NamedNode, ox.NamedNode | ox.Literal]]:
    return pairs(base.store, core(name), graph(base.game, "cards"))
