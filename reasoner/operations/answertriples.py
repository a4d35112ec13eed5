"""Answers as triples: selectors as OWL classes, matches, reified answers, and relations between cards."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

import pyoxigraph as ox

from reasoner.errors import TextError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.context import abilities_of
from reasoner.operations.interactions import Interpreted
from reasoner.operations.match import Member, match
from reasoner.operations.scene import moment_scene
from reasoner.owl.expressions import define
from reasoner.reference.answer import NO_VALUE, UNSETTLED, WHEN, YES
from reasoner.reference.mentiongraph import Context
from reasoner.reference.selector import any_of
from reasoner.situation.play import Moment, Play
from reasoner.situation.state import integer
from reasoner.terms.lookup import subjects, values
from reasoner.terms.namespaces import TYPE, core, rule_iri

_SELECTING = (core("matches"), core("mayMatch"))
VERDICTS = {YES: core("Yes"), WHEN: core("When"), UNSETTLED: core("Unsettled"), NO_VALUE: core("NoValue")}


def answer_triples(base: KnowledgeBase, interpreted: Iterable[Interpreted], *, linked: bool = False) -> list[ox.Triple]:
    """Return what is inferred about printed references, in a stable order.

    For each member of each reference an answer node; `core:matches` where the answer is yes, `core:mayMatch`
    where it is yes or when; the card's relation to the member likewise (a plain yes only). `linked`: whom a reference
    matches is told by links elsewhere (see `selected_by`).
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
    told = dict.fromkeys(triples)
    return [one for one in told if one.predicate not in _SELECTING] if linked else list(told)


def selected_by(interpreted: Iterable[Interpreted]) -> dict[str, tuple[list[str], list[str]]]:
    """Return the cards that each printed reference matches, and those that it may match; not if it has two readings."""
    found = {}
    for one in interpreted:
        if len(one.readings) == 1:
            verdicts = [(member.referent.iri.value, member.answer.verdict) for member in one.readings[0].members]
            found[one.reference.iri.value] = (
                [card for card, verdict in verdicts if verdict == YES],
                [card for card, verdict in verdicts if verdict in (YES, WHEN)],
            )
    return found


def moment_answers(play: Play, moment: Moment) -> list[ox.Triple]:
    """Return an answer node for each object that a reference in the text of another, or of itself, means at `moment`.

    A reference that can't be read has none: `cardlore check` reports it.
    """
    triples: list[ox.Triple] = []
    scene = moment_scene(play.base, moment)
    cards = play.base.base[-1]
    for one in moment.objects:
        for ability in dict.fromkeys(abilities_of(one.iri, scene)):
            for reference in subjects(play.store, core("isReferenceOf"), ability, cards):
                (wording,) = values(play.store, reference, core("hasWording"), cards)
                try:
                    found = match(scene, wording.value, Context(bearer=one.iri, ability=ability))
                except TextError:
                    continue
                start = (
                    f"{moment.graph.value}/answer/{quote(one.piece, safe='')}/{reference.value.partition('card/')[2]}"
                )
                for number, reading in enumerate(found.readings, 1):
                    for member in reading.members:
                        node = ox.NamedNode(f"{start}/{number}/{quote(member.referent.id, safe='')}")
                        triples += _about(node, reference, number, member)
                        triples += [
                            ox.Triple(node, core("readOn"), one.iri),
                            ox.Triple(node, core("givenAt"), moment.graph),
                        ]
    return triples


def _answer(one: Interpreted, number: int, member: Member) -> list[ox.Triple]:
    reference = one.reference
    suffix = "" if len(one.readings) == 1 else f"{number}/"
    node = ox.NamedNode(f"{reference.iri.value}/answer/{suffix}{member.referent.id}")
    triples = _about(node, reference.iri, number, member)
    if len(one.readings) == 1:
        if member.answer.verdict == YES:
            triples.append(ox.Triple(reference.iri, core("matches"), member.referent.iri))
            triples.append(ox.Triple(reference.card, reference.relation, member.referent.iri))
        if member.answer.verdict in (YES, WHEN):
            triples.append(ox.Triple(reference.iri, core("mayMatch"), member.referent.iri))
            triples.append(ox.Triple(reference.card, core("mayInteractWith"), member.referent.iri))
    return triples


def _about(node: ox.NamedNode, reference: ox.NamedNode, number: int, member: Member) -> list[ox.Triple]:
    return [
        ox.Triple(node, TYPE, core("Answer")),
        ox.Triple(node, core("ofReference"), reference),
        ox.Triple(node, core("toReferent"), member.referent.iri),
        ox.Triple(node, core("ofReading"), integer(number)),
        ox.Triple(node, core("verdict"), VERDICTS[member.answer.verdict]),
        *(ox.Triple(node, core("underCondition"), ox.Literal(text)) for text in member.answer.when),
        *(ox.Triple(node, core("decidedBy"), rule_iri(rule.id)) for rule in member.rules),
    ]
