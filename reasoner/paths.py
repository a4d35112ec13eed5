"""Where the ontology, the games and the queries lie: in a source checkout, or inside an installed wheel.

This is the only module that knows. A wheel carries the three folders in `reasoner/_library/`; a checkout
has them at its top level; the environment variable CARDLORE_LIBRARY names another place.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from reasoner.errors import DataError, Place, UseError, close_to


@dataclass(frozen=True)
class Library:
    """The folders `ontology/`, `data/` and `queries/` below one `root`."""

    root: Path

    @property
    def ontology(self) -> Path:
        return self.root / "ontology"

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def queries(self) -> Path:
        return self.root / "queries"

    def games(self) -> tuple[str, ...]:
        """Return the names of the games, sorted: each folder of `data/` that holds a `game.ttl`.

        Raises:
            DataError: D107 if a folder can't be read.
        """
        found = []
        for folder in _listed(self.data):
            try:
                if (folder / "game.ttl").stat():
                    found.append(folder.name)
            except PermissionError as error:
                raise _unreadable(folder, error) from None
            except OSError:  # no folder, or one without the file
                continue
        return tuple(sorted(found))

    def game(self, name: str) -> Path:
        """Return the folder of the game called `name`.

        Raises:
            UseError: U101 if there is no such game.
        """
        games = self.games()
        if name not in games:
            raise UseError(
                "U101",
                f"unknown game '{name}'",
                suggestions=close_to(name, games),
                hint=f"{self._without_file(name)}games here: {', '.join(games) or 'none'} (cardlore games)",
            )
        return self.data / name

    def _without_file(self, name: str) -> str:
        return f"data/{name} has no game.ttl; " if name and (self.data / name).is_dir() else ""


def files_in(folder: Path, suffix: str | tuple[str, ...], *, deep: bool = True) -> list[Path]:
    """Return the files in `folder`, and if `deep` below it, that end in `suffix`, sorted; none if it does not exist.

    Raises:
        DataError: D107 if a folder can't be read.
    """

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise _unreadable(Path(error.filename), error)

    found: list[Path] = []
    for place, below, names in os.walk(folder, onerror=refuse):
        found += [Path(place, name) for name in names if name.endswith(suffix)]
        if not deep:
            below.clear()
    return sorted(found)


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _unreadable(folder, error) from None


def _unreadable(folder: Path, error: OSError) -> DataError:
    message = f"cannot read the folder: {error.strerror}"
    return DataError("D107", message, place=Place(folder), hint="check that it is a folder, and its permissions")


def library(root: Path | str | None = None) -> Library:
    """Return the library at `root`, or the one in CARDLORE_LIBRARY, the wheel or the checkout, in this order.

    Raises:
        UseError: U102 if no place holds `ontology/core.ttl`.
    """
    here = Path(__file__).resolve().parent
    named = root or os.environ.get("CARDLORE_LIBRARY")
    places = [Path(named)] if named else [here / "_library", here.parent]
    for place in places:
        if (place / "ontology" / "core.ttl").is_file():
            return Library(place.resolve())
    raise UseError(
        "U102",
        f"no ontology/core.ttl in {' or '.join(str(place) for place in places)}",
        hint="set CARDLORE_LIBRARY to a folder with ontology/, data/ and queries/",
    )
