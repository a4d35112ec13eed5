"""Conditions such as "have a …": is there at least one referent that meets the text, or could showing one meet it?"""

from __future__ import annotations

from dataclasses import dataclass

from reasoner.errors import TextError
from reasoner.operations.match import Match, Member, match
from reasoner.operations.scene import Referent, Scene
from reasoner.reference.answer import NO, NO_VALUE, UNSETTLED, WHEN, YES
from reasoner.reference.mentiongraph import NOWHERE, Context
from reasoner.terms.namespaces import core


@dataclass(frozen=True)
class ConditionAnswer:
    """`answer` is yes, no, no-value, unsettled or "when …"; showing any one of `reveals` would meet the condition.

    It is that of a disjunction over the referents: no-value where none meets the text, and some have no value for it.
    """

    answer: str
    reveals: tuple[Referent, ...]
    options: tuple[Member, ...]
    match: Match


def condition(scene: Scene, text: str, context: Context = NOWHERE) -> ConditionAnswer:
    """Return whether some referent of `scene` meets `text`.

    A "when" answer names the least that is missing; `reveals` lists the referents of which one must be shown.

    Raises:
        TextError: the text can't be read; T111 if it has several readings, T113 if it counts.
    """
    found = match(scene, text, context)
    if len(found.readings) > 1:
        raise TextError(
            "T111", f"'{text}' has {len(found.readings)} readings", hint="word the condition so that it has one"
        )
    for word in (word for mention in found.readings[0].reading.alternatives for word in mention.words):
        if core("NumberWord").value in word.can_denote:
            message = (
                f"'{word.spelling}' asks for a number of referents, and a condition asks only whether there is one"
            )
            raise TextError("T113", message, hint="leave the number out; how many are meant is not counted yet")
    members = tuple(found.readings[0].members)
    if any(member.answer.verdict == YES for member in members):
        return ConditionAnswer(YES, (), tuple(m for m in members if m.answer.verdict == YES), found)
    options = tuple(member for member in members if member.answer.verdict == WHEN)
    if options:
        fewest = min(len(member.answer.when) for member in options)
        options = tuple(member for member in options if len(member.answer.when) == fewest)
        shown = scene.base.vocabulary.label(core("Shown"))
        reveals = tuple(member.referent for member in options if shown in member.answer.when)
        texts = dict.fromkeys(" and ".join(member.answer.when) for member in options)
        return ConditionAnswer(f"when {' or '.join(texts)}", reveals, options, found)
    if any(member.answer.verdict == UNSETTLED for member in members):
        return ConditionAnswer(UNSETTLED, (), members, found)
    return ConditionAnswer(NO_VALUE if members else NO, (), members, found)
