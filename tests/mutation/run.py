"""Run the cases against every mutant of every rule: `make mutants`, or `python tests/mutation/run.py [PART-OF-NAME …]`.

A mutant survives if all cases pass with it in place of the rule. Survivors are compared with `survivors.yaml`, which
gives the reason why each may; the exit code is 1 if any is missing there, or listed and does not survive.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

import yaml  # noqa: E402

from reasoner.engine.rule import Rule  # noqa: E402
from reasoner.engine.rulefile import read_rule  # noqa: E402
from reasoner.errors import CardloreError  # noqa: E402
from reasoner.knowledge.base import KnowledgeBase, open_base  # noqa: E402
from reasoner.knowledge.editions import edition_of  # noqa: E402
from reasoner.knowledge.program import make_programs, read_rules  # noqa: E402
from reasoner.operations.casefile import CaseFile  # noqa: E402
from reasoner.operations.cases import run_case  # noqa: E402
from reasoner.operations.dataset import case_files  # noqa: E402
from reasoner.paths import Library  # noqa: E402
from tests.mutation.mutants import Mutant, mutants  # noqa: E402

LIBRARY = Library(ROOT)
SURVIVORS = Path(__file__).with_name("survivors.yaml")


class Trial(NamedTuple):
    """One mutant of the rule file at `path` (below the root) to be tried."""

    path: str
    mutant: Mutant

    @property
    def name(self) -> str:
        return f"{self.path}: {self.mutant.name}"


def rule_files() -> list[Path]:
    """Return every rule file of the library, the general ones last."""
    return [*sorted(LIBRARY.data.glob("*/rules/*.rq")), *sorted((LIBRARY.ontology / "rules").glob("*.rq"))]


def trials() -> Iterator[Trial]:
    """Yield every mutant of every rule file."""
    for file in rule_files():
        for mutant in mutants(file.read_text(encoding="utf-8")):
            yield Trial(file.relative_to(ROOT).as_posix(), mutant)


def listed() -> dict[str, str]:
    """Return the reason for each survivor that is known, by its name as a trial."""
    known = yaml.safe_load(SURVIVORS.read_text(encoding="utf-8")) or {}
    return {f"{path}: {what}": reason for path, found in known.items() for what, reason in found.items()}


def survives(trial: Trial) -> bool:
    """Return whether every case of every game that has the rule passes with the mutant in its place."""
    file = ROOT / trial.path
    try:
        mutant = read_rule(file, trial.path, trial.mutant.text)
    except CardloreError:
        return False  # it is no rule any more
    games = LIBRARY.games() if file.is_relative_to(LIBRARY.ontology) else [file.parents[1].name]
    return all(_passes(game, mutant) for game in games)


def _passes(game: str, mutant: Rule) -> bool:
    rules = [mutant if rule.path == mutant.path else rule for rule in _rules(game)]
    full = open_base_once(game)
    bases: dict[str | None, KnowledgeBase] = {}
    # The likeliest to fail come first, as one is enough: cases in which the rule has fired.
    for case, _ in sorted(_fired(game), key=lambda one: mutant.id not in one[1]):
        if case.as_of not in bases:
            date, language = edition_of(case.as_of, full.vocabulary, full.programs.rules)
            try:
                programs = make_programs(rules, full.vocabulary, ROOT, date, language)
            except CardloreError:
                return False
            bases[case.as_of] = replace(full, programs=programs, edition=case.as_of or full.edition)
        if not run_case(case, bases[case.as_of]).passed:
            return False
    return True


@cache
def open_base_once(game: str) -> KnowledgeBase:
    """Return the knowledge base of a game, once per process."""
    return open_base(LIBRARY, game)


@cache
def _rules(game: str) -> tuple[Rule, ...]:
    return tuple(read_rules([LIBRARY.ontology / "rules", LIBRARY.game(game) / "rules"], ROOT))


@cache
def _fired(game: str) -> tuple[tuple[CaseFile, frozenset[str]], ...]:
    """Return the cases of a game without what they cite, each with the rules that fire in it, short ones first."""
    found = []
    for case in case_files(open_base_once(game)):
        base = open_base(LIBRARY, game, case.as_of) if case.as_of else open_base_once(game)
        found.append((replace(case, cites=()), frozenset(run_case(case, base).fired)))
    return tuple(sorted(found, key=lambda one: len(one[0].steps)))


def main(wanted: list[str]) -> int:
    """Try the mutants whose names hold one of `wanted` (all if there are none), and print what survives."""
    tried = [one for one in trials() if not wanted or any(part in one.name for part in wanted)]
    with ProcessPoolExecutor(max_workers=2, mp_context=get_context("spawn")) as pool:
        results = dict(zip((one.name for one in tried), pool.map(survives, tried, chunksize=4), strict=True))
    known = listed()
    alive = [name for name, result in results.items() if result]
    new = [name for name in alive if name not in known]
    gone = [name for name in known if (not results[name] if name in results else not wanted)]
    for title, names in (("survive, and are not listed", new), ("are listed, and do not survive", gone)):
        if names:
            print(f"{len(names)} {title}:", *(f"  {name}" for name in names), sep="\n")
    print(f"{len(results)} mutants, {len(alive)} survive, {len(alive) - len(new)} of them listed")
    return 1 if new or gone else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
