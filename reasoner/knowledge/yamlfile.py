"""YAML in which every key and item knows its line, so that each error can name its place.

Scalars follow YAML 1.2's core schema: only true and false are booleans, so `yes`, `no` and `on` stay words. Of its
numbers only decimal ones are read as such: 0x1F, 0o17, 1e5 and .inf stay words, as names of cards may look so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasoner.errors import CardloreError, CaseError, DataError, Place

MOST_LEVELS = 100
MOST_ALIASED = 100_000  # nodes that aliases stand for, all together: a small file can hold a very large one
_INTEGER = re.compile(r"[-+]?[0-9]{1,1000}")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_PLAIN_TAGS = (None, "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map")
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

    What an alias stands for is one value in several places: do not change what is returned.

    Raises:
        DataError or CaseError: D101/C101 unreadable, D102/C102 not YAML, a key given twice, nested too deeply, a
            tag, or aliases that stand for too much.
    """
    import yaml

    unreadable, malformed = ("D101", "D102") if error is DataError else ("C101", "C102")
    try:
        data = path.read_bytes() if text is None else text.encode()
        content = data.decode("utf-8-sig")
    except OSError as problem:
        raise error(unreadable, f"cannot read the file: {problem.strerror}", place=Place(path)) from None
    except UnicodeError as problem:
        raise error(unreadable, f"the file is not UTF-8 text: {_reason(problem)}", place=Place(path)) from None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(path, error, malformed)
    try:
        return builder.build(yaml.parse(content, Loader=loader))
    except yaml.MarkedYAMLError as problem:
        at_the_end = "end of stream" in (problem.problem or "")  # then what was not closed tells more
        mark = (problem.context_mark if at_the_end else None) or problem.problem_mark
        place = Place(path, mark.line + 1, mark.column + 1) if mark else Place(path)
        raise error(malformed, f"not valid YAML: {problem.problem or problem.context}", place=place) from None
    except yaml.YAMLError as problem:
        line = content.encode()[: getattr(problem, "position", 0)].count(b"\n") + 1
        message = f"not valid YAML: {str(problem).partition(chr(10))[0]}"
        raise error(malformed, message, place=Place(path, line)) from None


def _reason(problem: UnicodeError) -> str:
    return problem.reason if isinstance(problem, UnicodeDecodeError | UnicodeEncodeError) else str(problem)


@dataclass
class _Open:
    """A collection that is being read: the key that waits for its value, the anchor, the nodes so far."""

    value: Mapping | Sequence
    anchor: str | None
    line: int
    key: str | None = None
    size: int = 1


class _Builder:
    """Builds values from YAML events on a list of its own, so that no depth of nesting can end in a traceback."""

    def __init__(self, path: Path, error: type[CardloreError], code: str) -> None:
        self._path = path
        self._error = error
        self._code = code
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._aliased = 0
        self._documents = 0
        self._root: Any = None

    def build(self, events: Iterable[Any]) -> Any:
        """Return the one document that `events` tell of, or None if there is none."""
        for event in events:
            kind = type(event).__name__.removesuffix("Event")
            line = event.start_mark.line + 1
            if kind == "Scalar":
                self._check_tag(event.tag, line)
                value = event.value if event.tag or not event.implicit[0] else _scalar(event.value)
                self._add(value, event.anchor, 1, line, event.value)
            elif kind in ("MappingStart", "SequenceStart"):
                self._check_tag(event.tag, line)
                self._check_no_key(line)
                collection = Mapping(self._path, line) if kind == "MappingStart" else Sequence(self._path, line)
                self._open.append(_Open(collection, event.anchor, line))
                if len(self._open) > MOST_LEVELS:
                    raise self._wrong(f"nested more than {MOST_LEVELS} levels deep", line)
            elif kind in ("MappingEnd", "SequenceEnd"):
                done = self._open.pop()
                self._add(done.value, done.anchor, done.size, done.line)
            elif kind == "Alias":
                self._add_alias(event.anchor, line)
            elif kind == "DocumentStart":
                self._documents += 1
                if self._documents > 1:
                    raise self._wrong("a file holds one document, and here begins another", line)
        return self._root

    def _add(self, value: Any, anchor: str | None, size: int, line: int, spelling: str | None = None) -> None:
        if anchor is not None:
            self._anchors[anchor] = (value, size)
        if not self._open:
            self._root = value
            return
        top = self._open[-1]
        if isinstance(top.value, Sequence):
            top.value.append(value)
            top.value.lines.append(line)
        elif top.key is None:
            self._begin_pair(top, spelling, line)
            return
        else:
            top.value[top.key] = value
            top.key = None
        top.size += size

    def _begin_pair(self, top: _Open, key: str | None, line: int) -> None:
        assert isinstance(top.value, Mapping)
        if not key:
            raise self._wrong("a key must be a plain word", line)
        if key in top.value:
            raise self._wrong(f"the key '{key}' is given twice", line)
        top.key = key
        top.value.lines[key] = line

    def _add_alias(self, anchor: str, line: int) -> None:
        self._check_no_key(line)
        if any(one.anchor == anchor for one in self._open):
            raise self._wrong("an alias refers to what it stands in", line)
        if anchor not in self._anchors:
            raise self._wrong(f"the alias '{anchor}' refers to nothing", line)
        value, size = self._anchors[anchor]
        self._aliased += size
        if self._aliased > MOST_ALIASED:
            raise self._wrong(f"aliases stand for more than {MOST_ALIASED} values", line)
        self._add(value, None, size, line)

    def _check_no_key(self, line: int) -> None:
        if self._open and isinstance(self._open[-1].value, Mapping) and self._open[-1].key is None:
            raise self._wrong("a key must be a plain word", line)

    def _check_tag(self, tag: str | None, line: int) -> None:
        if tag not in _PLAIN_TAGS:
            raise self._wrong(f"tags such as {tag.replace('tag:yaml.org,2002:', '!!')} have no meaning here", line)

    def _wrong(self, message: str, line: int) -> CardloreError:
        return self._error(self._code, message, place=Place(self._path, line))


def _scalar(text: str) -> Any:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text in _NULLS:
        return None
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text
