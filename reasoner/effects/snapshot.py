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
from reasoner.terms.lookup import Value


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
        if latest is None or not (said := latest[0].gatherer(latest[1], _game(latest[2])).said(ability)).changes:
            name = ability.value.rsplit("/", 1)[1]
            raise CaseError(
                "C111",
                f"carrying out '{name}' changes nothing that lasts",
                place=latest[0].base.places.get(ability.value) if latest else None,
                hint="say in the card file what the ability changes, with fields such as 'adds types'",
            )
        effects, branch, found = latest
        game = _game(found)
        sources = Sources((), {}, effects.since, {}, effects.meanings(branch, game))
        effect = Effect(ability, said, (0, 0), bearer=effects.objects.index(bearer))
        course, board = Course(sources, game), found.final
        changes = [
            (modification.iri, value)
            for modification, values in said.changes
            for value in course.resolved(modification, values, effect, board)
        ]
        return tuple(board.ground.listed(course.reached(effect, board))), changes

    def _latest(self) -> tuple[Effects, Branch, Resolution] | None:
        latest = self.effects()
        if latest is None:
            return None
        found = next((one for one in latest[1].records if isinstance(one, Resolution)), None)
        return None if found is None else (*latest, found)


def _game(found: Resolution) -> Declared:
    return found.start.ground.declared
