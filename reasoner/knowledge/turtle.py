"""Reading Turtle with pyoxigraph, with errors that say where, and finding the line on which a term is described."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from pathlib import Path

import pyoxigraph as ox

from reasoner.errors import OntologyError, Place
from reasoner.terms.namespaces import SH

_POSITION = re.compile(r"line (\d+)(?:.*?column (\d+))?|at (\d+):(\d+)")


def read_turtle(path: Path) -> list[ox.Triple]:
    """Return the triples of a Turtle file in file order; blank nodes are named after the file and their order.

    Raises:
        OntologyError: O101 the file is missing or unreadable, O102 it is not Turtle.
    """
    try:
        data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise OntologyError("O101", f"cannot read the file: {error.strerror}", place=Place(path)) from None
    names: dict[str, ox.BlankNode] = {}
    stem = re.sub(r"[^A-Za-z0-9]", "", path.stem)

    def stable(term: object) -> object:
        if isinstance(term, ox.BlankNode):
            return names.setdefault(term.value, ox.BlankNode(f"{stem}_{len(names) + 1}"))
        return term

    try:
        return [
            ox.Triple(stable(quad.subject), quad.predicate, stable(quad.object))  # type: ignore[arg-type]
            for quad in ox.parse(data, format=ox.RdfFormat.TURTLE)
        ]
    except SyntaxError as error:
        line, column = _position(error)
        raise OntologyError("O102", f"not valid Turtle: {error.msg}", place=Place(path, line, column)) from None


def declared_prefixes(triples: list[ox.Triple]) -> list[tuple[str, str]]:
    """Return the (prefix, namespace) pairs that the triples declare with sh:declare."""
    prefix = {t.subject: str(t.object.value) for t in triples if t.predicate.value == SH + "prefix"}  # type: ignore[union-attr]
    namespace = {t.subject: str(t.object.value) for t in triples if t.predicate.value == SH + "namespace"}  # type: ignore[union-attr]
    return sorted((prefix[node], namespace[node]) for node in prefix if node in namespace)


def prefix_place(paths: Sequence[Path], prefix: str) -> Place | None:
    """Return where the last of `paths` that declares `prefix` with sh:declare does so."""
    declared = re.compile(rf'prefix>?\s+"{re.escape(prefix)}"')
    for path in reversed(paths):
        hits = list(declared.finditer(path.read_text(encoding="utf-8")))
        if hits:
            return Place(path, hits[-1].string.count("\n", 0, hits[-1].start()) + 1)
    return None


def line_of(path: Path, names: tuple[str, ...]) -> int:
    """Return the first line (from 1) that begins with one of `names` (compact or full IRIs); 0 if none does."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return 0
    for number, line in enumerate(lines, 1):
        if line.startswith(names) and any(
            not line[len(name) : len(name) + 1].strip(" \t;.,") for name in names if line.startswith(name)
        ):
            return number
    return 0


def _position(error: SyntaxError) -> tuple[int, int]:
    if error.lineno:
        return error.lineno, error.offset or 0
    at = _POSITION.search(str(error))
    if not at:
        return 0, 0
    numbers = [int(group) for group in at.groups() if group]
    return numbers[0], numbers[1] if len(numbers) > 1 else 0
