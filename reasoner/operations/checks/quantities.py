"""Two quantities compared: where rules give them the same number, and where not.

Each rule that gives one of the two is tried in the smallest situation in which it has a part in the number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import pyoxigraph as ox

from reasoner.engine.proof import prove
from reasoner.engine.rule import Rule
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.checks.generate import Situation
from reasoner.operations.checks.playing import flow, given_of
from reasoner.operations.checks.trials import Trials
from reasoner.operations.match import holds
from reasoner.operations.scene import Stage, moment_scene
from reasoner.situation.play import Play

MOST_FOR_RULE = 12


@dataclass(frozen=True)
class Compared:
    """What two quantities of the object `piece` come to in `situation`, where `rule` has a part in one of them."""

    rule: Rule
    situation: Situation
    piece: str
    numbers: Mapping[ox.NamedNode, str]

    @property
    def same(self) -> bool:
        """Whether both are the same number."""
        return len(set(self.numbers.values())) == 1

    def told(self, base: KnowledgeBase) -> str:
        """Return the comparison in one line."""
        given = flow(given_of(self.situation, base))[1:-1]
        steps = "".join(f", do {flow(dict(event))}" for event in self.situation.events)
        numbers = "both are {0}" if self.same else "{0} against {1}"
        said = numbers.format(*self.numbers.values())
        return f"{self.rule.id} “{self.rule.header.title}”: {said} (of {self.piece} in {given}{steps})"


def compare(trials: Trials, quantities: Sequence[ox.NamedNode]) -> tuple[Compared, ...]:
    """Return the comparisons of two `quantities` (the properties that hold the numbers), one for each rule."""
    names = {one.value for one in quantities}
    found = []
    for rule in trials.base.programs.state.rules:
        if any(predicate in names for predicate, _ in rule.writes):
            for situation in islice(trials.generator.situations(trials.demands.of([rule])), MOST_FOR_RULE):
                one = _compared(trials.base, rule, situation, trials.play(situation), quantities)
                if one is not None:
                    found.append(one)
                    break
    return tuple(found)


def _compared(
    base: KnowledgeBase, rule: Rule, situation: Situation, play: Play | None, quantities: Sequence[ox.NamedNode]
) -> Compared | None:
    stages = moment_scene(base, play.now).stages if play else ()
    if play is None or len(stages) > 1:
        return None
    for one in play.now.objects:
        facts = [fact for prop in quantities for fact in stages[0].view.facts_of(one.iri, prop.value)[:1]]
        if len(facts) == len(quantities) and any(rule in _behind(fact, stages[0]) for fact in facts):
            return Compared(rule, situation, one.piece, {f.predicate: f.object.value for f in facts})  # type: ignore[union-attr]
    return None


def _behind(fact: ox.Triple, stage: Stage) -> tuple[Rule, ...]:
    return prove(fact, stage.branch, lambda _: None, holds(stage)).rules() if stage.branch else ()


def in_part(compared: Sequence[Compared]) -> str:
    """Return where the numbers are the same and where not, in one clause; "" if they never or always are."""
    same = [one.rule.id for one in compared if one.same]
    other = [one.rule.id for one in compared if not one.same]
    if not same or not other:
        return ""
    return f"in part: other numbers by {', '.join(other)}; the same by {', '.join(same)}"
