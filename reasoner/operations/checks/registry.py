"""The checks, in the order in which they run. To add one: write a function from Subject to findings, and list it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from reasoner.operations.checks.classification import owl_profile
from reasoner.operations.checks.contradictions import contradictions
from reasoner.operations.checks.findings import Finding
from reasoner.operations.checks.references import references
from reasoner.operations.checks.rules import failing_cases, unfired_rules, unread_rules
from reasoner.operations.checks.shapes import shapes
from reasoner.operations.checks.shared import catalog, folders, questions
from reasoner.operations.checks.stale import stale_cases
from reasoner.operations.checks.subject import Subject
from reasoner.operations.checks.violations import violations

Check: TypeAlias = Callable[[Subject], Iterable[Finding]]

CHECKS: Final[tuple[Check, ...]] = (
    references,
    failing_cases,
    stale_cases,
    unfired_rules,
    unread_rules,
    contradictions,
    violations,
    owl_profile,
    shapes,
    catalog,
    questions,
    folders,
)
