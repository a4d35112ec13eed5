"""Which cases to run, and running them: those of games, of folders, or single files, each under its own edition."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reasoner.errors import UseError, close_to
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.operations.casefile import CaseFile, read_case
from reasoner.operations.cases import CaseResult, run_case
from reasoner.operations.dataset import case_files
from reasoner.paths import Library, files_in


def run_all(what: Sequence[str], as_of: str | None, library: Library) -> list[CaseResult]:
    """Return how the cases went that `what` names (games, folders, files; everything if empty).

    A case is played as of `as_of`, else as of its own date, else under the latest rules.

    Raises:
        CaseError: a case file is wrong.
        UseError: U105 if a name is neither a game nor a path, U111 if there are no cases at all.
    """
    bases: dict[tuple[str, str | None], KnowledgeBase] = {}

    def base(name: str, date: str | None) -> KnowledgeBase:
        if (name, date) not in bases:
            bases[name, date] = open_base(library, name, date)
        return bases[name, date]

    known = library.games()
    files: list[CaseFile] = []
    for item in what or known:
        path = Path(item)
        if item in known:
            files += case_files(base(item, None))
        elif path.is_dir():
            files += [read_case(found, known) for found in files_in(path, ".yaml")]
        elif path.is_file():
            files.append(read_case(path, known))
        else:
            raise UseError("U105", f"'{item}' is no game and no file", suggestions=close_to(item, known))
    if not files:
        raise UseError(
            "U111",
            f"no cases in {', '.join(what) or 'the library'}",
            hint="a case is a .yaml file; see CONTRIBUTING.md",
        )
    return [run_case(case, base(case.game, as_of or case.as_of)) for case in files]
