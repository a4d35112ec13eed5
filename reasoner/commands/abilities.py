"""`cardlore abilities`: which abilities a card has, or a text holds, of which kinds, and where they work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reasoner.loading import load_game
from reasoner.options import AS_OF, GAME, POOL, form_option
from reasoner.render.rows import Format

if TYPE_CHECKING:
    from reasoner.abilities.model import Where
    from reasoner.knowledge.vocabulary import Vocabulary
    from reasoner.operations.abilities import Found


@click.command("abilities")
@GAME
@click.argument("what", metavar="CARD|TEXT")
@click.option("--lang", "-l", "language", metavar="LANGUAGE", help="Only texts in this language; or that of TEXT.")
@click.option("--type", "-t", "types", metavar="TYPE", multiple=True, help="A type of the card on which TEXT stands.")
@POOL
@AS_OF
@form_option()
def list_abilities(
    game: str, what: str, language: str | None, types: tuple[str, ...], as_of: str | None, form: Format
) -> None:
    """List the abilities of a card, or in the text of one, with their kinds and where they work.

    What stands in a text but is no ability, such as reminders, is listed as well, with the rule that says so.
    """
    from reasoner.operations.abilities import abilities

    base = load_game(game, as_of).base
    _print(game, what, abilities(base, what, language, types), base.vocabulary, form)


def _print(game: str, what: str, found: list[Found], vocabulary: Vocabulary, form: Format) -> None:
    from reasoner.render.console import print_json
    from reasoner.render.rows import print_rows

    texts = [_text(one, vocabulary) for one in found]
    if form is Format.JSON:
        print_json({"game": game, "asked": what, "texts": texts})
        return
    rows = []
    for text in texts:
        for item in sorted((*text["abilities"], *text["ignored"]), key=lambda item: item["span"]):
            where = "" if "reason" in item else ", ".join(item["works_in"])
            kind = f"none: {item['reason']}" if "reason" in item else ", ".join(item["kinds"])
            shown = item["text"].replace("\n", " / ")
            rules = ", ".join(item["rules"])
            rows.append((text["name"], text["language"], kind, item.get("keyword") or "", where, rules, shown))
    print_rows(("of", "language", "kind", "keyword", "works in", "rules", "text"), rows, form)


def _text(found: Found, vocabulary: Vocabulary) -> dict[str, Any]:
    text = found.anatomy.text
    return {
        "name": found.name,
        "language": found.language,
        "abilities": [
            {
                "kinds": [vocabulary.label(kind) for kind in one.kinds],
                "keyword": vocabulary.label(one.keyword) if one.keyword else None,
                "works_in": _where(one.where, vocabulary),
                "span": [one.start, one.end],
                "text": text[one.start : one.end],
                "rules": [_rule(rule, vocabulary) for rule in one.cites],
            }
            for one in found.anatomy.abilities
        ],
        "ignored": [
            {
                "reason": one.reason,
                "span": [one.start, one.end],
                "text": text[one.start : one.end],
                "rules": [_rule(one.cites, vocabulary)],
            }
            for one in found.anatomy.ignored
        ],
    }


def _where(where: Where, vocabulary: Vocabulary) -> list[str]:
    if where.everywhere:
        return ["everywhere"]
    return ["outside the game"] if where.outside else [vocabulary.label(zone) for zone in where.zones]


def _rule(iri: str, vocabulary: Vocabulary) -> str:
    return vocabulary.prefixes.shorten(iri)
