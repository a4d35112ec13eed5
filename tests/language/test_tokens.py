"""Tokens: places, marks, and what is refused before any word is looked up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.errors import TextError
from reasoner.language.mention import letter_case
from reasoner.language.tokens import MOST_LETTERS, MOST_TOKENS, Token, normalise, tokenise, unmarked


def flags(token: Token) -> str:
    """A token in short: `+` glued, `b` bold, `q` quoted, the number of its run."""
    marks = "+" * token.glued + "b" * token.bold + "q" * token.quoted + (str(token.run) if token.run else "")
    return f"{token.text}/{marks}" if marks else token.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HARCOS kalandozó", "HARCOS kalandozó"),
        ("  a\tlap  ", "a lap"),
        ("Lovag, Harcos", "Lovag ,/+ Harcos"),
        ("(Lovag)", "( Lovag/+ )/+"),
        ("nem-HARCOS", "nem -/+ HARCOS/+"),
        ("Organ Rion-t", "Organ Rion -/+ t/+"),
        ("**Organ Rion**ra", "Organ/b1 Rion/b1 ra/+"),
        ("**Organ Rion** ra", "Organ/b1 Rion/b1 ra"),
        ("egy **Rion** lap", "egy Rion/b1 lap"),
        ("**A****B**", "A/b1 B/+b2"),
        ("Or**gan**", "Or gan/+b1"),
        ("„Organ Rion”-t", "Organ/q1 Rion/q1 -/+ t/+"),
        ('„**Rion**” »Rion« "Rion" “Rion”', "Rion/bq1 Rion/q2 Rion/q3 Rion/q4"),
        ("**„Rion” lap**", "Rion/bq1 lap/b1"),
        ("D'Arc lap", "D'Arc lap"),
        ("2x 3", "2x 3"),
        ("a*b", "a */+ b/+"),
        ("竜２体とX", "竜 2 体 と X"),
        ("《竜王》ｶの＋１/＋１", "竜/q1 王/q1 ｶ の + 1/+ //+ +/+ 1/+"),
    ],
)
def test_tokens_are_these(text: str, expected: str) -> None:
    """Texts, glue and marks."""
    assert " ".join(map(flags, tokenise(text))) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("**lap", "T103"),
        ("lap**", "T103"),
        ("**a** **b", "T103"),
        ("„lap", "T103"),
        ("lap”", "T103"),
        ("„a „b”", "T103"),
        ("****", "T104"),
        ("„”", "T104"),
        ("", "T105"),
        ("   ", "T105"),
        ("a" * (MOST_LETTERS + 1), "T106"),
        ("a " * (MOST_TOKENS + 1), "T106"),
        ("a\x07", "T108"),
        ("a\u202e", "T108"),
        ("\ufeffa", "T108"),
        ("\ue000", "T108"),
    ],
)
def test_refused_before_reading(text: str, code: str) -> None:
    """Each with its code."""
    with pytest.raises(TextError) as refused:
        tokenise(text)
    assert refused.value.code == code


def test_the_longest_phrase_is_still_taken() -> None:
    """The limits are inclusive."""
    assert len(tokenise("a " * MOST_TOKENS)) == MOST_TOKENS
    assert len(tokenise("a" * MOST_LETTERS)) == 1


@given(st.text(st.sampled_from("aáb*-,.(„”\"» é\u0301'’1 \n"), max_size=40))
def test_tokens_cover_the_text(text: str) -> None:
    """Between tokens there are only spaces and marks; offsets are those of the normalised text."""
    try:
        tokens = tokenise(text)
    except TextError:
        return
    plain = normalise(text)
    end = 0
    for token in tokens:
        assert unmarked(plain[end : token.start]).strip() == ""
        assert plain[token.start : token.end] == token.text
        assert token.glued == (token is not tokens[0] and " " not in plain[end : token.start])
        end = token.end
    assert unmarked(plain[end:]).strip() == ""


@pytest.mark.parametrize(
    ("stem", "expected"),
    [
        ("a", "LowerCase"),
        ("A", "Capitalised"),
        ("X", "Capitalised"),
        ("XI", "AllCapitals"),
        ("3", "LowerCase"),
        ("", "LowerCase"),
        ("Ab", "Capitalised"),
        ("aB", "Mixed"),
        ("ABc", "Mixed"),
        ("Organ Rion", "Capitalised"),
        ("Héroszok csarnoka", "Capitalised"),
        ("organ Rion", "Mixed"),
        ("ORGAN RION", "AllCapitals"),
        ("ORGAN Rion", "Mixed"),
        ("Vér-Eskü", "Capitalised"),
        ("D'Arc", "Capitalised"),
        ("カード", "LowerCase"),
    ],
)
def test_letter_case(stem: str, expected: str) -> None:
    """One letter, digits, several words, other scripts."""
    assert letter_case(stem) == expected
