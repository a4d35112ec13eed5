"""The lexicon: merging, looking up names that overlap, and its plain-data form."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.language.lexicon import Entry, Lexicon
from reasoner.language.mention import COMPARISONS
from reasoner.language.tokens import tokenise


def test_entries_with_one_lexeme_and_class_are_one() -> None:
    """A word for three things is one entry with three IRIs, whatever the letter case of the labels."""
    labels = [("HARCOS", "x:main"), ("Harcos", "x:sub"), ("harcos", "x:property"), ("Harcos", "x:sub")]
    lexicon = Lexicon(Entry(label.casefold(), label, "CLASSIFIER", (iri,)) for label, iri in labels)
    assert lexicon.entries == (Entry("harcos", "HARCOS", "CLASSIFIER", ("x:main", "x:property", "x:sub")),)


def test_other_classes_names_and_denials_stay_apart() -> None:
    """What differs in more than letter case is not merged; names differ by letter case too."""
    entries = [
        Entry("lovag", "Lovag", "CLASSIFIER", ("x:c",)),
        Entry("lovag", "Lovag", "NAME", name="Lovag"),
        Entry("lovag", "LOVAG", "NAME", name="LOVAG"),
        Entry("rejtett", "rejtett", "STATUS", ("x:s",)),
        Entry("rejtett", "rejtett", "STATUS", ("x:s",), denied=True),
    ]
    assert set(Lexicon(entries).entries) == set(entries)
    assert len(Lexicon(entries * 2).entries) == len(entries)


def test_two_cards_of_one_name_are_one_entry() -> None:
    """A name is a name; which cards bear it is asked elsewhere."""
    lexicon = Lexicon(Entry("rion", "Rion", "NAME", (iri,), "Rion") for iri in ("x:2", "x:1"))
    assert lexicon.entries == (Entry("rion", "Rion", "NAME", ("x:1", "x:2"), "Rion"),)


def test_the_order_of_entries_does_not_depend_on_the_order_given() -> None:
    """Only which spelling stands for a merged entry is that of the first."""
    entries = [Entry(word, word, kind) for word in "cab" for kind in ("TYPE", "NAME")]
    assert Lexicon(entries).entries == Lexicon(reversed(entries)).entries


def test_lookup_gives_the_longest_and_all_shorter() -> None:
    """Names that begin alike are all found, at any place."""
    names = ["Organ", "Organ Rion", "Organ Rion kardja", "Rion"]
    lexicon = Lexicon(Entry(name.casefold(), name, "NAME", name=name) for name in names)
    tokens = tokenise("egy Organ Rion kardja")
    assert [(m.entry.spelling, m.length) for m in lexicon.lookup(tokens, 1)] == [
        ("Organ Rion kardja", 3),
        ("Organ Rion", 2),
        ("Organ", 1),
    ]
    assert [(m.entry.spelling, m.length) for m in lexicon.lookup(tokens, 2)] == [("Rion", 1)]
    assert lexicon.lookup(tokens, 0) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Vér-eskü", ["Vér-eskü"]),
        ("Vér - eskü", []),
        ("vér-eskü", []),
        ("Vér eskü", []),
        ("LAP", ["lap"]),
        ("Minden Egyes", ["minden egyes"]),
        ("Kard, amely dalol", ["Kard, amely dalol"]),
        ("Kard , amely dalol", []),
    ],
)
def test_lookup_heeds_signs_and_of_names_letter_case(text: str, found: list[str]) -> None:
    """A space more or less makes another name."""
    entries = [Entry(name.casefold(), name, "NAME", name=name) for name in ("Vér-eskü", "Kard, amely dalol")]
    entries += [Entry("lap", "lap", "CARDWORD"), Entry("minden egyes", "minden egyes", "DET")]
    assert [match.entry.spelling for match in Lexicon(entries).lookup(tokenise(text))] == found


@pytest.mark.parametrize(("lexeme", "spelling"), [("", ""), (" ", "x"), ("x", " ")])
def test_an_entry_needs_letters(lexeme: str, spelling: str) -> None:
    """An empty entry would match anywhere."""
    with pytest.raises(ValueError, match="without letters"):
        Lexicon([Entry(lexeme, spelling, "TYPE")])


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("harcos", ("Harcos",)),
        ("Harcoss", ("Harcos",)),
        ("organ rion", ("Organ Rion",)),
        ("Organ Riom", ("Organ Rion",)),
        ("lpa", ("lap",)),
        ("zzz", ()),
        (",", ()),
        ("", ()),
    ],
)
def test_suggestions(text: str, suggested: tuple[str, ...]) -> None:
    """Another letter case first, then what is alike; no signs."""
    entries = [Entry("harcos", "Harcos", "CLASSIFIER"), Entry(",", ",", "COMMA"), Entry("lap", "lap", "CARDWORD")]
    entries.append(Entry("organ rion", "Organ Rion", "NAME", name="Organ Rion"))
    assert Lexicon(entries).suggest(text) == suggested
    assert set(Lexicon(entries).suggest(text, names_only=True)) <= {"Organ Rion"}


text = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=6)
entries = st.builds(
    lambda word, kind, iris, name, denied, forms, number, comparison: Entry(
        word.casefold(), word, kind, tuple(iris), word if name else None, denied, tuple(forms), number, comparison
    ),
    text,
    st.sampled_from(["TYPE", "NAME", "STATUS"]),
    st.lists(text, max_size=3),
    st.booleans(),
    st.booleans(),
    st.lists(st.tuples(text, text), max_size=2),
    st.none() | st.integers(0, 3),
    st.none() | st.sampled_from(COMPARISONS),
)


@given(st.lists(entries, max_size=8))
def test_plain_data_and_back(found: list[Entry]) -> None:
    """Through JSON text, as the cache keeps it; merging again changes nothing."""
    lexicon = Lexicon(found)
    assert Lexicon.from_json(json.loads(json.dumps(lexicon.to_json()))) == lexicon
    assert Lexicon(lexicon.entries) == lexicon
    for entry in lexicon.entries:
        assert entry in [match.entry for match in lexicon.lookup(tokenise(entry.spelling))]
