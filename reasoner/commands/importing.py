"""`cardlore import`: a real card pool, once; later commands use what was built."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reasoner.options import form_option
from reasoner.render.rows import Format

if TYPE_CHECKING:
    from reasoner.importing.records import Told
    from reasoner.importing.run import Imported


@click.command("import")
@click.argument("what", metavar="FORMAT")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--name", "-n", metavar="NAME", help="What to call the pool; without it, as the file is called.")
@click.option("--game", "-g", metavar="GAME", help="The game, where several import this format.")
@click.option("--keep-going", "-k", is_flag=True, help="Skip bad records and tell them; exit code 1 if there are any.")
@form_option()
def import_file(what: str, file: Path, name: str | None, game: str | None, keep_going: bool, form: Format) -> None:
    """Import card data of the user's own as a card pool, for --pool.

    FORMAT is a format that a game imports: each is a file in the game's folder imports/. FILE may be compressed by
    gzip. The pool is kept in the user's data folder (CARDLORE_POOLS names another), texts included; nothing goes into
    the library.
    """
    from reasoner.importing.run import import_file as run
    from reasoner.paths import library

    with _progress(file) as told:
        done = run(library(), what, file, game=game, name=name, keep_going=keep_going, told=told)
    _print(done, form)
    if done.skipped:
        sys.exit(1)


@contextmanager
def _progress(file: Path) -> Iterator[Told | None]:
    """Show how far reading has come, if stderr is a terminal."""
    if not sys.stderr.isatty() or not file.is_file():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading {task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(file.name, total=file.stat().st_size)
        yield lambda read: bar.update(task, completed=read)


def _print(done: Imported, form: Format) -> None:
    from reasoner.render.console import note, show_error
    from reasoner.render.rows import print_rows

    for error in done.skipped:
        show_error(error)
    for term in done.new_terms:
        kind = term.kind.rsplit("/", 1)[1]
        note(f"new term '{term.word}' ({kind}): on {term.records} records, the first is {term.first}")
    if not done.fresh:
        note("this file has been imported before; nothing has changed")
    pool = done.pool
    counts = {name: str(count) for name, count in pool.counts.items()}
    columns = ("pool", "game", *counts, "folder")
    print_rows(columns, [(pool.name, pool.game, *counts.values(), str(pool.folder))], form)
