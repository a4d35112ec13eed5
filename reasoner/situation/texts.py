"""Texts that are asked at many moments of a situation, read anew only where what they can depend on is different."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import pyoxigraph as ox

from reasoner.engine.pattern import Variable
from reasoner.engine.rule import Rule
from reasoner.errors import TextError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.reference.interpret import Surroundings
from reasoner.reference.mentiongraph import Context, describe
from reasoner.reference.scope import scope_meaning
from reasoner.reference.selector import Selector
from reasoner.terms.namespaces import RDFS, TYPE, core

# How rules come from a mention to what its context names.
_LINKS = (core("isOnReferent"), core("hasAntecedent"), core("isInAbility"))
_OF_MENTIONS = (core("Mention"), core("Word"))
_DOMAIN = ox.NamedNode(RDFS + "domain")


@dataclass
class Texts:
    """The meanings of texts found so far in one situation."""

    base: KnowledgeBase
    _kept: dict[tuple[str, Context, frozenset[ox.Triple]], Selector] = field(default_factory=dict)
    _words: dict[tuple[str, bool, bool, bool], frozenset[str]] = field(default_factory=dict)

    def selector(self, text: str, context: Context, around: Surroundings, facts: Iterable[ox.Triple]) -> Selector:
        """Return whom `text` refers to in `context`; `facts` are those of the moment, `around` is where they lie.

        Raises:
            CaseError: C110 it can't be read, or its meaning is not settled.
        """
        key = (text, context, frozenset(self._heeded(text, context, around, facts)))
        if key not in self._kept:
            self._kept[key] = scope_meaning(text, context, self.base, around).selector
        return self._kept[key]

    def _heeded(
        self, text: str, context: Context, around: Surroundings, facts: Iterable[ox.Triple]
    ) -> Iterator[ox.Triple]:
        """Yield the facts on which the meaning of a text can depend."""
        named = {one for one in (context.bearer, context.antecedent) if one is not None}
        # A rule that looks at more than what the context names matters only where all that it needs is there.
        possible = self._possible(text, context)
        wide = {
            predicate
            for rule, read in self._wide
            if all(needed in possible or (needed, None) in around.present for needed, _ in rule.needs)
            for predicate in read
        }
        if named or wide:
            for fact in facts:
                predicate = fact.predicate.value
                if predicate in wide or (fact.subject in named and predicate in self._changing):
                    yield fact

    def _possible(self, text: str, context: Context) -> frozenset[str]:
        """Return the predicates of what can be known of the words of a text."""
        key = (text, context.bearer is None, context.antecedent is None, context.ability is None)
        if key not in self._words:
            try:
                readings = self.base.read(text)
            except TextError:
                readings = ()  # which the reading of the text reports
            described = [describe(one, context, self.base.iri) for one in readings]
            found = {triple.predicate.value for graph in described for triple in graph.triples}
            rules = self.base.programs.reference.rules
            own = {predicate for rule in rules for predicate, _ in rule.writes} | self._seen
            while (
                more := {
                    predicate
                    for rule in rules
                    if all(needed in found or needed not in own for needed, _ in rule.needs)
                    for predicate, _ in rule.writes
                }
                - found
            ):
                found |= more
            self._words[key] = frozenset(found)
        return self._words[key]

    @cached_property
    def _seen(self) -> frozenset[str]:
        """The predicates of what the eye sees in a text."""
        rules, vocabulary = self.base.programs.reference.rules, self.base.vocabulary
        read = {predicate for rule in rules for predicate, _ in (*rule.reads, *rule.reads_complete)}
        domains = {one: set(vocabulary.objects(ox.NamedNode(one), _DOMAIN)) for one in read}
        return frozenset(one for one, kinds in domains.items() if kinds & set(_OF_MENTIONS))

    @cached_property
    def _changing(self) -> frozenset[str]:
        """The predicates that rules about mentions read and whose facts differ from moment to moment."""
        programs = self.base.programs
        read = {predicate for rule in programs.reference.rules for predicate, _ in (*rule.reads, *rule.reads_complete)}
        own = {predicate for rule in programs.reference.rules for predicate, _ in rule.writes}
        fixed = {predicate for predicate, _ in self.base.present}
        concluded = {predicate for rule in programs.state.rules for predicate, _ in rule.writes}
        return frozenset((read - own - fixed) | (read & concluded)) - self._seen - {TYPE.value}

    @cached_property
    def _wide(self) -> tuple[tuple[Rule, frozenset[str]], ...]:
        """The rules that read such facts of more than what the context of a mention names, with what they read."""
        found = []
        for rule in self.base.programs.reference.rules:
            patterns = (*rule.required, *rule.either, *rule.optional, *rule.absent, *rule.counted, *rule.guarded)
            named = {pattern.object for pattern in patterns if pattern.verb in _LINKS}
            read = {predicate for pattern in patterns for predicate, _ in pattern.signatures()}
            wide = frozenset(read & self._changing)
            if any(
                not isinstance(pattern.subject, Variable) or pattern.subject not in named
                for pattern in patterns
                if any(predicate in wide for predicate, _ in pattern.signatures())
            ):
                found.append((rule, wide))
        return tuple(found)
