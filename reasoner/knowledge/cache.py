"""What was built once is kept, keyed by the content of everything it was built from.

An entry is a folder that appears whole or not at all (written beside, then renamed), so two builds at once
or a build that is killed leave nothing half-written. An entry that can't be read is built anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

KEPT = 12


def cache_root() -> Path | None:
    """Return the folder for cached builds, or None where CARDLORE_CACHE is "off"."""
    named = os.environ.get("CARDLORE_CACHE")
    if named == "off":
        return None
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "cardlore"
    except RuntimeError:  # no home folder
        return None


def fingerprint(files: Iterable[Path], *extra: str) -> str:
    """Return a key for the names and contents of `files` and the `extra` strings."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(files):
        digest.update(f"{path.name}\0".encode())
        digest.update(path.read_bytes())
        digest.update(b"\0")
    for text in extra:
        digest.update(f"{text}\0".encode())
    return digest.hexdigest()


def load(key: str, names: Iterable[str]) -> dict[str, bytes] | None:
    """Return the files called `names` of the entry `key`, or None if it does not hold them all."""
    root = cache_root()
    if root is None:
        return None
    folder = root / key
    try:
        return {name: (folder / name).read_bytes() for name in names}
    except OSError:
        return None


def save(key: str, files: Mapping[str, bytes]) -> None:
    """Keep `files` under `key`; a cache that can't be written is no error, only slower."""
    root = cache_root()
    if root is None:
        return
    try:
        root.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=".new-", dir=root))
        try:
            for name, data in files.items():
                (beside / name).write_bytes(data)
            os.replace(beside, root / key)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
        _prune(root)
    except OSError:
        return


def forget(key: str) -> None:
    """Remove the entry `key`, which turned out to be unreadable."""
    root = cache_root()
    if root is not None:
        shutil.rmtree(root / key, ignore_errors=True)


def to_bytes(data: Any) -> bytes:
    """Return plain data as compact JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def _prune(root: Path) -> None:
    entries = sorted((path for path in root.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in entries[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
