"""The dates of editions are needed: with the dates of any two of a game exchanged, some case of it fails."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from reasoner.engine.rulefile import read_rule
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.knowledge.editions import edition_of
from reasoner.knowledge.program import make_programs
from reasoner.operations.cases import run_case
from reasoner.operations.dataset import case_files
from reasoner.paths import Library

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Library(ROOT)
RULES = {
    game: [
        read_rule(path, path.relative_to(ROOT).as_posix())
        for folder in (LIBRARY.ontology / "rules", LIBRARY.game(game) / "rules")
        for path in sorted(folder.glob("*.rq"))
    ]
    for game in LIBRARY.games()
}
PAIRS = [
    (game, first, second)
    for game, rules in RULES.items()
    for first, second in combinations(sorted({rule.header.edition for rule in rules} - {"undated"}), 2)
]


def exchanged(game: str, first: str, second: str, as_of: str | None) -> KnowledgeBase:
    """Return the base of `game` as of an edition or a date, where the editions of two dates have each other's."""
    full = open_base(LIBRARY, game)
    other = {first: second, second: first}
    rules = [
        replace(rule, header=replace(rule.header, edition=other.get(rule.header.edition, rule.header.edition)))
        for rule in RULES[game]
    ]
    date, language = edition_of(as_of, full.vocabulary, full.programs.rules)
    # An edition that is named is looked up by its name, so it has the other date then.
    date = other.get(date, date) if date and as_of != date else date
    programs = make_programs(rules, full.vocabulary, ROOT, date, language)
    return replace(full, programs=programs, edition=as_of or full.edition)


@pytest.mark.parametrize(("game", "first", "second"), PAIRS)
def test_no_two_editions_can_be_exchanged(game: str, first: str, second: str) -> None:
    """Not merely because a case cites a rule that is not in force then: citations are left out."""
    bases: dict[str | None, KnowledgeBase] = {}
    failing = None
    for case in sorted(case_files(open_base(LIBRARY, game)), key=lambda case: case.as_of is None):
        if case.as_of not in bases:
            bases[case.as_of] = exchanged(game, first, second, case.as_of)
        if not run_case(replace(case, cites=()), bases[case.as_of]).passed:
            failing = case.name
            break
    assert failing is not None
