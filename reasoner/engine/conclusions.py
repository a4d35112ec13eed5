"""From the solutions of a rule's query to what it concludes, each conclusion with the solution behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pyoxigraph as ox

from reasoner.engine.delta import Solved
from reasoner.engine.pattern import Pattern, Solution, Variable
from reasoner.engine.precedence import Support
from reasoner.engine.rule import Rule


def concluded_from(
    rule: Rule, names: tuple[str, ...], rows: Iterable[ox.QuerySolution], is_known: Callable[[ox.Triple], bool]
) -> Solved:
    """Return what follows from the solutions of a rule, apart from what is known."""
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
    return tuple((fact, Support(rule, Solution(names, found[fact]))) for fact in sorted(found, key=str))


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
