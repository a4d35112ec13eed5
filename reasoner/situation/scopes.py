"""Scopes: which objects an ability in force applies to, read from the reference text that says so.

An ability in play is a node of its own below its object, so that two copies of a card count twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.engine.inference import Branch
from reasoner.engine.pattern import ANY_PREDICATE, Pattern, Variable
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
class Reader:
    """What a rule asks of what reaches something: the properties of that itself, and of the ability that it is."""

    own: frozenset[ox.NamedNode]
    of_ability: frozenset[ox.NamedNode]


@dataclass(frozen=True)
class Asked:
    """Which abilities the rules ask about: the scopes of the others need not be read.

    The order of effects reads the scopes of the abilities that it carries out itself; `ordered` are the properties
    that it carries out. `readers` are the rules that read what abilities reach; `written` all that rules conclude.
    """

    ordered: frozenset[ox.NamedNode]
    readers: frozenset[Reader]
    written: frozenset[str]

    def about(self, said: AbstractSet[ox.NamedNode], holds: Callable[[ox.NamedNode], bool]) -> bool:
        """Return whether to read the scope of an ability that has the properties `said`.

        `holds` tells whether anything is stated of the ability on its bearer with a property.
        """
        return said.isdisjoint(self.ordered) or any(
            reader.of_ability <= said and all(one.value in self.written or holds(one) for one in reader.own)
            for reader in self.readers
        )


@dataclass(frozen=True)
class Scopes:
    """Tells, for one moment, which of its `objects` each ability in force reaches, as far as `asked` says."""

    base: KnowledgeBase
    store: ox.Store
    graphs: Sequence[ox.NamedNode]
    moment: ox.NamedNode
    objects: tuple[ox.NamedNode, ...]
    asked: Asked

    def __call__(self, branch: Branch) -> dict[ox.Triple, Support]:
        """Return the facts core:reaches and core:isAbility that hold in `branch`, each with its support.

        Raises:
            CaseError: C110 a scope can't be read, or its meaning is not settled.
        """
        found: dict[ox.Triple, Support] = {}
        view = View(self.store, (self.moment, branch.graph), self.base.vocabulary, False, branch.contents)
        around = Surroundings(self.store, (*self.graphs, branch.graph), frozenset(branch.present), branch.contents)
        for fact in branch.derived(_IN_FORCE):
            bearer, ability = fact.subject, fact.object
            assert isinstance(bearer, ox.NamedNode)
            assert isinstance(ability, ox.NamedNode)
            instance = ox.NamedNode(f"{bearer.value}/ability/{ability.value.rsplit('/', 1)[1]}")
            if not self._is_asked(instance, ability, branch.graph):
                continue
            for text in values(self.store, ability, _SCOPE, self.base.base[-1]):
                support = Support(_RULE, {"bearer": bearer, "ability": ability, "text": text})
                for target in self._reached(text.value, Context(bearer, ability), around, view):
                    found[ox.Triple(instance, REACHES, target)] = support
                    found[ox.Triple(instance, _IS_ABILITY, ability)] = support
        return found

    def _is_asked(self, instance: ox.NamedNode, ability: ox.NamedNode, concluded: ox.NamedNode) -> bool:
        quads = self.store.quads_for_pattern(ability, None, None, self.base.base[-1])
        graphs = (self.moment, concluded)
        return self.asked.about(
            {quad.predicate for quad in quads},
            lambda verb: any(any(self.store.quads_for_pattern(instance, verb, None, name)) for name in graphs),
        )

    def _reached(self, text: str, context: Context, around: Surroundings, view: View) -> list[ox.NamedNode]:
        meaning = scope_meaning(text, context, self.base, around)
        return view.meeting(meaning.selector, self.objects)


def asked_about(rules: Iterable[Rule], ordered: Iterable[ox.NamedNode]) -> Asked:
    """Return which abilities `rules` ask about, where the order of effects carries out the properties `ordered`."""
    known = tuple(rules)
    readers = frozenset(reader for rule in known for reader in _readers(rule))
    return Asked(frozenset(ordered), readers, frozenset(verb for rule in known for verb, _ in rule.writes))


def _readers(rule: Rule) -> Iterator[Reader]:
    if not {REACHES.value, _IS_ABILITY.value, ANY_PREDICATE}.isdisjoint(rule.read_predicates):
        for _, found in rule.body:
            if found.verb in (REACHES, _IS_ABILITY):
                own = [one for one in rule.required if one.subject == found.subject]
                kinds = {one.object for one in (*own, found) if one.verb == _IS_ABILITY}
                yield Reader(
                    frozenset(_verbs(own)) - {REACHES, _IS_ABILITY},
                    frozenset(_verbs(one for one in rule.required if one.subject in kinds)),
                )
            elif not isinstance(found.verb, ox.NamedNode):
                yield Reader(frozenset(), frozenset())


def _verbs(patterns: Iterable[Pattern]) -> Iterator[ox.NamedNode]:
    return (one.verb for one in patterns if isinstance(one.verb, ox.NamedNode))
