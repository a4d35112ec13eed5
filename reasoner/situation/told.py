"""The support of facts that an informant tells: there is no rule file, but proofs show a rule, with its premises."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox

from reasoner.engine.pattern import Pattern
from reasoner.engine.precedence import Support
from reasoner.engine.rule import Header, Rule


def resting_on(premises: Iterable[ox.Triple], fact: ox.Triple, header: Header, path: str) -> Support:
    """Return the support of `fact` by `premises`, each counted once; `header` and `path` say who tells it."""
    required = tuple(_pattern(one) for one in dict.fromkeys(premises))
    return Support(Rule(header, path, "", (_pattern(fact),), required), {})


def _pattern(fact: ox.Triple) -> Pattern:
    return Pattern(fact.subject, fact.predicate, fact.object)  # type: ignore[arg-type]
