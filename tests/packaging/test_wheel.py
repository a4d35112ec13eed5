"""A wheel built from the sdist, installed away from the checkout, is complete and answers as the checkout does."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest

# One worker builds the wheel for all of these.
pytestmark = pytest.mark.xdist_group("wheel")

LIBRARY = ("ontology", "data", "queries")


@dataclass(frozen=True)
class Installed:
    """What was built, and the environment that holds nothing else of the project."""

    sdist: Path
    wheel: Path
    bin: Path

    @property
    def sdist_names(self) -> set[str]:
        with tarfile.open(self.sdist) as archive:
            return {member.name.partition("/")[2] for member in archive if member.isfile()}

    @property
    def wheel_names(self) -> set[str]:
        with zipfile.ZipFile(self.wheel) as archive:
            return set(archive.namelist())


def run(*command: str | Path, cwd: Path, env: dict[str, str]) -> str:
    """Return what the command prints; fail with all it said if it does not end well."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=env, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(root: Path, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build the sdist, from it the wheel, and install that in a new environment that sees our dependencies."""
    place = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", place, root, cwd=place, env=environment)
    (sdist,) = place.glob("*.tar.gz")
    (wheel,) = place.glob("*.whl")

    venv.create(place / "venv", with_pip=False)
    python = place / "venv" / "bin" / "python"
    run(
        *(sys.executable, "-m", "pip", "--python", python),
        *("install", "--quiet", "--no-deps", "--no-index", wheel),
        cwd=place,
        env=environment,
    )
    packages = Path(
        run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=place, env=environment).strip()
    )
    # A path file makes the dependencies visible, but not the checkout: path files found through it are not read.
    dependencies = [entry for entry in sys.path if entry.endswith(("site-packages", "dist-packages"))]
    assert dependencies
    (packages / "dependencies.pth").write_text("\n".join(dependencies) + "\n", encoding="utf-8")
    return Installed(sdist, wheel, python.parent)


def test_sdist_holds_the_whole_project(installed: Installed, project_files: tuple[Path, ...]) -> None:
    """Nothing of the checkout is missing, nothing is added but the metadata."""
    assert installed.sdist_names == {path.as_posix() for path in project_files} | {"PKG-INFO"}


def test_wheel_holds_the_package_and_the_library(installed: Installed, project_files: tuple[Path, ...]) -> None:
    """The package, ontology, data and queries, to the last file; and nothing else."""
    expected = {path.as_posix() for path in project_files if path.parts[0] == "reasoner"}
    library = [path for path in project_files if path.parts[0] in LIBRARY]
    assert {path.parts[0] for path in library} == set(LIBRARY)
    expected |= {f"reasoner/_library/{path.as_posix()}" for path in library}
    metadata = f"cardlore-{version('cardlore')}.dist-info/"
    assert {name for name in installed.wheel_names if not name.startswith(metadata)} == expected
    assert "reasoner/py.typed" in expected


def test_library_lies_within_the_checkout(root: Path, project_files: tuple[Path, ...]) -> None:
    """No file that would be packed comes from elsewhere through a link."""
    packed = [path for path in project_files if path.parts[0] in (*LIBRARY, "reasoner")]
    assert packed
    assert [path for path in packed if (root / path).resolve() != root / path] == []


def test_installed_package_is_the_one_from_the_wheel(
    installed: Installed, environment: dict[str, str], tmp_path: Path
) -> None:
    """Neither code nor library of the checkout can be reached from the new environment."""
    code = "import reasoner.paths as p; print(p.__file__); print(p.library().root)"
    module, library = run(installed.bin / "python", "-c", code, cwd=tmp_path, env=environment).splitlines()
    assert Path(module).is_relative_to(installed.bin.parent)
    assert Path(library) == Path(module).resolve().parent / "_library"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["games"],
        ["match", "magus", "HARCOS kalandozó lap", "--format", "json"],
    ],
    ids=lambda arguments: arguments[0].strip("-"),
)
def test_command_answers_as_in_the_checkout(
    installed: Installed, environment: dict[str, str], tmp_path: Path, arguments: list[str]
) -> None:
    """From an empty folder and with an empty cache, the installed command prints what the checkout's prints."""
    empty = tmp_path / "empty"
    empty.mkdir()
    fresh = {**environment, "CARDLORE_CACHE": str(tmp_path / "cache")}
    here = run(Path(sys.executable).parent / "cardlore", *arguments, cwd=empty, env=environment)
    there = run(installed.bin / "cardlore", *arguments, cwd=empty, env=fresh)
    assert there == here
    assert there.strip()
    assert list(empty.iterdir()) == []


def test_version_is_the_one_of_the_distribution(environment: dict[str, str], tmp_path: Path) -> None:
    """`cardlore --version` prints the version of pyproject.toml."""
    printed = run(Path(sys.executable).parent / "cardlore", "--version", cwd=tmp_path, env=environment)
    assert printed.split() == ["cardlore", version("cardlore")]
