"""Running a program of rules to its fixpoint on pyoxigraph, keeping for every new fact how it came about.

The input graphs are only read. Conclusions go to a graph of their own; where rules contradict each other
and nothing decides, the run splits into branches, one graph each, and goes on in every branch.

What comes out does not depend on the order in which the store gives solutions: of several ways in which a rule
gives a fact the first by the text of its bindings is kept, and what a rule gives anew is kept in the order of its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import pyoxigraph as ox

from reasoner.engine.conclusions import Conclusions, concluded_from
from reasoner.engine.memo import Contents, Memo
from reasoner.engine.pattern import Signature, Term
from reasoner.engine.precedence import MOST_BRANCHES, Conflict, Exclusions, Support, foremost, resolve, too_many
from reasoner.engine.program import Program
from reasoner.engine.rule import Rule
from reasoner.engine.strata import Component
from reasoner.errors import RuleError
from reasoner.terms.namespaces import TYPE

MOST_ROUNDS = 10_000
MOST_FACTS = 2_000_000  # of one recursive component


class Keeper(Protocol):
    """Keeps of conclusions what is wanted of them, in place of their proofs, where these would be too many."""

    def take(self, supports: Mapping[ox.Triple, Support], /) -> None:
        """Keep facts that are drawn together, none of which is known."""

    def __contains__(self, fact: object, /) -> bool:
        """Return whether a fact has been taken."""

    def __len__(self) -> int:
        """Return how many facts have been taken."""

    def copy(self) -> Keeper:
        """Return the same for a branch that goes on by itself."""


@dataclass
class Branch:
    """One consistent set of conclusions: the graph that holds them, and how each came about.

    `given` are the signatures of the facts in the graphs `open`, where what is concluded may be stated already;
    `present` those of all that is there by now;
    `pending` are conclusions whose rivals have not all been heard; `records` what informants noted beside their facts,
    and `done` the rules whose conclusions they have given themselves; `contents` what a memo needs to know;
    `drawn` the facts once more, as they were drawn together. With a `keeper`, it has the facts, and `supports` and
    `drawn` stay empty.
    """

    graph: ox.NamedNode
    supports: dict[ox.Triple, Support] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()
    choices: tuple[tuple[ox.Triple, ...], ...] = ()
    present: set[Signature] = field(default_factory=set)
    open: tuple[ox.NamedNode, ...] = ()
    given: frozenset[Signature] = frozenset()
    pending: dict[ox.Triple, list[Support]] = field(default_factory=dict)
    contents: Contents | None = None
    records: list[object] = field(default_factory=list)
    done: frozenset[str] = frozenset()
    drawn: list[Conclusions] = field(default_factory=list)
    keeper: Keeper | None = None

    def knows(self, fact: ox.Triple) -> bool:
        """Return whether a fact has been derived."""
        return fact in self.supports if self.keeper is None else fact in self.keeper

    @property
    def facts(self) -> tuple[ox.Triple, ...]:
        """The derived facts, in the order in which they were found."""
        return tuple(self.supports)

    def derived(self, predicate: ox.NamedNode) -> list[ox.Triple]:
        """Return the derived facts with a predicate, in the order in which they were found."""
        if (predicate.value, None) not in self.present:
            return []
        found = [fact for one in self.drawn if predicate.value in one.by_key for fact in one.supports]
        return [fact for fact in found if fact.predicate == predicate]


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


Informant = Callable[[Branch], Mapping[ox.Triple, Support]]


def infer(
    store: ox.Store,
    base: Sequence[ox.NamedNode],
    present: Iterable[Signature],
    program: Program,
    target: ox.NamedNode,
    informants: Sequence[Informant] = (),
    memo: Memo | Contents | None = None,
    keeper: Keeper | None = None,
) -> Inference:
    """Run `program` over the graphs `base` of `store` and return its conclusions, written to `target`.

    Each of `informants` supplies facts that no rule can conclude (what a text reaches, say): once in each branch, when
    all rules have run that depend neither on them nor on those of a later one. Without informants their facts are none.

    `present` are the signatures of the facts in `base`: a rule none of whose premises can exist is not run, and a
    conclusion that can't be among them is not looked up. `target` is a graph that does not exist yet; branches
    beyond the first go to graphs named target/2, target/3, …. `memo` keeps solutions from run to run in one store.
    `keeper` keeps what is concluded where proofs are not wanted; neither informants nor a memo go with it.

    Raises:
        RuleError: R113 if undecided conflicts multiply beyond 64 branches, or if recursive rules find no end.
    """
    names = _free_graphs(store, target)
    given = frozenset(present)
    contents = memo.contents(store, [*base, target]) if memo else None
    # What is stated in a graph that stays as it is need not be looked up at each run: see `_fire`.
    looked_up = tuple(name for name in base if contents is None or name not in contents.memo.fixed)
    found_there = contents.signatures() if contents else given
    branches = [Branch(target, present=set(given), open=looked_up, given=found_there, contents=contents)]
    branches[0].keeper = keeper
    asked = 0
    for component, waits, completed in program.steps:
        for informant in informants[asked:waits]:
            for branch in branches:
                _inform(store, branch, informant)
            asked += 1
        for branch in branches:
            _run(store, [*base, branch.graph], given, component, branch, program.exclusions)
        if completed:
            after: list[Branch] = []
            for number, branch in enumerate(branches, 1):
                room = MOST_BRANCHES - len(after) - (len(branches) - number)
                after += _settle(store, branch, completed, program.exclusions, names, room)
            branches = after
    return Inference(tuple(branches), tuple(base))


def discard(store: ox.Store, target: ox.NamedNode) -> None:
    """Remove the graph `target` and all below it: whatever `infer` wrote there, in however many branches."""
    below = f"{target.value}/"
    for name in list(store.named_graphs()):
        if isinstance(name, ox.NamedNode) and (name == target or name.value.startswith(below)):
            store.remove_graph(name)


def _inform(store: ox.Store, branch: Branch, informant: Informant) -> None:
    found = {fact: support for fact, support in informant(branch).items() if fact not in branch.supports}
    if found:
        _add(store, branch, Conclusions(found))


def _free_graphs(store: ox.Store, target: ox.NamedNode) -> Iterator[ox.NamedNode]:
    number = 2
    while True:
        name = ox.NamedNode(f"{target.value}/{number}")
        if not store.contains_named_graph(name):
            yield name
        number += 1


def _run(
    store: ox.Store,
    graphs: Sequence[ox.NamedNode],
    given: frozenset[Signature],
    component: Component,
    branch: Branch,
    exclusions: Exclusions,
) -> None:
    before = _size(branch)
    for _ in range(MOST_ROUNDS):
        new = False
        for rule in component.rules:
            if rule.needs <= branch.present and rule.id not in branch.done:  # a cheap test that spares most queries
                new |= _fire(store, graphs, given, rule, branch, exclusions)
        if not (new and component.recursive):
            return
        if _size(branch) - before > MOST_FACTS:
            break
    rules = ", ".join(rule.id for rule in component.rules)
    raise RuleError(
        "R113",
        f"recursive rules find no end: {rules}",
        hint="they make new values out of their own",
        about=component.rules[0].id,
    )


def _fire(
    store: ox.Store,
    graphs: Sequence[ox.NamedNode],
    given: frozenset[Signature],
    rule: Rule,
    branch: Branch,
    exclusions: Exclusions,
) -> bool:
    """Run `rule` once and return whether something came of it that others can read."""
    rivals = {head.verb for head in rule.heads if exclusions.concerns(head.verb.value)}  # type: ignore[union-attr]

    def ask(bound: Mapping[str, Term]) -> Conclusions:
        values: dict[ox.Variable, Term | ox.Triple] = {ox.Variable(name): value for name, value in bound.items()}
        found = store.query(rule.select, default_graph=list(graphs), substitutions=values)
        assert isinstance(found, ox.QuerySolutions)
        return concluded_from(rule, tuple(variable.value for variable in found.variables), found, is_known)

    def is_known(fact: ox.Triple) -> bool:
        if branch.contents is None:
            return branch.knows(fact)
        return fact.predicate not in rivals and _is_given(fact, store, fixed, given)

    fixed = [name for name in graphs if name not in branch.open and name != branch.graph]
    concluded = branch.contents.solve(rule, ask) if branch.contents else ask({})
    concluded = concluded.by(rule)  # kept, perhaps, from a run in which it ranked otherwise
    if not rivals:
        return _accept(store, branch, concluded)
    accepted: dict[ox.Triple, Support] = {}
    for fact, support in concluded.supports.items():
        if branch.knows(fact):
            continue
        if fact.predicate not in rivals:
            accepted[fact] = support
            continue
        supports = branch.pending.setdefault(fact, [])
        if all(other.rule is not rule for other in supports):
            supports.append(support)
    return _accept(store, branch, Conclusions(accepted))


def _accept(store: ox.Store, branch: Branch, found: Conclusions) -> bool:
    """Add to the branch what is neither known nor given, in its order, and return whether there was anything."""
    if not branch.present.isdisjoint(found.distinct):
        known, given = branch.supports if branch.keeper is None else branch.keeper, branch.given
        new = {
            fact: support
            for fact, support in found.supports.items()
            if fact not in known and not _is_given(fact, store, branch.open, given)
        }
        found = found if len(new) == len(found) else Conclusions(new)
    if not found:
        return False
    _add(store, branch, found)
    return True


def _add(store: ox.Store, branch: Branch, found: Conclusions) -> None:
    """Write down what is new in a branch."""
    if branch.keeper is None:
        branch.supports.update(found.supports)
        branch.drawn.append(found)
    else:
        branch.keeper.take(found.supports)
    graph = branch.graph
    store.extend(ox.Quad(fact.subject, fact.predicate, fact.object, graph) for fact in found.supports)
    branch.present |= found.signatures
    if branch.contents:
        branch.contents.take(found)


def _size(branch: Branch) -> int:
    return len(branch.supports if branch.keeper is None else branch.keeper)


def _quad(fact: ox.Triple, graph: ox.NamedNode) -> ox.Quad:
    return ox.Quad(fact.subject, fact.predicate, fact.object, graph)


def _is_given(fact: ox.Triple, store: ox.Store, base: Sequence[ox.NamedNode], given: frozenset[Signature]) -> bool:
    predicate = fact.predicate
    if ((TYPE.value, str(fact.object)) if predicate == TYPE else (predicate.value, None)) not in given:
        return False
    return any(_quad(fact, graph) in store for graph in base)


def _settle(
    store: ox.Store,
    branch: Branch,
    completed: frozenset[str],
    exclusions: Exclusions,
    names: Iterator[ox.NamedNode],
    room: int,
) -> list[Branch]:
    """Decide the pending conclusions of the `completed` predicates; return the branches that go on, `room` at most."""
    groups: dict[tuple[object, str], dict[ox.Triple, list[Support]]] = {}
    for fact in list(branch.pending):
        predicate = fact.predicate.value
        if predicate in completed:
            groups.setdefault((fact.subject, predicate), {})[fact] = branch.pending.pop(fact)
    disputed: list[dict[ox.Triple, list[Support]]] = []
    at_peace: list[dict[ox.Triple, list[Support]]] = []
    for group in groups.values():
        (disputed if len(group) > 1 and exclusions.clash(group) else at_peace).append(group)
    policies = exclusions.policies
    peaceful = {fact: supports for group in at_peace for fact, supports in group.items()}
    at_last = {fact: foremost(peaceful[fact], policies)[0] for fact in sorted(peaceful, key=str)}
    _accept(store, branch, Conclusions(at_last))
    going = [branch]
    for group in sorted(disputed, key=lambda group: min(map(str, group))):
        conflict = resolve(group, exclusions)
        if len(going) * len(conflict.options) > room:
            raise too_many(conflict.subject)
        following: list[Branch] = []
        for current in going:
            copies = [_copy(store, current, next(names)) for _ in conflict.options[1:]]
            for after, option in zip((current, *copies), conflict.options, strict=True):
                chosen = {fact: conflict.supports[fact][0] for fact in sorted(option, key=str)}
                _accept(store, after, Conclusions(chosen))
                after.conflicts = (*after.conflicts, conflict)
                if not conflict.settled:
                    after.choices = (*after.choices, option)
                following.append(after)
        going = following
    return going


def _copy(store: ox.Store, branch: Branch, graph: ox.NamedNode) -> Branch:
    store.extend(_quad(quad.triple, graph) for quad in store.quads_for_pattern(None, None, None, branch.graph))
    return replace(
        branch,
        graph=graph,
        supports=dict(branch.supports),
        present=set(branch.present),
        pending={fact: list(supports) for fact, supports in branch.pending.items()},
        contents=branch.contents.moved(branch.graph, graph) if branch.contents else None,
        records=list(branch.records),
        drawn=list(branch.drawn),
        keeper=branch.keeper.copy() if branch.keeper is not None else None,
    )
