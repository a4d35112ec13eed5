"""SHACL: what terms and cards must have, less what is waived. Inference is off: shapes look at what is written."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from reasoner.errors import OntologyError, Place
from reasoner.knowledge.turtle import read_turtle
from reasoner.operations.checks.findings import ERROR, INFO, WARNING, Finding, from_error
from reasoner.operations.checks.subject import Subject, place_in
from reasoner.owl.names import ntriples
from reasoner.terms.namespaces import CORE, SH, TYPE, core, game_base

if TYPE_CHECKING:
    from rdflib import Graph

_SEVERITY = {SH + "Violation": ERROR, SH + "Warning": WARNING, SH + "Info": INFO}


@dataclass(frozen=True)
class Result:
    """One demand that is not met: by `focus`, of `shape` (both IRIs, or "_:…"), with the value that is to blame."""

    focus: str
    shape: str
    severity: str
    message: str
    value: str


def validate(data: Iterable[ox.Triple], shapes: Iterable[ox.Triple]) -> list[Result]:
    """Return what in `data` does not meet `shapes`, in a stable order.

    Raises:
        ModuleNotFoundError: pyshacl is not installed.
        OntologyError: O401 the shapes are not valid SHACL.
    """
    import pyshacl
    from pyshacl.errors import ReportableRuntimeError

    with _left_as_it_was():
        try:
            graph = _rdflib(data)  # nobody else's, so pyshacl need not copy it
            _, report, _ = pyshacl.validate(graph, shacl_graph=_rdflib(shapes), inference="none", inplace=True)
        except ReportableRuntimeError as problem:
            report = problem
    if isinstance(report, Exception):
        message, _, link = str(report).partition("\n")
        raise OntologyError("O401", f"not valid SHACL: {message}", hint=link[:1].lower() + link[1:])
    return sorted(_results(report), key=str)


def _results(report: Graph) -> Iterator[Result]:
    from rdflib import Namespace
    from rdflib.namespace import RDF

    sh = Namespace(SH)
    # Nested shapes leave results of their own under sh:detail: only those of the report count.
    for node in report.objects(report.value(None, RDF.type, sh.ValidationReport), sh.result):
        focus, shape, severity, value = (
            report.value(node, sh[key]) for key in ("focusNode", "sourceShape", "resultSeverity", "value")
        )
        messages = sorted(str(one) for one in report.objects(node, sh.resultMessage))
        yield Result(
            str(focus),
            str(shape),
            _SEVERITY.get(str(severity), ERROR),
            " ".join(messages),
            "" if value is None or value == focus else str(value),
        )


def _rdflib(triples: Iterable[ox.Triple]) -> Graph:
    from rdflib import Graph

    return Graph().parse(data=ntriples(triples), format="nt")


@contextmanager
def _left_as_it_was() -> Iterator[None]:
    """Keep pyshacl from speaking on stderr and from leaving rdflib's way of reading literals changed for everybody."""
    import rdflib
    from rdflib.namespace import XSD
    from rdflib.term import _toPythonMapping

    log = logging.getLogger("pyshacl-validate")
    normalise, boolean, disabled = rdflib.NORMALIZE_LITERALS, _toPythonMapping[XSD.boolean], log.disabled
    try:
        log.disabled = True
        yield
    finally:
        rdflib.NORMALIZE_LITERALS, log.disabled = normalise, disabled
        _toPythonMapping[XSD.boolean] = boolean


def shapes(subject: Subject) -> Iterator[Finding]:
    """Yield what terms and cards lack, and waivers that are wrong or no longer needed."""
    try:
        yield from _Shapes(subject).findings()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyshacl":
            raise
        yield Finding(
            WARNING,
            "K002",
            "pyshacl is not installed: what terms and cards must have was not checked",
            None,
            "pip install 'cardlore[check]'",
        )
    except OntologyError as error:
        yield from from_error(error)


def _wrong_shape(data: list[ox.Triple], written: Mapping[Path, list[ox.Triple]]) -> Place | None:
    """Return where the first shape stands that is not valid SHACL by itself."""
    for path, triples in written.items():
        for name in dict.fromkeys(triple.subject for triple in triples if isinstance(triple.subject, ox.NamedNode)):
            try:
                validate(data, _described(name, triples))
            except OntologyError:
                return place_in(path, name.value) or Place(path, 1)
    return None


def _described(node: object, triples: list[ox.Triple]) -> list[ox.Triple]:
    """Return what is said of `node` and of the blank nodes that it is described with."""
    own = [triple for triple in triples if triple.subject == node]
    return own + [
        inner
        for triple in own
        if isinstance(triple.object, ox.BlankNode)
        for inner in _described(triple.object, triples)
    ]


class _Shapes:
    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.waiver_file = subject.base.library.ontology / "waivers.ttl"

    def findings(self) -> Iterator[Finding]:
        terms = self.subject.triples(self.subject.vocabulary_graphs)
        cards = self.subject.triples(self.subject.base.base[-1:])
        needed: set[tuple[str, str]] = set()
        for_terms, for_games, *for_cards = self.subject.shape_files
        for code, data, files in (
            ("K201", [*terms, *self.waiver_triples], [for_terms, for_games]),
            ("K202", [*terms, *cards], for_cards),
        ):
            written = {path: read_turtle(path) for path in files if path.is_file()}
            try:
                results = validate(data, (triple for triples in written.values() for triple in triples))
            except OntologyError as error:
                raise error.located(_wrong_shape(data, written)) from None
            for result in results:
                key = (result.shape, result.focus)
                needed.add(key)
                if key not in self.waived:
                    yield self._finding(code, result, files)
        yield from self._waivers(needed)

    def _finding(self, code: str, result: Result, files: list[Path]) -> Finding:
        value = f" Found: {self._short(result.value)}." if result.value else ""
        written = next((path for path in files if place_in(path, result.shape)), None)
        root = self.subject.base.library.root
        shape = result.shape.rpartition("/")[2] + (f" in {written.relative_to(root).as_posix()}" if written else "")
        place = self.subject.place(result.focus) or place_in(self.waiver_file, result.focus)
        return Finding(
            result.severity,
            code,
            f"{self._short(result.focus)}: {result.message}{value}",
            place,
            f"the demand is {shape}; a waiver with a reason in waivers.ttl lifts it",
        )

    def _short(self, text: str) -> str:
        return self.subject.name(text) if "://" in text else text

    # --- waivers

    @cached_property
    def waiver_triples(self) -> list[ox.Triple]:
        return read_turtle(self.waiver_file) if self.waiver_file.is_file() else []

    @cached_property
    def waived(self) -> dict[tuple[str, str], str]:
        """The waivers by the shape they waive and the term they waive it for."""
        told: dict[str, dict[str, str]] = {}
        for triple in self.waiver_triples:
            if isinstance(triple.subject, ox.NamedNode) and isinstance(triple.object, ox.NamedNode):
                told.setdefault(triple.subject.value, {})[triple.predicate.value] = triple.object.value
        shape, term = core("waives").value, core("waivedFor").value
        return {
            (one[shape], one[term]): iri
            for iri, one in told.items()
            if one.get(TYPE.value) == core("Waiver").value and shape in one and term in one
        }

    def _waivers(self, needed: set[tuple[str, str]]) -> Iterator[Finding]:
        library = self.subject.base.library
        elsewhere = tuple(game_base(game) for game in library.games() if game != self.subject.base.game)
        for (shape, term), iri in sorted(self.waived.items()):
            if (shape, term) not in needed and not term.startswith(elsewhere):
                known = term.startswith((CORE, game_base(self.subject.base.game)))
                what = "is needed no longer" if known else "is for a term of no game here"
                yield Finding(
                    WARNING,
                    "K203",
                    f"the waiver of {shape.rpartition('/')[2]} for {self._short(term)} {what}",
                    place_in(self.waiver_file, iri),
                    "remove it: the term meets the shape, or one of the two does not exist",
                )
