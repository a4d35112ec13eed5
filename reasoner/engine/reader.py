"""The triple patterns of a query, each with the part it plays: what a rule needs, may use, or needs to be absent.

They are read off rdflib's parse tree and not off its algebra, which drops the filters inside EXISTS. rdflib is
imported when a rule is compiled anew, and only then.

Source: SPARQL 1.1 Query Language, section 5 (graph patterns), 8 (negation), 11 (aggregates), 12 (subqueries).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

import pyoxigraph as ox

from reasoner.engine.pattern import ANY_PREDICATE, Path, Pattern, Slot, Variable, Verb

KINDS = ("required", "either", "optional", "absent", "counted", "guarded")
_VOLATILE = {"Builtin_BNODE", "Builtin_NOW", "Builtin_RAND", "Builtin_STRUUID", "Builtin_UUID"}

# A variable's name as seen from outside the subquery it stands in.
Scope: TypeAlias = Callable[[str], str]
Found: TypeAlias = Iterator[tuple[str, Pattern]]


class NotARuleError(Exception):
    """The query has a part that no rule can have: the message says which, `word` begins it, `hint` mends it."""

    def __init__(self, message: str, hint: str = "", word: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        self.word = word


@lru_cache(maxsize=1024)  # editions of a game share most rules
def read_query(text: str) -> tuple[tuple[Pattern, ...], dict[str, tuple[Pattern, ...]]]:
    """Return the head of a CONSTRUCT query and the patterns of its body by kind (see KINDS), each once.

    Blank nodes, and variables that are local to a subquery, become variables `_:n` that no solution binds.

    Raises:
        NotARuleError: no CONSTRUCT with a head, or a part that depends on more than the facts (GRAPH, SERVICE,
            FROM, NOW(), …) or that lets no solution be told from another (GROUP BY outside a subquery).
        Exception: whatever rdflib raises for a query that it can't read.
    """
    query = _parse(text)
    if query.name != "ConstructQuery" or not query.template:
        raise NotARuleError("a rule is one CONSTRUCT query with a head", "CONSTRUCT { … } WHERE { … }")
    if query.datasetClause:
        raise NotARuleError(
            "a rule may not choose its graphs with FROM", "it reads all that is known of the game", "FROM"
        )
    if _regroups(query):
        raise NotARuleError("a rule may not group or limit its solutions", "put that into a subquery: { SELECT … }")
    reader = _Reader()
    heads = tuple(reader.pattern(triple, reader.outside) for triple in _triples(query.template))
    found: dict[str, dict[Pattern, None]] = {kind: {} for kind in KINDS}
    for kind, pattern in reader.group(query.where, "required", reader.outside):
        found[kind][pattern] = None
    return heads, {kind: tuple(patterns) for kind, patterns in found.items()}


def _parse(text: str) -> Any:
    """Return the parse tree of a query, with all names expanded and all paths built, literals as they are written."""
    import rdflib
    from rdflib.plugins.sparql.algebra import translatePath, translatePName, translatePrologue, traverse
    from rdflib.plugins.sparql.parser import parseQuery

    normalizing, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False
    try:
        prologue, query = parseQuery(text)
        names = translatePrologue(prologue, "")
        query = traverse(query, visitPost=lambda node: translatePName(node, names))
        return traverse(query, visitPost=translatePath)
    finally:
        rdflib.NORMALIZE_LITERALS = normalizing


def inside(outer: str, inner: str) -> str:
    """Return the kind of a pattern that stands in an `inner` part of an `outer` one.

    What stands under two negations, or under a negation that need not apply, is `guarded`: it must be complete, but
    neither its presence nor its absence can be told from a solution. The same holds of what is counted in a part that
    need not be met.
    """
    if outer == "required":
        return inner
    if "guarded" in (outer, inner) or inner == "absent":
        return "guarded"
    if outer == "counted":
        return "counted"
    if outer == "absent":
        return "absent" if inner == "either" else "guarded"
    if inner == "counted":
        return "guarded"
    return "optional" if "optional" in (outer, inner) else "either"


class _Reader:
    """Walks over a parse tree; numbers the names that no solution binds."""

    def __init__(self) -> None:
        self._hidden: dict[object, str] = {}
        self._subqueries = 0

    def group(self, node: Any, kind: str, scope: Scope) -> Found:
        """Yield the patterns of a group graph pattern or of one of its parts."""
        name = node.name
        if name == "GroupGraphPatternSub":
            for part in node.part or ():
                yield from self.group(part, kind, scope)
        elif name == "TriplesBlock":
            for triple in _triples(node.triples):
                yield kind, self.pattern(triple, scope)
        elif name == "OptionalGraphPattern":
            yield from self.group(node.graph, inside(kind, "optional"), scope)
        elif name == "MinusGraphPattern":
            yield from self.group(node.graph, inside(kind, "absent"), scope)
        elif name == "GroupOrUnionGraphPattern":
            for part in node.graph:
                yield from self.group(part, kind if len(node.graph) == 1 else inside(kind, "either"), scope)
        elif name == "SubSelect":
            yield from self._subquery(node, kind, scope)
        elif name == "Filter":
            yield from self._condition(node.expr, kind, scope)
        elif name == "Bind":
            yield from self._condition(node.expr, inside(kind, "optional"), scope)
        elif name != "InlineData":  # GRAPH and SERVICE
            word = name.removesuffix("GraphPattern").upper()
            raise NotARuleError(f"a rule may not use {word}", "it reads all that is known of the game", word)

    def _subquery(self, node: Any, kind: str, scope: Scope) -> Found:
        projected = {str(one.var or one.evar) for one in node.projection or ()}
        self._subqueries += 1
        inner = self._local(projected, scope, self._subqueries) if projected else scope
        parts = [one.expr for one in node.projection or () if one.expr is not None]
        parts += node.orderby.condition if node.orderby else ()
        if _regroups(node) or any(_aggregates(part) for part in parts):
            kind = inside(kind, "counted")
        yield from self.group(node.where, kind, inner)
        for part in (*parts, *(node.having.condition if node.having else ())):
            yield from self._condition(part, inside(kind, "optional"), inner)

    def _condition(self, node: Any, kind: str, scope: Scope, positive: bool = True) -> Found:
        """Yield the patterns under EXISTS and NOT EXISTS; not `positive` where the condition is negated."""
        name = getattr(node, "name", None)
        if name in _VOLATILE:
            function = name.removeprefix("Builtin_")
            hint = "build the value of what the solution binds"
            raise NotARuleError(
                f"a rule may not call {function}(), which gives another value each time", hint, function
            )
        if name in ("Builtin_EXISTS", "Builtin_NOTEXISTS"):
            wanted = positive == (name == "Builtin_EXISTS")
            yield from self.group(node.graph, inside(kind, "either" if wanted else "absent"), scope)
            return
        if name == "UnaryNot":
            positive = not positive
        elif name in ("ConditionalOrExpression", "ConditionalAndExpression"):
            if node.other and positive == (name == "ConditionalOrExpression"):
                kind = inside(kind, "either")
        elif name is not None and len(_parts(node)) > 1:  # no mere wrapper: what it makes of a truth value is open
            kind, positive = inside(kind, "optional"), True
        for part in _parts(node):
            yield from self._condition(part, kind, scope, positive)

    def pattern(self, triple: Any, scope: Scope) -> Pattern:
        """Return a triple of the parse tree as a pattern."""
        subject, verb, value = triple
        return Pattern(self._slot(subject, scope), self._verb(verb, scope), self._slot(value, scope))

    def _slot(self, term: Any, scope: Scope) -> Slot:
        from rdflib import BNode, Literal, URIRef
        from rdflib import Variable as SparqlVariable

        if isinstance(term, SparqlVariable):
            return Variable(scope(str(term)))
        if isinstance(term, BNode):
            return Variable(self._hide(term))
        if isinstance(term, URIRef):
            return ox.NamedNode(str(term))
        assert isinstance(term, Literal)
        if term.language:
            return ox.Literal(str(term), language=term.language)
        datatype = ox.NamedNode(str(term.datatype)) if term.datatype else None
        return ox.Literal(str(term), datatype=datatype)

    def _verb(self, term: Any, scope: Scope) -> Verb:
        from rdflib.paths import Path as SparqlPath

        if isinstance(term, SparqlPath):
            predicates = tuple(sorted(set(_predicates(term))))
            return Path(_path_text(term), predicates)
        slot = self._slot(term, scope)
        assert not isinstance(slot, ox.Literal)
        return slot

    def _hide(self, name: object) -> str:
        return self._hidden.setdefault(name, f"_:{len(self._hidden) + 1}")

    def _local(self, projected: set[str], scope: Scope, number: int) -> Scope:
        return lambda name: scope(name) if name in projected else self._hide((number, name))

    @staticmethod
    def outside(name: str) -> str:
        """Return a variable's name outside all subqueries: itself."""
        return name


def _triples(flat_lists: Any) -> Iterator[Any]:
    """Yield the triples of a parse tree, which holds each block as one flat list of 3·n terms."""
    for flat in flat_lists:
        for start in range(0, len(flat), 3):
            yield flat[start : start + 3]


def _regroups(query: Any) -> bool:
    return any(getattr(query, part) for part in ("groupby", "having", "limitoffset"))


def _parts(node: Any) -> list[Any]:
    if isinstance(node, list | tuple):
        return list(node)
    if not hasattr(node, "name"):
        return []
    return [part for key, part in node.items() if part is not None and key != "_vars"]


def _aggregates(node: Any) -> bool:
    return getattr(node, "name", "").startswith("Aggregate_") or any(_aggregates(part) for part in _parts(node))


def _predicates(path: Any) -> Iterator[str]:
    """Yield the predicates a path walks over; `*` where it walks over all but some."""
    from rdflib import URIRef
    from rdflib.paths import NegatedPath
    from rdflib.paths import Path as SparqlPath

    if isinstance(path, NegatedPath):
        yield ANY_PREDICATE
    elif not isinstance(path, URIRef | SparqlPath):  # rdflib loses what stands under ^ in a negated set
        raise NotARuleError("a rule may not have an inverse step in a negated property set", "split the set in two")
    inner = _steps(path)
    if not inner:
        yield str(path)
    for part in inner:
        yield from _predicates(part)


def _steps(path: Any) -> list[Any]:
    for name in ("args", "arg", "path"):
        if hasattr(path, name):
            inner = getattr(path, name)
            return list(inner) if isinstance(inner, list | tuple) else [inner]
    return []


def _path_text(path: Any) -> str:
    from rdflib.paths import AlternativePath, InvPath, MulPath, NegatedPath, SequencePath

    parts = [f"({_path_text(part)})" if len(_steps(part)) > 1 else _path_text(part) for part in _steps(path)]
    if isinstance(path, SequencePath):
        return "/".join(parts)
    if isinstance(path, AlternativePath):
        return "|".join(parts)
    if isinstance(path, InvPath):
        return f"^{parts[0]}"
    if isinstance(path, MulPath):
        return f"({parts[0]}){path.mod}" if parts[0][0] in "^!" or parts[0][-1] in "*+?" else f"{parts[0]}{path.mod}"
    if isinstance(path, NegatedPath):
        return f"!({'|'.join(parts)})"
    return f"<{path}>"
