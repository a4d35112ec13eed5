"""What a value stands for that a variable of a query is given on the command line: `--set card=NAME`.

People write what they see: a name, a label, the id of a card or rule, a compact name, a number. Several things may be
called so; the query decides which of them it can be. A value that nothing is called by is an error, no empty answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import Any
from urllib.parse import quote, unquote

import pyoxigraph as ox

from reasoner.errors import QueryError, close_to
from reasoner.operations.sparqlrun import Result, Runner, Term
from reasoner.terms.namespaces import BASE, DCT, LABEL, TYPE, XSD, Prefixes, core, rule_id, rule_iri

NAMES = (LABEL, core("printedName"), ox.NamedNode(DCT + "title"))
_COMPACT = re.compile(r"[A-Za-z][\w-]*:[\w./%-]+")
_QUOTED = re.compile(r'"(?P<text>.*)"(?:@(?P<language>[A-Za-z-]+)|\^\^<(?P<datatype>[^>]+)>)?', re.DOTALL)
_START = re.compile(rf"{re.escape(BASE)}(?:game/[^/]+/)?[^/]+/")
_MOST_WAYS = 64


def term(value: str, prefixes: Prefixes) -> ox.NamedNode | ox.Literal:
    """Return the RDF term that a value stands for if it is written as one: an IRI, a compact name, a number, a text."""
    if value.startswith("<") and value.endswith(">"):
        iri = value[1:-1]
    elif _is_compact(value, prefixes):
        iri = prefixes.expand(value)
    else:
        iri = value if value.startswith(("http://", "https://")) else ""
    try:
        return ox.NamedNode(iri)
    except ValueError:  # no IRI
        pass
    if re.fullmatch(r"[-+]?\d+", value):
        return ox.Literal(value, datatype=ox.NamedNode(XSD + "integer"))
    if quoted := _QUOTED.fullmatch(value):
        datatype = ox.NamedNode(quoted["datatype"]) if quoted["datatype"] else None
        return ox.Literal(quoted["text"], language=quoted["language"], datatype=datatype)
    return ox.Literal(value)


def filled(runner: Runner, values: Mapping[str, str], prefixes: Prefixes) -> Result:
    """Return what `runner` gives with `values`, each standing for the one thing that gives an answer.

    Raises:
        QueryError: Q109 if a value stands for nothing, for nothing that its variable can be, or for several things.
    """
    possible = {name: _meanings(value, runner.store, prefixes) for name, value in values.items()}
    ways = [dict(zip(possible, way, strict=True)) for way in islice(product(*possible.values()), _MOST_WAYS)]
    found = [(way, result) for way in ways if not _is_empty(result := runner.run(way))]
    if len(found) > 1:
        _refuse_several([way for way, _ in found], values, prefixes)
    if found:
        return found[0][1]
    for name, meanings in possible.items():
        _refuse_unknown(runner, name, values[name], meanings, prefixes)
    return runner.run(ways[0])


def _meanings(value: str, store: ox.Store, prefixes: Prefixes) -> list[Term]:
    """Return what `value` may stand for, known or a plain text or number; none for an IRI that nothing is said of."""
    written = term(value, prefixes)
    if isinstance(written, ox.NamedNode):
        return [one for one in dict.fromkeys([written, *_rule(value)]) if _is_known(one, store)]
    if _QUOTED.fullmatch(value):
        return [written]
    rules = [one for one in _rule(value) if _is_known(one, store)]
    called = (*_called(value, store), *_with_id(value, store))
    return list(dict.fromkeys([written, *_literals(value, store), *rules, *called]))


def _literals(text: str, store: ox.Store) -> list[Term]:
    same = f"FILTER(ISLITERAL(?found) && STR(?found) = {ox.Literal(text)})"
    return _found(store, f"SELECT DISTINCT ?found {{ ?any ?of ?found {same} }}")


def _called(text: str, store: ox.Store) -> list[Term]:
    names, same = " ".join(map(str, NAMES)), f"FILTER(STR(?name) = {ox.Literal(text)})"
    found = _found(store, f"SELECT DISTINCT ?found {{ VALUES ?of {{ {names} }} ?found ?of ?name {same} }}")
    return [one for one in found if isinstance(one, ox.NamedNode)]


def _with_id(text: str, store: ox.Store) -> list[Term]:
    end = ox.Literal("/" + quote(text, safe="/%"))
    found = _found(store, f"SELECT DISTINCT ?found {{ ?found a ?kind FILTER(STRENDS(STR(?found), {end})) }}")
    return [one for one in found if isinstance(one, ox.NamedNode) and _id(one) in (text, quote(text, safe="/%"))]


def _id(iri: ox.NamedNode) -> str:
    """Return what comes after the kind of thing in an IRI of ours: the id of a card, case or term; else nothing."""
    return _START.sub("", iri.value) if _START.match(iri.value) else ""


def _found(store: ox.Store, asked: str) -> list[Term]:
    solutions = store.query(asked)
    assert isinstance(solutions, ox.QuerySolutions)
    return sorted((solution["found"] for solution in solutions), key=str)


def _is_compact(value: str, prefixes: Prefixes) -> bool:
    return bool(_COMPACT.fullmatch(value)) and value.partition(":")[0] in prefixes.namespaces


def _rule(text: str) -> list[ox.NamedNode]:
    return [rule_iri(text)] if re.fullmatch(r"\w[\w-]*:[\w.-]+", text) else []


def _is_known(iri: ox.NamedNode, store: ox.Store) -> bool:
    patterns = ((iri, None, None, None), (None, None, iri, None), (None, iri, None, None), (None, None, None, iri))
    return any(next(iter(store.quads_for_pattern(*pattern)), None) is not None for pattern in patterns)


def _is_empty(result: Result) -> bool:
    """Return whether a result says nothing: no, no rows, or one row of nothing but zeros."""
    if result.kind == "ask":
        return not result.boolean
    values = [value for row in result.rows for value in row if value is not None]
    return len(result.rows) <= 1 and all(isinstance(one, ox.Literal) and one.value == "0" for one in values)


def _refuse_several(ways: list[dict[str, Term]], values: Mapping[str, str], prefixes: Prefixes) -> None:
    for name, value in values.items():
        meant = list(dict.fromkeys(way[name] for way in ways))
        if len(meant) > 1:
            listed = ", ".join(sorted(_shown(one, prefixes) for one in meant))
            raise QueryError("Q109", f"?{name} = '{value}' can be {len(meant)} things", hint=f"give one of: {listed}")


def _refuse_unknown(runner: Runner, name: str, value: str, meanings: list[Term], prefixes: Prefixes) -> None:
    """Refuse a value that can't be what its variable stands for in any row.

    What is of the same kind as something there is known, and merely has no rows.
    """
    store, there = runner.store, runner.possible(name)
    kinds = {kind for one in there for kind in _kinds(one, store)}
    if meanings and (not there or there.intersection(meanings)):
        return
    if any(kinds.intersection(_kinds(one, store)) for one in meanings):
        return
    known = {text for one in there or _all_terms(store) for text in _calls(one, store, prefixes)}
    near = close_to(value, known)
    hint = f"values: {', '.join(sorted(known))}" if len(known) <= 12 and not near else ""
    raise QueryError("Q109", f"nothing that ?{name} can be is called '{value}'", suggestions=near, hint=hint)


def _kinds(one: Any, store: ox.Store) -> set[Any]:
    if not isinstance(one, ox.NamedNode):
        return set()
    return {quad.object for quad in store.quads_for_pattern(one, TYPE, None)}


def _all_terms(store: ox.Store) -> Iterable[Any]:
    return {quad.subject for quad in store.quads_for_pattern(None, TYPE, None)}


def _calls(one: Any, store: ox.Store, prefixes: Prefixes) -> Iterator[str]:
    """Yield what a user may write for a term."""
    if isinstance(one, ox.Literal):
        yield one.value
    if isinstance(one, ox.NamedNode):
        short = prefixes.shorten(one.value)
        yield short
        if "/rule/" in one.value:
            yield rule_id(one.value)
        yield unquote(_id(one)) or short
        for name in NAMES:
            yield from (quad.object.value for quad in store.quads_for_pattern(one, name, None))  # type: ignore[union-attr]


def _shown(one: Term, prefixes: Prefixes) -> str:
    return prefixes.shorten(one.value) if isinstance(one, ox.NamedNode) else str(one)
