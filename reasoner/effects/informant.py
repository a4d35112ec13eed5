"""Effects as an informant of the rules: what they make of the objects of a moment, each fact with what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import pyoxigraph as ox

from reasoner.effects.declared import DEFINING_FIRST, DEPENDENCY, KEEPS, Declared, Layer, declared
from reasoner.effects.effect import ABILITIES, Effect, Since
from reasoner.effects.gather import Gatherer
from reasoner.effects.meanings import Kept, Meanings
from reasoner.effects.order import Application, Resolution, resolve
from reasoner.engine.inference import Branch
from reasoner.engine.pattern import Pattern, Term, Variable
from reasoner.engine.precedence import Support
from reasoner.engine.rule import Header, Rule
from reasoner.knowledge.base import KnowledgeBase
from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import core

APPLIED, WAITS, KEPT = core("isAppliedTo"), core("waitsFor"), core("keepsApplyingTo")
_IS_ABILITY = core("isAbility")
_MOST_PREMISES = 48
_PREMISES = tuple(
    Pattern(Variable(f"s{number}"), Variable(f"p{number}"), Variable(f"o{number}")) for number in range(_MOST_PREMISES)
)
# Not rule files, since no query can follow the order of effects; proofs show them as rules, with what they rest on.
_START = Header(
    "core:starting-value", "A value with which a referent starts stays", "core:DesignPrinciples", "effects", "undated"
)
_REACH = Header("core:effect", "An effect changes what it applies to", "core:DesignPrinciples", "effects", "undated")
_WAITS = Header("core:dependency", "An effect waits for what would change it", "core:DesignPrinciples", "effects", "undated")


@dataclass(frozen=True)
class Effects:
    """Tells, for one moment, the final values of every object that an effect changes."""

    base: KnowledgeBase
    store: ox.Store
    moment: ox.NamedNode
    stated: Sequence[ox.Triple]
    objects: tuple[ox.NamedNode, ...]
    since: tuple[Since, ...]
    kept: Kept = field(default_factory=dict)

    def __call__(self, branch: Branch) -> dict[ox.Triple, Support]:
        """Return the facts of the changed objects in `branch`; its records take the order in which effects came.

        Raises:
            CaseError: C110 a scope can't be read, or its meaning is not settled.
        """
        game = declared(self.base.vocabulary)
        if game is None:
            return {}
        found = self.resolution(branch, game)
        branch.records.append(found)
        return Telling(self.base, game, found).facts()

    def resolution(self, branch: Branch, game: Declared) -> Resolution:
        """Return what effects make of the moment in `branch`, in order."""
        graphs = (self.moment, branch.graph)
        gatherer = Gatherer(self.base, game, self.store, graphs, self.objects, self.since)
        meanings = Meanings(
            self.base, game, self.store, (*self.base.base, self.moment), branch, self.stated, self.kept
        )
        board = gatherer.board()
        return resolve(gatherer.sources(board, meanings), board)


@dataclass
class Telling:
    """Turns the order of effects into facts, each with its support: the layer, the effects and what they say."""

    base: KnowledgeBase
    declared: Declared
    found: Resolution
    _facts: dict[ox.Triple, Support] = field(default_factory=dict)
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
        return self._facts

    def _apply(self, one: Application) -> None:
        ground = self.found.start.ground
        effect = one.effect
        if effect.fixed is None and effect.bearer is not None:
            self._state(ox.Triple(effect.iri, _IS_ABILITY, effect.said.node), _REACH, self._behind(effect))
        waits = []
        for others, policy in ((one.waited_for, DEPENDENCY), (one.gave_way, DEFINING_FIRST)):
            for other in others:
                waits.append(ox.Triple(effect.iri, WAITS, other.iri))
                self._state(waits[-1], policy_header(policy, self.base) or _WAITS, ())
        for target in ground.listed(one.kept):
            self._state(ox.Triple(effect.iri, KEPT, target), policy_header(KEEPS, self.base) or _REACH, ())
        for target in ground.listed(one.targets):
            self._state(ox.Triple(effect.iri, APPLIED, target), _REACH, (*self._behind(effect), *waits))
        for characteristic in dict.fromkeys(self._touched(one)):
            self._follow(characteristic, one)

    def _touched(self, one: Application) -> list[str]:
        before, after = one.before.table, one.after.table
        said = [c for modification, _ in one.actions for c in modification.characteristics]
        return [*said, *(c for c, values in after.items() if values is not before.get(c))]

    def _follow(self, characteristic: str, one: Application) -> None:
        """Note what the values rest on that an application gave, or changed."""
        after = one.after.table.get(characteristic, {})
        ground = self.found.start.ground
        for number in range(len(ground.objects)):
            if not one.targets >> number & 1:
                continue
            said = self._said(characteristic, one, number)
            kept = [ox.Triple(one.effect.iri, KEPT, ground.objects[number])] if one.kept >> number & 1 else []
            for value, objects in after.items():
                if objects >> number & 1 and (said or not one.before.having(characteristic, value) >> number & 1):
                    own = [fact for fact, given in said if given in (None, value)]
                    if own:
                        earlier = self._earlier(number, characteristic, one)
                        self._grounds[number, characteristic, value] = (one.layer, tuple(dict.fromkeys((*earlier, *own, *kept))))

    def _said(self, characteristic: str, one: Application, number: int) -> list[tuple[ox.Triple, Value | None]]:
        """Return the facts that tell what an effect gives for a characteristic; None: what came before counts as well."""
        target = self.found.start.ground.objects[number]
        found: list[tuple[ox.Triple, Value | None]] = []
        for modification, values in one.actions:
            if characteristic not in modification.characteristics:
                continue
            said = dict(one.effect.said.changes).get(modification, ())
            facts = [ox.Triple(one.effect.said.node, modification.iri, value) for value in said]
            applied = ox.Triple(one.effect.iri, APPLIED, target)
            match modification.operation:
                case "Setting" | "Adding":
                    for fact, value in zip(facts, values, strict=True):
                        found += [(applied, value), (fact, value)]
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
        """Return what the values rest on of which an application made the new one: those that it shifts or switches."""
        premises: list[ox.Triple] = []
        for modification, _ in one.actions:
            if characteristic in modification.characteristics and modification.operation in ("Shifting", "Switching"):
                for source in modification.characteristics:
                    for value in one.before.values(number, source):
                        premises += self._ground(number, source, value)[1]
        return tuple(premises)

    def _ground(self, number: int, characteristic: str, value: Value) -> tuple[Layer | None, tuple[ox.Triple, ...]]:
        start = ox.Triple(self.found.start.ground.objects[number], self.declared.starts[characteristic], value)
        return self._grounds.get((number, characteristic, value), (None, (start,)))

    def _values(self, changed: int) -> None:
        ground = self.found.start.ground
        for characteristic in sorted(self.declared.starts):
            for value, objects in sorted(self.found.final.table.get(characteristic, {}).items(), key=str):
                for number, one in enumerate(ground.objects):
                    if objects & changed & 1 << number:
                        layer, premises = self._ground(number, characteristic, value)
                        header = _START if layer is None else self._layer_header(layer)
                        self._state(ox.Triple(one, ox.NamedNode(characteristic), value), header, premises)

    def _behind(self, effect: Effect) -> tuple[ox.Triple, ...]:
        """Return the facts that make an effect what it is."""
        said = effect.said
        found: list[ox.Triple] = []
        if effect.bearer is not None and effect.fixed is None:
            found += self._ground(effect.bearer, ABILITIES, said.node)[1]
        if effect.fixed is None and said.scope is not None:
            found.append(ox.Triple(said.node, core("hasScope"), ox.Literal(said.scope)))
        return tuple(found)

    def _state(self, fact: ox.Triple, header: Header, premises: Sequence[ox.Triple]) -> None:
        solution: dict[str, Term] = {}
        for number, premise in enumerate(premises[:_MOST_PREMISES]):
            solution |= {f"s{number}": premise.subject, f"p{number}": premise.predicate, f"o{number}": premise.object}  # type: ignore[dict-item]
        self._facts.setdefault(fact, Support(_rule(header), solution))

    def _layer_header(self, layer: Layer) -> Header:
        return section_header(layer.section, self.base, self.base.vocabulary.label(layer.iri, "en")) or replace(
            _REACH, id="core:layer"
        )


@lru_cache(maxsize=256)
def _rule(header: Header) -> Rule:
    return Rule(header, "reasoner/effects/informant.py", "", (), (), optional=_PREMISES)


def policy_header(policy: str, base: KnowledgeBase) -> Header | None:
    """Return the section of the rules in which the game states a policy of the order, as the header of a rule."""
    vocabulary = base.vocabulary
    for section in vocabulary.subjects(core("states"), core(policy)):
        return section_header(section, base, vocabulary.label(core(policy), "en"))
    return None


def section_header(section: ox.NamedNode | None, base: KnowledgeBase, title: str) -> Header | None:
    """Return a section of the rules as the header of a rule: its number is the rule's, its edition the newest."""
    vocabulary = base.vocabulary
    if section is None:
        return None
    number = vocabulary.first(section, ox.NamedNode("http://purl.org/dc/terms/identifier"))
    source = vocabulary.first(section, ox.NamedNode("http://purl.org/dc/terms/isPartOf"))
    if not isinstance(number, ox.Literal) or not isinstance(source, ox.NamedNode):
        return None
    issued = ox.NamedNode("http://purl.org/dc/terms/issued")
    dates = [
        value.value
        for edition in vocabulary.subjects(core("isEditionOf"), source)
        for value in vocabulary.objects(edition, issued)
        if isinstance(value, ox.Literal)
    ]
    edition = max(dates, default="undated")
    return Header(f"{base.game}:{number.value}", title, vocabulary.prefixes.shorten(source.value), number.value, edition)


def effect_rules(base: KnowledgeBase) -> frozenset[str]:
    """Return the ids under which the layers and policies of the order appear in proofs, so that cases can cite them."""
    game = declared(base.vocabulary)
    if game is None:
        return frozenset()
    headers = [section_header(layer.section, base, "") for layer in game.layers]
    headers += [policy_header(policy, base) for policy in game.policies]
    return frozenset(header.id for header in headers if header)
