"""Which facts a run can see only by way of others: those about a thing to which nothing leads are nothing to it.

The rules about a text go from its mentions to the card it stands on and from there to its controller. What is so of the
other cards does not matter to them, so that a text is not read anew because one of these has moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import pyoxigraph as ox

from reasoner.engine.pattern import ANY_PREDICATE, Path, Pattern, Variable
from reasoner.engine.rule import Rule
from reasoner.terms.namespaces import TYPE


def approaches(rules: Iterable[Rule]) -> Mapping[str, tuple[frozenset[str], ...]]:
    """Return the predicates whose facts `rules` see only where a fact with another predicate has led to their subject.

    Each comes with those predicates, once for each pattern that sees it: one of them has led there. What the rules
    conclude themselves is left out, and so are classes.
    """
    known = tuple(rules)
    written = {predicate for rule in known for predicate, _ in rule.writes}
    barred = {TYPE.value, ANY_PREDICATE, *written}
    found: dict[str, list[frozenset[str]]] = {}
    for rule in known:
        for _, pattern in rule.body:
            steps = frozenset(_steps(rule, pattern)) - written
            for predicate, _ in pattern.signatures():
                found.setdefault(predicate, []).append(steps if _is_one_step(pattern) else frozenset())
    return {one: tuple(sets) for one, sets in found.items() if one not in barred and all(sets)}


def local(near: Mapping[str, tuple[frozenset[str], ...]], leads: Callable[[str], bool]) -> frozenset[str]:
    """Return the predicates (see `approaches`) to whose facts the run comes from what is known to it, and no other way.

    `leads` tells of a predicate whether its facts all begin where the run does: at the mentions, for texts.
    """
    found = frozenset(near)
    while True:
        kept = frozenset(
            one for one in found if all(any(step in found or leads(step) for step in steps) for steps in near[one])
        )
        if kept == found:
            return found
        found = kept


def _steps(rule: Rule, pattern: Pattern) -> Iterator[str]:
    """Yield the predicates of the patterns that must hold with `pattern` and have its subject for their object."""
    beside = [rule.required, *(part.patterns for part in rule.parts if pattern in (*part.patterns, *part.others))]
    for one in (one for patterns in beside for one in patterns if isinstance(pattern.subject, Variable)):
        leads = one is not pattern and one.object == pattern.subject != one.subject
        if leads and isinstance(one.verb, ox.NamedNode):
            yield one.verb.value


def _is_one_step(pattern: Pattern) -> bool:
    return isinstance(pattern.verb, ox.NamedNode) or (
        isinstance(pattern.verb, Path) and not any(sign in pattern.verb.text for sign in ")*+?^!")
    )
