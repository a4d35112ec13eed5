"""Folders of the cache that are built once: too large to be read whole, such as a store on disk.

As every entry of the cache, a folder appears whole or not at all: it is built beside, written through to the disk, then
renamed. So a build that is killed leaves only what is removed later, and of two builds at once the first to end counts.
A folder is known to be whole by the sizes of its files, and the small ones by their content as well; what is wrong in a
large one is found by whoever reads it.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from reasoner.errors import UseError
from reasoner.knowledge import cache

_WHOLE = "whole.json"
_SMALL = 1 << 20  # bytes: files up to here are read to see whether they are as they were


def kept_folder(key: str, build: Callable[[Path], None]) -> Path:
    """Return the folder `key`, made by `build` (given an empty folder) unless it is there and whole.

    Where there is no cache, or it can't be written, the folder lasts as long as this process.

    Raises:
        UseError: U118 there is no room for it anywhere.
    """
    root = cache.cache_root()
    if root is not None:
        if _is_whole(root / key):
            with contextlib.suppress(OSError):  # a cache that can only be read
                os.utime(root / key)
            return root / key
        cache.forget(key)
    beside = _empty(root)
    try:
        build(beside)
        _seal(beside)
    except BaseException as problem:
        shutil.rmtree(beside, ignore_errors=True)
        if isinstance(problem, OSError):
            raise no_room(problem) from None
        raise
    if root is None or beside.parent != root:
        return beside
    try:
        beside.replace(root / key)
    except OSError:
        if not _is_whole(root / key):  # not another build that was quicker: then this one serves for this time
            atexit.register(shutil.rmtree, beside, ignore_errors=True)
            return beside
        shutil.rmtree(beside, ignore_errors=True)
    _sync(root)
    cache.prune(root)
    return root / key


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield an empty folder for what is too large for memory; in the cache, if that can be written.

    Raises:
        UseError: U118 there is no room for it.
    """
    folder = _empty(cache.cache_root())
    try:
        yield folder
    except OSError as problem:
        raise no_room(problem) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def no_room(problem: OSError) -> UseError:
    """Return the error for what could not be written."""
    why = problem.strerror or str(problem)
    return UseError("U118", f"cannot write the built store: {why}", hint="check space in the cache")


def _empty(root: Path | None) -> Path:
    if root is not None:
        with contextlib.suppress(OSError):
            root.mkdir(parents=True, exist_ok=True)
            return Path(tempfile.mkdtemp(prefix=cache.UNFINISHED, dir=root))
    found = Path(tempfile.mkdtemp(prefix="cardlore-"))
    atexit.register(shutil.rmtree, found, ignore_errors=True)
    return found


def _seal(folder: Path) -> None:
    """Write down what the folder holds, and see to it that all of it is on the disk."""
    (folder / _WHOLE).write_bytes(cache.to_bytes(_content(folder)))
    for path in [*_files(folder), folder / _WHOLE]:
        _sync(path)
    for path in {path.parent for path in _files(folder)} | {folder}:
        _sync(path)


def _sync(path: Path) -> None:
    with contextlib.suppress(OSError):  # folders can't be opened everywhere
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _is_whole(folder: Path) -> bool:
    try:
        return bool(json.loads((folder / _WHOLE).read_bytes()) == _content(folder))
    except (OSError, ValueError):
        return False


def _content(folder: Path) -> dict[str, list[int | str]]:
    found: dict[str, list[int | str]] = {}
    for path in _files(folder):
        size = path.stat().st_size
        digest = "" if size > _SMALL else hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
        found[path.relative_to(folder).as_posix()] = [size, digest]
    return found


def _files(folder: Path) -> list[Path]:
    """Return the files that must stay as they are: not the logs and locks that a store writes when it is opened."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != _WHOLE)
    return sorted(path for path in found if path.name != "LOCK" and not path.name.startswith("LOG"))
