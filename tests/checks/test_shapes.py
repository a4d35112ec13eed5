"""Each shape has its smallest input that does not meet it, in tests/bad/shapes: FILE OF SHAPES/NAME.ttl, for data/…/
shapes.ttl the name of the game. Nothing but that one demand is broken by it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reasoner.knowledge.turtle import read_turtle
from reasoner.operations.checks.shapes import validate
from reasoner.terms.namespaces import SH

from .libraries import ROOT

BAD = ROOT / "tests" / "bad" / "shapes"
TARGETS = {SH + name for name in ("targetClass", "targetNode", "targetSubjectsOf", "targetObjectsOf")}


def shape_files() -> dict[str, Path]:
    """Return the files of shapes, by the name of the folder with what breaks them."""
    shared = {path.stem: path for path in sorted((ROOT / "ontology" / "shapes").glob("*.ttl"))}
    return shared | {path.parent.name: path for path in sorted((ROOT / "data").glob("*/shapes.ttl"))}


def shapes() -> list[tuple[str, str]]:
    """Return (file, IRI) of every shape that has a target."""
    found = set()
    for name, path in shape_files().items():
        found |= {(name, str(t.subject.value)) for t in read_turtle(path) if t.predicate.value in TARGETS}
    return sorted(found)


SHAPES = shapes()


@pytest.mark.parametrize(("file", "shape"), SHAPES, ids=lambda value: value.rpartition("/")[2])
def test_shape_is_tripped(file: str, shape: str) -> None:
    """The input breaks the demand of the shape, and no other of the same file; the message says what to do."""
    data = BAD / file / f"{shape.rpartition('/')[2]}.ttl"
    found = validate(read_turtle(data), read_turtle(shape_files()[file]))
    assert {result.shape for result in found} == {shape}
    assert all(result.message.endswith(".") for result in found)


def test_every_input_is_for_a_shape() -> None:
    """No input is left over from a shape that is gone."""
    wanted = {f"{file}/{shape.rpartition('/')[2]}.ttl" for file, shape in SHAPES}
    assert {path.relative_to(BAD).as_posix() for path in BAD.rglob("*.ttl")} == wanted


@pytest.mark.parametrize("name", sorted(shape_files()))
def test_shapes_are_shapes(name: str) -> None:
    """The files meet the shapes that the standard has for shapes."""
    import pyshacl
    from rdflib import Graph

    graph = Graph().parse(shape_files()[name])
    conforms, _, report = pyshacl.validate(Graph(), shacl_graph=graph, meta_shacl=True)
    assert conforms, report
