"""The order in which rules run, computed from what they read and write, never numbered by hand.

Rules that feed each other form one component; components run in topological order, so a rule runs once
unless it is recursive. Whatever a rule reads under negation, OPTIONAL or an aggregate must be complete
before it runs, and so must every conclusion that rivals can set aside (`exclusive`): an edge of that kind
inside a component means there is no such order, and is an error that prints the cycle.

Source: stratified negation as in Apt, Blair and Walker, "Towards a theory of declarative knowledge" (1988).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reasoner.engine.pattern import ANY_PREDICATE, Signature, overlap
from reasoner.engine.rule import Rule
from reasoner.errors import Place, RuleError


@dataclass(frozen=True)
class Component:
    """Rules that run together, in the order of their ids; `recursive` ones run until nothing is new."""

    rules: tuple[Rule, ...]
    recursive: bool
    stratum: int


def stratify(rules: Sequence[Rule], exclusive: Callable[[str], bool]) -> tuple[Component, ...]:
    """Return the components in the order in which they run; `exclusive` says which predicates have rivals.

    Raises:
        RuleError: R107 if a rule needs the completed result of a rule that depends on it.
    """
    import networkx as nx

    by_id = {rule.id: rule for rule in sorted(rules, key=lambda rule: rule.id)}
    edges: Any = nx.DiGraph()
    edges.add_nodes_from(by_id)
    edges.add_edges_from(_dependencies(by_id.values(), exclusive))
    condensed = nx.condensation(edges)
    order = nx.lexicographical_topological_sort(condensed, key=lambda node: min(condensed.nodes[node]["members"]))
    strata: dict[str, int] = {}
    components = []
    for node in order:
        members = sorted(condensed.nodes[node]["members"])
        _check_component(members, edges, by_id)
        stratum = 0
        for member in members:
            for before in edges.predecessors(member):
                if before not in members:
                    stratum = max(stratum, strata[before] + (1 if edges.edges[before, member]["complete"] else 0))
        strata.update(dict.fromkeys(members, stratum))
        recursive = len(members) > 1 or edges.has_edge(members[0], members[0])
        components.append(Component(tuple(by_id[member] for member in members), recursive, stratum))
    return tuple(components)


def _dependencies(
    rules: Iterable[Rule], exclusive: Callable[[str], bool]
) -> Iterator[tuple[str, str, dict[str, bool]]]:
    """Yield (writer, reader, whether the reader needs all that the writer gives) for rules that feed each other."""
    rules = tuple(rules)
    writers: dict[str, list[tuple[Signature, str]]] = {}
    for rule in rules:
        for signature in sorted(rule.writes, key=str):
            writers.setdefault(signature[0], []).append((signature, rule.id))
    everything = [writer for found in writers.values() for writer in found]
    for reader in rules:
        complete: dict[str, bool] = {}
        for signatures, whole in ((reader.reads, False), (reader.reads_complete, True)):
            for read in signatures:
                for written, writer in everything if read[0] == ANY_PREDICATE else writers.get(read[0], ()):
                    # A rival decides over the value that is read, so every writer of its predicate must be done.
                    if exclusive(written[0]):
                        complete[writer] = True
                    elif overlap(read, written):
                        complete[writer] = complete.get(writer, False) or whole
        for writer in sorted(complete):
            yield writer, reader.id, {"complete": complete[writer]}


def _check_component(members: list[str], edges: Any, by_id: dict[str, Rule]) -> None:
    import networkx as nx

    for before in members:
        for after in sorted(edges.successors(before)):
            if after in members and edges.edges[before, after]["complete"]:
                back = nx.shortest_path(edges.subgraph(members), after, before)
                cycle = " -> ".join([before, *back])
                hint = (
                    f"'{after}' needs the completed result of '{before}', which depends on it; split one of the rules"
                )
                place = Place(_path(by_id[after]), 1)
                raise RuleError("R107", f"negation in a cycle: {cycle}", place=place, hint=hint)


def _path(rule: Rule) -> Any:
    from pathlib import Path

    return Path(rule.path)
