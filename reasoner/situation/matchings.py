"""Quantities of players that a matching gives: how many seats can be filled at once from what is there.

Which quantities those are, the classes of their seats and the wording of who can fill them is read from the ontology.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.engine.inference import Branch
from reasoner.engine.precedence import Support
from reasoner.engine.rule import Header
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.reference.evaluate import Outcome, View
from reasoner.reference.interpret import Surroundings
from reasoner.reference.matching import matching
from reasoner.reference.mentiongraph import Context
from reasoner.reference.possible import IDENTITY
from reasoner.reference.scope import scope_meaning
from reasoner.reference.selector import Has
from reasoner.situation.state import boolean, integer
from reasoner.situation.told import resting_on
from reasoner.terms.namespaces import TYPE, core

_FILLS, _IS_FOR, _OTHER = core("fillsSeat"), core("isSeatFor"), core("hasOtherAssignment")
_HEADER = Header(
    "core:matching",
    "As many seats are filled as can be at once",
    "core:DesignPrinciples",
    "matchings",
    "undated",
)


@dataclass(frozen=True)
class Matchings:
    """Tells, for one moment, how many seats each of the `players` can fill, and one assignment that does."""

    base: KnowledgeBase
    store: ox.Store
    graphs: Sequence[ox.NamedNode]
    moment: ox.NamedNode
    objects: tuple[ox.NamedNode, ...]
    players: tuple[ox.NamedNode, ...]

    def __call__(self, branch: Branch) -> dict[ox.Triple, Support]:
        """Return the facts that hold in `branch`, each with its support.

        Raises:
            CaseError: C110 the wording of the candidates can't be read.
        """
        found: dict[ox.Triple, Support] = {}
        view = View(self.store, (self.moment, branch.graph), self.base.vocabulary, False, branch.contents)
        around = Surroundings(self.store, (*self.graphs, branch.graph), frozenset(branch.present), branch.contents)
        for quantity, characteristic, text in seated(self.base.vocabulary):
            for player in self.players:
                selector = scope_meaning(text, Context(speaker=player), self.base, around).selector
                outcomes = zip(self.objects, view.outcomes(selector, self.objects), strict=True)
                candidates = {one: tuple(_met(outcome, one)) for one, outcome in outcomes if outcome.value is True}
                found.update(self._facts(quantity, characteristic, player, candidates, view))
        return found

    def _facts(
        self,
        quantity: ox.NamedNode,
        characteristic: ox.NamedNode,
        player: ox.NamedNode,
        candidates: dict[ox.NamedNode, tuple[ox.Triple, ...]],
        view: View,
    ) -> Iterator[tuple[ox.Triple, Support]]:
        seats = self.base.vocabulary.objects(quantity, core("hasSeat"))
        classes = [one for one in seats if isinstance(one, ox.NamedNode)]
        known = list(candidates)
        best = matching(
            [
                [number for number, met in enumerate(view.tested(Has(TYPE.value, kind), known)) if met is True]
                for kind in classes
            ]
        )
        name = quantity.value.rsplit("/", 1)[1]
        premises = []
        for seat, number in best.filled:
            kind, one = classes[seat], known[number]
            place = ox.NamedNode(f"{player.value}/{name}/{kind.value.rsplit('/', 1)[1]}")
            seat_fact, fills = ox.Triple(place, _IS_FOR, kind), ox.Triple(one, _FILLS, place)
            yield seat_fact, _support(seat_fact, [ox.Triple(quantity, core("hasSeat"), kind)])
            yield fills, _support(fills, [ox.Triple(one, TYPE, kind), *candidates[one]])
            premises.append(fills)
        other = ox.Triple(player, _OTHER, boolean(best.has_other))
        yield other, _support(other, [])
        size = ox.Triple(player, characteristic, integer(len(best.filled)))
        yield size, _support(size, [*premises, other])


def seated(vocabulary: Vocabulary) -> list[tuple[ox.NamedNode, ox.NamedNode, str]]:
    """Return each quantity that a matching gives, the characteristic that holds it, and the wording of candidates."""
    return [
        (quantity, characteristic, text.value)
        for quantity, text in vocabulary.pairs(core("hasCandidates"))
        if isinstance(text, ox.Literal)
        and isinstance(characteristic := vocabulary.first(quantity, core("isGivenBy")), ox.NamedNode)
    ]


def _met(outcome: Outcome, one: ox.NamedNode) -> Iterator[ox.Triple]:
    """Yield the facts of an object that meet parts of a selector."""
    for tested in outcome.tested:
        atom = tested.atom
        if tested.result is True and isinstance(atom, Has) and atom.characteristic != IDENTITY:
            yield ox.Triple(one, ox.NamedNode(atom.characteristic), atom.value)


def _support(fact: ox.Triple, premises: Sequence[ox.Triple]) -> Support:
    # No query finds a largest matching.
    return resting_on(premises, fact, _HEADER, "reasoner/situation/matchings.py")
