"""The command that tells which cards a text refers to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reasoner.errors import UseError
from reasoner.loading import scene_of
from reasoner.options import GAME, chosen_pool, form_option, in_context
from reasoner.render.rows import Format

if TYPE_CHECKING:
    from reasoner.operations.match import Match


@click.command()
@GAME
@click.argument("text")
@in_context
@click.option("--why", "-w", is_flag=True, help="Explain every answer.")
@click.option("--shorthand", is_flag=True, help="TEXT is shorthand, such as t:elf -c:g mv<=3, and no card wording.")
@form_option()
def match(
    game: str,
    text: str,
    on: str | None,
    antecedent: str | None,
    situation: Path | None,
    moment: int | None,
    as_of: str | None,
    why: bool,
    shorthand: bool,
    form: Format,
) -> None:
    """Tell which cards a text refers to, with the rules that decide.

    TEXT is a phrase as it stands on a card, in the game's language; **bold** for bold.
    """
    from reasoner.render.answers import print_match

    plain = on is None and antecedent is None and situation is None and moment is None
    if shorthand and not (plain and not why):
        raise UseError("U108", "shorthand is asked of all cards", hint="leave out --on, --situation and --why")
    if shorthand or (plain and not why and chosen_pool()):
        found = _at_once(game, text, as_of, shorthand)
        if found is not None:
            print_match(found, form, None, {}, why=False)
            return
    loaded, scene = scene_of(game, as_of, situation, moment)
    asked = {"on": on, "antecedent": antecedent, "scene": scene}
    print_match(loaded.match(text, **asked), form, loaded, asked, why)


def _at_once(game: str, text: str, as_of: str | None, shorthand: bool) -> Match | None:
    from reasoner.index.opening import open_index
    from reasoner.knowledge.pools import opened
    from reasoner.operations.poolmatch import match_pool
    from reasoner.paths import library

    here = library()
    index = open_index(here, game, as_of, opened(here, game, chosen_pool()))
    if shorthand:
        from reasoner.operations.shorthand import match_shorthand

        return match_shorthand(index, text)
    return match_pool(index, text)
