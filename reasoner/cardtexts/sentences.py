"""A card text cut into sentences, each with the place of every letter in the text.

What a reminder says is left out. What stands between quotation marks is a text of its own; where it stood there is one
word for it. The card's own names are the word for itself, and symbols the words that the phrasebook gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reasoner.abilities.lines import own_names, reminder_spans
from reasoner.abilities.script import Script
from reasoner.cardtexts.phrasebook import Phrasebook
from reasoner.language.tokens import is_unspaced, normalise

Span = tuple[int, int]


@dataclass(frozen=True)
class Mapped:
    """A text whose letters stand at `places` of another text; the last place is where it ends."""

    text: str
    places: Sequence[int]  # a range, where nothing was left out or replaced

    def part(self, start: int, end: int) -> Mapped:
        """Return the letters from `start` up to, not including, `end`."""
        if isinstance(self.places, range):
            return Mapped(self.text[start:end], self.places[start : end + 1])
        last = self.places[end - 1] + 1 if end > start else self.places[start]
        return Mapped(self.text[start:end], (*self.places[start:end], last))

    def replaced(self, pattern: re.Pattern[str], word: str) -> Mapped:
        """Return the text with `word` for everything that `pattern` finds."""
        text: list[str] = []
        places: list[int] = []
        at = 0
        for found in pattern.finditer(self.text):
            text += [self.text[at : found.start()], word]
            places += self.places[at : found.start()]
            letters = len(word.rstrip())
            last = max(self.places[found.start()], self.places[found.end()] - 1)
            places += [self.places[found.start()]] * (letters - 1) + [last] * (len(word) - max(0, letters - 1))
            at = found.end()
        if not text:
            return self
        text.append(self.text[at:])
        return Mapped("".join(text), (*places, *self.places[at:]))

    def span(self, start: int, end: int) -> Span:
        """Return where the letters from `start` to `end` stand in the other text."""
        return self.places[start], self.places[end - 1] + 1


@dataclass(frozen=True)
class Cut:
    """The sentences of a text, in its order, and the spans of its reminders."""

    sentences: tuple[Mapped, ...]
    reminders: tuple[Span, ...]


def cut(text: str, names: Iterable[str], script: Script, book: Phrasebook, ignored: Sequence[Span] = ()) -> Cut:
    """Return the sentences of `text` on a card with these `names`, except in what is `ignored` as a whole."""
    own = _own_pattern(tuple(name for name in own_names(names, script) if name in text))
    found: list[Mapped] = []
    reminders: list[Span] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if line.strip() and not any(first <= start and end <= last for first, last in ignored):
            spans = [(start + first, start + last) for first, last in reminder_spans(line, script)]
            reminders += spans
            mapped = Mapped(line, range(start, end + 1))
            if spans:
                kept = [at for at in range(start, end) if not any(first <= at < last for first, last in spans)]
                mapped = Mapped("".join(text[at] for at in kept), (*kept, end))
            for piece in _unquoted(mapped, script, book):
                found += _sentences(piece, own, book)
        start = end + 1
    return Cut(tuple(found), tuple(reminders))


def _unquoted(line: Mapped, script: Script, book: Phrasebook) -> Iterator[Mapped]:
    """Yield the line with one word for each quotation, then what each of them says."""
    if not any(mark in line.text for mark in script.quotes):
        yield line
        return
    inner: list[Mapped] = []
    text: list[str] = []
    places: list[int] = []
    at = 0
    while at < len(line.text):
        mark = line.text[at]
        closing = script.quotes.get(mark)
        end = line.text.find(closing, at + 1) if closing else -1
        if end < 0:
            text.append(mark)
            places.append(line.places[at])
            at += 1
            continue
        inner.append(line.part(at + 1, end))
        text.append(book.quotation)
        places += [line.places[at]] * len(book.quotation)
        # A quotation ends the sentence where what it says ends one.
        if book.sentence_end.search(line.text[at + 1 : end][-1:] + " ") and end + 2 < len(line.text):
            following = line.text[end + 1 : end + 3].lstrip()
            if following[:1].isupper():
                text.append(". ")
                places += [line.places[end], line.places[end]]
        at = end + 1
    yield Mapped("".join(text), (*places, line.places[-1]))
    yield from inner


def _sentences(line: Mapped, own: re.Pattern[str] | None, book: Phrasebook) -> Iterator[Mapped]:
    mapped = line.replaced(own, book.self_word) if own else line
    mapped = _normalised(mapped)
    for symbol in book.symbols:
        mapped = mapped.replaced(symbol.pattern, symbol.word)
    start = 0
    for end in (*(found.end() for found in book.sentence_end.finditer(mapped.text)), len(mapped.text)):
        text = mapped.text[start:end]
        if text.strip():
            left = start + len(text) - len(text.lstrip())
            yield mapped.part(left, start + len(text.rstrip()))
        start = end


def _normalised(mapped: Mapped) -> Mapped:
    if mapped.text.isascii() and mapped.text.isprintable():
        return mapped  # as most are in languages with Latin letters
    text = [_normal(char) for char in mapped.text]
    if all(len(char) == 1 for char in text):
        return Mapped("".join(text), mapped.places)
    places = [place for char, place in zip(text, mapped.places, strict=False) for _ in char]
    return Mapped("".join(text), (*places, mapped.places[-1]))


_normal = lru_cache(maxsize=4096)(normalise)  # of one letter


@lru_cache(maxsize=64)
def _own_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    parts = [re.escape(name) if is_unspaced(name) else rf"(?<!\w){re.escape(name)}(?!\w)" for name in names]
    return re.compile("|".join(parts)) if parts else None
