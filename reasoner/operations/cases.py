"""Rulings as tests: play a case, compare every answer with what it expects, both ways."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from reasoner.effects.sections import effect_rules
from reasoner.engine.precedence import Conflict
from reasoner.errors import CardloreError, CaseError, Place, close_to
from reasoner.knowledge.base import LATEST, KnowledgeBase, open_base
from reasoner.knowledge.yamlfile import Mapping
from reasoner.operations.asking import ERROR, Asked, ask, context_of
from reasoner.operations.behind import Behind
from reasoner.operations.casefile import CaseFile, expectation_kind
from reasoner.operations.happening import expected_seats, expected_triggers, listed
from reasoner.operations.textroles import expected_roles
from reasoner.reference.answer import NO, UNSETTLED
from reasoner.situation.play import Play


@dataclass(frozen=True)
class Difference:
    """One answer that is not as expected: what was asked, about what, and both answers."""

    place: Place
    question: str
    subject: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.place}: {self.question}: {self.subject}: expected {self.expected}, found {self.found}"


@dataclass
class CaseResult:
    """How a case went: the differences, the rules that fired, and the conflicts between rules it met.

    `decisive` are the rules by which the questions were read; `behind` gives, for each, the rules behind its answers;
    `asked` are the questions with their answers, each with the number of events before it.
    """

    case: CaseFile
    differences: list[Difference] = field(default_factory=list)
    error: CardloreError | None = None
    fired: set[str] = field(default_factory=set)
    conflicts: list[tuple[Conflict, Place]] = field(default_factory=list)
    decisive: set[str] = field(default_factory=set)
    behind: list[Behind] = field(default_factory=list)
    asked: list[tuple[int, Asked]] = field(default_factory=list)
    expectations: int = 0
    play: Play | None = None

    @property
    def passed(self) -> bool:
        return self.error is None and not self.differences


def run_case(case: CaseFile, base: KnowledgeBase) -> CaseResult:
    """Play `case` and return how its answers compare; an error in the case ends it and is kept in the result."""
    result = CaseResult(case)
    try:
        result.play = play = Play(base, case.name, case.data["given"], case.data.get("cards"), case.place("cards"))
        _note_state(play, case.place("given"), result)
        for step in case.steps:
            if "do" in step:
                play.do(step["do"])
                _note_state(play, step.place("do"), result)
            else:
                check_expectation(step["expect"], play, result)
        if not result.expectations:
            raise CaseError("C103", "the case expects nothing", place=case.place("steps"))
        _check_cites(case, base, result)
    except CardloreError as error:
        result.error = error
    return result


def check_expectation(expect: Mapping, play: Play, result: CaseResult) -> None:
    """Compare one `expect:` with what holds now in `play`; differences and the rules that fired go to `result`.

    Raises:
        CaseError: the expectation names what is not there.
        TextError: its text can't be read, and no error was expected.
    """
    result.expectations += 1
    asked = ask(expect, play)
    result.asked.append((len(play.moments) - 1, asked))
    result.fired |= asked.fired | set(asked.rules)
    result.decisive |= set(asked.rules)
    result.behind.append(asked.behind)
    result.conflicts += [(conflict, expect.place()) for conflict in asked.conflicts]
    for subject, wanted, place in _expected(expect, asked, play):
        found = asked.answers.get(subject, asked.default)
        if wanted != found:
            result.differences.append(Difference(place, asked.question, subject, wanted, found))
    for subject, wanted, found in _also_expected(expect, asked):
        if wanted != found:
            result.differences.append(Difference(expect.place(), asked.question, subject, wanted, found))


def base_of(case: CaseFile, base: KnowledgeBase) -> KnowledgeBase:
    """Return the knowledge base under whose edition `case` is to be played: its own date where `base` has none."""
    own = case.as_of and base.edition == LATEST
    return open_base(base.library, base.game, case.as_of, base.pool) if own else base


def play_until(case: CaseFile, base: KnowledgeBase, moment: int | None = None) -> Play:
    """Return the situation of `case` after all its events, or after the first `moment` of them.

    Raises:
        CaseError: C108 if the case has fewer moments.
    """
    play = Play(base, case.name, case.data["given"], case.data.get("cards"), case.place("cards"))
    for step in case.steps:
        if "do" in step and (moment is None or len(play.moments) <= moment):
            play.do(step["do"])
    if moment is not None and not 0 <= moment < len(play.moments):
        raise CaseError(
            "C108",
            f"there is no moment {moment}",
            place=case.place("steps"),
            hint=f"moments: 0 to {len(play.moments) - 1}",
        )
    return play


def _note_state(play: Play, place: Place, result: CaseResult) -> None:
    for branch in play.now.inference.branches:
        result.fired |= {support.rule.id for support in branch.supports.values()}
    result.fired |= play.event_rules
    for conflict in play.now.inference.conflicts:
        result.fired |= set(conflict.rules)
        result.conflicts.append((conflict, place))


def _expected(expect: Mapping, asked: Asked, play: Play) -> list[tuple[str, str, Place]]:
    """Return (subject, expected answer, place) for everything an expectation says, and for every answer it omits."""
    kind = expectation_kind(expect)
    if ERROR in expect:
        return [(ERROR, str(expect[ERROR]), expect.place(ERROR))]
    if kind == "match":
        return _expected_members(expect, asked, play)
    if kind == "condition":
        answer = _wanted(expect["answer"], expect.place("answer"))
        return [
            ("answer", answer, expect.place("answer")),
            ("reveals", listed(expect.get("reveals")), expect.place("reveals")),
        ]
    if kind == "value":
        return [("value", str(expect["is"]), expect.place("is")), *expected_seats(expect, asked.answers)]
    if kind == "triggers":
        return expected_triggers(expect, asked.answers)
    if kind == "text":
        return expected_roles(expect, asked.answers)
    if kind == "takes effect":
        return [(kind, _wanted(expect[kind], expect.place(kind)), expect.place(kind))]
    fields = [key for key in expect if key != kind]
    return [
        (key, expect[key] if expect[key] == UNSETTLED else listed(expect[key]), expect.place(key)) for key in fields
    ]


def _expected_members(expect: Mapping, asked: Asked, play: Play) -> list[tuple[str, str, Place]]:
    members = expect["members"]
    if not isinstance(members, Mapping):
        raise CaseError("C103", "'members' maps ids to answers; {} for none", place=expect.place("members"))
    ids = {one.piece for one in play.now.objects}
    for name in members:
        if name not in ids:
            raise CaseError(
                "C104", f"unknown object '{name}'", place=members.place(name), suggestions=close_to(name, ids)
            )
    names = sorted({*members, *asked.answers})
    return [(name, _wanted(members.get(name, NO), members.place(name)), members.place(name)) for name in names]


def _also_expected(expect: Mapping, asked: Asked) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    if ERROR in expect:
        return found
    if "readings" in expect:
        found.append(("number of readings", str(expect["readings"]), str(asked.readings)))
    if "by" in expect:
        found.append(("decided by", ", ".join(sorted(map(str, expect["by"]))), ", ".join(asked.rules)))
    return found


def _wanted(value: Any, place: Place) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    if text.split(" ", 1)[0] not in ("yes", "no", "when", "no-value", "unsettled"):
        raise CaseError(
            "C103", f"'{text}' is no answer", place=place, hint="yes, no, when CONDITION, no-value or unsettled"
        )
    return text


def cited(cite: str, rules: Iterable[str]) -> set[str]:
    """Return which of `rules` a case means that cites `cite`: the rule of that id, and its parts."""
    return {name for name in rules if name == cite or name.startswith(f"{cite}.")}


def _check_cites(case: CaseFile, base: KnowledgeBase, result: CaseResult) -> None:
    known = {rule.id for rule in base.programs.rules} | effect_rules(base)
    found = {*result.decisive, *(name for conflict, _ in result.conflicts for name in conflict.rules)}
    parts = [*(behind.given for behind in result.behind), *(behind.lacking for behind in result.behind)]
    ways = (one for part in parts for one in part())
    for cite in case.cites:
        covered = cited(cite, known)
        if not covered:
            raise CaseError(
                "C107", f"unknown rule '{cite}' in cites", place=case.place("cites"), suggestions=close_to(cite, known)
            )
        while not covered & found and (more := next(ways, None)) is not None:
            found |= more
        if not covered & found:
            raise CaseError(
                "C107",
                f"the case cites '{cite}', but no rule of it is behind any answer",
                place=case.place("cites"),
                hint="ask what depends on the rule, or leave it out; cardlore explain tells the rules behind an answer",
            )


__all__ = ["CaseResult", "Difference", "base_of", "check_expectation", "cited", "context_of", "play_until", "run_case"]
