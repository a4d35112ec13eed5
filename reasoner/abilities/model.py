"""What a text is taken apart into: abilities, and what is none, each with its place in the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Bearer:
    """Whose text it is: its names, the IRIs of its types ("" of them unknown), its layout, and how it reads type lines.

    `layout` is None where nothing is known of the card; "" is a card of no special layout.
    """

    names: tuple[str, ...] = ()
    types: frozenset[str] = frozenset()
    layout: str | None = None
    is_type_word: Callable[[str], bool] = field(default=lambda _word: False, compare=False)


@dataclass(frozen=True)
class Where:
    """Where an ability works: in these zones, or everywhere, or only outside play. Terms are IRIs."""

    zones: tuple[str, ...] = ()
    everywhere: bool = False
    outside: bool = False


@dataclass(frozen=True)
class Ability:
    """One ability: `text[start:end]` of what was read, its kinds (the main one first), and what says so."""

    start: int
    end: int
    kinds: tuple[str, ...]
    where: Where
    keyword: str | None = None
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ignored:
    """A part of the text that is no ability: `reason` is "reminder" or "hint"."""

    start: int
    end: int
    reason: str
    cites: str


@dataclass(frozen=True)
class Anatomy:
    """A text with everything in it: each line lies in an ability or is ignored."""

    text: str
    abilities: tuple[Ability, ...]
    ignored: tuple[Ignored, ...]

    def unread(self) -> tuple[str, ...]:
        """Return the lines that are in neither; there are none if the forms are complete."""
        parts = [(one.start, one.end) for one in self.abilities] + [(one.start, one.end) for one in self.ignored]
        left, at = [], 0
        for line in self.text.split("\n"):
            if line.strip() and not any(start <= at < end for start, end in parts):
                left.append(line)
            at += len(line) + 1
        return tuple(left)
