"""`cardlore coverage`: how much of the texts of cards is understood, and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reasoner.commands.texts import LANGUAGE, chosen_languages, open_texts
from reasoner.options import AS_OF, GAME, POOL, form_option
from reasoner.render.rows import Format

if TYPE_CHECKING:
    from reasoner.cardtexts.collection import Collection
    from reasoner.reference.selector import Selector

_COLUMNS = ("language", "texts", "read whole", "sentences", "understood", "share", "references", "distinct", "unread")


@click.command()
@GAME
@click.option("--card", "-c", metavar="CARD", help="Tell of the texts of this card, stretch by stretch.")
@click.option("--text", "-t", metavar="TEXT", help="Tell of this text.")
@click.option("--top", "-n", type=click.IntRange(min=0), default=20, metavar="N", help="How many phrases to list.")
@click.option("--against", metavar="LANGUAGE", help="Compare the texts of each card with those in this language.")
@LANGUAGE
@POOL
@AS_OF
@form_option()
def coverage(
    game: str,
    card: str | None,
    text: str | None,
    top: int,
    against: str | None,
    language: str | None,
    as_of: str | None,
    form: Format,
) -> None:
    """Tell how much of the texts of cards is understood, with the commonest phrases that are not.

    A sentence is understood if every word of it is: as part of a reference, or of a phrase that is none.
    """
    if card is not None or text is not None:
        _print_stretches(game, as_of, card, text, language, form)
        return
    collection = open_texts(game, as_of)
    if against is not None:
        _print_compared(game, as_of, collection, language, against, top, form)
        return
    _print_coverage(collection, chosen_languages(collection, language), top, form)


def _print_coverage(collection: Collection, languages: tuple[str, ...], top: int, form: Format) -> None:
    from reasoner.render.console import print_json
    from reasoner.render.rows import print_rows

    told = [collection.coverage(code) for code in languages]
    unread = {code: collection.unread(code, top) for code in languages}
    if form is Format.JSON:
        found = [one._asdict() | {"unread": [left._asdict() for left in unread[one.language]]} for one in told]
        print_json({"languages": found})
        return
    rows: list[tuple[str | int, ...]] = []
    for one in told:
        share = f"{100 * one.understood / one.sentences:.1f} %" if one.sentences else "-"
        counts = (one.stretches["reference"], one.distinct, one.stretches["unread"])
        rows.append((one.language, one.texts, one.read_texts, one.sentences, one.understood, share, *counts))
    print_rows(_COLUMNS, rows, form)
    left = [(code, one.words, one.number, one.sample) for code in languages for one in unread[code]]
    if left and form in (Format.TABLE, Format.MD):
        click.echo()
        print_rows(("language", "not understood", "times", "such as"), left, form)


def _print_compared(
    game: str, as_of: str | None, collection: Collection, language: str | None, against: str, top: int, form: Format
) -> None:
    from reasoner.errors import UseError
    from reasoner.knowledge.base import open_base
    from reasoner.operations.languages import compare_languages
    from reasoner.paths import library
    from reasoner.reference.wording import say
    from reasoner.render.console import print_json
    from reasoner.render.rows import print_rows

    base = open_base(library(), game, as_of)
    (one,) = chosen_languages(collection, language or base.language.code)
    (other,) = chosen_languages(collection, against)
    if one == other:
        raise UseError("U108", "a language can't be compared with itself", hint="name another with --lang")
    found = compare_languages(collection, one, other)
    start = len(base.iri.value) + len("/card/")
    # What both texts say in full comes first: the rest may differ by what is not understood.
    order = sorted(found.differing.items(), key=lambda pair: (not pair[1].whole, pair[0]))

    def said(side: tuple[Selector, ...]) -> list[str]:
        return [say(selector, base.vocabulary, base.language.code) for selector in side]

    counts = {"texts in both": len(found.bearers), "refer to the same": found.equal}
    counts |= {"both wholly read": len(found.whole), "and refer to the same": found.equal_whole}
    if form is Format.JSON:
        rows = [
            {"card": bearer[start:], "whole": what.whole, one: said(what.first), other: said(what.second)}
            for bearer, what in order
        ]
        print_json({"languages": [one, other], **counts, "differing": rows})
        return
    shares = [(name, number, _share(number, name, counts)) for name, number in counts.items()]
    print_rows(("", "cards and faces", "share"), shares, form)
    if order and top and form in (Format.TABLE, Format.MD):
        click.echo()
        cells = [
            (bearer[start:], "yes" if what.whole else "no", "; ".join(said(what.first)), "; ".join(said(what.second)))
            for bearer, what in order[:top]
        ]
        print_rows(("card", "both wholly read", f"only in {one}", f"only in {other}"), cells, form)


def _share(number: int, name: str, counts: dict[str, int]) -> str:
    of = {"refer to the same": "texts in both", "and refer to the same": "both wholly read"}.get(name)
    return f"{100 * number / counts[of]:.1f} %" if of and counts[of] else ""


def _print_stretches(
    game: str, as_of: str | None, card: str | None, text: str | None, language: str | None, form: Format
) -> None:
    from reasoner.cardtexts.workshop import read_text, workshop_for
    from reasoner.errors import UseError
    from reasoner.loading import load_game
    from reasoner.render.console import print_json
    from reasoner.render.rows import print_rows

    if card is not None and text is not None:
        raise UseError("U108", "a card and a text at once", hint="leave out --card or --text")
    base = load_game(game, as_of).base
    if text is not None:
        workshop, read = read_text(base, text, language)
        found = [(workshop.tongue.language.code, read)]
    else:
        from reasoner.cardtexts.bearers import borne_texts
        from reasoner.cardtexts.workshop import readable

        codes = [language] if language else readable(base.library, base.game)
        workshops = {code: workshop_for(base, code) for code in codes}
        texts = borne_texts(base.store, game, codes, base.card(card or "").value)
        found = [(one.language, workshops[one.language].read(one.text, one.bearer)) for one in texts]
    rows: list[dict[str, Any]] = []
    for code, read in found:
        for stretch in read.stretches:
            roles = [base.vocabulary.label(role, "en") for role, _ in stretch.roles]
            rules = sorted({rule for _, rules in stretch.roles for rule in rules} | set(_rules(stretch.meaning)))
            words = read.text[stretch.start : stretch.end]
            row = {"language": code, "text": words, "span": [stretch.start, stretch.end], "is": stretch.kind}
            rows.append(row | {"roles": roles, "why": stretch.reason, "rules": rules})
    if form is Format.JSON:
        print_json({"game": game, "stretches": rows})
        return
    cells = [(row["language"], row["text"], row["is"], ", ".join(row["roles"]), row["why"]) for row in rows]
    print_rows(("language", "text", "is", "roles", "why"), cells, form)


def _rules(meaning: Any) -> tuple[str, ...]:
    return meaning.rules if meaning is not None else ()
