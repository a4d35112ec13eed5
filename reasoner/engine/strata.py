"""The order in which rules run, computed from what they read and write, never numbered by hand.

Rules that feed each other form one component; components run in topological order, so a rule runs once
unless it is recursive. Whatever a rule reads under negation, OPTIONAL or an aggregate must be complete
before it runs, and so must every conclusion that rivals can set aside (`exclusive`): an edge of that kind
inside a component means there is no such order, and is an error that prints the cycle.

Source: stratified negation as in Apt, Blair and Walker, "Towards a theory of declarative knowledge" (1988).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reasoner.engine.pattern import Signature, overlap
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
    for reader in by_id.values():
        for writer in by_id.values():
            plain, complete = _dependency(reader, writer, exclusive)
            if plain or complete:
                edges.add_edge(writer.id, reader.id, complete=complete)
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


def _dependency(reader: Rule, writer: Rule, exclusive: Callable[[str], bool]) -> tuple[bool, bool]:
    plain = _meet(reader.reads, writer.writes)
    # A rival value decides over the value that is read, so of an exclusive predicate every writer must be done.
    written = {predicate for predicate, _ in writer.writes if exclusive(predicate)}
    rivals = any(predicate in written for predicate, _ in (*reader.reads, *reader.reads_complete))
    return bool(plain), bool(_meet(reader.reads_complete, writer.writes)) or rivals


def _meet(read: frozenset[Signature], written: frozenset[Signature]) -> list[Signature]:
    return [mine for theirs in read for mine in written if overlap(theirs, mine)]


def _check_component(members: list[str], edges: Any, by_id: dict[str, Rule]) -> None:
    import networkx as nx

    for before in members:
        for after in sorted(edges.successors(before)):
            if after in members and edges.edges[before, after]["complete"]:
                back = nx.shortest_path(edges.subgraph(members), after, before)
                cycle = " -> ".join([before, *back])
                raise RuleError(
                    "R107",
                    f"negation in a cycle: {cycle}",
                    place=Place(_path(by_id[after]), 1),
                    hint=f"'{after}' needs the completed result of '{before}', which depends on it; split one of the rules",
                )


def _path(rule: Rule) -> Any:
    from pathlib import Path

    return Path(rule.path)
