"""The list of texts that are known to differ from one language to another is well formed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
LISTED: list[dict[str, Any]] = yaml.safe_load((ROOT / "data" / "mtg" / "translations.yaml").read_text("utf-8"))[
    "differences"
]


def test_each_card_is_listed_once() -> None:
    cards = [one["card"] for one in LISTED]
    assert sorted(set(cards)) == sorted(cards)


@pytest.mark.parametrize("one", LISTED, ids=[one["card"] for one in LISTED])
def test_says_what_differs(one: dict[str, Any]) -> None:
    assert set(one) == {"card", "kind", "english", "japanese", "note"}
    assert one["kind"] in ("error", "edition")
    assert one["english"] != one["japanese"]
