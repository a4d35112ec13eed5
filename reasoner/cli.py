"""The command line. Each command reads its arguments, calls one operation and shows what comes back.

Exit codes: 0 clean, 1 findings or differences, 2 bad input or use, 3 a bug of ours.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from reasoner.errors import CardloreError, UseError
from reasoner.render.rows import Format

INTERNAL = "X001"

app = typer.Typer(
    name="cardlore",
    help="Which cards a piece of card text refers to, which cards interact, and why.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game; `cardlore games` lists them.")]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        "--edition",
        metavar="DATE|EDITION",
        help="Only rules issued by this date (YYYY, YYYY-MM, YYYY-MM-DD) or edition.",
    ),
]
Situation = Annotated[
    Path | None,
    typer.Option("--situation", "-s", metavar="FILE", help="Match the objects of the situation in this case file."),
]
AtMoment = Annotated[
    int | None,
    typer.Option(
        "--moment", "-m", metavar="N", help="The moment after N events of the situation; the last if not given."
    ),
]
On = Annotated[
    str | None, typer.Option("--on", metavar="CARD", help="The card (or object) in whose text the phrase stands.")
]
OutputFormat = Annotated[Format, typer.Option("--format", "-f", help="How to print the answer.")]


def _version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        print(f"cardlore {version('cardlore')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Which cards a piece of card text refers to, which cards interact, and why."""


@app.command()
def match(
    game: GameName,
    text: Annotated[
        str, typer.Argument(help="A phrase as it stands on a card, in the game's language; **bold** for bold.")
    ],
    on: On = None,
    situation: Situation = None,
    moment: AtMoment = None,
    as_of: AsOf = None,
    why: Annotated[bool, typer.Option("--why", "-w", help="Explain every answer.")] = False,
    form: OutputFormat = Format.TABLE,
) -> None:
    """Tell which cards a text refers to, with the rules that decide."""
    from reasoner.render.answers import print_match

    loaded, scene = _scene(game, as_of, situation, moment)
    found = loaded.match(text, on=on, scene=scene)
    print_match(found, form, loaded, scene, on, why)


@app.command()
def explain(
    game: GameName,
    text: Annotated[str, typer.Argument(help="A phrase as it stands on a card.")],
    who: Annotated[
        str | None,
        typer.Argument(
            metavar="[CARD]",
            help="A card (name or id), or an object of the situation; without it, what the text means.",
        ),
    ] = None,
    negative: Annotated[
        bool,
        typer.Option("--not", help="Expect a no: say which condition failed. Exit code 1 if the answer is not no."),
    ] = False,
    on: On = None,
    situation: Situation = None,
    moment: AtMoment = None,
    as_of: AsOf = None,
    full: Annotated[bool, typer.Option("--full", help="Fold nothing.")] = False,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="[tree|md|json]", help="How to print the proof.")
    ] = "tree",
) -> None:
    """Prove an answer down to printed facts, or tell why it does not hold."""
    from reasoner.render.answers import print_steps

    if form not in ("tree", "md", "json"):
        raise UseError("U103", f"unknown format '{form}'", hint="tree, md or json")
    loaded, scene = _scene(game, as_of, situation, moment)
    if negative and who is None:
        raise UseError("U108", "--not needs a card", hint="name the card that is not meant")
    steps = loaded.explain(text, who, on=on, scene=scene)
    print_steps(steps, form, full)
    if negative and any(not step.text.endswith("? no") for step in steps):
        raise typer.Exit(1)


@app.command()
def value(
    game: GameName,
    text: Annotated[str, typer.Argument(help="What to ask for: card wording, or the name of a quantity.")],
    who: Annotated[str, typer.Argument(metavar="CARD", help="A card (name or id), or an object of the situation.")],
    on: On = None,
    situation: Situation = None,
    moment: AtMoment = None,
    as_of: AsOf = None,
    why: Annotated[bool, typer.Option("--why", "-w", help="Prove the answer.")] = False,
    form: OutputFormat = Format.TABLE,
) -> None:
    """Tell a number of a card, such as what it costs, with the rules that decide."""
    from reasoner.render.answers import print_value

    loaded, scene = _scene(game, as_of, situation, moment)
    print_value(loaded, text, who, on, scene, why, form)


@app.command()
def query(
    what: Annotated[
        str, typer.Argument(metavar="FILE|QUESTION|TEXT", help="A query file, a shipped question, or SPARQL text.")
    ] = "",
    values: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Fill a variable of the query.")
    ] = None,
    games: Annotated[list[str] | None, typer.Option("--game", "-g", help="Only this game; all if not given.")] = None,
    situation: Situation = None,
    as_of: AsOf = None,
    form: OutputFormat = Format.TABLE,
    list_them: Annotated[bool, typer.Option("--list", help="List the shipped questions.")] = False,
) -> None:
    """Run SPARQL over the whole knowledge base: asserted, inferred, rules and cases in separate graphs."""
    from reasoner.render.answers import print_questions, print_result

    if list_them or not what:
        print_questions(form)
        return
    print_result(_query(what, values or [], games or [], situation, as_of), form)


@app.command()
def cases(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME|PATH]…", help="Games or case files; all games if none is named."),
    ] = None,
    as_of: AsOf = None,
    form: OutputFormat = Format.TABLE,
) -> None:
    """Run rulings as tests: every expected answer, both ways. Exit code 1 if one differs."""
    from reasoner.render.answers import print_cases

    results = _cases(what or [], as_of)
    if print_cases(results, form):
        raise typer.Exit(1)


@app.command()
def check(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]…", help="Games to check; all if none is named.")
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option("--fail-on", metavar="[error|warning|never]", help="From which severity on the exit code is 1."),
    ] = "error",
    as_of: AsOf = None,
    form: OutputFormat = Format.TABLE,
) -> None:
    """Check a game's ontology, data and rules: OWL, SHACL, violations, contradictions, gaps."""
    from reasoner.render.answers import print_report

    if fail_on not in ("error", "warning", "never"):
        raise UseError("U103", f"unknown severity '{fail_on}'", hint="error, warning or never")
    reports = [_load(name, as_of).check() for name in games or _library().games()]
    if print_report(reports, form, fail_on):
        raise typer.Exit(1)


@app.command("what-if")
def what_if(
    game: GameName,
    situation: Annotated[
        Path,
        typer.Option("--situation", "-s", metavar="FILE", help="The case file whose situation is the starting point."),
    ],
    events: Annotated[
        list[str],
        typer.Option(
            "--do", metavar="EVENT", help="An event as in a case file, e.g. '{move: x, to: ZONE}'. May be repeated."
        ),
    ],
    texts: Annotated[
        list[str] | None,
        typer.Option("--text", "-t", help="A phrase to watch; all printed references if none is given."),
    ] = None,
    moment: AtMoment = None,
    as_of: AsOf = None,
    form: OutputFormat = Format.TABLE,
) -> None:
    """Apply events to a situation and tell which references gain and lose which cards."""
    from reasoner.operations.whatif import what_if as run
    from reasoner.render.answers import print_changes

    loaded = _load(game, as_of)
    print_changes(run(loaded.base, situation, events, texts or [], moment), form)


@app.command()
def diff(
    game: GameName,
    before: Annotated[str, typer.Argument(metavar="A", help="A date or edition.")],
    after: Annotated[str, typer.Argument(metavar="B", help="Another date or edition.")],
    why: Annotated[bool, typer.Option("--why", "-w", help="Prove both answers.")] = False,
    form: OutputFormat = Format.TABLE,
) -> None:
    """Tell every answer that differs between two editions. Exit code 1 if any does."""
    from reasoner.operations.dataset import case_files
    from reasoner.operations.diff import diff as compare
    from reasoner.render.answers import print_diff

    first, second = _load(game, before), _load(game, after)
    found = compare(first.base, second.base, case_files(first.base))
    print_diff(found, (first, second), form, why)
    if found.changes:
        raise typer.Exit(1)


@app.command()
def graph(
    game: GameName,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write; its suffix says the format.")
    ],
    as_of: AsOf = None,
) -> None:
    """Export the interaction graph: .graphml, .gexf, .json, .csv, .dot, .ttl or .html."""
    from reasoner.export import write
    from reasoner.render.console import note

    built = _load(game, as_of).graph()
    for path in write(built, output):
        note(f"wrote {path}: {len(built.nodes)} nodes, {len(built.edges)} edges")


@app.command()
def games(form: OutputFormat = Format.TABLE) -> None:
    """List the games, with their languages and numbers of cards, rules and cases."""
    from reasoner.render.answers import print_games

    print_games(_library(), form)


@app.command()
def schema(
    what: Annotated[str, typer.Argument(metavar="case|card", help="The kind of file.")],
    game: Annotated[str | None, typer.Option("--game", "-g", help="With the words of this game.")] = None,
) -> None:
    """Print the JSON Schema of a kind of file, for editors that validate as you type."""
    from reasoner.operations.schema import schema_of
    from reasoner.render.console import print_json

    print_json(schema_of(what, _library(), game))


def main() -> None:
    """Run the command line; every error becomes one clear message and an exit code."""
    from reasoner.render.console import note, prepare_streams, show_error

    # A command makes many objects and drops few: at the usual pace the collector takes a tenth of the time.
    gc.set_threshold(100_000, 50, 50)
    prepare_streams()
    try:
        app(prog_name="cardlore")
    except CardloreError as error:
        show_error(error, as_json=_wants_json(sys.argv))
        sys.exit(2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # the last resort: a bug of ours must not end in a traceback
        if os.environ.get("CARDLORE_TRACE"):
            raise
        note(
            f"{INTERNAL} internal error: {type(error).__name__}: {error}\n"
            "  please report it; CARDLORE_TRACE=1 shows where it happened"
        )
        sys.exit(3)


def _wants_json(arguments: list[str]) -> bool:
    pairs = zip(arguments, [*arguments[1:], ""], strict=True)
    return any((name in ("--format", "-f") and value == "json") or name == "--format=json" for name, value in pairs)


def _library() -> Any:
    from reasoner.paths import library

    return library()


def _load(name: str, as_of: str | None) -> Any:
    from reasoner.game import load

    return load(name, as_of=as_of)


def _scene(name: str, as_of: str | None, situation: Path | None, moment: int | None) -> tuple[Any, Any]:
    loaded = _load(name, as_of)
    if situation is None and moment is not None:
        raise UseError("U108", "--moment needs --situation", hint="name the case file whose moments are meant")
    return loaded, None if situation is None else loaded.situation(situation, moment)


def _query(what: str, values: list[str], names: list[str], situation: Path | None, as_of: str | None) -> Any:
    from reasoner.operations.dataset import add_situation, full_store
    from reasoner.operations.query import find_query, run_query

    question = find_query(what, _library())
    pairs = {}
    for value in values:
        name, separator, text = value.partition("=")
        if not separator or not name:
            raise UseError("U108", f"--set takes NAME=VALUE, not '{value}'")
        pairs[name.lstrip("?$")] = text
    bases = [_load(name, as_of).base for name in names or _library().games()]
    store = full_store(bases)
    if situation is not None:
        add_situation(store, situation, bases)
    prefixes = bases[0].vocabulary.prefixes
    for base in bases[1:]:
        prefixes = prefixes.merged(base.vocabulary.prefixes.namespaces.items())
    return run_query(store, question, prefixes, pairs), prefixes


def _cases(what: list[str], as_of: str | None) -> list[Any]:
    from reasoner.errors import close_to
    from reasoner.operations.casefile import read_case
    from reasoner.operations.cases import run_case
    from reasoner.operations.dataset import case_files

    known = _library().games()
    bases: dict[tuple[str, str | None], Any] = {}

    def base(name: str, date: str | None) -> Any:
        if (name, date) not in bases:
            bases[name, date] = _load(name, date).base
        return bases[name, date]

    files = []
    for item in what or known:
        path = Path(item)
        if item in known:
            files += case_files(base(item, None))
        elif path.is_dir():
            files += [read_case(found, known) for found in sorted(path.rglob("*.yaml"))]
        elif path.is_file():
            files.append(read_case(path, known))
        else:
            raise UseError("U105", f"'{item}' is no game and no file", suggestions=close_to(item, known))
    return [run_case(case, base(case.game, as_of or case.as_of)) for case in files]


if __name__ == "__main__":
    main()
