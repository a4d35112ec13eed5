"""Why a fact does not hold: for each rule that could conclude it, the first premise that fails, and why that fails.

This is "why-not provenance" as in Chapman and Jagadish, "Why not?" (2009): the frontier at which a derivation
stops, found by extending the bindings of a rule's head premise by premise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from reasoner.engine.inference import Program
from reasoner.engine.pattern import Path, Pattern, Slot, Term, Variable
from reasoner.engine.rule import Rule

MOST_BINDINGS = 50
DEEPEST = 5
_TELLING = 10


@dataclass(frozen=True)
class Failure:
    """A fact that does not hold. `attempts` are the rules that could conclude it; none: it can only be asserted."""

    fact: tuple[str, str, str]
    pattern: Pattern
    binding: dict[str, Term]
    attempts: tuple[Attempt, ...]
    cut: bool = False


@dataclass(frozen=True)
class Attempt:
    """A rule that could conclude the fact, what of it was met, and the premise that failed (or the block that holds).

    `instead` are derived facts that were met and then led nowhere: what is so in place of what was asked.
    """

    rule: Rule
    met: int
    failed: Failure | None
    blocked_by: tuple[str, str, str] | None
    instead: tuple[ox.Triple, ...] = ()

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
        self.derived = frozenset(
            predicate for rule in self.rules for predicate, _ in rule.writes if predicate not in untold
        )

    def explain(
        self, pattern: Pattern, binding: dict[str, Term] | None = None, depth: int = 0, above: tuple[str, ...] = ()
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
        ordered = sorted(attempts, key=lambda one: (-one.reach, one.rule.id))
        return Failure(
            fact, pattern, bound, tuple({attempt.rule.id: attempt for attempt in reversed(ordered)}.values())[::-1]
        )

    def _attempt(self, rule: Rule, start: dict[str, Term], depth: int, above: tuple[str, ...]) -> Attempt:
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
                return Attempt(
                    rule,
                    met,
                    self.explain(pattern, bindings[0], depth + 1, above),
                    None,
                    self._instead(passed, pattern, bindings[0]),
                )
            met += 1
            passed.append(pattern)
            bindings = extended
        if rule.either and not any(
            next(self._matches(one, binding), None) for one in rule.either for binding in bindings
        ):
            return Attempt(rule, met, self.explain(rule.either[0], bindings[0], depth + 1, above), None)
        for binding in bindings:
            for pattern in rule.absent:
                if next(self._matches(pattern, binding), None) is not None:
                    return Attempt(rule, met, None, pattern.text(binding))
        return Attempt(rule, met, None, None)

    def _instead(self, passed: list[Pattern], failed: Pattern, binding: dict[str, Term]) -> tuple[ox.Triple, ...]:
        """Return the derived facts whose value the failed premise tested."""
        tested = {slot for slot in (failed.subject, failed.object) if isinstance(slot, Variable)}
        derived = [
            one
            for one in passed
            if isinstance(one.verb, ox.NamedNode) and one.verb.value in self.derived and one.object in tested
        ]
        return tuple(triple for one in derived if (triple := one.instance(binding)) is not None)

    def _matches(self, pattern: Pattern, binding: dict[str, Term]) -> Iterator[dict[str, Term]]:
        subject, value = _value(pattern.subject, binding), _value(pattern.object, binding)
        if isinstance(pattern.verb, Path):
            yield from self._walk(pattern, pattern.verb, binding)
            return
        verb = _value(pattern.verb, binding) if isinstance(pattern.verb, Variable) else pattern.verb
        if isinstance(subject, ox.Literal):
            return
        for name in self.graphs:
            for quad in self.store.quads_for_pattern(subject, verb, value, name):  # type: ignore[arg-type]
                yield _extend(pattern, quad.triple, binding)

    def _walk(self, pattern: Pattern, path: Path, binding: dict[str, Term]) -> Iterator[dict[str, Term]]:
        query = f"SELECT DISTINCT ?s ?o WHERE {{ ?s {path.text} ?o }}"
        substitutions = {
            ox.Variable(name): value
            for name, value in (("s", _value(pattern.subject, binding)), ("o", _value(pattern.object, binding)))
            if value is not None
        }
        solutions = self.store.query(query, default_graph=list(self.graphs), substitutions=substitutions)  # type: ignore[arg-type]
        assert isinstance(solutions, ox.QuerySolutions)
        for solution in solutions:
            found = dict(binding)
            for slot, name in ((pattern.subject, "s"), (pattern.object, "o")):
                value = solution[name]
                if isinstance(slot, Variable) and value is not None:
                    found[slot.name] = value
            yield found


def _value(slot: Slot, binding: dict[str, Term]) -> Term | None:
    return binding.get(slot.name) if isinstance(slot, Variable) else slot


def _bound(pattern: Pattern, binding: dict[str, Term]) -> int:
    return sum(1 for slot in (pattern.subject, pattern.object) if _value(slot, binding) is not None)


def _extend(pattern: Pattern, triple: ox.Triple, binding: dict[str, Term]) -> dict[str, Term]:
    found = dict(binding)
    for slot, value in (
        (pattern.subject, triple.subject),
        (pattern.verb, triple.predicate),
        (pattern.object, triple.object),
    ):
        if isinstance(slot, Variable) and not isinstance(value, ox.Triple):
            found[slot.name] = value
    return found


def _unify(head: Pattern, goal: Pattern, binding: dict[str, Term]) -> dict[str, Term] | None:
    """Return the binding of the head's variables under which it could give the goal; None if it never can."""
    if isinstance(goal.verb, Path) or head.verb != goal.verb:
        return None
    found: dict[str, Term] = {}
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
