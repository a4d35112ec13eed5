"""YAML in which every key and item knows its line, so that each error can name its place.

Scalars follow YAML 1.2's core schema: only true and false are booleans, so `yes`, `no` and `on` stay words.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from reasoner.errors import CardloreError, CaseError, DataError, Place

_INTEGER = re.compile(r"[-+]?\d+")
_FLOAT = re.compile(r"[-+]?(\d+\.\d*|\.\d+)([eE][-+]?\d+)?")
_CONSTANTS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NULLS = {"", "~", "null", "Null", "NULL"}


class Mapping(dict[str, Any]):
    """A YAML mapping; `lines[key]` is the line of the key, `line` that of the mapping."""

    def __init__(self, path: Path, line: int) -> None:
        super().__init__()
        self.path = path
        self.line = line
        self.lines: dict[str, int] = {}

    def place(self, key: str | None = None) -> Place:
        """Return where `key` (or the mapping) stands."""
        return Place(self.path, self.lines.get(key, self.line) if key is not None else self.line)


class Sequence(list[Any]):
    """A YAML sequence; `lines[i]` is the line of item i."""

    def __init__(self, path: Path, line: int) -> None:
        super().__init__()
        self.path = path
        self.line = line
        self.lines: list[int] = []

    def place(self, index: int | None = None) -> Place:
        """Return where item `index` (or the sequence) stands."""
        return Place(self.path, self.line if index is None else self.lines[index])


def read_yaml(path: Path, error: type[DataError] | type[CaseError] = DataError, text: str | None = None) -> Any:
    """Return the content of a YAML file as Mapping, Sequence, str, int, float, bool or None.

    Raises:
        DataError or CaseError: D101/C101 unreadable, D102/C102 not YAML or a key given twice.
    """
    import yaml

    unreadable, malformed = ("D101", "D102") if error is DataError else ("C101", "C102")
    try:
        content = path.read_text(encoding="utf-8") if text is None else text
    except OSError as problem:
        raise error(unreadable, f"cannot read the file: {problem.strerror}", place=Place(path)) from None
    except UnicodeDecodeError as problem:
        raise error(unreadable, f"the file is not UTF-8 text: {problem.reason}", place=Place(path)) from None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(content, Loader=loader)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        place = Place(path, mark.line + 1, mark.column + 1) if mark else Place(path)
        raise error(malformed, f"not valid YAML: {problem.problem or problem.context}", place=place) from None
    except yaml.YAMLError as problem:
        raise error(malformed, f"not valid YAML: {problem}", place=Place(path)) from None
    return None if node is None else _value(node, path, error, malformed, ())


def _value(node: Any, path: Path, error: type[CardloreError], code: str, above: tuple[Any, ...]) -> Any:
    if node in above:
        raise error(code, "an alias refers to what it stands in", place=Place(path, node.start_mark.line + 1))
    kind = type(node).__name__
    line = node.start_mark.line + 1
    if kind == "MappingNode":
        mapping = Mapping(path, line)
        for key_node, value_node in node.value:
            key = str(key_node.value) if type(key_node).__name__ == "ScalarNode" else ""
            if not key:
                raise error(code, "a key must be a plain word", place=Place(path, key_node.start_mark.line + 1))
            if key in mapping:
                raise error(code, f"the key '{key}' is given twice", place=Place(path, key_node.start_mark.line + 1))
            mapping[key] = _value(value_node, path, error, code, (*above, node))
            mapping.lines[key] = key_node.start_mark.line + 1
        return mapping
    if kind == "SequenceNode":
        sequence = Sequence(path, line)
        for item in node.value:
            sequence.append(_value(item, path, error, code, (*above, node)))
            sequence.lines.append(item.start_mark.line + 1)
        return sequence
    return _scalar(node)


def _scalar(node: Any) -> Any:
    text = node.value
    if node.style in ("'", '"', "|", ">"):
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text in _NULLS:
        return None
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text
