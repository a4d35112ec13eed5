"""Solutions of rules kept from run to run: a rule that reads what it read before gives what it gave before.

A situation runs the same rules at each of its moments, over a vocabulary that stays and facts of which an event changes
few. What a rule reads is known from its patterns (see reader), so its solutions are looked up by exactly the facts with
those predicates; nothing is guessed from what an event is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import pyoxigraph as ox

from reasoner.engine.pattern import ANY_PREDICATE
from reasoner.engine.rule import Rule

MOST_KNOWN = 20_000
# The variables of a query and its solutions.
Solved: TypeAlias = tuple[tuple[str, ...], tuple[ox.QuerySolution, ...]]
_Key: TypeAlias = tuple[str, tuple[frozenset[ox.Triple], ...]]
_NOTHING: frozenset[ox.Triple] = frozenset()


@dataclass
class Memo:
    """What is kept over the runs in one store, as long as nothing is written to its graphs `fixed`.

    Stores may share one if those graphs are the same in them, as far as rules read them.
    """

    fixed: frozenset[ox.NamedNode]
    known: dict[_Key, Solved] = field(default_factory=dict)

    def contents(self, store: ox.Store, graphs: Iterable[ox.NamedNode]) -> Contents:
        """Return the facts of the `graphs` that are not fixed."""
        found = Contents(self)
        for name in graphs:
            if name not in self.fixed:
                found.add(quad.triple for quad in store.quads_for_pattern(None, None, None, name))
        return found


@dataclass
class Contents:
    """The facts that may differ from run to run, by predicate, as they are by now in one branch of a run."""

    memo: Memo
    facts: dict[str, set[ox.Triple]] = field(default_factory=dict)
    frozen: dict[str, frozenset[ox.Triple]] = field(default_factory=dict)

    def add(self, facts: Iterable[ox.Triple]) -> None:
        """Note facts that the store has now."""
        for fact in facts:
            predicate = fact.predicate.value
            self.facts.setdefault(predicate, set()).add(fact)
            self.frozen.pop(predicate, None)

    def copy(self) -> Contents:
        """Return the same facts, to go another way with."""
        return Contents(self.memo, {name: set(facts) for name, facts in self.facts.items()}, dict(self.frozen))

    def solve(self, rule: Rule, ask: Callable[[], Solved]) -> Solved:
        """Return the solutions of `rule`: those it had over the same facts, else what `ask` gives."""
        if ANY_PREDICATE in rule.read_predicates:
            return ask()
        key = (rule.id, tuple(map(self._of, rule.read_predicates)))
        found = self.memo.known.get(key)
        if found is None:
            if len(self.memo.known) >= MOST_KNOWN:
                self.memo.known.clear()
            found = self.memo.known[key] = ask()
        return found

    def _of(self, predicate: str) -> frozenset[ox.Triple]:
        if predicate not in self.facts:
            return _NOTHING
        if predicate not in self.frozen:
            self.frozen[predicate] = frozenset(self.facts[predicate])
        return self.frozen[predicate]
