"""Effects as an informant of the rules: what they make of the objects of a moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.effects.declared import Declared, declared
from reasoner.effects.effect import Since
from reasoner.effects.facts import Telling
from reasoner.effects.following import Following
from reasoner.effects.gather import Gatherer
from reasoner.effects.meanings import Meanings
from reasoner.effects.order import Resolution, resolve
from reasoner.engine.inference import Branch
from reasoner.engine.precedence import Support
from reasoner.engine.rule import Rule
from reasoner.knowledge.base import KnowledgeBase
from reasoner.terms.namespaces import core

_OWN_CARD = core("hasOwnCard")


@dataclass(frozen=True)
class Kept:
    """What one moment of a situation has found out and the next can use: what follows from values.

    `staying` are the rules by which what nothing changes stays as it starts.
    """

    following: Following
    staying: Mapping[str, Rule]


@dataclass(frozen=True)
class Effects:
    """Tells, for one moment, the final values of every object that an effect changes."""

    base: KnowledgeBase
    store: ox.Store
    moment: ox.NamedNode
    stated: Sequence[ox.Triple]
    objects: tuple[ox.NamedNode, ...]
    since: tuple[Since, ...]
    kept: Kept

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
        staying = self.kept.staying
        branch.done |= frozenset(rule.id for rule in staying.values())
        cards = {fact.subject: fact.object for fact in self.stated if fact.predicate == _OWN_CARD}
        return Telling(self.base, game, found, staying, cards).facts()  # type: ignore[arg-type]

    def resolution(self, branch: Branch, game: Declared) -> Resolution:
        """Return what effects make of the moment in `branch`, in order."""
        gatherer = self.gatherer(branch, game)
        board = gatherer.board()
        meanings = self.meanings(branch, game)
        return resolve(gatherer.sources(board, meanings, frozenset(meanings.read_of_bearer)), board)

    def gatherer(self, branch: Branch, game: Declared) -> Gatherer:
        """Return what reads the facts of the moment in `branch`."""
        return Gatherer(
            self.base,
            game,
            self.store,
            (self.moment, branch.graph),
            self.objects,
            self.since,
            self.kept.following,
            branch.contents,
        )

    def meanings(self, branch: Branch, game: Declared) -> Meanings:
        """Return what reads scope texts in `branch`."""
        graphs = (*self.base.base, self.moment)
        return Meanings(self.base, game, self.store, graphs, branch, self.kept.following)
