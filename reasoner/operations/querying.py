"""A query as the command line asks it: over which games, with which values, and over a situation of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from reasoner.errors import CardloreError, QueryError, UseError
from reasoner.knowledge.base import open_base
from reasoner.operations.dataset import add_situation, open_store
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
) -> Queried:
    """Return what a query over `games` (all if none is named) gives; `timeout` is in seconds.

    `values` are written NAME=VALUE; the moments of `situation` are added to what is known, and a question about cases
    is asked about it alone, unless `values` say otherwise.

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
    bases = [open_base(library, name, as_of) for name in games or library.games()]
    store, wrong = open_store(bases)
    if situation is not None:
        case = add_situation(store, situation, bases)
        if question.about and "case" in question.parameters:
            filled.setdefault("case", f"<{case.value}>")
    prefixes = bases[0].vocabulary.prefixes
    for base in bases[1:]:
        prefixes = prefixes.merged(base.vocabulary.prefixes.namespaces.items())
    try:
        result = run_query(store, question, prefixes, filled, timeout)
    except QueryError as error:
        if error.code == "Q109":
            _refuse_wrong_case(filled.values(), wrong)
        raise
    if not result.rows:
        _refuse_wrong_case(filled.values(), wrong)
    return Queried(result, prefixes, wrong)


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
