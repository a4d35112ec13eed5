"""What the author of a card text may want to know of it: what each reference means, and how other cards word that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reasoner.cardtexts.reader import CardText, Stretch
from reasoner.cardtexts.segments import UNREAD
from reasoner.cardtexts.workshop import Workshop
from reasoner.language.grammar import read
from reasoner.operations.pooltexts import PoolTexts
from reasoner.reference.interpret import interpret
from reasoner.reference.mentiongraph import NOWHERE
from reasoner.reference.wording import say
from reasoner.terms.namespaces import core

_COUNTING = {core(name).value for name in ("DeterminerWord", "NumberWord", "TargetWord", "OtherWord", "VariableWord")}


class Near(NamedTuple):
    """A reference on printed cards: its commonest wording, the number of places, and the number of cards it means."""

    wording: str
    places: int
    cards: int


@dataclass(frozen=True)
class Linted:
    """A reference of the text: what it comes to, and what is printed alike.

    `certain` and `possible` are numbers of cards; `equal` are wordings of the same on printed cards, the commonest
    first; `containing` and `contained` references of more and of fewer cards, the nearest first. `house` is the
    commonest wording, if that is another; `readings` are all ways to read the words, if there are several.
    """

    stretch: Stretch
    words: str
    certain: int
    possible: int
    equal: tuple[Near, ...]
    containing: tuple[Near, ...]
    contained: tuple[Near, ...]
    house: str
    readings: tuple[str, ...]


@dataclass(frozen=True)
class Lint:
    """A text with its references, and the stretches of it that are not understood."""

    text: CardText
    references: tuple[Linted, ...]
    unread: tuple[Stretch, ...]

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to mend."""
        return not self.unread and not any(one.house or one.readings or not one.possible for one in self.references)


def lint(text: str, workshop: Workshop, texts: PoolTexts, few: int = 3) -> Lint:
    """Return what is to be known of a card text, or of a single phrase, among the printed texts of a pool."""
    found = workshop.read(text)
    references = tuple(_linted(one, workshop, texts, few) for one in found.references)
    return Lint(found, references, tuple(one for one in found.stretches if one.kind == UNREAD))


def _linted(stretch: Stretch, workshop: Workshop, texts: PoolTexts, few: int) -> Linted:
    assert stretch.meaning is not None
    selector, code = stretch.meaning.selector, workshop.tongue.language.code
    certain, possible = texts.answers(selector)
    same = [one for one in texts.wordings.get(texts.iri(selector), ()) if one[0] == code]
    wider, narrower = _around(possible, texts, code, few)
    return Linted(
        stretch,
        texts.words.get(texts.iri(selector)) or say(selector, workshop.base.vocabulary, workshop.base.language.code),
        certain.bit_count(),
        possible.bit_count(),
        tuple(Near(words, places, possible.bit_count()) for _, words, places in same[:few]),
        wider,
        narrower,
        _house(stretch.wording, same, workshop),
        _readings(stretch.wording, workshop),
    )


def _house(wording: str, same: Sequence[tuple[str, str, int]], workshop: Workshop) -> str:
    """Return the commonest wording, if `wording` differs in more than how many are meant, and is much rarer."""
    if not same:
        return ""
    _, usual, number = same[0]
    own = sum(places for _, words, places in same if _content(words, workshop) == _content(wording, workshop))
    return usual if number > 2 * own else ""


def _content(wording: str, workshop: Workshop) -> frozenset[str]:
    """Return the words of a wording that say more than how many are meant."""
    reading = read(wording, workshop.tongue.lexicon, workshop.tongue.language)[0]
    words = [word for mention in reading.alternatives for word in mention.words]
    return frozenset(word.lexeme for word in words if not _COUNTING.issuperset(word.can_denote))


def _around(mine: int, texts: PoolTexts, code: str, few: int) -> tuple[tuple[Near, ...], tuple[Near, ...]]:
    """Return the nearest references that mean more cards, and fewer cards, than those cards."""
    wider: list[tuple[int, Near]] = []
    narrower: list[tuple[int, Near]] = []
    for reference, selector in texts.selectors.items():
        _, theirs = texts.answers(selector)
        if theirs == mine or not theirs:
            continue
        if mine & ~theirs == 0 or theirs & ~mine == 0:
            wordings = [one for one in texts.wordings[reference] if one[0] == code]
            if wordings:
                near = Near(wordings[0][1], sum(one[2] for one in wordings), theirs.bit_count())
                (wider if mine & ~theirs == 0 else narrower).append(((theirs ^ mine).bit_count(), near))
    wider.sort(key=lambda one: (one[0], -one[1].places, one[1].wording))
    narrower.sort(key=lambda one: (one[0], -one[1].places, one[1].wording))
    return tuple(near for _, near in wider[:few]), tuple(near for _, near in narrower[:few])


def _readings(wording: str, workshop: Workshop) -> tuple[str, ...]:
    """Return what each way to read a wording comes to, if there are several that differ."""
    base, tongue = workshop.base, workshop.tongue
    said: dict[str, None] = {}
    for reading in read(wording, tongue.lexicon, tongue.language):
        for one in interpret(reading, NOWHERE, base, workshop.around).interpretations:
            said[say(one.selector, base.vocabulary, base.language.code)] = None
    return tuple(said) if len(said) > 1 else ()
