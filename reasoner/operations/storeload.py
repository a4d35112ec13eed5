"""Loading a store on disk in a process of its own, so that a build can go on with other things meanwhile.

It reads lines from stdin: a file, a tab, and the graph that its triples go to besides the default graph (nothing for a
file of quads). It removes each file once it is loaded, and says "done" at the end of its input.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Final

import pyoxigraph as ox

from reasoner.knowledge import cache
from reasoner.knowledge.pools import Pool
from reasoner.parallel import Beside, start_python
from reasoner.paths import Library

READ_TEXTS: Final = "read_texts"
PLAY_CASES: Final = "play_cases"
BLANK_NODES: Final = ".blank"  # how a file of quads with blank nodes is called
_DONE = "done"
PIECE: Final = 25_000_000  # bytes loaded at once: less takes longer, and whole files take up to 850 MB of memory


class Loader:
    """A process that loads files into a new store. Leaving the context waits until all is loaded.

    Raises:
        OSError: the store can't be written.
    """

    def __init__(self, store: Path, scratch: Path) -> None:
        self._scratch = scratch
        self._files = 0
        self._process = start_python(f"from {__name__} import main; main()", str(store))

    def __enter__(self) -> Loader:
        return self

    def file(self) -> Path:
        """Return the path of a new file to be filled and loaded."""
        self._files += 1
        return self._scratch / f"{self._files}.part"

    def load(self, path: Path, name: ox.NamedNode | None = None) -> None:
        """Let a file be loaded: triples, to the graph `name` and to the default graph, or quads."""
        if self._process.stdin is not None:
            self._process.stdin.write(f"{path}\t{name.value if name else ''}\n".encode())
            self._process.stdin.flush()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._process.kill()
            self._process.communicate()
            return
        said, wrong = (part.decode(errors="replace") for part in self._process.communicate())
        if said.strip() != _DONE:
            raise OSError(0, wrong.strip().rpartition("\n")[2] or "the store could not be loaded")


class Ahead:
    """What another process puts into the cache ahead of the build: first what is read in the texts of a pool, then what
    is known of the game without it, such as its cases. Whoever asks for that finds it in the cache then; if anything
    went wrong, it is found out then.
    """

    def __init__(self, tasks: Sequence[str], shared: tuple[Library, str, str | None, Pool]) -> None:
        self._shared = shared
        self._done = {name: Event() for name in tasks}
        self._running: Beside | None = None
        self._stopped = False
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait_for(self, task: str) -> None:
        """Wait until READ_TEXTS or PLAY_CASES has been done, or has failed, if it was asked for."""
        if task in self._done:
            self._done[task].wait()

    def stop(self) -> None:
        """End what is still being done."""
        self._stopped = True
        if self._running is not None:
            self._running.stop()
        self._thread.join()

    def _run(self) -> None:
        try:
            for task, done in self._done.items():  # one after the other: at once they would take too much memory
                self._running = Beside(f"{__name__}:{task}", self._shared, [None])
                if self._stopped:
                    self._running.stop()
                    return
                self._running.result()
                done.set()
        finally:
            for done in self._done.values():
                done.set()


@contextmanager
def work_ahead(tasks: Sequence[str], library: Library, game: str, as_of: str | None, pool: Pool) -> Iterator[Ahead]:
    """Let another process work ahead of the build of a store, if there is a cache, as long as the context lasts."""
    ahead = Ahead(tasks if cache.cache_root() else (), (library, game, as_of, pool))
    try:
        yield ahead
    finally:
        ahead.stop()


def read_texts(shared: tuple[Library, str, str | None, Pool], items: Sequence[None]) -> list[None]:
    """Put into the cache what the texts of a pool speak of."""
    from reasoner.cardtexts.collection import open_collection

    library, game, as_of, pool = shared
    open_collection(library, game, as_of, pool, alone=True)
    return list(items)


def play_cases(shared: tuple[Library, str, str | None, Pool], items: Sequence[None]) -> list[None]:
    """Put into the cache what is known of a game without a pool."""
    from reasoner.knowledge.base import open_base
    from reasoner.operations.dataset import everything

    library, game, as_of, _ = shared
    everything(open_base(library, game, as_of))
    return list(items)


def main() -> None:
    """Load what stdin names."""
    store = ox.Store(sys.argv[-1])
    for line in io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8"):
        name, _, to_graph = line.rstrip("\n").partition("\t")
        path = Path(name)
        if to_graph:
            _triples(store, path, (ox.NamedNode(to_graph), ox.DefaultGraph()))
        else:
            _quads(store, path)
        path.unlink()
    store.flush()
    print(_DONE)


def _triples(store: ox.Store, path: Path, graphs: tuple[ox.NamedNode | ox.DefaultGraph, ...]) -> None:
    with path.open("rb") as file:
        while lines := file.readlines(PIECE):
            data = b"".join(lines)
            for one in graphs:
                store.bulk_load(data, format=ox.RdfFormat.N_TRIPLES, to_graph=one)


def _quads(store: ox.Store, path: Path) -> None:
    if path.suffix == BLANK_NODES:  # loading would give the blank nodes other labels; parsing does not
        store.bulk_extend(ox.parse(path=str(path), format=ox.RdfFormat.N_QUADS))
    else:
        store.bulk_load(path=str(path), format=ox.RdfFormat.N_QUADS)
