"""Proofs: a derived fact, the rule that gave it, and its premises down to what was asserted."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.engine.inference import Branch
from reasoner.engine.parts import ABSENT
from reasoner.engine.pattern import Pattern, Variable
from reasoner.engine.precedence import Defeat, Support
from reasoner.engine.rule import Rule


@dataclass(frozen=True)
class Absence:
    """Something that must not hold, and does not: patterns, each as three texts, that nothing meets together.

    `telling` where it names what is absent, and not just that nothing else stands in the way.
    """

    patterns: tuple[tuple[str, str, str], ...]
    telling: bool = True


@dataclass(frozen=True)
class Proof:
    """How `fact` is known. `rule` is None for an asserted fact; `walk` holds the parts of a property path.

    `defeats` are the rival conclusions that this one set aside; `repeated` marks a fact proved elsewhere in
    the same tree, whose premises are not listed again.
    """

    fact: ox.Triple | None
    rule: Rule | None = None
    premises: tuple[Proof, ...] = ()
    absences: tuple[Absence, ...] = ()
    defeats: tuple[Defeat, ...] = ()
    walk: tuple[str, str, str] | None = None
    repeated: bool = False

    def rules(self) -> tuple[Rule, ...]:
        """Return every rule used, each once, in the order of first use."""
        return tuple(dict.fromkeys(rule for proof in self.steps() if (rule := proof.rule)))

    def steps(self) -> Iterator[Proof]:
        """Yield this proof and all below it, top down."""
        waiting = [self]
        while waiting:
            proof = waiting.pop()
            yield proof
            waiting.extend(reversed(proof.premises))


Lookup = Callable[[ox.Triple], Support | None]


def prove(fact: ox.Triple, branch: Branch, lookup: Lookup, holds: Callable[[ox.Triple], bool]) -> Proof:
    """Return the proof of `fact` in `branch`.

    `lookup` gives the support of facts that an earlier run derived (None for asserted ones); `holds` tells
    whether a triple is there at all, which decides the branch of a UNION that a solution went through.
    """
    seen: set[ox.Triple] = set()
    order: dict[ox.Triple, int] = {}

    def came_before(triple: ox.Triple, current: ox.Triple) -> bool:
        # What holds now need not have held when the rule fired, and may itself rest on what it gave.
        if triple not in branch.supports:
            return True
        if not order:
            order.update((derived, number) for number, derived in enumerate(branch.supports))
        return order[triple] < order.get(current, -1)

    def visit(current: ox.Triple) -> Generator[ox.Triple, Proof, Proof]:
        support = branch.supports.get(current) or lookup(current)
        if support is None:
            return Proof(current)
        rule, solution = support
        if current in seen:
            return Proof(current, rule, repeated=True)
        seen.add(current)
        premises = []
        for pattern in rule.required:
            triple = pattern.instance(solution)
            premises.append(_walk(pattern, support) if triple is None else (yield triple))
        for pattern in (*rule.either, *rule.optional):
            triple = pattern.instance(solution)
            if triple is not None and holds(triple) and came_before(triple, current):
                premises.append((yield triple))
        for triple in dict.fromkeys(each for pattern in rule.counted for each in _summed(pattern, support, branch)):
            if came_before(triple, current):
                premises.append((yield triple))  # noqa: PERF401  (each is asked for by yield)
        return Proof(current, rule, tuple(premises), tuple(_absences(support)), defeats_by(current, branch))

    # Visits wait for the visits they ask for on a list of our own: a proof may be deeper than Python's stack.
    waiting = [visit(fact)]
    answer: Proof | None = None
    while True:
        try:
            wanted = next(waiting[-1]) if answer is None else waiting[-1].send(answer)
        except StopIteration as finished:
            waiting.pop()
            answer = finished.value
            if not waiting:
                assert answer is not None
                return answer
        else:
            waiting.append(visit(wanted))
            answer = None


def _summed(pattern: Pattern, support: Support, branch: Branch) -> list[ox.Triple]:
    """Return what was summed or counted: the derived facts that a pattern of an aggregate meets at its one open end."""
    subject, value = (
        support.solution.get(slot.name) if isinstance(slot, Variable) else slot
        for slot in (pattern.subject, pattern.object)
    )
    if not isinstance(pattern.verb, ox.NamedNode) or (subject is None) == (value is None):
        return []
    found = [fact for fact in branch.supports if fact.predicate == pattern.verb]
    return [fact for fact in found if (fact.subject == subject if value is None else fact.object == value)]


def _absences(support: Support) -> Iterator[Absence]:
    """Yield what must be absent: what the rule denies together as one, everything else by itself."""
    rule, solution = support
    together = [part.patterns for part in rule.parts if part.kind == ABSENT and not part.others]
    alone = [pattern for pattern in rule.absent if not any(pattern in patterns for patterns in together)]
    for patterns in (*together, *((pattern,) for pattern in alone)):
        slots = dict.fromkeys(slot for one in patterns for slot in (one.subject, one.object))
        unbound = [slot for slot in slots if isinstance(slot, Variable) and slot.name not in solution]
        only_its_value = len(patterns) == 1 and isinstance(patterns[0].object, Variable)
        telling = not unbound or (len(unbound) == 1 and not only_its_value)
        yield Absence(tuple(one.text(solution) for one in patterns), telling)


def defeats_by(fact: ox.Triple, branch: Branch) -> tuple[Defeat, ...]:
    """Return the defeats through which `fact` prevailed in `branch`."""
    return tuple(defeat for conflict in branch.conflicts for defeat in conflict.defeats if defeat.instead == fact)


def _walk(pattern: Pattern, support: Support) -> Proof:
    return Proof(None, walk=pattern.text(support.solution))
