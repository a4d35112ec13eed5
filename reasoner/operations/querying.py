"""A query as the command line asks it: over which games, with which values, and over a situation of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reasoner.errors import UseError
from reasoner.knowledge.base import open_base
from reasoner.knowledge.pools import opened, owner_of
from reasoner.operations.dataset import add_situation, full_store
from reasoner.operations.query import Result, find_query, run_query
from reasoner.paths import Library
from reasoner.terms.namespaces import Prefixes


def query_all(
    what: str,
    values: Sequence[str],
    games: Sequence[str],
    situation: Path | None,
    as_of: str | None,
    library: Library,
    pool: str | None = None,
) -> tuple[Result, Prefixes]:
    """Return the result of a query over `games` (all if none is named), and the prefixes to show it with.

    `values` are written NAME=VALUE; the moments of `situation` are added to what is known; `pool` is an imported card
    pool of one of the games.

    Raises:
        QueryError, UseError, CaseError: the query, a value or the situation is wrong.
    """
    question = find_query(what, library)
    filled = {}
    for value in values:
        name, separator, text = value.partition("=")
        if not separator or not name:
            raise UseError("U108", f"--set takes NAME=VALUE, not '{value}'", hint="e.g. --set card=NAME")
        filled[name.lstrip("?$")] = text
    asked = tuple(games or library.games())
    owner = asked[0] if len(asked) == 1 or pool is None else owner_of(asked, pool)
    bases = [open_base(library, name, as_of, opened(library, name, pool if name == owner else None)) for name in asked]
    store = full_store(bases)
    if situation is not None:
        add_situation(store, situation, bases)
    prefixes = bases[0].vocabulary.prefixes
    for base in bases[1:]:
        prefixes = prefixes.merged(base.vocabulary.prefixes.namespaces.items())
    return run_query(store, question, prefixes, filled), prefixes
