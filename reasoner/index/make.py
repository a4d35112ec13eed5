"""Making an index: from the facts that rules derived of a pool to sets of cards, with the rules behind each fact."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pyoxigraph as ox

from reasoner.engine.inference import Inference
from reasoner.index.keptrules import KeptRules
from reasoner.index.postings import packed_numbers, to_bytes
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.cardnames import cards_by_spelling
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import XSD, core, graph

_INTEGER = ox.NamedNode(XSD + "integer")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_TEXT = core("printedText")


def make_index(base: KnowledgeBase, inference: Inference) -> bytes:
    """Return the index of the cards of `base`; the branches of `inference` have KeptRules for their keepers."""
    numbers = {card: number for number, card in enumerate(base.cards)}
    rules: dict[frozenset[str], int] = {}
    kept = [branch.keeper for branch in inference.branches if isinstance(branch.keeper, KeptRules)]
    postings = ((at, *row) for at, one in enumerate(kept) for row in _postings(one, len(numbers), rules))
    ids = [card.value for card in base.cards]

    def parts() -> dict[str, Any]:
        return {
            "cards": ids,
            "names": [base.card_names[iri] for iri in ids],
            "spellings": _spellings(base, numbers),
            "branches": len(inference.branches),
            "rules": [sorted(found) for found in rules],  # the postings have filled it
            **{f"texts-{language}": texts for language, texts in _texts(base, numbers).items()},
        }

    return to_bytes(postings, parts)


def _postings(
    kept: KeptRules, count: int, rules: dict[frozenset[str], int]
) -> Iterator[tuple[str, str, int | None, int, bytes]]:
    """Yield characteristic, value, number where it is whole, set of rules, and packed cards, of `count` in all."""
    for one in kept.held():
        rule_set = rules.setdefault(one.rules, len(rules))
        value = one.value
        yield one.characteristic.value, str(value), whole(value), rule_set, packed_numbers(one.cards, count)


def _spellings(base: KnowledgeBase, numbers: Mapping[ox.NamedNode, int]) -> dict[str, list[int]]:
    """Return the numbers of the cards by what one may write for them: names of cards and faces, and translations."""
    found = cards_by_spelling(base.store, graph(base.game, "cards"))
    return {text: sorted(numbers[ox.NamedNode(card)] for card in cards) for text, cards in sorted(found.items())}


def _texts(base: KnowledgeBase, numbers: Mapping[ox.NamedNode, int]) -> dict[str, list[tuple[int, str]]]:
    """Return the printed texts of cards and of their faces, by language, each with the number of the card."""
    asserted = base.base[-1]
    cards = {face: card for card, face in pairs(base.store, core("hasFace"), asserted)}
    found: dict[str, list[tuple[int, str]]] = {}
    for bearer, text in pairs(base.store, _TEXT, asserted):
        card = cards.get(bearer, bearer)
        if card in numbers and isinstance(text, ox.Literal):
            found.setdefault(text.language or "", []).append((numbers[card], text.value))
    return found


def whole(value: object) -> int | None:
    """Return the number that a literal is, if it is a whole one."""
    if isinstance(value, ox.Literal) and value.datatype == _INTEGER and _WHOLE.fullmatch(value.value):
        return int(value.value)
    return None
