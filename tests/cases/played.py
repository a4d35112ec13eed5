"""How every case goes, played once in a test process: what several tests look at. Situations are not kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyoxigraph as ox

from reasoner.engine.precedence import Conflict
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.operations.casefile import CaseFile, read_case
from reasoner.operations.cases import CaseResult, run_case
from reasoner.paths import Library

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Library(ROOT)
CASES = sorted((ROOT / "data").glob("*/cases/**/*.yaml"))


@dataclass(frozen=True)
class Played:
    """What came of a case.

    `differences` and `error` are messages; `disagreements` are the rules that disagree about objects at some moment;
    `ended` are the objects that are there no more at some moment, each moment by itself, with the predicates of what
    is concluded of them.
    """

    error: str | None
    differences: tuple[str, ...]
    expectations: int
    fired: frozenset[str]
    conflicts: tuple[Conflict, ...]
    disagreements: frozenset[tuple[str, ...]]
    ended: tuple[tuple[int, str, frozenset[ox.NamedNode]], ...]


@cache
def base(game: str, as_of: str | None = None) -> KnowledgeBase:
    """The knowledge base of a game in an edition, once per process."""
    return open_base(LIBRARY, game, as_of)


@cache
def case_at(path: Path) -> CaseFile:
    """The case in a file."""
    return read_case(path, LIBRARY.games())


@cache
def played(path: Path) -> Played:
    """How the case in a file goes in its own edition."""
    case = case_at(path)
    result = run_case(case, base(case.game, case.as_of))
    return Played(
        None if result.error is None else str(result.error),
        tuple(map(str, result.differences)),
        result.expectations,
        frozenset(result.fired),
        tuple(conflict for conflict, _ in result.conflicts),
        disagreements(result),
        tuple(_ended(result)),
    )


def disagreements(result: CaseResult) -> frozenset[tuple[str, ...]]:
    """The rules that disagree about objects at some moment of a case."""
    moments = result.play.moments if result.play else ()
    return frozenset(conflict.rules for moment in moments for conflict in moment.inference.conflicts)


def _ended(result: CaseResult) -> list[tuple[int, str, frozenset[ox.NamedNode]]]:
    found = []
    for moment in result.play.moments if result.play else ():
        for one in moment.state.objects:
            if not one.current:
                supports = (branch.supports for branch in moment.inference.branches)
                about = frozenset(fact.predicate for facts in supports for fact in facts if fact.subject == one.iri)
                found.append((moment.number, one.iri.value, about))
    return found
