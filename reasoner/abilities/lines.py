"""A text cut into lines, each with what is left of it without reminders, quotations and the card's own name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reasoner.abilities.script import Script

SELF = "~"


@dataclass(frozen=True)
class Line:
    """One line: where it stands, what is left of it, and whether a bullet came first."""

    start: int
    end: int
    bare: str
    bullet: bool


def cut(text: str, script: Script, names: Iterable[str]) -> Iterator[Line]:
    """Yield the lines of `text` that are not blank."""
    own = _own(names, script)
    words = script.own_pattern
    start = 0
    for line in text.split("\n"):
        if line.strip():
            bare = _masked(line, script)
            for name in own:
                bare = bare.replace(name, SELF)
            bare = words.sub(SELF, bare).strip()
            bullet = bare[:1] in script.bullets and bare != ""
            yield Line(start, start + len(line), bare[1:].strip() if bullet else bare, bullet)
        start += len(line) + 1


def _own(names: Iterable[str], script: Script) -> list[str]:
    """Return what a text calls its own card by name: its names and their short forms, the longest first."""
    found = {name for name in names if name}
    for name in list(found):
        short = script.short_name.search(name)
        if short and len(short["short"]) > 1:
            found.add(short["short"])
    return sorted(found, key=lambda name: (-len(name), name))


def _masked(line: str, script: Script) -> str:
    """Return `line` without its reminders, and with nothing left between quotation marks."""
    opens, closes, holds = script.reminder
    if not script.marks.search(line):
        return line
    kept: list[str] = []
    at = 0
    while at < len(line):
        mark = line[at]
        if mark in opens:
            end = _end(line, at, opens, closes)
            inner = line[at:end]
            # What is no sentence, such as the quality after a keyword, is no reminder.
            if holds not in inner:
                kept.append(inner)
            at = end
        elif mark in script.quotes:
            end = line.find(script.quotes[mark], at + 1)
            kept.append(mark + script.quotes[mark])
            at = len(line) if end < 0 else end + 1
        else:
            kept.append(mark)
            at += 1
    return re.sub(r"  +", " ", "".join(kept))


def _end(line: str, at: int, opens: str, closes: str) -> int:
    """Return where what opens at `at` has been closed, or the end of the line."""
    depth = 0
    for place in range(at, len(line)):
        depth += (line[place] in opens) - (line[place] in closes)
        if depth == 0:
            return place + 1
    return len(line)
