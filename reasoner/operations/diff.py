"""What changes between two editions: every answer to a case's question, and every printed reference, that differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reasoner.engine.memo import Memo
from reasoner.errors import CardloreError, Place
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.asking import Asked, ask
from reasoner.operations.casefile import CaseFile, expectation_kind
from reasoner.operations.interactions import Interpreted, interpret_all
from reasoner.reference.answer import NO
from reasoner.situation.play import Play


@dataclass(frozen=True)
class Side:
    """An answer under one edition, with the rules that decide it."""

    answer: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Changed:
    """An answer that differs: where it was asked, what, about what, and both sides.

    `step` is the number of the case's step (from 0) that asks; None for a reference printed on a card.
    """

    where: str
    question: str
    subject: str
    before: Side
    after: Side
    place: Place | None
    case: CaseFile | None = field(default=None, compare=False, repr=False)
    step: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the change as plain data."""
        sides = {
            name: {"answer": side.answer, "rules": list(side.rules)}
            for name, side in (("before", self.before), ("after", self.after))
        }
        return {
            "where": self.where,
            "question": self.question,
            "subject": self.subject,
            **sides,
            "place": str(self.place) if self.place else None,
        }


@dataclass(frozen=True)
class Difference:
    """The answers that differ between the editions `before` and `after`, in the order of cases and cards.

    `wrong` is what is wrong with cases of the game whose questions were not asked: their files can't be read.
    """

    game: str
    before: str
    after: str
    changes: tuple[Changed, ...]
    asked: int
    wrong: tuple[CardloreError, ...] = ()


def diff(
    before: KnowledgeBase, after: KnowledgeBase, cases: Sequence[CaseFile], wrong: Sequence[CardloreError] = ()
) -> Difference:
    """Return every answer that differs between two editions of one game.

    The questions are those of all cases, whatever edition a case is bound to, and the printed references over the
    pool; `wrong` is what is wrong with further cases, which is told along. A question that an edition can't answer (a
    rule it needs is not there yet) is answered by its error's code.
    """
    changes: list[Changed] = []
    asked = 0
    for case in cases:
        memo = Memo(frozenset(before.base))  # most rules are the same in both editions, and so is what they read
        first, second = (dict(_asked(case, base, memo)) for base in (before, after))
        asked += len(first)
        for number in sorted({*first, *second}):
            step = case.steps[number]["expect"]
            changes += _compared(case.name, step.place(), first.get(number), second.get(number), case, number)
    pool, later = ({one.reference.iri: one for one in interpret_all(base)} for base in (before, after))
    asked += len(pool)
    for iri in sorted(pool, key=str):
        changes += _compared(
            before.card_names[pool[iri].reference.card.value],
            before.places.get(iri.value),
            _printed(pool[iri]),
            _printed(later[iri]),
        )
    return Difference(before.game, before.edition, after.edition, tuple(changes), asked, tuple(wrong))


def _asked(case: CaseFile, base: KnowledgeBase, memo: Memo | None = None) -> Iterable[tuple[int, Asked]]:
    try:
        play = Play(base, case.name, case.data["given"], case.data.get("cards"), case.place("cards"), memo=memo)
    except CardloreError:
        return
    for number, step in enumerate(case.steps):
        try:
            if "do" in step:
                play.do(step["do"])
            else:
                yield number, ask(step["expect"], play)
        except CardloreError as error:
            if "do" in step:
                return
            expect = step["expect"]
            kind = expectation_kind(expect)
            yield number, Asked(f"{kind} '{expect[kind]}'", {"error": error.code})


def _printed(one: Interpreted) -> Asked:
    question = f"match '{one.reference.wording}'"
    if one.error is not None:
        return Asked(question, {"error": one.error.code}, NO)
    answers: dict[str, str] = {}
    for number, reading in enumerate(one.readings, 1):
        for member in reading.members:
            name = member.referent.id if len(one.readings) == 1 else f"{member.referent.id} (reading {number})"
            answers[name] = "unsettled" if member.answer.alternatives else str(member.answer)
    rules = tuple(dict.fromkeys(rule.id for reading in one.readings for rule in reading.reading_rules))
    return Asked(question, answers, NO, rules)


def _compared(
    where: str,
    place: Place | None,
    first: Asked | None,
    second: Asked | None,
    case: CaseFile | None = None,
    step: int | None = None,
) -> list[Changed]:
    known = first or second
    if known is None:
        return []
    one, other = first or Asked(known.question, {}, known.default), second or Asked(known.question, {}, known.default)
    found = []
    for subject in sorted({*one.answers, *other.answers}):
        sides = [Side(asked.answers.get(subject, asked.default), asked.rules) for asked in (one, other)]
        if sides[0].answer != sides[1].answer:
            found.append(Changed(where, known.question, subject, sides[0], sides[1], place, case, step))
    return found
