"""Lines of keywords: each item begins with one, and the whole is no sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reasoner.abilities.rulebook import Keyword, Rulebook
from reasoner.abilities.script import Script


@dataclass(frozen=True)
class _Spelled:
    keyword: Keyword
    divide: re.Pattern[str] | None


class KeywordReader:
    """Reads lines of keywords in one language."""

    def __init__(self, rulebook: Rulebook, script: Script) -> None:
        self._forms = script.keywords
        self._named: dict[str, _Spelled] = {}
        self._formed: list[tuple[re.Pattern[str], _Spelled]] = []
        for keyword in rulebook.keywords:
            for name in keyword.names.get(script.language, ()):
                spelled = _Spelled(keyword, self._forms.divide.get(name))
                self._named[name.casefold()] = spelled
                if name in self._forms.forms:
                    self._formed.append((self._forms.forms[name], spelled))
        # One pattern for all names: there are many lines, and nearly none begins with a given keyword.
        names = sorted(self._named, key=lambda name: (-len(name), name))
        self._names = re.compile("|".join(map(re.escape, names)) or "(?!)", re.IGNORECASE)

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
            elif found and self._forms.goes_on.match(item):
                found[-1] = (found[-1][0], f"{found[-1][1]}, {item}")
            else:
                return []
        return [one.keyword for one, whole in found for _ in (one.divide.split(whole) if one.divide else [whole])]

    def _first(self, item: str) -> tuple[_Spelled, str] | None:
        """Return the keyword with which `item` begins, and what comes after it."""
        match = self._names.match(item)
        if match and self._forms.after.match(item[match.end() :]):
            return self._named[match[0].casefold()], item[match.end() :]
        for pattern, spelled in self._formed:
            match = pattern.match(item)
            if match:
                return spelled, item[match.end() :]
        return None
