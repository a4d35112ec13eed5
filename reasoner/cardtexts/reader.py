"""A whole card text read: every stretch of it is a reference, understood, ignored with a reason, or not understood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from reasoner.abilities.classify import HINT, REMINDER, Classifier
from reasoner.abilities.model import Bearer
from reasoner.cardtexts.govern import Governed, governed
from reasoner.cardtexts.meanings import Meaning
from reasoner.cardtexts.phrasebook import Phrasebook
from reasoner.cardtexts.roles import Roles
from reasoner.cardtexts.segments import REFERENCE, UNREAD, Segment, Segmenter
from reasoner.cardtexts.sentences import Mapped, cut
from reasoner.errors import TextError

UNDERSTOOD, POINTER, IGNORED = "understood", "pointer", "ignored"
BESIDE = "what stands beside it is not understood and may go on it"
KINDS = (REFERENCE, POINTER, UNDERSTOOD, IGNORED, UNREAD)


@dataclass(frozen=True)
class Sentence:
    """A sentence with its segments, and what governs the references among them. Places count in the sentence."""

    text: str
    segments: tuple[Segment, ...]
    governed: tuple[Governed, ...]

    @property
    def wordings(self) -> tuple[str, ...]:
        """The words of its references that are neither doubtful nor only point back."""
        return tuple(
            self.text[one.segment.start : one.segment.end]
            for one in self.governed
            if not one.segment.doubtful and not one.segment.pronoun
        )


@dataclass(frozen=True)
class Stretch:
    """Letters `start` to `end` of a card text: of one of KINDS, with a `reason` if ignored or not understood.

    Of a reference: its `wording`, its meaning, and its roles (relations, as IRIs) with the rules behind each.
    """

    kind: str
    start: int
    end: int
    reason: str = ""
    wording: str = ""
    meaning: Meaning | None = None
    roles: tuple[tuple[str, frozenset[str]], ...] = ()


@dataclass(frozen=True)
class CardText:
    """A text with its stretches in order, and its sentences: each with whether all of it is understood."""

    text: str
    stretches: tuple[Stretch, ...]
    sentences: tuple[tuple[str, bool], ...]

    @property
    def references(self) -> tuple[Stretch, ...]:
        """The stretches that are references."""
        return tuple(one for one in self.stretches if one.kind == REFERENCE)


class SentenceReader:
    """Reads sentences of one language, each once."""

    def __init__(self, segmenter: Segmenter, book: Phrasebook) -> None:
        self._segmenter = segmenter
        self._book = book
        self.known: dict[str, Sentence] = {}

    def __call__(self, text: str) -> Sentence:
        """Return the sentence with what is in it."""
        found = self.known.get(text)
        if found is None:
            segments = self._segmenter(text)
            found = self.known[text] = Sentence(text, segments, governed(text, segments, self._book))
        return found


@dataclass(frozen=True)
class Pieces:
    """A card text cut up: its `sentences`, and the stretches of it that are `ignored`."""

    text: str
    sentences: tuple[Mapped, ...]
    ignored: tuple[Stretch, ...]


def pieces_of(text: str, bearer: Bearer, classifier: Classifier, book: Phrasebook) -> Pieces:
    """Return the sentences of a card text, and its reminders and hints of another face."""
    hints = classifier.hints(text, bearer)
    found = cut(text, bearer.names, classifier.script, book, [(one.start, one.end) for one in hints])
    ignored = [Stretch(IGNORED, one.start, one.end, HINT) for one in hints]
    ignored += [Stretch(IGNORED, start, end, REMINDER) for start, end in found.reminders]
    return Pieces(text, found.sentences, tuple(ignored))


def read_pieces(
    pieces: Pieces, reader: SentenceReader, meant: Mapping[str, Meaning | TextError], roles: Roles
) -> CardText:
    """Return a text read; `meant` knows all wordings of its references."""
    stretches = list(pieces.ignored)
    told = []
    for mapped in pieces.sentences:
        sentence = reader(mapped.text)
        parts = list(_stretches(sentence, mapped, meant, roles))
        told.append((sentence.text, all(part.kind != UNREAD for part in parts)))
        stretches += parts
    return CardText(pieces.text, tuple(sorted(stretches, key=lambda one: (one.start, one.end))), tuple(told))


def _stretches(
    sentence: Sentence, mapped: Mapped, meant: Mapping[str, Meaning | TextError], roles: Roles
) -> Iterable[Stretch]:
    governing = {one.segment: one for one in sentence.governed}
    for segment in sentence.segments:
        start, end = mapped.span(segment.start, segment.end)
        plain = Stretch(UNDERSTOOD, start, end)
        if segment.kind == UNREAD:
            yield replace(plain, kind=UNREAD, reason="no phrase is known that says so")
        elif segment.kind != REFERENCE:
            yield plain
        elif segment.doubtful:
            yield replace(plain, kind=UNREAD, reason=BESIDE)
        elif segment.pronoun:
            yield replace(plain, kind=POINTER)
        else:
            wording = sentence.text[segment.start : segment.end]
            meaning = meant[wording]
            if isinstance(meaning, TextError):
                yield replace(plain, kind=UNREAD, reason=f"{meaning.code} {meaning.message}", wording=wording)
            else:
                one = governing[segment]
                setting = (frozenset(one.words), frozenset(one.parts), roles.narrowed(meaning.denoted))
                yield Stretch(REFERENCE, start, end, "", wording, meaning, tuple(roles.of(setting).items()))
