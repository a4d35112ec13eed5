"""The consistency check: are a game's ontology, data, rules and rulings in order, and where do they disagree?

The checks themselves are in reasoner/operations/checks, one module for each family.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.checks.classification import Classified
from reasoner.operations.checks.findings import Finding, Report, in_order
from reasoner.operations.checks.registry import CHECKS
from reasoner.operations.checks.subject import Subject
from reasoner.owl.reasoner import Engine


def check(base: KnowledgeBase, engine: Engine = "hermit") -> Report:
    """Return every finding about `base`; `engine` is the OWL reasoner, "hermit" or "pellet".

    A check that can't be run (no Java, no pyshacl) is a finding too. Raises:
        QueryError: a violation query that ships with the product is wrong.
    """
    subject = Subject(base, engine)
    _ = subject.interpreted  # wanted by both threads
    with ThreadPoolExecutor(max_workers=1) as beside:
        slow = beside.submit(Classified, subject)  # Java works while the other checks run
        findings = [finding for run in CHECKS for finding in run(subject)]
        classified = slow.result()
    findings += classified.findings()
    return Report(base.game, in_order(findings), subject.counts, (*classified.notes, subject.search.note))


__all__ = ["Finding", "Report", "check"]
