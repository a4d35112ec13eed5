"""Running the parts of a rule again, as the rule writes them, over the bindings of an attempt that failed."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyoxigraph as ox

from reasoner.engine.parts import TOKENS
from reasoner.engine.pattern import Term
from reasoner.engine.rule import Rule

MOST_BINDINGS = 50
_TARGET = re.compile(r"(?i)^BIND\b.*\bAS\s+[?$](\w+)\s*\)$", re.DOTALL)

Binding = dict[str, Term]


def bound_by(text: str) -> str | None:
    """Return the variable that a part binds, if it is a BIND."""
    found = _TARGET.match(text)
    return found[1] if found else None


def variables(text: str) -> list[str]:
    """Return the variables in a part, in the order of their first use."""
    words = (token.group() for token in TOKENS.finditer(text))
    return list(dict.fromkeys(word[1:] for word in words if word[0] in "?$"))


def rerun(
    store: ox.Store, graphs: Sequence[ox.NamedNode], rule: Rule, bindings: Sequence[Binding], texts: Sequence[str]
) -> list[Binding]:
    """Return what solves the parts `texts` of `rule` under one of `bindings`, with what they bind, in canonical order.

    What a part binds need not be what `bindings` have for it: that is for the caller to compare.
    """
    computed = {bound_by(text) for text in texts}
    names = sorted({name for one in bindings for name in one if not name.startswith("_:")} - computed)
    rows = " ".join(f"({' '.join(_written(one.get(name)) for name in names)})" for one in bindings)
    values = f"VALUES ({' '.join(f'?{name}' for name in names)}) {{ {rows} }}"
    prologue = rule.select[: rule.select.index("SELECT *")]
    body = "\n".join((values, *texts))
    solutions = store.query(f"{prologue}SELECT * WHERE {{ {body} }}", default_graph=list(graphs))
    assert isinstance(solutions, ox.QuerySolutions)
    columns = [variable.value for variable in solutions.variables]
    found = ({name: value for name, value in zip(columns, row, strict=True) if value is not None} for row in solutions)
    return sorted(found, key=lambda one: sorted((name, str(value)) for name, value in one.items()))[:MOST_BINDINGS]


def _written(value: Term | None) -> str:
    """Return a term as a VALUES clause holds it, which can't name a blank node."""
    return "UNDEF" if value is None or isinstance(value, ox.BlankNode) else str(value)
