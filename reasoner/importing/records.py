"""The records of a JSON file, one after the other, without ever holding the whole file: plain or compressed by gzip."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from reasoner.errors import DataError, Place
from reasoner.importing.mapping import EVERY, Shape

# Bytes that are read at once. In pieces of 64 kB a text of 50 MB takes a hundred times as long.
_AT_ONCE = 1 << 20
_GZIP = b"\x1f\x8b"
Told = Callable[[int], None]


def read_records(path: Path, shapes: tuple[Shape, ...], told: Told | None = None) -> Iterator[tuple[str, Any]]:
    """Yield (JSON path, record) for every record of the file; `told` is told how far in the file reading has come.

    Raises:
        DataError: D802 the file can't be read or is no JSON, D803 it has none of the shapes.
    """
    import ijson

    shape = _shape_of(path, shapes)
    try:
        with path.open("rb") as raw:
            data = _Watched(raw, told)
            stream: Any = gzip.GzipFile(fileobj=data) if _is_gzip(path) else data  # type: ignore[call-overload]
            if shape.records == EVERY:
                for key, records in ijson.kvitems(stream, shape.below, use_float=True, buf_size=_AT_ONCE):
                    where = f"{shape.below}[{key!r}]"
                    if not isinstance(records, list):
                        yield where, records
                        continue
                    for index, record in enumerate(records):
                        yield f"{where}[{index}]", record
            else:
                prefix = f"{shape.below}.{shape.records}"
                for index, record in enumerate(
                    ijson.items(stream, f"{prefix}.item", use_float=True, buf_size=_AT_ONCE)
                ):
                    yield f"{prefix}[{index}]", record
    except (ijson.JSONError, OSError, EOFError, zlib.error, UnicodeDecodeError) as problem:
        raise _unreadable(path, problem) from None


def _shape_of(path: Path, shapes: tuple[Shape, ...]) -> Shape:
    """Return the shape of the file, told by the first key below the one under which records lie.

    Raises:
        DataError: D802, D803 as `read_records`.
    """
    import ijson

    below = {shape.below for shape in shapes}
    expected = ", or ".join(f"{shape.name} ({shape.below}.{shape.records})" for shape in shapes)
    hint = f"what can be imported: {expected}"
    try:
        with path.open("rb") as raw:
            stream: Any = gzip.GzipFile(fileobj=raw) if _is_gzip(path) else raw
            for prefix, event, value in ijson.parse(stream, buf_size=_AT_ONCE):
                if prefix == "" and event not in ("start_map", "map_key", "end_map"):
                    break
                if prefix in below and event not in ("start_map", "map_key"):
                    break
                if prefix in below and event == "map_key":
                    for shape in shapes:
                        if shape.below == prefix and (not shape.first_keys or value in shape.first_keys):
                            return shape
    except (ijson.JSONError, OSError, EOFError, zlib.error, UnicodeDecodeError) as problem:
        raise _unreadable(path, problem) from None
    raise DataError("D803", "no records where they are looked for", place=Place(path), hint=hint)


class _Watched:
    """A binary file that tells how many bytes of it have been read."""

    def __init__(self, raw: IO[bytes], told: Told | None) -> None:
        self._raw = raw
        self._told = told
        self._read = 0

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        data = self._raw.read(size)
        self._read += len(data)
        if self._told is not None:
            self._told(self._read)
        return data


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as raw:
        return raw.read(2) == _GZIP


def _unreadable(path: Path, problem: Exception) -> DataError:
    if isinstance(problem, OSError) and problem.strerror:
        return DataError("D802", f"cannot read the file: {problem.strerror}", place=Place(path))
    if isinstance(problem, OSError | EOFError | zlib.error):
        return DataError(
            "D802", f"the compressed file is broken: {problem}", place=Place(path), hint="fetch the file again"
        )
    text = " ".join(str(problem).split())
    return DataError("D802", f"not valid JSON: {text}", place=Place(path), hint="fetch the file again")
