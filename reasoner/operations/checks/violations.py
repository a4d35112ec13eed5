"""Violation queries: each row of a query under queries/violations is a fault, and its header says what to do.

| header     | meaning                                                                                |
| ---------- | -------------------------------------------------------------------------------------- |
| `code`     | the code of the finding                                                                |
| `title`    | the demand, as a sentence                                                              |
| `problem`  | what is wrong where a row comes back                                                   |
| `why`      | what goes wrong if it stays so                                                         |
| `fix`      | the next step                                                                          |
| `severity` | error, warning or info                                                                 |
| `message`  | the finding; `{x}` stands for what a row has as ?x, `{x label}` for the label of that  |

The first column is the thing at fault: the finding is placed where that is described. The queries see the whole
dataset (reasoner/operations/dataset.py) and the prefixes of all games, in a graph of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyoxigraph as ox

from reasoner.errors import CardloreError, Place, QueryError, close_to
from reasoner.knowledge.turtle import read_turtle
from reasoner.operations.checks.findings import SEVERITIES, WARNING, Finding, from_error
from reasoner.operations.checks.subject import Subject
from reasoner.operations.dataset import open_store
from reasoner.operations.query import Question, plain, read_question, run_query
from reasoner.paths import Library, files_in
from reasoner.terms.namespaces import SH, graph

KEYS: Final = ("code", "title", "problem", "why", "fix", "severity", "message")
_CODE = re.compile(r"[A-Z][0-9]{3}")
_FIELD = re.compile(r"\{(\w+)( label)?\}")


@dataclass(frozen=True)
class Violation:
    """A violation query and what its header says. `problem` and `title` are for the page that lists the checks."""

    question: Question
    code: str
    title: str
    problem: str
    why: str
    fix: str
    severity: str
    message: str

    def finding(self, columns: Sequence[str], row: Sequence[Any], subject: Subject) -> Finding:
        """Return the finding that a row of the query makes."""
        values = dict(zip(columns, row, strict=True))

        def filled(hit: re.Match[str]) -> str:
            name, label = hit.groups()
            return _said(values[name], subject, bool(label)) if name in values else hit.group()

        message = _FIELD.sub(filled, self.message)
        iris = [value.value for value in row if isinstance(value, ox.NamedNode)]
        place = next((place for iri in iris if (place := subject.place(iri))), None)
        return Finding(self.severity, self.code, message, place, self.fix, (self.why,))


def read_violations(library: Library) -> list[Violation]:
    """Return the violation queries of `library`, by file name.

    Raises:
        QueryError: Q101 or Q102 if a file or its header is wrong.
    """
    return [read_violation(path) for path in _files(library)]


def _files(library: Library) -> list[Path]:
    return files_in(library.queries / "violations", ".rq", deep=False)


def read_violation(path: Path) -> Violation:
    """Return the violation query in the file at `path`.

    Raises:
        QueryError: Q101 the file can't be read, Q102 its header is wrong.
    """
    question = read_question(path)
    header = {key: value for key, value in question.header.items() if isinstance(value, str) and value}
    place = Place(path, 1)
    for key in question.header:
        if key not in KEYS:
            raise QueryError(
                "Q102",
                f"unknown header key '{key}'",
                place=place,
                suggestions=close_to(key, KEYS),
                hint=f"keys: {', '.join(KEYS)}",
            )
    for key in KEYS:
        if key not in header:
            raise QueryError("Q102", f"the header lacks '{key}'", place=place, hint=f"keys: {', '.join(KEYS)}")
    if header["severity"] not in SEVERITIES:
        raise QueryError(
            "Q102",
            f"unknown severity '{header['severity']}'",
            place=place,
            suggestions=close_to(header["severity"], SEVERITIES),
            hint=f"one of: {', '.join(SEVERITIES)}",
        )
    if not _CODE.fullmatch(header["code"]):
        raise QueryError(
            "Q102",
            f"'{header['code']}' is no code",
            place=place,
            hint="a capital letter and three digits, such as K301",
        )
    return Violation(question, *(header[key] for key in KEYS))


def violations(subject: Subject) -> Iterator[Finding]:
    """Yield a finding for every row of every violation query, and for a query that is wrong itself."""
    try:
        store, wrong = open_store([subject.base])
    except CardloreError as error:
        yield from from_error(error)
        return
    for one in wrong:
        message = f"the violation queries did not see all of a case, because it is wrong ({one.message})"
        yield Finding(WARNING, "K003", message, one.place, "mend the case")
    store.extend(_prefixes(subject.base.library))
    for path in _files(subject.base.library):
        try:
            violation = read_violation(path)
            found = run_query(store, violation.question, subject.base.vocabulary.prefixes)
        except QueryError as error:
            yield from from_error(error)
            continue
        yield from (violation.finding(found.columns, row, subject) for row in found.rows)


def _prefixes(library: Library) -> list[ox.Quad]:
    """Return the prefixes that the product and all games declare; blank nodes are told apart by their file."""
    name = graph("prefixes")
    quads = []
    for path in (library.ontology / "prefixes.ttl", *(library.game(game) / "game.ttl" for game in library.games())):
        own: dict[ox.BlankNode, ox.BlankNode] = {}
        for triple in read_turtle(path):
            if triple.predicate.value in (SH + "declare", SH + "prefix", SH + "namespace"):
                parts = (_own(part, own) for part in (triple.subject, triple.object))
                quads.append(ox.Quad(next(parts), triple.predicate, next(parts), name))
    return quads


def _own(term: Any, known: dict[ox.BlankNode, ox.BlankNode]) -> Any:
    return known.setdefault(term, ox.BlankNode()) if isinstance(term, ox.BlankNode) else term


def _said(value: Any, subject: Subject, label: bool) -> str:
    if not isinstance(value, ox.NamedNode):
        return plain(value, subject.base.vocabulary.prefixes)
    return subject.label(value) if label else subject.name(value.value)
