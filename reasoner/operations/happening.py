"""Questions about the match: what the last event triggers, whether it took effect, who fills which seat."""

from __future__ import annotations

from collections.abc import Mapping

import pyoxigraph as ox

from reasoner.engine.inference import Branch
from reasoner.errors import CaseError, Place
from reasoner.knowledge import yamlfile
from reasoner.operations.value import ValueAnswer
from reasoner.reference.answer import NO, UNSETTLED, YES
from reasoner.situation.play import Moment, Play
from reasoner.situation.turns import TRUE
from reasoner.terms.namespaces import core

SEATS, OTHERS, EMPTY = "seats", "others", "empty"


def triggered(play: Play) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the abilities that the last event triggers, by the objects that have them, and the rules that say so."""
    now = play.now
    found = [_triggered_in(branch, now) for branch in now.inference.branches]
    names = sorted({name for one, _ in found for name in one})
    answers = {}
    for name in names:
        said = {one.get(name, "[]") for one, _ in found}
        answers[name] = said.pop() if len(said) == 1 else UNSETTLED
    return answers, tuple(sorted({rule for _, rules in found for rule in rules}))


def took_effect(play: Play) -> str:
    """Return whether the last event changed anything: no if the rules say that it leaves all as it is."""
    idle = (core("leavesAsIs"), core("hasNoEffect"))
    return NO if any(fact.predicate in idle for fact in play.now.state.event) else YES


def seats(found: ValueAnswer, play: Play) -> dict[str, str]:
    """Return who fills each seat of a quantity that a matching gives, and whether others could."""
    vocabulary = play.base.vocabulary
    quantities = {one.quantity for one in found.worths}
    if not any(vocabulary.first(one, core("hasCandidates")) for one in quantities):
        return {}
    names = {one.iri: one.piece for one in play.now.objects}
    told: list[dict[str, str]] = []
    for view in play.now.views:
        answers = {}
        for quantity in sorted(quantities, key=str):
            for kind in vocabulary.objects(quantity, core("hasSeat")):
                assert isinstance(kind, ox.NamedNode)
                name = quantity.value.rsplit("/", 1)[1]
                place = ox.NamedNode(f"{found.referent.iri.value}/{name}/{kind.value.rsplit('/', 1)[1]}")
                label = vocabulary.label(kind, play.base.language.code)
                filling = [one for one in names if place in {f.object for f in view.facts_of(one, _FILLS)}]
                answers[label] = names[filling[0]] if filling else EMPTY
        other = [fact.object for fact in view.facts_of(found.referent.iri, core("hasOtherAssignment").value)]
        told.append(answers | {OTHERS: YES if TRUE in other else NO})
    return told[0] if all(one == told[0] for one in told) else dict.fromkeys(told[0], UNSETTLED)


def expected_seats(expect: yamlfile.Mapping, answers: Mapping[str, str]) -> list[tuple[str, str, Place]]:
    """Return what an expectation says of seats, and of every seat that it leaves out."""
    found = []
    if SEATS in expect:
        wanted = _mapping(expect, SEATS)
        labels = sorted({*wanted, *(name for name in answers if name not in ("value", OTHERS))})
        found += [(label, str(wanted.get(label, EMPTY)), wanted.place(label)) for label in labels]
    if OTHERS in expect:
        found.append((OTHERS, YES if expect[OTHERS] else NO, expect.place(OTHERS)))
    return found


def expected_triggers(expect: yamlfile.Mapping, answers: Mapping[str, str]) -> list[tuple[str, str, Place]]:
    """Return which abilities an expectation says are triggered, and of every other that is triggered that it is not."""
    wanted = _mapping(expect, "triggers")
    names = sorted({*wanted, *answers})
    return [(name, listed(wanted.get(name)), wanted.place(name)) for name in names]


def listed(value: object) -> str:
    """Return one value, several or none in one form: sorted, in brackets."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    return "[" + ", ".join(sorted(str(item) for item in items)) + "]"


_FILLS = core("fillsSeat").value


def _triggered_in(branch: Branch, now: Moment) -> tuple[dict[str, str], set[str]]:
    pieces = {one.iri: one.piece for one in now.state.objects}
    found: dict[str, list[str]] = {}
    rules = set()
    for fact, support in branch.supports.items():
        if fact.predicate == core("triggers") and isinstance(fact.object, ox.NamedNode):
            bearer, _, ability = fact.object.value.rpartition("/ability/")
            found.setdefault(pieces[ox.NamedNode(bearer)], []).append(ability)
            rules.add(support.rule.id)
    return {name: listed(abilities) for name, abilities in found.items()}, rules


def _mapping(expect: yamlfile.Mapping, key: str) -> yamlfile.Mapping:
    value = expect[key]
    if not isinstance(value, yamlfile.Mapping):
        raise CaseError("C103", f"'{key}' is a mapping; {{}} for none", place=expect.place(key))
    return value
