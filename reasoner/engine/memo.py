"""Conclusions of rules kept from run to run: a rule that reads what it read before gives what it gave before.

A situation runs the same rules at each of its moments, over a vocabulary that stays and facts of which an event changes
few. What a rule reads is known from its patterns (see reader), so its solutions are looked up by exactly the facts with
those predicates; nothing is guessed from what an event is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import pyoxigraph as ox

from reasoner.engine import locality
from reasoner.engine.conclusions import Conclusions
from reasoner.engine.delta import Ask, renewed
from reasoner.engine.pattern import ANY_PREDICATE, Signature
from reasoner.engine.rule import Rule, joined_in, key_of_type
from reasoner.terms.namespaces import TYPE

MOST_KNOWN, MOST_OTHERS = 20_000, 2_000
_Key: TypeAlias = tuple[str, tuple[frozenset[ox.Triple], ...]]
_NOTHING: frozenset[ox.Triple] = frozenset()
# The predicates that a run sees by way of others alone, the facts under them by subject, and all other facts it reads.
_Apart: TypeAlias = tuple[
    frozenset[str], tuple[Mapping[object, Sequence[ox.Triple]], ...], tuple[frozenset[ox.Triple], ...]
]


@dataclass
class Memo:
    """What is kept over the runs in one store, as long as nothing is written to its graphs `fixed`.

    Stores may share one if those graphs are the same in them, as far as rules read them. Rules are told apart by their
    ids: what they give does not depend on what is said of them otherwise, such as which they are exceptions to.
    `latest` is what each rule concluded last, and from what: the next moment differs little from it.
    """

    fixed: frozenset[ox.NamedNode]
    known: dict[_Key, Conclusions] = field(default_factory=dict)
    others: dict[Hashable, object] = field(default_factory=dict)
    latest: dict[str, tuple[tuple[frozenset[ox.Triple], ...], Conclusions]] = field(default_factory=dict)
    sorted_out: dict[str, tuple[frozenset[ox.Triple], dict[object, list[ox.Triple]]]] = field(default_factory=dict)
    _objects: dict[tuple[object, ox.NamedNode], tuple[object, ...]] = field(default_factory=dict)
    _stated: dict[str, bool] = field(default_factory=dict)

    def states(self, predicate: str, store: ox.Store) -> bool:
        """Return whether a graph that is fixed has facts with a predicate."""
        if predicate not in self._stated:
            node = ox.NamedNode(predicate)
            quads = (store.quads_for_pattern(None, node, None, name) for name in self.fixed)
            self._stated[predicate] = any(next(iter(found), None) is not None for found in quads)
        return self._stated[predicate]

    def objects(self, subject: object, predicate: ox.NamedNode, store: ox.Store) -> tuple[object, ...]:
        """Return the objects of the facts about a subject with a predicate in the graphs that are fixed."""
        key = (subject, predicate)
        if key not in self._objects:
            if len(self._objects) >= MOST_KNOWN:
                self._objects.clear()
            quads = (store.quads_for_pattern(subject, predicate, None, name) for name in self.fixed)  # type: ignore[arg-type]
            named = isinstance(subject, ox.NamedNode | ox.BlankNode)
            self._objects[key] = tuple(quad.object for found in quads for quad in found) if named else ()
        return self._objects[key]

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
    _changes: dict[str, tuple[frozenset[ox.Triple], frozenset[ox.Triple], frozenset[ox.Triple]]] = field(
        default_factory=dict
    )
    _apart: tuple[object, _Apart] | None = None

    def contents(self, store: ox.Store, graphs: Iterable[ox.NamedNode]) -> Contents:
        """Return these facts and those of the further `graphs`: for a run over what is known, and a little more."""
        more = [name for name in graphs if name not in self.memo.fixed and name not in self.graphs]
        found = replace(self.copy(), graphs=self.graphs.union(more))
        for name in more:
            found.add(quad.triple for quad in store.quads_for_pattern(None, None, None, name))
        return found

    def covers(self, graphs: Iterable[ox.NamedNode]) -> bool:
        """Return whether the facts of the `graphs` that are not fixed are all among these."""
        return all(name in self.graphs or name in self.memo.fixed for name in graphs)

    def add(self, facts: Iterable[ox.Triple]) -> None:
        """Note facts that the store has now."""
        self._apart = None
        by_predicate: dict[ox.NamedNode, list[ox.Triple]] = {}
        for fact in facts:
            by_predicate.setdefault(fact.predicate, []).append(fact)
        for predicate, found in by_predicate.items():
            self.fresh.setdefault(predicate.value, set()).update(found)
        for fact in by_predicate.get(TYPE, ()):
            self.fresh.setdefault(key_of_type(str(fact.object)), set()).add(fact)
            self.types[fact.subject] = self.types.get(fact.subject, _NOTHING) | {fact}

    def take(self, found: Conclusions) -> None:
        """Note conclusions that the store has now."""
        self._apart = None
        for key, facts in found.by_key.items():
            if key in self.known or key in self.fresh:
                self.fresh.setdefault(key, set()).update(facts)
            else:
                self.known[key] = facts
        for thing, facts in found.types.items():
            self.types[thing] = self.types[thing] | facts if thing in self.types else facts

    def signatures(self) -> frozenset[Signature]:
        """Return the signatures of these facts: (predicate, None), and (rdf:type, class) for types."""
        keys = (key.partition(" ") for key in {*self.fresh, *self.known})
        return frozenset((predicate, kind or None) for predicate, _, kind in keys)

    def copy(self) -> Contents:
        """Return the same facts, to go another way with."""
        fresh = {name: set(new) for name, new in self.fresh.items()}
        return Contents(self.memo, self.store, self.graphs, dict(self.known), fresh, dict(self.types))

    def moved(self, graph: ox.NamedNode, other: ox.NamedNode) -> Contents:
        """Return the same facts, those of `graph` now in `other`."""
        return replace(self.copy(), graphs=self.graphs - {graph} | {other})

    def holds_just(self, graphs: Iterable[ox.NamedNode]) -> bool:
        """Return whether these are the facts of the `graphs`, and of no other but those that are fixed."""
        wanted = set(graphs)
        return wanted.isdisjoint(self.memo.fixed) and self.graphs - self.memo.fixed == wanted

    def facts(self, predicate: ox.NamedNode, value: ox.NamedNode | None = None) -> Iterable[ox.Triple]:
        """Return the facts with a predicate, and with a value where one is given."""
        if predicate == TYPE and value is not None:
            return self._of(key_of_type(str(value)))
        return (fact for fact in self._of(predicate.value) if value is None or fact.object == value)

    def of(self, keys: Iterable[str]) -> tuple[frozenset[ox.Triple], ...]:
        """Return the facts under each of the keys."""
        return tuple(
            self._of(key) if (predicate := joined_in(key)) is None else self._joined(predicate) for key in keys
        )

    def near(
        self, keys: Iterable[str], approaches: Mapping[str, tuple[frozenset[str], ...]], facts: Iterable[ox.Triple]
    ) -> tuple[Hashable, ...]:
        """Return what a run over these facts and further `facts` depends on, if it reads what is under `keys`.

        Of facts to which the run comes by way of others alone (see `locality.approaches`), those count to which
        something among `facts` leads.
        """
        given = tuple(facts)
        if self._apart is None or self._apart[0] is not approaches:
            self._apart = approaches, self._told_apart(tuple(keys), approaches)
        local, by_subject, others = self._apart[1]
        nodes: set[object] = {node for fact in given for node in (fact.subject, fact.object)}
        reached: set[ox.Triple] = set(given)
        coming: set[object] = nodes
        while coming:
            new = [fact for known in by_subject for node in coming for fact in known.get(node, ())]
            reached.update(new)
            coming = {fact.object for fact in new if fact.object not in nodes}
            nodes |= coming
        reached.update(fact for node in nodes for fact in self.types.get(node, ()))
        return (local, others, frozenset(reached))

    def _told_apart(self, keys: Sequence[str], approaches: Mapping[str, tuple[frozenset[str], ...]]) -> _Apart:
        local = locality.local(approaches, self._leads)
        by_subject = tuple(self._by_subject(key) for key in sorted(local))
        return local, by_subject, self.of(key for key in keys if key not in local)

    def _leads(self, predicate: str) -> bool:
        """Return whether there are no facts with a predicate yet, neither here nor in a graph that is fixed."""
        return not self._of(predicate) and not self.memo.states(predicate, self.store)

    def _by_subject(self, key: str) -> dict[object, list[ox.Triple]]:
        facts = self._of(key)
        kept = self.memo.sorted_out.get(key)
        if kept is None or kept[0] is not facts:
            found: dict[object, list[ox.Triple]] = {}
            for fact in facts:
                found.setdefault(fact.subject, []).append(fact)
            kept = self.memo.sorted_out[key] = (facts, found)
        return kept[1]

    def _joined(self, predicate: str) -> frozenset[ox.Triple]:
        """Return the facts of what class the objects of a predicate are."""
        if self.memo.states(predicate, self.store):
            return self._of(TYPE.value)
        objects = {fact.object for fact in self._of(predicate)}
        return frozenset(fact for one in objects for fact in self.types.get(one, ()))

    def solve(self, rule: Rule, ask: Ask) -> Conclusions:
        """Return what `rule` concludes: what it concluded from the same facts, else what `ask` gives.

        It is asked only about that of which it sees other facts than it did last, where that can be told.
        """
        if ANY_PREDICATE in rule.read_predicates:
            return ask({})
        memo, read = self.memo, self.of(rule.read_keys)
        found = memo.known.get((rule.id, read))
        if found is None:
            if len(memo.known) >= MOST_KNOWN:
                memo.known.clear()
            if rule.id in memo.latest:
                before, concluded = memo.latest[rule.id]
                found = renewed(rule, concluded, self._changed(rule, before, read), ask, self.objects)
            found = memo.known[rule.id, read] = ask({}) if found is None else found
        memo.latest[rule.id] = (read, found)
        return found

    def _changed(
        self, rule: Rule, old: tuple[frozenset[ox.Triple], ...], new: tuple[frozenset[ox.Triple], ...]
    ) -> dict[str, frozenset[ox.Triple]]:
        """Return the facts that have come or gone among those that a rule reads, by key; most rules see the same."""
        found = {}
        for key, before, after in zip(rule.read_keys, old, new, strict=True):
            if before is after or before == after:
                continue
            kept = self._changes.get(key)
            if kept is None or kept[0] is not before or kept[1] is not after:
                kept = self._changes[key] = (before, after, before ^ after)
            found[key] = kept[2]
        return found

    def objects(self, subject: object, predicate: ox.NamedNode) -> Iterable[object]:
        """Return the objects of all facts about a subject with a predicate."""
        facts = self.types if predicate == TYPE else self._by_subject(predicate.value)
        stated = self.memo.objects(subject, predicate, self.store)
        return (*stated, *(fact.object for fact in facts.get(subject, ())))

    def _of(self, key: str) -> frozenset[ox.Triple]:
        new = self.fresh.pop(key, None)
        if new:
            self.known[key] = self.known.get(key, _NOTHING) | new
        return self.known.get(key, _NOTHING)
