"""Whether rules tell of each thing by itself: then they can be run over groups of things, one group after the other.

A thing is a card with its faces and abilities, say. No fact leads from one thing to another; what is known besides,
such as the terms of a game, is there for each group. A rule tells of each thing by itself if whatever it looks at is
reached along facts from one subject: so it neither sees two things that only have a value in common, nor denies or
counts what others have. Where a rule does look for things with the same value, these must be in one group.

Source: queries that distribute over components; T. J. Ameloot, B. Ketsman, F. Neven, D. Zinn, Weaker Forms of
Monotonicity for Declarative Networking (ACM TODS 40, 2016), section 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pyoxigraph as ox

from reasoner.engine.parts import EITHER, GIVEN, TOKENS, Part
from reasoner.engine.pattern import ANY_PREDICATE, Path, Pattern, Signature, Slot, Variable
from reasoner.engine.rule import Rule
from reasoner.terms.namespaces import TYPE

_ANY_CLASS: Signature = (TYPE.value, "*")  # things, or others, can be of whatever class
_BESIDE_COUNTING = {"UNION", "OPTIONAL", "EXISTS", "MINUS"}
_BEYOND = {"LIMIT", "OFFSET", "IRI", "URI"}  # chooses among all solutions, or makes the name of another thing
_MAY_BE_EMPTY = re.compile(r"(?i)\b(BIND|VALUES|OPTIONAL|MINUS|NOT|SELECT)\b|\{\s*\}")
_BACKWARD = re.compile(r"[\^!]")


def kept_together(
    rules: Iterable[Rule], of_things: Iterable[Signature], around: Iterable[Signature]
) -> frozenset[str] | None:
    """Return the predicates by which things belong together: those with a value of theirs in common are of one group.

    None if the rules can't be shown to tell of each group by itself. `of_things` are the signatures of the facts about
    things, `around` those of the others. Rules that can't fire on such facts do not count.
    """
    known = _Known(set(of_things), set(around))
    firing = known.firing(tuple(rules))
    found: set[str] = set()
    for rule in firing:
        joining = known.joining(rule)
        if joining is None:
            return None
        found |= joining
    # A value that a rule concludes is one by which the things are together already.
    for rule in firing:
        own = {one.object for one in (*rule.required, *rule.counted) if _predicate(one) in found}
        if any(_predicate(head) in found and head.object not in own for head in rule.heads):
            return None
    return frozenset(found)


@dataclass
class _Reach:
    """What a rule sees from one subject: variables for it or what belongs to it, and `others` to which that leads."""

    things: set[Slot]
    others: set[Slot] = field(default_factory=set)
    ends: dict[Slot, set[str]] = field(default_factory=dict)  # values, by the predicates that lead to them

    def __contains__(self, slot: Slot) -> bool:
        return slot in self.things or slot in self.others

    def grown(self, patterns: Iterable[Pattern], known: _Known) -> _Reach:
        """Return the same with all that is reached through patterns which hold together with what has been seen."""
        found = _Reach(set(self.things), set(self.others), {end: set(names) for end, names in self.ends.items()})
        left = list(patterns)
        while True:
            ahead = [one for one in left if one.subject in found or (one.object in found.things and known.sees(one))]
            if not ahead:
                return found
            left = [one for one in left if one not in ahead]
            for one in ahead:
                if one.subject not in found:
                    found.things.add(one.subject)  # no fact about anything else has a thing for its object
                elif isinstance(one.object, Variable):
                    (found.things if one.object in known.sure else found.others).add(one.object)
                if one.subject in found.things and isinstance(one.object, Variable):
                    found.ends.setdefault(one.object, set()).add(_predicate(one))


@dataclass
class _Known:
    """The signatures of facts about `things`, and of those `around`; `sure` variables of a rule stand for things."""

    things: set[Signature]
    around: set[Signature]
    sure: set[Slot] = field(default_factory=set)

    def firing(self, rules: tuple[Rule, ...]) -> list[Rule]:
        """Return the rules that can fire, and add what they conclude."""
        while True:
            before = len(self.things), len(self.around)
            found = [rule for rule in rules if self._can_fire(rule)]
            for rule in found:
                told = self.things if any(self.sees(pattern) for _, pattern in rule.body) else self.around
                told.update(signature for head in rule.heads for signature in _written(head))
            if (len(self.things), len(self.around)) == before:
                return found

    def _can_fire(self, rule: Rule) -> bool:
        present = self.things | self.around
        needed = {one for one in rule.needs if one[0] != TYPE.value or _ANY_CLASS not in present}
        dead = (
            part
            for part in rule.parts
            if part.kind == EITHER
            and not _MAY_BE_EMPTY.search(part.text)
            and not any(_matches(one, present) for one in (*part.patterns, *part.others))
        )
        return needed <= present and next(dead, None) is None

    def sees(self, pattern: Pattern) -> bool:
        """Return whether facts about things can be instances of a pattern."""
        return _matches(pattern, self.things)

    def joining(self, rule: Rule) -> set[str] | None:
        """Return the predicates by whose values `rule` looks for things; None if it sees more than one otherwise."""
        seeing = [pattern for _, pattern in rule.body if self.sees(pattern)]
        if not seeing:
            return set()
        words = {found.group().upper() for found in TOKENS.finditer(rule.select)}
        counted = [one for one in seeing if one in rule.counted]
        if words & _BEYOND or (counted and words & _BESIDE_COUNTING):
            return None
        if any(isinstance(one.verb, Path) and _BACKWARD.search(one.verb.text) for one in seeing):
            return None
        together = [*rule.required, *rule.counted]
        if not any(one in together for one in seeing):
            together = _alternatives(rule, seeing)
        sure = [one for one in together if not isinstance(one.verb, Path) and self.sees(one)]
        self.sure = {
            one.subject for one in sure if not _matches(one, self.around) and isinstance(one.subject, Variable)
        }
        reaches = self._reaches(together, sure)
        joined = _joined(reaches)
        if joined is None or not reaches:
            return None
        whole, joining = joined
        is_seen = all(self._is_reached(pattern, rule, whole) for pattern in seeing)
        optional = self._optional(rule, whole)
        return joining if is_seen and all(head.subject in optional.things for head in rule.heads) else None

    def _reaches(self, together: list[Pattern], sure: list[Pattern]) -> list[_Reach]:
        found: list[_Reach] = []
        for one in sure:
            if one.subject in self.sure and not any(one.subject in reach for reach in found):
                found.append(_Reach({one.subject}).grown(together, self))
        return found

    def _is_reached(self, pattern: Pattern, rule: Rule, whole: _Reach) -> bool:
        if pattern.subject in whole:
            return True
        if pattern in rule.optional:
            return pattern.subject in self._optional(rule, whole)
        return any(
            pattern.subject in whole.grown(part.patterns, self) for part in rule.parts if pattern in part.patterns
        )

    def _optional(self, rule: Rule, whole: _Reach) -> _Reach:
        """Return what is reached when what is optional holds: a variable in one part alone is bound there."""
        parts = [part for part in rule.parts if _is_plainly_optional(part)]
        inside = [
            one
            for one in rule.optional
            if all(
                slot in whole or not isinstance(slot, Variable) or sum(_stands_in(slot, part) for part in parts) == 1
                for slot in (one.subject, one.object)
            )
        ]
        return whole.grown(inside, self)


def _alternatives(rule: Rule, seeing: list[Pattern]) -> list[Pattern]:
    """Return the patterns of a rule all of whose alternatives are about the same."""
    alike = len({one.subject for one in rule.either}) == 1 and all(one in seeing for one in rule.either)
    return [*rule.either] if alike else []


def _joined(reaches: list[_Reach]) -> tuple[_Reach, set[str]] | None:
    """Return what is seen from several subjects with values in common, and the predicates that lead to these."""
    if not reaches:
        return None
    whole, left, joining = reaches[0], reaches[1:], set[str]()
    while left:
        following = next((one for one in left if whole.ends.keys() & one.ends.keys()), None)
        if following is None:
            return None
        left.remove(following)
        for end in whole.ends.keys() & following.ends.keys():
            joining |= whole.ends[end] | following.ends[end]
        ends = {end: whole.ends.get(end, set()) | following.ends.get(end, set()) for end in whole.ends | following.ends}
        whole = _Reach(whole.things | following.things, whole.others | following.others, ends)
    return (whole, joining) if "" not in joining else None


def _is_plainly_optional(part: Part) -> bool:
    words = [found.group().upper() for found in TOKENS.finditer(part.text)]
    return part.kind == GIVEN and words.count("OPTIONAL") == 1 and not {"UNION", "SELECT", "MINUS", "EXISTS"} & {*words}


def _stands_in(variable: Variable, part: Part) -> bool:
    return re.search(rf"[?$]{re.escape(variable.name)}(?!\w)", part.text) is not None


def _predicate(pattern: Pattern) -> str:
    """Return the predicate of a pattern, if it is one step: else nothing."""
    return pattern.verb.value if isinstance(pattern.verb, ox.NamedNode) else ""


def _matches(pattern: Pattern, signatures: set[Signature]) -> bool:
    """Return whether facts with these signatures can be instances of a pattern."""
    for predicate, value in pattern.signatures():
        if predicate == ANY_PREDICATE or (predicate, value if predicate == TYPE.value else None) in signatures:
            return True
        if predicate == TYPE.value and _ANY_CLASS in signatures:
            return True
    return False


def _written(head: Pattern) -> Iterator[Signature]:
    """Yield what a conclusion is, as the signatures of facts are."""
    yield _predicate(head), None
    if head.verb == TYPE:
        yield _ANY_CLASS if isinstance(head.object, Variable) else (TYPE.value, str(head.object))
