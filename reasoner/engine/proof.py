"""Proofs: a derived fact, the rule that gave it, and its premises down to what was asserted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.engine.inference import Branch
from reasoner.engine.pattern import Path, Pattern, Variable
from reasoner.engine.precedence import Defeat, Support
from reasoner.engine.rule import Rule


@dataclass(frozen=True)
class Absence:
    """Something that must not hold, and does not: the three parts of the pattern as text.

    `telling` where it names what is absent, and not just that nothing else stands in the way.
    """

    parts: tuple[str, str, str]
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
        yield self
        for premise in self.premises:
            yield from premise.steps()


Lookup = Callable[[ox.Triple], Support | None]


def prove(fact: ox.Triple, branch: Branch, lookup: Lookup, holds: Callable[[ox.Triple], bool]) -> Proof:
    """Return the proof of `fact` in `branch`.

    `lookup` gives the support of facts that an earlier run derived (None for asserted ones); `holds` tells
    whether a triple is there at all, which decides the branch of a UNION that a solution went through.
    """
    seen: set[ox.Triple] = set()

    def visit(current: ox.Triple) -> Proof:
        support = branch.supports.get(current) or lookup(current)
        if support is None:
            return Proof(current)
        if current in seen:
            return Proof(current, support.rule, repeated=True)
        seen.add(current)
        premises = tuple(_premise(pattern, support, visit) for pattern in support.rule.required)
        either = tuple(
            visit(triple)
            for pattern in (*support.rule.either, *support.rule.optional)
            if (triple := pattern.instance(support.solution)) and holds(triple)
        )
        absences = tuple(Absence(pattern.text(support.solution), _is_telling(pattern, support)) for pattern in support.rule.absent)
        return Proof(current, support.rule, (*premises, *either), absences, defeats_by(current, branch))

    return visit(fact)


def _is_telling(pattern: Pattern, support: Support) -> bool:
    unbound = [slot for slot in (pattern.subject, pattern.object) if isinstance(slot, Variable) and slot.name not in support.solution]
    return not unbound or (len(unbound) == 1 and not isinstance(pattern.object, Variable))


def defeats_by(fact: ox.Triple, branch: Branch) -> tuple[Defeat, ...]:
    """Return the defeats through which `fact` prevailed in `branch`."""
    return tuple(defeat for conflict in branch.conflicts for defeat in conflict.defeats if defeat.instead == fact)


def _premise(pattern: Pattern, support: Support, visit: Callable[[ox.Triple], Proof]) -> Proof:
    triple = pattern.instance(support.solution)
    if triple is not None:
        return visit(triple)
    parts = pattern.text(support.solution)
    if isinstance(pattern.verb, Path):
        parts = (parts[0], pattern.verb.text, parts[2])
    return Proof(None, walk=parts)
