"""What cards and their faces are called: in the language in which names count, in translation, and in lists.

A card without faces is listed under its printed name, a card with faces under the names of all of them; each face has
a printed name of its own. A translation finds what it translates, and is no name by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pyoxigraph as ox

from reasoner.errors import UseError, close_to
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import core, game_base


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


def card_called(
    text: str, game: str, names: Mapping[str, str], spellings: Callable[[], Mapping[str, Iterable[str]]]
) -> str:
    """Return the IRI of the card of `game` with the id or the name `text`, or of which that is another spelling.

    `names` are what lists call the cards, by IRI; `spellings` gives the cards by what one may write for them, and is
    asked only where neither id nor name will do.

    Raises:
        UseError: U104 if no card, or more than one, is called so.
    """
    iri = f"{game_base(game)}card/{text}"
    if iri in names:
        return iri
    found = sorted(card for card, name in names.items() if name == text)
    spelled = {} if found else spellings()
    found = found or sorted(spelled.get(text, ()))
    if len(found) == 1:
        return found[0]
    ids = [card.rsplit("/", 1)[1] for card in found]
    if found:
        raise UseError("U104", f"{len(found)} cards are called '{text}'", hint=f"give the id: {', '.join(ids)}")
    known = [*names.values(), *spelled, *(card.rsplit("/", 1)[1] for card in names)]
    raise UseError("U104", f"unknown card '{text}'", suggestions=close_to(text, known))


def _cards_of_faces(store: ox.Store, graph: ox.NamedNode) -> dict[str, str]:
    return {face.value: card.value for card, face in pairs(store, core("hasFace"), graph)}
