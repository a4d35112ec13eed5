"""The words a text may hold, and what each might stand for. A lexicon never decides between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from reasoner.errors import close_to
from reasoner.language.mention import Comparison, Reading
from reasoner.language.tokens import Token, is_unspaced, normalise, split

Key = tuple[str, ...]

_GLUE: Final = "\0"  # begins the key of a token that follows another without a space


@dataclass(frozen=True)
class Entry:
    """A word, a fixed expression of several words, or a card name.

    `lexeme` is the casefolded base form, `spelling` the form for people (of a name: the one exact form). `denotes` are
    the IRIs it might stand for. `denied`: it says that what it denotes is absent. `forms` are irregular inflected
    forms, each with the name of its ending. `number` is that of a word for a number, `comparison` what a word that
    bounds a number says of it. `literal`: as a part of a word it counts by its letters. `before` is the grammar class
    that an unknown word right before it has, `after` that of capitalised words right after it.
    """

    lexeme: str
    spelling: str
    grammar_class: str
    denotes: tuple[str, ...] = ()
    name: str | None = None
    denied: bool = False
    forms: tuple[tuple[str, str], ...] = ()
    number: int | None = None
    comparison: Comparison | None = None
    literal: bool = False
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Match:
    """`entry` begins with the token at which it was looked up and takes `length` tokens, uninflected."""

    entry: Entry
    length: int


@dataclass(frozen=True, init=False)
class Lexicon:
    """Entries, merged: one per base form and grammar class (and, for names, per exact form), in a stable order."""

    entries: tuple[Entry, ...]

    def __init__(self, entries: Iterable[Entry]) -> None:
        object.__setattr__(self, "entries", _merge((), entries))

    def extended(self, entries: Iterable[Entry]) -> Lexicon:
        """Return a lexicon with these entries and more."""
        found = object.__new__(Lexicon)
        object.__setattr__(found, "entries", _merge(self.entries, entries))
        return found

    @cached_property
    def readings(self) -> dict[tuple[str, str], tuple[Reading, ...]]:
        """What texts were read as before with these words: by language and text (see grammar.read)."""
        return {}

    @cached_property
    def kept(self) -> dict[str, object]:
        """What a language works out once for these words, by its code (see grammar.Language.spots)."""
        return {}

    def lookup(self, tokens: Sequence[Token], at: int = 0) -> tuple[Match, ...]:
        """Return every uninflected entry that begins at token `at`, the longest first. Only names heed letter case."""
        found: list[Match] = []
        keys: Key = ()
        for length in range(1, len(tokens) - at + 1):
            keys += (key(tokens[at + length - 1], first=length == 1),)
            text = joined(tokens[at : at + length])
            found[:0] = [Match(entry, length) for entry in self.find(keys) if fits(entry, text)]
            if not self.continues(keys):
                break
        return tuple(found)

    def find(self, keys: Key) -> tuple[Entry, ...]:
        """Return the entries whose casefolded tokens are `keys`."""
        return self._section(keys[0][:1])[0].get(keys, ())

    def continues(self, keys: Key) -> bool:
        """Return whether some entry begins with `keys` and goes on."""
        return keys in self._section(keys[0][:1])[1]

    def irregular(self, form: str) -> tuple[tuple[Entry, str], ...]:
        """Return the entries that have `form` as an irregular form, each with the name of the ending."""
        return self._irregular.get(form.casefold(), ())

    def suggest(self, text: str, *, names_only: bool = False, most: int = 3) -> tuple[str, ...]:
        """Return up to `most` spellings that look like `text`: first those in another letter case."""
        folded = text.casefold()
        length = len(folded)
        same: list[str] = []
        similar: list[str] = []
        for entry in map(self.entries.__getitem__, self._alike(folded)):
            if abs(len(entry.lexeme) - length) > max(2, length // 2) or (names_only and entry.name is None):
                continue
            if any(char.isalnum() for char in entry.spelling):
                (same if entry.lexeme == folded else similar).append(entry.spelling)
        best = dict.fromkeys(spelling for spelling in sorted(same) if spelling != text)
        best.update(dict.fromkeys(close_to(text, similar, most)))
        return tuple(best)[:most]

    def names_alike(self, words: Iterable[str]) -> tuple[Entry, ...]:
        """Return the card names that have one of the casefolded `words`, hyphens parting words, in stable order."""
        found = {place for word in words for place in self._names_by_word.get(word, ())}
        return tuple(self.entries[place] for place in sorted(found))

    def names_written(self, text: str) -> tuple[Entry, ...]:
        """Return the card names that are `text`, which is casefolded and without spaces, but for spaces and case."""
        return self._names_by_letters.get(text, ())

    def to_json(self) -> dict[str, Any]:
        """Return the lexicon as plain data, the inverse of `from_json`."""
        return {
            "entries": [
                [
                    *(e.lexeme, e.spelling, e.grammar_class, e.denotes, e.name, e.denied, e.forms),
                    *(e.number, e.comparison, e.literal, e.before, e.after),
                ]
                for e in self.entries
            ]
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Lexicon:
        """Return the lexicon that `to_json` gave; its entries are merged already.

        Raises:
            KeyError, TypeError or ValueError: if `data` is something else.
        """
        lexicon = cls(())
        entries = tuple(
            Entry(lexeme, spelling, kind, tuple(denotes), name, denied, tuple([(f, c) for f, c in forms]), *rest)
            for lexeme, spelling, kind, denotes, name, denied, forms, *rest in data["entries"]
        )
        object.__setattr__(lexicon, "entries", entries)
        return lexicon

    def _section(self, letter: str) -> tuple[dict[Key, tuple[Entry, ...]], frozenset[Key]]:
        """Return the entries whose keys begin with `letter`, by key, and all beginnings of keys.

        Most texts need few letters: to part all names of a large pool into words takes long.
        """
        section = self._sections.get(letter)
        if section is None:
            index: dict[Key, tuple[Entry, ...]] = {}
            for entry in self._by_letter.get(letter, ()):
                words = split(_written(entry))
                keys = tuple([_GLUE + text.casefold() if glued else text.casefold() for text, glued in words])
                index[keys] = (*index.get(keys, ()), entry)
            beginnings = frozenset(keys[:length] for keys in index for length in range(1, len(keys)))
            section = self._sections[letter] = (index, beginnings)
        return section

    @cached_property
    def _sections(self) -> dict[str, tuple[dict[Key, tuple[Entry, ...]], frozenset[Key]]]:
        return {}

    @cached_property
    def _by_letter(self) -> dict[str, list[Entry]]:
        index: dict[str, list[Entry]] = {}
        for entry in self.entries:
            index.setdefault(_written(entry)[:1].casefold()[:1], []).append(entry)
        return index

    def _alike(self, folded: str) -> Iterable[int]:
        """Return the places of entries with a third of the pairs of letters of `folded`: comparing all takes long."""
        pieces = {folded[i : i + 2] for i in range(len(folded) - 1)} if len(folded) > 3 else set()
        if not pieces:
            return range(len(self.entries))
        shared = Counter(place for piece in pieces for place in self._by_piece.get(piece, ()))
        return sorted(place for place, count in shared.items() if 3 * count >= len(pieces))

    @cached_property
    def _by_piece(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = {}
        for place, entry in enumerate(self.entries):
            for piece in {entry.lexeme[i : i + 2] for i in range(len(entry.lexeme) - 1)}:
                index.setdefault(piece, []).append(place)
        return index

    @cached_property
    def _names_by_word(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = {}
        for place, entry in enumerate(self.entries):
            if entry.name is not None:
                for word in set(entry.lexeme.replace("-", " ").split()):
                    index.setdefault(word, []).append(place)
        return index

    @cached_property
    def _names_by_letters(self) -> dict[str, tuple[Entry, ...]]:
        index: dict[str, tuple[Entry, ...]] = {}
        for entry in self.entries:
            if entry.name is not None:
                letters = entry.lexeme.replace(" ", "")
                index[letters] = (*index.get(letters, ()), entry)
        return index

    @cached_property
    def _irregular(self) -> dict[str, tuple[tuple[Entry, str], ...]]:
        index: dict[str, list[tuple[Entry, str]]] = {}
        for entry in self.entries:
            for form, ending in entry.forms:
                index.setdefault(form.casefold(), []).append((entry, ending))
        return {form: tuple(found) for form, found in index.items()}


def key(token: Token, *, first: bool) -> str:
    """Return what `token` is looked up by: its letters casefolded, and whether it is glued to the one before it."""
    return key_of(token.text, glued=token.glued and not first)


def key_of(text: str, *, glued: bool) -> str:
    """Return what a token with this text is looked up by, `glued` to the one before it or not."""
    return (_GLUE if glued else "") + text.casefold()


def joined(tokens: Sequence[Token], last: str | None = None) -> str:
    """Return the text of `tokens` with single spaces where they are not glued; `last` replaces the last one's."""
    parts: list[str] = []
    for i, token in enumerate(tokens):
        spaced = i > 0 and not (token.glued or is_unspaced(token.text) or is_unspaced(tokens[i - 1].text))
        parts.append((" " if spaced else "") + token.text)
    if last is not None:
        parts[-1] = parts[-1][: len(parts[-1]) - len(tokens[-1].text)] + last
    return "".join(parts)


def fits(entry: Entry, text: str) -> bool:
    """Return whether `text` is written as `entry` must be: a name letter by letter, anything else in any case."""
    return entry.name is None or entry.spelling == text


def _written(entry: Entry) -> str:
    return entry.lexeme if entry.name is None else entry.spelling


_Identity = tuple[str, str, str, bool, int, str]


def _merge(merged_before: Iterable[Entry], entries: Iterable[Entry]) -> tuple[Entry, ...]:
    merged: dict[_Identity, Entry] = {_identity(entry, entry.lexeme, entry.spelling): entry for entry in merged_before}
    for entry in entries:
        lexeme, spelling = _even(entry.lexeme).casefold(), _even(entry.spelling)
        if not lexeme or not spelling:
            raise ValueError(f"an entry without letters: {entry!r}")
        identity = _identity(entry, lexeme, spelling)
        old = merged.get(identity)
        if old is None:
            name = None if entry.name is None else _even(entry.name)
            old = replace(entry, lexeme=lexeme, spelling=spelling, denotes=(), name=name, forms=())
        denotes = tuple(sorted({*old.denotes, *entry.denotes}))
        forms = tuple(sorted({*old.forms, *entry.forms}))
        merged[identity] = replace(old, denotes=denotes, forms=forms) if denotes or forms else old
    return tuple(merged[identity] for identity in sorted(merged))


def _identity(entry: Entry, lexeme: str, spelling: str) -> _Identity:
    kept = (-1 if entry.number is None else entry.number, entry.comparison or "")
    return (lexeme, entry.grammar_class, spelling if entry.name is not None else "", entry.denied, *kept)


def _even(text: str) -> str:
    return " ".join(normalise(text).split())
