"""From the text of a rule to a compiled rule: what it concludes, needs, and needs to be absent.

The query that runs is the rule's own text with its CONSTRUCT head replaced by SELECT *, so that each solution
keeps the bindings a proof needs; what the patterns are is read off its parse tree (see reader).
"""

from __future__ import annotations

import re

import pyoxigraph as ox

from reasoner.engine.parts import TOKENS, split
from reasoner.engine.pattern import Pattern, Variable
from reasoner.engine.reader import NotARuleError, read_query
from reasoner.engine.rule import Header, Rule
from reasoner.errors import Place, RuleError

_POSITION = re.compile(r"(?:error )?at (\d+):(\d+)(?:: )?")
_MOST_LETTERS = 300


def compile_rule(header: Header, text: str, place: Place, name: str) -> Rule:
    """Return the rule written in `text` (a whole .rq file) under `header`; `name` is its path for messages.

    Raises:
        RuleError: R103 for a SPARQL syntax error, R106 for a query that can't be a rule (no CONSTRUCT, a blank
            node or a variable predicate in the head, a head variable that the body never binds, a part that
            depends on more than the facts).
    """
    _check_syntax(text, place)
    try:
        heads, patterns = read_query(text)
    except NotARuleError as error:
        raise RuleError("R106", str(error), place=_at(place, text, error.word), hint=error.hint) from None
    except Exception as error:  # rdflib raises many kinds here, and pyoxigraph has already accepted the text
        line, column = getattr(error, "lineno", 0), getattr(error, "column", 0)
        message = f"the rule is not valid SPARQL 1.1: {_one_line(error)}"
        raise RuleError("R103", message, place=Place(place.path, line, column)) from None
    select = _as_select(text, place)
    _check_heads(heads, _bound_in(select), text, place)
    prologue = select[: _select_at(select)]
    parts = split(select, lambda block: _together(f"{prologue}CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {block} }}"))
    return Rule(header=header, path=name, select=select, heads=heads, parts=parts, lines=_lines(text), **patterns)


def _together(text: str) -> tuple[tuple[Pattern, ...], tuple[Pattern, ...]]:
    """Return the patterns in the body of a query that every solution meets, and those of which it meets some."""
    _, found = read_query(text)
    return found["required"], (*found["either"], *found["counted"])


def _select_at(select: str) -> int:
    return next(token.start() for token in TOKENS.finditer(select) if token.group().upper() == "SELECT")


def _check_syntax(text: str, place: Place) -> None:
    try:
        ox.Store().query(text)
    except SyntaxError as error:
        if "SELECT * is not authorized with GROUP BY" in str(error):
            message = "a rule may not group or limit its solutions"
            hint = "put that into a subquery: { SELECT … }"
            raise RuleError("R106", message, place=_at(place, text, "GROUP"), hint=hint) from None
        at = _POSITION.search(str(error))
        line, column = (int(at.group(1)), int(at.group(2))) if at else (0, 0)
        raise RuleError(
            "R103",
            f"the rule is not valid SPARQL: {_one_line(error)}",
            place=Place(place.path, line, column),
            hint="one CONSTRUCT { … } WHERE { … } with its PREFIX lines; see CONTRIBUTING.md, 'A rule'",
        ) from None


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]} …"


def _bound_in(select: str) -> set[str]:
    solutions = ox.Store().query(select)
    assert isinstance(solutions, ox.QuerySolutions)
    return {variable.value for variable in solutions.variables}


def _check_heads(heads: tuple[Pattern, ...], bound: set[str], text: str, place: Place) -> None:
    for head in heads:
        if not isinstance(head.verb, ox.NamedNode):
            name = head.verb.name if isinstance(head.verb, Variable) else ""
            raise RuleError(
                "R106",
                "a rule's head may not have a variable predicate",
                place=_at(place, text, f"?{name}", f"${name}"),
                hint="write one triple in the head for each predicate, or one rule for each",
            )
        for slot in (head.subject, head.object):
            if isinstance(slot, Variable) and slot.name.startswith("_:"):
                raise RuleError(
                    "R106",
                    "a rule's head may not have a blank node: the fixpoint would never end",
                    place=_at(place, text),
                    hint="build an IRI with BIND(IRI(CONCAT(…)) AS ?new)",
                )
            if isinstance(slot, Variable) and slot.name not in bound:
                raise RuleError(
                    "R106",
                    f"?{slot.name} stands in the head but is never bound in the body",
                    place=_at(place, text, f"?{slot.name}", f"${slot.name}"),
                    hint="bind it in WHERE { … }, or correct the name",
                )


def _at(place: Place, text: str, *words: str) -> Place:
    """Return the line on which one of `words` stands first, else that on which the query begins."""
    forms = ("CONSTRUCT", "SELECT", "ASK", "DESCRIBE")
    for wanted in (words, forms):
        for token in TOKENS.finditer(text):
            if token.group() in wanted or token.group().upper() in wanted:
                return Place(place.path, text.count("\n", 0, token.start()) + 1)
    return Place(place.path, 1)


def _as_select(text: str, place: Place) -> str:
    """Return the rule's text with `CONSTRUCT { … }` replaced by `SELECT *`; line numbers stay as they are."""
    depth, start = 0, -1
    for token in TOKENS.finditer(text):
        word = token.group()
        if start < 0:
            if word.upper() == "CONSTRUCT":
                start = token.start()
        elif word == "{":
            depth += 1
        elif word == "}":
            depth -= 1
            if depth == 0:
                head = text[start : token.end()]
                return text[:start] + "SELECT *" + "\n" * head.count("\n") + text[token.end() :]
    raise RuleError("R106", "a rule is written CONSTRUCT { … } WHERE { … }", place=_at(place, text))


def _lines(text: str) -> dict[str, int]:
    """Return the first line, from 1, on which each compact name or IRI of the query stands."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("#") and not line.lstrip().upper().startswith("PREFIX"):
            for name in re.findall(r"[\w-]*:[\w.-]*\w|<[^<>\s]+>", line):
                lines.setdefault(name, number)
    return lines
