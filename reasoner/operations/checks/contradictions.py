"""Rules that disagree: every conflict met in printed references and cases, or found by search, with a witness.

| what decides                            | finding                                                     |
| --------------------------------------- | ----------------------------------------------------------- |
| nothing                                 | a warning: an open question of the rule text                |
| `more-specific-than`, our own judgement | information: which rule won                                 |
| `exception-to`, said by the text        | information, if the two rules are of different clauses      |

The witness is the smallest situation found by reasoner/operations/checks/witness.py in which it matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from reasoner.engine.precedence import Conflict, Exclusions
from reasoner.engine.rule import Rule
from reasoner.errors import Place, TextError
from reasoner.operations.cases import CaseResult
from reasoner.operations.checks.candidates import (
    EXCEPTION,
    LATER_ISSUE,
    LATER_POINT,
    SOURCE_LANGUAGE,
    SPECIFICITY,
    UNDECIDED,
    Disagreement,
    disagreements,
)
from reasoner.operations.checks.findings import INFO, WARNING, Finding
from reasoner.operations.checks.phrases import words_of
from reasoner.operations.checks.subject import Subject
from reasoner.operations.checks.trials import Found
from reasoner.reference.mentiongraph import NOWHERE, describe
from reasoner.reference.wording import NameOf, say_fact

_CODES = {
    UNDECIDED: "K401",
    SPECIFICITY: "K402",
    EXCEPTION: "K403",
    LATER_ISSUE: "K404",
    LATER_POINT: "K405",
    SOURCE_LANGUAGE: "K406",
}


@dataclass(frozen=True)
class Witness:
    """A disagreement as it was met: `about` tells the question, `names` how to call what the conclusions are about."""

    disagreement: Disagreement
    place: Place | None
    about: str
    names: dict[str, str]


def contradictions(subject: Subject) -> Iterator[Finding]:
    """Yield each disagreement between two rules (or, where one prevails, two clauses) once, with what it was met on."""
    met: dict[tuple[str, ...], list[Witness]] = {}
    for witness in _witnesses(subject):
        met.setdefault(witness.disagreement.key, []).append(witness)
    shown: dict[tuple[str, ...], Found] = {}
    for one in sorted(subject.search.found, key=lambda one: one.rank):
        shown.setdefault(one.disagreement.key, one)
    for key in dict.fromkeys((*met, *shown)):
        yield _finding(met.get(key, []), shown.get(key), subject)


# --- where they were met


def _witnesses(subject: Subject) -> Iterator[Witness]:
    exclusions = subject.base.vocabulary.exclusions
    for one in subject.interpreted:
        iri = one.reference.iri.value
        for reading in one.readings:
            names = words_of(reading.references[0].graph, one.reference.wording)
            yield from _met(reading.conflicts, exclusions, subject.place(iri), subject.name(iri), names)
    for result in subject.cases:
        objects = _objects(result)
        for conflict, place in result.conflicts:
            text = _text_at(result, place)
            names = objects | (_words_of(text, subject) if text else {})
            about = f"{f'“{text}” in ' if text else ''}the case “{result.case.title}”"
            yield from _met([conflict], exclusions, place, about, names)


def _met(
    conflicts: Iterable[Conflict], exclusions: Exclusions, place: Place | None, about: str, names: dict[str, str]
) -> Iterator[Witness]:
    for conflict in conflicts:
        for disagreement in dict.fromkeys(disagreements(conflict, exclusions)):
            yield Witness(disagreement, place, about, names)


def _objects(result: CaseResult) -> dict[str, str]:
    moments = result.play.moments if result.play else []
    return {one.iri.value: one.piece for moment in moments for one in moment.state.objects}


def _text_at(result: CaseResult, place: Place) -> str:
    """Return the text that the expectation at `place` asks about; "" where that is no expectation about a text."""
    expected: list[Any] = [step["expect"] for step in result.case.steps if "expect" in step]
    asked = [
        str(one.get("match") or one.get("condition") or one.get("value") or "")
        for one in expected
        if one.place() == place
    ]
    return asked[0] if asked else ""


def _words_of(text: str, subject: Subject) -> dict[str, str]:
    try:
        readings = subject.base.read(text)
    except TextError:
        return {}
    return words_of(describe(readings[0], NOWHERE, subject.base.iri), text)


# --- what is said of them


def _finding(witnesses: list[Witness], shown: Found | None, subject: Subject) -> Finding:
    first = min(witnesses, key=_rank, default=None)
    known = shown or first
    assert known is not None
    disagreement = known.disagreement
    names = subject.base.card_names | dict(known.names)
    name = NameOf(subject.base.vocabulary, subject.base.language.code, names)
    said = [say_fact(fact, subject.base.vocabulary, subject.base.language.code, name) for fact in disagreement.facts]
    rules = [rule.id for rule in disagreement.rules]
    against = rules if rules[0] != rules[1] else [rules[0], "itself"]
    details = [_cited(rule) for rule in dict.fromkeys(disagreement.rules)]
    details += [f"{rule} says: {text}" for rule, text in zip(rules, said, strict=True)]
    if first is not None:
        more = len({(one.place, one.about) for one in witnesses}) - 1
        details.append(f"met on {first.about}{f', and on {more} more' if more else ''}")
    details += [
        f"{rule.id}, note: {rule.header.note}" for rule in dict.fromkeys(disagreement.rules) if rule.header.note
    ]
    message, hint = _MESSAGES[disagreement.basis]
    in_part = f"; {shown.partly}" if shown and shown.partly else ""
    return Finding(
        WARNING if disagreement.basis == UNDECIDED else INFO,
        _CODES[disagreement.basis],
        message.format(*against) + f" whether {said[0]}, or {said[1]}{in_part}",
        first.place if first else subject.rule_place(disagreement.rules[0]),
        hint,
        (*details, *(shown.compared if shown else ()), *(shown.says if shown else ())),
        shown.case if shown else "",
    )


def _rank(witness: Witness) -> tuple[str, ...]:
    """Return what to choose the witness by that is shown: where it stands, then anything that is always the same."""
    place, disagreement = witness.place, witness.disagreement
    where = (str(place.path), f"{place.line:9}") if place else ("", "")
    return (*where, *(rule.id for rule in disagreement.rules), *map(str, disagreement.facts))


_MESSAGES = {
    UNDECIDED: (
        "{0} against {1}: nothing in the text decides",
        "the answers are unsettled; if the text does decide, say so with exception-to or more-specific-than",
    ),
    SPECIFICITY: (
        "{0} prevails over {1} as the more specific, by our own judgement, on the question",
        "delete more-specific-than if you judge otherwise; the answer is then unsettled",
    ),
    EXCEPTION: ("{0} prevails over {1} as an exception to it, on the question", ""),
    LATER_ISSUE: ("{0} supersedes {1}, which was issued earlier, on the question", "cardlore diff shows what changed"),
    LATER_POINT: ("{0} prevails over {1}, which comes earlier in the chapter, on the question", ""),
    SOURCE_LANGUAGE: (
        "{0} contradicts {1}; decided by source language, on the question",
        "--edition LANGUAGE asks under the wording in one language",
    ),
}


def _cited(rule: Rule) -> str:
    header = rule.header
    return f"{rule.id} “{header.title}” ({header.source} {header.section}, {header.edition}; {rule.path})"
