"""What cards and their faces are called: in the language in which names count, in translation, and in lists.

A card without faces is listed under its printed name, a card with faces under the names of all of them; each face has
a printed name of its own. A translation finds what it translates, and is no name by itself.
"""

from __future__ import annotations

import pyoxigraph as ox

from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import core


def printed_names(store: ox.Store, graph: ox.NamedNode) -> dict[str, str]:
    """Return the printed name of every card without faces, and of every face, by IRI."""
    return {bearer.value: name.value for bearer, name in pairs(store, core("printedName"), graph)}


def card_names(store: ox.Store, graph: ox.NamedNode) -> dict[str, str]:
    """Return the name under which lists have each card, by IRI."""
    return {card.value: name.value for card, name in pairs(store, core("listedName"), graph)}


def translations(store: ox.Store, graph: ox.NamedNode) -> list[tuple[str, str, str]]:
    """Return (bearer, language, text) for every translated name, in canonical order."""
    return [
        (bearer.value, text.language or "", text.value)
        for bearer, text in pairs(store, core("translatedName"), graph)
        if isinstance(text, ox.Literal)
    ]


def names_by_spelling(store: ox.Store, graph: ox.NamedNode, language: str | None = None) -> dict[str, str]:
    """Return the printed names by what one may write for them: the names themselves, and their translations.

    With `language`, only the translations into it.
    """
    printed = printed_names(store, graph)
    translated = {
        text: printed[bearer]
        for bearer, tag, text in translations(store, graph)
        if bearer in printed and language in (None, tag)
    }
    return translated if language else translated | {name: name for name in printed.values()}


def cards_by_spelling(store: ox.Store, graph: ox.NamedNode) -> dict[str, set[str]]:
    """Return the cards (by IRI) that one may mean by a text: by a name of a face, or a translation."""
    cards = _cards_of_faces(store, graph)
    found: dict[str, set[str]] = {}
    for bearer, name in printed_names(store, graph).items():
        found.setdefault(name, set()).add(cards.get(bearer, bearer))
    for bearer, _, text in translations(store, graph):
        found.setdefault(text, set()).add(cards.get(bearer, bearer))
    return found


def _cards_of_faces(store: ox.Store, graph: ox.NamedNode) -> dict[str, str]:
    return {face.value: card.value for card, face in pairs(store, core("hasFace"), graph)}
