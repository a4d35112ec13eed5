"""Tokens to words: every way to cut a phrase into words of the lexicon, with and without endings.

The cuts form a lattice: an edge is a word or a fixed expression that may stand between two places of the phrase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reasoner.language.lexicon import Entry, Key, Lexicon, fits, joined, key, key_of
from reasoner.language.morphology import ADJECTIVE, BARE, Morphology, Stem
from reasoner.language.tokens import Token, is_unspaced


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

    def moved(self, by: int) -> Edge:
        """Return the same edge so many tokens further on."""
        kept = self.entry, self.stem, self.cases, self.inflected, self.tight, self.bold
        return Edge(self.start + by, self.stop + by, *kept)


@dataclass(frozen=True)
class Lattice:
    """The edges by the token they begin with; `reach` is the furthest token that some way through arrives at."""

    edges: tuple[tuple[Edge, ...], ...]
    reach: int

    def fewest(self) -> Lattice:
        """Return only the edges on ways through with the fewest words: for texts that do not part words by spaces."""
        size = len(self.edges)
        far = size + 1
        onward = [far] * size + [0]
        for at in range(size - 1, -1, -1):
            onward[at] = min((1 + onward[edge.stop] for edge in self.edges[at]), default=far)
        so_far = [0] + [far] * size
        for at, edges in enumerate(self.edges):
            for edge in edges:
                so_far[edge.stop] = min(so_far[edge.stop], so_far[at] + 1)
        least = onward[0]
        return Lattice(
            tuple(
                tuple(edge for edge in edges if so_far[at] + 1 + onward[edge.stop] == least)
                for at, edges in enumerate(self.edges)
            ),
            self.reach,
        )

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
    """Makes lattices. `numerals`: the entries for numbers in digits, by the sign after them ("" for none).

    `tight` are the grammar classes whose words a hyphen may join to the next word, `adjectival` those whose words may
    be made adjectives.
    """

    lexicon: Lexicon
    endings: Morphology
    numerals: Mapping[str, Entry] = field(default_factory=dict)
    tight: frozenset[str] = frozenset()
    adjectival: frozenset[str] = frozenset()
    stems: dict[str, tuple[Stem, ...]] = field(default_factory=dict, compare=False, repr=False)  # of forms met before

    def build(self, tokens: Sequence[Token], known: Iterable[tuple[Edge, ...]] | None = None) -> Lattice:
        """Return the lattice of `tokens`; `known` are the edges from each of them, if they have been found before."""
        edges = [self.edges(tokens, at) for at in range(len(tokens))] if known is None else list(known)
        for edge in [edge for found in edges for edge in found if edge.entry.before or edge.entry.after]:
            for one in _opened(tokens, edge, edges):
                edges[one.start] = (*edges[one.start], one)
        reached = {0}
        for at in range(len(tokens)):
            if at in reached:
                reached.update(edge.stop for edge in edges[at])
        return Lattice(tuple(edges), max(reached))

    def edges(self, tokens: Sequence[Token], at: int) -> tuple[Edge, ...]:
        """Return the edges from token `at` on, but for words that others open."""
        return tuple(dict.fromkeys(self._edges(tokens, at)))

    def reach(self, tokens: Sequence[Token], at: int) -> int:
        """Return the token before which the last word may end that is looked for from token `at` on."""
        stop = at + 1
        while stop < len(tokens) and self.continues(tokens, at, stop):
            stop += 1
        return stop

    def continues(self, tokens: Sequence[Token], at: int, stop: int) -> bool:
        """Return whether some word begins with the tokens from `at` up to `stop`, and goes on."""
        return self.lexicon.continues(tuple(key(tokens[place], first=place == at) for place in range(at, stop)))

    def _edges(self, tokens: Sequence[Token], at: int) -> Iterator[Edge]:
        if tokens[at].glued and tokens[at].is_word and tokens[at - 1].is_word:
            return  # the rest of a word that a mark divides
        if tokens[at].text.isdecimal():
            yield from self._numerals(tokens, at)
        keys: Key = ()
        for stop in range(at + 1, len(tokens) + 1):
            span = tokens[at:stop]
            found = self._of_span(span, keys, tokens, stop)
            yield from (edge for edge in found if _marked_as_it_may(tokens, edge, stop))
            keys += (key(span[-1], first=stop == at + 1),)
            if not self.lexicon.continues(keys):
                return

    def _numerals(self, tokens: Sequence[Token], at: int) -> Iterator[Edge]:
        """Yield the edges of a number in digits: with each sign, bare or with an ending after a hyphen."""
        digits = tokens[at].text
        for sign, entry in self.numerals.items():
            stop = at + 1
            if sign:
                if stop == len(tokens) or not tokens[stop].glued or tokens[stop].text != sign:
                    continue
                stop += 1
            text = digits + sign
            number = replace(entry, lexeme=text, spelling=text, number=int(digits))
            tail = goes_on(tokens, stop)
            if tail == 0:
                yield Edge(at, stop, number, text, frozenset({BARE}))
            elif tail == 2 and not goes_on(tokens, stop + tail) and not tokens[stop + 1].run:
                cases = frozenset(self.endings.after_hyphen(digits, tokens[stop + 1].text))
                if cases:
                    yield Edge(at, stop + tail, number, text, cases, inflected=True)

    def _of_span(self, span: Sequence[Token], before: Key, tokens: Sequence[Token], stop: int) -> Iterator[Edge]:
        """Yield the edges whose stem is `span`: bare, inflected within its last token, or with what follows it.

        `before` are the keys of all but its last token.
        """
        last, at = span[-1], stop - len(span)
        bare = self._entries(span, before, last.text)
        tail = goes_on(tokens, stop)
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
        if goes_on(tokens, stop + tail) or ending.run:
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
        stems = list(self._stems(form))
        if self.adjectival:
            stems += self.endings.adjective_stems(form)
        found: dict[tuple[Entry, str, bool], set[str]] = {}
        for stem in stems:
            made = stem.case == ADJECTIVE
            for entry, text in self._entries(span, before, stem.text):
                if not made or entry.grammar_class in self.adjectival:
                    found.setdefault((entry, text, made), set()).add(stem.case)
        for (entry, text, _), cases in found.items():
            yield Edge(at, stop, entry, text, frozenset(cases), inflected=True, bold=span[-1].bold)

    def _stems(self, form: str) -> tuple[Stem, ...]:
        found = self.stems.get(form)
        if found is None:
            found = self.stems[form] = self.endings.stems(form)
        return found

    def _irregular(self, token: Token, at: int, stop: int) -> Iterator[Edge]:
        found: dict[Entry, set[str]] = {}
        for entry, case in self.lexicon.irregular(token.text):
            found.setdefault(entry, set()).add(case)
        for entry, cases in found.items():
            yield Edge(at, stop, entry, token.text, frozenset(cases), inflected=True, bold=token.bold)

    def _entries(self, span: Sequence[Token], before: Key, last: str) -> tuple[tuple[Entry, str], ...]:
        """Return the entries that `span` spells, were `last` its last token, and that text as typed."""
        found = self.lexicon.find((*before, key_of(last, glued=span[-1].glued and bool(before))))
        if not found:
            return ()
        text = joined(span, last)
        return tuple((entry, text) for entry in found if fits(entry, text))


def _opened(tokens: Sequence[Token], edge: Edge, edges: Sequence[tuple[Edge, ...]]) -> Iterator[Edge]:
    """Yield the edges of words that no lexicon need know, because the word of `edge` stands beside them."""
    kind = edge.entry.before
    before = tokens[edge.start - 1] if kind and edge.start > 0 else None
    if before and before.quoted:
        yield from _marked_before(tokens, edge, edges)
    elif before and before.is_word and not is_unspaced(before.text) and not edges[edge.start - 1]:
        entry = Entry(before.text.casefold(), before.text, kind, literal=True)
        yield Edge(edge.start - 1, edge.start, entry, before.text, frozenset({BARE}))
    kind, start = edge.entry.after, edge.stop
    if not kind or start == len(tokens) or any(one.entry.grammar_class == kind for one in edges[start]):
        return
    if not _is_capital(tokens[start]):
        return
    for stop in range(start + 1, len(tokens) + 1):
        goes_on = stop < len(tokens) and (_is_capital(tokens[stop]) or (tokens[stop].glued and tokens[stop].is_hyphen))
        if _is_capital(tokens[stop - 1]) and not goes_on:
            name = joined(tokens[start:stop])
            yield Edge(start, stop, Entry(name.casefold(), name, kind, name=name), name, frozenset({BARE}))


def _marked_before(tokens: Sequence[Token], edge: Edge, edges: Sequence[tuple[Edge, ...]]) -> Iterator[Edge]:
    """Yield the edge of the marked text right before the word of `edge`, unless the lexicon knows it."""
    start = edge.start
    while start > 0 and tokens[start - 1].run == tokens[edge.start - 1].run:
        start -= 1
    if not any(one.stop == edge.start for one in edges[start]):
        name = joined(tokens[start : edge.start])
        entry = Entry(name.casefold(), name, edge.entry.before, name=name)
        yield Edge(start, edge.start, entry, name, frozenset({BARE}))


def _is_capital(token: Token) -> bool:
    return token.text[0].isupper() or token.text[0].isdecimal()


def goes_on(tokens: Sequence[Token], at: int) -> int:
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
