"""The JSON Schemas accept every file that ships, and refuse what the readers refuse."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from rdflib import Graph

from reasoner.errors import UseError
from reasoner.operations.schema import schema_of, schema_text
from reasoner.paths import library

ROOT = Path(__file__).resolve().parents[2]
CARDS = sorted(ROOT.glob("data/*/cards/*.yaml"))
CASES = sorted(ROOT.glob("data/*/cases/**/*.yaml"))
assert CARDS
assert CASES


class Words(yaml.SafeLoader):
    """YAML 1.2: yes and no are words."""


Words.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Words.add_implicit_resolver("tag:yaml.org,2002:bool", __import__("re").compile("^(true|false)$"), list("tf"))


def content(path: Path) -> Any:
    """Return the content of a YAML file."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=Words)


@cache
def validator(kind: str, game: str | None = None) -> jsonschema.Draft202012Validator:
    """Return what checks files by a schema; to make one takes all that the games know, so it is made once."""
    return jsonschema.Draft202012Validator(schema_of(kind, library(), game))


@pytest.mark.parametrize("path", CARDS, ids=lambda path: "-".join(path.parts[-3:]))
def test_card_files_conform(path: Path) -> None:
    validator("card", path.parts[-3]).validate(content(path))


@pytest.mark.parametrize("path", CASES, ids=lambda path: "-".join(path.parts[-3:]))
def test_case_files_conform(path: Path) -> None:
    validator("case").validate(content(path))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("card", {"cards": [{"id": "x", "name": "X"}]}),
        ("card", {"cards": [{"id": "x", "name": "X", "type": "No Such Type"}]}),
        ("card", {"cards": [{"id": "X Y", "name": "X", "type": "Kalandozó"}]}),
        ("card", {"cards": [{"id": "x", "name": "X", "type": "Kalandozó", "colour": "red"}]}),
        ("case", {"game": "magus", "title": "t", "given": {}, "steps": []}),
        ("case", {"game": "magus", "title": "t", "given": {}, "steps": [{"do": {"moev": "x"}}]}),
        (
            "case",
            {
                "game": "magus",
                "title": "t",
                "given": {"nowhere": []},
                "steps": [{"expect": {"match": "x", "members": {}}}],
            },
        ),
        (
            "case",
            {
                "game": "magus",
                "title": "t",
                "given": {},
                "steps": [{"expect": {"match": "x", "members": {"a": "maybe"}}}],
            },
        ),
    ],
)
def test_schemas_refuse_what_is_wrong(kind: str, change: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        validator(kind, "magus").validate(change)


@pytest.mark.parametrize("game", library().games())
def test_shapes_of_a_game_file_are_printed(game: str) -> None:
    """What a game.ttl must have is SHACL, which the games at hand meet and an empty one does not."""
    import pyshacl

    shapes = Graph().parse(data=schema_text("game", library()), format="turtle")
    core = Graph().parse(library().ontology / "core.ttl")
    said = core + Graph().parse(library().game(game) / "game.ttl")
    assert pyshacl.validate(said, shacl_graph=shapes)[0]
    bare = Graph().parse(data="<urn:x> a <https://w3id.org/cardlore/term/Game> .", format="turtle")
    assert not pyshacl.validate(bare, shacl_graph=shapes)[0]


def test_schema_of_an_unknown_game_is_refused() -> None:
    """Whatever the kind of file."""
    for kind in ("case", "card", "game"):
        with pytest.raises(UseError, match="unknown game 'none'"):
            schema_text(kind, library(), "none")


def test_schemas_are_schemas() -> None:
    for kind in ("case", "card"):
        jsonschema.Draft202012Validator.check_schema(schema_of(kind, library()))
    with pytest.raises(UseError, match="no schema for 'cas'"):
        schema_of("cas", library())
