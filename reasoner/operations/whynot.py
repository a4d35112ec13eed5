"""Why a fact does not hold: for each rule that could conclude it, the first premise that fails, and why that fails.

This is "why-not provenance" as in Chapman and Jagadish, "Why not?" (2009): the frontier at which a derivation
stops, found by extending the bindings of a rule's head premise by premise. Conditions and blocks that must be absent
are run as the rule writes them, over all bindings that are left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.engine.parts import ABSENT, EITHER, Part
from reasoner.engine.pattern import ANY_PREDICATE, Path, Pattern, Slot, Term, Variable
from reasoner.engine.program import Program
from reasoner.engine.rule import Rule
from reasoner.operations.rerun import MOST_BINDINGS, Binding, bound_by, rerun, variables
from reasoner.terms.namespaces import RANGE, SUBCLASS, TYPE

DEEPEST = 5
MOST_INSTEAD = 3
_TELLING = 10


@dataclass(frozen=True)
class Failure:
    """A fact that does not hold. `attempts` are the rules that could conclude it; none: it can only be asserted."""

    fact: tuple[str, str, str]
    pattern: Pattern
    binding: Binding
    attempts: tuple[Attempt, ...]
    cut: bool = False


@dataclass(frozen=True)
class Condition:
    """A condition of a rule that is not met, as the rule writes it, and what its variables stand for."""

    text: str
    values: tuple[tuple[str, Term], ...]


@dataclass(frozen=True)
class Attempt:
    """A rule that could conclude the fact, what of it was met, and where it came to an end.

    That is one of: a premise that `failed`; what is there although it must be absent (`blocked_by`, which holds
    together); a `condition`. None of them: the rule gives the fact, which did not prevail. `instead` are derived facts
    that were met and then led nowhere: what is so in place of what was asked. Not `could_apply`: the rule is about
    another kind of thing, and no value that its premises can have would give the fact.
    """

    rule: Rule
    met: int
    failed: Failure | None = None
    blocked_by: tuple[tuple[str, str, str], ...] = ()
    condition: Condition | None = None
    instead: tuple[ox.Triple, ...] = ()
    could_apply: bool = True

    @property
    def reach(self) -> int:
        """How many premises were met on the way to the last failure: the attempt that came furthest tells most."""
        below = max((attempt.reach for attempt in self.failed.attempts), default=0) if self.failed else 1
        return self.met + below + (_TELLING if self.instead else 0)


class WhyNot:
    """Looks for the reasons why facts are missing from `graphs` of `store`, given the rules of `programs`.

    What is so instead is told, but for facts of the predicates `silent`, which hold by construction.
    """

    def __init__(
        self,
        store: ox.Store,
        graphs: Sequence[ox.NamedNode],
        programs: Sequence[Program],
        silent: Collection[ox.NamedNode] = (),
    ) -> None:
        self.store = store
        self.graphs = tuple(graphs)
        self.rules = tuple(rule for program in programs for rule in program.rules)
        untold = {predicate.value for predicate in silent}
        written = {predicate for rule in self.rules for predicate, _ in rule.writes}
        self.derived = frozenset(written - untold)
        self.written = frozenset((ANY_PREDICATE, *written))
        self._walked: dict[tuple[str, Term | None, Term | None], list[tuple[object, object]]] = {}

    def explain(
        self, pattern: Pattern, binding: Binding | None = None, depth: int = 0, above: tuple[str, ...] = ()
    ) -> Failure:
        """Return why `pattern` under `binding` has no match."""
        bound = binding or {}
        fact = pattern.text(bound)
        if depth >= DEEPEST or str(fact) in above:
            return Failure(fact, pattern, bound, (), cut=True)
        attempts = [
            attempt
            for rule in self.rules
            for head in rule.heads
            if (start := _unify(head, pattern, bound)) is not None
            for attempt in [self._attempt(rule, start, depth, (*above, str(fact)))]
        ]
        ordered = sorted(attempts, key=lambda one: (not one.could_apply, not one.instead, -one.reach, one.rule.id))
        return Failure(
            fact, pattern, bound, tuple({attempt.rule.id: attempt for attempt in reversed(ordered)}.values())[::-1]
        )

    def _attempt(self, rule: Rule, start: Binding, depth: int, above: tuple[str, ...]) -> Attempt:
        bindings = [start]
        pending = list(rule.required)
        met = 0
        passed: list[Pattern] = []
        while pending:
            # The premise with the most bound places next: the frontier is then as specific as it can be.
            pattern = max(pending, key=lambda one: (_bound(one, bindings[0]), -pending.index(one)))
            pending.remove(pattern)
            extended = [found for binding in bindings for found in self._matches(pattern, binding)][:MOST_BINDINGS]
            if not extended:
                failed = self.explain(pattern, bindings[0], depth + 1, above)
                instead = self._instead(passed, pattern, bindings[0])
                return Attempt(rule, met, failed, instead=instead, could_apply=self._could_apply(rule, start))
            met += 1
            passed.append(pattern)
            bindings = extended
        texts: list[str] = []
        for part in sorted(rule.parts, key=lambda one: one.is_last):  # the sort is stable
            if not self._solve(rule, bindings, [*texts, part.text], start):
                return self._ended(rule, met, part, texts, bindings, depth, above)
            texts.append(part.text)
        return Attempt(rule, met)

    def _ended(
        self,
        rule: Rule,
        met: int,
        part: Part,
        texts: list[str],
        bindings: list[Binding],
        depth: int,
        above: tuple[str, ...],
    ) -> Attempt:
        """Return the attempt that ends at `part`, after the parts `texts`: none of `bindings` meets it."""
        binding = (self._solve(rule, bindings, texts) or bindings)[0]
        if part.kind == ABSENT:
            found = (self._solve(rule, bindings, [*texts, part.block]) or [binding])[0]
            others = (one for one in part.others if next(self._matches(one, found), None) is not None)
            return Attempt(rule, met, blocked_by=tuple(one.text(found) for one in (*part.patterns, *others)))
        within = (*part.patterns, *part.others)
        if part.kind == EITHER and within:
            missing = (one for one in within if next(self._matches(one, binding), None) is None)
            return Attempt(rule, met, self.explain(next(missing, within[0]), binding, depth + 1, above))
        # What a part binds is told as it comes out, which is not what was asked for.
        known = (self._solve(rule, bindings, [*texts, part.text]) or [binding])[0]
        values = tuple((name, known[name]) for name in variables(part.text) if name in known)
        return Attempt(rule, met, condition=Condition(" ".join(part.text.split()), values))

    def _solve(
        self, rule: Rule, bindings: list[Binding], texts: list[str], start: Binding | None = None
    ) -> list[Binding]:
        """Return what solves the parts `texts`; with `start`, only where they bind what is asked for."""
        solved = rerun(self.store, self.graphs, rule, bindings, texts)
        asked = {name: value for text in texts if (name := bound_by(text)) and (value := (start or {}).get(name))}
        return [one for one in solved if all(one.get(name) == value for name, value in asked.items())]

    def _could_apply(self, rule: Rule, start: Binding) -> bool:
        """Return whether each place that is open under `start` has a value of its range that the vocabulary allows."""
        for one in rule.required:
            place = one.object
            if not isinstance(place, Variable) or place.name in start or not isinstance(one.verb, ox.NamedNode):
                continue
            tests = [other for other in rule.required if other != one and self._is_test_of(place, other, start)]
            values = self._values_of(one.verb) if tests else []
            if values and not any(self._holds_all(tests, {**start, place.name: value}) for value in values):
                return False
        return True

    def _is_test_of(self, place: Variable, pattern: Pattern, start: Binding) -> bool:
        """Return whether `pattern` tests nothing but `place`, by facts that no rule gives."""
        ends = (pattern.subject, pattern.object)
        others = [slot for slot in ends if slot != place]
        known = len(others) == 1 and _value(others[0], start) is not None
        return known and self.written.isdisjoint(predicate for predicate, _ in pattern.signatures())

    def _holds_all(self, patterns: Sequence[Pattern], binding: Binding) -> bool:
        return all(next(self._matches(one, binding), None) is not None for one in patterns)

    def _values_of(self, predicate: ox.NamedNode) -> list[ox.NamedNode]:
        """Return the individuals of the classes that are the range of `predicate`; none if nothing says."""
        found: dict[ox.NamedNode, None] = {}
        for kind in self._objects(predicate, RANGE):
            below = [kind]
            for one in below:
                below += [sub for sub in self._subjects(SUBCLASS, one) if sub not in below]
                found.update(dict.fromkeys(self._subjects(TYPE, one)))
        return list(found)

    def _objects(self, subject: ox.NamedNode, predicate: ox.NamedNode) -> list[ox.NamedNode]:
        quads = (q for name in self.graphs for q in self.store.quads_for_pattern(subject, predicate, None, name))
        return [quad.object for quad in quads if isinstance(quad.object, ox.NamedNode)]

    def _subjects(self, predicate: ox.NamedNode, value: ox.NamedNode) -> list[ox.NamedNode]:
        quads = (q for name in self.graphs for q in self.store.quads_for_pattern(None, predicate, value, name))
        return [quad.subject for quad in quads if isinstance(quad.subject, ox.NamedNode)]

    def _instead(self, passed: list[Pattern], failed: Pattern, binding: Binding) -> tuple[ox.Triple, ...]:
        """Return the derived facts whose value the failed premise tested, or else what stands in its place."""
        tested = {slot for slot in (failed.subject, failed.object) if isinstance(slot, Variable)}
        derived = [
            one
            for one in passed
            if isinstance(one.verb, ox.NamedNode) and one.verb.value in self.derived and one.object in tested
        ]
        found = tuple(triple for one in derived if (triple := one.instance(binding)) is not None)
        subject = _value(failed.subject, binding)
        if (
            found
            or not isinstance(failed.verb, ox.NamedNode)
            or failed.verb == TYPE
            or failed.verb.value not in self.derived
        ):
            return found
        if not isinstance(subject, ox.NamedNode) or _value(failed.object, binding) is None:
            return found
        quads = (q for name in self.graphs for q in self.store.quads_for_pattern(subject, failed.verb, None, name))
        return tuple(sorted({quad.triple for quad in quads}, key=str))[:MOST_INSTEAD]

    def _matches(self, pattern: Pattern, binding: Binding) -> Iterator[Binding]:
        subject, value = _value(pattern.subject, binding), _value(pattern.object, binding)
        if isinstance(pattern.verb, Path):
            yield from self._walk(pattern, pattern.verb, binding)
            return
        verb = _value(pattern.verb, binding) if isinstance(pattern.verb, Variable) else pattern.verb
        if isinstance(subject, ox.Literal):
            return
        for name in self.graphs:
            for quad in self.store.quads_for_pattern(subject, verb, value, name):  # type: ignore[arg-type]
                found = _extend(
                    binding,
                    (pattern.subject, quad.subject),
                    (pattern.verb, quad.predicate),
                    (pattern.object, quad.object),
                )
                if found is not None:
                    yield found

    def _walk(self, pattern: Pattern, path: Path, binding: Binding) -> Iterator[Binding]:
        ends = (_value(pattern.subject, binding), _value(pattern.object, binding))
        key = (path.text, *ends)
        if key not in self._walked:  # the same few paths are asked for over and over, and each query takes long
            query = f"SELECT DISTINCT ?s ?o WHERE {{ ?s {path.text} ?o }}"
            bound = {ox.Variable(name): end for name, end in zip("so", ends, strict=True) if end is not None}
            solutions = self.store.query(query, default_graph=list(self.graphs), substitutions=bound)  # type: ignore[arg-type]
            assert isinstance(solutions, ox.QuerySolutions)
            self._walked[key] = [(solution["s"], solution["o"]) for solution in solutions]
        for start, end in self._walked[key]:
            found = _extend(binding, (pattern.subject, start), (pattern.object, end))
            if found is not None:
                yield found


def _value(slot: Slot, binding: Binding) -> Term | None:
    return binding.get(slot.name) if isinstance(slot, Variable) else slot


def _bound(pattern: Pattern, binding: Binding) -> int:
    return sum(1 for slot in (pattern.subject, pattern.object) if _value(slot, binding) is not None)


def _extend(binding: Binding, *places: tuple[object, object]) -> Binding | None:
    """Return `binding` with the terms found in the places of variables; None if a variable would have two values."""
    found = dict(binding)
    for slot, value in places:
        if not isinstance(slot, Variable) or not isinstance(value, ox.NamedNode | ox.BlankNode | ox.Literal):
            continue
        if found.setdefault(slot.name, value) != value:
            return None
    return found


def _unify(head: Pattern, goal: Pattern, binding: Binding) -> Binding | None:
    """Return the binding of the head's variables under which it could give the goal; None if it never can."""
    if isinstance(goal.verb, Path) or head.verb != goal.verb:
        return None
    found: Binding = {}
    for mine, wanted in ((head.subject, goal.subject), (head.object, goal.object)):
        value = _value(wanted, binding)
        if value is None:
            continue
        if isinstance(mine, Variable):
            if found.setdefault(mine.name, value) != value:
                return None
        elif mine != value:
            return None
    return found
