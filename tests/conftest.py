"""What every test shares: where the checkout is, and an environment that leaves the user's own files alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pathspec
import pytest
from hypothesis import settings

from reasoner import cli

ROOT = Path(__file__).resolve().parent.parent

# The same examples in every run, so that a failure is a failure for everybody. To look for new ones:
# HYPOTHESIS_PROFILE=explore make test
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", max_examples=2000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT


@pytest.fixture(scope="session", autouse=True)
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The variables that tests, and commands they start, run with: one cache for the run, not the user's."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # the workers share it
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDLORE_CACHE", str(base / "cache"))
        patch.setenv("CARDLORE_POOLS", str(base / "pools"))
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("PYTHONUTF8", "1")
        patch.setenv("NO_COLOR", "1")
        patch.setenv("TERM", "dumb")
        patch.setenv("COLUMNS", "120")
        for name in ("CARDLORE_LIBRARY", "CARDLORE_POOL", "FORCE_COLOR", "PYTHONPATH"):
            patch.delenv(name, raising=False)
        yield dict(os.environ)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs a command in this process and gives its exit code, stdout and stderr."""

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


@pytest.fixture(scope="session")
def real_data(root: Path) -> Path:
    """The folder with the publisher's card data, which are not part of the project.

    CARDLORE_FIXTURES names it; without that it is looked for beside the checkout.
    """
    named = os.environ.get("CARDLORE_FIXTURES")
    folder = Path(named) if named else root.parent / "shared" / "fixtures" / "mtg"
    if not folder.is_dir():
        pytest.skip(f"no card data in {folder}; CARDLORE_FIXTURES can name another folder")
    return folder


@pytest.fixture(scope="session")
def project_files(root: Path) -> tuple[Path, ...]:
    """Every file of the project, relative to its top and sorted: all that .gitignore does not exclude."""
    ignored = pathspec.GitIgnoreSpec.from_lines((root / ".gitignore").read_text(encoding="utf-8").splitlines())
    found: list[Path] = []
    for folder, inner, names in os.walk(root):
        here = Path(folder).relative_to(root)
        inner[:] = [name for name in inner if name != ".git" and not ignored.match_file(f"{here / name}/")]
        found += [here / name for name in names if name != ".git" and not ignored.match_file(here / name)]
    assert Path("pyproject.toml") in found
    return tuple(sorted(found))
