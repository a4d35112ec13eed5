"""The texts of a pool: what they refer to, who refers to a card, coverage and lint."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from reasoner.cardtexts.collection import open_collection
from reasoner.knowledge.pools import find_pool
from reasoner.paths import library

Run = Callable[..., tuple[int, str, str]]
ROLE = "https://w3id.org/cardlore/term/"


def test_what_is_collected(invented: str) -> None:
    """Each reference once for what it selects, with every place; equal selectors are one reference."""
    found = open_collection(library(), "mtg", None, find_pool("mtg", invented))
    places = [
        (one.card.rsplit("/", 1)[1], one.wording, tuple(role.removeprefix(ROLE) for role in one.roles))
        for one in found.occurrences()
    ]
    assert places == [
        ("bramble-scout", "Elf creatures you control", ("strengthens",)),
        ("cinder-lash", "target Elf you control", ("destroys", "targets")),
        ("moss-idol", "a creature", ("paysWith", "sacrifices")),
        ("moss-idol", "target Elf you control", ("destroys", "targets")),
        ("odd-frost", "target Wall", ("destroys", "targets")),
        ("odd-frost", "ゴブリン", ("destroys", "targets")),
        ("pale-frost", "target Wall", ("destroys", "targets")),
        ("pale-frost", "壁", ("destroys", "targets")),
        ("thorn-caller", "an Elf you control", ("triggersOn",)),
        ("wild-omen", "target Elf permanent you control", ("destroys", "targets")),
    ]
    references = {one.wording: one.reference for one in found.occurrences()}
    assert references["target Elf you control"] == references["an Elf you control"]
    assert len(found.selectors()) == len(set(references.values()))
    assert [one.wording for one in found.of_reference(references["a creature"])] == ["a creature"]


def test_coverage(run: Run, invented: str) -> None:
    """All sentences, those understood, and what is left, in every text and one by one."""
    code, out, err = run("coverage", "mtg", "--pool", invented, "--format", "json")
    (english,) = [one for one in json.loads(out)["languages"] if one["language"] == "en"]
    assert (code, err) == (0, "")
    assert (english["texts"], english["read_texts"], english["sentences"], english["understood"]) == (7, 6, 9, 8)
    assert english["unread"] == [
        {"words": "blorb the sky", "number": 1, "sample": "Destroy target Elf permanent you control. Blorb the sky."}
    ]
    code, out, _ = run("coverage", "mtg", "--text", "Destroy target Wall.", "--format", "json")
    assert code == 0
    (reference,) = [one for one in json.loads(out)["stretches"] if one["is"] == "reference"]
    assert (reference["text"], reference["span"], reference["roles"]) == (
        "target Wall",
        [8, 19],
        ["destroys", "targets"],
    )
    code, out, _ = run("coverage", "mtg", "--pool", invented, "--card", "Cinder Lash")
    assert code == 0
    assert "reminder" in out
    code, out, _ = run("coverage", "mtg", "--text", "壁１つを対象とし、それを破壊する。", "--format", "json")
    assert {one["language"] for one in json.loads(out)["stretches"]} == {"ja"}
    assert [one["text"] for one in json.loads(out)["stretches"] if one["is"] == "reference"] == ["壁"]


def test_languages_compared(run: Run, invented: str) -> None:
    """The cards with a text in both, those that refer to the same, and what only one of the others refers to."""
    code, out, err = run("coverage", "mtg", "--pool", invented, "--against", "ja", "--format", "json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["texts in both"], found["refer to the same"]) == (2, 1)
    assert (found["both wholly read"], found["and refer to the same"]) == (2, 1)
    (odd,) = found["differing"]
    assert (odd["card"], odd["whole"]) == ("odd-frost", True)
    assert ["Wall" in text for text in odd["en"]] == [True]
    assert ["Goblin" in text for text in odd["ja"]] == [True]


def test_refs(run: Run, invented: str) -> None:
    """What a card refers to, and the references that mean it, the narrowest first."""
    code, out, err = run("refs", "mtg", "Thorn Caller", "--pool", invented, "--format", "json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    (own,) = found["refers_to"]
    assert (own["text"], own["roles"], own["certain"]) == ("an Elf you control", [ROLE + "triggersOn"], 0)
    by = {
        one["text"]: {role.removeprefix(ROLE): len(cards) for role, cards in one["cards"].items()}
        for one in found["referred_by"]
    }
    assert by == {
        "Elf creatures you control": {"strengthens": 1},
        # An Elf and an Elf permanent are the same.
        "target Elf you control": {"destroys": 3, "targets": 3},
        "a creature": {"paysWith": 1, "sacrifices": 1},
    }


def test_asked_in_sparql(run: Run, invented: str) -> None:
    """The shipped question goes from a card to the texts that may mean it, in any language."""
    asked = ("query", "which-texts-concern-a-card", "--game", "mtg", "--pool", invented, "--format", "json")
    code, out, err = run(*asked, "--set", "name=Thorn Caller")
    assert (code, err) == (0, "")
    found = [(one["does"], one["bearer"], one["words"], one["answer"]) for one in json.loads(out)]
    assert found == [
        ("core:destroys", "Cinder Lash", "target Elf you control", "when"),
        ("core:destroys", "Moss Idol", "target Elf you control", "when"),
        ("core:destroys", "Wild Omen", "target Elf permanent you control", "when"),
        ("core:paysWith", "Moss Idol", "a creature", "when"),
        ("core:sacrifices", "Moss Idol", "a creature", "when"),
        ("core:strengthens", "Bramble Scout", "Elf creatures you control", "when"),
        ("core:targets", "Cinder Lash", "target Elf you control", "when"),
        ("core:targets", "Moss Idol", "target Elf you control", "when"),
        ("core:targets", "Wild Omen", "target Elf permanent you control", "when"),
        ("core:triggersOn", "Thorn Caller", "an Elf you control", "when"),
    ]
    code, out, _ = run(*asked, "--set", "name=Thorn Caller", "--set", "does=core:paysWith")
    assert [one["words"] for one in json.loads(out)] == ["a creature"]
    code, out, _ = run(*asked, "--set", "does=core:paysWith", "--set", "card=mtgc:thorn-caller", "--set", "answer=when")
    assert [one["words"] for one in json.loads(out)] == ["a creature"]


@pytest.mark.parametrize(
    ("text", "code", "lines"),
    [
        (
            "Destroy target Elf you control.",
            0,
            ["printed: “target Elf you control”", "target Elf permanent you control"],
        ),
        ("Destroy target Elf you control with glee.", 1, ["not understood"]),
        ("Destroy target Elf that you control.", 1, ["finding: the usual wording is “target Elf you control”"]),
        ("Destroy target Elv you control.", 1, ["“target Elv”: not understood", "did you mean", "“Elf”"]),
        ("壁１つを対象とし、それを破壊する。", 0, ["“壁”: ", "printed: “壁”"]),
        ("Draw a card.", 0, ["refers to nothing"]),
    ],
)
def test_lint(run: Run, invented: str, text: str, code: int, lines: list[str]) -> None:
    """Numbers of cards, what is printed alike, and findings with the exit code 1."""
    found, out, err = run("lint", "mtg", text, "--pool", invented)
    assert (found, err) == (code, "")
    for line in lines:
        assert line in out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["coverage", "magus"], "U119"),
        (["coverage", "mtg", "--lang", "xx"], "U119"),
        (["coverage", "mtg", "--against", "xx"], "U119"),
        (["coverage", "mtg", "--card", "Nobody At All"], "U104"),
        (["coverage", "mtg", "--card", "Forest", "--text", "Flying"], "U108"),
        (["refs", "mtg", "Nobody At All"], "U104"),
        (["refs", "mtg", "Forest", "--pool", "none-such"], "U114"),
        (["lint", "mtg", "Flying", "--lang", "hu"], "U119"),
        (["lint", "mtg", " . "], "T105"),
        (["coverage", "mtg", "--text", ""], "T105"),
    ],
)
def test_wrong_use(run: Run, arguments: list[str], error: str) -> None:
    """One clear error each."""
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(error)
