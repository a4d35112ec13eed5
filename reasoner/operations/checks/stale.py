"""Rulings that outlive the rules they cite: a rule that was issued later has set those aside in the case's answers.

| the case                                  | finding                                                             |
| ----------------------------------------- | ------------------------------------------------------------------- |
| is played under rules that set all aside  | a warning: what it cites decides nothing in it any more             |
| as above, and cites the later rule too    | none: the case shows the change                                     |
| is bound to an edition before the later   | information: true of that edition, and superseded since             |

Of a citation that covers several rules (`game:A` covers `game:A.part`) one that still decides is enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from reasoner.engine.rule import Rule
from reasoner.errors import Place
from reasoner.knowledge.base import LATEST
from reasoner.operations.cases import CaseResult, cited, run_case
from reasoner.operations.checks.candidates import LATER_ISSUE
from reasoner.operations.checks.findings import INFO, WARNING, Finding
from reasoner.operations.checks.subject import Subject


def stale_cases(subject: Subject) -> Iterator[Finding]:
    """Yield the cases that cite what a later rule supersedes."""
    for result in subject.cases:
        case, lost = result.case, _superseded(result)
        for index, cite in enumerate(case.cites):
            by = next((lost[name] for name in sorted(cited(cite, lost))), None)
            if by and not cited(cite, _deciding(result)) and not any(cited(one, [by.id]) for one in case.cites):
                yield Finding(
                    WARNING,
                    "K505",
                    f"the case “{case.title}” cites {cite}, which decides nothing in it: {_by(by)} supersedes it",
                    _place(result, index),
                    "cite the later rule, or say with as-of of which earlier edition the case speaks",
                )
        if case.as_of is not None and subject.base.edition == LATEST:
            yield from _since(result, subject)


def _since(result: CaseResult, subject: Subject) -> Iterator[Finding]:
    """Yield what has been superseded since the edition that the case is bound to."""
    case = result.case
    lost = _superseded(run_case(case, subject.base))
    decided = _deciding(result)
    for index, cite in enumerate(case.cites):
        for name in sorted(cited(cite, lost) & decided):
            yield Finding(
                INFO,
                "K506",
                f"the case “{case.title}” speaks as of {case.as_of}; {_by(lost[name])} has superseded {name} since",
                _place(result, index),
                f"cardlore diff {case.game} {case.as_of} {lost[name].header.edition} shows what changed",
            )


def _superseded(result: CaseResult) -> dict[str, Rule]:
    """Return the rules that a later one sets aside somewhere in the case, by id, with that later rule."""
    return {
        defeat.loser.rule.id: defeat.winner.rule
        for conflict, _ in result.conflicts
        for defeat in conflict.defeats
        if defeat.basis == LATER_ISSUE
    }


def _deciding(result: CaseResult) -> set[str]:
    """Return the rules on which an answer or a fact of the case rests."""
    moments = result.play.moments if result.play else []
    branches = (branch for moment in moments for branch in moment.inference.branches)
    return result.decisive | {support.rule.id for branch in branches for support in branch.supports.values()}


def _by(rule: Rule) -> str:
    return f"{rule.id} ({rule.header.edition})"


def _place(result: CaseResult, index: int) -> Place:
    place: Place = result.case.data["cites"].place(index)
    return place
