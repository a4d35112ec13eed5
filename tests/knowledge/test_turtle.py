"""Turtle files: their triples in order, names for blank nodes, and the line of what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasoner.errors import OntologyError
from reasoner.knowledge.turtle import declared_prefixes, line_of, read_turtle

PREFIX = "@prefix : <https://example.org/ember/> .\n"


def read(text: str | bytes, folder: Path, name: str = "terms.ttl") -> list[str]:
    """Return the triples of a file that holds `text`, as text without the namespace."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [str(triple).replace("https://example.org/ember/", "") for triple in read_turtle(path)]


def test_triples_in_the_order_of_the_file(tmp_path: Path) -> None:
    """Lists and literals as they are written; a byte order mark is no part of the file."""
    text = PREFIX + ':b :p "ő"@hu , 1 . :a :p :b ; a :C .'
    expected = [
        '<b> <p> "ő"@hu',
        '<b> <p> "1"^^<http://www.w3.org/2001/XMLSchema#integer>',
        "<a> <p> <b>",
        "<a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <C>",
    ]
    assert read(text, tmp_path) == expected
    assert read("\ufeff" + text, tmp_path) == expected


def test_blank_nodes_are_named_after_file_and_order(tmp_path: Path) -> None:
    """The same in every run, and different for every file, whatever the files are called."""
    text = PREFIX + ":a :p [ :q _:x ] . _:x :r _:x ."
    assert read(text, tmp_path) == ["_:terms_1 <q> _:terms_2", "<a> <p> _:terms_1", "_:terms_2 <r> _:terms_2"]
    assert read(text, tmp_path) == read(text, tmp_path)
    nodes = {
        name: {
            word for triple in read(text, tmp_path, f"{name}.ttl") for word in triple.split() if word.startswith("_:")
        }
        for name in ("terms", "terms1", "te-rms", "1")
    }
    assert all(len(found) == 2 for found in nodes.values())
    assert nodes["terms"].isdisjoint(nodes["terms1"])
    assert nodes["1"] == {"_:1_1", "_:1_2"}


BROKEN: dict[str, tuple[str | bytes, int, int]] = {
    "no end": (PREFIX + ":a :p :b", 2, 9),
    "no object": (PREFIX + ":a :p .", 2, 7),
    "an unknown prefix": (PREFIX + "\n\n:a :p e:b .", 4, 7),
    "a space in an IRI": (PREFIX + ":a :p <x:a b> .", 2, 7),
    "a relative IRI": (PREFIX + ":a :p <b> .", 2, 7),
    "a quote left open": (PREFIX + ':a :p "b .\n:c :d :e .', 2, 7),
    "a list left open": (PREFIX + ":a :p (1 2", 2, 11),
    "a language that is none": (PREFIX + ":a :p 'b'@toolonglanguage .", 2, 11),
    "Latin letters": (PREFIX.encode() + ":a :p 'é' .".encode("latin-1"), 2, 8),
    "UTF-16": (PREFIX.encode("utf-16"), 1, 1),
    "no Turtle at all": ("<!DOCTYPE html>", 1, 1),
}


@pytest.mark.parametrize(("text", "line", "column"), BROKEN.values(), ids=BROKEN)
def test_broken_file(text: str | bytes, line: int, column: int, tmp_path: Path) -> None:
    """O102 with line and column."""
    with pytest.raises(OntologyError) as caught:
        read(text, tmp_path)
    assert str(caught.value).startswith(f"O102 {tmp_path}/terms.ttl:{line}:{column}: not valid Turtle: ")
    assert "\n" not in str(caught.value)


def test_unreadable_file(tmp_path: Path) -> None:
    """O101 for a file that is not there, and for a folder."""
    (tmp_path / "folder.ttl").mkdir()
    for name, reason in (("none.ttl", "No such file or directory"), ("folder.ttl", "Is a directory")):
        with pytest.raises(OntologyError) as caught:
            read_turtle(tmp_path / name)
        assert str(caught.value) == f"O101 {tmp_path}/{name}: cannot read the file: {reason}"


def test_declared_prefixes(tmp_path: Path) -> None:
    """Pairs of prefix and namespace, sorted; half a declaration counts for nothing."""
    path = tmp_path / "game.ttl"
    path.write_text(
        """@prefix sh: <http://www.w3.org/ns/shacl#> .
        <x:game> sh:declare [ sh:prefix "e" ; sh:namespace "https://example.org/e/" ] ,
          [ sh:prefix "b" ; sh:namespace "https://example.org/b/" ] , [ sh:prefix "half" ] ,
          [ sh:namespace "https://example.org/half/" ] .""",
        encoding="utf-8",
    )
    assert declared_prefixes(read_turtle(path)) == [("b", "https://example.org/b/"), ("e", "https://example.org/e/")]


LINES = """\
# ember:Spell is here only mentioned
ember:SpellBook a owl:Class .
ember:Spell a owl:Class ;
  rdfs:label "ember:Card" .
<x:Coin>\ta owl:Class .
"""


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (("ember:Spell",), 3),
        (("ember:SpellBook",), 2),
        (("ember:Book", "ember:Spell"), 3),
        (("<x:Coin>",), 5),
        (("ember:Card",), 0),
        ((), 0),
    ],
)
def test_line_on_which_a_term_is_described(names: tuple[str, ...], line: int, tmp_path: Path) -> None:
    """The first line that begins with the whole name."""
    path = tmp_path / "terms.ttl"
    path.write_text(LINES, encoding="utf-8")
    assert line_of(path, names) == line


def test_line_in_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """No line, and no error: the line is only an extra."""
    (tmp_path / "latin.ttl").write_bytes("é".encode("latin-1"))
    assert [line_of(tmp_path / name, ("é",)) for name in ("latin.ttl", "none.ttl")] == [0, 0]
