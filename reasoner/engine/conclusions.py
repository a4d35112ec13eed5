"""What a rule, or whoever else supplies facts, concludes: the facts, each with what it rests on."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property

import pyoxigraph as ox

from reasoner.engine.pattern import Pattern, Signature, Solution, Variable
from reasoner.engine.precedence import Support
from reasoner.engine.rule import Rule, key_of_type
from reasoner.terms.namespaces import TYPE

_ALL_TYPES: Signature = (TYPE.value, None)


class Conclusions:
    """Facts with their supports, in order; never changed once they are made.

    What is told of them besides is worked out once, however many runs come to the same.
    """

    def __init__(self, supports: Mapping[ox.Triple, Support]) -> None:
        self.supports = supports

    def __len__(self) -> int:
        return len(self.supports)

    @cached_property
    def signatures(self) -> frozenset[Signature]:
        """The signatures of the facts."""
        keys = (key.partition(" ") for key in self.by_key)
        return frozenset((predicate, kind or None) for predicate, _, kind in keys)

    @cached_property
    def distinct(self) -> frozenset[Signature]:
        """The signatures by which facts are told apart: of types the class alone."""
        return self.signatures - {_ALL_TYPES}

    @cached_property
    def by_key(self) -> Mapping[str, frozenset[ox.Triple]]:
        """The facts under each key (see `key_of_type`)."""
        found: dict[str, list[ox.Triple]] = {}
        by_predicate: dict[ox.NamedNode, list[ox.Triple]] = {}
        for fact in self.supports:
            by_predicate.setdefault(fact.predicate, []).append(fact)
        for predicate, facts in by_predicate.items():
            found[predicate.value] = facts
        for fact in by_predicate.get(TYPE, ()):
            found.setdefault(key_of_type(str(fact.object)), []).append(fact)
        return {key: frozenset(facts) for key, facts in found.items()}

    @cached_property
    def by_thing(self) -> Mapping[object, tuple[ox.Triple, ...]]:
        """The facts about each thing."""
        found: dict[object, list[ox.Triple]] = {}
        for fact in self.supports:
            found.setdefault(fact.subject, []).append(fact)
        return {thing: tuple(facts) for thing, facts in found.items()}

    @cached_property
    def types(self) -> Mapping[object, frozenset[ox.Triple]]:
        """The facts that tell what class something is of, by that thing."""
        if TYPE.value not in self.by_key:
            return {}
        found = {
            thing: frozenset(fact for fact in facts if fact.predicate == TYPE) for thing, facts in self.by_thing.items()
        }
        return {thing: facts for thing, facts in found.items() if facts}

    def changed(self, things: Collection[object], new: Mapping[ox.Triple, Support], rule: Rule) -> Conclusions:
        """Return what `rule` concludes if it is these, but `new` of the `things`, in the order of its text."""
        before = self.by(rule)
        gone = frozenset(fact for thing in things for fact in before.by_thing.get(thing, ()))
        if not new and not gone:
            return before
        kept = [one for one in before.supports.items() if one[0] not in gone] if gone else list(before.supports.items())
        for one in new.items():
            insort(kept, one, key=_in_order)
        found, added = Conclusions(dict(kept)), Conclusions(new)
        by_key = dict(before.by_key)
        for key in {key for fact in gone for key in _keys(fact)}:
            by_key[key] -= gone
        for key, facts in added.by_key.items():
            by_key[key] = by_key[key] | facts if key in by_key else facts
        found.__dict__["by_key"] = {key: facts for key, facts in by_key.items() if facts}
        for name in ("by_thing", "types"):
            of_things = dict(getattr(before, name))
            for thing in things:
                of_things.pop(thing, None)
            of_things.update(getattr(added, name))
            found.__dict__[name] = of_things
        return found

    def by(self, rule: Rule) -> Conclusions:
        """Return the same, drawn by `rule`: the same rule in a run in which it may rank otherwise."""
        if all(support.rule is rule for support in self.supports.values()):
            return self
        return Conclusions({fact: Support(rule, support.solution) for fact, support in self.supports.items()})


def _keys(fact: ox.Triple) -> Iterator[str]:
    """Yield the keys under which a fact is found."""
    yield fact.predicate.value
    if fact.predicate == TYPE:
        yield key_of_type(str(fact.object))


def _in_order(one: tuple[ox.Triple, Support]) -> str:
    return str(one[0])


def signatures(triples: Iterable[ox.Triple | ox.Quad]) -> set[Signature]:
    """Return the signatures of facts: (predicate, None), and (rdf:type, class) for types."""
    predicates, classes = set(), set()
    for triple in triples:
        predicate = triple.predicate
        predicates.add(predicate)
        if predicate == TYPE:
            classes.add(triple.object)
    found: set[Signature] = {(predicate.value, None) for predicate in predicates}
    return found | {(TYPE.value, str(one)) for one in classes}


def concluded_from(
    rule: Rule, names: tuple[str, ...], rows: Iterable[ox.QuerySolution], is_known: Callable[[ox.Triple], bool]
) -> Conclusions:
    """Return what follows from the solutions of a rule, apart from what is known, in the order of its text."""
    makers = [_maker(head, names) for head in rule.heads]
    found: dict[ox.Triple, ox.QuerySolution] = {}
    for row in rows:
        for make in makers:
            fact = make(row)
            if fact is None:
                continue
            first = found.get(fact)
            if first is None:
                if not is_known(fact):
                    found[fact] = row
            elif _text(row) < _text(first):
                found[fact] = row
    return Conclusions({fact: Support(rule, Solution(names, found[fact])) for fact in sorted(found, key=str)})


def _maker(head: Pattern, names: tuple[str, ...]) -> Callable[[ox.QuerySolution], ox.Triple | None]:
    """Return what makes a fact of a solution: None where a variable is unbound or a literal would be a subject."""
    subject, verb, value = head.subject, head.verb, head.object
    assert isinstance(verb, ox.NamedNode)
    # A solution gives its terms by their places several times faster than by their names.
    subject_place = names.index(subject.name) if isinstance(subject, Variable) else None
    value_place = names.index(value.name) if isinstance(value, Variable) else None

    def make(row: ox.QuerySolution) -> ox.Triple | None:
        first = subject if subject_place is None else row[subject_place]
        last = value if value_place is None else row[value_place]
        if first is None or last is None or isinstance(first, ox.Literal):
            return None
        return ox.Triple(first, verb, last)  # type: ignore[arg-type]

    return make


def _text(row: ox.QuerySolution) -> list[str]:
    return [str(value) for value in row]
