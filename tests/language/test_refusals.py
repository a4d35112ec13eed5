"""Phrases that are refused: with which code, what the message names, and what is suggested. Never a partial reading."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reasoner.errors import TextError
from reasoner.language.mention import Reading

# phrase, code, what the message names, suggestions
REFUSED: list[tuple[str, str, str, tuple[str, ...]]] = [
    # unknown words, and where they stand
    ("kalandzó", "T101", "'kalandzó' (letter 1)", ("Kalandozó",)),
    ("egy HARCOS kalandzó lap", "T101", "'kalandzó' (letter 12)", ("Kalandozó",)),
    ("Kalandozo lap", "T101", "'Kalandozo' (letter 1)", ("Kalandozó",)),
    ("xyzzyx", "T101", "'xyzzyx'", ()),
    ("kalandozó.", "T101", "sign '.' (letter 10)", ()),
    ("kalandozó/szövetséges", "T101", "sign '/'", ()),
    ("a te kalandozó", "T101", "'te' (letter 3)", ()),
    # the right word with the wrong ending
    ("kalandozóre", "T101", "'kalandozóre'", ("kalandozóra", "Kalandozó")),
    ("csapdat", "T101", "'csapdat'", ("csapdát", "csapda")),
    ("lapval", "T101", "'lapval'", ("lappal", "lap")),
    ("HARCOSre", "T101", "'HARCOSre'", ("HARCOSra", "HARCOS")),
    ("harcosRA", "T101", "'harcosRA'", ("harcosra", "HARCOS")),
    ("lap-val", "T101", "'lap-val'", ()),
    ("Rionval", "T101", "'Rionval'", ("Rionnal", "Rion")),
    # possessed forms mean something else
    ("lapja", "T101", "'lapja'", ("lap",)),
    ("kalandozód", "T101", "'kalandozód'", ("Kalandozó",)),
    ("Harcosa", "T101", "'Harcosa'", ("HARCOS",)),
    # names are compared letter by letter
    ("organ rion", "T101", "'organ' (letter 1)", ("Organ Rion",)),
    ("Organ Riom kalandozó", "T101", "'Organ' (letter 1)", ("Organ Rion",)),
    ("a sötét térítő", "T101", "'sötét' (letter 3)", ("A Sötét Térítő",)),
    ("rutilicus", "T101", "'rutilicus'", ("Rutilicus",)),
    ("RUTILICUS", "T101", "'RUTILICUS'", ("Rutilicus",)),
    ("Vér -eskü", "T101", "'Vér'", ("Vér-eskü",)),
    # bold and quotation marks
    ("**kalandozó**", "T104", "'kalandozó' (letter 3)", ()),
    ("**Organ Riom** lap", "T104", "bold text 'Organ Riom' (letter 3)", ("Organ Rion",)),
    ("**organ rion**", "T104", "'organ rion'", ("Organ Rion",)),
    ("**Organ** Rion", "T104", "'Organ'", ("Organ Rion",)),
    ("**Organ Rion lap**", "T104", "'Organ Rion lap'", ("Organ Rion",)),
    ("**Organ Rion vagy Rutilicus**", "T104", "'Organ Rion vagy Rutilicus'", ("Organ Rion",)),
    ("„kalandozó” lap", "T104", "quotation marks 'kalandozó'", ()),
    ("**Organ Rion**kalandozó", "T101", "ending 'kalandozó' after the card name 'Organ Rion'", ()),
    ("Organ **Rion**", "T101", "'Organ'", ("Organ Rion",)),
    ("**Organ Rion", "T103", "letter 1", ()),
    ("„Organ Rion", "T103", "letter 1", ()),
    ("Organ Rion” lap", "T103", "letter 11", ()),
    ("****", "T104", "letter 1", ()),
    # known words that make no noun phrase
    ("irányított", "T102", "not complete after 'irányított'", ()),
    ("egy", "T102", "not complete after 'egy'", ()),
    ("nem", "T102", "not complete after 'nem'", ()),
    ("kalandozó vagy", "T102", "not complete after 'vagy'", ()),
    ("vagy kalandozó", "T102", "'vagy' (letter 1) can't stand at the beginning", ()),
    ("lap kalandozó", "T102", "'kalandozó' (letter 5) can't stand after 'lap'", ()),
    ("kalandozót lap", "T102", "'lap' (letter 12) can't stand after 'kalandozót'", ()),
    ("Múlt", "T102", "'Múlt'", ()),
    ("Jelenben kalandozó", "T102", "'kalandozó' (letter 10) can't stand after 'Jelenben'", ()),
    ("irányítottak", "T102", "'irányítottak'", ()),
    ("(Lovag vagy Harcos", "T102", "not complete", ()),
    ("Lovag)", "T102", "')'", ()),
    ("Lovag, Harcos vagy", "T102", "not complete after 'vagy'", ()),
    ("két egyet", "T102", "'egyet'", ()),
    ("Rutilicus Küdügin", "T102", "two card names", ()),
    ("kalandozót vagy szövetségesre", "T102", "same ending", ()),
    ("ugyanarra a lapot", "T102", "endings of two words", ()),
    # comparisons that are not complete, or of which two would be one
    ("szintű kalandozó", "T102", "'szintű' (letter 1) can't stand at the beginning", ()),
    ("legfeljebb szintű kalandozó", "T102", "'szintű' (letter 12) can't stand after 'legfeljebb'", ()),
    ("legfeljebb kalandozó", "T102", "'kalandozó' (letter 12)", ()),
    ("3 szintű", "T102", "not complete after 'szintű'", ()),
    ("3 szintűt", "T101", "'szintűt'", ("szintet", "szint")),
    ("3 szint kalandozó", "T102", "'kalandozó' (letter 9) can't stand after 'szint'", ()),
    ("3-nál nagyobb kalandozó", "T102", "'kalandozó' (letter 15) can't stand after 'nagyobb'", ()),
    ("3-ra szintű kalandozó", "T102", "'3-ra'", ()),
    ("3-nél nagyobb szintű lap", "T101", "'3-nél'", ()),
    ("legfeljebb 3 vagy kisebb szintű lap", "T102", "'vagy' (letter 14)", ()),
    ("3 kalandozójú lap", "T101", "'kalandozójú'", ("Kalandozó",)),
    ("3. kalandozó", "T102", "'kalandozó' (letter 4) can't stand after '3.'", ()),
    # nothing, too much, and what can't be seen
    ("", "T105", "no words", ()),
    (" \n\t", "T105", "no words", ()),
    ("lap " * 501, "T106", "2004 characters", ()),
    ("vagy " * 50, "T106", "50 words", ()),
    ("rejtett Lovag vagy " * 6 + "lap", "T107", "64", ()),
    ("Gladiátor vagy " * 10 + "lap", "T107", "64", ()),
    ("kalan\u00addozó", "T108", "character 6 of the phrase, U+00AD", ()),
    ("kalandozó\u200b", "T108", "U+200B", ()),
    ("\x00", "T108", "U+0000", ()),
    ("\ud800", "T108", "U+D800", ()),
]


@pytest.mark.parametrize(("phrase", "code", "named", "suggestions"), REFUSED)
def test_a_phrase_is_refused_with_its_reason(
    phrase: str, code: str, named: str, suggestions: tuple[str, ...], readings: Callable[[str], tuple[Reading, ...]]
) -> None:
    """Code, message and suggestions."""
    with pytest.raises(TextError) as refused:
        readings(phrase)
    error = refused.value
    assert (error.code, error.suggestions) == (code, suggestions)
    assert named in error.message


def test_every_code_is_met() -> None:
    """The table has an example of each code."""
    assert {code for _, code, _, _ in REFUSED} == {f"T10{digit}" for digit in range(1, 9)}


@pytest.mark.parametrize(
    ("phrase", "hint"),
    [
        ("lapja", "'lap' is known, but not with 'ja' at its end"),
        ("kalandzó", ""),
        ("irányított és", "what could follow: a classifier, a card name, a status, a place, a word for the same, "),
        ("lap lap", "what could stand there: a place, an article or a comma or a word that joins"),
        (
            "nem",
            "what could follow: a card type, a classifier, a card name, a status, a place, a number, a determiner, an",
        ),
        ("legfeljebb", "what could follow: a number, a determiner or an article"),
        ("3 vagy kisebb lap", "what could stand there: a quantity"),
        ("**Organ Rion", "put ** where it ends"),
        ("„Organ Rion", "put ” where it ends"),
        ("Lovag vagy rejtett " * 6 + "lap", "put brackets around what belongs together"),
    ],
)
def test_hints_tell_the_next_step(phrase: str, hint: str, readings: Callable[[str], tuple[Reading, ...]]) -> None:
    """The hint begins like this."""
    with pytest.raises(TextError) as refused:
        readings(phrase)
    assert refused.value.hint.startswith(hint)
