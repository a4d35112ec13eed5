"""YAML with the lines of everything, plain words as they are written, and no file that brings the reader down."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reasoner.errors import CaseError, DataError, Place
from reasoner.knowledge.yamlfile import MOST_ALIASED, MOST_LEVELS, Mapping, Sequence, read_yaml

FILE = Path("f.yaml")


def read(text: str) -> Any:
    """Return what a text holds."""
    return read_yaml(FILE, text=text)


SCALARS: dict[str, object] = {
    "yes": "yes",
    "no": "no",
    "on": "on",
    "off": "off",
    "y": "y",
    "Yes": "Yes",
    "true": True,
    "True": True,
    "FALSE": False,
    "~": None,
    "null": None,
    "Null": None,
    "": None,
    "nil": "nil",
    "12": 12,
    "-3": -3,
    "+4": 4,
    "007": 7,
    "1.5": 1.5,
    "-.5": -0.5,
    "2.": 2.0,
    "1.5e3": 1500.0,
    "1e5": "1e5",
    "0x1F": "0x1F",
    "0o17": "0o17",
    "1_000": "1_000",
    "12:30": "12:30",
    ".inf": ".inf",
    "３": "３",
    "2024-05-01": "2024-05-01",
    "1.2.3": "1.2.3",
    "'12'": "12",
    '"true"': "true",
    "''": "",
    "|\n  12\n": "12\n",
    ">-\n  yes\n  no\n": "yes no",
    "! 12": "12",
    "!!str 12": "12",
    "9" * 5000: "9" * 5000,
    "a: b": {"a": "b"},
    "árvíz: 日本": {"árvíz": "日本"},
    "'a: b'": "a: b",
    "**bold** text": "**bold** text",
}


@pytest.mark.parametrize("text", [text for text in SCALARS if not text.startswith("**")], ids=lambda text: text[:20])
def test_scalar(text: str) -> None:
    """Only true and false are booleans, only decimal numbers are numbers, and what is quoted is text."""
    found = read(text)
    assert found == SCALARS[text]
    assert type(found) is type(SCALARS[text]) or isinstance(found, Mapping)


def test_words_that_yaml_reads_otherwise_must_be_quoted() -> None:
    """Two stars begin an alias in YAML: a mark of bold is written in quotes."""
    with pytest.raises(DataError, match="D102"):
        read("**bold** text")
    assert read("'**bold** text'") == "**bold** text"


LINES = """\
# a comment

players: [én, ő]
jelen:
  - id: a
    note: >
      two
      lines
  - {id: b,
     card: c}
empty:
"""


def test_lines_of_keys_and_items() -> None:
    """Every key and every item knows its line, and gives its place."""
    found = read(LINES)
    assert found == {
        "players": ["én", "ő"],
        "jelen": [{"id": "a", "note": "two lines\n"}, {"id": "b", "card": "c"}],
        "empty": None,
    }
    assert (found.line, found.lines) == (3, {"players": 3, "jelen": 4, "empty": 11})
    assert (found["players"].line, found["players"].lines) == (3, [3, 3])
    objects = found["jelen"]
    assert (objects.line, objects.lines) == (5, [5, 9])
    assert [one.lines for one in objects] == [{"id": 5, "note": 6}, {"id": 9, "card": 10}]
    assert found.place("empty") == Place(FILE, 11)
    assert found.place("no such key") == found.place() == Place(FILE, 3)
    assert (objects.place(), objects.place(1)) == (Place(FILE, 5), Place(FILE, 9))


def test_alias_is_what_it_stands_for() -> None:
    """Also of a scalar; the line of an item is where the alias stands."""
    found = read("a: &x {b: [1, 2]}\nc: *x\nd:\n  - *x\ne: &y word\nf: *y\n")
    assert found == {"a": {"b": [1, 2]}, "c": {"b": [1, 2]}, "d": [{"b": [1, 2]}], "e": "word", "f": "word"}
    assert (found.lines["c"], found["d"].lines) == (2, [4])


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "\ufeff", "%YAML 1.2\n---\n"])
def test_nothing_in_a_file(text: str) -> None:
    """An empty file holds nothing, which is no error here."""
    assert read(text) is None


def test_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    """A byte order mark is no part of the first key, and lines count the same with CRLF."""
    path = tmp_path / "f.yaml"
    path.write_bytes("\ufeffa: 1\r\nb:\r\n  - é\r\n".encode())
    found = read_yaml(path)
    assert found == {"a": 1, "b": ["é"]}
    assert found.lines == {"a": 1, "b": 2}
    assert found["b"].lines == [3]


WRONG: dict[str, tuple[str, str]] = {
    "a key twice": ("a: 1\nb: 2\na: 3\n", "f.yaml:3: the key 'a' is given twice"),
    "a number as a key twice": ("1: x\n'1': y\n", "f.yaml:2: the key '1' is given twice"),
    "a key twice in a flow": ("x: {a: 1,\n a: 2}\n", "f.yaml:2: the key 'a' is given twice"),
    "a list as a key": ("a: 1\n[b]: c\n", "f.yaml:2: a key must be a plain word"),
    "a mapping as a key": ("? {a: b}\n: c\n", "f.yaml:1: a key must be a plain word"),
    "an alias as a key": ("a: &x y\n*x : z\n", "f.yaml:2: a key must be a plain word"),
    "an empty key": ("'': 1\n", "f.yaml:1: a key must be a plain word"),
    "a tab before a key": (
        "a: 1\n\tb: 2\n",
        "f.yaml:2:1: not valid YAML: found a tab character that violates indentation",
    ),
    "a colon in a word": (
        "a: 1\nb: c: d\n",
        "f.yaml:2:5: not valid YAML: mapping values are not allowed in this context",
    ),
    "a quote left open": ("a: 1\nb: 'c\nd: e\n", "f.yaml:2:4: not valid YAML: found unexpected end of stream"),
    "a control character": (
        "a: 1\nb: \a\n",
        "f.yaml:2: not valid YAML: unacceptable character #x0007: control characters are not allowed",
    ),
    "a zero byte": (
        "é: 1\nb: é\0\n",
        "f.yaml:2: not valid YAML: unacceptable character #x0000: control characters are not allowed",
    ),
    "an alias of nothing": ("a: 1\nb: *x\n", "f.yaml:2: the alias 'x' refers to nothing"),
    "an alias before its anchor": ("a: *x\nb: &x 1\n", "f.yaml:1: the alias 'x' refers to nothing"),
    "an alias of what it stands in": ("a: &x\n  b: [1, *x]\n", "f.yaml:2: an alias refers to what it stands in"),
    "two documents": ("a: 1\n---\nb: 2\n", "f.yaml:2: a file holds one document, and here begins another"),
    "a tag": ("a: 1\nb: !spell c\n", "f.yaml:2: tags such as !spell have no meaning here"),
    "a tag of YAML": ("a: !!int '1'\n", "f.yaml:1: tags such as !!int have no meaning here"),
    "a tag that would run code": (
        "a: !!python/object/apply:os.system ['true']\n",
        "f.yaml:1: tags such as !!python/object/apply:os.system have no meaning here",
    ),
}


@pytest.mark.parametrize(("text", "expected"), WRONG.values(), ids=WRONG)
def test_wrong_file(text: str, expected: str) -> None:
    """The message and the line; the code tells whether a data file or a case was read."""
    with pytest.raises(DataError) as data:
        read(text)
    assert str(data.value) == f"D102 {expected}"
    with pytest.raises(CaseError) as case:
        read_yaml(FILE, CaseError, text)
    assert str(case.value) == f"C102 {expected}"


def test_unreadable_file(tmp_path: Path) -> None:
    """No file, a folder, other encodings, and text that no file can hold."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin").write_bytes("név: Gyászhozó\n".encode("latin-1"))
    (tmp_path / "utf16").write_bytes("név: Gyászhozó\n".encode("utf-16"))
    found = []
    for name in ("none", "folder", "latin", "utf16"):
        with pytest.raises(DataError) as caught:
            read_yaml(tmp_path / name)
        found.append(str(caught.value).replace(f"{tmp_path}/", ""))
    assert found == [
        "D101 none: cannot read the file: No such file or directory",
        "D101 folder: cannot read the file: Is a directory",
        "D101 latin: the file is not UTF-8 text: invalid continuation byte",
        "D101 utf16: the file is not UTF-8 text: invalid start byte",
    ]
    with pytest.raises(CaseError) as case:
        read_yaml(FILE, CaseError, "a: \udcff")
    assert str(case.value) == "C101 f.yaml: the file is not UTF-8 text: surrogates not allowed"


NESTED = {"lists": ("[", "]"), "mappings": ("{a: ", "}"), "lists in lines": ("- ", "")}


@pytest.mark.parametrize(("opening", "closing"), NESTED.values(), ids=NESTED)
def test_nesting_has_an_end(opening: str, closing: str) -> None:
    """What is nested as deep as allowed is read; deeper is an error like others, however deep."""
    found = read(opening * MOST_LEVELS + "x" + closing * MOST_LEVELS)
    depth = 0
    while found != "x":
        (found,) = found.values() if isinstance(found, dict) else found
        depth += 1
    assert depth == MOST_LEVELS
    for levels in (MOST_LEVELS + 1, 900, 50_000):
        with pytest.raises(DataError, match=r"^D102 f.yaml:1(:\d+)?: (nested more than|not valid YAML: exceeded)"):
            read(opening * levels + "x" + closing * levels)


def bomb(levels: int) -> str:
    """Return a file of a few lines in which each is nine times the one before."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines)


def test_aliases_of_aliases_stay_small() -> None:
    """A billion values in nine lines are refused at the line where they become too many, in no time and no space."""
    tracemalloc.start()
    started = time.process_time()
    try:
        with pytest.raises(DataError) as caught:
            read(bomb(9))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert str(caught.value) == f"D102 f.yaml:6: aliases stand for more than {MOST_ALIASED} values"
    assert peak < 2_000_000
    assert time.process_time() - started < 1
    assert len(read(bomb(4))["a3"]) == 9


def test_long_files_are_no_bombs() -> None:
    """What is written out may be as long as it likes."""
    text = "cards:\n" + "".join(f"  - {{id: c{n}, name: Card {n}}}\n" for n in range(MOST_ALIASED // 4))
    found = read(text)
    assert len(found["cards"]) == MOST_ALIASED // 4
    assert found["cards"].lines[-1] == MOST_ALIASED // 4 + 1


_words = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=8)
_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), _words),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_words.filter(bool), inner, max_size=4)),
    max_leaves=12,
)


@given(value=_values)
def test_what_is_written_is_read(value: object) -> None:
    """What PyYAML writes comes back as it was: text that looks like something else is quoted by it."""
    assert read(yaml.safe_dump(value, allow_unicode=True)) == value


def test_kinds_of_collections() -> None:
    """A mapping is a dict and a sequence a list, so that plain Python works on them."""
    found = read("a: [1]")
    assert isinstance(found, Mapping)
    assert isinstance(found["a"], Sequence)
    assert dict(found) == {"a": [1]}
