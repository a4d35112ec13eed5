"""Tokens to words: every way to cut a phrase into words of the lexicon, with and without endings.

The cuts form a lattice: an edge is a word or a fixed expression that may stand between two places of the phrase.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reasoner.language.endings import BARE, Endings
from reasoner.language.lexicon import Entry, Key, Lexicon, fits, joined, key
from reasoner.language.tokens import Token


@dataclass(frozen=True)
class Edge:
    """`entry` may stand from token `start` up to, not including, token `stop`.

    `stem` is what stands there without its ending, as typed, and `cases` the endings it may bear; `inflected`: it
    bears one, if only the plural. `tight`: a hyphen joins it to the next word.
    """

    start: int
    stop: int
    entry: Entry
    stem: str
    cases: frozenset[str]
    inflected: bool = False
    tight: bool = False
    bold: bool = False


@dataclass(frozen=True)
class Lattice:
    """The edges by the token they begin with; `reach` is the furthest token that some way through arrives at."""

    edges: tuple[tuple[Edge, ...], ...]
    reach: int

    def paths(self, most: int) -> tuple[tuple[Edge, ...], ...] | None:
        """Return every way through, or None if there are more than `most`. In a stable order; () if there is none."""
        size = len(self.edges)
        ways = [0] * size + [1]
        for at in range(size - 1, -1, -1):
            ways[at] = sum(ways[edge.stop] for edge in self.edges[at])
        if ways[0] > most:
            return None

        def onward(at: int) -> Iterator[tuple[Edge, ...]]:
            if at == size:
                yield ()
            for edge in self.edges[at] if at < size else ():
                if ways[edge.stop]:
                    yield from ((edge, *rest) for rest in onward(edge.stop))

        return tuple(onward(0))


def build(tokens: Sequence[Token], lexicon: Lexicon, endings: Endings, number: Entry | None) -> Lattice:
    """Return the lattice of `tokens`; `number` is the entry for numbers in digits."""
    edges = tuple(tuple(_edges(tokens, at, lexicon, endings, number)) for at in range(len(tokens)))
    reached = {0}
    for at in range(len(tokens)):
        if at in reached:
            reached.update(edge.stop for edge in edges[at])
    return Lattice(edges, max(reached))


def _edges(
    tokens: Sequence[Token], at: int, lexicon: Lexicon, endings: Endings, number: Entry | None
) -> Iterator[Edge]:
    if tokens[at].glued and tokens[at].is_word and tokens[at - 1].is_word:
        return  # the rest of a word that a mark divides
    if number is not None and tokens[at].text.isdecimal() and not _goes_on(tokens, at + 1):
        text = tokens[at].text
        yield Edge(at, at + 1, replace(number, lexeme=text, spelling=text), text, frozenset({BARE}))
    keys: Key = ()
    for stop in range(at + 1, len(tokens) + 1):
        span = tokens[at:stop]
        for edge in _found(tokens, at, stop, keys, lexicon, endings):
            if _marked_as_it_may(tokens, edge, stop):
                yield edge
        keys += (key(span[-1], first=stop == at + 1),)
        if not lexicon.continues(keys):
            return


def _found(
    tokens: Sequence[Token], at: int, stop: int, before: Key, lexicon: Lexicon, endings: Endings
) -> Iterator[Edge]:
    """Yield the edges whose stem is tokens `at` to `stop`: bare, inflected within the last token, and after it."""
    span = tokens[at:stop]
    last = span[-1]
    bold = last.bold
    glue = key(last, first=not before)[: -len(last.text.casefold())]
    tail = _goes_on(tokens, stop)
    if not tail:
        text = joined(span)
        for entry in _entries(lexicon, (*before, glue + last.text.casefold()), text):
            yield Edge(at, stop, entry, text, frozenset({BARE}), bold=bold)
        if last.is_word:
            yield from _inflected(span, last.text, at, stop, before, glue, lexicon, endings)
            if not before:
                yield from _irregular(last, at, stop, lexicon)
        return
    text = joined(span)
    entries = tuple(_entries(lexicon, (*before, glue + last.text.casefold()), text))
    if tokens[stop].is_hyphen:
        for entry in entries:  # joined to the next word
            yield Edge(at, stop + 1, entry, text, frozenset({BARE}), tight=True, bold=bold)
    ending = tokens[stop + tail - 1]
    if _goes_on(tokens, stop + tail) or ending.run != 0:
        return
    cases = frozenset(endings.after_hyphen(last.text, ending.text))
    if cases:
        for entry in entries:
            yield Edge(at, stop + tail, entry, text, cases, inflected=True, bold=bold)
    if tail == 1:  # a mark ends inside the word, after a stem that the ending may have changed
        form = last.text + ending.text
        for edge in _inflected(span, form, at, stop + tail, before, glue, lexicon, endings):
            if not (cases and edge.entry in entries):
                yield edge


def _inflected(
    span: Sequence[Token], form: str, at: int, stop: int, before: Key, glue: str, lexicon: Lexicon, endings: Endings
) -> Iterator[Edge]:
    found: dict[tuple[Entry, str], set[str]] = {}
    for stem in endings.stems(form):
        text = joined(span, stem.text)
        for entry in _entries(lexicon, (*before, glue + stem.text.casefold()), text):
            found.setdefault((entry, text), set()).add(stem.case)
    for (entry, text), cases in found.items():
        yield Edge(at, stop, entry, text, frozenset(cases), inflected=True, bold=span[-1].bold)


def _irregular(token: Token, at: int, stop: int, lexicon: Lexicon) -> Iterator[Edge]:
    found: dict[Entry, set[str]] = {}
    for entry, case in lexicon.irregular(token.text):
        found.setdefault(entry, set()).add(case)
    for entry, cases in found.items():
        yield Edge(at, stop, entry, token.text, frozenset(cases), inflected=True, bold=token.bold)


def _entries(lexicon: Lexicon, keys: Key, text: str) -> Iterator[Entry]:
    return (entry for entry in lexicon.find(keys) if fits(entry, text))


def _goes_on(tokens: Sequence[Token], at: int) -> int:
    """Return how many tokens from `at` on are the rest of a word: a glued ending, or a hyphen and one; else 0."""
    if at < len(tokens) and tokens[at].glued:
        if tokens[at].is_word and tokens[at - 1].is_word:
            return 1
        if tokens[at].is_hyphen and at + 1 < len(tokens) and tokens[at + 1].glued and tokens[at + 1].is_word:
            return 2
    return 0


def _marked_as_it_may(tokens: Sequence[Token], edge: Edge, stem_stop: int) -> bool:
    """Return whether the marks fit: all of the stem is marked alike, and what is marked is one whole name."""
    first = tokens[edge.start]
    if any((t.bold, t.quoted, t.run) != (first.bold, first.quoted, first.run) for t in tokens[edge.start : stem_stop]):
        return False
    if first.run == 0:
        return True
    begins = edge.start == 0 or tokens[edge.start - 1].run != first.run
    ends = stem_stop == len(tokens) or tokens[stem_stop].run != first.run
    return begins and ends and edge.entry.name is not None
