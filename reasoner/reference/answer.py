"""Answers: yes, no, when, no-value or unsettled, each with what it rests on. Never collapsed to a bare yes or no."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.reference.evaluate import Outcome, View
from reasoner.reference.interpret import Interpretation
from reasoner.reference.possible import IDENTITY
from reasoner.reference.selector import All, Any, Compare, Has, Not, Selector
from reasoner.reference.truth import Missing, Truth
from reasoner.reference.wording import compared, quantity_label
from reasoner.terms.namespaces import core

YES, NO, WHEN, NO_VALUE, UNSETTLED = "yes", "no", "when", "no-value", "unsettled"


@dataclass(frozen=True)
class Alternative:
    """One of the answers between which nothing decides, with the rules it rests on."""

    answer: Answer
    rules: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.answer} by {', '.join(self.rules)}" if self.rules else str(self.answer)


@dataclass(frozen=True)
class Answer:
    """`verdict`; for "when" the open conditions; for "unsettled" the alternatives, each with its rules."""

    verdict: str
    when: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()

    def __str__(self) -> str:
        if self.verdict == WHEN:
            return f"when {' and '.join(self.when)}"
        if self.verdict == UNSETTLED:
            return "unsettled: " + ", or ".join(str(one) for one in self.alternatives)
        return self.verdict


@dataclass(frozen=True)
class Judgement:
    """The answer for one referent under one interpretation in one branch, with the outcome behind it."""

    interpretation: Interpretation
    view: View
    outcome: Outcome
    answer: Answer


def judge(interpretation: Interpretation, view: View, referent: ox.NamedNode) -> Judgement:
    """Return the answer for `referent` under one interpretation and one branch of the facts."""
    outcome = view.evaluate(interpretation.selector, referent)
    needed = [
        view.vocabulary.label(q.object)
        for q in view.facts_of(referent, core("isMetOnlyWhen").value)
        if isinstance(q.object, ox.NamedNode)
    ]
    return Judgement(interpretation, view, outcome, answer_of(outcome.value, outcome.open, needed, view.vocabulary))


def answer_of(value: Truth, left: Selector | None, needed: Iterable[str], vocabulary: Vocabulary) -> Answer:
    """Return the answer that the truth of a selector comes to; `left` is what is open, `needed` further conditions."""
    if value is False or isinstance(value, Missing):
        return Answer(NO if value is False else NO_VALUE)
    when = tuple(dict.fromkeys((*(conditions(left, vocabulary) if left is not None else ()), *needed)))
    return Answer(WHEN, when) if when else Answer(YES)


def combine(judgements: Sequence[Judgement], rules_of: Sequence[tuple[str, ...]]) -> Answer:
    """Return the one answer all judgements agree on, or "unsettled" with each of them and its rules."""
    by_answer: dict[Answer, tuple[str, ...]] = {}
    for judgement, rules in zip(judgements, rules_of, strict=True):
        by_answer.setdefault(judgement.answer, rules)
    if len(by_answer) == 1:
        return next(iter(by_answer))
    shared = set.intersection(*(set(rules) for rules in by_answer.values()))
    alternatives = tuple(
        sorted(
            (
                Alternative(answer, tuple(rule for rule in rules if rule not in shared))
                for answer, rules in by_answer.items()
            ),
            key=str,
        )
    )
    return Answer(UNSETTLED, alternatives=alternatives)


def conditions(selector: Selector, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return what remains to be known, one text per condition; all of them must hold."""
    if isinstance(selector, All):
        return tuple(text for part in selector.parts for text in conditions(part, vocabulary))
    if isinstance(selector, Any):
        return (" or ".join(_joined(conditions(part, vocabulary)) for part in selector.parts),)
    return (_condition(selector, vocabulary),)


def _condition(selector: Selector, vocabulary: Vocabulary) -> str:
    if isinstance(selector, Not):
        return f"not {_joined(conditions(selector.part, vocabulary))}"
    if isinstance(selector, Compare):
        return f"{quantity_label(selector.characteristic, vocabulary)} {compared(selector, vocabulary)}"
    assert isinstance(selector, Has)
    if selector.characteristic == IDENTITY:
        return "this very copy"
    value = selector.value
    label = vocabulary.label(value) if isinstance(value, ox.NamedNode) else value.value
    if selector.characteristic == core("hasStatus").value:
        return label
    if selector.characteristic == core("isInZone").value:
        return f"in {label}"
    return f"{vocabulary.label(selector.characteristic)} {label}"


def _joined(texts: Iterable[str]) -> str:
    return " and ".join(texts)
