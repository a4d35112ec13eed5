"""The parts of a rule's body besides its plain patterns: filters, blocks that must be absent, alternatives, bindings.

A filter or a block of several patterns can only be judged as a whole. So each part is kept as it is written, to be
run again over the bindings of an attempt that failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from reasoner.engine.pattern import Pattern

# What braces and words can hide in (comments, IRIs, strings, names with a prefix, variables), and what is looked for.
TOKENS = re.compile(
    r"""\#[^\n]*
    | <[^<>\s"{}|^`\\]*>
    | \"{3}(?:\"{0,2}(?:\\.|[^"\\]))*\"{3} | '{3}(?:'{0,2}(?:\\.|[^'\\]))*'{3}
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | [?$]\w+ | [\w.-]*:[\w.-]* | [{}()] | \w+""",
    re.VERBOSE | re.DOTALL,
)
ABSENT, FILTER, EITHER, GIVEN = "absent", "filter", "either", "given"
_KINDS = {"MINUS": ABSENT, "FILTER": FILTER, "VALUES": FILTER, "BIND": GIVEN, "OPTIONAL": GIVEN, "{": EITHER}
_CLOSING = {"{": "}", "(": ")"}


@dataclass(frozen=True)
class Part:
    """One part as it is written.

    `kind` is ABSENT for NOT EXISTS and MINUS, FILTER for a condition (also VALUES), EITHER for groups, alternatives and
    EXISTS, GIVEN for what no solution fails on. Of the first and third, `block` is the text in braces, `patterns` those
    that hold together in it, and `others` those in a branch of it, or counted.
    """

    kind: str
    text: str
    block: str = ""
    patterns: tuple[Pattern, ...] = ()
    others: tuple[Pattern, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether the part applies to the whole group, wherever it is written in it."""
        return self.text[:6].upper() == "FILTER"


Patterns: TypeAlias = tuple[Pattern, ...]


def split(select: str, read: Callable[[str], tuple[Patterns, Patterns]]) -> tuple[Part, ...]:
    """Return the parts of the outermost group of a `SELECT *` query; `read` gives `patterns` and `others`."""
    start = next(token.start() for token in TOKENS.finditer(select) if token.group().upper() == "SELECT")
    tokens = [token for token in TOKENS.finditer(select, start) if not token.group().startswith("#")]
    found = []
    for kind, first, last in _spans([token.group() for token in tokens]):
        text = select[tokens[first].start() : tokens[last].end()]
        block = ""
        if kind in (ABSENT, EITHER):
            opening = next(token for token in tokens[first : last + 1] if token.group() == "{")
            block = select[opening.start() : tokens[last].end()]
        found.append(Part(kind, text, block, *(read(block) if block else ((), ()))))
    return tuple(found)


def _spans(words: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield kind, first and last token of each part."""
    place = words.index("{") + 1
    while place < len(words) and words[place] != "}":
        kind = _KINDS.get(words[place].upper())
        if kind is None:
            place += 1
            continue
        first, is_filter = place, words[place].upper() == "FILTER"
        kind = _kind_of_filter(words, first) if is_filter else kind
        last = _closed(words, first, "(" if words[first].upper() == "BIND" or (kind == FILTER and is_filter) else "{")
        while kind == EITHER and words[last + 1].upper() == "UNION":
            last = _closed(words, last + 1, "{")
        yield kind, first, last
        place = last + 1


def _kind_of_filter(words: Sequence[str], place: int) -> str:
    following = [word.upper() for word in words[place + 1 : place + 3]]
    return ABSENT if following == ["NOT", "EXISTS"] else EITHER if following[0] == "EXISTS" else FILTER


def _closed(words: Sequence[str], place: int, openings: str) -> int:
    """Return the place of the token that closes the first of `openings` at or after `place`."""
    place = next(number for number in range(place, len(words)) if words[number] in openings)
    opening, depth = words[place], 0
    for number in range(place, len(words)):
        depth += (words[number] == opening) - (words[number] == _CLOSING[opening])
        if depth == 0:
            return number
    raise ValueError("a group is not closed")
