"""What holds at every moment of every case, whatever it asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasoner.knowledge.base import open_base
from reasoner.operations.casefile import read_case
from reasoner.operations.cases import base_of, play_until
from reasoner.paths import Library
from reasoner.terms.namespaces import core

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Library(ROOT)


@pytest.mark.parametrize("game", LIBRARY.games())
def test_a_stay_that_has_ended_is_nothing_any_more(game: str) -> None:
    """Of the objects that are not there any more no rule concludes anything: effects on them are over by themselves."""
    ended = 0
    for path in sorted((LIBRARY.game(game) / "cases").rglob("*.yaml")):
        case = read_case(path, LIBRARY.games())
        for moment in play_until(case, base_of(case, open_base(LIBRARY, game))).moments:
            gone = {one.iri for one in moment.state.objects if not one.current}
            ended += len(gone)
            for branch in moment.inference.branches:
                about = {fact.predicate for fact in branch.supports if fact.subject in gone} - {core("endsIdentityOf")}
                # Who looks back at what entered looks at stays that have ended as well.
                about = {one for one in about if not one.value.endswith("/countsAsEntered")}
                assert about == set(), f"{path.name}, moment {moment.number}"
    if not ended:
        pytest.skip(f"no object of the cases of {game} ends")
