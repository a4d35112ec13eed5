"""Lines of keywords: each item begins with one, and the whole is no sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reasoner.abilities.rulebook import Keyword, Rulebook
from reasoner.abilities.script import Script


@dataclass(frozen=True)
class _Spelled:
    pattern: re.Pattern[str]
    keyword: Keyword
    divide: re.Pattern[str] | None


class KeywordReader:
    """Reads lines of keywords in one language."""

    def __init__(self, rulebook: Rulebook, script: Script) -> None:
        self._forms = script.keywords
        spelled: list[tuple[int, _Spelled]] = []
        for keyword in rulebook.keywords:
            for name in keyword.names.get(script.language, ()):
                form = self._forms.forms.get(name)
                divide = self._forms.divide.get(name)
                spelled.append((len(name), _Spelled(re.compile(re.escape(name), re.IGNORECASE), keyword, divide)))
                if form:
                    spelled.append((0, _Spelled(form, keyword, divide)))
        self._spelled = [one for _, one in sorted(spelled, key=lambda pair: -pair[0])]

    def read(self, line: str) -> list[Keyword]:
        """Return the keywords of `line`, one for each ability; none if it is no line of keywords."""
        first = self._first(line)
        if first is None:
            return []
        spelled, rest = first
        if self._forms.dash.match(rest):
            return [spelled.keyword]
        if self._forms.sentence.search(line):
            return []
        found: list[tuple[_Spelled, str]] = []
        for item in self._forms.list.split(line):
            one = self._first(item)
            if one is not None:
                found.append((one[0], item))
            elif self._forms.goes_on.match(item):
                found[-1] = (found[-1][0], f"{found[-1][1]}, {item}")
            else:
                return []
        return [
            one.keyword for one, whole in found for _ in (one.divide.split(whole) if one.divide else [whole])
        ]

    def _first(self, item: str) -> tuple[_Spelled, str] | None:
        for one in self._spelled:
            match = one.pattern.match(item)
            if match and (one.pattern.pattern.startswith("^") or self._forms.after.match(item[match.end() :])):
                return one, item[match.end() :]
        return None
