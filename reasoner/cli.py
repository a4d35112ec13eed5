"""The command line. Each command reads its arguments, calls one operation and shows what comes back.

Exit codes: 0 clean, 1 findings or differences, 2 bad input or use, 3 a bug of ours.
Operations are imported inside the commands, so that each command loads only what it needs.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from reasoner.commands.abilities import list_abilities
from reasoner.commands.coverage import coverage
from reasoner.commands.importing import import_file
from reasoner.commands.lint import lint
from reasoner.commands.matching import match
from reasoner.commands.refs import refs
from reasoner.errors import CardloreError, UseError
from reasoner.loading import load_game, scene_of
from reasoner.options import (
    AS_OF,
    FILE,
    GAME,
    MOMENT,
    POOL,
    SITUATION,
    Commands,
    chosen_pool,
    form_option,
    in_context,
)
from reasoner.render.rows import Format

INTERNAL = "X001"


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cardlore", prog_name="cardlore", message="%(prog)s %(version)s")
def app() -> None:
    """Which cards a piece of card text refers to, which cards interact, and why."""


app.add_command(match)


@app.command()
@GAME
@click.argument("text", default="")
@click.argument("who", metavar="[CARD]", required=False)
@click.option("--not", "negative", is_flag=True, help="Expect a no: say what failed. Exit code 1 if it is not a no.")
@in_context
@click.option("--order", is_flag=True, help="Tell in which order effects are applied at the moment, and why; no TEXT.")
@click.option("--full", is_flag=True, help="Fold nothing.")
@form_option(("tree", "md", "json"), "tree")
def explain(
    game: str,
    text: str,
    who: str | None,
    negative: bool,
    on: str | None,
    antecedent: str | None,
    situation: Path | None,
    moment: int | None,
    as_of: str | None,
    order: bool,
    full: bool,
    form: str,
) -> None:
    """Prove an answer down to printed facts, or tell why it does not hold.

    CARD is a name or an id, or an object of the situation; without it, what the text means.
    """
    from reasoner.render.answers import print_steps

    if negative and who is None:
        raise UseError("U108", "--not needs a card", hint="name the card that is not meant")
    loaded, scene = scene_of(game, as_of, situation, moment)
    steps = loaded.order(scene) if order else loaded.explain(text, who, on=on, antecedent=antecedent, scene=scene)
    print_steps(steps, form, full)
    if negative and any(step.answer != "no" for step in steps):
        sys.exit(1)


@app.command()
@GAME
@click.argument("text")
@click.argument("who", metavar="CARD")
@in_context
@click.option("--why", "-w", is_flag=True, help="Prove the answer.")
@form_option()
def value(
    game: str,
    text: str,
    who: str,
    on: str | None,
    antecedent: str | None,
    situation: Path | None,
    moment: int | None,
    as_of: str | None,
    why: bool,
    form: Format,
) -> None:
    """Tell a number of a card, such as what it costs, with the rules that decide.

    TEXT is card wording, or the name of a quantity.
    """
    from reasoner.render.answers import print_value

    loaded, scene = scene_of(game, as_of, situation, moment)
    asked = {"on": on, "antecedent": antecedent, "scene": scene}
    print_value(loaded, text, who, asked, why, form)


@app.command()
@click.argument("what", metavar="FILE|QUESTION|TEXT", default="")
@click.option("--set", "values", multiple=True, metavar="NAME=VALUE", help="Fill a variable of the query.")
@click.option("--game", "-g", "games", multiple=True, metavar="GAME", help="Only this game; all if not given.")
@SITUATION
@POOL
@AS_OF
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Give up after this time.")
@form_option()
@click.option("--list", "list_them", is_flag=True, help="List the shipped questions.")
def query(what: str, form: Format, list_them: bool, **how: Any) -> None:
    """Run SPARQL over the whole knowledge base.

    What is asserted, what is inferred, rules and cases lie in separate named graphs; without GRAPH or FROM all are
    asked. The query is a file, the name of a shipped question, or SPARQL text. VALUE is an IRI, prefix:name, id, name,
    number or "text". JSON is one object per row, with compact names, numbers and true or false as such.
    """
    from reasoner.operations.querying import query_all
    from reasoner.render.answers import print_questions, print_result

    if list_them or not what:
        print_questions(form)
        return
    print_result(query_all(_library(), what, pool=chosen_pool(), **how), form)


@app.command()
@click.argument("what", metavar="[GAME|PATH|CASE]...", nargs=-1)
@click.option("--answers", is_flag=True, help="Show each question with its answer and the rules by which it is read.")
@AS_OF
@form_option()
def cases(what: tuple[str, ...], answers: bool, as_of: str | None, form: Format) -> None:
    """Run rulings as tests: every expected answer, both ways. Exit code 1 if one differs, 2 if a case is wrong."""
    from reasoner.operations.suite import run_all
    from reasoner.render.cases import print_cases

    sys.exit(print_cases(run_all(what, as_of, _library()), form, answers))


@app.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option(
    "--fail-on",
    type=click.Choice(("error", "warning", "never")),
    default="error",
    help="From which severity on the exit code is 1.",
)
@AS_OF
@form_option()
def check(games: tuple[str, ...], fail_on: str, as_of: str | None, form: Format) -> None:
    """Check a game's ontology, data and rules: OWL, SHACL, violations, contradictions, gaps."""
    from reasoner.operations.check import check_all
    from reasoner.render.answers import print_report

    if print_report(check_all(games, as_of, _library()), form, fail_on):
        sys.exit(1)


@app.command("what-if")
@GAME
@click.option("--situation", "-s", type=FILE, metavar="FILE", required=True, help="The case file to start from.")
@click.option(
    "--do",
    "events",
    multiple=True,
    required=True,
    metavar="EVENT",
    help="An event, e.g. '{move: x, to: ZONE}'. May be repeated.",
)
@click.option("--text", "-t", "texts", multiple=True, help="A phrase to watch; without it all printed references.")
@MOMENT
@AS_OF
@form_option()
def what_if(
    game: str,
    situation: Path,
    events: tuple[str, ...],
    texts: tuple[str, ...],
    moment: int | None,
    as_of: str | None,
    form: Format,
) -> None:
    """Apply events to a situation and tell which references gain and lose which cards."""
    from reasoner.operations.whatif import what_if as run
    from reasoner.render.answers import print_changes

    print_changes(run(load_game(game, as_of).base, situation, events, texts, moment), form)


@app.command()
@GAME
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--why", "-w", is_flag=True, help="Prove both answers.")
@form_option()
def diff(game: str, before: str, after: str, why: bool, form: Format) -> None:
    """Tell every answer that differs between two editions (or dates) A and B.

    Exit code 1 if any does, 2 if a case file can't be read.
    """
    from reasoner.operations.dataset import read_cases
    from reasoner.operations.diff import diff as compare
    from reasoner.render.answers import print_diff

    first, second = load_game(game, before), load_game(game, after)
    found = compare(first.base, second.base, *read_cases(first.base))
    print_diff(found, (first, second), form, why)
    if found.wrong or found.changes:
        sys.exit(2 if found.wrong else 1)


@app.command()
@GAME
@click.option(
    "--output", "-o", type=FILE, metavar="FILE", required=True, help="The file to write; its suffix says the format."
)
@POOL
@AS_OF
def graph(game: str, output: Path, as_of: str | None) -> None:
    """Export the interaction graph: .graphml, .gexf, .json, .csv, .dot, .ttl or .html."""
    from reasoner.export import write
    from reasoner.render.console import note

    built = load_game(game, as_of).graph()
    for path in write(built, output):
        note(f"wrote {path}: {len(built.nodes)} nodes, {len(built.edges)} edges")


@app.command()
@form_option()
def games(form: Format) -> None:
    """List the games, with their languages and numbers of cards, rules and cases."""
    from reasoner.render.answers import print_games

    print_games(_library(), form)


@app.command()
@click.argument("what", metavar="case|card|game")
@click.option("--game", "-g", metavar="GAME", help="With the words of this game only.")
def schema(what: str, game: str | None) -> None:
    """Print what a file must have: JSON Schema of cards and cases, SHACL shapes of game.ttl."""
    from reasoner.operations.schema import schema_text

    print(schema_text(what, _library(), game))


app.add_command(import_file)
app.add_command(list_abilities)
app.add_command(coverage)
app.add_command(refs)
app.add_command(lint)


def main() -> None:
    """Run the command line; every error becomes one clear message and an exit code."""
    from reasoner.render.console import discard_output, note, prepare_streams, show_error, wants_json

    prepare_streams()
    try:
        try:
            app(prog_name="cardlore", standalone_mode=False)
        finally:
            sys.stdout.flush()
    except CardloreError as error:
        show_error(error, as_json=wants_json(sys.argv))
        sys.exit(2)
    except click.exceptions.NoArgsIsHelpError as error:
        note(error.format_message())
        sys.exit(2)
    except click.UsageError as error:
        hint = f"see {error.ctx.command_path if error.ctx else 'cardlore'} --help"
        show_error(UseError("U100", error.format_message().rstrip("."), hint=hint), as_json=wants_json(sys.argv))
        sys.exit(2)
    except OSError as error:
        discard_output()
        if isinstance(error, BrokenPipeError):  # the reader has had enough
            sys.exit(0)
        use = UseError("U112", f"cannot write the answer: {error.strerror}", hint="check where the output goes")
        show_error(use, as_json=wants_json(sys.argv))
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(130)
    except Exception as error:  # the last resort: a bug of ours must not end in a traceback
        if os.environ.get("CARDLORE_TRACE"):
            raise
        note(
            f"{INTERNAL} internal error: {type(error).__name__}: {error}\n"
            "  please report it; CARDLORE_TRACE=1 shows where it happened"
        )
        sys.exit(3)


def _library() -> Any:
    from reasoner.paths import library

    return library()
