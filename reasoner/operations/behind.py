"""Which rules are behind an answer: those of its proof, or of the explanation why it is no.

That a rule drew some conclusion about an object does not put it behind an answer. One that is told does: as a step,
as what was set aside, or as the rule that came nearest to giving what is not so. So does a rule that ended an earlier
stay of the object, where the explanation tells of that stay, or an effect was on it: what it did is over with the stay.
So do the rules by which effects were ordered at the moment, and those that said what came of the events so far.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import pyoxigraph as ox

from reasoner.effects.facts import APPLIED, KEPT, WAITS
from reasoner.engine.pattern import Pattern, Variable
from reasoner.engine.proof import prove
from reasoner.operations.explain import Explainer
from reasoner.operations.match import ReadingMatch
from reasoner.operations.reasons import Reasons
from reasoner.operations.scene import Scene
from reasoner.operations.steps import Step, Teller
from reasoner.reference.possible import IDENTITY
from reasoner.reference.selector import Has
from reasoner.situation.play import Moment
from reasoner.terms.namespaces import core

_ORDER = frozenset({APPLIED, KEPT, WAITS, core("affects")})


@dataclass(frozen=True)
class Behind:
    """The ids of the rules behind the answers to a question, set by set, worked out as they are asked for.

    `given` are those behind what is so, `lacking` those behind what is not so, which takes longer to find out.
    """

    given: Callable[[], Iterator[frozenset[str]]]
    lacking: Callable[[], Iterator[frozenset[str]]]


def of_nothing() -> Iterator[frozenset[str]]:
    """Return the rules behind an answer that rests on none."""
    return iter(())


NOTHING_BEHIND = Behind(of_nothing, of_nothing)


def behind_match(scene: Scene, text: str, found: ReadingMatch, moments: Sequence[Moment]) -> Behind:
    """Return the rules behind the answers of one reading, for every referent of `scene`: each yes and no.

    `moments` are those of the situation, up to the one that is asked about.
    """
    members = {member.referent.iri for member in found.members}

    def of(which: Callable[[ox.NamedNode], bool]) -> Iterator[frozenset[str]]:
        explainer = Explainer(scene, text, found)
        meant = _stays_meant(found)
        for one in scene.referents:
            if which(one.iri):
                yield behind_steps([explainer.referent(one)], [one.iri], moments, meant)

    return Behind(
        lambda: chain([_of_moments(moments)], of(members.__contains__)), lambda: of(lambda one: one not in members)
    )


def _stays_meant(found: ReadingMatch) -> set[object]:
    # To mean an earlier stay is to mean nothing that is there.
    return {
        atom.value
        for reference in found.references
        for interpretation in reference.interpretations
        for atom, _ in interpretation.grounds
        if isinstance(atom, Has) and atom.characteristic == IDENTITY
    }


def behind_characteristics(
    scene: Scene, referent: ox.NamedNode, fields: Sequence[ox.NamedNode], moments: Sequence[Moment]
) -> Behind:
    """Return the rules behind what `referent` has, or lacks, for each of the characteristics `fields`."""
    asked = [(stage, field, stage.view.facts_of(referent, field.value)) for stage in scene.stages for field in fields]

    def given() -> Iterator[frozenset[str]]:
        yield _of_moments(moments)
        reasons = Reasons(scene, Teller(scene))
        yield behind_steps([reasons.fact(fact, at) for at, _, facts in asked for fact in facts], [referent], moments)

    def lacking() -> Iterator[frozenset[str]]:
        reasons = Reasons(scene, Teller(scene))
        for stage, field, facts in asked:
            if not facts:
                step = reasons.why_not(Pattern(referent, field, Variable("value")), stage)
                yield behind_steps([step], [referent], moments)

    return Behind(given, lacking)


def behind_value(step: Callable[[], Step], referent: ox.NamedNode, moments: Sequence[Moment]) -> Behind:
    """Return the rules behind a number of `referent`; `step` makes its explanation."""

    def given() -> Iterator[frozenset[str]]:
        yield _of_moments(moments)
        yield behind_steps([step()], [referent], moments)

    return Behind(given, of_nothing)


def _of_moments(moments: Sequence[Moment]) -> frozenset[str]:
    """Return the rules by which effects were ordered at the last of `moments`, and what came of the events so far."""
    rules = _ordering(moments[-1])
    for moment in moments:
        rules |= moment.outcomes | _happenings(moment)
    return frozenset(rules)


def behind_steps(
    steps: Iterable[Step],
    referents: Iterable[ox.NamedNode],
    moments: Sequence[Moment],
    stays: Collection[object] = (),
) -> frozenset[str]:
    """Return the ids of the rules that explanations of `referents` tell, and of those that ended a stay they tell of.

    `stays` are stays that the explanations turn on besides.
    """
    told = [inner for step in steps for inner in _told(step)]
    rules = {step.rule.id for step in told if step.rule is not None}
    earlier = {step.fact.object for step in told if step.fact is not None and step.fact.predicate == core("succeeds")}
    wanted = earlier | set(stays) | (_affected(moments[-1]) & _before(referents, moments[-1]))
    return frozenset(rules | {name for stay, name in _endings(moments) if stay in wanted})


def _told(step: Step) -> Iterator[Step]:
    """Yield a step and those below it, but for what is folded away: rules that came less far."""
    if step.kind != "fold":
        yield step
        for inner in step.steps:
            yield from _told(inner)


def _ordering(moment: Moment) -> set[str]:
    """Return the rules by which effects were ordered and applied, and those that said what an effect is on."""
    supports = [pair for branch in moment.inference.branches for pair in branch.supports.items()]
    return {support.rule.id for fact, support in supports if fact.predicate in _ORDER}


def _happenings(moment: Moment) -> set[str]:
    """Return the rules behind what follows from the event before a moment, and behind what becomes of effects."""
    about = {fact.subject for fact in moment.state.event} | {one.iri for one in moment.state.effects}
    found: set[str] = set()
    for branch, around in zip(moment.inference.branches, moment.surroundings, strict=True):
        for fact in branch.supports:
            if fact.subject in about and fact.predicate != core("endsIdentityOf"):
                found |= {rule.id for rule in prove(fact, branch, lambda _: None, around.holds).rules()}
    return found


def _affected(moment: Moment) -> set[object]:
    """Return what effects are on, or were."""
    facts = (fact for effect in moment.state.effects for fact in effect.facts)
    return {fact.object for fact in facts if fact.predicate == core("affects")}


def _before(referents: Iterable[ox.NamedNode], moment: Moment) -> set[object]:
    """Return the earlier stays of `referents`."""
    earlier = {one.iri: one.earlier for one in moment.state.objects}
    found: set[object] = set()
    for referent in referents:
        stay = earlier.get(referent)
        while stay is not None:
            found.add(stay)
            stay = earlier.get(stay)
    return found


def _endings(moments: Iterable[Moment]) -> Iterator[tuple[object, str]]:
    """Yield each stay that a rule ended, with the rule."""
    for moment in moments:
        for branch in moment.inference.branches:
            for fact, support in branch.supports.items():
                if fact.predicate == core("endsIdentityOf"):
                    yield fact.object, support.rule.id
