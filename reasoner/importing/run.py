"""An import from beginning to end: a file of card data becomes a pool in the user's data folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from reasoner.errors import CardloreError, DataError, Place, UseError
from reasoner.importing.abilities import ability_files, ability_reader
from reasoner.importing.build import BadRecordError, Builder, NewTerm
from reasoner.importing.mapping import find_mapping, read_mapping
from reasoner.importing.records import Told, read_records
from reasoner.importing.terms import vocabulary_of
from reasoner.knowledge import cache, pools
from reasoner.paths import Library

_SHOWN = 200  # letters of a name in a message
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


@dataclass(frozen=True)
class Imported:
    """The pool, the records that were skipped with what is wrong with each, and the terms that only the pool has.

    `fresh`: it was built now; otherwise it was there already, and nothing has changed since.
    """

    pool: pools.Pool
    skipped: tuple[CardloreError, ...] = ()
    new_terms: tuple[NewTerm, ...] = ()
    fresh: bool = True


def import_file(
    library: Library,
    form: str,
    path: Path,
    *,
    game: str | None = None,
    name: str | None = None,
    keep_going: bool = False,
    told: Told | None = None,
) -> Imported:
    """Import the card data in the file at `path`, which are in the format `form`, as the pool called `name`.

    Without `name` the pool is called as the file is, in small letters. `told` is told how many bytes have been read.

    Raises:
        UseError: U101, U113 an unknown game or format, U114 there is no place for pools, U115 a name that can't be.
        DataError: D801 the mapping is wrong, D802 the file can't be read, D803 it has an unknown shape, D804 a record
            is wrong (unless `keep_going`).
    """
    found_game, mapping_path = find_mapping(library, form, game)
    called = name or path.name.partition(".")[0].lower()
    if not _NAME.fullmatch(called):
        raise UseError("U115", f"'{called}' can't be the name of a pool", hint="small letters, digits, '-', '_', '.'")
    if not path.is_file():
        raise DataError("D802", "no such file", place=Place(path))
    package = Path(__file__).resolve().parent
    code = [*package.glob("*.py"), *(package.parent / "abilities").glob("*.py")]
    terms = [*library.core_files, *library.term_files(found_game)]
    made_from = [path, mapping_path, *code, *terms, *ability_files(library, found_game)]
    key = cache.fingerprint(made_from, found_game, called)
    known = next((pool for pool in pools.pools(found_game) if pool.key == key), None)
    if known is not None:
        return Imported(known, fresh=False)
    vocabulary = vocabulary_of(library, found_game)
    mapping = read_mapping(found_game, mapping_path, vocabulary)
    skipped: list[CardloreError] = []
    records = 0
    with pools.new_folder(found_game) as folder:
        try:
            with (folder / pools.CARDS).open("w", encoding="utf-8", newline="\n") as cards:
                builder = Builder(mapping, vocabulary, cards.write, ability_reader(library, mapping, vocabulary))
                for where, record in read_records(path, mapping.shapes, told):
                    records += 1
                    try:
                        builder.add(record)
                    except BadRecordError as problem:
                        error = _bad(problem, record, records, where, mapping.card.name, path)
                        if not keep_going:
                            raise error from None
                        skipped.append(error)
                builder.finish()
            (folder / pools.TERMS).write_text(builder.term_lines(), encoding="utf-8", newline="\n")
        except OSError as problem:
            raise UseError(
                "U114", f"cannot write the pool: {problem.strerror}", hint="check space, or set CARDLORE_POOLS"
            ) from None
        if not builder.cards:
            raise DataError("D803", "the file holds no card", place=Place(path), hint=f"expected: {mapping.title}")
        counts = {
            "records": records,
            "cards": builder.cards,
            "faces": builder.faces,
            "printings": builder.printings,
            "skipped": len(skipped),
        }
        pool = pools.keep(folder, found_game, called, key, path.name, counts)
    return Imported(pool, tuple(skipped), tuple(builder.new_terms.values()))


def _bad(problem: BadRecordError, record: object, number: int, where: str, key: str, path: Path) -> DataError:
    name = record.get(key) if isinstance(record, dict) else None
    called = f" ({name if len(name) <= _SHOWN else name[:_SHOWN] + '…'})" if isinstance(name, str) else ""
    at = f"{where}.{problem.key}" if problem.key else where
    return DataError(
        "D804",
        f"record {number}{called}, at {at}: {problem}",
        place=Place(path),
        hint="--keep-going skips such records and imports the rest",
    )
