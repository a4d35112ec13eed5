"""What a check reports: findings with a severity, a code and a place, and the report that holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from reasoner.errors import CardloreError, Place, Problems

ERROR: Final = "error"
WARNING: Final = "warning"
INFO: Final = "info"
SEVERITIES: Final = (ERROR, WARNING, INFO)


@dataclass(frozen=True)
class Finding:
    """Something a rules editor should know: what, where, and what to do about it.

    `details` are further lines: the rules that disagree, the fact they disagree about, the pairs behind a count.
    `witness` is a case file in which what was found shows.
    """

    severity: str
    code: str
    message: str
    place: Place | None = None
    hint: str = ""
    details: tuple[str, ...] = ()
    witness: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the finding as plain data."""
        return {
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "place": str(self.place) if self.place else None,
            "hint": self.hint or None,
            "details": list(self.details),
            "witness": self.witness or None,
        }


@dataclass(frozen=True)
class Report:
    """The findings about one game, most severe first, and what was looked at.

    `counts` say how many of what; `notes` are further lines about the whole, such as what the OWL reasoner found.
    """

    game: str
    findings: tuple[Finding, ...]
    counts: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()

    def summary(self) -> list[str]:
        """Return lines that say what was checked and how much was found."""
        checked = ", ".join(counted(number, name) for name, number in self.counts)
        severities = Counter(finding.severity for finding in self.findings)
        found = ", ".join(counted(severities[severity], severity) for severity in (ERROR, WARNING))
        lines = [f"{self.game}: checked {checked}"] if checked else []
        return [
            *lines,
            *(f"{self.game}: {note}" for note in self.notes),
            f"{self.game}: {found}, {severities[INFO]} for information",
        ]


def counted(number: int, name: str) -> str:
    """Return `number` and `name`, the latter in the plural where there is not exactly one."""
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return each finding once, the most severe first, then by place and code."""

    def rank(finding: Finding) -> tuple[Any, ...]:
        place = finding.place
        where = (str(place.path), place.line, place.column) if place else ("", 0, 0)
        return SEVERITIES.index(finding.severity), where, finding.code, finding.message

    return tuple(sorted(dict.fromkeys(findings), key=rank))


def from_error(error: CardloreError, severity: str = ERROR) -> list[Finding]:
    """Return a finding for the error, or for each of several, under the code it has as an error."""
    errors = error.errors if isinstance(error, Problems) else (error,)
    return [Finding(severity, one.code, one.message, one.place, _next_step(one)) for one in errors]


def _next_step(error: CardloreError) -> str:
    guess = f"did you mean {' or '.join(repr(one) for one in error.suggestions)}?" if error.suggestions else ""
    return "; ".join(part for part in (guess, error.hint) if part)
