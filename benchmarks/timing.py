"""What the benchmarks share: how long something takes."""

from __future__ import annotations

import time
from collections.abc import Callable


def timed(action: Callable[[], object]) -> float:
    """Return how many seconds of processor time `action` takes."""
    start = time.process_time()
    action()
    return time.process_time() - start


def best(action: Callable[[], object], runs: int) -> float:
    """Return the least processor time that `action` takes, in seconds, of so many runs."""
    return min(timed(action) for _ in range(runs))
