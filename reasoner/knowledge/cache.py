"""What was built once is kept, keyed by the content of everything it was built from.

An entry is a folder that appears whole or not at all (written beside, then renamed), so two builds at once
or a build that is killed leave nothing half-written. Its files are checked against their digests when they are
read; an entry that fails the check is removed, so that it is built anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any, TypeAlias

KEPT = 12
# The packages on which it depends what is built: how files are parsed, and how what was built is stored.
PACKAGES = ("pyoxigraph", "rdflib", "lark", "networkx", "pyyaml")
_DIGESTS = "digests.json"
UNFINISHED = ".new-"
_ABANDONED_AFTER = 3600.0  # seconds: no build takes so long

# The content of a file, what writes it, or a file that is moved: large ones are never in memory as a whole.
Content: TypeAlias = bytes | Callable[[IO[bytes]], object] | Path


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
    """Return a key for the paths and contents of `files`, the `extra` strings, and the PACKAGES installed.

    A file that can't be read counts as such: whoever reads it for its content tells what is wrong.
    """
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(files):
        try:
            content = path.read_bytes()
        except OSError:
            content = b"unreadable"
        for part in (os.fsencode(path), content):
            digest.update(b"%d:" % len(part))
            digest.update(part)
    for text in (*extra, *_versions()):
        part = text.encode(errors="surrogateescape")
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


def joined(keys: Iterable[str]) -> str:
    """Return one key for what is made from the entries `keys`."""
    return hashlib.blake2b("\n".join(keys).encode(), digest_size=16).hexdigest()


def load(key: str, names: Iterable[str]) -> dict[str, bytes] | None:
    """Return the files called `names` of the entry `key`, or None if it does not hold them all, unharmed."""
    root = cache_root()
    if root is None:
        return None
    folder = root / key
    try:
        digests = json.loads((folder / _DIGESTS).read_bytes())
        found = {name: (folder / name).read_bytes() for name in names}
        if all(digests[name] == _digest(data) for name, data in found.items()):
            _mark_as_used(folder)
            return found
    except FileNotFoundError:
        if not folder.exists():
            return None
    except (OSError, ValueError, LookupError, TypeError):
        pass
    forget(key)
    return None


def save(key: str, files: Mapping[str, Content]) -> None:
    """Keep `files` under `key`; a cache that can't be written is no error, only slower."""
    root = cache_root()
    if root is None:
        return
    import tempfile

    try:
        root.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=root))
        try:
            digests = {name: _write(beside / name, content) for name, content in files.items()}
            (beside / _DIGESTS).write_bytes(to_bytes(digests))
            beside.replace(root / key)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
        prune(root)
    except OSError:  # also where another process was quicker: the entry is there then
        return


def forget(key: str) -> None:
    """Remove the entry `key`, which turned out to be unreadable."""
    root = cache_root()
    if root is None:
        return
    shutil.rmtree(root / key, ignore_errors=True)
    with contextlib.suppress(OSError):  # where it is no folder
        (root / key).unlink()


def to_bytes(data: Any) -> bytes:
    """Return plain data as compact JSON, in its own order: what comes back is the same to whoever counts on it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _mark_as_used(folder: Path) -> None:
    with contextlib.suppress(OSError):  # a cache that can only be read
        os.utime(folder)


def _write(path: Path, content: Content) -> str:
    """Write a file and return its digest."""
    if isinstance(content, bytes):
        path.write_bytes(content)
        return _digest(content)
    if isinstance(content, Path):
        shutil.move(content, path)
    else:
        with path.open("wb") as file:
            content(file)
    return digest_of(path)


def digest_of(path: Path) -> str:
    """Return the digest of the content of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _versions() -> list[str]:
    """Return the versions of Python and of PACKAGES, from the names of their metadata folders.

    importlib.metadata would say the same, but importing it takes longer than all the rest of a cached start.
    """
    found = [f"python-{sys.version}"]
    for folder in dict.fromkeys(sys.path):
        try:
            names = sorted(path.name.lower() for path in Path(folder).iterdir())
        except OSError:
            continue
        found += [name for name in names if name.endswith(".dist-info") and name.partition("-")[0] in PACKAGES]
    return found


def prune(root: Path) -> None:
    """Remove the entries that were used longest ago, and what killed builds have left."""
    ages = {path: path.stat().st_mtime for path in root.iterdir() if path.is_dir()}
    entries = sorted((path for path in ages if not path.name.startswith(UNFINISHED)), key=ages.__getitem__)
    abandoned = [path for path in ages.keys() - set(entries) if ages[path] < time.time() - _ABANDONED_AFTER]
    for old in (*entries[:-KEPT], *abandoned):
        shutil.rmtree(old, ignore_errors=True)
