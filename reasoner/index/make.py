"""Making an index: from the facts that rules derived of a pool to sets of cards, with the rules behind each fact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyoxigraph as ox

from reasoner.engine.inference import Branch, Inference
from reasoner.engine.pattern import Slot, Term, Variable
from reasoner.index.postings import Posting, to_bytes
from reasoner.knowledge.base import KnowledgeBase
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import XSD, core

_INTEGER = ox.NamedNode(XSD + "integer")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_ONLY_WHEN = core("isMetOnlyWhen")
_TEXT = core("printedText")


def make_index(base: KnowledgeBase, inference: Inference) -> bytes:
    """Return the index of the cards of `base`; `inference` is how what is known of them was derived."""
    numbers = {card: number for number, card in enumerate(base.cards)}
    rules: dict[frozenset[str], int] = {}
    postings = (
        (at, characteristic, posting)
        for at, branch in enumerate(inference.branches)
        for characteristic, posting in _postings(branch, numbers, rules)
    )
    gathered = list(postings)  # which also fills `rules`
    ids = [card.value for card in base.cards]
    parts = {
        "cards": ids,
        "names": [base.card_names[iri] for iri in ids],
        "branches": len(inference.branches),
        "rules": [sorted(found) for found in rules],
        **{f"texts-{language}": texts for language, texts in _texts(base, numbers).items()},
    }
    return to_bytes(gathered, parts)


def _postings(
    branch: Branch, numbers: dict[ox.NamedNode, int], rules: dict[frozenset[str], int]
) -> Iterator[tuple[str, Posting]]:
    cards: dict[tuple[ox.NamedNode, Any, int], list[int]] = {}
    size = (len(numbers) + 7) // 8
    for fact, behind in rules_behind(branch):
        number = numbers.get(fact.subject) if isinstance(fact.subject, ox.NamedNode) else None
        if number is not None:
            # A condition is told by the rule that gives it, and by none before it.
            told = frozenset({branch.supports[fact].rule.id}) if fact.predicate == _ONLY_WHEN else behind
            rule_set = rules.setdefault(told, len(rules))
            cards.setdefault((fact.predicate, fact.object, rule_set), []).append(number)
    for (predicate, value, rule_set), found in cards.items():
        yield predicate.value, Posting(str(value), whole(value), rule_set, _bits(found, size))


def rules_behind(branch: Branch) -> Iterator[tuple[ox.Triple, frozenset[str]]]:
    """Yield every derived fact with the ids of all rules of its proof.

    What a fact rests on came about before it, so that one pass in the order of derivation is enough.
    """
    found: dict[ox.Triple, frozenset[str]] = {}
    known: dict[frozenset[str], frozenset[str]] = {}
    counted = {pattern.verb for support in branch.supports.values() for pattern in support.rule.counted}
    at_end: dict[tuple[Any, Any, bool], set[str]] = {}
    for fact, (rule, solution) in branch.supports.items():
        behind = {rule.id}
        for pattern in (*rule.required, *rule.either, *rule.optional):
            premise = pattern.instance(solution)
            if premise is not None and premise in found:
                behind |= found[premise]
        for pattern in rule.counted:
            subject, value = _bound(pattern.subject, solution), _bound(pattern.object, solution)
            if (subject is None) != (value is None):
                end = subject if value is None else value
                behind |= at_end.get((pattern.verb, end, value is None), set())
        kept = frozenset(behind)
        kept = found[fact] = known.setdefault(kept, kept)
        if fact.predicate in counted:
            at_end.setdefault((fact.predicate, fact.subject, True), set()).update(kept)
            at_end.setdefault((fact.predicate, fact.object, False), set()).update(kept)
        yield fact, kept


def _bound(slot: Slot, solution: Mapping[str, Term]) -> Term | None:
    return solution.get(slot.name) if isinstance(slot, Variable) else slot


def _bits(numbers: Iterable[int], size: int) -> int:
    data = bytearray(size)
    for number in numbers:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")


def _texts(base: KnowledgeBase, numbers: Mapping[ox.NamedNode, int]) -> dict[str, list[tuple[int, str]]]:
    """Return the printed texts of cards and of their faces, by language, each with the number of the card."""
    graph = base.base[-1]
    cards = {face: card for card, face in pairs(base.store, core("hasFace"), graph)}
    found: dict[str, list[tuple[int, str]]] = {}
    for bearer, text in pairs(base.store, _TEXT, graph):
        card = cards.get(bearer, bearer)
        if card in numbers and isinstance(text, ox.Literal):
            found.setdefault(text.language or "", []).append((numbers[card], text.value))
    return found


def whole(value: object) -> int | None:
    """Return the number that a literal is, if it is a whole one."""
    if isinstance(value, ox.Literal) and value.datatype == _INTEGER and _WHOLE.fullmatch(value.value):
        return int(value.value)
    return None
