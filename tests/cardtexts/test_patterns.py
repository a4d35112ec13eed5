"""How the patterns of a phrasebook are spelled out."""

from __future__ import annotations

import pytest

from reasoner.cardtexts.phrasebook import expanded


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("draw a card", ["draw a card"]),
        ("draw[s] a card", ["draw a card", "draws a card"]),
        ("(is|are) tapped", ["is tapped", "are tapped"]),
        ("(is|was)[n't] tapped", ["is tapped", "isn't tapped", "was tapped", "wasn't tapped"]),
        (r"protection \(<quality>\)", [r"protection \(<quality>\)"]),
        (r"(a|b)\(c\)", [r"a\(c\)", r"b\(c\)"]),
    ],
)
def test_expanded(pattern: str, found: list[str]) -> None:
    assert sorted(expanded(pattern)) == sorted(found)
