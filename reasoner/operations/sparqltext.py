"""What can be told of a SPARQL text without running it: its form, variables, prefixes, dataset clause and order.

Oxigraph says where a text is wrong, not always why; this reads just enough of it to say why. Strings, IRIs and comments
are read as such, so that a word in them is not taken for one of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urljoin

UPDATES = ("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH")
FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<string>\"{3}(?:\\.|[^\\])*?\"{3} | '{3}(?:\\.|[^\\])*?'{3} | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*')
      | (?P<iri><[^<>"{}|^`\\\s]*>)
      | (?P<variable>[?$]\w+)
      | (?P<blank>_:\w[\w.-]*)
      | (?P<language>@[A-Za-z]+(?:-\w+)*)
      | (?P<name>(?:[^\W\d_][\w.-]*)?:(?:[\w:%-]|\\.|\.(?=[\w:%.-]))*)
      | (?P<word>\w+)
      | (?P<brace>[{}])""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Token:
    """A piece of the text: its kind (a group of the pattern above), itself, and where it begins."""

    kind: str
    text: str
    start: int


@dataclass(frozen=True)
class SparqlText:
    """A SPARQL text, read superficially."""

    text: str

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Everything but comments, blanks and signs."""
        found = ((hit.lastgroup or "", hit) for hit in _TOKEN.finditer(self.text))
        return tuple(Token(kind, hit.group(), hit.start()) for kind, hit in found if kind != "comment")

    @property
    def form(self) -> str:
        """The first word that is not of the prologue, in capitals: SELECT, ASK, INSERT …; or nothing."""
        return next((one.text.upper() for one in self._after_prologue() if one.kind == "word"), "")

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables."""
        return frozenset(one.text[1:] for one in self.tokens if one.kind == "variable")

    @property
    def own_prefixes(self) -> dict[str, str]:
        """The prefixes that the text itself declares."""
        return {
            name.text.partition(":")[0]: iri.text[1:-1]
            for word, name, iri in zip(self.tokens, self.tokens[1:], self.tokens[2:], strict=False)
            if word.kind == "word" and word.text.upper() == "PREFIX" and name.kind == "name" and iri.kind == "iri"
        }

    def undeclared(self, known: Mapping[str, str]) -> Token | None:
        """Return the first compact name whose prefix is neither in `known` nor declared by the text."""
        declared = {*known, *self.own_prefixes}
        names = (one for one in self._after_prologue() if one.kind == "name")
        return next((one for one in names if one.text.partition(":")[0] not in declared), None)

    def word(self, *words: str) -> Token | None:
        """Return the first of the `words` of the language (in capitals) that the text uses."""
        return next((one for one in self.tokens if one.kind == "word" and one.text.upper() in words), None)

    @property
    def is_ordered(self) -> bool:
        """Whether the whole answer, and not only that of an inner query, has an ORDER BY."""
        depth = 0
        for one, following in zip(self.tokens, (*self.tokens[1:], Token("", "", 0)), strict=True):
            depth += {"{": 1, "}": -1}.get(one.text, 0) if one.kind == "brace" else 0
            if depth == 0 and one.kind == "word" and (one.text.upper(), following.text.upper()) == ("ORDER", "BY"):
                return True
        return False

    def with_values(self, values: Mapping[str, object]) -> tuple[str, ...]:
        """Return the text with `values` (terms) for variables of its outermost pattern, in up to two ways.

        The first that is valid is meant: at the beginning of the pattern, where a filter sees them, or after the whole.
        """
        if not values:
            return (self.text,)
        clause = f"VALUES ({' '.join(f'?{name}' for name in values)}) {{ ({' '.join(map(str, values.values()))}) }}"
        after = f"{self.text}\n{clause}"
        if self._pattern is None:
            return (after,)
        start = self._pattern[0] + 1
        return f"{self.text[:start]} {clause} {self.text[start:]}", after

    def values_of(self, name: str, known: Mapping[str, str]) -> str | None:
        """Return a query for what a variable can be in the outermost pattern; None if there is none."""
        if self._pattern is None:
            return None
        start, end = self._pattern
        words = self._after_prologue()
        head = self.text[: next(words).start]
        clauses = " ".join(
            f"FROM {'NAMED ' if index else ''}<{iri}>"
            for index, graphs in enumerate(self.dataset(known) or ())
            for iri in graphs
        )
        return f"{head} SELECT DISTINCT ?{name} {clauses} WHERE {self.text[start:end]}"

    @cached_property
    def _pattern(self) -> tuple[int, int] | None:
        """Where the outermost pattern begins and ends, braces included; None if there is none."""
        depth, begin = 0, 0
        found = []
        for one in self.tokens:
            if one.text == "{":
                begin = one.start if depth == 0 else begin
                depth += 1
            elif one.text == "}":
                depth -= 1
                if depth == 0:
                    found.append((begin, one.start + 1))
        # Before it there may be the template of a CONSTRUCT, after it the VALUES of the whole.
        template = self.form == "CONSTRUCT" and not self.is_short
        return found[template] if len(found) > template else None

    @property
    def is_short(self) -> bool:
        """Whether a CONSTRUCT has its pattern for a template."""
        after = iter(self._after_prologue())
        next(after, None)
        return next((one.text.upper() in ("WHERE", "FROM") for one in after), False)

    @property
    def in_full(self) -> str:
        """The text of a short CONSTRUCT with its pattern written as a template as well; any other text as it is."""
        if self.form != "CONSTRUCT" or not self.is_short or self._pattern is None:
            return self.text
        start, end = self._pattern
        word = next(self._after_prologue())
        at = word.start + len(word.text)
        return f"{self.text[:at]} {self.text[start:end]} {self.text[at:]}"

    def iri(self, token: Token, known: Mapping[str, str]) -> str | None:
        """Return the IRI that a token stands for; None if it is none, or has an undeclared prefix."""
        return self._iri(token, {**known, **self.own_prefixes}) if token.kind in ("iri", "name") else None

    def dataset(self, known: Mapping[str, str]) -> tuple[dict[str, Token], dict[str, Token]] | None:
        """Return the graphs after FROM and after FROM NAMED by IRI, each with its token; None if there are none."""
        spaces = {**known, **self.own_prefixes}
        default: dict[str, Token] = {}
        named: dict[str, Token] = {}
        for index, one in enumerate(self.tokens):
            if one.kind == "word" and one.text.upper() == "FROM":
                rest = self.tokens[index + 1 : index + 3]
                is_named = bool(rest) and rest[0].text.upper() == "NAMED"
                for token in rest[is_named : is_named + 1]:
                    iri = self._iri(token, spaces)
                    if iri is not None:
                        (named if is_named else default)[iri] = token
        return (default, named) if default or named else None

    def _iri(self, token: Token, spaces: Mapping[str, str]) -> str | None:
        if token.kind == "iri":
            return urljoin(self._base, token.text[1:-1]) if self._base else token.text[1:-1]
        prefix, _, local = token.text.partition(":")
        return spaces[prefix] + re.sub(r"\\(.)", r"\1", local) if token.kind == "name" and prefix in spaces else None

    @property
    def _base(self) -> str:
        pairs = zip(self.tokens, self.tokens[1:], strict=False)
        return next((iri.text[1:-1] for word, iri in pairs if word.text.upper() == "BASE" and iri.kind == "iri"), "")

    def _after_prologue(self) -> Iterator[Token]:
        index = 0
        while index < len(self.tokens) and self.tokens[index].text.upper() in ("PREFIX", "BASE"):
            index += 3 if self.tokens[index].text.upper() == "PREFIX" else 2
        yield from self.tokens[index:]

    def position(self, token: Token) -> tuple[int, int]:
        """Return the line and the column of a token, from 1."""
        before = self.text[: token.start]
        return before.count("\n") + 1, token.start - (before.rfind("\n") + 1) + 1


def is_sparql(text: str) -> bool:
    """Return whether `text` is to be read as SPARQL, right or wrong, and not as the name of a file or question."""
    return (
        "{" in text
        or re.match(rf"\s*(?:{'|'.join((*FORMS, *UPDATES, 'PREFIX', 'BASE'))})(?!\S)", text, re.I) is not None
    )
