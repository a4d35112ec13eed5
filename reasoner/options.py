"""The arguments and options that several commands share, and the group that holds the commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from reasoner.errors import UseError
from reasoner.render.rows import Format

F = TypeVar("F", bound=Callable[..., Any])
FILE = click.Path(path_type=Path)
_FORMATS = tuple(form.value for form in Format)

GAME = click.argument("game", metavar="GAME")
ON = click.option("--on", metavar="CARD", help="The card (or object) in whose text the phrase stands.")
ANTECEDENT = click.option(
    "--antecedent",
    metavar="OBJECT",
    help="What words such as “the same” point back at: an object of the situation, or the name it was referred to by.",
)
SITUATION = click.option(
    "--situation", "-s", type=FILE, metavar="FILE", help="Ask about the objects of the situation in this case file."
)
MOMENT = click.option(
    "--moment",
    "-m",
    type=click.IntRange(min=0),
    metavar="N",
    help="The moment after N events of the situation, not the last.",
)
AS_OF = click.option(
    "--as-of",
    "--edition",
    "as_of",
    metavar="DATE|EDITION|LANGUAGE",
    help="Only rules issued by this date (YYYY[-MM[-DD]]) or edition, or wordings in this language.",
)
_POOL = "cardlore.pool"


def _remember_pool(context: click.Context, _option: click.Parameter, value: str | None) -> None:
    context.meta[_POOL] = value


POOL = click.option(
    "--pool",
    metavar="NAME|FOLDER",
    envvar="CARDLORE_POOL",
    expose_value=False,
    callback=_remember_pool,
    help="The cards of this imported pool as well (cardlore games lists them). Default: CARDLORE_POOL, or none.",
)


def chosen_pool() -> str | None:
    """Return the pool that --pool names, or None where it names none or the command does not have it."""
    chosen: str | None = click.get_current_context().meta.get(_POOL)
    return chosen


def in_context(command: F) -> F:
    """Add the options that say where a text stands, of what it is asked, and under which rules."""
    for option in (AS_OF, POOL, MOMENT, SITUATION, ANTECEDENT, ON):
        command = option(command)
    return command


def form_option(choices: tuple[str, ...] = _FORMATS, default: str = "table") -> Callable[[F], F]:
    """Return the option --format with these `choices`."""

    def known(_context: click.Context, _option: click.Parameter, name: str) -> str:
        return Format(name) if name in _FORMATS and choices is _FORMATS else name

    return click.option(
        "--format",
        "-f",
        "form",
        type=click.Choice(choices),
        default=default,
        callback=known,
        help="How to print the answer.",
    )


class Commands(click.Group):
    """Lists the commands in the order in which they are defined, and suggests one for a mistyped name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order in which they are defined."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names.

        Raises:
            UseError: U110 if there is none.
        """
        from reasoner.errors import close_to

        if args and args[0] not in self.commands and not args[0].startswith("-"):
            hint = f"commands: {', '.join(self.commands)}"
            raise UseError(
                "U110", f"unknown command '{args[0]}'", suggestions=close_to(args[0], self.commands), hint=hint
            )
        return super().resolve_command(ctx, args)
