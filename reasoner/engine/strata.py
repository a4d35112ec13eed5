"""The order in which rules run, computed from what they read and write, never numbered by hand.

Rules that feed each other form one component; components run in topological order, so a rule runs once
unless it is recursive. Whatever a rule reads under negation, OPTIONAL or an aggregate must be complete
before it runs, and so must every conclusion that rivals can set aside (`exclusive`): an edge of that kind
inside a component means there is no such order, and is an error that prints the cycle, step by step.

Source: stratified negation as in Apt, Blair and Walker, "Towards a theory of declarative knowledge" (1988).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from reasoner.engine.pattern import ANY_PREDICATE, Signature, overlap
from reasoner.engine.rule import Rule
from reasoner.errors import Place, RuleError

# Why all that is written must be known before it is read, by the kind of the pattern that reads it.
_NEEDS = {
    "absent": "which must be absent for",
    "optional": "which is optional for",
    "counted": "which is counted by",
    "guarded": "the lack of which counts for",
}
_RIVALS = "whose values exclude each other and are all needed by"


@dataclass(frozen=True)
class Component:
    """Rules that run together, in the order of their ids; `recursive` ones run until nothing is new."""

    rules: tuple[Rule, ...]
    recursive: bool
    stratum: int


def stratify(
    rules: Sequence[Rule], exclusive: Callable[[str], bool], folder: Path | None = None
) -> tuple[Component, ...]:
    """Return the components in the order in which they run; `exclusive` says which predicates have rivals.

    Errors name the files of rules below `folder`.

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
        _check_component(members, edges, by_id, exclusive, folder or Path())
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


def _check_component(
    members: list[str], edges: Any, by_id: dict[str, Rule], exclusive: Callable[[str], bool], folder: Path
) -> None:
    import networkx as nx

    for before in members:
        for after in sorted(edges.successors(before)):
            if after in members and edges.edges[before, after]["complete"]:
                back = nx.shortest_path(edges.subgraph(members), after, before)
                cycle = [before, *back]
                told = [_told(by_id[one], by_id[other], exclusive, folder) for one, other in pairwise(cycle)]
                _, _, line, _ = _link(by_id[before], by_id[after], exclusive)
                raise RuleError(
                    "R107",
                    f"rules that wait for each other in a cycle: {' -> '.join(cycle)}",
                    place=Place(folder / by_id[after].path, line),
                    hint="\n  ".join((*told, f"split one of these rules, so that {_remedy(before, after)}")),
                )


def _remedy(before: str, after: str) -> str:
    if before == after:
        return "it does not read what it concludes"
    return f"what {after} waits for does not depend on {after}"


def _told(writer: Rule, reader: Rule, exclusive: Callable[[str], bool], folder: Path) -> str:
    """Return how one rule feeds the next: what the first concludes, and what the second needs it for."""
    signature, name, line, need = _link(writer, reader, exclusive)
    where, there = Place(folder / writer.path, writer.head_line(signature)), Place(folder / reader.path, line)
    return f"{writer.id} ({where}) concludes {name}, {need} {reader.id} ({there})"


def _link(writer: Rule, reader: Rule, exclusive: Callable[[str], bool]) -> tuple[Signature, str, int, str]:
    """Return through what `writer` feeds `reader`: the signature written, its name, the line that reads it, and how.

    What must be complete comes first.
    """
    found: list[tuple[int, Signature, str, int, str]] = []
    for kind, pattern in reader.body:
        for read in pattern.signatures():
            for written in sorted(writer.writes, key=str):
                rivals = exclusive(written[0]) and read[0] in (written[0], ANY_PREDICATE)
                if overlap(read, written) or rivals:
                    need = _NEEDS.get(kind, _RIVALS if rivals else "needed by")
                    name = writer.spelled(written)
                    found.append(
                        (
                            int(need == "needed by"),
                            written,
                            name,
                            reader.body_line(written if read[0] == ANY_PREDICATE else read),
                            need,
                        )
                    )
    _, signature, name, line, need = min(found, key=lambda one: one[0])
    return signature, name, line, need
