"""Explaining the order of effects: what was applied to what, why at that place, and what would turn it round."""

from __future__ import annotations

from collections.abc import Iterator

from reasoner.effects.declared import DEFINING_FIRST, DEPENDENCY, KEEPS, Layer
from reasoner.effects.effect import Course, Effect
from reasoner.effects.flips import closing, opening, without
from reasoner.effects.order import Application, Resolution
from reasoner.effects.sections import layer_header, policy_header, rule_of
from reasoner.engine.rule import Header, Rule
from reasoner.errors import UseError
from reasoner.operations.scene import Scene
from reasoner.operations.steps import Step, Teller
from reasoner.reference.wording import say_parts


def explain_order(scene: Scene) -> tuple[Step, ...]:
    """Return the order in which effects are applied at the moment of `scene`: one explanation per reading of the rules.

    Raises:
        UseError: U116 the game has no order of effects, or there is no moment to look at.
    """
    if scene.is_pool:
        raise UseError("U116", "--order needs --situation", hint="effects are applied at a moment of a situation")
    found = [
        Order(scene, record).explanation()
        for stage in scene.stages
        for record in (stage.branch.records if stage.branch else ())
        if isinstance(record, Resolution)
    ]
    if not found:
        raise UseError(
            "U116",
            f"the game '{scene.base.game}' declares no layers",
            hint="its effects are rules: see cardlore explain GAME TEXT CARD",
        )
    return tuple(dict.fromkeys(found))


class Order:
    """Tells one resolution of effects."""

    def __init__(self, scene: Scene, found: Resolution) -> None:
        self.base = scene.base
        self.found = found
        self.objects = found.start.ground
        self.teller = Teller(scene)
        self.name = self.teller.name

    def explanation(self) -> Step:
        """Return the whole order as steps: layers, in each the effects, under each why it stands there."""
        layers: dict[Layer, list[Application]] = {}
        for one in self.found.applications:
            layers.setdefault(one.layer, []).append(one)
        steps = tuple(self._layer(layer, applied) for layer, applied in layers.items())
        title = "Effects are applied in this order" if steps else "No effect is applied"
        return Step(title, "answer", steps=steps)

    def _layer(self, layer: Layer, applied: list[Application]) -> Step:
        label = self.base.vocabulary.label(layer.iri, "en")
        steps = tuple(self._application(number, one) for number, one in enumerate(applied, 1))
        return Step(label, "fact", rule_of(layer_header(layer, self.base)), steps=steps)

    def _application(self, number: int, one: Application) -> Step:
        targets = self._listed(one.targets)
        text = f"{number}. {self.name(one.effect.iri)}, applied to {targets}"
        said = [
            say_parts("it", prop, self.name(value), self.base.vocabulary)
            for modification, values in one.actions
            for prop, value in one.effect.said.stated(modification, values)
        ]
        does = (Step("; ".join(dict.fromkeys(said)), "meaning"),) if one.targets else ()
        return Step(text, "meaning", steps=(*does, *self._reasons(one)))

    def _reasons(self, one: Application) -> Iterator[Step]:
        for other in one.gave_way:
            yield Step(
                f"{self.name(other.iri)} is younger, but tells what its own bearer is, and so comes first",
                "fact",
                self._policy(DEFINING_FIRST),
            )
        for other in one.waited_for:
            yield self._waited(one, other)
        for other in one.ended:
            age = "older" if other.age < one.effect.age else "younger"
            text = f"{self.name(other.iri)}, which is {age}, waited for it and is no more: its ability is lost"
            yield Step(text, "fact", self._policy(DEPENDENCY))
        if one.circle:
            yield self._circle(one)
        if one.kept:
            text = f"it goes on being applied to {self._listed(one.kept)}, to which it was applied in an earlier layer"
            yield Step(text, "fact", self._policy(KEEPS))
        younger = [other for other in one.left if other.age > one.effect.age]
        if not (one.waited_for or one.circle or one.gave_way) and (younger or one.passed):
            passed = " that waits for nothing" if one.passed else ""
            yield Step(f"it is the oldest of the {len(one.left)} left in this layer{passed}", "meaning")

    def _waited(self, one: Application, other: Effect) -> Step:
        effect = one.effect
        when = "which is younger" if other.age > effect.age else "which is older as well"
        before = self._board_before(one, other)
        text = f"it waits for {self.name(other.iri)}, {when}: {self._change(one, other, before)}"
        flips = []
        alone = self._without(one, other)
        if alone is not None:
            flips.append(
                Step(f"without {self.name(other.iri)} it would be applied to {self._listed(alone)}", "meaning")
            )
        if other.age > effect.age and before is not None:
            things = [" and ".join(map(self.name, thing)) for thing in closing(effect, before, self.found)]
            closed = ", or ".join(things)
            if closed:
                would = (
                    f"were there also something that is {closed} and nothing else, the two would wait for each other"
                )
                flips.append(Step(f"{would}, and {self.name(effect.iri)} would come first, being older", "meaning"))
        return Step(text, "fact", self._policy(DEPENDENCY), steps=tuple(flips))

    def _circle(self, one: Application) -> Step:
        others = ", ".join(self.name(other.iri) for other in one.circle)
        flips = tuple(
            Step(f"without {self.name(gone)} it would wait for {self.name(other.iri)}", "meaning")
            for gone, other in opening(one, self.found)
        )
        text = f"it and {others} would change each other: neither waits, and it comes first, being older"
        return Step(text, "fact", self._policy(DEPENDENCY), steps=flips)

    def _change(self, one: Application, other: Effect, before: Application | None) -> str:
        """Return what the effect that was waited for changes about the one that waits."""
        if before is None:
            return "applied first, it changes what this one does"
        course = Course(self.found.sources, self.objects.declared, dict(before.started))
        earlier, later = before.before, before.after
        if not course.exists(one.effect, earlier):
            return "only after it is there this one at all"
        first, second = course.targets(one.effect, earlier), course.targets(one.effect, later)
        if first != second:
            return f"before it this one would be applied to {self._listed(first)}, after it to {self._listed(second)}"
        return "applied first, it changes what this one does"

    def _board_before(self, one: Application, other: Effect) -> Application | None:
        return next(
            (each for each in self.found.applications if each.layer is one.layer and each.effect is other), None
        )

    def _without(self, one: Application, other: Effect) -> int | None:
        applied = without(self.found, other).applications
        return next(
            (each.targets for each in applied if each.layer is one.layer and each.effect.iri == one.effect.iri), None
        )

    def _listed(self, objects: int) -> str:
        return ", ".join(self.name(one) for one in self.objects.listed(objects)) or "nothing"

    def _policy(self, policy: str) -> Rule | None:
        header: Header | None = policy_header(policy, self.base)
        return rule_of(header) if header else None
