"""A program: rules in their order of running, and what can be told of them before they run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from reasoner.engine.locality import approaches
from reasoner.engine.pattern import ANY_PREDICATE, Signature, overlap
from reasoner.engine.precedence import Exclusions
from reasoner.engine.rule import Rule, keys_of
from reasoner.engine.strata import Component


@dataclass(frozen=True)
class Program:
    """Rules in their order of running, what excludes what, and the predicates whose facts informants supply.

    `informed` holds the predicates of each informant, in the order in which they are asked.
    """

    components: tuple[Component, ...]
    exclusions: Exclusions
    informed: tuple[frozenset[str], ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(rule for component in self.components for rule in component.rules)

    @cached_property
    def order(self) -> tuple[Component, ...]:
        """The components as they run: those that wait for an informant after those that wait for none or an earlier."""
        return tuple(sorted(self.components, key=self.waits))

    @cached_property
    def completed(self) -> dict[int, frozenset[str]]:
        """The exclusive predicates that are complete once the component at a position has run."""
        last: dict[str, int] = {}
        for position, component in enumerate(self.order):
            for rule in component.rules:
                for predicate, _ in rule.writes:
                    if self.exclusions.concerns(predicate):
                        last[predicate] = position
        result: dict[int, set[str]] = {}
        for predicate, position in last.items():
            result.setdefault(position, set()).add(predicate)
        return {position: frozenset(predicates) for position, predicates in result.items()}

    @cached_property
    def keys(self) -> tuple[str, ...] | None:
        """The keys of all facts on which a run can depend: what rules read, and what could be given beforehand."""
        touched = {one for rule in self.rules for one in (*rule.reads, *rule.reads_complete, *rule.writes)}
        if any(predicate == ANY_PREDICATE for predicate, _ in touched):
            return None
        written = {one for rule in self.rules for one in rule.writes}
        found = set(keys_of(written))
        for rule in self.rules:
            # What the rules themselves conclude to have an object is not known beforehand.
            told = any(predicate in rule.joined for predicate, _ in written)
            found.update(keys_of(rule.reads | rule.reads_complete) if told else rule.read_keys)
        return tuple(sorted(found))

    @cached_property
    def approaches(self) -> Mapping[str, tuple[frozenset[str], ...]]:
        """The predicates whose facts the rules come to by way of others (see `locality.approaches`)."""
        return approaches(self.rules)

    def toward(self, predicates: Iterable[str]) -> Program:
        """Return the part of the program on which conclusions with `predicates` depend, by however many rules."""
        wanted, kept = set(predicates), []
        for component in reversed(self.components):
            if ANY_PREDICATE in wanted or any(name in wanted for rule in component.rules for name, _ in rule.writes):
                kept.append(component)
                wanted.update(name for rule in component.rules for name in rule.read_predicates)
        return replace(self, components=tuple(reversed(kept)))

    def waits(self, component: Component) -> int:
        """Return for how many informants a component waits: it depends on what the last of them supplies."""
        return max(self.waiting.get(rule.id, 0) for rule in component.rules)

    @cached_property
    def steps(self) -> tuple[tuple[Component, int, frozenset[str]], ...]:
        """The components as they run, each with how many informants it waits for and what is complete after it."""
        return tuple(
            (component, self.waits(component), self.completed.get(position, frozenset()))
            for position, component in enumerate(self.order)
        )

    @cached_property
    def waiting(self) -> Mapping[str, int]:
        """The rules that depend on what informants supply, each with how many of them it waits for."""
        waiting: dict[str, int] = {}
        for number, predicates in enumerate(self.informed, 1):
            written: set[Signature] = {(predicate, None) for predicate in predicates}
            for component in self.components:
                reads = {read for rule in component.rules for read in (*rule.reads, *rule.reads_complete)}
                if any(self._feeds(known, read) for read in reads for known in written):
                    waiting.update(dict.fromkeys((rule.id for rule in component.rules), number))
                    written.update(signature for rule in component.rules for signature in rule.writes)
        return waiting

    def _feeds(self, written: Signature, read: Signature) -> bool:
        """Return whether what is written under `written` can be seen by, or can be a rival of, what is read."""
        return overlap(read, written) or (read[0] == written[0] and self.exclusions.concerns(read[0]))
