"""Every `console` block of README.md is run and prints what the page shows; every `pycon` block likewise.

In a `console` block, `$ ` starts a command; the lines up to the next one are its output (standard output and error
together). Commands of a block share one empty folder. A command must end with exit code 0; where another code is the
point, show it: `$ cardlore …; echo $?`. A block whose fence names a file (```yaml my-case.yaml) puts that file into
the folder of every `console` block.

Run as a program (`make readme`), this module writes the real outputs into README.md.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[2] / "README.md"
FENCE = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, the file its fence names or "", its text, and the line its text starts at."""

    language: str
    file: str
    body: str
    line: int

    def __str__(self) -> str:
        return f"line {self.line}"


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a Markdown text that name a language, in order."""
    return [
        Block(found["language"], found["file"] or "", found["body"], text.count("\n", 0, found.start("body")) + 1)
        for found in FENCE.finditer(text)
    ]


def commands(body: str) -> list[str]:
    """Return the commands of a `console` block."""
    assert body.startswith("$ "), "a console block starts with a command"
    return [line.removeprefix("$ ") for line in body.splitlines() if line.startswith("$ ")]


def session(block: Block, files: list[Block], folder: Path, env: dict[str, str]) -> str:
    """Run the commands of `block` in `folder`, which `files` are written to; return the block as it should stand."""
    for file in files:
        (folder / file.file).write_text(file.body, encoding="utf-8")
    shown = ""
    for command in commands(block.body):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"exit code {done.returncode}: {command}\n{done.stdout}"
        shown += f"$ {command}\n{done.stdout}"
        assert shown.endswith("\n"), f"the output ends within a line: {command}"
    return shown


BLOCKS = blocks(README.read_text(encoding="utf-8"))
FILES = [block for block in BLOCKS if block.file]
CONSOLE = [block for block in BLOCKS if block.language == "console"]
PYTHON = [block for block in BLOCKS if block.language == "pycon"]


@pytest.mark.parametrize("block", CONSOLE, ids=str)
def test_console_block_shows_what_is_printed(block: Block, tmp_path: Path, environment: dict[str, str]) -> None:
    """The page shows the real output, to the letter."""
    assert session(block, FILES, tmp_path, environment) == block.body


@pytest.mark.parametrize("block", PYTHON, ids=str)
def test_python_block_shows_what_is_printed(block: Block) -> None:
    """The page shows what Python answers."""
    test = doctest.DocTestParser().get_doctest(block.body, {}, README.name, str(README), block.line - 1)
    assert test.examples
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_first_use_is_shown() -> None:
    """The page shows the commands a newcomer needs first, each in a block that is run."""
    first = {command.split()[1] for block in CONSOLE for command in commands(block.body) if command[:9] == "cardlore "}
    assert first >= {"games", "match", "explain", "query", "cases", "check"}


def main() -> None:
    """Write the outputs that the commands of README.md print today into README.md."""
    env = {**os.environ, "COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    text = README.read_text(encoding="utf-8")
    for block in CONSOLE:
        with tempfile.TemporaryDirectory() as folder:
            shown = session(block, FILES, Path(folder), env)
        text = text.replace(f"```console\n{block.body}```", f"```console\n{shown}```", 1)
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
