"""Writing files all at once: every file is written beside its place first, and renamed when all are whole."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from reasoner.errors import UseError


def write_all(files: Mapping[Path, Iterable[str]]) -> None:
    """Write the pieces of text of each path, in UTF-8; on any error every path is left as it was.

    A file that exists keeps its permissions; a symbolic link stays one, and the file it names is replaced.

    Raises:
        UseError: U202 if the folder is missing; U203 if something other than a file is there; U204 if the
            system refuses.
    """
    spare: list[Path] = []  # whatever is still there at the end has to go
    try:
        staged: dict[Path, Path] = {}
        for path, pieces in files.items():
            try:
                target = _target(path)
                if target in staged:
                    raise UseError("U203", f"{path} is a link to {target}", hint="remove the link: both get written")
                staged[target] = _stage(target, pieces, spare)
            except OSError as error:
                raise _refused(path, error) from error
        _commit(staged, spare)
    finally:
        for path in spare:
            path.unlink(missing_ok=True)


def _target(path: Path) -> Path:
    """Return the file that `path` names, after checking that it can be made or replaced."""
    try:
        target = Path(os.path.realpath(path))
    except ValueError as error:  # a null character
        raise UseError("U204", f"{str(path)!r} cannot be the name of a file", hint="choose another name") from error
    folder = target.parent
    if not folder.is_dir():
        why = "is a file, not a folder" if folder.exists() else "does not exist"
        raise UseError("U202", f"the folder {folder} {why}", hint="make the folder first, or choose another")
    if target.is_dir():
        raise UseError("U203", f"{path} is a folder", hint=f"name a file in it, such as {path / 'graph.html'}")
    if target.exists():
        if not target.is_file():
            raise UseError("U203", f"{path} is not an ordinary file", hint="write to a file, then copy that")
        if not os.access(target, os.W_OK):  # the rename alone would succeed: folders decide about that
            raise UseError("U204", f"{path} is write-protected", hint="make it writable, or choose another name")
    return target


def _stage(target: Path, pieces: Iterable[str], spare: list[Path]) -> Path:
    """Write `pieces` to a new file beside `target`, add it to `spare`, and return it."""
    temporary = _beside(target)
    # "x" refuses a file that is there; line ends are the format's own business.
    with temporary.open("x", encoding="utf-8", newline="") as stream:
        spare.append(temporary)
        stream.writelines(pieces)
        stream.flush()
        os.fsync(stream.fileno())
    if target.exists():
        temporary.chmod(stat.S_IMODE(target.stat().st_mode))
    return temporary


def _commit(staged: Mapping[Path, Path], spare: list[Path]) -> None:
    """Rename all staged files; if one fails, bring back what the others replaced."""
    done: dict[Path, Path | None] = {}
    try:
        for target, temporary in staged.items():
            kept = None
            if len(staged) > 1 and target.exists():
                kept = _beside(target)
                spare.append(kept)
                shutil.copy2(target, kept)
            temporary.replace(target)
            done[target] = kept
    except BaseException as error:
        for changed, kept in done.items():
            if kept is None:
                changed.unlink(missing_ok=True)
            else:
                kept.replace(changed)
        if isinstance(error, OSError):
            raise _refused(target, error) from error
        raise


def _beside(target: Path) -> Path:
    """Return a name that nothing has, in the same folder, so that renaming cannot cross file systems."""
    return target.parent / f".{secrets.token_hex(8)}.tmp"


def _refused(path: Path, error: OSError) -> UseError:
    why = error.strerror or str(error)
    return UseError("U204", f"cannot write {path}: {why}", hint="check permissions and free space")
