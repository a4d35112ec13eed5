"""The consistency check: are a game's ontology, data, rules and rulings in order, and where do they disagree?

The checks themselves are in reasoner/operations/checks, one module for each family.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from reasoner.errors import Place, UseError
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.operations.checks.classification import Classified
from reasoner.operations.checks.findings import Finding, Report, in_order
from reasoner.operations.checks.registry import CHECKS
from reasoner.operations.checks.subject import Subject
from reasoner.owl.reasoner import Engine
from reasoner.paths import Library


def check(base: KnowledgeBase, engine: Engine = "hermit") -> Report:
    """Return every finding about `base`; `engine` is the OWL reasoner, "hermit" or "pellet".

    A check that can't be run (no Java, no pyshacl) is a finding too.
    """
    subject = Subject(base, engine)
    _ = subject.interpreted  # wanted by both threads
    with ThreadPoolExecutor(max_workers=1) as beside:
        slow = beside.submit(Classified, subject)  # Java works while the other checks run
        findings = [finding for run in CHECKS for finding in run(subject)]
        classified = slow.result()
    findings += classified.findings()
    return Report(base.game, in_order(findings), subject.counts, (*classified.notes, subject.search.note))


def check_all(names: Sequence[str], as_of: str | None, library: Library) -> list[Report]:
    """Return the reports on the games called `names`, or on all.

    Raises:
        UseError: U101 an unknown game, or none at all; U107 no such edition.
        CardloreError: whatever keeps the files of a game from being read.
    """
    games = names or library.games()
    if not games:
        hint = "a game is a folder with a game.ttl: CONTRIBUTING.md, 'A game'"
        raise UseError("U101", "there are no games to check", place=Place(library.data), hint=hint)
    return [check(open_base(library, name, as_of)) for name in games]


__all__ = ["Finding", "Report", "check", "check_all"]
