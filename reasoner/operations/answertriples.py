"""Answers as triples: selectors as OWL classes, matches, reified answers, and relations between cards."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox

from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.interactions import Interpreted
from reasoner.operations.match import Member
from reasoner.owl.expressions import define
from reasoner.reference.answer import NO_VALUE, UNSETTLED, WHEN, YES
from reasoner.reference.selector import any_of
from reasoner.situation.state import integer
from reasoner.terms.namespaces import TYPE, core, rule_iri

VERDICTS = {YES: core("Yes"), WHEN: core("When"), UNSETTLED: core("Unsettled"), NO_VALUE: core("NoValue")}


def answer_triples(base: KnowledgeBase, interpreted: Iterable[Interpreted]) -> list[ox.Triple]:
    """Return what is inferred about printed references, in a stable order.

    For each member of each reference an answer node; `core:matches` where the answer is yes, `core:mayMatch`
    where it is yes or when; the card's relation to the member likewise (a plain yes only).
    """
    triples: list[ox.Triple] = []
    for one in interpreted:
        reference = one.reference
        selectors = [selector for reading in one.readings for selector in reading.selectors]
        if selectors:
            triples += define(reference.iri.value, any_of(selectors))
        for rule in dict.fromkeys(rule.id for reading in one.readings for rule in reading.reading_rules):
            triples.append(ox.Triple(reference.iri, core("decidedBy"), rule_iri(rule)))
        for number, reading in enumerate(one.readings, 1):
            for member in reading.members:
                triples += _answer(one, number, member)
    return list(dict.fromkeys(triples))


def _answer(one: Interpreted, number: int, member: Member) -> list[ox.Triple]:
    reference = one.reference
    suffix = "" if len(one.readings) == 1 else f"{number}/"
    node = ox.NamedNode(f"{reference.iri.value}/answer/{suffix}{member.referent.id}")
    triples = [
        ox.Triple(node, TYPE, core("Answer")),
        ox.Triple(node, core("ofReference"), reference.iri),
        ox.Triple(node, core("toReferent"), member.referent.iri),
        ox.Triple(node, core("ofReading"), integer(number)),
        ox.Triple(node, core("verdict"), VERDICTS[member.answer.verdict]),
    ]
    triples += [ox.Triple(node, core("underCondition"), ox.Literal(text)) for text in member.answer.when]
    triples += [ox.Triple(node, core("decidedBy"), rule_iri(rule.id)) for rule in member.rules]
    if len(one.readings) == 1:
        if member.answer.verdict == YES:
            triples.append(ox.Triple(reference.iri, core("matches"), member.referent.iri))
            triples.append(ox.Triple(reference.card, reference.relation, member.referent.iri))
        if member.answer.verdict in (YES, WHEN):
            triples.append(ox.Triple(reference.iri, core("mayMatch"), member.referent.iri))
            triples.append(ox.Triple(reference.card, core("mayInteractWith"), member.referent.iri))
    return triples
