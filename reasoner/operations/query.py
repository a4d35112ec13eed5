"""SPARQL over the knowledge base: a text, a file, or a question that ships with the product."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from reasoner.errors import Place, QueryError, UseError, close_to
from reasoner.operations.chains import unchained
from reasoner.operations.queryvalues import filled, term
from reasoner.operations.sparqlrun import Result, Runner, within
from reasoner.operations.sparqltext import SparqlText, is_sparql
from reasoner.paths import Library
from reasoner.terms.namespaces import XSD, Prefixes

_SIGNED = ("integer", "long", "int", "short", "byte", "nonPositiveInteger", "negativeInteger")
_UNSIGNED = ("nonNegativeInteger", "positiveInteger", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte")
_WHOLE = frozenset(XSD + name for name in (*_SIGNED, *_UNSIGNED))
_BROKEN = frozenset(XSD + name for name in ("decimal", "double", "float"))


@dataclass(frozen=True)
class Question:
    """A query file: its title, what it tells, and the variables that --set may fill, each with its meaning.

    `header` is all that its `#+` lines say.
    """

    name: str
    title: str
    description: str
    parameters: Mapping[str, str]
    path: Path
    text: str
    header: Mapping[str, Any] = field(default_factory=dict)

    @property
    def about(self) -> str:
        """What it is about: cards, rules, cases (any situation too) or a situation; nothing if it does not say."""
        return str(self.header.get("about", ""))


def questions(library: Library) -> dict[str, Question]:
    """Return the questions in queries/questions by name, sorted.

    Raises:
        QueryError: Q102 if the header of one is wrong.
    """
    return {path.stem: read_question(path) for path in sorted((library.queries / "questions").glob("*.rq"))}


def read_question(path: Path) -> Question:
    """Return the query in the file at `path` with what its `#+` header says.

    Raises:
        QueryError: Q101 the file can't be read, Q102 the header is wrong.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(
            "Q101", f"cannot read the query: {getattr(error, 'strerror', None) or 'not UTF-8 text'}", place=Place(path)
        ) from None
    header = "\n".join(line[2:].removeprefix(" ") if line.startswith("#+") else "" for line in text.splitlines())
    try:
        data = yaml.load(header, Loader=yaml.BaseLoader) or {}
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise QueryError("Q102", f"the header is not valid YAML: {error.problem}", place=Place(path, line)) from None
    if not isinstance(data, dict):
        raise QueryError("Q102", "the header is not a mapping", place=Place(path, 1))
    return Question(
        path.stem,
        data.get("title", path.stem),
        data.get("description", ""),
        data.get("parameters") or {},
        path,
        text,
        data,
    )


def find_query(what: str, library: Library) -> Question:
    """Return the query that `what` names: a file, a shipped question, or the text of a query itself.

    Raises:
        QueryError: Q101, Q102 as `read_question`.
        UseError: U105 if it is neither.
    """
    path = Path(what)
    if "{" not in what and _is_file(path):
        return read_question(path)
    if is_sparql(what):
        return Question("", "", "", {}, Path("<text>"), what)
    known = questions(library)
    if what in known:
        return known[what]
    if path.suffix == ".rq" or "/" in what:
        raise QueryError("Q101", f"no such file: {what}", suggestions=close_to(path.stem, known))
    raise UseError(
        "U105",
        f"'{what}' is no query, no file and no question",
        suggestions=close_to(what, known),
        hint=f"questions: {', '.join(known)}",
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a text too long for a name
        return False


def run_query(
    store: ox.Store,
    question: Question,
    prefixes: Prefixes,
    values: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> Result:
    """Run the query over all graphs of `store` (their merge is the default graph; GRAPH asks for one, FROM for some).

    `values` fill variables of the query: IRIs, compact names, ids, names, numbers or plain text.

    Raises:
        QueryError: Q103 for a syntax error, Q104 for a value of a variable that the query does not have, Q105 an
            undeclared prefix, Q106 an update, Q107 an unknown graph, Q108 after `seconds`, Q109 a value unknown.
    """
    runner = Runner(store, SparqlText(question.text), question.path, prefixes.namespaces)
    runner.check()
    asked = unchained(store, runner.sparql, prefixes.namespaces)
    for name in values or {}:
        if name not in runner.sparql.variables:
            variables = sorted(runner.sparql.variables)
            raise QueryError(
                "Q104",
                f"the query has no variable ?{name}",
                suggestions=close_to(name, variables),
                hint=f"variables: {', '.join(question.parameters or variables)}",
            )
    runner = replace(runner, sparql=asked)
    return within(seconds, lambda: filled(runner, values, prefixes) if values else runner.run({}))


def plain(value: Any, prefixes: Prefixes) -> str:
    """Return a term as people read it: a compact name, the text of a literal, or nothing."""
    if value is None:
        return ""
    if isinstance(value, ox.NamedNode):
        return prefixes.shorten(value.value)
    return str(value.value) if isinstance(value, ox.Literal) else str(value)


def data(value: Any, prefixes: Prefixes) -> str | int | float | bool | None:
    """Return a term as JSON has it: a number or a truth value as such, nothing as null, all else as `plain` text."""
    if value is None:
        return None
    if isinstance(value, ox.Literal):
        kind, text = value.datatype.value, value.value
        try:
            if kind == XSD + "boolean":
                return {"true": True, "1": True, "false": False, "0": False}[text]
            if kind in _WHOLE:
                return int(text)
            if kind in _BROKEN and math.isfinite(number := float(text)):
                return number
        except (ValueError, LookupError):  # ill-typed: "many"^^xsd:integer
            return text
    return plain(value, prefixes)


__all__ = ["Question", "Result", "data", "find_query", "plain", "questions", "read_question", "run_query", "term"]
