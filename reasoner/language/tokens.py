"""Text to tokens: words and signs with their place, and the marks that set names apart (**bold**, quotation marks).

A mark may open or close inside a word, as where an ending follows a name: `**Some Name**ra`, `„Some Name”-t`. A token
that follows another without a space is `glued` to it, so the parts of such a word can be put together again.

Where a script has no spaces between words (kana, Chinese characters), each letter is a token and none is glued: the
lexicon says which of them make a word.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from reasoner.errors import TextError

MOST_LETTERS: Final = 2000
MOST_TOKENS: Final = 40
HYPHENS: Final = frozenset("-‐‑–")

_BOLD = "**"
_QUOTES = {"„": "”“", "“": "”", "»": "«", "«": "»", '"': '"', "《": "》", "「": "」", "『": "』"}
_ALL_QUOTES = frozenset("".join([*_QUOTES, *_QUOTES.values()]))
_SPACE = re.compile(r"\s")
_UNSPACED = "\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff"
_ANY_UNSPACED = re.compile(f"[{_UNSPACED}]")
_LETTERS = rf"[^\W{_UNSPACED}](?:[^\W{_UNSPACED}]|[\u0300-\u036f])*"
_PART = re.compile(rf"\*\*|[{_UNSPACED}]|{_LETTERS}(?:['’]{_LETTERS})*|\S")
# Letters, digits and signs as wide as Chinese characters are the plain ones.
_NARROW = {ord(wide): chr(ord(wide) - 0xFEE0) for wide in map(chr, range(0xFF01, 0xFF5F))} | {0x2212: "-", 0xFF65: "・"}


@dataclass(frozen=True)
class Token:
    """A word or a sign: `text` from `start` to `end` of the normalised text.

    `run` is 0 outside marks, and else numbers the stretch of marked text; `quoted` and `bold` say how it is marked.
    """

    text: str
    start: int
    end: int
    glued: bool = False
    bold: bool = False
    quoted: bool = False
    run: int = 0

    @property
    def is_word(self) -> bool:
        """Whether this is a word or a number, not a sign."""
        return self.text[0].isalnum() or self.text[0] == "_"

    @property
    def is_hyphen(self) -> bool:
        """Whether this is a hyphen."""
        return self.text in HYPHENS


def normalise(text: str) -> str:
    """Return `text` in Unicode form NFC, with plain spaces and no wide Latin letters. Offsets count in this form."""
    return _SPACE.sub(" ", unicodedata.normalize("NFC", text)).translate(_NARROW)


def is_unspaced(text: str) -> bool:
    """Return whether `text` begins with a letter of a script that puts no spaces between words."""
    return _ANY_UNSPACED.match(text) is not None


def unmarked(text: str) -> str:
    """Return normalised `text` without marks: the spelling of what stands between two offsets."""
    return "".join(char for char in text.replace(_BOLD, "") if char not in _ALL_QUOTES)


def split(text: str) -> list[tuple[str, bool]]:
    """Return (text, glued) for each token of normalised `text` from a lexicon, in which nothing is a mark."""
    if text.isalpha() and max(text) < "\u3000":  # most words by far
        return [(text, False)]
    parts: list[tuple[str, bool]] = []
    end, before = -1, ""
    for found in _PART.finditer(text):
        part = found.group()
        parts.append((part, found.start() == end and not (is_unspaced(part) or is_unspaced(before))))
        end, before = found.end(), part
    return parts


def plain_tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of normalised text of any length, in which nothing is a mark."""
    tokens: list[Token] = []
    end, before = -1, ""
    for found in _PART.finditer(text):
        part, start = found.group(), found.start()
        tokens.append(Token(part, start, found.end(), start == end and not (is_unspaced(part) or is_unspaced(before))))
        end, before = found.end(), part
    return tuple(tokens)


def tokenise(text: str) -> tuple[Token, ...]:
    """Return the tokens of a phrase.

    Raises:
        TextError: T103 a mark that is not closed, T104 a mark around nothing, T105 no words, T106 too long,
            T108 a character that can't be seen.
    """
    _check(text)
    text = normalise(text)
    reader = _Marks()
    tokens: list[Token] = []
    end, glued = 0, False  # glued: no space since the last token, if marks
    for found in _PART.finditer(text):
        part, start = found.group(), found.start()
        glued = glued and start == end and not is_unspaced(part)
        end = found.end()
        if not reader.takes(part, start):
            tokens.append(Token(part, start, end, glued, reader.bold, reader.quoted, reader.here()))
            glued = not is_unspaced(part)
    reader.finish()
    if not tokens:
        raise TextError("T105", "the phrase has no words")
    words = len(tokens) - sum(is_unspaced(token.text) for token in tokens) * 3 // 4  # a word has some four letters
    if words > MOST_TOKENS:
        raise TextError(
            "T106",
            f"the phrase has {words} words and signs, more than {MOST_TOKENS}",
            hint="give one reference at a time, not a whole text",
        )
    return tuple(tokens)


class _Marks:
    """Which marks are open while a text is read from left to right."""

    def __init__(self) -> None:
        self.runs = 0
        self.opened: dict[str, int] = {}  # closing mark -> place of the opening one
        self.empty = True

    @property
    def bold(self) -> bool:
        return _BOLD in self.opened

    @property
    def quoted(self) -> bool:
        return any(mark != _BOLD for mark in self.opened)

    def here(self) -> int:
        """Return the number of the marked stretch in which a token stands, 0 outside."""
        self.empty = False
        return self.runs if self.opened else 0

    def takes(self, part: str, start: int) -> bool:
        """Return whether `part` is a mark, and open or close it."""
        if part != _BOLD and part not in _ALL_QUOTES:
            return False
        closing = part if part == _BOLD else next((marks for marks in self.opened if part in marks), "")
        if closing in self.opened:
            place = self.opened.pop(closing)
            if self.empty:
                raise TextError("T104", f"there is no name between the marks at letter {place + 1}")
            return True
        if part != _BOLD and (part not in _QUOTES or self.quoted):
            raise TextError("T103", f"the quotation mark {part} at letter {start + 1} closes none that is open")
        if not self.opened:
            self.runs += 1
            self.empty = True
        self.opened[_BOLD if part == _BOLD else _QUOTES[part]] = start
        return True

    def finish(self) -> None:
        """Raise TextError T103 if a mark is still open."""
        for mark, start in self.opened.items():
            what = "bold text" if mark == _BOLD else "the quotation"
            closing = mark if mark == _BOLD else mark[0]
            raise TextError(
                "T103", f"{what} that begins at letter {start + 1} is not closed", hint=f"put {closing} where it ends"
            )


def _check(text: str) -> None:
    if len(text) > MOST_LETTERS:
        raise TextError(
            "T106",
            f"the phrase has {len(text)} characters, more than {MOST_LETTERS}",
            hint="give one reference at a time, not a whole text",
        )
    for place, char in enumerate(text, start=1):
        if char not in "\t\n\r" and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co"):
            raise TextError(
                "T108",
                f"character {place} of the phrase, U+{ord(char):04X}, can't be seen",
                hint="type the phrase anew, or remove the character",
            )
