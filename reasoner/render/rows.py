"""Columns and rows as a table, JSON, CSV, TSV or Markdown."""

from __future__ import annotations

import csv
import sys
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


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[str]], form: Format, title: str = "") -> None:
    """Print `rows` under `columns` in the format `form`; a title is shown in tables and Markdown only."""
    if form is Format.JSON:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif form in (Format.CSV, Format.TSV):
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
    from rich.table import Table
    from rich.text import Text

    if title:
        print(title)
    table = Table(box=None, pad_edge=False, show_header=bool(columns), header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = out()
    with console.capture() as capture:
        console.print(table)
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))
