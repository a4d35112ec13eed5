"""Running a program of rules to its fixpoint on pyoxigraph, keeping for every new fact how it came about.

The input graphs are only read. Conclusions go to a graph of their own; where rules contradict each other
and nothing decides, the run splits into branches, one graph each, and goes on in every branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import pyoxigraph as ox

from reasoner.engine.pattern import Signature, Term
from reasoner.engine.precedence import Conflict, Exclusions, Support, resolve
from reasoner.engine.rule import Rule
from reasoner.engine.strata import Component
from reasoner.errors import RuleError
from reasoner.terms.namespaces import TYPE

MOST_BRANCHES = 64


@dataclass(frozen=True)
class Program:
    """Rules in their order of running, and what excludes what."""

    components: tuple[Component, ...]
    exclusions: Exclusions

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(rule for component in self.components for rule in component.rules)

    @cached_property
    def completed(self) -> dict[int, frozenset[str]]:
        """The exclusive predicates that are complete once the component at a position has run."""
        last: dict[str, int] = {}
        for position, component in enumerate(self.components):
            for rule in component.rules:
                for predicate, _ in rule.writes:
                    if self.exclusions.concerns(predicate):
                        last[predicate] = position
        result: dict[int, set[str]] = {}
        for predicate, position in last.items():
            result.setdefault(position, set()).add(predicate)
        return {position: frozenset(predicates) for position, predicates in result.items()}


@dataclass
class Branch:
    """One consistent set of conclusions: the graph that holds them, and how each came about."""

    graph: ox.NamedNode
    supports: dict[ox.Triple, Support] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()
    choices: tuple[tuple[ox.Triple, ...], ...] = ()
    present: set[Signature] = field(default_factory=set)
    pending: dict[ox.Triple, list[Support]] = field(default_factory=dict)

    @property
    def facts(self) -> tuple[ox.Triple, ...]:
        """The derived facts, in the order in which they were found."""
        return tuple(self.supports)


@dataclass(frozen=True)
class Inference:
    """What a run gave: one branch, or several where rules disagree and nothing decides."""

    branches: tuple[Branch, ...]
    base: tuple[ox.NamedNode, ...]

    @property
    def settled(self) -> bool:
        return len(self.branches) == 1

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Every conflict met in any branch, each once."""
        unique = {(str(c.subject), c.predicate, c.rules): c for branch in self.branches for c in branch.conflicts}
        return tuple(unique.values())


def signatures(triples: Iterable[ox.Triple | ox.Quad]) -> set[Signature]:
    """Return the signatures of facts: (predicate, None), and (rdf:type, class) for types."""
    found: set[Signature] = set()
    for triple in triples:
        found.add((triple.predicate.value, None))
        if triple.predicate == TYPE:
            found.add((TYPE.value, str(triple.object)))
    return found


def infer(
    store: ox.Store,
    base: Sequence[ox.NamedNode],
    present: Iterable[Signature],
    program: Program,
    target: ox.NamedNode,
) -> Inference:
    """Run `program` over the graphs `base` of `store` and return its conclusions, written to `target`.

    `present` are the signatures of the facts in `base` (a rule none of whose premises can exist is not run).
    Branches beyond the first go to graphs named target/2, target/3, ….

    Raises:
        RuleError: R113 if undecided conflicts multiply beyond 64 branches.
    """
    branches = [Branch(target, present=set(present))]
    for position, component in enumerate(program.components):
        completed = program.completed.get(position, frozenset())
        for branch in branches:
            _run(store, base, component, branch, program.exclusions)
        if completed:
            branches = [after for branch in branches for after in _settle(store, branch, completed, program, target, branches)]
            if len(branches) > MOST_BRANCHES:
                raise RuleError("R113", f"undecided conflicts give more than {MOST_BRANCHES} combinations", hint="narrow the situation")
    return Inference(tuple(branches), tuple(base))


def _run(store: ox.Store, base: Sequence[ox.NamedNode], component: Component, branch: Branch, exclusions: Exclusions) -> None:
    graphs = [*base, branch.graph]
    while True:
        new = False
        for rule in component.rules:
            if _may_fire(rule, branch.present):
                new |= _fire(store, graphs, rule, branch, exclusions)
        if not (new and component.recursive):
            return


def _may_fire(rule: Rule, present: set[Signature]) -> bool:
    """Return whether each premise that names its predicate could be met: a cheap test that spares most queries."""
    return rule.needs <= present


def _fire(store: ox.Store, graphs: list[ox.NamedNode], rule: Rule, branch: Branch, exclusions: Exclusions) -> bool:
    fresh: dict[ox.Triple, Support] = {}
    new = False
    solutions = store.query(rule.select, default_graph=graphs)
    assert isinstance(solutions, ox.QuerySolutions)
    names = [variable.value for variable in solutions.variables]
    for solution in solutions:
        binding: dict[str, Term] = {}
        for name in names:
            value = solution[name]
            if value is not None:
                binding[name] = value
        support = Support(rule, binding)
        for head in rule.heads:
            fact = head.instance(binding)
            if fact is None:
                continue
            if exclusions.concerns(fact.predicate.value):
                new |= _consider(branch, fact, support)
            elif fact not in branch.supports and fact not in fresh:
                fresh[fact] = support
    unknown = [fact for fact in fresh if not _is_known(store, graphs[:-1], fact)]
    for fact in unknown:
        branch.supports[fact] = fresh[fact]
    _store(store, branch, unknown)
    return new or bool(unknown)


def _consider(branch: Branch, fact: ox.Triple, support: Support) -> bool:
    supports = branch.pending.setdefault(fact, [])
    if any(other.rule is support.rule for other in supports):
        return False
    supports.append(support)
    return True


def _is_known(store: ox.Store, graphs: Sequence[ox.NamedNode], fact: ox.Triple) -> bool:
    return any(ox.Quad(fact.subject, fact.predicate, fact.object, graph) in store for graph in graphs)


def _store(store: ox.Store, branch: Branch, facts: Sequence[ox.Triple]) -> None:
    store.extend(ox.Quad(fact.subject, fact.predicate, fact.object, branch.graph) for fact in facts)
    branch.present |= signatures(facts)


def _settle(
    store: ox.Store,
    branch: Branch,
    completed: frozenset[str],
    program: Program,
    target: ox.NamedNode,
    others: list[Branch],
) -> Iterator[Branch]:
    """Decide the pending conclusions of the `completed` predicates; yield the branches that go on."""
    groups: dict[tuple[str, str], dict[ox.Triple, list[Support]]] = {}
    for fact in [fact for fact in branch.pending if fact.predicate.value in completed]:
        groups.setdefault((str(fact.subject), fact.predicate.value), {})[fact] = branch.pending.pop(fact)
    going: list[Branch] = [branch]
    for key in groups:
        candidates = groups[key]
        conflict = resolve(candidates, program.exclusions)
        met = not conflict.settled or bool(conflict.defeats)
        following: list[Branch] = []
        for current in going:
            for number, option in enumerate(conflict.options):
                after = current if number == len(conflict.options) - 1 else _copy(store, current, target, [*others, *going, *following])
                for fact in option:
                    after.supports[fact] = conflict.supports[fact][0]
                _store(store, after, option)
                if met:
                    after.conflicts = (*after.conflicts, conflict)
                if not conflict.settled:
                    after.choices = (*after.choices, option)
                following.append(after)
        going = following
    yield from going


def _copy(store: ox.Store, branch: Branch, target: ox.NamedNode, taken: list[Branch]) -> Branch:
    names = {other.graph.value for other in taken} | {graph.value for graph in store.named_graphs()}
    number = next(n for n in range(2, 10_000) if f"{target.value}/{n}" not in names)
    graph = ox.NamedNode(f"{target.value}/{number}")
    store.extend(ox.Quad(q.subject, q.predicate, q.object, graph) for q in store.quads_for_pattern(None, None, None, branch.graph))
    return replace(
        branch,
        graph=graph,
        supports=dict(branch.supports),
        present=set(branch.present),
        pending={fact: list(supports) for fact, supports in branch.pending.items()},
    )

