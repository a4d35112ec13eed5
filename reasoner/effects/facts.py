"""From the order of effects to facts: the values of everything that is changed, each with what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import pyoxigraph as ox

from reasoner.effects.board import numbers_in
from reasoner.effects.declared import DEFINING_FIRST, DEPENDENCY, KEEPS, REWORDING, Declared, Layer
from reasoner.effects.effect import ABILITIES, Effect
from reasoner.effects.order import Application, Resolution
from reasoner.effects.sections import REACH, START, Resting, layer_header, policy_header, rule_of
from reasoner.effects.sections import WAITS as WAITING
from reasoner.engine.precedence import Support
from reasoner.engine.rule import Header, Rule
from reasoner.knowledge.base import KnowledgeBase
from reasoner.reference.rewording import READS
from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import core

APPLIED, WAITS, KEPT = core("isAppliedTo"), core("waitsFor"), core("keepsApplyingTo")
_CIRCLE = core("isInCircleWith")
_IS_ABILITY = core("isAbility")
# An operation, the values it gives on the board, and the facts by which the effect says so.
_Stated: TypeAlias = tuple[str, tuple[Value, ...], list[ox.Triple]]


@dataclass
class Telling:
    """Turns the order of effects into facts, each with its support: the layer, the effects and what they say."""

    base: KnowledgeBase
    declared: Declared
    found: Resolution
    staying: Mapping[str, Rule]
    cards: Mapping[ox.NamedNode, ox.NamedNode]
    _facts: dict[ox.Triple, Support] = field(default_factory=dict)
    _rules: dict[Layer | str, Rule] = field(default_factory=dict)
    # By object, characteristic and value: the layer that gave it (None: it starts so), and the premises.
    _grounds: dict[tuple[int, str, Value], tuple[Layer | None, tuple[ox.Triple, ...]]] = field(default_factory=dict)

    def facts(self) -> dict[ox.Triple, Support]:
        """Return the facts: what is applied to what, what waits for what, and all values of what is changed."""
        changed = 0
        for one in self.found.applications:
            if one.targets:
                changed |= one.targets
                self._apply(one)
        self._values(changed)
        self._unchanged(changed)
        return self._facts

    def _apply(self, one: Application) -> None:
        ground = self.found.start.ground
        effect = one.effect
        if effect.fixed is None and effect.bearer is not None:
            self._state(ox.Triple(effect.iri, _IS_ABILITY, effect.said.node), rule_of(REACH), self._behind(effect))
        waits = []
        for others, policy in ((one.waited_for, DEPENDENCY), (one.gave_way, DEFINING_FIRST)):
            for other in others:
                waits.append(ox.Triple(effect.iri, WAITS, other.iri))
                self._state(waits[-1], self._policy(policy, WAITING), ())
        for other in one.circle:
            waits.append(ox.Triple(effect.iri, _CIRCLE, other.iri))
            self._state(waits[-1], self._policy(DEPENDENCY, WAITING), ())
        for other in one.ended:
            self._state(ox.Triple(other.iri, WAITS, effect.iri), self._policy(DEPENDENCY, WAITING), ())
        words = self._words(one)
        for target in ground.listed(one.kept):
            self._state(ox.Triple(effect.iri, KEPT, target), self._policy(KEEPS, REACH), ())
        rule, premises = self._layer(one.layer), (*self._behind(effect), *waits, *words)
        for target in ground.listed(one.targets):
            self._state(ox.Triple(effect.iri, APPLIED, target), rule, premises)
        for characteristic in dict.fromkeys(self._touched(one)):
            self._follow(characteristic, one)

    def _words(self, one: Application) -> list[ox.Triple]:
        """Return the facts because of which words in the text of an effect stand for others."""
        bearer = one.effect.bearer
        if bearer is None or one.effect.fixed is not None or (bearer, one.effect.said.node) in self.found.granted:
            return []
        read = sorted(one.before.values(bearer, READS.value), key=str)
        return [fact for value in read for fact in self._ground(bearer, READS.value, value)[1]]

    def _touched(self, one: Application) -> list[str]:
        before, after = one.before.table, one.after.table
        said = [c for modification, _ in one.actions for c in modification.characteristics]
        return [*said, *(c for c, values in after.items() if values is not before.get(c))]

    def _follow(self, characteristic: str, one: Application) -> None:
        """Note what the values rest on that an application gave, or changed."""
        after = one.after.table.get(characteristic, {})
        ground = self.found.start.ground
        stated = self._stated(characteristic, one)
        for number in numbers_in(one.targets):
            said = self._said(characteristic, one, number, stated)
            if not said:
                continue
            kept = [ox.Triple(one.effect.iri, KEPT, ground.objects[number])] if one.kept >> number & 1 else []
            given = {value for _, value in said}
            for value in after if None in given else (value for value in after if value in given):
                if after[value] >> number & 1:
                    own = [fact for fact, given_so in said if given_so in (None, value)]
                    earlier = self._earlier(number, characteristic, one)
                    premises = tuple(dict.fromkeys((*earlier, *own, *kept)))
                    self._grounds[number, characteristic, value] = (one.layer, premises)

    def _stated(self, characteristic: str, one: Application) -> list[_Stated]:
        """Return what an effect does to a characteristic, each time with the facts that say so."""
        changes, node = dict(one.effect.said.changes), one.effect.said.node
        return [
            (
                modification.operation,
                values,
                [
                    ox.Triple(node, prop, value)
                    for prop, value in one.effect.said.stated(modification, changes.get(modification, ()))
                ],
            )
            for modification, values in one.actions
            if characteristic in modification.characteristics
        ]

    def _said(
        self, characteristic: str, one: Application, number: int, stated: list[_Stated]
    ) -> list[tuple[ox.Triple, Value | None]]:
        """Return the facts that tell what an effect gives, each with the value it gives; None: with any."""
        applied = ox.Triple(one.effect.iri, APPLIED, self.found.start.ground.objects[number])
        found: list[tuple[ox.Triple, Value | None]] = []
        for operation, values, facts in stated:
            match operation:
                case "Setting" | "Adding":
                    for fact, value in zip(facts, values, strict=True):
                        found += [(applied, value), (fact, value)]
                case "Rewording":
                    new = one.after.values(number, characteristic) - one.before.values(number, characteristic)
                    found += [(fact, value) for value in new for fact in (applied, *facts)]
                case "Removing" | "Clearing":
                    continue
                case "Copying":
                    start = self.declared.starts[characteristic]
                    for record in values:
                        for value in self.found.start.ground.records[record].get(characteristic, ()):  # type: ignore[index]
                            found += [(applied, value), (ox.Triple(record, start, value), value)]  # type: ignore[arg-type]
                case _:
                    found += [(applied, None), *((fact, None) for fact in facts)]
        return found

    def _earlier(self, number: int, characteristic: str, one: Application) -> tuple[ox.Triple, ...]:
        """Return what the values rest on of which an application made the new one: shifted, switched, replaced."""
        premises: list[ox.Triple] = []
        for modification, _ in one.actions:
            if characteristic not in modification.characteristics:
                continue
            if modification.operation in ("Shifting", "Switching"):
                for source in modification.characteristics:
                    for value in one.before.values(number, source):
                        premises += self._ground(number, source, value)[1]
            elif modification.operation == REWORDING:
                gone = one.before.values(number, characteristic) - one.after.values(number, characteristic)
                for value in sorted(gone, key=str):
                    premises += self._ground(number, characteristic, value)[1]
        return tuple(premises)

    def _ground(self, number: int, characteristic: str, value: Value) -> tuple[Layer | None, tuple[ox.Triple, ...]]:
        known = self._grounds.get((number, characteristic, value))
        if known is not None:
            return known
        start = self.declared.starts[characteristic]
        return None, (ox.Triple(self.found.start.ground.objects[number], start, value),)

    def _values(self, changed: int) -> None:
        objects = self.found.start.ground.objects
        for characteristic in sorted(self.declared.starts):
            predicate = ox.NamedNode(characteristic)
            table = self.found.final.table.get(characteristic, {})
            for value in sorted((value for value, having in table.items() if having & changed), key=str):
                for number in numbers_in(table[value] & changed):
                    layer, premises = self._ground(number, characteristic, value)
                    rule = rule_of(START) if layer is None else self._layer(layer)
                    self._state(ox.Triple(objects[number], predicate, value), rule, premises)

    def _unchanged(self, changed: int) -> None:
        """State the values of what no effect changes, as the rules by which starting values stay would."""
        ground = self.found.start.ground
        for characteristic, values in self.found.start.table.items():
            rule, predicate = self.staying[characteristic], ox.NamedNode(characteristic)
            for value, objects in values.items():
                left = objects & ~changed
                if left:
                    for one in ground.listed(left):
                        card = self.cards[one]
                        support = Support(rule, {"referent": one, "value": value, "card": card})
                        self._facts[ox.Triple(one, predicate, value)] = support

    def _behind(self, effect: Effect) -> tuple[ox.Triple, ...]:
        """Return the facts that make an effect what it is."""
        said = effect.said
        found: list[ox.Triple] = []
        if effect.bearer is not None and effect.fixed is None:
            found += self._ground(effect.bearer, ABILITIES, said.node)[1]
        if effect.fixed is None and said.scope is not None:
            found.append(ox.Triple(said.node, core("hasScope"), ox.Literal(said.scope)))
        return tuple(found)

    def _layer(self, layer: Layer) -> Rule:
        if layer not in self._rules:
            self._rules[layer] = rule_of(layer_header(layer, self.base))
        return self._rules[layer]

    def _policy(self, policy: str, otherwise: Header) -> Rule:
        if policy not in self._rules:
            self._rules[policy] = rule_of(policy_header(policy, self.base) or otherwise)
        return self._rules[policy]

    def _state(self, fact: ox.Triple, rule: Rule, premises: Sequence[ox.Triple]) -> None:
        if fact not in self._facts:
            self._facts[fact] = Support(rule, Resting(premises))
