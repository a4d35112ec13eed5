"""Consoles for stdout and stderr, and the one way in which an error is shown."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reasoner.errors import CardloreError, Problems

if TYPE_CHECKING:
    from rich.console import Console


def prepare_streams() -> None:
    """Make stdout and stderr speak UTF-8 whatever the locale: card names need it."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and (stream.encoding or "").lower().replace("-", "") != "utf8":
            stream.reconfigure(encoding="utf-8", errors="replace")


def discard_output() -> None:
    """Send what is still to be printed nowhere, so that a broken stdout does not fail once more at the very end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def out() -> Console:
    """Return a console on stdout; where that is no terminal, nothing is wrapped or coloured."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    return Console(highlight=False, markup=False, soft_wrap=True, width=None if terminal else 100_000, emoji=False)


def note(text: str) -> None:
    """Print `text` to stderr, after all that was printed to stdout before it."""
    sys.stdout.flush()
    print(text, file=sys.stderr)


def print_json(data: Any) -> None:
    """Print plain data as indented JSON."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


def show_error(error: CardloreError, as_json: bool = False) -> None:
    """Print an error (or each of several) to stderr."""
    if as_json:
        errors = error.errors if isinstance(error, Problems) else (error,)
        print(json.dumps({"errors": [one.as_json() for one in errors]}, ensure_ascii=False, indent=2), file=sys.stderr)
        return
    text = str(error)
    if sys.stderr.isatty() and "NO_COLOR" not in os.environ:
        head, _, rest = text.partition("\n")
        text = f"\033[1;31m{head}\033[0m" + (f"\n{rest}" if rest else "")
    note(text)


def wants_json(arguments: Sequence[str]) -> bool:
    """Return whether a command line asks for JSON, so that its errors are JSON too."""
    pairs = zip(arguments, [*arguments[1:], ""], strict=True)
    return any(
        (name in ("--format", "-f") and value == "json") or name in ("--format=json", "-fjson") for name, value in pairs
    )
