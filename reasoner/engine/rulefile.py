"""Rule files: the `#+` header (grlc's convention), read and checked, and the compiled rule behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

from reasoner.engine.compiler import compile_rule
from reasoner.engine.rule import Header, Rule
from reasoner.errors import CardloreError, Place, RuleError, close_to, raise_all

REQUIRED = ("id", "title", "source", "edition")
LISTS = ("exception-to", "more-specific-than")
KEYS = (*REQUIRED, *LISTS, "language", "note")
_ID = re.compile(r"[a-z][a-z0-9-]*:[A-Za-z0-9][A-Za-z0-9.-]*")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")


def read_rule(path: Path, name: str, text: str | None = None) -> Rule:
    """Return the compiled rule in the file at `path`; `name` is how messages and proofs call the file.

    Raises:
        RuleError: R101 a required key is missing, R102 the file is unreadable or the header is not YAML, R103 bad
            SPARQL, R106 not a rule, R110 an unknown key, R112 a malformed id, edition or language.
    """
    content = _read(path) if text is None else text
    header, lines = _header(content, path)
    rule = compile_rule(header, content, Place(path), name)
    return replace(rule, lines={**rule.lines, **lines})


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
        if rule.id in by_id:
            message = f"rule '{rule.id}' is defined twice, also at {_place(by_id[rule.id], 'id', folder)}"
            hint = "rules are known by their ids: give one of them another"
            errors.append(RuleError("R108", message, place=_place(rule, "id", folder), hint=hint))
        by_id.setdefault(rule.id, rule)
        source = rule.header.source
        if source not in known_sources:
            message, place = f"unknown source '{source}'", _place(rule, "source", folder)
            suggestions, hint = close_to(source, known_sources), "sources are declared in game.ttl"
            errors.append(RuleError("R111", message, place=place, suggestions=suggestions, hint=hint))
    for rule in rules:
        for key, named in zip(LISTS, (rule.header.exception_to, rule.header.more_specific_than), strict=True):
            for other in named:
                if other not in by_id:
                    message, place = f"unknown rule '{other}' in {key}", _place(rule, key, folder)
                    errors.append(RuleError("R104", message, place=place, suggestions=close_to(other, by_id)))
    raise_all(errors)
    _check_exceptions(by_id, folder)


def outranked(rule: Rule) -> tuple[str, ...]:
    """Return the ids of the rules that `rule` sets aside where both apply and disagree."""
    return (*rule.header.exception_to, *rule.header.more_specific_than)


def _check_exceptions(by_id: dict[str, Rule], folder: Path) -> None:
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        if name in trail:
            cycle = (*trail[trail.index(name) :], name)
            message = f"rules except each other in a cycle: {' -> '.join(cycle)}"
            steps = [(by_id[one], _key(by_id[one], other), other) for one, other in pairwise(cycle)]
            told = [f"{one.id} ({_place(one, key, folder)}): {key} {other}" for one, key, other in steps]
            hint = "\n  ".join((*told, "take one of these out"))
            raise RuleError("R109", message, place=_place(*steps[0][:2], folder), hint=hint)
        if name not in done:
            for other in outranked(by_id[name]):
                visit(other, (*trail, name))
            done.add(name)

    for name in sorted(by_id):
        visit(name, ())


def _key(rule: Rule, other: str) -> str:
    """Return the header key under which `rule` names `other` as set aside."""
    return LISTS[0] if other in rule.header.exception_to else LISTS[1]


def _place(rule: Rule, key: str, folder: Path) -> Place:
    return Place(folder / rule.path, rule.lines.get(key, 1))


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RuleError("R102", f"cannot read the file: {error.strerror}", place=Place(path)) from None
    except UnicodeDecodeError as error:
        raise RuleError("R102", f"the file is not UTF-8 text: {error.reason}", place=Place(path)) from None


def _header(text: str, path: Path) -> tuple[Header, dict[str, int]]:
    """Return the header in the `#+` lines of `text`, and the line of each of its keys."""
    values, lines = _pairs(text, path)
    for key in values:
        if key not in KEYS:
            message, place = f"unknown header key '{key}'", Place(path, lines[key])
            raise RuleError("R110", message, place=place, suggestions=close_to(key, KEYS))
    for key in values.keys() - set(LISTS):
        if isinstance(values[key], list):
            raise RuleError("R102", f"'{key}' is one text, not a list", place=Place(path, lines[key]))
    for key in REQUIRED:
        if not values.get(key):
            hint = f"required: {', '.join(REQUIRED)}"
            raise RuleError("R101", f"the header lacks '{key}'", place=Place(path, lines.get(key, 1)), hint=hint)
    single = {key: str(values.get(key, "")) for key in KEYS}
    if not _ID.fullmatch(single["id"]):
        message, place = f"'{single['id']}' is no rule id", Place(path, lines["id"])
        raise RuleError("R112", message, place=place, hint="write game:name or game:name.part")
    if not _is_edition(single["edition"]):
        message, place = f"'{single['edition']}' is no edition", Place(path, lines["edition"])
        hint = "the date of issue as YYYY, YYYY-MM or YYYY-MM-DD, or 'undated'"
        raise RuleError("R112", message, place=place, hint=hint)
    if single["language"] and not _LANGUAGE.fullmatch(single["language"]):
        message, place = f"'{single['language']}' is no language", Place(path, lines["language"])
        raise RuleError("R112", message, place=place, hint="write the code of the wording's language, such as en or ja")
    source, _, section = single["source"].partition(" ")
    header = Header(
        id=single["id"],
        title=single["title"],
        source=source,
        section=section.strip(),
        edition=single["edition"],
        exception_to=_names(values.get("exception-to")),
        more_specific_than=_names(values.get("more-specific-than")),
        note=" ".join(single["note"].split()),
        language=single["language"],
    )
    return header, lines


def _pairs(text: str, path: Path) -> tuple[dict[str, str | list[str]], dict[str, int]]:
    """Return the values and the lines of the header's keys; every scalar is text."""
    import yaml

    header = [line[2:].removeprefix(" ") if line.startswith("#+") else "" for line in text.splitlines()]
    try:
        root = yaml.compose("\n".join(header), Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        at_the_end = "end of stream" in (error.problem or "")  # then what was not closed tells more
        mark = (error.context_mark if at_the_end else None) or error.problem_mark
        line = mark.line + 1 if mark else 1
        raise RuleError("R102", f"the header is not valid YAML: {error.problem}", place=Place(path, line)) from None
    except (yaml.YAMLError, RecursionError) as error:
        reason = str(error).partition("\n")[0]
        raise RuleError("R102", f"the header is not valid YAML: {reason}", place=Place(path, 1)) from None
    if not isinstance(root, yaml.MappingNode):
        hint = f"begin with lines `#+ key: value`; keys: {', '.join(KEYS)}"
        raise RuleError("R101", "the file has no header", place=Place(path, 1), hint=hint)
    values: dict[str, str | list[str]] = {}
    lines: dict[str, int] = {}
    for key_node, node in root.value:
        key, line = str(key_node.value), key_node.start_mark.line + 1
        if key in values:
            raise RuleError("R102", f"the header gives '{key}' twice", place=Place(path, line))
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if not all(isinstance(item, yaml.ScalarNode) for item in (key_node, *items)):
            raise RuleError("R102", f"the header key '{key}' holds more than a list of words", place=Place(path, line))
        found = [str(item.value) for item in items]
        values[key] = found if isinstance(node, yaml.SequenceNode) else found[0]
        lines[key] = line
    return values, lines


def _is_edition(text: str) -> bool:
    if text == "undated":
        return True
    try:
        date.fromisoformat(text + "2000-01-01"[len(text) :])
    except ValueError:
        return False
    return bool(_DATE.fullmatch(text))


def _names(value: str | list[str] | None) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else value or []
    return tuple(name.strip() for name in names if name.strip())
