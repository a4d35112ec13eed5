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


@dataclass(frozen=True)
class Builder:
    """Makes lattices. `number`: the entry for numbers in digits. `tight`: what a hyphen may join to the next word."""

    lexicon: Lexicon
    endings: Endings
    number: Entry | None = None
    tight: frozenset[str] = frozenset()

    def build(self, tokens: Sequence[Token]) -> Lattice:
        """Return the lattice of `tokens`."""
        edges = tuple(tuple(dict.fromkeys(self._edges(tokens, at))) for at in range(len(tokens)))
        reached = {0}
        for at in range(len(tokens)):
            if at in reached:
                reached.update(edge.stop for edge in edges[at])
        return Lattice(edges, max(reached))

    def _edges(self, tokens: Sequence[Token], at: int) -> Iterator[Edge]:
        if tokens[at].glued and tokens[at].is_word and tokens[at - 1].is_word:
            return  # the rest of a word that a mark divides
        if self.number is not None and tokens[at].text.isdecimal() and not _goes_on(tokens, at + 1):
            text = tokens[at].text
            yield Edge(at, at + 1, replace(self.number, lexeme=text, spelling=text), text, frozenset({BARE}))
        keys: Key = ()
        for stop in range(at + 1, len(tokens) + 1):
            span = tokens[at:stop]
            found = self._of_span(span, keys, tokens, stop)
            yield from (edge for edge in found if _marked_as_it_may(tokens, edge, stop))
            keys += (key(span[-1], first=stop == at + 1),)
            if not self.lexicon.continues(keys):
                return

    def _of_span(self, span: Sequence[Token], before: Key, tokens: Sequence[Token], stop: int) -> Iterator[Edge]:
        """Yield the edges whose stem is `span`: bare, inflected within its last token, or with what follows it.

        `before` are the keys of all but its last token.
        """
        last, at = span[-1], stop - len(span)
        bare = self._entries(span, before, last.text)
        tail = _goes_on(tokens, stop)
        if tail == 0:
            for entry, text in bare:
                yield Edge(at, stop, entry, text, frozenset({BARE}), bold=last.bold)
            if last.is_word:
                yield from self._inflected(span, before, last.text, at, stop)
                if not before:
                    yield from self._irregular(last, at, stop)
            return
        if tokens[stop].is_hyphen:
            for entry, text in bare:
                if entry.grammar_class in self.tight:
                    yield Edge(at, stop + 1, entry, text, frozenset({BARE}), tight=True, bold=last.bold)
        ending = tokens[stop + tail - 1]
        if _goes_on(tokens, stop + tail) or ending.run:
            return
        cases = frozenset(self.endings.after_hyphen(last.text, ending.text))
        for entry, text in bare if cases else ():
            yield Edge(at, stop + tail, entry, text, cases, inflected=True, bold=last.bold)
        if tail == 1:  # a mark ends inside the word, perhaps after a stem that the ending has changed
            unchanged = {entry for entry, _ in bare} if cases else set()
            for edge in self._inflected(span, before, last.text + ending.text, at, stop + tail):
                if edge.entry not in unchanged:
                    yield edge

    def _inflected(self, span: Sequence[Token], before: Key, form: str, at: int, stop: int) -> Iterator[Edge]:
        """Yield the edges of `span` whose last token, with what follows, is the inflected `form`."""
        found: dict[tuple[Entry, str], set[str]] = {}
        for stem in self.endings.stems(form):
            for entry, text in self._entries(span, before, stem.text):
                found.setdefault((entry, text), set()).add(stem.case)
        for (entry, text), cases in found.items():
            yield Edge(at, stop, entry, text, frozenset(cases), inflected=True, bold=span[-1].bold)

    def _irregular(self, token: Token, at: int, stop: int) -> Iterator[Edge]:
        found: dict[Entry, set[str]] = {}
        for entry, case in self.lexicon.irregular(token.text):
            found.setdefault(entry, set()).add(case)
        for entry, cases in found.items():
            yield Edge(at, stop, entry, token.text, frozenset(cases), inflected=True, bold=token.bold)

    def _entries(self, span: Sequence[Token], before: Key, last: str) -> tuple[tuple[Entry, str], ...]:
        """Return the entries that `span` spells, were `last` its last token, and that text as typed."""
        text = joined(span, last)
        keys = (*before, key(replace(span[-1], text=last), first=not before))
        return tuple((entry, text) for entry in self.lexicon.find(keys) if fits(entry, text))


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
