"""`cardlore lint`: what the author of a card text may want to know of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from reasoner.commands.texts import open_pool_texts
from reasoner.options import AS_OF, GAME, POOL, form_option

if TYPE_CHECKING:
    from reasoner.operations.lint import Lint, Near


@click.command()
@GAME
@click.argument("text")
@click.option(
    "--lang",
    "-l",
    "language",
    metavar="LANGUAGE",
    help="The language of TEXT, if it is not to be guessed.",
)
@POOL
@AS_OF
@form_option(("text", "json"), "text")
def lint(game: str, text: str, language: str | None, as_of: str | None, form: str) -> None:
    """Tell how a card text reads: how many cards each reference means, and how printed cards word the same.

    TEXT is a whole text or a phrase. Findings are words that are not understood, references that mean no card or can
    be read in several ways, and wordings where another one is the usual one; the exit code is 1 if there are any.
    """
    from reasoner.cardtexts.workshop import read_text
    from reasoner.knowledge.base import open_base
    from reasoner.operations.lint import lint as lint_text
    from reasoner.paths import library
    from reasoner.render.console import print_json

    texts = open_pool_texts(game, as_of)
    workshop, read = read_text(open_base(library(), game, as_of), text, language)
    found = lint_text(read, workshop, texts)
    if form == "json":
        print_json(_data(found))
    else:
        _print(found)
    if not found.is_clean:
        sys.exit(1)


def _data(found: Lint) -> dict[str, Any]:
    return {
        "text": found.text.text,
        "references": [
            {
                "text": one.stretch.wording,
                "span": [one.stretch.start, one.stretch.end],
                "roles": [role for role, _ in one.stretch.roles],
                "words": one.words,
                "certain": one.certain,
                "possible": one.possible,
                **{name: _nears(getattr(one, name)) for name in ("equal", "containing", "contained")},
                "usual": one.house or None,
                "readings": list(one.readings),
            }
            for one in found.references
        ],
        "unread": [
            {
                "text": found.text.text[one.start : one.end],
                "span": [one.start, one.end],
                "why": one.reason,
                "meant": list(meant),
            }
            for one, meant in found.unread
        ],
    }


def _nears(nears: tuple[Near, ...]) -> list[dict[str, Any]]:
    return [near._asdict() for near in nears]


def _print(found: Lint) -> None:
    for one in found.references:
        certain = f", {one.certain} of them whatever the state of the game" if one.certain != one.possible else ""
        click.echo(f"“{one.stretch.wording}”: {_counted(one.possible)}{certain}")
        click.echo(f"  {one.words}")
        for title, nears in (("printed", one.equal), ("wider", one.containing), ("narrower", one.contained)):
            for near in nears:
                click.echo(f"  {title}: “{near.wording}” ({_counted(near.cards)}; {_times(near.places)})")
        if not one.possible:
            click.echo("  finding: no card is meant")
        if one.house:
            click.echo(f"  finding: the usual wording is “{one.house}”")
        for reading in one.readings:
            click.echo(f"  finding: can be read as: {reading}")
    for left, meant in found.unread:
        click.echo(f"“{found.text.text[left.start : left.end]}”: not understood ({left.reason})")
        if meant:
            click.echo(f"  did you mean {' or '.join(f'“{one}”' for one in meant)}?")
    if not found.references and not found.unread:
        click.echo("refers to nothing")


def _counted(number: int) -> str:
    return f"{number} card{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return "on one printed text" if number == 1 else f"on {number} printed texts"
