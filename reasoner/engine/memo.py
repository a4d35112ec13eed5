"""Conclusions of rules kept from run to run: a rule that reads what it read before gives what it gave before.

A situation runs the same rules at each of its moments, over a vocabulary that stays and facts of which an event changes
few. What a rule reads is known from its patterns (see reader), so its solutions are looked up by exactly the facts with
those predicates; nothing is guessed from what an event is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import pyoxigraph as ox

from reasoner.engine.pattern import ANY_PREDICATE, Solution
from reasoner.engine.rule import Rule, joined_in, key_of_type
from reasoner.terms.namespaces import TYPE

MOST_KNOWN, MOST_OTHERS = 20_000, 2_000
# What a rule concludes, in the order of its text, each conclusion with the first of the solutions that give it.
Solved: TypeAlias = tuple[tuple[ox.Triple, Solution], ...]
_Key: TypeAlias = tuple[str, tuple[frozenset[ox.Triple], ...]]
_NOTHING: frozenset[ox.Triple] = frozenset()


@dataclass
class Memo:
    """What is kept over the runs in one store, as long as nothing is written to its graphs `fixed`.

    Stores may share one if those graphs are the same in them, as far as rules read them.
    """

    fixed: frozenset[ox.NamedNode]
    known: dict[_Key, Solved] = field(default_factory=dict)
    others: dict[Hashable, object] = field(default_factory=dict)
    _stated: dict[str, bool] = field(default_factory=dict)

    def states(self, predicate: str, store: ox.Store) -> bool:
        """Return whether a graph that is fixed has facts with a predicate."""
        if predicate not in self._stated:
            node = ox.NamedNode(predicate)
            quads = (store.quads_for_pattern(None, node, None, name) for name in self.fixed)
            self._stated[predicate] = any(next(iter(found), None) is not None for found in quads)
        return self._stated[predicate]

    def keep(self, key: Hashable, found: object) -> None:
        """Keep among the `others` what something came to that was worked out by rules: what a text means, say."""
        if len(self.others) >= MOST_OTHERS:
            self.others.clear()
        self.others[key] = found

    def contents(self, store: ox.Store, graphs: Iterable[ox.NamedNode]) -> Contents:
        """Return the facts of the `graphs` that are not fixed."""
        return Contents(self, store).contents(store, graphs)


@dataclass
class Contents:
    """The facts that may differ from run to run, by key, as they are by now in one branch of a run.

    A key is a predicate, a class (see `key_of_type`), or stands for the classes of some objects (see `key_of_joined`).
    `graphs` are those whose facts were looked up, or are added here as they are written; `fresh` are facts that nobody
    has asked for since they were added; `types` are the facts that tell what class something is of, by that thing.
    """

    memo: Memo
    store: ox.Store
    graphs: frozenset[ox.NamedNode] = frozenset()
    known: dict[str, frozenset[ox.Triple]] = field(default_factory=dict)
    fresh: dict[str, set[ox.Triple]] = field(default_factory=dict)
    types: dict[object, frozenset[ox.Triple]] = field(default_factory=dict)

    def contents(self, store: ox.Store, graphs: Iterable[ox.NamedNode]) -> Contents:
        """Return these facts and those of the further `graphs`: for a run over what is known, and a little more."""
        more = [name for name in graphs if name not in self.memo.fixed and name not in self.graphs]
        found = replace(self.copy(), graphs=self.graphs.union(more))
        for name in more:
            found.add(quad.triple for quad in store.quads_for_pattern(None, None, None, name))
        return found

    def add(self, facts: Iterable[ox.Triple]) -> None:
        """Note facts that the store has now."""
        fresh = self.fresh
        for fact in facts:
            predicate = fact.predicate.value
            fresh.setdefault(predicate, set()).add(fact)
            if predicate == TYPE.value:
                fresh.setdefault(key_of_type(str(fact.object)), set()).add(fact)
                self.types[fact.subject] = self.types.get(fact.subject, _NOTHING) | {fact}

    def copy(self) -> Contents:
        """Return the same facts, to go another way with."""
        fresh = {name: set(new) for name, new in self.fresh.items()}
        return Contents(self.memo, self.store, self.graphs, dict(self.known), fresh, dict(self.types))

    def moved(self, graph: ox.NamedNode, other: ox.NamedNode) -> Contents:
        """Return the same facts, those of `graph` now in `other`."""
        return replace(self.copy(), graphs=self.graphs - {graph} | {other})

    def of(self, keys: Iterable[str]) -> tuple[frozenset[ox.Triple], ...]:
        """Return the facts under each of the keys."""
        return tuple(
            self._of(key) if (predicate := joined_in(key)) is None else self._joined(predicate) for key in keys
        )

    def _joined(self, predicate: str) -> frozenset[ox.Triple]:
        """Return the facts of what class the objects of a predicate are."""
        if self.memo.states(predicate, self.store):
            return self._of(TYPE.value)
        objects = {fact.object for fact in self._of(predicate)}
        return frozenset(fact for one in objects for fact in self.types.get(one, ()))

    def solve(self, rule: Rule, ask: Callable[[], Solved]) -> Solved:
        """Return what `rule` concludes: what it concluded from the same facts, else what `ask` gives."""
        if ANY_PREDICATE in rule.read_predicates:
            return ask()
        key = (rule.id, self.of(rule.read_keys))
        found = self.memo.known.get(key)
        if found is None:
            if len(self.memo.known) >= MOST_KNOWN:
                self.memo.known.clear()
            found = self.memo.known[key] = ask()
        return found

    def _of(self, key: str) -> frozenset[ox.Triple]:
        new = self.fresh.pop(key, None)
        if new:
            self.known[key] = self.known.get(key, _NOTHING) | new
        return self.known.get(key, _NOTHING)
