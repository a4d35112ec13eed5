"""Case files: their shape, read and checked before anything is played."""

from __future__ import annotations

from collections.abc import Sequence as AbstractSequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reasoner.errors import CaseError, Place, close_to
from reasoner.knowledge.yamlfile import Mapping, Sequence, read_yaml

KEYS = ("game", "title", "cites", "as-of", "note", "cards", "given", "steps")
STEP_KEYS = ("do", "expect")
EXPECT_KEYS: dict[str, tuple[str, ...]] = {
    "match": ("match", "on", "antecedent", "members", "by", "reading", "readings", "error", "note"),
    "condition": ("condition", "of", "on", "antecedent", "answer", "reveals", "note"),
    "value": ("value", "of", "on", "antecedent", "is", "seats", "others", "by", "error", "note"),
    "triggers": ("triggers", "by", "note"),
    "takes effect": ("takes effect", "note"),
    "text": ("text", "lang", "references", "unread", "by", "note"),
    "characteristics": (),
}


@dataclass(frozen=True)
class CaseFile:
    """A case as it is written: `steps` are mappings with one of `do` and `expect`."""

    path: Path
    name: str
    game: str
    title: str
    cites: tuple[str, ...]
    as_of: str | None
    data: Mapping

    @property
    def steps(self) -> list[Mapping]:
        return list(self.data.get("steps") or [])

    def place(self, key: str | None = None) -> Place:
        """Return where `key` (or the case) stands."""
        return self.data.place(key)


def read_case(path: Path, games: AbstractSequence[str]) -> CaseFile:
    """Return the case in the file at `path`.

    Raises:
        CaseError: C101/C102 unreadable, C103 wrong shape, C104 an unknown key or game.
    """
    return case_of(read_yaml(path, CaseError), path, path.stem, games)


def case_of(data: Any, path: Path, name: str, games: AbstractSequence[str]) -> CaseFile:
    """Return the case called `name` that `data`, read from the file at `path`, describes.

    Raises:
        CaseError: C103 wrong shape, C104 an unknown key or game.
    """
    if not isinstance(data, Mapping):
        raise CaseError("C103", "a case is a mapping with game, title, cites, given and steps", place=Place(path, 1))
    for key in data:
        if key not in KEYS:
            raise CaseError(
                "C104",
                f"unknown key '{key}'",
                place=data.place(key),
                suggestions=close_to(key, KEYS),
                hint=f"keys: {', '.join(KEYS)}",
            )
    for key in ("game", "title", "given", "steps"):
        if data.get(key) is None:
            raise CaseError("C103", f"the case lacks '{key}'", place=data.place())
    if data["game"] not in games:
        raise CaseError(
            "C104",
            f"unknown game '{data['game']}'",
            place=data.place("game"),
            suggestions=close_to(str(data["game"]), games),
        )
    if not isinstance(data["steps"], Sequence) or not data["steps"]:
        wrong = "is empty" if isinstance(data["steps"], Sequence) else "is no list"
        hint = "list at least one step, such as  - expect: {match: TEXT, members: {ID: yes}}"
        raise CaseError("C103", f"'steps' {wrong}", place=data.place("steps"), hint=hint)
    cites = data.get("cites") or []
    if not isinstance(cites, list) or not all(isinstance(cite, str) for cite in cites):
        raise CaseError("C103", "'cites' is a list of rules such as game:A", place=data.place("cites"))
    for index, step in enumerate(data["steps"]):
        _check_step(step, data["steps"].place(index))
    as_of = data.get("as-of")
    return CaseFile(
        path, name, str(data["game"]), str(data["title"]), tuple(cites), None if as_of is None else str(as_of), data
    )


def unread_case(path: Path, game: str = "") -> CaseFile:
    """Return what stands for a case file that can't be read: where it is, and of which `game`, if that is known."""
    return CaseFile(path, path.stem, game, "", (), None, Mapping(path, 0))


_NEEDED = {"match": ("members", "error"), "condition": ("answer",), "value": ("is", "error"), "text": ("references",)}


def expectation_kind(expect: Mapping) -> str:
    """Return what an `expect:` asks for: one of the keys of EXPECT_KEYS.

    Raises:
        CaseError: C104 if it asks for none of them, or has a key that does not belong.
    """
    found = [kind for kind in EXPECT_KEYS if kind in expect]
    if len(found) != 1:
        first = next(iter(expect), "")
        raise CaseError(
            "C104",
            f"unknown expectation '{first}'",
            place=expect.place(),
            suggestions=close_to(first, EXPECT_KEYS),
            hint=f"one of: {', '.join(EXPECT_KEYS)}",
        )
    known = EXPECT_KEYS[found[0]]
    for key in expect if known else ():
        if key not in known:
            raise CaseError(
                "C104",
                f"unknown key '{key}'",
                place=expect.place(key),
                suggestions=close_to(key, known),
                hint=f"keys: {', '.join(known)}",
            )
    return found[0]


def _check_step(step: Any, place: Place) -> None:
    if not isinstance(step, Mapping) or len(step) != 1 or next(iter(step)) not in STEP_KEYS:
        raise CaseError("C103", "a step has one key, 'do' or 'expect'", place=place)
    key = next(iter(step))
    if not isinstance(step[key], Mapping):
        raise CaseError("C103", f"'{key}' holds a mapping", place=place)
    if key == "expect":
        kind = expectation_kind(step[key])
        needed = _NEEDED.get(kind, ())
        if needed and not any(name in step[key] for name in needed):
            raise CaseError(
                "C103", f"an expected {kind} needs {' or '.join(repr(name) for name in needed)}", place=place
            )
        if kind == "characteristics" and len(step[key]) == 1:
            raise CaseError(
                "C103", "the step expects no characteristic", place=place, hint="say at least one, as in a card file"
            )
