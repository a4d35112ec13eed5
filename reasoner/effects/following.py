"""What follows from single values: the rules that read final values, asked ahead of time.

While the order of effects is worked out no object has its final values, and rules that read those have not run. What
such a rule concludes of an object from one value alone (its classes from a card type, what it counts as from its name)
is found by running the rules on a made-up object that has nothing but this value. Rules by which something follows from
the lack of values are taken by their patterns. What any other rule concludes is known only in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import and_, or_

import pyoxigraph as ox

from reasoner.effects.board import Key, Table
from reasoner.effects.declared import Declared
from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import discard, infer
from reasoner.engine.pattern import Pattern, Signature, Variable, overlap
from reasoner.engine.program import Program
from reasoner.engine.rule import Rule
from reasoner.engine.strata import Component
from reasoner.knowledge.base import KnowledgeBase
from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import BASE, core

_PROBES = ox.NamedNode(BASE + "graph/scratch/probes")
_BY_CONSTRUCTION = frozenset({core("takesPrintFrom").value, core("hasOwnCard").value})


@dataclass
class Following:
    """Tells which objects of a board have what follows from their values. What it has found out it keeps."""

    base: KnowledgeBase
    declared: Declared
    store: ox.Store
    _asked: set[tuple[str, Value]] = field(default_factory=set)
    _givers: dict[tuple[str, Value], list[tuple[str, Value]]] = field(default_factory=dict)
    _late_values: dict[Signature, bool] = field(default_factory=dict)
    _known: dict[tuple[str, Value], tuple[list[tuple[str, Value]], list[Rule]] | None] = field(default_factory=dict)

    def having(self, characteristic: str, value: Value, table: Table, everything: int) -> int | None:
        """Return the objects of which rules will conclude `value`; None if rules conclude no such thing from values."""
        sources = self._sources(characteristic, value)
        if sources is None:
            return None
        found = 0
        for giver, given in sources[0]:
            found |= table.get(giver, {}).get(given, 0)
        for rule in sources[1]:
            found |= self._lacks(rule, table, everything)
        return found

    def gives(self, characteristic: str, value: Value) -> Iterator[Key]:
        """Yield the keys of all on which it depends which objects have what follows."""
        sources = self._sources(characteristic, value)
        if sources is not None:
            yield from sources[0]
            yield from ((_predicate(one), None) for rule in sources[1] for one in (*rule.required, *rule.absent))

    def prepare(self, values: Iterable[tuple[str, Value]]) -> None:
        """Find out what follows from `values`, with their characteristics: all that a board can have must be there."""
        read = self._read
        self._ask(pair for pair in values if pair[0] in read)

    def _sources(self, characteristic: str, value: Value) -> tuple[list[tuple[str, Value]], list[Rule]] | None:
        key = (characteristic, value)
        if key not in self._known:
            self._known[key] = self._sources_of(characteristic, value)
        return self._known[key]

    def _sources_of(self, characteristic: str, value: Value) -> tuple[list[tuple[str, Value]], list[Rule]] | None:
        """Return the values from which one follows, and the rules by which it follows from a lack; None: it can't."""
        wanted = (characteristic, str(value))
        if not any(overlap(wanted, written) for written in self._written):
            return None
        node = ox.NamedNode(characteristic)
        lacking = [
            rule for rule in self._lacking if any(head.verb == node and head.object == value for head in rule.heads)
        ]
        return self._givers.setdefault((characteristic, value), []), lacking

    def is_late(self, characteristic: str, value: Value | None) -> bool:
        """Return whether a rule may conclude `value` in a way that is known only when all effects are applied."""
        wanted = (characteristic, None if value is None else str(value))
        if wanted not in self._late_values:
            self._late_values[wanted] = any(overlap(wanted, written) for rule in self._late for written in rule.writes)
        return self._late_values[wanted]

    @cached_property
    def _waiting(self) -> tuple[Rule, ...]:
        program = self.base.programs.state
        rules = (rule for component in program.components for rule in component.rules)
        starts = self.declared.starts
        return tuple(
            rule
            for rule in rules
            if program.waiting.get(rule.id) and not any(predicate in starts for predicate, _ in rule.writes)
        )

    @cached_property
    def _simple(self) -> tuple[Rule, ...]:
        """The rules that conclude something of an object from one value."""
        known = set(self.declared.starts)
        found: dict[Rule, None] = {}
        while True:
            more = [rule for rule in self._waiting if rule not in found and _reads_one(rule, known)]
            if not more:
                return tuple(found)
            found.update(dict.fromkeys(more))
            known |= {predicate for rule in more for predicate, _ in rule.writes}

    @cached_property
    def _lacking(self) -> tuple[Rule, ...]:
        """The rules that conclude something of an object from what it lacks."""
        return tuple(rule for rule in self._waiting if _reads_lack(rule, set(self.declared.starts)))

    @cached_property
    def _late(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in self._waiting if rule not in self._simple and rule not in self._lacking)

    @cached_property
    def _written(self) -> frozenset[Signature]:
        return frozenset(written for rule in (*self._simple, *self._lacking) for written in rule.writes)

    @cached_property
    def _read(self) -> tuple[str, ...]:
        read = {predicate for rule in self._simple for predicate, _ in rule.reads}
        return tuple(sorted(read & self.declared.starts.keys()))

    def _ask(self, values: Iterable[tuple[str, Value]]) -> None:
        new = [pair for pair in values if pair not in self._asked]
        if not new:
            return
        self._asked.update(new)
        probes = {ox.NamedNode(f"{_PROBES.value}/{number}"): pair for number, pair in enumerate(new)}
        facts = [ox.Quad(probe, ox.NamedNode(one), value, _PROBES) for probe, (one, value) in probes.items()]
        facts += [ox.Quad(probe, core("hasOwnCard"), probe, _PROBES) for probe in probes]
        self.store.extend(facts)
        simple = set(self._simple)
        program = self.base.programs.state
        components = (
            Component(tuple(rule for rule in one.rules if rule in simple), one.recursive, one.stratum)
            for one in program.components
        )
        chosen = Program(tuple(one for one in components if one.rules), program.exclusions)
        try:
            found = infer(
                self.store,
                [*self.base.base, _PROBES],
                self.base.present | signatures(facts),
                chosen,
                ox.NamedNode(f"{_PROBES.value}/inferred"),
            )
        finally:
            discard(self.store, _PROBES)
        for fact in dict.fromkeys(fact for branch in found.branches for fact in branch.supports):
            if isinstance(fact.subject, ox.NamedNode) and isinstance(fact.object, ox.NamedNode | ox.Literal):
                self._givers.setdefault((fact.predicate.value, fact.object), []).append(probes[fact.subject])

    def _lacks(self, rule: Rule, table: Table, everything: int) -> int:
        own = [pattern for pattern in rule.required if _predicate(pattern) not in _BY_CONSTRUCTION]
        has = reduce(and_, (_objects(pattern, table) for pattern in own), everything)
        return has & ~reduce(or_, (_objects(pattern, table) for pattern in rule.absent), 0)


def _objects(pattern: Pattern, table: Table) -> int:
    values = table.get(_predicate(pattern), {})
    return reduce(or_, values.values(), 0) if isinstance(pattern.object, Variable) else values.get(pattern.object, 0)


def _predicate(pattern: Pattern) -> str:
    return pattern.verb.value if isinstance(pattern.verb, ox.NamedNode) else ""


def _reads_one(rule: Rule, known: set[str]) -> bool:
    """Return whether a rule concludes something of its subject from one value of a predicate in `known`."""
    if rule.absent or rule.optional or rule.counted or rule.guarded:
        return False
    subjects = {head.subject for head in rule.heads}
    patterns = [*rule.required, *rule.either]
    if len(subjects) != 1 or any(pattern.object in subjects for pattern in patterns):
        return False
    required = [one for one in rule.required if one.subject in subjects and one.verb != core("hasOwnCard")]
    either = [one for one in rule.either if one.subject in subjects]
    needed = required or either
    only_one = (len(required) == 1 and not either) or (not required and bool(either))
    return only_one and all(_predicate(pattern) in known for pattern in needed)


def _reads_lack(rule: Rule, known: set[str]) -> bool:
    """Return whether a rule concludes something of its subject from having some values and lacking others.

    What its patterns do not show (filters, values listed) must not be there.
    """
    text = rule.select.upper()
    plain = text.count("FILTER") == text.count("NOT EXISTS") == len(rule.absent) and not (
        "BIND" in text or "VALUES" in text
    )
    if not rule.absent or rule.either or rule.optional or rule.counted or rule.guarded or not plain:
        return False
    subjects = {head.subject for head in rule.heads}
    patterns = (*rule.required, *rule.absent)
    predicates = {_predicate(pattern) for pattern in patterns}
    return (
        len(subjects) == 1
        and all(pattern.subject in subjects for pattern in patterns)
        and all(not isinstance(head.object, Variable) for head in rule.heads)
        and {_predicate(pattern) for pattern in rule.absent} <= known
        and predicates <= known | _BY_CONSTRUCTION
    )
