"""Reasons of facts: the proof of one that holds, and of one that does not where each rule that would give it ends."""

from __future__ import annotations

import pyoxigraph as ox

from reasoner.engine.inference import Branch
from reasoner.engine.pattern import Pattern, pattern_from_text
from reasoner.engine.precedence import BASES
from reasoner.engine.proof import prove
from reasoner.engine.rule import Rule
from reasoner.operations.match import holds
from reasoner.operations.scene import Scene, Stage
from reasoner.operations.steps import SILENT, Step, Teller
from reasoner.operations.whynot import Attempt, Failure, WhyNot
from reasoner.terms.namespaces import BASE

MOST_ATTEMPTS = 1
_NO_GRAPH = ox.NamedNode(BASE + "graph/none")


class Reasons:
    """Tells, in the words of `teller`, why facts of one scene hold or do not."""

    def __init__(self, scene: Scene, teller: Teller) -> None:
        self.scene = scene
        self.teller = teller
        self._asked: dict[int, WhyNot] = {}

    def why_not(self, goal: Pattern, stage: Stage) -> Step:
        """Return why nothing meets `goal`: the rules that would give it, and where each comes to an end."""
        if id(stage) not in self._asked:
            programs = (self.scene.base.programs.state,)
            graphs = (*stage.surroundings.graphs, *(() if stage.branch is None else (stage.branch.graph,)))
            self._asked[id(stage)] = WhyNot(stage.surroundings.store, graphs, programs, SILENT)
        return self._failure(self._asked[id(stage)].explain(goal), stage)

    def _failure(self, failure: Failure, stage: Stage) -> Step:
        steps = tuple(self._attempt(attempt, failure, stage) for attempt in failure.attempts)
        if len(steps) > MOST_ATTEMPTS:
            more = len(steps) - MOST_ATTEMPTS
            said = "1 more rule concludes such a thing" if more == 1 else f"{more} more rules conclude such a thing"
            steps = (
                *steps[:MOST_ATTEMPTS],
                Step(f"… {said}, and came less far", "fold", steps=steps[MOST_ATTEMPTS:]),
            )
        text = self.teller.not_so(failure.fact)
        note = "" if steps or failure.cut else self.teller.silence(failure.fact, text)
        return Step(text, "failure", origin=note, steps=steps)

    def _attempt(self, attempt: Attempt, failure: Failure, stage: Stage) -> Step:
        title = f"{attempt.rule.id} would say so, but"
        if attempt.failed is not None:
            instead = [self.fact(fact, stage) for fact in attempt.instead]
            return Step(title, "failure", attempt.rule, steps=(*instead, self._failure(attempt.failed, stage)))
        if attempt.blocked_by:
            return Step(f"{title} not where this holds", "failure", attempt.rule, steps=self._blocks(attempt, stage))
        if attempt.condition is not None:
            text, values = attempt.condition.text, attempt.condition.values
            here = " and ".join(f"?{name} is {self.teller.name(value)}" for name, value in values)
            where = f", where {here}" if here else ""
            return Step(f"{title} its condition is not met: {text}{where}", "failure", attempt.rule)
        return self._overruled(attempt.rule, failure, stage)

    def _blocks(self, attempt: Attempt, stage: Stage) -> tuple[Step, ...]:
        """Return what is there together and must not be, each with its proof."""
        told: list[Step] = []
        silent: list[Step] = []
        for parts in attempt.blocked_by:
            pattern = pattern_from_text(parts)
            fact = pattern.instance({})
            step = Step(self.teller.parts(parts)) if fact is None else self.fact(fact, stage)
            (silent if pattern.verb in SILENT else told).append(step)
        return tuple(told or silent)

    def _overruled(self, rule: Rule, failure: Failure, stage: Stage) -> Step:
        """Return which rule prevails over `rule`, or is followed in its place where nothing decides."""
        title = f"{rule.id} would say so, but"
        about = failure.pattern.text(failure.binding)
        branch = stage.branch or Branch(_NO_GRAPH)
        for conflict in branch.conflicts:
            if rule.id not in conflict.rules or (str(conflict.subject), f"<{conflict.predicate}>") != about[:2]:
                continue
            for defeat in conflict.defeats:
                if defeat.loser.rule.id == rule.id:
                    why = f"{title} {defeat.winner.rule.id} {BASES[defeat.basis]}"
                    return Step(why, "failure", rule, steps=(self.fact(defeat.instead, stage),))
            for fact in (fact for option in branch.choices for fact in option if fact in conflict.supports):
                followed = conflict.supports[fact][0].rule.id
                why = f"{title} here {followed} is followed, and nothing decides between the two"
                return Step(why, "failure", rule, steps=(self.fact(fact, stage),))
        return Step(f"{title} another rule prevails", "failure", rule)

    def fact(self, fact: ox.Triple, stage: Stage) -> Step:
        """Return a fact with its proof."""
        branch = stage.branch or Branch(_NO_GRAPH)
        return self.teller.proof(prove(fact, branch, lambda _: None, holds(stage)))
