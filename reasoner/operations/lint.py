"""What the author of a card text may want to know of it: what each reference means, and how other cards word that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reasoner.cardtexts.reader import CardText, Stretch
from reasoner.cardtexts.segments import UNREAD
from reasoner.cardtexts.workshop import Workshop
from reasoner.errors import TextError
from reasoner.language.grammar import read
from reasoner.language.tokens import normalise, plain_tokens
from reasoner.operations.pooltexts import PoolTexts
from reasoner.reference.interpret import interpret
from reasoner.reference.mentiongraph import NOWHERE
from reasoner.reference.wording import say
from reasoner.terms.namespaces import core

_COUNTING = {core(name).value for name in ("DeterminerWord", "NumberWord", "TargetWord", "OtherWord", "VariableWord")}


class Left(NamedTuple):
    """A stretch that is not understood, and words that may have been meant."""

    stretch: Stretch
    suggestions: tuple[str, ...]


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
    unread: tuple[Left, ...]

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to mend."""
        return not self.unread and not any(one.house or one.readings or not one.possible for one in self.references)


def lint(found: CardText, workshop: Workshop, texts: PoolTexts, few: int = 3) -> Lint:
    """Return what is to be known of a text or phrase that `workshop` has read, among the printed texts of a pool."""
    references = tuple(_linted(one, workshop, texts, few) for one in found.references)
    unread = (one for one in found.stretches if one.kind == UNREAD)
    return Lint(found, references, tuple(Left(one, _meant(one, found.text, workshop)) for one in unread))


def _meant(stretch: Stretch, text: str, workshop: Workshop) -> tuple[str, ...]:
    """Return known words that are close to the first unknown word of a stretch."""
    try:
        read(text[stretch.start : stretch.end], workshop.tongue.lexicon, workshop.tongue.language)
    except TextError as error:
        return tuple(error.suggestions) if error.code == "T101" else ()
    return ()


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
    content = _content(wording, workshop)
    own = sum(places for _, words, places in same if _content(words, workshop) == content)
    return usual if number > 2 * own else ""


def _content(wording: str, workshop: Workshop) -> tuple[str, ...]:
    """Return the words of a wording, in their basic forms, without those that only say how many are meant."""
    tongue = workshop.tongue
    text = normalise(wording)
    reading = read(text, tongue.lexicon, tongue.language)[0]
    words = {word.start: word for mention in reading.alternatives for word in mention.words}
    found: list[str] = []
    end = 0
    for token in tongue.language.divided(plain_tokens(text), tongue.lexicon):
        word = words.get(token.start)
        if word is not None:
            end = word.end
            if not _COUNTING.issuperset(word.can_denote):
                found.append(word.lexeme)
        elif token.start >= end:
            found.append(token.text.casefold())
    return tuple(found)


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
