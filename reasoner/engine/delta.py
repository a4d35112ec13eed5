"""What a rule concludes where facts about few things are other than before: only of these is it asked again.

An event changes what is so of a card or two; a rule that tells of each thing what follows from what is so of it
concludes of all the others what it did before. Which variable of a rule stands for that thing depends on what has
changed: all patterns that can see it must have the variable for their subject, and so must the head.

Source: a special case of incremental evaluation by differences; A. Gupta, I. S. Mumick, V. S. Subrahmanian, Maintaining
Views Incrementally (SIGMOD 1993), section 3, for rules in which a change concerns one binding of one variable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

import pyoxigraph as ox

from reasoner.engine.conclusions import Conclusions
from reasoner.engine.pattern import Pattern, Term, Variable
from reasoner.engine.prospects import Objects, can_hold, is_unaffected
from reasoner.engine.rule import Rule, joined_in, key_of_type
from reasoner.terms.namespaces import TYPE

MOST_CONCERNED, MOST_ASKED = 16, 4  # beyond that, asking of all at once is about as quick
# Gives what a rule concludes, where variables are bound to something beforehand.
Ask: TypeAlias = Callable[[Mapping[str, Term]], Conclusions]


def renewed(
    rule: Rule, before: Conclusions, changes: Mapping[str, frozenset[ox.Triple]], ask: Ask, objects: Objects
) -> Conclusions | None:
    """Return what `rule` concludes, if it concluded `before` of what was other than now; None where it must be asked.

    `changes` are the facts that have come or gone, by key; `objects` tells what is known now.
    """
    subject = pivot(rule, frozenset(changes))
    if subject is None:
        return before if is_unaffected(rule, changes, objects) else None
    concerned = {fact.subject for facts in changes.values() for fact in facts}
    if len(concerned) > MOST_CONCERNED:
        return None
    asked = [thing for thing in concerned if can_hold(rule, {subject: thing}, objects)]
    if len(asked) > MOST_ASKED:
        return None
    new = {fact: support for thing in asked for fact, support in ask({subject: thing}).supports.items()}  # type: ignore[dict-item]
    return before.changed(concerned, new, rule)


@lru_cache(maxsize=4096)
def pivot(rule: Rule, keys: frozenset[str]) -> str | None:
    """Return the variable that stands for what facts under `keys` are about, wherever `rule` sees them; else None.

    A rule that counts, or sees them under two negations, has none: there a solution depends on more than one thing.
    """
    if rule.counted or rule.guarded:
        return None
    subjects = {pattern.subject for _, pattern in rule.body if any(_sees(pattern, key) for key in keys)}
    subjects |= {head.subject for head in rule.heads}
    paths = [p for _, p in rule.body if not isinstance(p.verb, ox.NamedNode) and any(_sees(p, key) for key in keys)]
    if len(subjects) > 1 or paths:
        return None
    (subject,) = subjects
    is_bound = any(one.subject == subject and isinstance(one.verb, ox.NamedNode) for one in rule.required)
    return subject.name if isinstance(subject, Variable) and is_bound else None


def _sees(pattern: Pattern, key: str) -> bool:
    """Return whether facts under a key (see `Rule.read_keys`) can be instances of a pattern."""
    if joined_in(key) is not None:
        return any(predicate == TYPE.value for predicate, _ in pattern.signatures())
    return any(
        predicate == key or (predicate == TYPE.value and value is not None and key == key_of_type(value))
        for predicate, value in pattern.signatures()
    )
