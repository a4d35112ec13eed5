"""Files that are broken, or meant to do harm: each is one clear error, or is read as what it says."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyoxigraph as ox
import pytest

from reasoner.errors import CardloreError
from reasoner.importing.run import import_file
from reasoner.knowledge import pools
from reasoner.paths import Library
from reasoner.terms.namespaces import core

from .conftest import Run
from .test_import import record, set_file, write

NAMES = {
    'He said "no" \\ to\nall': "he-said-no-to-all",
    '<http://x> . <y> <z> "a" .': "http-x-y-z-a",
    "109.2.battlefield": "109-2-battlefield",
    "mtgr:109.2.battlefield": "mtgr-109-2-battlefield",
    "../../etc/passwd": "etc-passwd",
    "a\u0000b\u202ec": "a-bc",
    "' OR 1=1 ?s ?p ?o }": "or-1-1-s-p-o",
    '"""': "b6717805",
}


def test_names_are_only_names(library: Library, pools_folder: Path, tmp_path: Path) -> None:
    """Quotes, line ends, brackets, and the name of a rule are letters of a name, and nothing of a graph or a path."""
    done = import_file(library, "mtgjson", write(tmp_path / "x.json", set_file(*map(record, NAMES))))
    quads = list(ox.parse(done.pool.read(pools.CARDS), format=ox.RdfFormat.N_TRIPLES))
    start = "https://w3id.org/cardlore/game/mtg/card/"
    found = {
        quad.object.value: quad.subject.value.removeprefix(start)
        for quad in quads
        if quad.predicate == core("listedName") and isinstance(quad.object, ox.Literal)
    }
    assert found == NAMES
    assert all(quad.subject.value.startswith(start) for quad in quads)
    assert [path.name for path in (pools_folder / "mtg").iterdir()] == [done.pool.key]


LONG = {
    "text": (
        record("Big", text="x" * 2_000_000),
        "text: this has 2,000,000 letters, and no card has more than 20,000",
    ),
    "name": (record("y" * 1_001), "name: this has 1,001 letters, and no card has more than 1,000"),
    "subtype": (
        record("Big", subtypes=["z" * 1_001]),
        "subtypes: this has 1,001 letters, and no card has more than 1,000",
    ),
    "translation": (
        record("Big", foreignData=[{"language": "Japanese", "name": "大", "text": "大" * 20_001}]),
        "text: this has 20,001 letters, and no card has more than 20,000",
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_too_long(run: Run, pools_folder: Path, tmp_path: Path, name: str) -> None:
    """It is one error that names the record and the place, and is short itself; the rest can be imported."""
    bad, message = LONG[name]
    path = write(tmp_path / "x.json.gz", set_file(record("Sapling"), bad))
    code, out, err = run("import", "mtgjson", path)
    assert (code, out) == (2, "")
    assert err.startswith("D804 ")
    assert message in err
    assert len(err) < 1_000
    assert not list(pools_folder.rglob("*.nt"))
    assert run("import", "mtgjson", path, "--keep-going")[0] == 1
    assert [pool.counts["cards"] for pool in pools.pools("mtg")] == [1]


def test_many_levels(library: Library, pools_folder: Path, tmp_path: Path) -> None:
    """A file that is nested without end is no card data."""
    path = tmp_path / "x.json"
    path.write_bytes(b'{"data": {"cards": ' + b"[" * 2_000)
    with pytest.raises(CardloreError) as error:
        import_file(library, "mtgjson", path)
    assert error.value.code in ("D802", "D804")


@pytest.mark.parametrize("cut", [3, 40, -9, -1])
def test_a_compressed_file_that_is_cut(library: Library, pools_folder: Path, tmp_path: Path, cut: int) -> None:
    """Wherever it ends, it is told, and no pool is made of the part that is there."""
    data = gzip.compress(json.dumps(set_file(*(record(f"Card {number}") for number in range(200)))).encode())
    path = tmp_path / "x.json.gz"
    path.write_bytes(data[:cut])
    with pytest.raises(CardloreError) as error:
        import_file(library, "mtgjson", path)
    assert (error.value.code, error.value.hint) == ("D802", "fetch the file again")
    assert pools.pools("mtg") == ()
