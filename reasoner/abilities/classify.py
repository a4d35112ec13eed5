"""The abilities in a text, by the forms of its language and what the game's rules say of these."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reasoner.abilities.keywords import KeywordReader
from reasoner.abilities.lines import Line, cut
from reasoner.abilities.model import Ability, Anatomy, Bearer, Ignored, Where
from reasoner.abilities.rulebook import Form, Rulebook
from reasoner.abilities.script import Script

HINT, REMINDER = "hint", "reminder"


@dataclass(frozen=True)
class _Parts:
    whole: str
    cost: str = ""
    condition: str = ""
    effect: str = ""


class Classifier:
    """Finds the abilities in texts of one language and one game."""

    def __init__(self, rulebook: Rulebook, script: Script) -> None:
        self.rulebook = rulebook
        self.script = script
        self._keywords = KeywordReader(rulebook, script)

    def __call__(self, text: str, bearer: Bearer) -> Anatomy:
        """Return the abilities in `text`, and what in it is none."""
        lines = list(cut(text, self.script, bearer.names))
        hints = self._hints(lines, bearer)
        found: list[Ability] = []
        ignored: list[Ignored] = []
        choosing = False
        takes = ""
        for line in lines[: len(lines) - hints]:
            if not line.bare:
                ignored.append(Ignored(line.start, line.end, REMINDER, self.rulebook.reminder_cites))
            elif found and ((line.bullet and choosing) or (takes and self.script.find(takes, line.bare))):
                found[-1] = replace(found[-1], end=line.end)
                takes = ""
            else:
                more, takes = self._line(line, bearer)
                found.extend(more)
                choosing = self.script.find(self.rulebook.choice, line.bare) is not None
        last = lines[len(lines) - hints :]
        ignored.extend(Ignored(line.start, line.end, HINT, self.rulebook.hint.cites) for line in last)
        return Anatomy(text, tuple(found), tuple(ignored))

    def hints(self, text: str, bearer: Bearer) -> tuple[Ignored, ...]:
        """Return the lines of `text` that are hints of another face."""
        if bearer.layout is not None and bearer.layout not in self.rulebook.hint_layouts:
            return ()
        lines = list(cut(text, self.script, bearer.names))
        last = lines[len(lines) - self._hints(lines, bearer) :]
        return tuple(Ignored(line.start, line.end, HINT, self.rulebook.hint.cites) for line in last)

    def _hints(self, lines: list[Line], bearer: Bearer) -> int:
        """Return how many of the last lines are hints of another face: a line of types and a detail, or none."""
        if bearer.layout is not None and bearer.layout not in self.rulebook.hint_layouts:
            return 0
        if len(lines) < 2 or not self.script.find(self.rulebook.hint.pattern, lines[-1].bare):
            return 0
        words = [word for word in self.script.type_line.split(lines[-2].bare) if word]
        known = self.rulebook.type_words.get(self.script.language, frozenset())
        return 2 if words and all(word.casefold() in known or bearer.is_type_word(word) for word in words) else 0

    def _line(self, line: Line, bearer: Bearer) -> tuple[list[Ability], str]:
        """Return the abilities of a line, and the name of the pattern by which the next line belongs to it."""
        text = line.bare
        for form in self.rulebook.symbols:
            parts = self._parts(form, text, bearer.types)
            if parts:
                return [self._ability(line, form, parts, bearer)], form.takes
        keywords = self._keywords.read(text)
        if keywords:
            place = self.rulebook.bearer(bearer.types).where or Where()
            cites = self.rulebook.keyword_cites  # of a keyword of which the rules have no section of its own
            default = next((one.where for one in self.rulebook.bearers if not one.on), None) or place
            return [
                Ability(line.start, line.end, one.kinds, one.where or default, one.iri, (one.cites or cites,))
                for one in keywords
            ], ""
        label = self.script.ability_word.match(text)
        if label:
            text = text[label.end() :]
        for form in self.rulebook.forms:
            parts = self._parts(form, text, bearer.types)
            if parts:
                return [self._ability(line, form, parts, bearer)], ""
        return [self._ability(line, self.rulebook.bearer(bearer.types), _Parts(text), bearer)], ""

    def _parts(self, form: Form, text: str, types: frozenset[str]) -> _Parts | None:
        """Return the parts of `text` if it has this form."""
        if not form.suits(types) or (form.also and not self.script.find(form.also, text)):
            return None
        match = self.script.find(form.pattern, text)
        if match is None:
            return None
        groups = {name: value or "" for name, value in match.groupdict().items()}
        return _Parts(text, **groups)

    def _ability(self, line: Line, form: Form, parts: _Parts, bearer: Bearer) -> Ability:
        kinds, cites = list(form.kinds), [form.cites]
        for narrow in self.rulebook.narrower:
            if narrow.suits(bearer.types, kinds) and self._has(narrow, parts):
                kinds.extend(narrow.kinds)
                cites.append(narrow.cites)
        place = next(
            (one.where for one in self.rulebook.places if one.suits(bearer.types, kinds) and self._has(one, parts)),
            self.rulebook.bearer(bearer.types).where,
        )
        return Ability(line.start, line.end, tuple(kinds), place or Where(), form.keyword, tuple(cites))

    def _has(self, form: Form, parts: _Parts) -> bool:
        if not all(self.script.find(pattern, getattr(parts, part)) for part, pattern in form.parts):
            return False
        return not (form.without and self.script.find(form.without, parts.effect))
