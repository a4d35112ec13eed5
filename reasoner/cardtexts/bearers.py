"""The texts of all cards, each with what is printed on the card or face that bears it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

from reasoner.abilities.model import Bearer
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.kept import scratch_folder
from reasoner.knowledge.pools import CARDS, Pool
from reasoner.knowledge.slices import slices_of
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import core, graph

SLICE_OF_TEXTS: Final = 8_000  # cards whose texts are looked at together


@dataclass(frozen=True)
class Borne:
    """A printed `text` in a `language`, on a card or face (`iri`) of a `card`."""

    iri: str
    card: str
    language: str
    text: str
    bearer: Bearer


def printed_cards(words: KnowledgeBase, pool: Pool | None) -> Iterator[ox.Store]:
    """Yield stores with what is printed on the cards of the game of `words`, and on those of a `pool`, some at a time.

    Raises:
        DataError: D805 the pool is damaged.
        UseError: U118 there is no room for its slices.
    """
    if pool is None:
        yield words.store
        return
    own = list(words.store.quads_for_pattern(None, None, None, graph(words.game, "cards")))
    with scratch_folder() as folder:
        slices = slices_of(pool, [quad.triple for quad in own], _by_themselves, folder, SLICE_OF_TEXTS)
        store = _loaded(pool.read(CARDS) if slices is None else slices.own, words.game)
        store.extend(own)
        yield store
        del store  # it takes memory for long
        for path in slices.rest if slices is not None else ():
            yield _loaded(path.read_bytes(), words.game)


def _by_themselves(_signatures: object) -> tuple[()]:
    return ()


def _loaded(lines: bytes, game: str) -> ox.Store:
    store = ox.Store()
    store.bulk_load(lines, format=ox.RdfFormat.N_TRIPLES, to_graph=graph(game, "cards"))
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
