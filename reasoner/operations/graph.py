"""The interaction graph of a game: cards and references as nodes, what the references answer as edges."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from reasoner.engine.rule import Rule
from reasoner.export.model import MATCHES, REFERS_BY, Attribute, Edge, InteractionGraph, Node
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.interactions import Interpreted, interpret_all
from reasoner.operations.match import Member
from reasoner.reference.answer import NO_VALUE, UNSETTLED, WHEN, YES
from reasoner.terms.lookup import Value, values
from reasoner.terms.namespaces import XSD

_SHOWN = {YES: "yes", WHEN: "when", UNSETTLED: "unsettled", NO_VALUE: "no-value"}


def interaction_graph(base: KnowledgeBase) -> InteractionGraph:
    """Return cards and printed references, who refers to whom and how, with rules, sources and editions."""
    interpreted = interpret_all(base)
    nodes = [*_card_nodes(base), *(_reference_node(one, base) for one in interpreted)]
    edges = [edge for one in interpreted for edge in _edges(one, base)]
    return InteractionGraph(base.game, base.edition, tuple(nodes), tuple(edges), base.vocabulary.prefixes.namespaces)


def _card_nodes(base: KnowledgeBase) -> Iterator[Node]:
    vocabulary, language = base.vocabulary, base.language.code
    cards = base.base[-1]
    for card in base.cards:
        attributes: dict[str, Attribute] = {}
        for field, prop in vocabulary.card_fields.items():
            found = values(base.store, card, prop, cards)
            if found and field not in ("name", "note"):
                texts = tuple(str(_plain(value, base, language)) for value in found)
                attributes[field.replace(" ", "_")] = _plain(found[0], base, language) if len(found) == 1 else texts
        yield Node(vocabulary.prefixes.shorten(card.value), card.value, "card", base.card_names[card.value], attributes)


def _reference_node(one: Interpreted, base: KnowledgeBase) -> Node:
    reference = one.reference
    rules = dict.fromkeys(rule.id for reading in one.readings for rule in reading.reading_rules)
    attributes: dict[str, Attribute] = {
        "relation": base.vocabulary.prefixes.shorten(reference.relation.value),
        "words": " / ".join(reading.words for reading in one.readings),
        "readings": len(one.readings),
        "rules": tuple(rules),
    }
    return Node(
        base.vocabulary.prefixes.shorten(reference.iri.value),
        reference.iri.value,
        "reference",
        reference.wording,
        attributes,
    )


def _edges(one: Interpreted, base: KnowledgeBase) -> Iterator[Edge]:
    shorten = base.vocabulary.prefixes.shorten
    reference = one.reference
    card, name = shorten(reference.card.value), shorten(reference.iri.value)
    yield Edge(card, name, REFERS_BY)
    strongest: dict[str, Member] = {}
    for reading in one.readings:
        for member in reading.members:
            strongest.setdefault(shorten(member.referent.iri.value), member)
    several = len(one.readings) > 1
    for target, member in strongest.items():
        answer = "unsettled" if several else _SHOWN[member.answer.verdict]
        rules = tuple(rule.id for rule in member.rules)
        given = {
            "answer": answer,
            "when": member.answer.when,
            "rules": rules,
            "sources": _each(member.rules, lambda rule: f"{rule.header.source} {rule.header.section}"),
            "editions": _each(member.rules, lambda rule: rule.header.edition),
            "wording": reference.wording,
        }
        yield Edge(name, target, MATCHES, **given)  # type: ignore[arg-type]
        yield Edge(card, target, shorten(reference.relation.value), reference=name, **given)  # type: ignore[arg-type]


def _each(rules: tuple[Rule, ...], text: object) -> tuple[str, ...]:
    assert callable(text)
    return tuple(dict.fromkeys(text(rule) for rule in rules))


def _plain(value: Value, base: KnowledgeBase, language: str) -> str | int | bool:
    if isinstance(value, ox.NamedNode):
        return base.vocabulary.label(value, language)
    kind = value.datatype.value.removeprefix(XSD)
    return int(value.value) if kind == "integer" else value.value == "true" if kind == "boolean" else value.value
