"""From the text of a rule to a compiled rule: what it concludes, needs, and needs to be absent.

The patterns are read off rdflib's SPARQL algebra (SPARQL 1.1, section 18); the query that runs is the rule's
own text with its CONSTRUCT head replaced by SELECT *, so that each solution keeps the bindings a proof needs.
rdflib is imported only here, and only when a rule is compiled anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pyoxigraph as ox

from reasoner.engine.pattern import Path, Pattern, Slot, Variable, Verb
from reasoner.engine.rule import Header, Rule
from reasoner.errors import Place, RuleError

_TOKENS = re.compile(r"#[^\n]*|<[^<>\s\"{}|^`\\]*>|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[{}]|\w+")
_POSITION = re.compile(r"at (\d+):(\d+)")


def compile_rule(header: Header, text: str, place: Place, name: str) -> Rule:
    """Return the rule written in `text` (a whole .rq file) under `header`; `name` is its path for messages.

    Raises:
        RuleError: R103 for a SPARQL syntax error, R106 for a query that can't be a rule (no CONSTRUCT,
            a blank node or a variable predicate in the head, a head variable that the body never binds).
    """
    _check_syntax(text, place)
    template, algebra = _algebra(text, place)
    heads = tuple(_pattern(triple) for triple in template)
    found: dict[str, list[Pattern]] = {kind: [] for kind in ("required", "either", "optional", "absent", "counted")}
    bound: set[str] = set()
    for kind, pattern in _walk(algebra, "required"):
        found[kind].append(pattern)
    bound.update(str(variable) for variable in algebra["_vars"])
    _check_heads(heads, bound, place)
    patterns = {kind: tuple(dict.fromkeys(patterns)) for kind, patterns in found.items()}
    return Rule(header=header, path=name, select=_as_select(text, place), heads=heads, lines=_lines(text), **patterns)


def _check_syntax(text: str, place: Place) -> None:
    try:
        ox.Store().query(text)
    except SyntaxError as error:
        at = _POSITION.search(str(error))
        line, column = (int(at.group(1)), int(at.group(2))) if at else (0, 0)
        raise RuleError(
            "R103",
            f"the rule is not valid SPARQL: {error}",
            place=Place(place.path, line, column),
            hint="one CONSTRUCT { … } WHERE { … } with its PREFIX lines; see CONTRIBUTING.md, 'A rule'",
        ) from None


def _algebra(text: str, place: Place) -> tuple[list[Any], Any]:
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        query = translateQuery(parseQuery(text)).algebra
    except Exception as error:  # rdflib raises many kinds here, and pyoxigraph has already accepted the text
        raise RuleError("R103", f"the rule is not valid SPARQL 1.1: {error}", place=place) from None
    if query.name != "ConstructQuery" or not query.template:
        raise RuleError("R106", "a rule is one CONSTRUCT query with a head", place=place, hint="CONSTRUCT { … } WHERE { … }")
    return list(query.template), query.p


def _check_heads(heads: tuple[Pattern, ...], bound: set[str], place: Place) -> None:
    for head in heads:
        if not isinstance(head.verb, ox.NamedNode):
            raise RuleError("R106", "a rule's head may not have a variable predicate", place=place)
        for slot in (head.subject, head.object):
            if isinstance(slot, Variable) and slot.name.startswith("_:"):
                raise RuleError(
                    "R106",
                    "a rule's head may not have a blank node: the fixpoint would never end",
                    place=place,
                    hint="build an IRI with BIND(IRI(CONCAT(…)) AS ?new)",
                )
            if isinstance(slot, Variable) and slot.name not in bound:
                raise RuleError("R106", f"?{slot.name} stands in the head but is never bound in the body", place=place)


def _walk(node: Any, kind: str) -> Iterator[tuple[str, Pattern]]:
    """Yield (kind, pattern) for every triple pattern below an algebra node."""
    from rdflib.plugins.sparql.parserutils import CompValue

    if isinstance(node, list | tuple):
        for part in node:
            yield from _walk(part, kind)
        return
    if not isinstance(node, CompValue):
        return
    name = node.name
    if name in ("BGP", "TriplesBlock"):
        for triple in _triples(node):
            yield kind, _pattern(triple)
    elif name == "LeftJoin":
        yield from _walk(node.p1, kind)
        yield from _walk(node.p2, _inside(kind, "optional"))
        yield from _walk(node.expr, kind)
    elif name == "Union":
        yield from _walk(node.p1, _inside(kind, "either"))
        yield from _walk(node.p2, _inside(kind, "either"))
    elif name == "Minus":
        yield from _walk(node.p1, kind)
        yield from _walk(node.p2, "absent")
    elif name in ("AggregateJoin", "Group"):
        for part in node.values():
            yield from _walk(part, "counted")
    elif name == "Builtin_NOTEXISTS":
        yield from _walk(node.graph, "absent")
    elif name == "Builtin_EXISTS":
        yield from _walk(node.graph, _inside(kind, "either"))
    else:
        for key, part in node.items():
            if key != "_vars":
                yield from _walk(part, kind)


def _inside(outer: str, inner: str) -> str:
    """Return the kind of a pattern that stands in an `inner` part of an `outer` one: the stricter of the two."""
    order = ("required", "either", "optional", "counted", "absent")
    return max(outer, inner, key=order.index)


def _triples(node: Any) -> Iterator[tuple[Any, Any, Any]]:
    # Inside EXISTS rdflib leaves the parse tree as it is: triples are flat lists of 3·n terms.
    for entry in node.triples:
        if isinstance(entry, tuple):
            yield entry
        else:
            for start in range(0, len(entry), 3):
                yield entry[start], entry[start + 1], entry[start + 2]


def _pattern(triple: tuple[Any, Any, Any]) -> Pattern:
    subject, verb, value = triple
    return Pattern(_slot(subject), _verb(verb), _slot(value))


def _slot(term: Any) -> Slot:
    from rdflib import BNode, Literal, URIRef
    from rdflib import Variable as SparqlVariable

    if isinstance(term, SparqlVariable):
        return Variable(str(term))
    if isinstance(term, BNode):
        return Variable(f"_:{term}")
    if isinstance(term, URIRef):
        return ox.NamedNode(str(term))
    assert isinstance(term, Literal)
    if term.language:
        return ox.Literal(str(term), language=term.language)
    return ox.Literal(str(term), datatype=ox.NamedNode(str(term.datatype))) if term.datatype else ox.Literal(str(term))


def _verb(term: Any) -> Verb:
    from rdflib.paths import Path as SparqlPath

    if isinstance(term, SparqlPath) or not hasattr(term, "toPython"):
        predicates = sorted(set(_predicates(term)))
        return Path(" ".join(str(_path_text(term)).split()), tuple(predicates))
    slot = _slot(term)
    assert not isinstance(slot, ox.Literal)
    return slot


def _predicates(path: Any) -> Iterator[str]:
    from rdflib import URIRef

    if isinstance(path, URIRef):
        yield str(path)
        return
    inner = getattr(path, "args", None)
    if inner is None:
        inner = [part for part in (getattr(path, "path", None), getattr(path, "arg", None)) if part is not None]
    if not inner and hasattr(path, "values"):  # an untranslated path inside EXISTS is a parse-tree node
        inner = [part for key, part in path.items() if key != "_vars"]
    for part in inner:
        yield from (_predicates(part) if not isinstance(part, list) else (p for item in part for p in _predicates(item)))


def _path_text(path: Any) -> str:
    return str(path.n3()) if hasattr(path, "n3") else " / ".join(f"<{predicate}>" for predicate in _predicates(path))


def _as_select(text: str, place: Place) -> str:
    """Return the rule's text with `CONSTRUCT { … }` replaced by `SELECT *`; line numbers stay as they are."""
    depth, start, seen = 0, -1, False
    for token in _TOKENS.finditer(text):
        word = token.group()
        if word.upper() == "CONSTRUCT" and not seen:
            seen, start = True, token.start()
        elif seen and word == "{":
            depth += 1
        elif seen and word == "}":
            depth -= 1
            if depth == 0:
                head = text[start : token.end()]
                return text[:start] + "SELECT *" + "\n" * head.count("\n") + text[token.end() :]
    raise RuleError("R106", "a rule is written CONSTRUCT { … } WHERE { … }", place=place)


def _lines(text: str) -> dict[str, int]:
    """Return the first line, from 1, on which each compact name or IRI of the query stands."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("#") and not line.lstrip().upper().startswith("PREFIX"):
            for name in re.findall(r"[\w-]+:[\w.-]*\w|<[^<>\s]+>", line):
                lines.setdefault(name, number)
    return lines
