"""What the commands about whole card texts share: the texts of a game or pool, and what reads others like them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reasoner.options import chosen_pool

if TYPE_CHECKING:
    from reasoner.cardtexts.collection import Collection
    from reasoner.knowledge.pools import Pool
    from reasoner.operations.pooltexts import PoolTexts

LANGUAGE = click.option("--lang", "-l", "language", metavar="LANGUAGE", help="Only texts in this language.")


def open_texts(game: str, as_of: str | None) -> Collection:
    """Return what the texts of the cards speak of.

    Raises:
        UseError: U119 the game has no texts that can be read.
    """
    return _collection(game, as_of, _pool(game))


def open_pool_texts(game: str, as_of: str | None) -> PoolTexts:
    """Return the same together with the cards that are meant.

    Raises:
        UseError: U119 the game has no texts that can be read.
    """
    from reasoner.index.opening import open_index
    from reasoner.operations.pooltexts import PoolTexts
    from reasoner.paths import library

    pool = _pool(game)
    collection = _collection(game, as_of, pool)
    return PoolTexts(open_index(library(), game, as_of, pool), collection)


def _pool(game: str) -> Pool | None:
    from reasoner.knowledge.pools import opened
    from reasoner.paths import library

    return opened(library(), game, chosen_pool())


def _collection(game: str, as_of: str | None, pool: Pool | None) -> Collection:
    from reasoner.cardtexts.collection import open_collection
    from reasoner.cardtexts.workshop import check_readable
    from reasoner.paths import library

    here = library()
    check_readable(here, game)
    return open_collection(here, game, as_of, pool)


def chosen_languages(collection: Collection, language: str | None) -> tuple[str, ...]:
    """Return the languages that are asked about.

    Raises:
        UseError: U119 there are no texts in the one that is named.
    """
    from reasoner.errors import UseError, close_to

    known = collection.languages
    if language is None:
        return known
    if language not in known:
        raise UseError(
            "U119",
            f"there are no texts in '{language}'",
            suggestions=close_to(language, known),
            hint=f"languages of the texts: {', '.join(known) or 'none'}",
        )
    return (language,)
