"""What a sentence may go on with at each of its places: phrases, and references.

That depends only on the words from there on, as far as phrasebook and grammar look. So it is kept by these words, for
all sentences that go on alike: nine of ten places of a game's texts, or more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from reasoner.cardtexts.phrasebook import Matcher, Phrase, Phrasebook
from reasoner.language.grammar import terminal_of
from reasoner.language.lattice import Edge
from reasoner.language.ordered import Branch, Chart, Node, OrderedParser, Ray
from reasoner.language.spots import Spot, Spots
from reasoner.language.tokens import Token, is_unspaced

MOST_KEPT: Final = 2_000_000  # steps of the tree of words: some 200 MB
_BITS: Final = 20
_END: Final = 0

_Use = tuple[str, str, int]  # a word that may begin at a place: its grammar class, its terminal, how many tokens it has
_Kind = tuple[str, tuple[_Use, ...]]  # all that can be told of a place: the token, and what may begin with it


class Onward(NamedTuple):
    """The `phrases` and `references` from a place on, each with its number of tokens, the longest first.

    A reference comes with whether it is a pronoun.
    """

    phrases: tuple[tuple[int, Phrase], ...]
    references: tuple[tuple[int, bool], ...]


class Places:
    """Finds what may stand where in sentences of one language."""

    def __init__(self, spots: Spots, parser: OrderedParser, book: Phrasebook) -> None:
        self.parser = parser
        self.book = book
        self._spots = spots
        self._forget()

    def of(self, tokens: Sequence[Token]) -> Row:
        """Return the places of a sentence."""
        if len(self._tree) > MOST_KEPT or len(self._kinds) >= 1 << _BITS:
            self._forget()
        unspaced = any(is_unspaced(token.text) for token in tokens)
        numbers: list[int] = []
        far = 0
        for at, (token, spot) in enumerate(zip(tokens, self._spots(tokens), strict=True)):
            end = at + spot.length
            if not spot.edges or (unspaced and end <= far):  # without spaces, a word in a word is none
                number = self._number((token.text.casefold(), ()))
            else:
                known = self._of_spot.get((spot, unspaced))
                if known is None:
                    uses = tuple(self._use(edge) for edge in spot.edges if not unspaced or edge.stop == spot.length)
                    known = self._of_spot[spot, unspaced] = self._number((token.text.casefold(), uses))
                number = known
            far = max(far, end)
            numbers.append(number)
        return Row(self, numbers, [self._kinds[number] for number in numbers])

    def onward(self, row: Row, at: int) -> Onward:
        """Return what may stand in a sentence from token `at` on."""
        numbers, tree = row.numbers, self._tree
        node = 0
        for place in range(at, len(numbers)):
            found = tree.get(node << _BITS | numbers[place])
            if found is None:
                break
            if isinstance(found, Onward):
                return found
            node = found
        onward, seen = row.read(at)
        node = 0
        for place in range(at, seen):
            step = node << _BITS | numbers[place]
            found = tree.get(step)
            if found is None:
                self._nodes += 1
                found = tree[step] = self._nodes
            assert not isinstance(found, Onward)
            node = found
        tree[node << _BITS | numbers[seen]] = onward
        return onward

    def _forget(self) -> None:
        self._numbers: dict[_Kind, int] = {}
        self._kinds: list[_Kind] = [("", ())]
        self._of_spot: dict[tuple[Spot, bool], int] = {}
        # A tree of words: by the number of a node and that of a kind, the node to which it leads, or what is found.
        self._tree: dict[int, int | Onward] = {}
        self._nodes = 0

    def _number(self, kind: _Kind) -> int:
        number = self._numbers.get(kind)
        if number is None:
            number = self._numbers[kind] = len(self._kinds)
            self._kinds.append(kind)
        return number

    def _use(self, edge: Edge) -> _Use:
        return edge.entry.grammar_class, terminal_of(edge, self.parser.terminals), edge.stop


class Row:
    """The places of one sentence, by number and in full. What the tree does not know is read here."""

    def __init__(self, places: Places, numbers: Sequence[int], kinds: Sequence[_Kind]) -> None:
        self.numbers = (*numbers, _END)
        self._places = places
        self._kinds = kinds

    def read(self, at: int) -> tuple[Onward, int]:
        """Return what may stand from token `at` on, and the last place on which that depends."""
        self._matcher.seen = self._chart.seen = at
        phrases = sorted(self._matcher.phrases(at).items(), key=lambda one: -one[0])
        references = sorted(self._references(at).items(), reverse=True)
        onward = Onward(
            tuple((stop - at, phrase) for stop, phrase in phrases),
            tuple((stop - at, pronoun) for stop, pronoun in references),
        )
        return onward, max(self._matcher.seen, self._chart.seen)

    def _references(self, at: int) -> dict[int, bool]:
        """Return where references that begin at token `at` end, each with whether it is a pronoun."""
        book = self._places.book
        found: dict[int, bool] = {}
        for stop, nodes in self._chart.found(book.reference, at):
            if stop not in found:
                classes = {self._classes[place] for place in _leaves(nodes)}
                if classes & book.nouns:
                    found.setdefault(stop, False)
                elif classes & book.pronouns:
                    found.setdefault(stop, True)
        return found

    @cached_property
    def _rays(self) -> list[Ray]:
        return [
            Ray(at, at + length, terminal) for at, (_, uses) in enumerate(self._kinds) for _, terminal, length in uses
        ]

    @cached_property
    def _classes(self) -> list[str]:
        return [name for _, uses in self._kinds for name, _, _ in uses]

    @cached_property
    def _chart(self) -> Chart:
        return self._places.parser.chart(self._rays)

    @cached_property
    def _matcher(self) -> Matcher:
        classes = [
            dict.fromkeys((word, at + length) for name, terminal, length in uses for word in (name, terminal))
            for at, (_, uses) in enumerate(self._kinds)
        ]
        return Matcher(self._places.book, [word for word, _ in self._kinds], classes)


def _leaves(nodes: Sequence[Node]) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, Branch):
            yield from _leaves(node.parts)
        else:
            yield node
