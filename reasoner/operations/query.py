"""SPARQL over the knowledge base: a text, a file, or a question that ships with the product."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from reasoner.errors import Place, QueryError, UseError, close_to
from reasoner.paths import Library
from reasoner.terms.namespaces import Prefixes

_POSITION = re.compile(r"at (\d+):(\d+)")
_WORDS = re.compile(r"#[^\n]*|<[^<>\s]*>|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[?$]?[\w:-]+")
_PREFIXED = re.compile(r"[A-Za-z][\w-]*:[\w./%-]+")


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


@dataclass(frozen=True)
class Result:
    """`kind` is "select", "ask" or "construct"; `rows` hold terms (None: unbound); `boolean` answers an ASK."""

    kind: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    boolean: bool | None = None


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
    if "{" in what:
        return Question("", "", "", {}, Path("<text>"), what)
    path = Path(what)
    if path.is_file():
        return read_question(path)
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


def run_query(
    store: ox.Store, question: Question, prefixes: Prefixes, values: Mapping[str, str] | None = None
) -> Result:
    """Run the query over all graphs of `store` (the union is the default graph; GRAPH asks for one).

    `values` fill variables of the query: IRIs, compact names, numbers or plain text.

    Raises:
        QueryError: Q103 for a syntax error, Q104 for a value of a variable that the query does not have.
    """
    text = question.text
    substitutions: dict[ox.Variable, ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple] = {}
    for name, value in (values or {}).items():
        variables = set(re.findall(r"[?$](\w+)", text))
        if name not in variables:
            raise QueryError("Q104", f"the query has no variable ?{name}", suggestions=close_to(name, variables))
        substitutions[ox.Variable(name)] = term(value, prefixes)
    _refuse_service(question)
    try:
        found = store.query(
            text, prefixes=dict(prefixes.namespaces), use_default_graph_as_union=True, substitutions=substitutions
        )
    except SyntaxError as error:
        at = _POSITION.search(str(error))
        line, column = (int(at.group(1)), int(at.group(2))) if at else (0, 0)
        raise QueryError(
            "Q103",
            f"not a valid SPARQL query: {error}",
            place=Place(question.path, line, column),
            hint="the prefixes of all games are known; updates are not allowed: the knowledge base is only read",
        ) from None
    if isinstance(found, ox.QueryBoolean):
        return Result("ask", (), (), bool(found))
    if isinstance(found, ox.QueryTriples):
        triples = sorted({(str(t.subject), str(t.predicate), str(t.object)): t for t in found}.items())
        return Result(
            "construct",
            ("subject", "predicate", "object"),
            tuple((t.subject, t.predicate, t.object) for _, t in triples),
        )
    columns = tuple(variable.value for variable in found.variables)
    rows = [tuple(solution[name] for name in columns) for solution in found]
    if not re.search(r"\bORDER\s+BY\b", text, re.IGNORECASE):
        rows.sort(key=lambda row: tuple("" if value is None else str(value) for value in row))
    return Result("select", columns, tuple(rows))


def _refuse_service(question: Question) -> None:
    """Refuse federation: a query may read what is known here and nothing else.

    Raises:
        QueryError: Q103 if the query holds SERVICE outside strings, IRIs and comments.
    """
    for found in _WORDS.finditer(question.text):
        if found.group().upper() == "SERVICE":
            line = question.text.count("\n", 0, found.start()) + 1
            raise QueryError(
                "Q103",
                "SERVICE is not allowed: a query only reads what is known here",
                place=Place(question.path, line),
                hint="ask the other endpoint yourself, and join the results",
            )


def term(value: str, prefixes: Prefixes) -> ox.NamedNode | ox.Literal:
    """Return the RDF term that a value given on the command line stands for."""
    if value.startswith("<") and value.endswith(">"):
        return ox.NamedNode(value[1:-1])
    if value.startswith(("http://", "https://")):
        return ox.NamedNode(value)
    if _PREFIXED.fullmatch(value) and value.partition(":")[0] in prefixes.namespaces:
        return ox.NamedNode(prefixes.expand(value))
    if re.fullmatch(r"[-+]?\d+", value):
        return ox.Literal(value, datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer"))
    return ox.Literal(value)


def plain(value: Any, prefixes: Prefixes) -> str:
    """Return a term as people read it: a compact name, the text of a literal, or nothing."""
    if value is None:
        return ""
    if isinstance(value, ox.NamedNode):
        return prefixes.shorten(value.value)
    return str(value.value) if isinstance(value, ox.Literal) else str(value)
