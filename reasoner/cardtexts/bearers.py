"""The texts of all cards, each with what is printed on the card or face that bears it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.abilities.model import Bearer
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.pools import CARDS, Pool
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


def printed_cards(words: KnowledgeBase, pool: Pool | None) -> ox.Store:
    """Return a store with what is printed on the cards of the game of `words`, and on those of a `pool`.

    Raises:
        DataError: D805 the pool is damaged.
    """
    if pool is None:
        return words.store
    store, cards = ox.Store(), graph(words.game, "cards")
    store.bulk_load(pool.read(CARDS), format=ox.RdfFormat.N_TRIPLES, to_graph=cards)
    store.extend(words.store.quads_for_pattern(None, None, None, cards))
    return store


def borne_texts(store: ox.Store, game: str, languages: Iterable[str], card: str | None = None) -> list[Borne]:
    """Return the printed texts in these languages, of all cards or of one, by card, face and language."""
    wanted = frozenset(languages)
    cards = {face.value: owner.value for owner, face in _pairs(store, game, "hasFace")}
    layouts = {one.value: layout.value for one, layout in _pairs(store, game, "hasLayout")}
    names: dict[str, list[str]] = {}
    translated: dict[tuple[str, str], list[str]] = {}
    types: dict[str, set[str]] = {}
    for one, name in _pairs(store, game, "printedName"):
        names.setdefault(one.value, []).append(name.value)
    for one, name in _pairs(store, game, "translatedName"):
        if isinstance(name, ox.Literal):
            translated.setdefault((one.value, name.language or ""), []).append(name.value)
    for one, kind in _pairs(store, game, "printedCardType"):
        types.setdefault(one.value, set()).add(kind.value)
    found = []
    for one, text in _pairs(store, game, "printedText"):
        owner = cards.get(one.value, one.value)
        language = text.language or "" if isinstance(text, ox.Literal) else ""
        if not text.value.strip() or language not in wanted or card not in (None, owner):
            continue
        own = (*names.get(one.value, ()), *translated.get((one.value, language), ()))
        bearer = Bearer(own, frozenset(types.get(one.value, ())), layouts.get(owner, ""))
        found.append(Borne(one.value, owner, language, text.value, bearer))
    return sorted(found, key=lambda one: (one.card, one.iri, one.language, one.text))


def _pairs(store: ox.Store, game: str, name: str) -> list[tuple[ox.NamedNode, ox.NamedNode | ox.Literal]]:
    return pairs(store, core(name), graph(game, "cards"))
