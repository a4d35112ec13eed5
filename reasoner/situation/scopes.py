"""Scopes: which objects an ability in force applies to, read from the reference text that says so.

An ability in play is a node of its own below its object, so that two copies of a card count twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.engine.inference import Branch
from reasoner.engine.memo import Memo
from reasoner.engine.pattern import Pattern, Variable
from reasoner.engine.precedence import Support
from reasoner.engine.rule import Header, Rule
from reasoner.knowledge.base import KnowledgeBase
from reasoner.reference.evaluate import View
from reasoner.reference.interpret import Surroundings
from reasoner.reference.mentiongraph import Context
from reasoner.reference.scope import scope_meaning
from reasoner.terms.lookup import values
from reasoner.terms.namespaces import core

REACHES = core("reaches")
_IN_FORCE, _SCOPE, _IS_ABILITY = core("hasAbilityInForce"), core("hasScope"), core("isAbility")
_BEARER, _ABILITY, _TEXT = Variable("bearer"), Variable("ability"), Variable("text")
# Not a rule file, since no query can read a text; proofs show it as one, with what it rests on.
_RULE = Rule(
    header=Header(
        "core:scope",
        "An ability in force applies to what its scope refers to",
        "core:DesignPrinciples",
        "scopes",
        "undated",
    ),
    path="reasoner/situation/scopes.py",
    select="",
    heads=(Pattern(Variable("instance"), REACHES, Variable("target")),),
    required=(Pattern(_BEARER, _IN_FORCE, _ABILITY), Pattern(_ABILITY, _SCOPE, _TEXT)),
)


@dataclass(frozen=True)
class Scopes:
    """Tells, for one moment, which of its `objects` each ability in force reaches."""

    base: KnowledgeBase
    store: ox.Store
    graphs: Sequence[ox.NamedNode]
    moment: ox.NamedNode
    objects: tuple[ox.NamedNode, ...]
    memo: Memo | None = None

    def __call__(self, branch: Branch) -> dict[ox.Triple, Support]:
        """Return the facts core:reaches and core:isAbility that hold in `branch`, each with its support.

        Raises:
            CaseError: C110 a scope can't be read, or its meaning is not settled.
        """
        found: dict[ox.Triple, Support] = {}
        view = View(self.store, (self.moment, branch.graph), self.base.vocabulary, is_pool=False)
        around = Surroundings(self.store, (*self.graphs, branch.graph), frozenset(branch.present), self.memo)
        for fact in [fact for fact in branch.supports if fact.predicate == _IN_FORCE]:
            bearer, ability = fact.subject, fact.object
            assert isinstance(bearer, ox.NamedNode)
            assert isinstance(ability, ox.NamedNode)
            for text in values(self.store, ability, _SCOPE, self.base.base[-1]):
                support = Support(_RULE, {"bearer": bearer, "ability": ability, "text": text})
                instance = ox.NamedNode(f"{bearer.value}/ability/{ability.value.rsplit('/', 1)[1]}")
                for target in self._reached(text.value, Context(bearer, ability), around, view):
                    found[ox.Triple(instance, REACHES, target)] = support
                    found[ox.Triple(instance, _IS_ABILITY, ability)] = support
        return found

    def _reached(self, text: str, context: Context, around: Surroundings, view: View) -> list[ox.NamedNode]:
        meaning = scope_meaning(text, context, self.base, around)
        return [one for one in self.objects if view.evaluate(meaning.selector, one).value is True]
