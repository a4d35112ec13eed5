"""What a card text refers to and in which roles, as the answers to a question of a case."""

from __future__ import annotations

from collections.abc import Mapping

from reasoner.cardtexts.segments import UNREAD
from reasoner.cardtexts.workshop import workshop_for
from reasoner.errors import CaseError, Place
from reasoner.knowledge import yamlfile
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.happening import listed

LEFT, NO_REFERENCE = "not understood", "no reference"


def roles_in(text: str, base: KnowledgeBase, language: str | None) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the roles of each reference in `text`, by its words, and what is LEFT; and the rules behind them.

    Raises:
        UseError: U119 no texts in `language` can be read.
    """
    found = workshop_for(base, language).read(text)
    roles: dict[str, set[str]] = {}
    rules: set[str] = set()
    for one in found.references:
        assert one.meaning is not None
        roles.setdefault(one.wording, set()).update(role.rsplit("/", 1)[1] for role, _ in one.roles)
        rules.update(one.meaning.rules, *(behind for _, behind in one.roles))
    left = [found.text[one.start : one.end] for one in found.stretches if one.kind == UNREAD]
    answers = {wording: listed(sorted(several)) for wording, several in roles.items()}
    return answers | {LEFT: listed(left)}, tuple(sorted(rules))


def expected_roles(expect: yamlfile.Mapping, answers: Mapping[str, str]) -> list[tuple[str, str, Place]]:
    """Return the roles that an expectation says references have, and what it says is LEFT."""
    wanted = expect["references"]
    if not isinstance(wanted, yamlfile.Mapping):
        raise CaseError("C103", "'references' is a mapping; {} for none", place=expect.place("references"))
    names = sorted({*wanted, *answers} - {LEFT})
    told = [(name, listed(wanted[name]) if name in wanted else NO_REFERENCE, wanted.place(name)) for name in names]
    return [*told, (LEFT, listed(expect.get("unread")), expect.place("unread"))]
