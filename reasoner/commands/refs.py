"""`cardlore refs`: what a card refers to, and which cards refer to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reasoner.commands.texts import LANGUAGE, chosen_languages, open_pool_texts
from reasoner.options import AS_OF, GAME, POOL, form_option
from reasoner.render.rows import Format

if TYPE_CHECKING:
    from reasoner.operations.pooltexts import PoolTexts


@click.command()
@GAME
@click.argument("card", metavar="CARD")
@click.option("--top", "-n", type=click.IntRange(min=0), default=20, metavar="N", help="How many references to list.")
@LANGUAGE
@POOL
@AS_OF
@form_option()
def refs(game: str, card: str, top: int, language: str | None, as_of: str | None, form: Format) -> None:
    """Tell what the text of a card refers to, and which texts of other cards refer to it, in which roles.

    Of what refers to the card, the references that mean the fewest cards come first.
    """
    texts = open_pool_texts(game, as_of)
    languages = chosen_languages(texts.collection, language)
    _print(texts, texts.index.card(card), languages, top, form)


def _print(texts: PoolTexts, card: str, languages: tuple[str, ...], top: int, form: Format) -> None:
    from reasoner.operations.refs import referred_by, refers_to
    from reasoner.render.console import print_json
    from reasoner.render.rows import print_rows

    vocabulary = texts.index.base.vocabulary
    own = refers_to(texts, card, languages)
    others = referred_by(texts, card, languages)
    if form is Format.JSON:
        print_json(
            {
                "card": card,
                "refers_to": [
                    {
                        "language": one.occurrence.language,
                        "text": one.occurrence.wording,
                        "span": [one.occurrence.start, one.occurrence.end],
                        "reference": one.occurrence.reference,
                        "roles": list(one.occurrence.roles),
                        "words": one.words,
                        "certain": one.certain,
                        "possible": one.possible,
                    }
                    for one in own
                ],
                "referred_by": [
                    {
                        "reference": one.reference,
                        "text": one.wording,
                        "words": one.words,
                        "answer": one.answer,
                        "cards": {role: list(cards) for role, cards in one.cards.items()},
                    }
                    for one in others
                ],
            }
        )
        return
    rows: list[tuple[Any, ...]] = []
    for mine in own:
        roles = ", ".join(vocabulary.label(role, "en") for role in mine.occurrence.roles)
        shown = ", ".join(mine.first) + (", …" if mine.possible > len(mine.first) else "")
        rows.append((mine.occurrence.language, mine.occurrence.wording, roles, mine.possible, shown))
    if rows or form is not Format.TABLE:
        print_rows(
            ("language", "refers to", "roles", "cards", "such as"), rows, form, f"{texts.names[card]} refers to:"
        )
    else:
        click.echo(f"{texts.names[card]} refers to nothing.")
    click.echo()
    rows = []
    for one in others[:top]:
        roles = ", ".join(vocabulary.label(role, "en") for role in one.cards if role)
        cards = list(dict.fromkeys(texts.names[card] for several in one.cards.values() for card in several))
        shown = ", ".join(cards[:3]) + (", …" if len(cards) > 3 else "")
        rows.append((one.wording, one.answer, roles, one.number, shown))
    title = f"Referred to by {len(others)} references" + (f", the {top} narrowest:" if len(others) > top else ":")
    print_rows(("reference", "answer", "roles", "on cards", "such as"), rows, form, title)
