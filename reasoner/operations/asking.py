"""Questions of a case: what an `expect:` asks, answered at the present moment of a situation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import pyoxigraph as ox

from reasoner.engine.precedence import Conflict
from reasoner.errors import CaseError, TextError, UseError, close_to
from reasoner.knowledge import yamlfile
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.behind import NOTHING_BEHIND, Behind, behind_characteristics, behind_match, behind_value
from reasoner.operations.casefile import expectation_kind
from reasoner.operations.condition import condition
from reasoner.operations.context import antecedent_in, context_in
from reasoner.operations.explain import explain_value
from reasoner.operations.happening import listed, seats, took_effect, triggered
from reasoner.operations.match import Match, match
from reasoner.operations.scene import Scene, moment_scene
from reasoner.operations.textroles import NO_REFERENCE, roles_in
from reasoner.operations.value import value
from reasoner.reference.answer import NO, UNSETTLED, YES, Answer
from reasoner.reference.interpret import Reference
from reasoner.reference.mentiongraph import NOWHERE, Context
from reasoner.situation.play import Play
from reasoner.terms.namespaces import core

ERROR, NONE = "error", "none"
_STATE = core("isInState").value
Found = TypeVar("Found")


@dataclass(frozen=True)
class Asked:
    """The answers to one question: by subject, in words; `default` is that of subjects not listed.

    `rules` are the rules that decide how the text is read; `fired` all that had a part in reading it, or in the value
    asked for; `behind` gives all that are behind the answers, which takes a while; `context` is where the text stands.
    """

    question: str
    answers: Mapping[str, str]
    default: str = NONE
    rules: tuple[str, ...] = ()
    fired: frozenset[str] = frozenset()
    conflicts: tuple[Conflict, ...] = ()
    context: Context = NOWHERE
    readings: int = 1
    behind: Behind = NOTHING_BEHIND


def ask(expect: yamlfile.Mapping, play: Play) -> Asked:
    """Return the answers to what `expect` asks. A text that can't be read is an answer too: its error code.

    Raises:
        CaseError: C104 the question names what is not there, C109 the text has several readings.
        TextError: the text can't be read, and the question does not expect an error.
    """
    try:
        return _ASKERS[expectation_kind(expect)](expect, play)
    except TextError as error:
        if ERROR not in expect:
            place = expect.place(expectation_kind(expect))
            raise type(error)(
                error.code, error.message, place=place, hint=error.hint, suggestions=error.suggestions
            ) from None
        return Asked(_question(expect), {ERROR: error.code})


def context_of(expect: yamlfile.Mapping, scene: Scene, text: str) -> Context:
    """Return the context that `expect` gives the `text` it asks about.

    Raises:
        CaseError: C104 an unknown object, or an antecedent that nothing referred to.
    """
    on, antecedent = (None if expect.get(key) is None else str(expect[key]) for key in ("on", "antecedent"))
    if on is not None:
        _find(scene.called, expect, "on")
    if antecedent is not None:
        _find(partial(antecedent_in, scene), expect, "antecedent")
    return context_in(scene, text, on, antecedent)


def _find(find: Callable[[str], Found], expect: yamlfile.Mapping, key: str) -> Found:
    """Return what `find` finds by the name under `key`.

    Raises:
        CaseError: C103 there is none, C104 if it finds nothing.
    """
    if expect.get(key) is None:
        asked = next(iter(expect), "expect")
        hint = f"name one that there is, such as {{{asked}: …, {key}: ID}}"
        raise CaseError("C103", f"'{asked}' needs '{key}'", place=expect.place(), hint=hint)
    try:
        return find(str(expect[key]))
    except UseError as error:
        raise CaseError(
            "C104", error.message, place=expect.place(key), suggestions=error.suggestions, hint=error.hint
        ) from None


def _ask_match(expect: yamlfile.Mapping, play: Play) -> Asked:
    text = str(expect["match"])
    scene = moment_scene(play.base, play.now)
    context = context_of(expect, scene, text)
    found = match(scene, text, context)
    number = expect.get("reading", 1)
    if "reading" not in expect and len(found.readings) > 1:
        words = "; ".join(f"{index}: {one.words}" for index, one in enumerate(found.readings, 1))
        message = f"'{text}' has {len(found.readings)} readings ({words})"
        raise CaseError("C109", message, place=expect.place("match"), hint="say which with reading: N")
    if not isinstance(number, int) or not 1 <= number <= len(found.readings):
        raise CaseError("C109", f"'{text}' has no reading {number}", place=expect.place("reading"))
    reading = found.readings[number - 1]
    answers = {member.referent.id: _plain(member.answer) for member in reading.members}
    rules = tuple(rule.id for rule in reading.reading_rules)
    fired, conflicts = _behind_match(found)
    behind = behind_match(scene, text, reading, tuple(play.moments))
    return Asked(_question(expect), answers, NO, rules, fired, conflicts, context, len(found.readings), behind)


def _ask_condition(expect: yamlfile.Mapping, play: Play) -> Asked:
    text = str(expect["condition"])
    scene = moment_scene(play.base, play.now)
    context = context_of(expect, scene, text)
    if "of" in expect:
        return _ask_state(expect, text, scene, play)
    found = condition(scene, text, context)
    rules = tuple(rule.id for reading in found.match.readings for rule in reading.reading_rules)
    fired, conflicts = _behind_match(found.match)
    answers = {"answer": found.answer, "reveals": listed([one.id for one in found.reveals])}
    behind = behind_match(scene, text, found.match.readings[0], tuple(play.moments))
    return Asked(_question(expect), answers, NONE, rules, fired, conflicts, context, behind=behind)


def _ask_value(expect: yamlfile.Mapping, play: Play) -> Asked:
    text = str(expect["value"])
    scene = moment_scene(play.base, play.now)
    who = _find(scene.called, expect, "of")
    context = context_of(expect, scene, text)
    found = value(scene, text, who, context)
    references = [one.reference for one in found.worths if one.reference]
    rules = tuple(rule.id for rule in found.rules)
    proofs = [proof for one in found.worths for proof in (one.meaning, one.proof) if proof]
    fired = frozenset(rule.id for proof in proofs for rule in proof.rules()) | _in_conflict(references)
    conflicts = tuple(conflict for one in references for conflict in one.conflicts)
    behind = behind_value(partial(explain_value, scene, text, who, context), who.iri, tuple(play.moments))
    answers = {"value": found.answer, **seats(found, play)}
    return Asked(_question(expect), answers, NONE, rules, fired, conflicts, context, behind=behind)


def _ask_state(expect: yamlfile.Mapping, text: str, scene: Scene, play: Play) -> Asked:
    """Return whether a player is in the state that `text` names."""
    player = _find(scene.called, expect, "of")
    states = play.base.vocabulary.labelled(core("PlayerState"))
    if text not in states:
        hint = f"states of players: {', '.join(sorted(states)) or 'none'}"
        message = f"no state of players is called '{text}'"
        raise CaseError("C104", message, place=expect.place("condition"), suggestions=close_to(text, states), hint=hint)
    rules: set[str] = set()
    found = set()
    for stage in scene.stages:
        facts = [fact for fact in stage.view.facts_of(player.iri, _STATE) if fact.object in states[text]]
        found.add(YES if facts else NO)
        if stage.branch is not None:
            rules |= {stage.branch.supports[fact].rule.id for fact in facts if fact in stage.branch.supports}
    answer = found.pop() if len(found) == 1 else UNSETTLED
    behind = behind_characteristics(scene, player.iri, [ox.NamedNode(_STATE)], tuple(play.moments))
    answers = {"answer": answer, "reveals": listed(None)}
    return Asked(_question(expect), answers, NONE, tuple(sorted(rules)), behind=behind)


def _ask_triggers(expect: yamlfile.Mapping, play: Play) -> Asked:
    answers, rules = triggered(play)
    return Asked(_question(expect), answers, "[]", rules)


def _ask_effect(expect: yamlfile.Mapping, play: Play) -> Asked:
    return Asked(_question(expect), {"takes effect": took_effect(play)})


def _ask_text(expect: yamlfile.Mapping, play: Play) -> Asked:
    language = None if expect.get("lang") is None else str(expect["lang"])
    answers, rules = roles_in(str(expect["text"]), play.base, language)
    return Asked(_question(expect), answers, NO_REFERENCE, rules, frozenset(rules))


def _ask_characteristics(expect: yamlfile.Mapping, play: Play) -> Asked:
    one = _find(moment_scene(play.base, play.now).called, expect, "characteristics")
    fields = characteristic_fields(play.base)
    answers = {}
    for key in expect:
        if key == "characteristics":
            continue
        if key not in fields:
            raise CaseError(
                "C104",
                f"unknown characteristic '{key}'",
                place=expect.place(key),
                suggestions=close_to(key, fields),
                hint=f"known: {', '.join(sorted(fields))}",
            )
        views = play.now.views
        found = {
            listed([_text(fact.object, play) for fact in view.facts_of(one.iri, fields[key].value)]) for view in views
        }
        answers[key] = found.pop() if len(found) == 1 else UNSETTLED
    asked, moments = [fields[key] for key in answers], tuple(play.moments)
    behind = behind_characteristics(moment_scene(play.base, play.now), one.iri, asked, moments)
    return Asked(_question(expect), answers, behind=behind)


def _behind_match(found: Match) -> tuple[frozenset[str], tuple[Conflict, ...]]:
    references = [reference for reading in found.readings for reference in reading.references]
    read_by = {rule.id for reference in references for one in reference.interpretations for rule in one.rules}
    return frozenset(read_by) | _in_conflict(references), tuple(
        c for reference in references for c in reference.conflicts
    )


def _in_conflict(references: Iterable[Reference]) -> frozenset[str]:
    return frozenset(name for one in references for conflict in one.conflicts for name in conflict.rules)


def _question(expect: yamlfile.Mapping) -> str:
    kind = expectation_kind(expect)
    if kind in ("triggers", "takes effect"):
        return kind
    parts = [f"{kind} '{expect[kind]}'"] + [
        f"{key} {expect[key]}" for key in ("of", "on", "antecedent", "reading") if key in expect
    ]
    return ", ".join(parts)


def _plain(answer: Answer) -> str:
    return UNSETTLED if answer.alternatives else str(answer)


def characteristic_fields(base: KnowledgeBase) -> dict[str, ox.NamedNode]:
    """Return the effective characteristics by what a case calls them: as card files do, or by a name of their own."""
    vocabulary = base.vocabulary
    found = {str(key.value): iri for iri, key in vocabulary.pairs(core("caseField")) if isinstance(key, ox.Literal)}
    for key, printed in vocabulary.card_fields.items():
        becomes = vocabulary.first(printed, core("becomes"))
        if isinstance(becomes, ox.NamedNode):
            found[key] = becomes
    return found


def _text(value: Any, play: Play) -> str:
    players = {iri: name for name, iri in play.players.items()}
    if value in players:
        return players[value]
    return (
        play.base.vocabulary.label(value, play.base.language.code)
        if isinstance(value, ox.NamedNode)
        else str(value.value)
    )


_ASKERS: dict[str, Callable[[yamlfile.Mapping, Play], Asked]] = {
    "match": _ask_match,
    "condition": _ask_condition,
    "value": _ask_value,
    "characteristics": _ask_characteristics,
    "triggers": _ask_triggers,
    "takes effect": _ask_effect,
    "text": _ask_text,
}
