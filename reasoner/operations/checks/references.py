"""Printed references: those that can't be read, and those that can be read in several ways."""

from __future__ import annotations

from collections.abc import Iterator

from reasoner.operations.checks.findings import INFO, Finding, counted, from_error
from reasoner.operations.checks.subject import Subject


def references(subject: Subject) -> Iterator[Finding]:
    """Yield what a reader of the card texts stumbles over."""
    for one in subject.interpreted:
        if one.error is not None:
            yield from from_error(one.error)
        elif len(one.readings) > 1:
            iri = one.reference.iri.value
            yield Finding(
                INFO,
                "K601",
                f"{subject.name(iri)} can be read in {counted(len(one.readings), 'way')}",
                subject.place(iri),
                "all are answered; reword the reference if only one is meant",
                tuple(f"{number}: what {reading.words}" for number, reading in enumerate(one.readings, 1)),
            )
