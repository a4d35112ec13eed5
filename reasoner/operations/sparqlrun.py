"""Running SPARQL over a store: what the default graph is, when to give up, and the same answer every time.

The default graph of a store made by reasoner/operations/dataset.py is the merge of all its named graphs: a triple that
stands in two of them is one triple.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import pyoxigraph as ox

from reasoner.errors import Place, QueryError, close_to
from reasoner.operations.sparqltext import UPDATES, SparqlText, Token

T = TypeVar("T")
Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_POSITION = re.compile(r"^error at (\d+):(\d+): ", re.MULTILINE)
# What Oxigraph lists as possible next letters: classes of them, told from words and signs by their brackets.
_LETTERS = re.compile(r"(?:, )?\[(?:'[^\n]*?'|[^\"\]])*?\](?= \||,|$)(?: \|\s*)?", re.DOTALL)
_KNOWN = "urn:known:"


@dataclass(frozen=True)
class Result:
    """`kind` is "select", "ask" or "construct"; `rows` hold terms (None: unbound); `boolean` answers an ASK."""

    kind: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    boolean: bool | None = None


@dataclass(frozen=True)
class Runner:
    """A query ready to be run, with any values of its variables; `path` is where errors place it."""

    store: ox.Store
    sparql: SparqlText
    path: Path
    prefixes: Mapping[str, str]

    def possible(self, name: str) -> set[Any]:
        """Return what a variable is in any row of the answer; of one that is not shown, in the outermost pattern."""
        if name in self._columns:
            every = self._every
            return {row[every.columns.index(name)] for row in every.rows} - {None}
        asked = self.sparql.values_of(name, self.prefixes)
        return {row[0] for row in replace(self, sparql=SparqlText(asked)).run({}).rows} - {None} if asked else set()

    @cached_property
    def _every(self) -> Result:
        return self.run({})

    def check(self) -> None:
        """Refuse what can't be run.

        Raises:
            QueryError: Q103 a syntax error or federation, Q105 an undeclared prefix, Q106 an update, Q107 a graph after
                FROM that is not there.
        """
        if self.sparql.form in UPDATES:
            token = self.sparql.word(self.sparql.form)
            raise QueryError(
                "Q106",
                f"{self.sparql.form} is an update, and the knowledge base is only read",
                place=self._place(token),
                hint="to add to it, add files (CONTRIBUTING.md); to ask, SELECT, ASK, CONSTRUCT or DESCRIBE",
            )
        service = self.sparql.word("SERVICE")
        if service is not None:
            raise QueryError(
                "Q103",
                "SERVICE is not allowed: a query only reads what is known here",
                place=self._place(service),
                hint="ask the other endpoint yourself, and join the results",
            )
        _ = self._columns
        asked = self.sparql.dataset(self.prefixes)
        for iri, token in {**asked[0], **asked[1]}.items() if asked else ():
            if not self.store.contains_named_graph(ox.NamedNode(iri)):
                raise QueryError(
                    "Q107",
                    f"there is no graph <{iri}>",
                    place=self._place(token),
                    suggestions=close_to(iri, [str(name.value) for name in self.store.named_graphs()]),
                    hint="SELECT ?graph { GRAPH ?graph {} } lists the graphs",
                )

    def run(self, values: Mapping[str, Term]) -> Result:
        """Return what the query, once checked, gives with `values` for some of its variables.

        Raises:
            QueryError: Q104 a variable that no value can be given, because the query computes it.
        """
        store, dataset = self._dataset()
        # Oxigraph fills variables of the answer only, and when it has settled already in what order to look things up.
        # So values are written into the text where they can be.
        written = {name: value for name, value in values.items() if self._can_begin_with(name, value)}
        shown = {name: value for name, value in values.items() if name in self._columns and name not in written}
        found = store.query(
            self._text_with({name: value for name, value in values.items() if name not in shown}),
            prefixes=dict(self.prefixes),
            substitutions={ox.Variable(name): value for name, value in shown.items()},
            **dataset,
        )
        if isinstance(found, ox.QueryBoolean):
            return Result("ask", (), (), bool(found))
        if isinstance(found, ox.QueryTriples):
            triples = sorted({(t.subject, t.predicate, t.object) for t in found}, key=_sort_key)
            rows = sorted(set(self._named(triples, whole=True)), key=_sort_key)
            return Result("construct", ("subject", "predicate", "object"), tuple(rows))
        columns = tuple(variable.value for variable in found.variables)
        rows = self._named([tuple(solution[name] for name in columns) for solution in found], whole=False)
        return Result("select", columns, tuple(rows if self.sparql.is_ordered else sorted(rows, key=_sort_key)))

    def _can_begin_with(self, name: str, value: Term) -> bool:
        """Return whether a variable can be given a value before all else: it is neither computed nor cut off."""
        first, *others = self.sparql.with_values({name: value})
        return bool(others) and self._is_valid(first)

    def _is_valid(self, text: str) -> bool:
        try:
            self._read(text)
        except SyntaxError:
            return False
        return True

    def _text_with(self, values: Mapping[str, Term]) -> str:
        for text in self.sparql.with_values(values):
            if self._is_valid(text):
                return text
        names = " and ".join(f"?{name}" for name in values)
        raise QueryError(
            "Q104",
            f"no value can be given to {names}: the query computes it, or ends with VALUES",
            place=Place(self.path),
            hint="write the value into the query",
        )

    def _read(self, text: str) -> Any:
        """Read a text without asking anything of the store."""
        return ox.Store().query(text, prefixes=dict(self.prefixes))

    @cached_property
    def _columns(self) -> frozenset[str]:
        """The variables of the answer of a SELECT."""
        try:
            found = self._read(self.sparql.text)
        except SyntaxError as error:
            raise self._syntax(str(error)) from None
        return frozenset(one.value for one in found.variables) if isinstance(found, ox.QuerySolutions) else frozenset()

    def _dataset(self) -> tuple[ox.Store, dict[str, Any]]:
        """Return the store to ask and the graphs to ask of it: all, or those after FROM and FROM NAMED."""
        asked = self.sparql.dataset(self.prefixes)
        if asked is None:
            return self.store, {}
        default, named = ([ox.NamedNode(iri) for iri in part] for part in asked)
        if len(default) == 1:  # no triple can be there twice
            return self.store, {"default_graph": default[0], "named_graphs": named}
        # What several graphs say is merged, as the standard has it; Oxigraph would count a triple once for each.
        store = ox.Store()
        for name in dict.fromkeys((*default, *named)):
            quads = list(self.store.quads_for_pattern(None, None, None, name))
            if name in default:
                store.extend(ox.Quad(q.subject, q.predicate, q.object, ox.DefaultGraph()) for q in quads)
            if name in named:
                store.add_graph(name)
                store.extend(quads)
        return store, {"default_graph": ox.DefaultGraph(), "named_graphs": named}

    def _named(self, rows: list[tuple[Any, ...]], whole: bool) -> list[tuple[Any, ...]]:
        """Return `rows` with labels that are the same in every run for the blank nodes that the query itself made.

        Those of the store have such labels. The rows are canonicalized as an RDF dataset (RDFC-1.0): as themselves
        where they are a graph (`whole`), else as one node for each row.
        """
        made = {one for row in rows for one in row if isinstance(one, ox.BlankNode) and not self._is_known(one)}
        if not made:
            return rows
        kept = [tuple(_kept(one, made) for one in row) for row in rows]
        dataset = ox.Dataset([ox.Quad(*row) for row in kept] if whole else _quads(kept, self.sparql.is_ordered))
        dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
        if whole:
            return [tuple(map(_given_back, (quad.subject, quad.predicate, quad.object))) for quad in dataset]
        width = max(len(row) for row in rows)
        cells: dict[Any, list[Any]] = {}
        for quad in dataset:
            column = int(quad.predicate.value.rpartition(":")[2])
            cells.setdefault(quad.subject, [None] * (width + 1))[column] = _given_back(quad.object)
        ordered = sorted(cells.values(), key=lambda row: int(row[width].value))
        return [tuple(row[:width]) for row in ordered]

    def _is_known(self, node: ox.BlankNode) -> bool:
        return any(
            next(iter(self.store.quads_for_pattern(*pattern)), None) is not None
            for pattern in ((node, None, None, None), (None, None, node, None))
        )

    def _place(self, token: Token | None) -> Place:
        return Place(self.path, *(self.sparql.position(token) if token else ()))

    def _syntax(self, said: str) -> QueryError:
        unknown = self.sparql.undeclared(self.prefixes)
        if unknown is not None:
            prefix = unknown.text.partition(":")[0]
            known = sorted({*self.prefixes, *self.sparql.own_prefixes})
            return QueryError(
                "Q105",
                f"the prefix '{prefix}:' of '{unknown.text}' is not declared",
                place=self._place(unknown),
                suggestions=[f"{one}:" for one in close_to(prefix, known)],
                hint=f"declare it with PREFIX, or use one of these: {' '.join(f'{one}:' for one in known)}",
            )
        at = _POSITION.search(said)
        line, column = (int(at.group(1)), int(at.group(2))) if at else (0, 0)
        return QueryError(
            "Q103",
            f"not a valid SPARQL query: {_plainer(said)}",
            place=Place(self.path, line, column),
            hint="the prefixes of all games are known",
        )


def within(seconds: float | None, work: Callable[[], T]) -> T:
    """Return what `work` returns; it runs in a thread of its own, so that a signal or the clock can end the waiting.

    Python can't stop a thread: after the time is up it goes on until it is done or the process ends.
    Raises:
        QueryError: Q108 if it takes longer than `seconds`.
    """
    done = threading.Event()
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((work(), None))
        except BaseException as error:  # handed to whoever waits
            outcome.append((None, error))
        finally:
            done.set()

    threading.Thread(target=run, daemon=True, name="query").start()
    # In short waits: on some systems a wait without an end can't be interrupted.
    waited = 0.0
    while not done.wait(step := min(0.5, max(seconds - waited, 0)) if seconds is not None else 0.5):
        waited += step
        if seconds is not None and waited >= seconds:
            raise QueryError(
                "Q108",
                f"the query took longer than {seconds:g} seconds",
                hint="narrow it (--set, LIMIT, fewer patterns without a shared variable), or allow more: --timeout",
            )
    result, error = outcome[0]
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


def _quads(rows: Iterable[tuple[Any, ...]], ordered: bool) -> list[ox.Quad]:
    """Return the rows as triples, a node for each row; with its number where the order means something."""
    quads = []
    for number, row in enumerate(rows):
        node = ox.BlankNode()
        cells = [*row, ox.Literal(str(number if ordered else 0))]
        found = ((place, cell) for place, cell in enumerate(cells) if cell is not None)
        quads += [ox.Quad(node, ox.NamedNode(f"urn:column:{place}"), cell) for place, cell in found]
    return quads


def _kept(term: Any, made: set[ox.BlankNode]) -> Any:
    return ox.NamedNode(_KNOWN + term.value) if isinstance(term, ox.BlankNode) and term not in made else term


def _given_back(term: Any) -> Any:
    if isinstance(term, ox.NamedNode) and term.value.startswith(_KNOWN):
        return ox.BlankNode(term.value.removeprefix(_KNOWN))
    return term


def _sort_key(row: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple("" if value is None else str(value) for value in row)


def _plainer(said: str) -> str:
    """Return a syntax error without its place and without the letter classes among what could have stood there."""
    text = _LETTERS.sub("", _POSITION.sub("", said))
    return " ".join(text.split()).replace("one of , ", "one of ").strip(", ")
