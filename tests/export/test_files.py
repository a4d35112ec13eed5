"""Writing files: the suffix decides, the same graph gives the same bytes, and nothing is left half-written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from reasoner.errors import UseError
from reasoner.export import FORMATS, InteractionGraph, write
from reasoner.export.atomic import write_all

from .graphs import graphs, sample, text


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("format", FORMATS)
def test_the_suffix_decides(format: str, tmp_path: Path) -> None:  # noqa: A002
    written = write(sample(), tmp_path / f"Graph.{format.upper()}")
    expected = {f"Graph.{format.upper()}": text(sample(), format).encode()}
    if format == "csv":
        expected["Graph-nodes.CSV"] = text(sample(), format, "-nodes").encode()
    assert files(tmp_path) == expected
    assert [path.name for path in written] == list(expected)


def test_a_format_may_be_named(tmp_path: Path) -> None:
    write(sample(), str(tmp_path / "graph"), format="ttl")
    write(sample(), tmp_path / "other.html", format=".JSON")
    assert files(tmp_path) == {
        "graph": text(sample(), "ttl").encode(),
        "other.html": text(sample(), "json").encode(),
    }


@pytest.mark.parametrize(
    ("name", "format", "message"),
    [
        ("a.grapml", None, "U201 unknown format of a graph: 'grapml'\n  did you mean 'graphml'?"),
        ("a.ttl", "turtle", "U201 unknown format of a graph: 'turtle'\n  did you mean 'ttl'?"),
        ("graph", None, "U201 no format: "),
        ("a.png", None, "U201 unknown format of a graph: 'png'"),
    ],
)
def test_an_unknown_format(name: str, format: str | None, message: str, tmp_path: Path) -> None:  # noqa: A002
    with pytest.raises(UseError) as caught:
        write(sample(), tmp_path / name, format)
    assert str(caught.value).startswith(message)
    assert str(caught.value).endswith("formats here: graphml, gexf, json, csv, dot, ttl, html")
    assert files(tmp_path) == {}


@given(graphs())
def test_the_order_given_does_not_change_the_bytes(graph: InteractionGraph) -> None:
    again = InteractionGraph(graph.game, graph.as_of, graph.nodes[::-1], graph.edges[::-1])
    for name in FORMATS:
        assert text(again, name) == text(graph, name)
    assert text(again, "csv", "-nodes") == text(graph, "csv", "-nodes")


def test_the_seed_of_hashes_does_not_change_the_bytes(tmp_path: Path, root: Path, environment: dict[str, str]) -> None:
    code = (
        "import sys\nfrom tests.export.graphs import sample\nfrom reasoner.export import FORMATS, write\n"
        "for format in FORMATS: write(sample(), f'{sys.argv[1]}/graph.{format}')"
    )
    for seed in ("0", "1", "4711"):
        (tmp_path / seed).mkdir()
        command = [sys.executable, "-c", code, str(tmp_path / seed)]
        subprocess.run(command, check=True, cwd=root, env=environment | {"PYTHONHASHSEED": seed})
    assert len(files(tmp_path / "0")) == len(FORMATS) + 1
    assert files(tmp_path / "0") == files(tmp_path / "1") == files(tmp_path / "4711")


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(UseError, match="does not exist") as caught:
        write(sample(), tmp_path / "no" / "graph.csv")
    assert caught.value.code == "U202"
    (tmp_path / "file").write_text("x")
    with pytest.raises(UseError, match="is a file, not a folder"):
        write(sample(), tmp_path / "file" / "graph.csv")


@pytest.mark.parametrize("name", ["graph.csv", "graph-nodes.csv"])
def test_a_folder_in_the_way(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(UseError, match="is a folder") as caught:
        write(sample(), tmp_path / "graph.csv")
    assert caught.value.code == "U203"
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_something_else_in_the_way(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.dot")
    with pytest.raises(UseError, match="not an ordinary file") as caught:
        write(sample(), tmp_path / "pipe.dot")
    assert caught.value.code == "U203"


def test_a_protected_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "graph.dot"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # the superuser may write everywhere
    with pytest.raises(UseError, match="write-protected") as caught:
        write(sample(), path)
    assert caught.value.code == "U204"
    assert files(tmp_path) == {"graph.dot": b"old"}


@pytest.mark.parametrize("name", ["x" * 300 + ".dot", "nul\0.dot"])
def test_a_name_that_no_file_can_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(UseError) as caught:
        write(sample(), tmp_path / name)
    assert caught.value.code == "U204"
    assert files(tmp_path) == {}


def test_a_system_that_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UseError, match=r"cannot write .*graph\.dot: Permission denied") as caught:
        write(sample(), tmp_path / "graph.dot")
    assert caught.value.code == "U204"


def test_a_file_is_replaced_only_by_a_whole_one(tmp_path: Path) -> None:
    def broken() -> Iterator[str]:
        yield "new"
        raise KeyboardInterrupt

    (tmp_path / "a").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write_all({tmp_path / "b": ["new"], tmp_path / "a": broken()})
    assert files(tmp_path) == {"a": b"old"}


@pytest.mark.parametrize("first_exists", [True, False])
def test_two_files_change_together_or_not_at_all(
    first_exists: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if first_exists:
        (tmp_path / "graph.csv").write_text("old")
    (tmp_path / "graph-nodes.csv").write_text("old nodes")
    before = files(tmp_path)
    replace = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if target.name == "graph-nodes.csv" and self.read_text() != "old nodes":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(UseError, match="No space left"):
        write(sample(), tmp_path / "graph.csv")
    assert files(tmp_path) == before
    monkeypatch.undo()
    write(sample(), tmp_path / "graph.csv")
    assert files(tmp_path) == {
        "graph.csv": text(sample(), "csv").encode(),
        "graph-nodes.csv": text(sample(), "csv", "-nodes").encode(),
    }


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    (tmp_path / "real.dot").write_text("old")
    (tmp_path / "real.dot").chmod(0o640)
    (tmp_path / "link.dot").symlink_to("real.dot")
    write(sample(), tmp_path / "link.dot")
    assert (tmp_path / "link.dot").is_symlink()
    assert (tmp_path / "real.dot").read_text(encoding="utf-8") == text(sample(), "dot")
    assert (tmp_path / "real.dot").stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    write(sample(), tmp_path / "graph.dot")
    assert (tmp_path / "graph.dot").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_two_names_of_one_file(tmp_path: Path) -> None:
    (tmp_path / "graph-nodes.csv").symlink_to("graph.csv")
    (tmp_path / "graph.csv").write_text("old")
    with pytest.raises(UseError, match="is a link to") as caught:
        write(sample(), tmp_path / "graph.csv")
    assert caught.value.code == "U203"
    assert (tmp_path / "graph.csv").read_text() == "old"
    assert len(files(tmp_path)) == 2


def test_a_path_without_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert write(sample(), "graph.json") == (Path("graph.json"),)
    assert list(files(tmp_path)) == ["graph.json"]
