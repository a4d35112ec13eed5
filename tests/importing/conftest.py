"""What tests of imports share: the library, and a place for pools."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reasoner import paths
from reasoner.paths import Library

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def library() -> Library:
    """The library of the checkout."""
    return paths.library(ROOT)


@pytest.fixture
def pools_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for pools."""
    folder = tmp_path / "pools"
    monkeypatch.setenv("CARDLORE_POOLS", str(folder))
    return folder
