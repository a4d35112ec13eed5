"""Rulings as tests: play a case, compare every answer with what it expects, both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyoxigraph as ox

from reasoner.engine.precedence import Conflict
from reasoner.errors import CardloreError, CaseError, Place, TextError, close_to
from reasoner.knowledge.base import LATEST, KnowledgeBase, open_base
from reasoner.knowledge.yamlfile import Mapping
from reasoner.operations.casefile import CaseFile, expectation_kind
from reasoner.operations.condition import condition
from reasoner.operations.match import Match, match
from reasoner.operations.scene import Scene, moment_scene
from reasoner.operations.value import value
from reasoner.reference.answer import NO, Answer
from reasoner.reference.mentiongraph import Context
from reasoner.situation.play import Play
from reasoner.terms.namespaces import core


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
    """How a case went: the differences, the rules that fired, and the conflicts between rules it met."""

    case: CaseFile
    differences: list[Difference] = field(default_factory=list)
    error: CardloreError | None = None
    fired: set[str] = field(default_factory=set)
    conflicts: list[tuple[Conflict, Place]] = field(default_factory=list)
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
    _CHECKS[expectation_kind(expect)](expect, play, result)


def base_of(case: CaseFile, base: KnowledgeBase) -> KnowledgeBase:
    """Return the knowledge base under whose edition `case` is to be played: its own date where `base` has none."""
    return open_base(base.library, base.game, case.as_of) if case.as_of and base.edition == LATEST else base


def play_until(case: CaseFile, base: KnowledgeBase, moment: int | None = None) -> Play:
    """Return the situation of `case` after all its events, or after the first `moment` of them.

    Raises:
        CaseError: C108 if the case has fewer moments.
    """
    play = Play(base, case.name, case.data["given"], case.data.get("cards"), case.place("cards"))
    for step in case.steps:
        if "do" in step and (moment is None or len(play.moments) <= moment):
            play.do(step["do"])
    if moment is not None and moment >= len(play.moments):
        raise CaseError("C108", f"there is no moment {moment}", place=case.place("steps"), hint=f"moments: 0 to {len(play.moments) - 1}")
    return play


def context_of(on: Any, antecedent: Any, play: Play, text: str, where: Callable[[str], Place]) -> Context:
    """Return the context of a text that stands `on` an object; a text it has by copying is linked to its ability.

    Raises:
        CaseError: C104 an unknown object, or an antecedent that nothing referred to.
    """
    state = play.now.state
    bearer = ability = None
    if on is not None:
        one = state.find(str(on))
        if one is None:
            raise CaseError("C104", f"unknown object '{on}'", place=where("on"), suggestions=close_to(str(on), [o.piece for o in state.current]))
        bearer = one.iri
        ability = _ability_with(text, one.iri, one.card, play)
    spoken = None
    if antecedent is not None:
        spoken = dict(state.remembered).get(str(antecedent))
        if spoken is None:
            names = [name for name, _ in state.remembered]
            raise CaseError("C104", f"nothing was referred to as '{antecedent}'", place=where("antecedent"), suggestions=close_to(str(antecedent), names), hint="say so with  do: {refer to: ID, as: NAME}")
    return Context(bearer, ability, spoken)


def _ability_with(text: str, bearer: ox.NamedNode, card: ox.NamedNode, play: Play) -> ox.NamedNode | None:
    copied = [
        fact.object
        for effect in play.now.state.effects
        if any(f.predicate == core("affects") and f.object == bearer for f in effect.facts)
        for fact in effect.facts
        if fact.predicate == core("copiesAbility")
    ]
    graph = play.base.base[-1]
    printed = [quad.object for quad in play.store.quads_for_pattern(card, core("hasAbility"), None, graph)]
    wording = ox.Literal(text)
    for ability in (*copied, *printed):
        for quad in play.store.quads_for_pattern(None, core("isReferenceOf"), ability, graph):  # type: ignore[arg-type]
            if ox.Quad(quad.subject, core("hasWording"), wording, graph) in play.store and isinstance(ability, ox.NamedNode):
                return ability
    return None


def _note_state(play: Play, place: Place, result: CaseResult) -> None:
    for branch in play.now.inference.branches:
        result.fired |= {support.rule.id for support in branch.supports.values()}
    for conflict in play.now.inference.conflicts:
        result.fired |= set(conflict.rules)
        result.conflicts.append((conflict, place))


def _note_match(found: Match, place: Place, result: CaseResult) -> None:
    for reading in found.readings:
        for reference in reading.references:
            result.fired |= {rule.id for one in reference.interpretations for rule in one.rules}
            for conflict in reference.conflicts:
                result.fired |= set(conflict.rules)
                result.conflicts.append((conflict, place))


def _check_match(expect: Mapping, play: Play, result: CaseResult) -> None:
    text = str(expect["match"])
    scene = moment_scene(play.base, play.now)
    context = context_of(expect.get("on"), expect.get("antecedent"), play, text, expect.place)
    try:
        found = match(scene, text, context)
    except TextError as error:
        _compare_error(expect, text, error, result)
        return
    if "error" in expect:
        _compare(result, expect, text, "error", str(expect["error"]), "none")
        return
    _note_match(found, expect.place(), result)
    number = expect.get("reading", 1)
    if "reading" not in expect and len(found.readings) > 1:
        words = "; ".join(f"{index}: {one.words}" for index, one in enumerate(found.readings, 1))
        raise CaseError("C109", f"'{text}' has {len(found.readings)} readings ({words})", place=expect.place("match"), hint="say which with reading: N")
    if "readings" in expect:
        _compare(result, expect, text, "number of readings", str(expect["readings"]), str(len(found.readings)))
    if not isinstance(number, int) or not 1 <= number <= len(found.readings):
        raise CaseError("C109", f"'{text}' has no reading {number}", place=expect.place("reading"))
    reading = found.readings[number - 1]
    answers = {member.referent.id: str(_plain(member.answer)) for member in reading.members}
    _compare_members(result, expect, text, scene, answers)
    if "by" in expect:
        _compare(result, expect, text, "decided by", ", ".join(sorted(map(str, expect["by"]))), ", ".join(rule.id for rule in reading.reading_rules))


def _compare_members(result: CaseResult, expect: Mapping, text: str, scene: Scene, answers: dict[str, str]) -> None:
    members = expect["members"]
    if not isinstance(members, Mapping):
        raise CaseError("C103", "'members' maps ids to answers; {} for none", place=expect.place("members"))
    ids = {one.id for one in scene.referents}
    for name in members:
        if name not in ids:
            raise CaseError("C104", f"unknown object '{name}'", place=members.place(name), suggestions=close_to(name, ids))
    for name in sorted({*members, *answers}):
        wanted = _wanted(members.get(name, NO), members.place(name))
        if wanted != answers.get(name, NO):
            result.differences.append(Difference(members.place(name), f"match '{text}'", name, wanted, answers.get(name, NO)))


def _wanted(value: Any, place: Place) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    if text.split(" ", 1)[0] not in ("yes", "no", "when", "no-value", "unsettled"):
        raise CaseError("C103", f"'{text}' is no answer", place=place, hint="yes, no, when CONDITION, no-value or unsettled")
    return text


def _plain(answer: Answer) -> str:
    return "unsettled" if answer.alternatives else str(answer)


def _check_condition(expect: Mapping, play: Play, result: CaseResult) -> None:
    text = str(expect["condition"])
    context = context_of(expect.get("on"), expect.get("antecedent"), play, text, expect.place)
    found = condition(moment_scene(play.base, play.now), text, context)
    _note_match(found.match, expect.place(), result)
    _compare(result, expect, text, "answer", _wanted(expect["answer"], expect.place("answer")), found.answer)
    _compare(result, expect, text, "reveals", _listed(expect.get("reveals")), _listed([one.id for one in found.reveals]))


def _check_value(expect: Mapping, play: Play, result: CaseResult) -> None:
    text = str(expect["value"])
    scene = moment_scene(play.base, play.now)
    who = next((one for one in scene.referents if one.id == str(expect.get("of"))), None)
    if who is None:
        ids = [one.id for one in scene.referents]
        raise CaseError("C104", f"unknown object '{expect.get('of')}'", place=expect.place("of"), suggestions=close_to(str(expect.get("of")), ids))
    context = context_of(expect.get("on"), None, play, text, expect.place)
    try:
        found = value(scene, text, who, context)
    except TextError as error:
        _compare_error(expect, text, error, result)
        return
    result.fired |= {rule.id for worth in found.worths for rule in worth.rules}
    for worth in found.worths:
        for conflict in worth.reference.conflicts if worth.reference else ():
            result.fired |= set(conflict.rules)
            result.conflicts.append((conflict, expect.place()))
    wanted = "none" if "error" in expect else str(expect["is"])
    _compare(result, expect, f"{text} of {who.id}", "error" if "error" in expect else "value", str(expect.get("error", wanted)), "none" if "error" in expect else found.answer)
    if "by" in expect:
        _compare(result, expect, text, "decided by", ", ".join(sorted(map(str, expect["by"]))), ", ".join(rule.id for rule in found.rules))


def _compare_error(expect: Mapping, text: str, error: TextError, result: CaseResult) -> None:
    """Compare an error with the one expected; raise it, with its place, where none is.

    Raises:
        TextError: no error was expected.
    """
    if "error" not in expect:
        raise type(error)(error.code, error.message, place=expect.place(), hint=error.hint, suggestions=error.suggestions) from None
    _compare(result, expect, text, "error", str(expect["error"]), error.code)


def _check_characteristics(expect: Mapping, play: Play, result: CaseResult) -> None:
    one = play.now.state.find(str(expect["characteristics"]))
    if one is None:
        raise CaseError("C104", f"unknown object '{expect['characteristics']}'", place=expect.place())
    fields = _characteristics(play.base)
    for key in expect:
        if key == "characteristics":
            continue
        if key not in fields:
            raise CaseError("C104", f"unknown characteristic '{key}'", place=expect.place(key), suggestions=close_to(key, fields), hint=f"known: {', '.join(sorted(fields))}")
        values = {_listed([_text(fact.object, play) for fact in view.facts_of(one.iri, fields[key].value)]) for view in play.now.views}
        found = values.pop() if len(values) == 1 else "unsettled"
        wanted = expect[key]
        _compare(result, expect, one.piece, key, wanted if wanted == "unsettled" else _listed(wanted), found)


def _characteristics(base: KnowledgeBase) -> dict[str, ox.NamedNode]:
    """Return the effective characteristics by what a case calls them: as card files do, or by a name of their own."""
    vocabulary = base.vocabulary
    found = {str(key.value): iri for iri, key in vocabulary.pairs(core("caseField")) if isinstance(key, ox.Literal)}
    for key, printed in vocabulary.card_fields.items():
        becomes = vocabulary.first(printed, core("becomes"))
        if isinstance(becomes, ox.NamedNode):
            found[key] = becomes
    return found


def _text(value: Any, play: Play) -> str:
    return play.base.vocabulary.label(value, play.base.language.code) if isinstance(value, ox.NamedNode) else str(value.value)


def _listed(value: Any) -> str:
    items = value if isinstance(value, list) else [] if value is None else [value]
    return "[" + ", ".join(sorted(str(item) for item in items)) + "]"


def _compare(result: CaseResult, expect: Mapping, question: str, subject: str, wanted: str, found: str) -> None:
    if wanted != found:
        result.differences.append(Difference(expect.place(), f"'{question}'", subject, wanted, found))


def _check_cites(case: CaseFile, base: KnowledgeBase, result: CaseResult) -> None:
    known = {rule.id for rule in base.programs.rules}
    for cite in case.cites:
        covered = {name for name in known if name == cite or name.startswith(f"{cite}.")}
        if not covered:
            raise CaseError("C107", f"unknown rule '{cite}' in cites", place=case.place("cites"), suggestions=close_to(cite, known))
        if not covered & result.fired:
            raise CaseError("C107", f"the case cites '{cite}', but no rule of it had a part in any answer", place=case.place("cites"))


_CHECKS: dict[str, Callable[[Mapping, Play, CaseResult], None]] = {
    "match": _check_match,
    "condition": _check_condition,
    "value": _check_value,
    "characteristics": _check_characteristics,
}
