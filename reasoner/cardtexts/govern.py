"""Which words of a sentence govern which of its references, and in what part of the sentence each stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reasoner.cardtexts.phrasebook import Phrasebook
from reasoner.cardtexts.segments import REFERENCE, Segment


@dataclass(frozen=True)
class Governed:
    """A reference with the `words` that govern it and the `parts` of the sentence in which it stands, as IRIs."""

    segment: Segment
    words: tuple[str, ...]
    parts: tuple[str, ...]


def governed(text: str, segments: Sequence[Segment], book: Phrasebook) -> tuple[Governed, ...]:
    """Return the references among the `segments` of a sentence `text`.

    What is said before a reference governs it up to the last boundary, and what follows it up to the next reference,
    unless the words before stand right beside it and those after do not.
    """
    parts = _parts(text, segments, book)
    bounds = _bounds(text, segments, book)
    found = []
    for at, segment in enumerate(segments):
        if segment.kind != REFERENCE:
            continue
        left, beside_left = _left(segments, bounds, at)
        right, beside_right = _right(segments, bounds, at)
        # In "destroy it and a creature dies", what stands beside the reference has more say than what is further off.
        words = right if beside_right and not beside_left else (*left, *right) if beside_right else left or right
        found.append(Governed(segment, tuple(dict.fromkeys(words)), parts[at]))
    return tuple(found)


def _parts(text: str, segments: Sequence[Segment], book: Phrasebook) -> list[tuple[str, ...]]:
    """Return the parts in which each segment stands."""
    found: list[tuple[str, ...]] = []
    begun: str | None = None
    since = 0
    for at, segment in enumerate(segments):
        phrase = segment.phrase
        if phrase is not None and phrase.opens:
            begun = phrase.opens
        elif begun is not None and text[segment.start : segment.end] in book.closers and not _is_list(segments, at):
            begun = None
        found.append((begun,) if begun is not None else ())
        if phrase is not None and phrase.ends:
            for place in range(since, at):
                found[place] = tuple(dict.fromkeys((*found[place], phrase.ends)))
            since = at + 1
    return found


def _is_list(segments: Sequence[Segment], at: int) -> bool:
    """Return whether what stands at `at` joins two references, and closes nothing."""
    around = [segments[place] for place in (at - 1, at + 1) if 0 <= place < len(segments)]
    return len(around) == 2 and all(one.kind == REFERENCE for one in around)


def _bounds(text: str, segments: Sequence[Segment], book: Phrasebook) -> list[bool]:
    """Return which segments are boundaries: so marked, or the end of a part that was opened."""
    found: list[bool] = []
    opened = False
    for at, segment in enumerate(segments):
        phrase = segment.phrase
        closes = opened and text[segment.start : segment.end] in book.closers and not _is_list(segments, at)
        found.append(closes or (phrase is not None and (phrase.boundary or bool(phrase.ends))))
        opened = (opened and not closes) or (phrase is not None and bool(phrase.opens))
    return found


def _left(segments: Sequence[Segment], bounds: Sequence[bool], at: int) -> tuple[tuple[str, ...], bool]:
    """Return the word before that governs what stands at `at`, and whether it stands right beside it."""
    for place in range(at - 1, -1, -1):
        phrase = segments[place].phrase
        if bounds[place] and not (phrase and phrase.after):
            return (), False
        if phrase is not None and phrase.after:
            return (phrase.after,), place == at - 1
        if phrase is not None and phrase.before:
            return (), False
    return (), False


def _right(segments: Sequence[Segment], bounds: Sequence[bool], at: int) -> tuple[tuple[str, ...], bool]:
    """Return the words after that govern what stands at `at`, and whether the first stands right beside it."""
    words = list(_following(segments, bounds, at))
    return tuple(word for word, _ in words), bool(words) and words[0][1] == at + 1


def _following(segments: Sequence[Segment], bounds: Sequence[bool], at: int) -> Iterator[tuple[str, int]]:
    """Yield the words after what stands at `at` that govern it, each with its place."""
    for place in range(at + 1, len(segments)):
        phrase = segments[place].phrase
        if segments[place].kind == REFERENCE:
            onward = segments[place + 1].phrase if place + 1 < len(segments) else None
            if onward is not None and onward.beyond:
                yield onward.beyond, place + 1
        if phrase is None or (phrase.beyond and place == at + 1):
            return
        if phrase.before:
            yield phrase.before, place
        if phrase.after or bounds[place]:
            return
