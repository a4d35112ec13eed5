"""Whether a rule can have a solution at all with some variables bound: looked up fact by fact before a query is made.

What every solution must meet is followed from what is bound, step by step, to what it can lead to. Where that ends
nowhere there is no solution, and no query is needed to say so. Where it does not, there may yet be none.

Source: arc consistency, A. K. Mackworth, Consistency in Networks of Relations (Artificial Intelligence 8, 1977), once
along the patterns; the same as a semijoin, P. A. Bernstein, D.-M. W. Chiu (Journal of the ACM 28, 1981).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias

import pyoxigraph as ox

from reasoner.engine.pattern import Path, Pattern, Slot, Variable
from reasoner.engine.rule import Rule

MOST_FOLLOWED, MOST_CHANGED = 8, 24
# What is known of a subject under a predicate.
Objects: TypeAlias = Callable[[object, ox.NamedNode], Iterable[object]]
# A step that every solution takes: from a variable by a predicate to a variable or term; whether it may be left out.
_Step: TypeAlias = tuple[str, ox.NamedNode, Slot, bool]


def can_hold(rule: Rule, bound: Mapping[str, object], objects: Objects) -> bool:
    """Return whether `rule` may have a solution in which variables are bound so; False: it has none for certain."""
    reached: dict[str, set[object]] = {name: {value} for name, value in bound.items()}
    for start, predicate, end, may_stay in _steps(rule, tuple(sorted(bound))):
        if len(reached[start]) > MOST_FOLLOWED:
            continue
        kept, ends = set(), set()
        known = reached.get(end.name) if isinstance(end, Variable) else {end}
        for one in reached[start]:
            found = {one, *objects(one, predicate)} if may_stay else objects(one, predicate)
            # Literals that are written otherwise may be the same to a query.
            met = [each for each in found if known is None or each in known or isinstance(each, ox.Literal)]
            if met:
                kept.add(one)
                ends.update(met)
        if not kept:
            return False
        reached[start] = kept
        if isinstance(end, Variable):
            reached[end.name] = ends if end.name not in reached else reached[end.name] & ends or ends
    return True


def is_unaffected(rule: Rule, changes: Mapping[str, frozenset[ox.Triple]], objects: Objects) -> bool:
    """Return whether `rule` has for certain the solutions that it had before some facts came or went.

    `changes` are these facts, by key (see `Rule.read_keys`); `objects` tells what is known now. A solution that is
    gained or lost has one of them in one of its patterns, or lacks it where it must be absent.
    """
    facts = frozenset().union(*changes.values())
    if rule.guarded or rule.counted or len(facts) > MOST_CHANGED:
        return False
    changed: dict[tuple[object, ox.NamedNode], list[object]] = {}
    for fact in facts:
        changed.setdefault((fact.subject, fact.predicate), []).append(fact.object)

    def before_or_now(subject: object, predicate: ox.NamedNode) -> Iterable[object]:
        return (*objects(subject, predicate), *changed.get((subject, predicate), ()))

    for fact in facts:
        for pattern in _patterns(rule, fact.predicate):
            if not isinstance(pattern.verb, ox.NamedNode):
                return False
            bound = _bindings(pattern, fact)
            if bound is not None and can_hold(rule, bound, before_or_now):
                return False
    return True


@lru_cache(maxsize=4096)
def _steps(rule: Rule, bound: tuple[str, ...]) -> tuple[_Step, ...]:
    """Return the steps of the patterns that each solution meets, in an order in which each begins at what is bound."""
    known, left = set(bound), list(rule.required)
    found: list[_Step] = []
    while True:
        following = next((one for one in left if isinstance(one.subject, Variable) and one.subject.name in known), None)
        if following is None:
            return tuple(found)
        left.remove(following)
        step = _step(following)
        if step is not None:
            found.append(step)
            if isinstance(following.object, Variable):
                known.add(following.object.name)


def _step(pattern: Pattern) -> _Step | None:
    assert isinstance(pattern.subject, Variable)
    verb = pattern.verb
    if isinstance(verb, ox.NamedNode):
        return pattern.subject.name, verb, pattern.object, False
    if isinstance(verb, Path) and len(verb.predicates) == 1 and verb.text == f"<{verb.predicates[0]}>?":
        return pattern.subject.name, ox.NamedNode(verb.predicates[0]), pattern.object, True
    return None


@lru_cache(maxsize=16_384)
def _patterns(rule: Rule, predicate: ox.NamedNode) -> tuple[Pattern, ...]:
    """Return the patterns of a rule that can see facts with a predicate."""
    return tuple(p for _, p in rule.body if any(one == predicate.value for one, _ in p.signatures()))


def _bindings(pattern: Pattern, fact: ox.Triple) -> dict[str, object] | None:
    """Return what a pattern binds if it is met by a fact; None where it can't be."""
    found: dict[str, object] = {}
    for slot, term in ((pattern.subject, fact.subject), (pattern.object, fact.object)):
        if isinstance(slot, Variable):
            if found.setdefault(slot.name, term) != term:
                return None
        elif slot != term and not isinstance(term, ox.Literal):
            return None
    return found
