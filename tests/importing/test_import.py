"""Importing: both shapes, plain and compressed; what is wrong is told with its place; nothing is left half-written."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import reasoner
from reasoner.errors import CardloreError
from reasoner.importing.run import import_file
from reasoner.knowledge import pools
from reasoner.paths import Library

from .conftest import Run


def record(name: str, **more: Any) -> dict[str, Any]:
    """Return a record as the format has them."""
    plain = {
        "name": name,
        "layout": "normal",
        "types": ["Creature"],
        "supertypes": [],
        "subtypes": ["Elf"],
        "colors": ["G"],
        "colorIdentity": ["G"],
        "manaCost": "{1}{G}",
        "manaValue": 2.0,
        "power": "2",
        "toughness": "*",
        "text": 'Reach.\n"Quoted" \\ and so on.',
        "foreignData": [
            {"language": "Japanese", "name": f"{name}・日本語", "text": "到達"},
            {"language": "German", "name": f"{name} deutsch"},
        ],
    }
    return plain | more


FACES = [
    record("Dusk // Dawn", faceName="Dusk", side="a", layout="modal_dfc", types=["Instant"], subtypes=[]),
    record("Dusk // Dawn", faceName="Dawn", side="b", layout="modal_dfc", types=["Land"], subtypes=["Cave of Tests"]),
]


def set_file(*records: Any) -> dict[str, Any]:
    """Return the content of a set file."""
    return {"meta": {}, "data": {"baseSetSize": 3, "cards": list(records), "code": "TST"}}


def write(path: Path, content: Any) -> Path:
    """Write JSON to `path`, compressed if its name says so."""
    data = json.dumps(content).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("suffix", [".json", ".json.gz"])
def test_a_set_file(library: Library, pools_folder: Path, tmp_path: Path, suffix: str) -> None:
    """Each record is a printing; faces of one name are one card; what is new among the words is told."""
    records = [record("Sapling", uuid=f"u{n}", setCode="TST", number=str(n)) for n in (1, 2)] + FACES
    done = import_file(library, "mtgjson", write(tmp_path / f"TST{suffix}", set_file(*records)))
    assert done.pool.counts == {"records": 4, "cards": 2, "faces": 3, "printings": 2, "skipped": 0}
    assert (done.pool.name, done.pool.game, done.fresh) == ("tst", "mtg", True)
    told = [(term.word, term.kind.rsplit("/", 1)[1], term.records, term.first) for term in done.new_terms]
    assert told == [("Cave of Tests", "CardSubtype", 1, "Dusk // Dawn")]
    assert [path.name for path in (pools_folder / "mtg").iterdir()] == [done.pool.key]


def test_a_pool_is_asked(library: Library, pools_folder: Path, tmp_path: Path) -> None:
    """Cards are found by any of their names; in the plain pool a card has its front face; new words are words."""
    atomic = {"data": {"Sapling": [record("Sapling")], "Dusk // Dawn": FACES}}
    import_file(library, "mtgjson", write(tmp_path / "x.json", atomic), name="mine")
    game = reasoner.load("mtg", library=library.root, pool="mine")
    for name in ("Dusk // Dawn", "Dusk", "Dawn", "Dusk // Dawn・日本語", "dusk-dawn"):
        assert game.base.card(name).value.endswith("/card/dusk-dawn"), name
    assert game.base.card("Sapling・日本語").value.endswith("/card/sapling")
    found = {
        text: {one.referent.id for reading in game.match(text).readings for one in reading.members}
        for text in ("Elf card", "instant card", "land card", "Cave of Tests card")
    }
    own = {
        text: {
            one.referent.id
            for reading in reasoner.load("mtg", library=library.root).match(text).readings
            for one in reading.members
        }
        for text in ("Elf card", "instant card", "land card")
    }
    assert {text: found[text] - own.get(text, set()) for text in found} == {
        "Elf card": {"sapling"},
        "instant card": {"dusk-dawn"},
        "land card": set(),
        "Cave of Tests card": set(),
    }


def test_what_the_library_says_prevails(library: Library, pools_folder: Path, tmp_path: Path) -> None:
    """A card of the library keeps its own facts, and gets those it lacks."""
    changed = record("Grizzly Bears", manaValue=7.0, subtypes=["Elf"])
    import_file(library, "mtgjson", write(tmp_path / "x.json", {"data": {"Grizzly Bears": [changed]}}))
    game = reasoner.load("mtg", library=library.root, pool="x")
    rows = game.query("SELECT ?value ?text { mtgc:grizzly-bears mtg:printedManaValue ?value ; core:printedText ?text }")
    assert [(value.value, text.value, text.language) for value, text in rows.rows] == [
        ("2", record("")["text"], "en"),
        ("2", "到達", "ja"),
    ]


BAD: dict[str, tuple[Any, str]] = {
    "no object": (["Sapling"], "record 2, at data.cards[1]: the record is no object"),
    "no name": ({"types": []}, "record 2, at data.cards[1].name: this is missing, or no text"),
    "types": (record("Bad", types="Creature"), "record 2 (Bad), at data.cards[1].types: this is no list of texts"),
    "colour": (record("Bad", colors=["Q"]), "record 2 (Bad), at data.cards[1].colors: 'Q' is none of W, U, B, R, G"),
    "mana value": (record("Bad", manaValue=1.5), "record 2 (Bad), at data.cards[1].manaValue: 1.5 is no whole number"),
    "text": (record("Bad", text=3), "record 2 (Bad), at data.cards[1].text: this is no text"),
    "side": (record("A // B", side="q", layout="split"), "record 2 (A // B), at data.cards[1].side: 'q' is none of a, b"),
    "layout": (
        record("A // B", side="a", layout="folded"),
        "record 2 (A // B), at data.cards[1].layout: a card with faces has the unknown layout 'folded'",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_record(library: Library, pools_folder: Path, tmp_path: Path, name: str) -> None:
    """It stops the import, or is skipped and told; then the rest is there."""
    bad, message = BAD[name]
    path = write(tmp_path / "x.json", set_file(record("Sapling"), bad, record("Oak")))
    with pytest.raises(CardloreError) as error:
        import_file(library, "mtgjson", path)
    assert (error.value.code, error.value.message) == ("D804", message)
    assert pools.pools("mtg") == ()
    assert list((pools_folder / "mtg").iterdir()) == []
    done = import_file(library, "mtgjson", path, keep_going=True)
    assert [one.message for one in done.skipped] == [message]
    assert (done.pool.counts["cards"], done.pool.counts["skipped"]) == (2, 1)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "D802"),
        (b'{"data": {"cards": [{"name": ', "D802"),
        (b"\xff\xfe\x00", "D802"),
        (gzip.compress(json.dumps(set_file(record("Sapling"))).encode())[:-20], "D802"),
        (b"\x1f\x8b\x08\x00broken", "D802"),
        (b"[1, 2]", "D803"),
        (b'{"cards": []}', "D803"),
        (b'{"data": 3}', "D803"),
        (b'{"data": {"cards": []}}', "D803"),
        (b'{"data": {"cards": {}}}', "D803"),
    ],
)
def test_a_file_that_is_none(library: Library, pools_folder: Path, tmp_path: Path, content: bytes, code: str) -> None:
    """One error says what is wrong, and nothing is left behind."""
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(CardloreError) as error:
        import_file(library, "mtgjson", path)
    assert (error.value.code, error.value.place and error.value.place.path) == (code, path)
    assert list(pools_folder.rglob("*.nt")) == []


def test_the_same_file_again(library: Library, pools_folder: Path, tmp_path: Path) -> None:
    """Nothing is done; another file of the same name takes the place of the first."""
    path = write(tmp_path / "x.json", set_file(record("Sapling")))
    first = import_file(library, "mtgjson", path)
    again = import_file(library, "mtgjson", path)
    assert (again.fresh, again.pool) == (False, first.pool)
    write(path, set_file(record("Sapling"), record("Oak")))
    second = import_file(library, "mtgjson", path)
    assert [pool.key for pool in pools.pools("mtg")] == [second.pool.key] != [first.pool.key]


def test_a_damaged_pool(library: Library, pools_folder: Path, tmp_path: Path) -> None:
    """It is told, and not taken for what it was."""
    done = import_file(library, "mtgjson", write(tmp_path / "x.json", set_file(record("Sapling"))))
    with (done.pool.folder / pools.CARDS).open("a") as file:
        file.write("# more\n")
    with pytest.raises(CardloreError) as error:
        reasoner.load("mtg", library=library.root, pool="x")
    assert error.value.code == "D805"


def test_the_command(run: Run, pools_folder: Path, tmp_path: Path) -> None:
    """The table goes to stdout, what was skipped to stderr, with exit code 1; --pool then finds the cards."""
    path = write(tmp_path / "x.json", set_file(record("Sapling"), 3))
    code, out, err = run("import", "mtgjson", path, "--format", "json")
    assert (code, out) == (2, "")
    assert json.loads(err)["errors"][0]["code"] == "D804"
    code, out, err = run("import", "mtgjson", path, "--keep-going", "--format", "json")
    assert code == 1
    shown = json.loads(out)
    assert [(row["pool"], row["cards"], row["skipped"]) for row in shown] == [("x", "1", "1")]
    assert "D804" in err
    code, out, err = run("match", "mtg", "Elf card", "--pool", "x", "--format", "json")
    assert (code, err) == (0, "")
    assert "sapling" in {one["id"] for one in json.loads(out)["readings"][0]["members"]}
    code, out, err = run("match", "mtg", "Elf card", "--pool", "y")
    assert (code, out) == (2, "")
    assert err.startswith("U114 'mtg' has no card pool 'y'")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("mtgjsn", "x.json"), "U113"),
        (("mtgjson", "none.json"), "D802"),
        (("mtgjson", "x.json", "-g", "magus"), "U113"),
        (("mtgjson", "x.json", "--name", "A b"), "U115"),
    ],
)
def test_wrong_use(
    run: Run, pools_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: str
) -> None:
    """The error says what there is."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "x.json", set_file(record("Sapling")))
    exit_code, out, err = run("import", *arguments)
    assert (exit_code, out) == (2, "")
    assert err.startswith(code)
