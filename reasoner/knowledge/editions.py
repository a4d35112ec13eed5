"""Editions: the state of a game's rules on a date, given as the date or by the name of what was issued then; or the
wording of its texts in one language, where wordings differ."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import date

import pyoxigraph as ox

from reasoner.engine.rule import Rule
from reasoner.errors import UseError, close_to
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.terms.namespaces import DCT, core

_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
_ISSUED = ox.NamedNode(DCT + "issued")


def edition_of(as_of: str | None, vocabulary: Vocabulary, rules: Iterable[Rule]) -> tuple[str | None, str | None]:
    """Return the date that `as_of` means, or else the language that it names, in which some of the `rules` are worded.

    Both are None where nothing is asked for.

    Raises:
        UseError: U107 if it is neither.
    """
    if not as_of:
        return None, None
    languages = {rule.header.language for rule in rules} - {""}
    return (None, as_of) if as_of in languages else (date_of(as_of, vocabulary, languages), None)


def date_of(as_of: str, vocabulary: Vocabulary, languages: Collection[str] = ()) -> str:
    """Return the date that `as_of` means: itself (YYYY, YYYY-MM or YYYY-MM-DD), or that of the edition called so.

    Raises:
        UseError: U107 if it is neither; `languages` are named as further choices.
    """
    if _DATE.fullmatch(as_of) and _exists(as_of):
        return as_of
    dated = editions(vocabulary)
    if as_of not in dated:
        names = [f"{name} ({date})" for name, date in dated.items()]
        known = ", ".join([*names, *(f"{code} (language)" for code in sorted(languages))])
        hint = f"write YYYY, YYYY-MM or YYYY-MM-DD{f', or one of: {known}' if known else ''}"
        raise UseError("U107", f"'{as_of}' is no date and no edition", suggestions=close_to(as_of, dated), hint=hint)
    return dated[as_of]


def _exists(text: str) -> bool:
    year, month, day = (*(int(part) for part in text.split("-")), 1, 1)[:3]
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def editions(vocabulary: Vocabulary) -> dict[str, str]:
    """Return the dates of the game's editions by name, in the order of their dates."""
    found: dict[str, str] = {}
    for edition in vocabulary.instances(core("Edition")):
        issued = vocabulary.first(edition, _ISSUED)
        if isinstance(issued, ox.Literal):
            found.update({name: issued.value for names in vocabulary.names(edition).values() for name in names})
    return dict(sorted(found.items(), key=lambda pair: (pair[1], pair[0])))
