"""What tests of abilities share: a reader of texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import reasoner
from reasoner.abilities.model import Bearer
from reasoner.operations.abilities import AbilityReader
from reasoner.terms.namespaces import game_base

ROOT = Path(__file__).resolve().parents[2]
TERM = game_base("mtg") + "term/"
Kinds = Callable[..., list[str]]


@pytest.fixture(scope="session")
def reader() -> AbilityReader:
    """A reader of abilities in Magic."""
    return AbilityReader(reasoner.load("mtg", library=ROOT).base)


@pytest.fixture(scope="session")
def shown(reader: AbilityReader) -> Kinds:
    """Return a function that shows what is in a text: one line for each ability or ignored part, in order."""

    def short(iri: str) -> str:
        return iri.rsplit("/", 1)[1].removeprefix("Keyword").removesuffix("Ability")

    def show(
        text: str, *types: str, language: str = "en", names: tuple[str, ...] = (), layout: str | None = None
    ) -> list[str]:
        bearer = Bearer(names, frozenset(TERM + one for one in types), layout)
        read = reader.classifiers[language](text, bearer)
        assert read.unread() == ()
        lines = []
        for one in read.abilities:
            where = "everywhere" if one.where.everywhere else "outside" if one.where.outside else ""
            zones = where or " ".join(map(short, one.where.zones))
            keyword = f"{short(one.keyword)}: " if one.keyword else ""
            lines.append((one.start, f"{keyword}{' '.join(map(short, one.kinds))} @ {zones}"))
        lines.extend((one.start, one.reason) for one in read.ignored)
        return [line for _, line in sorted(lines, key=lambda pair: pair[0])]

    return show
