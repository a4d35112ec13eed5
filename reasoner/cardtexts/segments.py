"""A sentence cut into references, phrases and what is not understood, so that as little as possible is left over."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reasoner.cardtexts.phrasebook import Matcher, Phrase, Phrasebook
from reasoner.knowledge.tongues import Tongue
from reasoner.language.grammar import terminal_of
from reasoner.language.lattice import Builder, Edge
from reasoner.language.ordered import Branch, Node, OrderedParser, Ray
from reasoner.language.tokens import Token, is_unspaced, plain_tokens

REFERENCE, PHRASE, UNREAD = "reference", "phrase", "unread"
_Place = tuple[int, bool]
# What a part of a sentence costs, what more if another part is to be preferred, and what each word that is in none.
_STEP, _LOOSE, _DROPPED = 2, 1, 2000


@dataclass(frozen=True)
class Segment:
    """A stretch of a sentence, from letter `start` to `end`: a REFERENCE, a PHRASE, or UNREAD.

    `doubtful`: a reference that stands beside words that are not understood, which may go on it. `pronoun`: it only
    points back at another, or at the bearer of the text.
    """

    kind: str
    start: int
    end: int
    phrase: Phrase | None = None
    doubtful: bool = False
    pronoun: bool = False


class Segmenter:
    """Cuts sentences of one language of a game."""

    def __init__(self, tongue: Tongue, book: Phrasebook) -> None:
        self.book = book
        self._tongue = tongue
        self._builder: Builder = tongue.language.builder(tongue.lexicon)

    def __call__(self, text: str) -> tuple[Segment, ...]:
        """Return the segments of a sentence, which together hold all of its words."""
        tokens = self._tongue.language.divided(plain_tokens(text), self._tongue.lexicon)
        if not tokens:
            return ()
        cut = _Sentence(text, tokens, self._builder, self._parser, self.book)
        return tuple(_merged(_doubted(cut.best())))

    @cached_property
    def _parser(self) -> OrderedParser:
        parser = self._tongue.language.parser
        assert isinstance(parser, OrderedParser)
        return parser


class _Sentence:
    def __init__(
        self, text: str, tokens: Sequence[Token], builder: Builder, parser: OrderedParser, book: Phrasebook
    ) -> None:
        self.text = text
        self.tokens = tokens
        self.book = book
        lattice = builder.build(tokens)
        edges = [edge for at in lattice.edges for edge in at]
        if any(is_unspaced(token.text) for token in tokens):
            edges = list(_widest(edges))
        self.rays = [Ray(edge.start, edge.stop, terminal_of(edge, parser.terminals)) for edge in edges]
        self.classes = [edge.entry.grammar_class for edge in edges]
        self.chart = parser.chart(self.rays)
        self.words = [token.text.casefold() for token in tokens]
        class_at: list[dict[tuple[str, int], None]] = [{} for _ in tokens]
        for edge, ray in zip(edges, self.rays, strict=True):
            class_at[edge.start].update(
                dict.fromkeys(((edge.entry.grammar_class, edge.stop), (ray.terminal, edge.stop)))
            )
        self.matcher = Matcher(book, self.words, class_at)

    def best(self) -> list[Segment]:
        """Return the cheapest row of segments; of several, the one whose first segments are the longest."""
        size = len(self.tokens)
        # A place, and whether no reference may begin there, as what stands before it could qualify one.
        cost: dict[_Place, int] = {(0, False): 0}
        came: dict[_Place, tuple[_Place, Segment]] = {}
        queue: list[tuple[int, _Place]] = [(0, (0, False))]
        done: set[_Place] = set()
        place: _Place = (0, False)
        while queue:
            so_far, place = heapq.heappop(queue)
            if place in done:
                continue
            if place[0] == size:
                break
            done.add(place)
            before = came[place][1] if place[0] else None
            for stop, segment, price in self._from(place, before):
                onward = (stop, self._leads_on(segment))
                if so_far + price < cost.get(onward, _DROPPED * (size + 1)):
                    cost[onward] = so_far + price
                    came[onward] = place, segment
                    heapq.heappush(queue, (so_far + price, onward))
        found: list[Segment] = []
        while place[0]:
            place, segment = came[place]
            found.append(segment)
        return found[::-1]

    def _from(self, place: _Place, before: Segment | None) -> Iterator[tuple[int, Segment, int]]:
        at, barred = place
        phrases = self.matcher.phrases(at)
        after_reference = before is not None and before.kind == REFERENCE
        goes_on = after_reference and self._goes_on(at)
        for stop in sorted(phrases, reverse=True):
            if not goes_on or phrases[stop].complement:
                yield stop, self._segment(PHRASE, at, stop, phrases[stop]), _STEP + _LOOSE * phrases[stop].loose
        if not barred:
            for stop, pronoun in sorted(self._references(at).items(), reverse=True):
                # Two references side by side are one that the grammar can't read, or a word that is none.
                yield stop, self._segment(REFERENCE, at, stop, pronoun=pronoun), _STEP << after_reference
        yield at + 1, self._segment(UNREAD, at, at + 1), _DROPPED

    def _goes_on(self, at: int) -> bool:
        """Return whether what begins at token `at` could go on a reference before it."""
        first = self.words[at]
        if not is_unspaced(first):
            return first in self.book.goes_on
        return any(is_unspaced(word) and "".join(self.words[at : at + len(word)]) == word for word in self.book.goes_on)

    def _leads_on(self, segment: Segment) -> bool:
        """Return whether what a phrase and those before it say could qualify a reference right after it."""
        phrase = segment.phrase
        if phrase is None or phrase.complement or not self.book.leads_on:
            return False
        return phrase.loose or self.text[: segment.end].casefold().endswith(self.book.leads_on)

    def _references(self, at: int) -> dict[int, bool]:
        """Return where references that begin at token `at` end, each with whether it is a pronoun."""
        found: dict[int, bool] = {}
        for stop, nodes in self.chart.found(self.book.reference, at):
            classes = {self.classes[place] for place in _leaves(nodes)}
            if classes & self.book.nouns:
                found.setdefault(stop, False)
            elif classes & self.book.pronouns:
                found.setdefault(stop, True)
        return found

    def _segment(
        self, kind: str, at: int, stop: int, phrase: Phrase | None = None, *, pronoun: bool = False
    ) -> Segment:
        return Segment(kind, self.tokens[at].start, self.tokens[stop - 1].end, phrase, pronoun=pronoun)


def _widest(edges: Sequence[Edge]) -> Iterator[Edge]:
    """Yield the edges that are no part of a longer one: where no spaces part words, a word in a word is none."""
    for edge in edges:
        size = edge.stop - edge.start
        if not any(one.start <= edge.start and edge.stop <= one.stop and one.stop - one.start > size for one in edges):
            yield edge


def _leaves(nodes: Sequence[Node]) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, Branch):
            yield from _leaves(node.parts)
        else:
            yield node


def _doubted(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield the segments; a reference beside what is not understood is doubtful."""
    for at, segment in enumerate(segments):
        beside = [segments[place] for place in (at - 1, at + 1) if 0 <= place < len(segments)]
        doubtful = segment.kind == REFERENCE and any(one.kind == UNREAD for one in beside)
        yield replace(segment, doubtful=True) if doubtful else segment


def _merged(segments: Iterator[Segment]) -> Iterator[Segment]:
    """Yield the segments with unread words side by side as one."""
    last: Segment | None = None
    for segment in segments:
        if last is not None and last.kind == segment.kind == UNREAD:
            last = Segment(UNREAD, last.start, segment.end)
            continue
        if last is not None:
            yield last
        last = segment
    if last is not None:
        yield last
