"""Which cases to run, and running them: of games, of folders, single files, by name, each under its own edition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from reasoner.errors import CardloreError, UseError, close_to
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.operations.casefile import CaseFile, read_case, unread_case
from reasoner.operations.cases import CaseResult, base_of, run_case
from reasoner.paths import Library, files_in


def run_all(what: Sequence[str], as_of: str | None, library: Library) -> list[CaseResult]:
    """Return how the cases went that `what` names (games, folders, files, cases; everything if empty), each once.

    A case is played as of `as_of`, else as of its own date, else under the latest rules. One that can't be read or
    played is among the results, with its error.

    Raises:
        UseError: U105 if a name is no game, no path and no case, U111 if there are no cases at all.
        CardloreError: whatever is wrong with a game's files.
    """
    known = library.games()
    files: dict[Path, tuple[Path, str]] = {}
    for item in what or known:
        for path in _files(item, library):
            files.setdefault(path.resolve(), (path, item if item in known else ""))
    if not files:
        raise UseError(
            "U111",
            f"no cases in {', '.join(what) or 'the library'}",
            hint="a case is a .yaml file; see CONTRIBUTING.md",
        )
    bases: dict[tuple[str, str | None], KnowledgeBase] = {}

    def base(name: str, date: str | None) -> KnowledgeBase:
        if (name, date) not in bases:
            bases[name, date] = open_base(library, name, date)
        return bases[name, date]

    results = []
    for path, game in files.values():
        try:
            case = read_case(path, known)
        except CardloreError as error:
            results.append(CaseResult(unread_case(path, game), error=error))
            continue
        base(case.game, as_of)  # what is wrong with the game or with `as_of` is no fault of the case
        results.append(_run(case, lambda case: base(case.game, as_of or case.as_of)))
    return results


def run_files(paths: Sequence[Path], base: KnowledgeBase) -> list[CaseResult]:
    """Return how the cases of the game of `base` went that stand in the files at `paths`, each under its own edition.

    One that can't be read or played is among the results, with its error.
    """
    results = []
    for path in paths:
        try:
            case = read_case(path, base.library.games())
        except CardloreError as error:
            results.append(CaseResult(unread_case(path, base.game), error=error))
        else:
            results.append(_run(case, lambda case: base_of(case, base)))
    return results


def _run(case: CaseFile, base: Callable[[CaseFile], KnowledgeBase]) -> CaseResult:
    """Return how a case went under the rules that `base` gives for it, if there are any for its date."""
    try:
        return run_case(case, base(case))
    except CardloreError as error:
        place = error.place or case.place("as-of")
        hint, near = error.hint, error.suggestions
        located = CardloreError(error.code, error.message, place=place, hint=hint, suggestions=near)
        return CaseResult(case, error=located)


def _files(item: str, library: Library) -> list[Path]:
    """Return the case files of a game, in a folder, the one at a path, or those of one name in every game."""
    known = library.games()
    path = Path(item)
    if item in known:
        return files_in(library.game(item) / "cases", ".yaml")
    if path.is_dir():
        return files_in(path, ".yaml")
    if path.is_file():
        return [path]
    named: dict[str, list[Path]] = {}
    for game in known:
        for file in files_in(library.game(game) / "cases", ".yaml"):
            named.setdefault(file.stem, []).append(file)
    if item in named:
        return named[item]
    raise UseError("U105", f"'{item}' is no game, no file and no case", suggestions=close_to(item, [*known, *named]))
