"""A sentence cut into references, phrases and what is not understood, so that as little as possible is left over."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from reasoner.cardtexts.phrasebook import Phrase, Phrasebook
from reasoner.cardtexts.places import Places
from reasoner.knowledge.tongues import Tongue
from reasoner.language.ordered import OrderedParser
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

    def __call__(self, text: str) -> tuple[Segment, ...]:
        """Return the segments of a sentence, which together hold all of its words."""
        tokens = self._tongue.language.divided(plain_tokens(text), self._tongue.lexicon)
        if not tokens:
            return ()
        cut = _Sentence(text, tokens, self._places, self.book)
        return tuple(_merged(_doubted(cut.best())))

    @cached_property
    def _places(self) -> Places:
        language = self._tongue.language
        assert isinstance(language.parser, OrderedParser)
        return Places(language.spots(self._tongue.lexicon), language.parser, self.book)


class _Part(NamedTuple):
    """What a way through a sentence has last: from which place, and up to which token it is a phrase, or something."""

    came_from: _Place
    kind: str
    stop: int
    phrase: Phrase | None = None
    pronoun: bool = False


class _Sentence:
    def __init__(self, text: str, tokens: Sequence[Token], places: Places, book: Phrasebook) -> None:
        self.text = text
        self.tokens = tokens
        self.book = book
        self.places = places
        self.row = places.of(tokens)

    def best(self) -> list[Segment]:
        """Return the cheapest row of segments; of several, the one whose first segments are the longest."""
        size = len(self.tokens)
        # A place, and whether no reference may begin there, as what stands before it could qualify one.
        cost: dict[_Place, int] = {(0, False): 0}
        came: dict[_Place, _Part] = {}
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
            for onward, price, part in self._from(place, came.get(place)):
                if so_far + price < cost.get(onward, _DROPPED * (size + 1)):
                    cost[onward] = so_far + price
                    came[onward] = part
                    heapq.heappush(queue, (so_far + price, onward))
        found: list[Segment] = []
        while place[0]:
            part = came[place]
            place = part.came_from
            start, end = self.tokens[place[0]].start, self.tokens[part.stop - 1].end
            found.append(Segment(part.kind, start, end, part.phrase, pronoun=part.pronoun))
        return found[::-1]

    def _from(self, place: _Place, before: _Part | None) -> Iterator[tuple[_Place, int, _Part]]:
        """Yield where one more part may lead from a place, for what, and the part."""
        at, barred = place
        onward = self.places.onward(self.row, at)
        after_reference = before is not None and before.kind == REFERENCE
        goes_on = bool(onward.phrases) and after_reference and self._goes_on(at)
        for length, phrase in onward.phrases:
            if not goes_on or phrase.complement:
                stop = at + length
                price = _STEP + _LOOSE * phrase.loose
                yield (stop, self._leads_on(phrase, stop)), price, _Part(place, PHRASE, stop, phrase)
        if not barred:
            for length, pronoun in onward.references:
                # Two references side by side are one that the grammar can't read, or a word that is none.
                stop = at + length
                yield (stop, False), _STEP << after_reference, _Part(place, REFERENCE, stop, None, pronoun)
        yield (at + 1, False), _DROPPED, _Part(place, UNREAD, at + 1)

    def _goes_on(self, at: int) -> bool:
        """Return whether what begins at token `at` could go on a reference before it."""
        first = self.tokens[at].text.casefold()
        if not is_unspaced(first):
            return first in self.book.goes_on
        words = self.book.unspaced_to_go_on
        most = max(map(len, words), default=0)
        return "".join(token.text.casefold() for token in self.tokens[at : at + most]).startswith(words)

    def _leads_on(self, phrase: Phrase, stop: int) -> bool:
        """Return whether what a phrase and those before it say could qualify a reference right after it."""
        if phrase.complement or not self.book.leads_on:
            return False
        return phrase.loose or self.text[: self.tokens[stop - 1].end].casefold().endswith(self.book.leads_on)


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
