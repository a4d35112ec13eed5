"""What reading the texts of a game in one language takes, put together; and the work that can be shared out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter

from reasoner.abilities.classify import Classifier
from reasoner.abilities.model import Bearer
from reasoner.abilities.rulebook import FILE as RULEBOOK
from reasoner.abilities.rulebook import read_rulebook
from reasoner.abilities.script import read_script
from reasoner.cardtexts.meanings import Meaning, meanings
from reasoner.cardtexts.phrasebook import FILE, Phrasebook, read_phrasebook
from reasoner.cardtexts.reader import CardText, Sentence, SentenceReader, pieces_of, read_pieces
from reasoner.cardtexts.roles import Roles
from reasoner.cardtexts.segments import UNREAD, Segmenter
from reasoner.errors import TextError, UseError, close_to
from reasoner.knowledge.base import LATEST, KnowledgeBase, open_base
from reasoner.knowledge.tongues import Tongue
from reasoner.language.lexicon import Lexicon
from reasoner.language.tokens import plain_tokens
from reasoner.paths import Library
from reasoner.reference.interpret import Surroundings, pool_surroundings

Source = tuple[Library, str, str, str]  # of a workshop: the library, the game, the edition, the language
NOBODY = Bearer()
SENTENCES = f"{__name__}:read_sentences"
WORDINGS = f"{__name__}:mean_wordings"


@dataclass(frozen=True)
class Workshop:
    """Reads the card texts of a game in one language. Card names are no words of it, except after "named"."""

    base: KnowledgeBase
    tongue: Tongue
    book: Phrasebook
    classifier: Classifier

    @cached_property
    def reader(self) -> SentenceReader:
        """What reads sentences."""
        return SentenceReader(Segmenter(self.tongue, self.book), self.book)

    @cached_property
    def around(self) -> Surroundings:
        """Where references are interpreted: on no card in particular."""
        return pool_surroundings(self.base)

    @cached_property
    def roles(self) -> Roles:
        """What decides roles."""
        return Roles(self.base, self.around)

    @cached_property
    def meant(self) -> dict[str, Meaning | TextError]:
        """What the wordings of references mean that have come up so far."""
        return {}

    def read(self, text: str, bearer: Bearer = NOBODY) -> CardText:
        """Return the text of a card (of which nothing more need be known) read."""
        pieces = pieces_of(text, bearer, self.classifier, self.book)
        found = [self.reader(one.text) for one in pieces.sentences]
        new = [wording for sentence in found for wording in sentence.wordings if wording not in self.meant]
        self.meant.update(meanings(new, self.tongue, self.base, self.around))
        return read_pieces(pieces, self.reader, self.meant, self.roles)

    @property
    def source(self) -> Source:
        """What another process needs to make the same workshop."""
        return self.base.library, self.base.game, self.base.edition, self.tongue.language.code


def readable(library: Library, game: str) -> tuple[str, ...]:
    """Return the languages in which whole card texts of `game` can be read, by code."""
    if not (library.game(game) / RULEBOOK).is_file():
        return ()
    return tuple(sorted(path.parent.name for path in (library.data / "languages").glob(f"*/{FILE}")))


def check_readable(library: Library, game: str) -> None:
    """Raise UseError U119 if no whole card texts of `game` can be read."""
    if not readable(library, game):
        raise UseError(
            "U119",
            f"whole card texts of '{game}' can't be read",
            hint=f"that takes data/{game}/{RULEBOOK} and data/languages/LANGUAGE/{FILE}",
        )


def workshop_for(base: KnowledgeBase, language: str | None = None) -> Workshop:
    """Return the workshop of `base` for a language, made once; by default for the first in which texts can be read.

    Raises:
        UseError: U119 whole texts in that language can't be read.
        DataError: D702, D806 a file on it is wrong.
    """
    code = language or next(iter(_readable_in(base)), base.language.code)
    kept = base.kept.get(("workshop", code))
    if not isinstance(kept, Workshop):
        kept = base.kept["workshop", code] = open_workshop(base, code)
    return kept


def read_text(base: KnowledgeBase, text: str, language: str | None = None) -> tuple[Workshop, CardText]:
    """Return a text read, and the workshop that read it: in `language`, or in the one in which least is left over.

    Raises:
        TextError: T105 the text has no words.
        UseError: U119 whole texts in that language can't be read.
        DataError: D702, D806 a file on it is wrong.
    """
    if not any(token.is_word for token in plain_tokens(text)):
        raise TextError("T105", "the text has no words")
    tried: list[tuple[int, Workshop, CardText]] = []
    for code in (language,) if language else _readable_in(base) or (None,):
        workshop = workshop_for(base, code)
        found = workshop.read(text)
        left = sum(one.end - one.start for one in found.stretches if one.kind == UNREAD)
        tried.append((left, workshop, found))
        if not left:
            break
    return min(tried, key=itemgetter(0))[1:]


def open_workshop(base: KnowledgeBase, language: str) -> Workshop:
    """Return the workshop for the texts of the game of `base` in `language`.

    Raises:
        UseError: U119 whole texts in that language can't be read.
        DataError: D702, D806 a file on it is wrong.
    """
    known = _readable_in(base)
    if language not in known:
        raise UseError(
            "U119",
            f"whole card texts of '{base.game}' in '{language}' can't be read",
            suggestions=close_to(language, known),
            hint=f"languages: {', '.join(known)}" if known else f"write data/languages/{language}/{FILE}",
        )
    folder = base.library.data / "languages" / language
    tongue = next(one for one in base.tongues if one.language.code == language)
    words = replace(tongue, lexicon=Lexicon(entry for entry in tongue.lexicon.entries if entry.name is None))
    rulebook = read_rulebook(base.library.game(base.game), base.vocabulary)
    classifier = Classifier(rulebook, read_script(folder))
    return Workshop(base, words, read_phrasebook(folder, base.vocabulary.prefixes), classifier)


def _readable_in(base: KnowledgeBase) -> list[str]:
    """Return the languages in which whole card texts can be read, in the order of those of the cards."""
    can_read = readable(base.library, base.game)
    return [tongue.language.code for tongue in base.tongues if tongue.language.code in can_read]


def read_sentences(source: Source, texts: Sequence[str]) -> list[Sentence]:
    """Return the sentences with these texts, read."""
    reader = _opened(source).reader
    return [reader(text) for text in texts]


def mean_wordings(source: Source, wordings: Sequence[str]) -> list[Meaning | TextError]:
    """Return what each wording means, or why it can't be read."""
    workshop = _opened(source)
    found = meanings(wordings, workshop.tongue, workshop.base, workshop.around)
    return [found[wording] for wording in wordings]


def _opened(source: Source) -> Workshop:
    library, game, edition, language = source
    return open_workshop(open_base(library, game, None if edition == LATEST else edition), language)
