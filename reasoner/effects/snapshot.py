"""What is so at the latest moment, for events that begin effects: what a copy takes over, what an ability would do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.effects.declared import Declared
from reasoner.effects.effect import Course, Effect, Sources
from reasoner.effects.informant import Effects
from reasoner.effects.order import Resolution
from reasoner.engine.inference import Branch
from reasoner.errors import CaseError
from reasoner.terms.lookup import Value, values
from reasoner.terms.namespaces import core

# What an effect takes over from the ability that begins it, besides what it changes.
_KEPT = ("forbids", "hasDuration", "lastsWhile")


@dataclass(frozen=True)
class Snapshot:
    """What is so at the latest moment of a situation, for events that begin effects; `effects` gives it, and a branch.

    Where rules disagree and nothing decides, the first branch counts.
    """

    effects: Callable[[], tuple[Effects, Branch] | None]

    def copied(self, original: ox.NamedNode) -> list[tuple[ox.NamedNode, Value]]:
        """Return the copiable values of an object, each with the property of starting values."""
        latest = self._latest()
        if latest is None or original not in latest[0].objects:
            return []
        effects, _, found = latest
        game = _game(found)
        number = effects.objects.index(original)
        return [
            (start, value)
            for characteristic, start in sorted(game.starts.items())
            for value in sorted(found.copiable.values(number, characteristic), key=str)
        ]

    def carried_out(
        self, bearer: ox.NamedNode, ability: ox.NamedNode
    ) -> tuple[tuple[ox.NamedNode, ...], list[tuple[ox.NamedNode, Value]]]:
        """Return what an ability would apply to if it were carried out now, and what it would do, by properties.

        Raises:
            CaseError: C110 its scope can't be read, C111 there is nothing that it changes.
        """
        latest = self._latest()
        said = None if latest is None else latest[0].gatherer(latest[1], _game(latest[2])).said(ability)
        barred = self._said_of(ability, "forbids")
        if latest is None or said is None or not (said.changes or barred):
            name = ability.value.rsplit("/", 1)[1]
            raise CaseError(
                "C111",
                f"carrying out '{name}' changes nothing that lasts",
                place=latest[0].base.places.get(ability.value) if latest else None,
                hint="say in the card file what the ability changes, with fields such as 'adds types'",
            )
        effects, branch, found = latest
        game = _game(found)
        lasting = [(core(name), value) for name in _KEPT for value in self._said_of(ability, name)]
        if not said.changes:
            # What changes no characteristic and no controller applies to whatever its scope comes to refer to.
            scope = [] if said.scope is None else [(core("hasScope"), ox.Literal(said.scope))]
            return (), [*scope, *lasting]
        sources = Sources((), {}, effects.since, {}, effects.meanings(branch, game))
        number = effects.objects.index(bearer) if bearer in effects.objects else None
        effect = Effect(ability, said, (0, 0), bearer=number)
        course, board = Course(sources, game), found.final
        changes = [
            pair
            for modification, given in said.changes
            for pair in said.stated(modification, course.resolved(modification, given, effect, board))
        ]
        return tuple(board.ground.listed(course.reached(effect, board))), [*changes, *lasting]

    def controller_of(self, bearer: ox.NamedNode) -> ox.NamedNode | None:
        """Return who controls an object."""
        latest = self.effects()
        found = [fact.object for fact in self.facts_about(bearer) if fact.predicate == core("hasController")]
        return next((one for one in found if isinstance(one, ox.NamedNode)), None) if latest else None

    def facts_about(self, node: ox.NamedNode) -> list[ox.Triple]:
        """Return what rules and texts have concluded of something."""
        latest = self.effects()
        return [] if latest is None else [fact for fact in latest[1].supports if fact.subject == node]

    def _said_of(self, ability: ox.NamedNode, name: str) -> list[Value]:
        latest = self.effects()
        return [] if latest is None else values(latest[0].store, ability, core(name), latest[0].base.base[-1])

    def _latest(self) -> tuple[Effects, Branch, Resolution] | None:
        latest = self.effects()
        if latest is None:
            return None
        found = next((one for one in latest[1].records if isinstance(one, Resolution)), None)
        return None if found is None else (*latest, found)


def _game(found: Resolution) -> Declared:
    return found.start.ground.declared
