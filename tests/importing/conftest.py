"""What tests of imports share: real files, where there are any, and a place for pools."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reasoner import cli, paths
from reasoner.paths import Library

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def library() -> Library:
    """The library of the checkout."""
    return paths.library(ROOT)


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder with the publisher's card data, which are not part of the project.

    CARDLORE_FIXTURES names it; without that it is looked for beside the checkout.
    """
    named = os.environ.get("CARDLORE_FIXTURES")
    folder = Path(named) if named else ROOT.parent / "shared" / "fixtures" / "mtg"
    if not folder.is_dir():
        pytest.skip(f"no card data in {folder}; CARDLORE_FIXTURES can name another folder")
    return folder


@pytest.fixture
def pools_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for pools."""
    folder = tmp_path / "pools"
    monkeypatch.setenv("CARDLORE_POOLS", str(folder))
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command and gives its exit code, stdout and stderr."""

    def call(*arguments: Any) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["cardlore", *map(str, arguments)])
        code = 0
        try:
            cli.main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call
