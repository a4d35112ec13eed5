"""A query as the command line asks it: over which games, with which values, and over a situation of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import pyoxigraph as ox

from reasoner.errors import CardloreError, QueryError, UseError
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.knowledge.pools import Pool, opened, owner_of
from reasoner.operations.dataset import add_situation, open_store
from reasoner.operations.poolstore import in_memory, open_pool_store
from reasoner.operations.query import Question, Result, find_query, questions, run_query
from reasoner.paths import Library
from reasoner.terms.namespaces import Prefixes


@dataclass(frozen=True)
class Queried:
    """The result of a query, the prefixes to show it with, and why some cases are not in what was asked."""

    result: Result
    prefixes: Prefixes
    wrong: tuple[CardloreError, ...]


def query_all(
    library: Library,
    what: str,
    values: Sequence[str] = (),
    games: Sequence[str] = (),
    situation: Path | None = None,
    as_of: str | None = None,
    timeout: float | None = None,
    pool: str | None = None,
) -> Queried:
    """Return what a query over `games` (all if none is named) gives; `timeout` is in seconds.

    `values` are written NAME=VALUE; the moments of `situation` are added to what is known, and a question about cases
    is asked about it alone, unless `values` say otherwise. `pool` is an imported card pool of one of the games.

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
    _check_subject(question, situation, library)
    asked = tuple(games or library.games())
    owner = asked[0] if len(asked) == 1 or pool is None else owner_of(asked, pool)
    known = opened(library, owner, pool)
    if known is not None:
        return _query_pool(library, question, filled, asked, situation, as_of, timeout, owner, known)
    bases = _bases(library, asked, as_of)
    store, wrong = open_store(bases)
    if situation is not None:
        _add_situation(store, situation, bases, question, filled)
    prefixes = bases[0].vocabulary.prefixes
    for base in bases[1:]:
        prefixes = prefixes.merged(base.vocabulary.prefixes.namespaces.items())
    return Queried(_run(store, question, prefixes, filled, timeout, wrong), prefixes, wrong)


def _bases(library: Library, asked: Sequence[str], as_of: str | None) -> list[KnowledgeBase]:
    """Return the knowledge bases of games in one edition.

    Raises:
        UseError: U107 not all of them have it; the hint names those that do.
    """
    found: list[KnowledgeBase] = []
    refusal: UseError | None = None
    for name in asked:
        try:
            found.append(open_base(library, name, as_of))
        except UseError as error:
            if error.code != "U107":
                raise
            refusal = refusal or error
    if refusal is not None and found:
        games = " ".join(f"-g {base.game}" for base in found)
        raise UseError("U107", f"not every game has an edition '{as_of}'", hint=f"ask only those that have it: {games}")
    if refusal is not None:
        raise refusal
    return found


def _query_pool(
    library: Library,
    question: Question,
    filled: dict[str, str],
    asked: Sequence[str],
    situation: Path | None,
    as_of: str | None,
    timeout: float | None,
    owner: str,
    pool: Pool,
) -> Queried:
    """Ask the built store of a pool. If it turns out to be damaged, it is built anew, once."""
    others = tuple(name for name in asked if name != owner)
    for again in (False, True):
        opened_store = open_pool_store(library, owner, pool, as_of, others)
        store, prefixes = opened_store.store, opened_store.prefixes
        try:
            if situation is not None:
                bases = [open_base(library, name, as_of, pool if name == owner else None) for name in asked]
                store = in_memory(store)
                _add_situation(store, situation, bases, question, filled)
            result = _run(store, question, prefixes, filled, timeout, opened_store.wrong)
            return Queried(result, prefixes, opened_store.wrong)
        except (OSError, RuntimeError):  # what the disk gives back is not what was written
            opened_store.forget()
            if again:
                raise
    raise AssertionError("the second attempt returns or raises")


def _add_situation(
    store: ox.Store, situation: Path, bases: Sequence[KnowledgeBase], question: Question, filled: dict[str, str]
) -> None:
    case = add_situation(store, situation, bases)
    if question.about and "case" in question.parameters:
        filled.setdefault("case", f"<{case.value}>")


def _run(
    store: ox.Store,
    question: Question,
    prefixes: Prefixes,
    filled: dict[str, str],
    timeout: float | None,
    wrong: Sequence[CardloreError],
) -> Result:
    try:
        result = run_query(store, question, prefixes, filled, timeout)
    except QueryError as error:
        if error.code == "Q109":
            _refuse_wrong_case(filled.values(), wrong)
        raise
    if not result.rows:
        _refuse_wrong_case(filled.values(), wrong)
    return result


def _refuse_wrong_case(values: Iterable[str], wrong: Sequence[CardloreError]) -> None:
    """Raise what is wrong with a case that one of `values` names, so that it is not taken for one there is not."""
    named = {unquote(re.split("[:/]", value.rstrip(">"))[-1]) for value in values}
    for error in wrong:
        if error.place is not None and error.place.path.stem in named:
            raise error


def _check_subject(question: Question, situation: Path | None, library: Library) -> None:
    """Refuse a question about something else than what is given.

    Raises:
        QueryError: Q110 a situation that can't matter to the question, or none where it needs one.
    """
    if question.about == "situation" and situation is None:
        raise QueryError("Q110", f"'{question.name}' is about a situation", hint="give one: --situation FILE")
    if question.about in ("cards", "rules") and situation is not None:
        apt = [name for name, one in questions(library).items() if one.about in ("cases", "situation")]
        raise QueryError(
            "Q110",
            f"'{question.name}' is about {question.about}: a situation changes nothing in its answer",
            hint=f"questions about a situation: {', '.join(apt)}",
        )
