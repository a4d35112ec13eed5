"""Rules that disagree: every conflict met while printed references are interpreted and cases are played.

| what decides                            | finding                                                     |
| --------------------------------------- | ----------------------------------------------------------- |
| nothing                                 | a warning: an open question of the rule text                |
| `more-specific-than`, our own judgement | information: which rule won                                 |
| `exception-to`, said by the text        | information, if the two rules are of different clauses      |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pyoxigraph as ox

from reasoner.engine.precedence import Conflict
from reasoner.engine.rule import Rule
from reasoner.errors import Place, TextError
from reasoner.language.grammar import read
from reasoner.operations.cases import CaseResult
from reasoner.operations.checks.findings import INFO, WARNING, Finding
from reasoner.operations.checks.subject import Subject
from reasoner.reference.mentiongraph import NOWHERE, MentionGraph, describe
from reasoner.reference.wording import NameOf, say_fact

UNDECIDED, SPECIFICITY, EXCEPTION = "undecided", "specificity", "exception"
LATER_ISSUE, LATER_POINT = "later issue", "later point"
_CODES = {UNDECIDED: "K401", SPECIFICITY: "K402", EXCEPTION: "K403", LATER_ISSUE: "K404", LATER_POINT: "K405"}


@dataclass(frozen=True)
class Disagreement:
    """Two rules whose conclusions exclude each other; where one prevails, it is the first, and `basis` says why."""

    basis: str
    rules: tuple[Rule, Rule]
    facts: tuple[ox.Triple, ox.Triple]

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two disagreements the same one: the rules where nothing decides, else their clauses."""
        first, second = self.rules
        if self.basis == UNDECIDED:
            return self.basis, first.id, second.id
        return self.basis, first.header.clause, second.header.clause


@dataclass(frozen=True)
class Witness:
    """A disagreement as it was met: `about` tells the question, `names` how to call what the conclusions are about."""

    disagreement: Disagreement
    place: Place | None
    about: str
    names: dict[str, str]


def contradictions(subject: Subject) -> Iterator[Finding]:
    """Yield each disagreement between two rules (or, where one prevails, two clauses) once, with what it was met on."""
    met: dict[tuple[str, str, str], list[Witness]] = {}
    for witness in _witnesses(subject):
        met.setdefault(witness.disagreement.key, []).append(witness)
    for witnesses in met.values():
        yield _finding(witnesses, subject)


def disagreements(conflict: Conflict) -> Iterator[Disagreement]:
    """Yield every pair of rules of `conflict` that disagree, exceptions within one clause left out."""
    facts = [fact for fact in conflict.supports if any(fact in option for option in conflict.options)]
    for pair in combinations(facts, 2):
        if not any(pair[0] in option and pair[1] in option for option in conflict.options):
            for one in conflict.supports[pair[0]]:
                for other in conflict.supports[pair[1]]:
                    sides = sorted(
                        [(one.rule, pair[0]), (other.rule, pair[1])], key=lambda side: (side[0].id, str(side[1]))
                    )
                    yield Disagreement(UNDECIDED, (sides[0][0], sides[1][0]), (sides[0][1], sides[1][1]))
    for defeat in conflict.defeats:
        winner, loser = defeat.winner.rule, defeat.loser.rule
        if winner.header.clause != loser.header.clause:
            yield Disagreement(defeat.basis, (winner, loser), (defeat.instead, defeat.fact))


# --- where they were met


def _witnesses(subject: Subject) -> Iterator[Witness]:
    for one in subject.interpreted:
        iri = one.reference.iri.value
        for reading in one.readings:
            names = _words(reading.references[0].graph, one.reference.wording)
            yield from _met(reading.conflicts, subject.place(iri), subject.name(iri), names)
    for result in subject.cases:
        objects = _objects(result)
        for conflict, place in result.conflicts:
            text = _text_at(result, place)
            names = objects | (_words_of(text, subject) if text else {})
            about = f"{f'“{text}” in ' if text else ''}the case “{result.case.title}”"
            yield from _met([conflict], place, about, names)


def _met(conflicts: Iterable[Conflict], place: Place | None, about: str, names: dict[str, str]) -> Iterator[Witness]:
    for conflict in conflicts:
        for disagreement in dict.fromkeys(disagreements(conflict)):
            yield Witness(disagreement, place, about, names)


def _objects(result: CaseResult) -> dict[str, str]:
    moments = result.play.moments if result.play else []
    return {one.iri.value: one.piece for moment in moments for one in moment.state.objects}


def _text_at(result: CaseResult, place: Place) -> str:
    """Return the text that the expectation at `place` asks about; "" where that is no expectation about a text."""
    expected: list[Any] = [step["expect"] for step in result.case.steps if "expect" in step]
    asked = [str(one.get("match") or one.get("condition") or "") for one in expected if one.place() == place]
    return asked[0] if asked else ""


def _words_of(text: str, subject: Subject) -> dict[str, str]:
    try:
        readings = read(text, subject.base.lexicon, subject.base.language)
    except TextError:
        return {}
    return _words(describe(readings[0], NOWHERE, subject.base.iri), text)


def _words(described: MentionGraph, text: str) -> dict[str, str]:
    names = {}
    for node, _, words in described.mentions:
        names[node.value] = f"“{text}”"
        names.update({word_node.value: f"“{word.spelling}”" for word_node, word in words})
    return names


# --- what is said of them


def _finding(witnesses: list[Witness], subject: Subject) -> Finding:
    first = min(witnesses, key=_rank)
    disagreement = first.disagreement
    name = NameOf(subject.base.vocabulary, subject.base.language.code, subject.base.card_names | first.names)
    said = [say_fact(fact, subject.base.vocabulary, subject.base.language.code, name) for fact in disagreement.facts]
    rules = [rule.id for rule in disagreement.rules]
    against = rules if rules[0] != rules[1] else [rules[0], "itself"]
    details = [_cited(rule) for rule in dict.fromkeys(disagreement.rules)]
    details += [f"{rule} says: {text}" for rule, text in zip(rules, said, strict=True)]
    more = len({(one.place, one.about) for one in witnesses}) - 1
    details.append(f"met on {first.about}{f', and on {more} more' if more else ''}")
    details += [
        f"{rule.id}, note: {rule.header.note}" for rule in dict.fromkeys(disagreement.rules) if rule.header.note
    ]
    message, hint = _MESSAGES[disagreement.basis]
    return Finding(
        WARNING if disagreement.basis == UNDECIDED else INFO,
        _CODES[disagreement.basis],
        message.format(*against) + f" whether {said[0]}, or {said[1]}",
        first.place,
        hint,
        tuple(details),
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
}


def _cited(rule: Rule) -> str:
    header = rule.header
    return f"{rule.id} “{header.title}” ({header.source} {header.section}, {header.edition}; {rule.path})"
