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
    own = own_names(names, script)
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


def own_names(names: Iterable[str], script: Script) -> list[str]:
    """Return what a text calls its own card by name: its names and their short forms, the longest first."""
    found = {name for name in names if name}
    for name in list(found):
        short = script.short_name.search(name)
        if short and len(short["short"]) > 1:
            found.add(short["short"])
    return sorted(found, key=lambda name: (-len(name), name))


def reminder_spans(line: str, script: Script) -> list[tuple[int, int]]:
    """Return where the reminders of `line` stand. What is no sentence, such as the quality after a keyword, is none."""
    opens, closes, holds = script.reminder
    found: list[tuple[int, int]] = []
    if not any(mark in line for mark in opens):
        return found
    at = 0
    while at < len(line):
        if line[at] in opens:
            end = _end(line, at, opens, closes)
            if holds in line[at:end]:
                found.append((at, end))
            at = end
        elif line[at] in script.quotes:
            end = line.find(script.quotes[line[at]], at + 1)
            at = len(line) if end < 0 else end + 1
        else:
            at += 1
    return found


def _masked(line: str, script: Script) -> str:
    """Return `line` without its reminders, and with nothing left between quotation marks."""
    if not script.marks.search(line):
        return line
    kept: list[str] = []
    at = 0
    for start, end in (*reminder_spans(line, script), (len(line), len(line))):
        kept.append(line[at:start])
        at = end
    return re.sub(r"  +", " ", _without_quotations("".join(kept), script))


def _without_quotations(line: str, script: Script) -> str:
    kept: list[str] = []
    at = 0
    while at < len(line):
        kept.append(line[at])
        if line[at] in script.quotes:
            closing = script.quotes[line[at]]
            end = line.find(closing, at + 1)
            kept.append(closing)
            at = len(line) if end < 0 else end + 1
        else:
            at += 1
    return "".join(kept)


def _end(line: str, at: int, opens: str, closes: str) -> int:
    """Return where what opens at `at` has been closed, or the end of the line."""
    depth = 0
    for place in range(at, len(line)):
        depth += (line[place] in opens) - (line[place] in closes)
        if depth == 0:
            return place + 1
    return len(line)
