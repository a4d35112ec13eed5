"""What holds at every moment of every case, whatever it asks."""

from __future__ import annotations

import pytest

from reasoner.terms.namespaces import core
from tests.cases.played import CASES, LIBRARY, case_at, played


@pytest.mark.parametrize("game", LIBRARY.games())
def test_a_stay_that_has_ended_is_nothing_any_more(game: str) -> None:
    """Of the objects that are not there any more no rule concludes anything: effects on them are over by themselves."""
    ended = 0
    for path in (path for path in CASES if case_at(path).game == game):
        for number, one, predicates in played(path).ended:
            ended += 1
            # Who looks back at what entered looks at stays that have ended as well.
            about = {verb for verb in predicates if not verb.value.endswith("/countsAsEntered")}
            assert about - {core("endsIdentityOf")} == set(), f"{path.name}, moment {number}: {one}"
    if not ended:
        pytest.skip(f"no object of the cases of {game} ends")
