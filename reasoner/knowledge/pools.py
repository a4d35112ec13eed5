"""Card pools that a user has imported: kept in the user's data folder, never in the library.

A pool is a folder named by the content of everything it was made from. It appears whole or not at all: it is written
beside, then renamed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from reasoner.errors import DataError, Place, UseError, close_to
from reasoner.knowledge import cache
from reasoner.paths import Library

CARDS, TERMS, ABOUT = "cards.nt", "terms.nt", "about.json"
_UNFINISHED = ".new-"


@dataclass(frozen=True)
class Pool:
    """An imported pool: the game, what the user calls it, its key, where it lies, and what its import noted."""

    game: str
    name: str
    key: str
    folder: Path
    source: str
    counts: dict[str, int]
    digests: dict[str, str]

    def read(self, name: str) -> bytes:
        """Return the content of one of its files.

        Raises:
            DataError: D805 the file is gone or damaged.
        """
        path = self.folder / name
        try:
            data = path.read_bytes()
        except OSError as problem:
            raise _damaged(path, problem.strerror or "unreadable") from None
        if hashlib.blake2b(data, digest_size=16).hexdigest() != self.digests.get(name):
            raise _damaged(path, "its content has changed")
        return data

    @contextlib.contextmanager
    def opened(self, name: str) -> Iterator[IO[bytes]]:
        """Open one of its files, having checked its content, so that it need not be read at once.

        Raises:
            DataError: D805 the file is gone or damaged.
        """
        path = self.folder / name
        try:
            if cache.digest_of(path) != self.digests.get(name):
                raise _damaged(path, "its content has changed")
            file = path.open("rb")
        except OSError as problem:
            raise _damaged(path, problem.strerror or "unreadable") from None
        with file:
            yield file


def pools_root() -> Path:
    """Return the folder of all pools.

    Raises:
        UseError: U114 there is no home folder and no variable names another place.
    """
    named = os.environ.get("CARDLORE_POOLS")
    if named:
        return Path(named)
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(base) if base else Path.home() / ".local" / "share") / "cardlore" / "pools"
    except RuntimeError:
        raise UseError("U114", "there is no place for card pools", hint="set CARDLORE_POOLS to a folder") from None


def pools(game: str) -> tuple[Pool, ...]:
    """Return the pools of a game, by name. What is no pool is passed over."""
    found = []
    with contextlib.suppress(OSError):
        for folder in sorted((pools_root() / game).iterdir()):
            if not folder.name.startswith(_UNFINISHED):
                with contextlib.suppress(UseError):
                    found.append(_open(folder))
    return tuple(sorted(found, key=lambda pool: (pool.name, pool.key)))


def find_pool(game: str, text: str) -> Pool:
    """Return the pool of `game` called `text`, or the one in the folder `text`.

    Raises:
        UseError: U114 there is none, or it is of another game.
    """
    path = Path(text)
    if (path / ABOUT).is_file():
        pool = _open(path)
        if pool.game != game:
            raise UseError("U114", f"the pool in {path} is of the game '{pool.game}'", hint=f"asked about: {game}")
        return pool
    known = pools(game)
    for pool in known:
        if pool.name == text:
            return pool
    names = [pool.name for pool in known]
    raise UseError(
        "U114",
        f"'{game}' has no card pool '{text}'",
        suggestions=close_to(text, names),
        hint=f"pools: {', '.join(names)}" if names else "import one first: cardlore import --help",
    )


def opened(library: Library, game: str, text: str | None) -> Pool | None:
    """Return the pool of `game` that `text` names, or None without a text.

    Raises:
        UseError: U101 there is no such game, U114 no such pool.
    """
    library.game(game)
    return find_pool(game, text) if text else None


def owner_of(games: Sequence[str], text: str) -> str:
    """Return the one of `games` that has the pool `text`.

    Raises:
        UseError: U114 none of them has.
    """
    for game in games:
        with contextlib.suppress(UseError):
            find_pool(game, text)
            return game
    names = [pool.name for game in games for pool in pools(game)]
    raise UseError("U114", f"no game has a card pool '{text}'", suggestions=close_to(text, names))


@contextlib.contextmanager
def new_folder(game: str) -> Iterator[Path]:
    """Yield a folder beside the pools of `game` to write one in; it is gone afterwards, unless `keep` has moved it.

    Raises:
        UseError: U114 it can't be made.
    """
    import tempfile

    root = pools_root() / game
    try:
        root.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=root))
    except OSError as problem:
        raise UseError(
            "U114", f"cannot write to {root}: {problem.strerror}", hint="set CARDLORE_POOLS to another folder"
        ) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def keep(folder: Path, game: str, name: str, key: str, source: str, counts: dict[str, int]) -> Pool:
    """Make a pool of what was written in `folder`, in place of an older one of the same name."""
    digests = {part: cache.digest_of(folder / part) for part in (CARDS, TERMS)}
    about = {"game": game, "name": name, "key": key, "source": source, "counts": counts, "digests": digests}
    (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    target = pools_root() / game / key
    older = [pool for pool in pools(game) if pool.name == name and pool.key != key]
    with contextlib.suppress(OSError):  # another import was quicker: the pool is there then
        folder.replace(target)
    pool = _open(target)
    for one in older:
        shutil.rmtree(one.folder, ignore_errors=True)
    return pool


def _open(folder: Path) -> Pool:
    try:
        about = json.loads((folder / ABOUT).read_bytes())
        return Pool(
            game=str(about["game"]),
            name=str(about["name"]),
            key=str(about["key"]),
            folder=folder,
            source=str(about["source"]),
            counts={str(name): int(count) for name, count in about["counts"].items()},
            digests={str(name): str(value) for name, value in about["digests"].items()},
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise UseError("U114", f"{folder} is no card pool", hint="import it again") from None


def _damaged(path: Path, why: str) -> DataError:
    return DataError("D805", f"the imported card pool is damaged: {why}", place=Place(path), hint="import it again")
