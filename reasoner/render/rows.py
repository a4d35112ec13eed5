"""Columns and rows as a table, JSON, CSV, TSV or Markdown."""

from __future__ import annotations

import csv
import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from enum import StrEnum

from reasoner.render.console import out, print_json


class Format(StrEnum):
    """The output formats of commands that give rows."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    MD = "md"


def print_rows(columns: Sequence[str], cells: Sequence[Sequence[str | int]], form: Format, title: str = "") -> None:
    """Print rows of `cells` under `columns` in the format `form`; a title is shown in tables and Markdown only.

    Numbers are numbers in JSON.
    """
    if form is Format.JSON:
        print_json([dict(zip(columns, row, strict=True)) for row in cells])
        return
    rows = [tuple(map(str, row)) for row in cells]
    if form in (Format.CSV, Format.TSV):
        writer = csv.writer(sys.stdout, delimiter="," if form is Format.CSV else "\t", lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    elif form is Format.MD:
        if title:
            print(f"{title}\n")
        print("| " + " | ".join(columns) + " |")
        print("|" + " --- |" * len(columns))
        for row in rows:
            print("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |")
    else:
        _table(columns, rows, title)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> None:
    if title:
        print(title)
    lines = [columns, *rows] if columns else list(rows)
    terminal = sys.stdout.isatty()
    widths = _widths(lines)
    if not widths or (terminal and sum(widths) + 2 * len(widths) > shutil.get_terminal_size().columns + 2):
        _folded_table(columns, rows)
        return
    styled = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    for number, line in enumerate(lines):
        cells = [cell + " " * (width - cell_width(cell)) for cell, width in zip(line, widths, strict=True)]
        text = "  ".join(cells).rstrip()
        print(f"\033[1m{text}\033[0m" if styled and columns and number == 0 else text)


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of each column; none where a cell has several lines or the lines differ in their columns."""
    if len({len(line) for line in lines}) != 1 or any("\n" in cell for line in lines for cell in line):
        return []
    return [max(map(cell_width, cells)) for cells in zip(*lines, strict=True)]


def cell_width(text: str) -> int:
    """Return how many places `text` takes in a terminal: two for a wide letter, none for a mark over another."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)


def _folded_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    # Only a table that does not fit is worth the time it takes to import rich.
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=bool(columns), header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = out()
    with console.capture() as capture:
        console.print(table)
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))
