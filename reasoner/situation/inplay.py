"""Abilities in play: whose they are, whether their conditions are met, what they find when they look back.

Conditions are texts, which no query can read, and what has entered is told by earlier moments. An ability in play is a
node of its own below its object; one that has triggered goes on being there, even where its object is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pyoxigraph as ox

from reasoner.engine.inference import Branch
from reasoner.engine.precedence import Support
from reasoner.engine.rule import Header
from reasoner.knowledge.base import KnowledgeBase
from reasoner.reference.evaluate import View
from reasoner.reference.interpret import Surroundings
from reasoner.reference.mentiongraph import Context
from reasoner.reference.scope import scope_meaning
from reasoner.reference.selector import Selector
from reasoner.situation.state import State, Waiting
from reasoner.situation.told import resting_on
from reasoner.situation.turns import TRUE
from reasoner.terms.lookup import Value, values
from reasoner.terms.namespaces import core

_BEARS, _CONTROLLER = core("bearsAbility"), core("hasController")
_IS, _ON, _FOR = core("isAbility"), core("isAbilityOn"), core("isAbilityFor")
_CONDITION, _ENTRY, _FINDS, _MEETS = (
    core(name) for name in ("hasCondition", "looksForEntry", "findsEntry", "meetsCondition")
)
# What makes an ability worth a node of its own.
_TIMED = (core("triggersAt"), _CONDITION, _ENTRY)
_HEADER = Header(
    "core:in-play",
    "What a text asks for is looked up in the match",
    "core:DesignPrinciples",
    "abilities in play",
    "undated",
)


@dataclass(frozen=True)
class InPlay:
    """Tells, for one moment, of the abilities in play what texts ask.

    `entries` are the objects that have entered, each with the view of the moment in which it did; None for this one.
    """

    base: KnowledgeBase
    store: ox.Store
    graphs: Sequence[ox.NamedNode]
    moment: ox.NamedNode
    state: State
    entries: tuple[tuple[ox.NamedNode, View | None], ...]

    def __call__(self, branch: Branch) -> dict[ox.Triple, Support]:
        """Return the facts that hold in `branch`, each with its support.

        Raises:
            CaseError: C110 a text can't be read, or its meaning is not settled.
        """
        asked = _Asked(self, branch)
        found: dict[ox.Triple, Support] = {}
        for one in asked.abilities():
            grounds = [ox.Triple(one.bearer, _BEARS, one.ability)]
            for predicate, value in ((_IS, one.ability), (_ON, one.bearer), (_FOR, one.controller)):
                fact = ox.Triple(one.iri, predicate, value)
                found[fact] = _support(fact, [each for each in grounds if each in branch.supports])
            for fact, premises in asked.told(one):
                found[fact] = _support(fact, premises)
        for fact, premises in asked.told_of_effects():
            found[fact] = _support(fact, premises)
        return found


@dataclass
class _Asked:
    """The questions of one branch."""

    play: InPlay
    branch: Branch

    def abilities(self) -> Iterator[Waiting]:
        """Yield the abilities that objects have at present and those that wait, each once."""
        match = self.play.state.match
        waiting = match.waiting if match is not None else ()
        yield from waiting
        known = {one.iri for one in waiting}
        cards = self.play.base.base[-1]
        for fact in self.branch.derived(_BEARS):
            bearer, ability = fact.subject, fact.object
            assert isinstance(bearer, ox.NamedNode)
            assert isinstance(ability, ox.NamedNode)
            if not any(values(self.play.store, ability, prop, cards) for prop in _TIMED):
                continue
            iri = ox.NamedNode(f"{bearer.value}/ability/{ability.value.rsplit('/', 1)[1]}")
            controller = self._controller(bearer)
            if iri not in known and controller is not None:
                yield Waiting(iri, ability, bearer, controller)

    def told(self, one: Waiting) -> Iterator[tuple[ox.Triple, list[ox.Triple]]]:
        """Yield what the texts of an ability in play come to, each with what it rests on."""
        context = self._context(one.bearer, one.ability, one.controller)
        for text in self._texts(one.ability, _CONDITION):
            ground = self._met(text, context, one.controller)
            if ground is not None:
                yield ox.Triple(one.iri, _MEETS, TRUE), [ox.Triple(one.ability, _CONDITION, text), *ground]
        for text in self._texts(one.ability, _ENTRY):
            selector = self._selector(text, context)
            for entered, view in self.play.entries:
                if (view or self._view).evaluate(selector, entered).value is True:
                    yield ox.Triple(one.iri, _FINDS, entered), [ox.Triple(one.ability, _ENTRY, text)]

    def told_of_effects(self) -> Iterator[tuple[ox.Triple, list[ox.Triple]]]:
        """Yield what texts of effects that have begun come to: whom they reach if that is not settled, if they last."""
        for effect in self.play.state.effects:
            said = {fact.predicate: fact.object for fact in effect.facts}
            player, bearer = said.get(core("isEffectFor")), said.get(core("beganOn"))
            scope, lasts = said.get(core("hasScope")), said.get(core("lastsWhile"))
            if not isinstance(player, ox.NamedNode):
                continue
            if isinstance(scope, ox.Literal):
                selector = self._selector(scope, Context(speaker=player))
                for one in self._view.meeting(selector, [one.iri for one in self.play.state.current]):
                    ground = ox.Triple(effect.iri, core("hasScope"), scope)
                    yield ox.Triple(effect.iri, core("reaches"), one), [ground]
            if isinstance(lasts, ox.Literal):
                met = self._met(lasts, self._context(bearer, None, player), player)
                if met is not None:
                    grounds = [ox.Triple(effect.iri, core("lastsWhile"), lasts), *met]
                    yield ox.Triple(effect.iri, _MEETS, TRUE), grounds

    def _context(self, bearer: object, ability: ox.NamedNode | None, player: ox.NamedNode) -> Context:
        """Return where a text stands: on an object, and if that is gone, with the player whose it was."""
        here = any(one.iri == bearer for one in self.play.state.current)
        known = bearer if isinstance(bearer, ox.NamedNode) else None
        return Context(known, ability, speaker=None if here else player)

    def _met(self, text: Value, context: Context, player: ox.NamedNode) -> list[ox.Triple] | None:
        """Return facts by which a condition is met, None where it is not: a state of the player, or some referent."""
        states = self.play.base.vocabulary.labelled(core("PlayerState")).get(text.value)
        if states:
            facts = [ox.Triple(player, core("isInState"), one) for one in sorted(states, key=str)]
            return next(([fact] for fact in facts if fact in self.branch.supports), None)
        selector = self._selector(text, context)
        met = self._view.meeting(selector, [one.iri for one in self.play.state.current])
        return [] if met else None

    def _texts(self, ability: ox.NamedNode, prop: ox.NamedNode) -> list[Value]:
        return values(self.play.store, ability, prop, self.play.base.base[-1])

    def _controller(self, bearer: ox.NamedNode) -> ox.NamedNode | None:
        found = [fact.object for fact in self._view.facts_of(bearer, _CONTROLLER.value)]
        return next((one for one in found if isinstance(one, ox.NamedNode)), None)

    @cached_property
    def _view(self) -> View:
        graphs = (self.play.moment, self.branch.graph)
        return View(self.play.store, graphs, self.play.base.vocabulary, False, self.branch.contents)

    @cached_property
    def _around(self) -> Surroundings:
        graphs = (*self.play.graphs, self.branch.graph)
        return Surroundings(self.play.store, graphs, frozenset(self.branch.present), self.branch.contents)

    def _selector(self, text: Value, context: Context) -> Selector:
        return scope_meaning(text.value, context, self.play.base, self._around).selector


def _support(fact: ox.Triple, premises: Sequence[ox.Triple]) -> Support:
    return resting_on(premises, fact, _HEADER, "reasoner/situation/inplay.py")
