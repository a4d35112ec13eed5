"""What was built is kept, and never believed when it is harmed: wrong entries, other processes, no place to write."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reasoner import paths
from reasoner.knowledge import cache
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.knowledge.pools import Pool
from reasoner.paths import Library

FILES = {"facts": b"a b c .\n" * 200, "more": "árvíz".encode()}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of one's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("CARDLORE_CACHE", str(folder))
    return folder


def test_what_is_saved_is_loaded(store: Path) -> None:
    """The files that are asked for, once they are there; another key, or a further file, is not there."""
    assert cache.load("key", FILES) is None
    cache.save("key", FILES)
    assert cache.load("key", FILES) == FILES
    assert cache.load("key", ["more"]) == {"more": FILES["more"]}
    assert cache.load("other", FILES) is None
    assert sorted(path.name for path in store.iterdir()) == ["key"]


HARM: dict[str, Callable[[Path], object]] = {
    "a file is gone": lambda folder: (folder / "facts").unlink(),
    "a file is empty": lambda folder: (folder / "facts").write_bytes(b""),
    "a file is cut at the end of a line": lambda folder: (folder / "facts").write_bytes(FILES["facts"][:-8]),
    "one letter differs": lambda folder: (folder / "facts").write_bytes(FILES["facts"].replace(b"c", b"d", 1)),
    "a file is a folder": lambda folder: ((folder / "facts").unlink(), (folder / "facts").mkdir()),
    "the digests are gone": lambda folder: (folder / "digests.json").unlink(),
    "the digests are no JSON": lambda folder: (folder / "digests.json").write_text("{"),
    "the digests are a list": lambda folder: (folder / "digests.json").write_text("[]"),
    "the digests are of other files": lambda folder: (folder / "digests.json").write_text("{}"),
    "the digests are null": lambda folder: (folder / "digests.json").write_text("null"),
    "the digests are no UTF-8": lambda folder: (folder / "digests.json").write_bytes(b"\xff"),
    "the entry is a file": lambda folder: (shutil.rmtree(folder), folder.write_bytes(b"x")),
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_harmed_entry_is_not_believed(harm: Callable[[Path], object], store: Path) -> None:
    """It is not loaded, and does not stand in the way of a good one."""
    cache.save("key", FILES)
    harm(store / "key")
    assert cache.load("key", FILES) is None
    cache.save("key", FILES)
    assert cache.load("key", FILES) == FILES


def test_forgotten_entry_is_gone(store: Path) -> None:
    """And to forget what is not there is no error."""
    cache.save("key", FILES)
    cache.forget("key")
    cache.forget("key")
    assert cache.load("key", FILES) is None
    assert list(store.iterdir()) == []


def test_no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With CARDLORE_CACHE=off nothing is written anywhere, and nothing found."""
    monkeypatch.setenv("CARDLORE_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    assert cache.cache_root() is None
    cache.save("key", FILES)
    cache.forget("key")
    assert cache.load("key", FILES) is None
    assert list(tmp_path.iterdir()) == []


def test_place_of_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The variable, the user's folder for caches, the home folder; none where there is no home."""
    monkeypatch.setenv("CARDLORE_CACHE", str(tmp_path / "own"))
    assert cache.cache_root() == tmp_path / "own"
    monkeypatch.delenv("CARDLORE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.cache_root() == tmp_path / "xdg" / "cardlore"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert cache.cache_root() == tmp_path / "home" / ".cache" / "cardlore"

    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    assert cache.cache_root() is None


def test_place_where_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache below a file, or one that can only be read, is no error: what is there is found, nothing is kept."""
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("CARDLORE_CACHE", str(tmp_path / "file" / "cache"))
    cache.save("key", FILES)
    assert cache.load("key", FILES) is None
    monkeypatch.setenv("CARDLORE_CACHE", str(tmp_path / "read-only"))
    cache.save("key", FILES)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    for module, name in (("tempfile", "mkdtemp"), ("os", "utime"), ("os", "mkdir")):
        monkeypatch.setattr(sys.modules[module], name, refuse)
    cache.save("second", FILES)
    assert cache.load("second", FILES) is None
    assert cache.load("key", FILES) == FILES


def test_oldest_entries_go(store: Path) -> None:
    """KEPT entries stay: those that were used last."""
    for number in range(cache.KEPT):
        cache.save(f"key{number:02}", FILES)
        os.utime(store / f"key{number:02}", (number, number))
    assert cache.load("key00", FILES) == FILES
    for number in (97, 98):
        cache.save(f"key{number}", FILES)
    left = sorted(path.name for path in store.iterdir())
    assert left == ["key00", *(f"key{number:02}" for number in range(3, cache.KEPT)), "key97", "key98"]


def test_what_killed_builds_leave_goes(store: Path) -> None:
    """A folder that was never finished is removed after an hour, and one that may yet be finished is not."""
    for name, age in ((".new-old", 7200), (".new-young", 60)):
        (store / name).mkdir(parents=True)
        os.utime(store / name, (time.time() - age,) * 2)
    cache.save("key", FILES)
    assert sorted(path.name for path in store.iterdir()) == [".new-young", "key"]


def test_build_that_is_killed_leaves_no_entry(store: Path) -> None:
    """Killed in the middle of writing, whatever was written is not at the key's place."""
    script = (
        "import pathlib, sys, time\n"
        "from reasoner.knowledge import cache\n"
        "write = pathlib.Path.write_bytes\n"
        "def slow(path, data):\n"
        "    written = write(path, data[:10])\n"
        "    print('writing', flush=True)\n"
        "    time.sleep(60)\n"
        "    return written\n"
        "pathlib.Path.write_bytes = slow\n"
        "cache.save('key', {'facts': b'x' * 100, 'more': b'y'})\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=with_path()) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"writing"
        process.send_signal(signal.SIGKILL)
        process.wait()
    left = [path.name for path in store.iterdir()]
    assert len(left) == 1
    assert left[0].startswith(".new-")
    assert cache.load("key", ["facts", "more"]) is None
    cache.save("key", FILES)
    assert cache.load("key", FILES) == FILES


def test_two_processes_at_once(store: Path) -> None:
    """Both write the same entry, over and over, while it is read: never anything but the whole, or nothing."""
    script = (
        "from reasoner.knowledge import cache\n"
        "files = {'facts': b'a b c .\\n' * 5000, 'more': b'z' * 100_000}\n"
        "seen = set()\n"
        "for _ in range(60):\n"
        "    cache.save('key', files)\n"
        "    found = cache.load('key', files)\n"
        "    seen.add(None if found is None else found == files)\n"
        "    cache.forget('key')\n"
        "print(sorted(map(str, seen)))\n"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=with_path()
        )
        for _ in range(2)
    ]
    for process in running:
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, b"")
        assert set(eval(out)) <= {"True", "None"}
        assert "True" in eval(out)
    assert not any(path.name.startswith(".new-") for path in store.iterdir())


def with_path() -> dict[str, str]:
    """The environment for a process that imports the package as this one does."""
    return {**os.environ, "PYTHONPATH": str(Path(paths.__file__).resolve().parents[1])}


# --- what a key stands for


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two files in two folders."""
    for name, text in (("a/one.ttl", "1"), ("b/two.ttl", "2")):
        (tmp_path / "files" / name).parent.mkdir(parents=True)
        (tmp_path / "files" / name).write_text(text)
    return tmp_path / "files"


def key(folder: Path, *extra: str) -> str:
    """Return the key of all files of a folder."""
    return cache.fingerprint(folder.rglob("*.ttl"), *extra)


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda folder: (folder / "a" / "one.ttl").write_text("3"),
    "a file more": lambda folder: (folder / "a" / "three.ttl").write_text(""),
    "a file less": lambda folder: (folder / "a" / "one.ttl").unlink(),
    "moved to another folder": lambda folder: (folder / "a" / "one.ttl").rename(folder / "b" / "one.ttl"),
    "renamed": lambda folder: (folder / "a" / "one.ttl").rename(folder / "a" / "other.ttl"),
    "contents changed places": lambda folder: (
        (folder / "a" / "one.ttl").write_text("2"),
        (folder / "b" / "two.ttl").write_text("1"),
    ),
    "content moved to the next file": lambda folder: (
        (folder / "a" / "one.ttl").write_text(""),
        (folder / "b" / "two.ttl").write_text("12"),
    ),
    "no longer readable": lambda folder: (
        (folder / "a" / "one.ttl").unlink(),
        (folder / "a" / "one.ttl").symlink_to(folder / "gone"),
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_key_changes_with_the_files(change: Callable[[Path], object], folder: Path) -> None:
    """With every path and every content, and only with these: a new time of change is no change."""
    before = key(folder)
    os.utime(folder / "a" / "one.ttl", (1, 1))
    assert key(folder) == before
    change(folder)
    assert key(folder) != before


def test_key_changes_with_what_is_added(folder: Path) -> None:
    """Strings are told apart, and so are their order and their ends; any string will do."""
    keys = {key(folder, *extra) for extra in ((), ("",), ("a",), ("b",), ("a", "b"), ("b", "a"), ("ab",), ("\udcff",))}
    assert len(keys) == 8


@pytest.mark.parametrize("package", cache.PACKAGES)
def test_key_changes_with_the_packages(
    package: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version of a package on which it depends what is built makes another key; that of any other does not."""
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    (tmp_path / "site" / f"{package}-1.0.dist-info").mkdir(parents=True)
    before = key(folder)
    (tmp_path / "site" / "requests-1.0.dist-info").mkdir()
    assert key(folder) == before
    (tmp_path / "site" / f"{package}-1.0.dist-info").rename(tmp_path / "site" / f"{package}-1.1.dist-info")
    assert key(folder) != before


def test_packages_are_found_under_their_names() -> None:
    """Every package that counts is installed under the name by which it is looked for."""
    found = {version.partition("-")[0] for version in cache._versions()}
    assert found == {"python", *cache.PACKAGES}


# --- the knowledge base


def facts(base: KnowledgeBase) -> list[str]:
    """Return all facts of a base, with blank nodes, which get new names, under one."""
    return sorted(
        " ".join("_:" if part.startswith("_:") else part for part in str(quad).split()) for quad in base.store
    )


@pytest.fixture
def library(root: Path) -> Library:
    """The library of the checkout."""
    return Library(root)


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The games that were built anew, not taken from the cache."""
    from reasoner.knowledge import base

    built: list[str] = []
    build = base.build

    def noted(library: Library, game: str, as_of: str | None = None, pool: Pool | None = None) -> KnowledgeBase:
        built.append(game)
        return build(library, game, as_of, pool)

    monkeypatch.setattr(base, "build", noted)
    return built


def test_base_from_the_cache_is_the_base(library: Library, store: Path, builds: list[str]) -> None:
    """Facts, rules, words, places: all as they were built."""
    game = library.games()[0]
    first, second = open_base(library, game), open_base(library, game)
    assert builds == [game]
    assert facts(first) == facts(second)
    assert first.programs == second.programs
    assert first.programs.to_json() == second.programs.to_json()
    assert first.lexicon.to_json() == second.lexicon.to_json()
    assert (first.language.entries, first.language.endings) == (second.language.entries, second.language.endings)
    assert (first.present, first.places, first.pool_graphs) == (second.present, second.places, second.pool_graphs)
    assert first.vocabulary.prefixes == second.vocabulary.prefixes


NONSENSE = {
    "facts.nq": [b"<a> <b>", b"\xff"],
    "programs.json": [b"", b"null", b'{"state": 1}'],
    "lexicon.json": [b"[", b"[{}]", b"{}"],
    "language.json": [b"[]", b'[{"words.yaml": 1, "endings.yaml": {}}]'],
    "about.json": [b"\xff", b"{}"],
}


@pytest.mark.parametrize(("name", "nonsense"), NONSENSE.items(), ids=NONSENSE)
def test_base_is_built_anew_where_the_entry_is_wrong(
    name: str, nonsense: list[bytes], library: Library, store: Path, builds: list[str]
) -> None:
    """Also where the digests agree with nonsense, and the good entry takes the place of the wrong one."""
    game = library.games()[0]
    good = facts(open_base(library, game))
    (entry,) = store.iterdir()
    for wrong in nonsense:
        (entry / name).write_bytes(wrong)
        digests = json.loads((entry / "digests.json").read_bytes())
        (entry / "digests.json").write_text(json.dumps({**digests, name: cache._digest(wrong)}))
        assert facts(open_base(library, game)) == good
    open_base(library, game)
    assert len(builds) == 1 + len(nonsense)


def test_a_file_may_be_written_when_it_is_saved(store: Path) -> None:
    """What writes a file instead of its content gives the same entry."""
    cache.save("key", {"facts": lambda file: file.write(b"one") and file.write(b" two"), "more": b"three"})
    assert cache.load("key", ["facts", "more"]) == {"facts": b"one two", "more": b"three"}
