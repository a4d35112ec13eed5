"""All that the texts of a game's cards, or of an imported pool, speak of: references, where they stand, what is unread.

It is kept as an SQLite database, made once and keyed by the content of everything it was made from.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import pyoxigraph as ox

from reasoner.cardtexts.bearers import Borne, borne_texts, printed_cards
from reasoner.cardtexts.meanings import Meaning
from reasoner.cardtexts.reader import BESIDE, KINDS, pieces_of, read_pieces
from reasoner.cardtexts.segments import UNREAD
from reasoner.cardtexts.workshop import SENTENCES, WORDINGS, Workshop, open_workshop, readable
from reasoner.errors import TextError
from reasoner.knowledge import cache
from reasoner.knowledge.base import LATEST, base_key, open_base
from reasoner.knowledge.pools import Pool
from reasoner.parallel import LEAST_ITEMS, MOST_ITEMS, spread
from reasoner.paths import Library
from reasoner.reference.selector import Selector
from reasoner.reference.selectordata import from_data, reference_iri, to_data
from reasoner.reference.wording import say

_FILE = "texts.sqlite"
_SCHEMA = """
CREATE TABLE reference (id TEXT PRIMARY KEY, selector TEXT, words TEXT);
CREATE TABLE occurrence (reference TEXT, card TEXT, bearer TEXT, language TEXT, wording TEXT, start INTEGER,
  end INTEGER, roles TEXT);
CREATE INDEX of_reference ON occurrence (reference);
CREATE INDEX of_card ON occurrence (card);
CREATE TABLE sentence (language TEXT, text TEXT, number INTEGER, understood INTEGER);
CREATE TABLE text (language TEXT, bearer TEXT, understood INTEGER);
CREATE TABLE unread (language TEXT, words TEXT, number INTEGER, sample TEXT);
CREATE TABLE stretch (language TEXT, kind TEXT, number INTEGER);
"""


class Occurrence(NamedTuple):
    """Where a reference stands: on a card (or face, `bearer`), in a language, with these words, at these letters.

    `roles` are the relations, as IRIs, in which the text stands to what it refers to.
    """

    reference: str
    card: str
    bearer: str
    language: str
    wording: str
    start: int
    end: int
    roles: tuple[str, ...]


class Coverage(NamedTuple):
    """How much of the texts in a language is understood; `sentences` and `understood` count repetitions.

    `stretches` are the numbers of stretches by kind, `read_texts` the texts of which nothing is left over, `distinct`
    the references that differ in what they select.
    """

    language: str
    texts: int
    read_texts: int
    sentences: int
    understood: int
    stretches: dict[str, int]
    distinct: int


class Unread(NamedTuple):
    """Words that no phrase accounts for: how often they stand somewhere, and a sentence in which they do."""

    words: str
    number: int
    sample: str


class Collection:
    """The references of a game's cards, and how much of their texts is read."""

    def __init__(self, data: bytes) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.deserialize(data)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the texts, by code."""
        return tuple(code for (code,) in self._rows("SELECT DISTINCT language FROM text ORDER BY language"))

    def selectors(self) -> dict[str, Selector]:
        """Return what each reference selects, by its IRI."""
        rows = self._rows("SELECT id, selector FROM reference ORDER BY id")
        return {iri: from_data(json.loads(data)) for iri, data in rows}

    def words(self) -> dict[str, str]:
        """Return what each reference selects in plain English, by its IRI."""
        return dict(self._rows("SELECT id, words FROM reference ORDER BY id"))

    def on_card(self, card: str) -> list[Occurrence]:
        """Return the references in the texts of a card, in the order of the texts."""
        return list(self._occurrences("WHERE card = ?", card))

    def of_reference(self, reference: str) -> list[Occurrence]:
        """Return where a reference stands."""
        return list(self._occurrences("WHERE reference = ?", reference))

    def occurrences(self) -> Iterator[Occurrence]:
        """Yield all places of all references."""
        return self._occurrences("")

    def wordings(self) -> list[tuple[str, str, str, int]]:
        """Return (reference, language, wording, number of places), the commonest wording of a reference first."""
        counted = "SELECT reference, language, wording, count(*) FROM occurrence GROUP BY 1, 2, 3"
        return [(row[0], row[1], row[2], row[3]) for row in self._rows(f"{counted} ORDER BY 1, 2, 4 DESC, 3")]

    def coverage(self, language: str) -> Coverage:
        """Return how much of the texts in `language` is understood."""
        ((texts, read),) = self._rows("SELECT count(*), total(understood) FROM text WHERE language = ?", language)
        ((sentences, understood),) = self._rows(
            "SELECT total(number), total(number * understood) FROM sentence WHERE language = ?", language
        )
        counted = dict(self._rows("SELECT kind, number FROM stretch WHERE language = ?", language))
        ((distinct,),) = self._rows("SELECT count(DISTINCT reference) FROM occurrence WHERE language = ?", language)
        stretches = {kind: counted.get(kind, 0) for kind in KINDS}
        return Coverage(language, texts, int(read), int(sentences), int(understood), stretches, distinct)

    def bearers(self, language: str) -> dict[str, bool]:
        """Return the cards and faces (IRIs) with a text in `language`, each with whether all of it is understood.

        Of several texts of one bearer all count.
        """
        rows = self._rows(
            "SELECT bearer, min(understood) FROM text WHERE language = ? GROUP BY bearer ORDER BY bearer", language
        )
        return {bearer: bool(understood) for bearer, understood in rows}

    def unread(self, language: str, most: int) -> list[Unread]:
        """Return the commonest words that are not understood in texts in `language`."""
        query = "SELECT words, number, sample FROM unread WHERE language = ? ORDER BY number DESC, words LIMIT ?"
        return [Unread(*row) for row in self._rows(query, language, most)]

    def _occurrences(self, where: str, *values: str) -> Iterator[Occurrence]:
        query = f"SELECT * FROM occurrence {where} ORDER BY card, bearer, language, start, end"
        return (Occurrence._make((*row[:-1], tuple(json.loads(row[-1])))) for row in self._rows(query, *values))

    def _rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        return self._database.execute(query, values)


def open_collection(
    library: Library, game: str, as_of: str | None = None, pool: Pool | None = None, *, alone: bool = False
) -> Collection:
    """Return what the texts of `game`, and of an imported `pool`, speak of; from the cache if nothing has changed.

    `alone`: all of the work is done in this process.

    Raises:
        CardloreError: whatever is wrong with the game's files, or with the pool.
    """
    edition = as_of or LATEST
    key = f"{base_key(library, game, edition, pool)}-texts"
    stored = cache.load(key, (_FILE,))
    if stored is not None:
        try:
            return Collection(stored[_FILE])
        except sqlite3.Error:
            cache.forget(key)
    words = open_base(library, game, as_of)
    workshops = [open_workshop(words, code) for code in readable(library, game)]
    data = collect(workshops, printed_cards(words, pool), alone=alone)
    cache.save(key, {_FILE: data})
    return Collection(data)


def collect(workshops: Iterable[Workshop], cards: ox.Store, *, alone: bool = False) -> bytes:
    """Return the database of what the texts of all `cards` speak of, in the languages of the `workshops`."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_SCHEMA)
        texts = [(one, borne_texts(cards, one.base.game, [one.tongue.language.code])) for one in workshops]
        del cards  # all of a pool takes memory for long
        for workshop, borne in texts:
            _collect(workshop, borne, database, MOST_ITEMS if alone else LEAST_ITEMS)
        database.commit()
        return database.serialize()


def _collect(workshop: Workshop, texts: Sequence[Borne], database: sqlite3.Connection, least: int) -> None:
    code, base = workshop.tongue.language.code, workshop.base
    cut = [pieces_of(borne.text, borne.bearer, workshop.classifier, workshop.book) for borne in texts]
    distinct = sorted({one.text for pieces in cut for one in pieces.sentences})
    sentences = spread(SENTENCES, workshop.source, distinct, least)
    workshop.reader.known.update((sentence.text, sentence) for sentence in sentences)
    wordings = sorted({wording for sentence in sentences for wording in sentence.wordings})
    meanings = spread(WORDINGS, workshop.source, wordings, least)
    meant: dict[str, Meaning | TextError] = dict(zip(wordings, meanings, strict=True))
    named = {
        selector: reference_iri(base.game, selector)
        for selector in {one.selector for one in meant.values() if isinstance(one, Meaning)}
    }
    said: Counter[tuple[str, bool]] = Counter()
    unread: Counter[str] = Counter()
    samples: dict[str, str] = {}
    stretches: Counter[str] = Counter()
    for borne, pieces in zip(texts, cut, strict=True):
        found = read_pieces(pieces, workshop.reader, meant, workshop.roles)
        said.update(found.sentences)
        stretches.update(one.kind for one in found.stretches)
        whole = all(understood for _, understood in found.sentences)
        database.execute("INSERT INTO text VALUES (?, ?, ?)", (code, borne.iri, whole))
        for one in found.stretches:
            if one.kind == UNREAD and one.reason != BESIDE:
                words = borne.text[one.start : one.end].casefold()
                unread[words] += 1
                samples.setdefault(words, _around(borne.text, one.start, one.end))
            if one.meaning is not None:
                roles = json.dumps([role for role, _ in one.roles])
                place = (borne.card, borne.iri, code, one.wording, one.start, one.end, roles)
                row = (named[one.meaning.selector], *place)
                database.execute("INSERT INTO occurrence VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    database.executemany(
        "INSERT OR IGNORE INTO reference VALUES (?, ?, ?)",
        sorted(
            (iri, json.dumps(to_data(selector)), say(selector, base.vocabulary, base.language.code))
            for selector, iri in named.items()
        ),
    )
    rows = sorted((code, text, number, understood) for (text, understood), number in said.items())
    database.executemany("INSERT INTO sentence VALUES (?, ?, ?, ?)", rows)
    database.executemany(
        "INSERT INTO unread VALUES (?, ?, ?, ?)",
        sorted((code, words, number, samples[words]) for words, number in unread.items()),
    )
    database.executemany("INSERT INTO stretch VALUES (?, ?, ?)", sorted((code, *one) for one in stretches.items()))


def _around(text: str, start: int, end: int) -> str:
    """Return the line in which letters stand."""
    return text[text.rfind("\n", 0, start) + 1 :].split("\n")[0] if end else text
