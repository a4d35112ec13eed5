"""Work shared out among the cores of the machine: in processes of their own, which no script need guard against."""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, Final

MOST_PROCESSES: Final = 8
LEAST_ITEMS: Final = 200  # fewer are not worth a process of their own
MOST_ITEMS: Final = sys.maxsize  # as `least`: no other process


def spread(task: str, shared: Any, items: Sequence[Any], least: int = LEAST_ITEMS) -> list[Any]:
    """Return the results of `task` ("module:function", called with `shared` and a part of `items`) for all items.

    The function returns one result for each item. What is fewer than `least` items for each core is done here. Where
    another process fails, its part is done here as well, so that an error is told as if there had been no other.
    """
    function = _function(task)
    count = min(os.cpu_count() or 1, MOST_PROCESSES, max(1, len(items) // least))
    parts = [items[number::count] for number in range(count)]
    others = [Beside(task, shared, part) for part in parts[1:]]
    found = [function(shared, parts[0])]
    for other, part in zip(others, parts[1:], strict=True):
        result = other.result()
        found.append(function(shared, part) if result is None else result)
    merged: list[Any] = [None] * len(items)
    for number, results in enumerate(found):
        merged[number::count] = results
    return merged


class Beside:
    """A process of its own that does a task (see `spread`), from now on."""

    def __init__(self, task: str, shared: Any, items: Sequence[Any]) -> None:
        self._output: bytes = b""
        self._process = start_python(f"from {__name__} import serve; serve()")
        self._thread = Thread(target=self._talk, args=(pickle.dumps((task, shared, list(items))),), daemon=True)
        self._thread.start()

    def _talk(self, job: bytes) -> None:
        self._output = self._process.communicate(job)[0]

    def result(self) -> list[Any] | None:
        """Wait, and return what the process gave, or None if it failed."""
        self._thread.join()
        if self._process.returncode != 0:
            return None
        found: list[Any] = pickle.loads(self._output)
        return found

    def stop(self) -> None:
        """End the process, if it has not ended."""
        self._process.kill()
        self._thread.join()


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let Python look for what only points at itself seldom: while millions of objects are made, and few are thrown
    away, that takes a sixth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def start_python(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Run Python code in a process of its own, with this very package."""
    package = str(Path(__file__).resolve().parent.parent)
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {package!r}); {code}", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def serve() -> None:
    """Do the work that stands on standard input; print what it gives."""
    task, shared, items = pickle.loads(sys.stdin.buffer.read())
    output = sys.stdout.buffer
    sys.stdout = sys.stderr
    with seldom_collected():
        output.write(pickle.dumps(_function(task)(shared, items)))
    output.flush()


def _function(task: str) -> Callable[[Any, Sequence[Any]], list[Any]]:
    module, _, name = task.partition(":")
    found: Callable[[Any, Sequence[Any]], list[Any]] = getattr(importlib.import_module(module), name)
    return found
