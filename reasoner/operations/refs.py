"""What a card refers to, and which cards refer to it, in which roles: over all texts of a pool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reasoner.cardtexts.collection import Occurrence
from reasoner.index.extension import members
from reasoner.operations.pooltexts import PoolTexts
from reasoner.reference.answer import WHEN, YES


@dataclass(frozen=True)
class RefersTo:
    """A reference in a text of the card: where, in which roles, what it comes to, and how many cards it means.

    `certain` cards are meant whatever the state of the game, `possible` ones in some; `first` are a few of their names.
    """

    occurrence: Occurrence
    words: str
    certain: int
    possible: int
    first: tuple[str, ...]


@dataclass(frozen=True)
class ReferredBy:
    """A reference that means the card, and the cards on which it stands, by role (an IRI; "" for none)."""

    reference: str
    wording: str
    words: str
    answer: str
    cards: dict[str, tuple[str, ...]]

    @property
    def number(self) -> int:
        """The number of cards that refer so."""
        return len({card for cards in self.cards.values() for card in cards})


def refers_to(texts: PoolTexts, card: str, languages: Iterable[str], few: int = 5) -> list[RefersTo]:
    """Return what the texts of `card` (an IRI) in `languages` refer to, in the order of the texts."""
    wanted = frozenset(languages)
    found = []
    for one in texts.collection.on_card(card):
        if one.language in wanted:
            certain, possible = texts.answers(texts.selectors[one.reference])
            numbers = [number for number, _ in zip(members(possible), range(few), strict=False)]
            first = tuple(texts.index.names[number] for number in numbers)
            words = texts.words[one.reference]
            found.append(RefersTo(one, words, certain.bit_count(), possible.bit_count(), first))
    return found


def referred_by(texts: PoolTexts, card: str, languages: Iterable[str]) -> list[ReferredBy]:
    """Return the references that mean `card` (an IRI) or may, the narrowest first: those that mean the fewest cards."""
    languages = tuple(languages)
    bit = 1 << texts.number_of(card)
    found: list[tuple[int, ReferredBy]] = []
    for reference, selector in texts.selectors.items():
        certain, possible = texts.answers(selector)
        if not possible & bit:
            continue
        cards: dict[str, dict[str, None]] = {}
        for one in texts.collection.of_reference(reference):
            if one.language in languages and one.card != card:
                for role in one.roles or ("",):
                    cards.setdefault(role, {})[one.card] = None
        if cards:
            said = ReferredBy(
                reference,
                texts.usual(reference, languages[0]),
                texts.words[reference],
                YES if certain & bit else WHEN,
                {role: tuple(several) for role, several in sorted(cards.items())},
            )
            found.append((possible.bit_count(), said))
    return [one for _, one in sorted(found, key=lambda pair: (pair[0], pair[1].wording))]
