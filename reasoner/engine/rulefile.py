"""Rule files: the `#+` header (grlc's convention), read and checked, and the compiled rule behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from reasoner.engine.compiler import compile_rule
from reasoner.engine.rule import Header, Rule
from reasoner.errors import CardloreError, Place, RuleError, close_to, raise_all

REQUIRED = ("id", "title", "source", "edition")
KEYS = (*REQUIRED, "exception-to", "more-specific-than", "note")
_ID = re.compile(r"[a-z][a-z0-9-]*:[A-Za-z0-9][A-Za-z0-9.-]*")
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?|undated")


def read_rule(path: Path, name: str, text: str | None = None) -> Rule:
    """Return the compiled rule in the file at `path`; `name` is how messages and proofs call the file.

    Raises:
        RuleError: R101 a required key is missing, R102 the header is not YAML, R103 bad SPARQL, R106 not a
            rule, R110 an unknown key, R112 a malformed id or edition.
    """
    if text is None:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise RuleError("R102", f"the file is not UTF-8 text: {error.reason}", place=Place(path)) from None
    return compile_rule(_header(text, path), text, Place(path), name)


def check_rules(rules: Sequence[Rule], sources: Iterable[str], folder: Path) -> None:
    """Check what only the whole set can tell: ids, the rules that exceptions name, cycles of exceptions, sources.

    Raises:
        RuleError: R104 an unknown rule is named, R108 two files share an id, R109 exceptions form a cycle,
            R111 an unknown source.
    """
    errors: list[CardloreError] = []
    by_id: dict[str, Rule] = {}
    known_sources = set(sources)
    for rule in rules:
        place = Place(folder / rule.path, rule.lines.get("id", 1))
        if rule.id in by_id:
            errors.append(
                RuleError("R108", f"rule '{rule.id}' is defined twice, also in {by_id[rule.id].path}", place=place)
            )
        by_id.setdefault(rule.id, rule)
        if rule.header.source not in known_sources:
            errors.append(
                RuleError(
                    "R111",
                    f"unknown source '{rule.header.source}'",
                    place=place,
                    suggestions=close_to(rule.header.source, known_sources),
                    hint="sources are declared in game.ttl",
                )
            )
    for rule in rules:
        for key, named in (
            ("exception-to", rule.header.exception_to),
            ("more-specific-than", rule.header.more_specific_than),
        ):
            for other in named:
                if other not in by_id:
                    place = Place(folder / rule.path, 1)
                    errors.append(
                        RuleError(
                            "R104", f"unknown rule '{other}' in {key}", place=place, suggestions=close_to(other, by_id)
                        )
                    )
    raise_all(errors)
    _check_exceptions(by_id, folder)


def outranked(rule: Rule) -> tuple[str, ...]:
    """Return the ids of the rules that `rule` sets aside where both apply and disagree."""
    return (*rule.header.exception_to, *rule.header.more_specific_than)


def _check_exceptions(by_id: dict[str, Rule], folder: Path) -> None:
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        if name in trail:
            cycle = " -> ".join((*trail[trail.index(name) :], name))
            raise RuleError(
                "R109", f"rules except each other in a cycle: {cycle}", place=Place(folder / by_id[name].path, 1)
            )
        if name not in done:
            for other in outranked(by_id[name]):
                visit(other, (*trail, name))
            done.add(name)

    for name in sorted(by_id):
        visit(name, ())


def _header(text: str, path: Path) -> Header:
    import yaml

    lines = [line[2:].removeprefix(" ") if line.startswith("#+") else "" for line in text.splitlines()]
    place = Place(path, 1)
    try:
        data = yaml.load("\n".join(lines), Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise RuleError("R102", f"the header is not valid YAML: {error.problem}", place=Place(path, line)) from None
    if not isinstance(data, dict):
        raise RuleError(
            "R101",
            "the file has no header",
            place=place,
            hint=f"begin with lines `#+ key: value`; keys: {', '.join(KEYS)}",
        )
    where = {key: _line_of(key, text) for key in data}
    for key in data:
        if key not in KEYS:
            raise RuleError(
                "R110", f"unknown header key '{key}'", place=Place(path, where[key]), suggestions=close_to(key, KEYS)
            )
    for key in REQUIRED:
        if not data.get(key):
            raise RuleError("R101", f"the header lacks '{key}'", place=place, hint=f"required: {', '.join(REQUIRED)}")
    if not _ID.fullmatch(data["id"]):
        raise RuleError(
            "R112",
            f"'{data['id']}' is no rule id",
            place=Place(path, where["id"]),
            hint="write game:name or game:name.part",
        )
    if not _DATE.fullmatch(data["edition"]):
        raise RuleError(
            "R112",
            f"'{data['edition']}' is no edition",
            place=Place(path, where["edition"]),
            hint="the date of issue as YYYY, YYYY-MM or YYYY-MM-DD, or 'undated'",
        )
    source, _, section = data["source"].partition(" ")
    return Header(
        id=data["id"],
        title=data["title"],
        source=source,
        section=section.strip(),
        edition=data["edition"],
        exception_to=_names(data.get("exception-to")),
        more_specific_than=_names(data.get("more-specific-than")),
        note=" ".join((data.get("note") or "").split()),
    )


def _names(value: object) -> tuple[str, ...]:
    if not value:
        return ()
    return (
        tuple(str(name) for name in value)
        if isinstance(value, list)
        else tuple(part.strip() for part in str(value).split(","))
    )


def _line_of(key: str, text: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#+") and line[2:].strip().startswith(f"{key}:"):
            return number
    return 1
