"""Mutants of a rule file: its text with one thing left out, each under a name that says what.

A query is read into groups of parts, written as they stand; a mutant is the whole written anew without one of them.
What can be left out: a triple pattern, a FILTER or one side of its `&&`, a condition in NOT EXISTS, an OPTIONAL, VALUES
or one of its rows, the `*` or `+` of a path, one of several conclusions, and each rule that an exception names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""\#[^\n]*
      | <[^<>\s"{}|^`\\]*> | "(?:\\.|[^"\\\n])*"(?:@\w+)? | [?$]\w+ | && | \|\| | [!<>]= | [\w.-]*:(?:[\w.-]*\w)?
      | [\w-]+(?:\.\d+)? | [^\s\w]""",
    re.VERBOSE,
)
_LISTS = re.compile(r"^#\+ (exception-to|more-specific-than): \[(.*)\]\n", re.MULTILINE)


@dataclass(frozen=True)
class Mutant:
    """`name` says what is left out of the rule file, `text` is the file without it."""

    name: str
    text: str


@dataclass
class Part:
    """A part of a group: `words` as they are written; a FILTER with EXISTS, OPTIONAL and the like hold `groups`."""

    words: list[str]
    groups: list[Group] = field(default_factory=list)
    kind: str = "triple"


@dataclass
class Group:
    """What stands between braces; a subquery has its SELECT and its GROUP BY around it."""

    parts: list[Part]
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


def mutants(text: str) -> Iterator[Mutant]:
    """Yield every mutant of the rule file `text`, in the order of the file; names are unique."""
    for found in _LISTS.finditer(text):
        names = [name.strip() for name in found.group(2).split(",")]
        for name in names:
            left = ", ".join(other for other in names if other != name)
            line = f"#+ {found.group(1)}: [{left}]\n" if left else ""
            yield Mutant(f"{found.group(1)} {name}", text[: found.start()] + line + text[found.end() :])
    prologue, head, body = _parse(text)
    seen: dict[str, int] = {}
    for what, new_head, new_body in _smaller(head, body):
        seen[what] = seen.get(what, 0) + 1
        name = what if seen[what] == 1 else f"{what} ({seen[what]})"
        yield Mutant(name, f"{prologue}CONSTRUCT {_written(new_head)}\nWHERE {_written(new_body)}\n")


def written_anew(text: str) -> str:
    """Return a rule file as the mutants are written, with nothing left out."""
    prologue, head, body = _parse(text)
    return f"{prologue}CONSTRUCT {_written(head)}\nWHERE {_written(body)}\n"


def _parse(text: str) -> tuple[str, Group, Group]:
    start = text.index("CONSTRUCT")
    tokens = [token for token in _TOKEN.findall(text[start:]) if not token.startswith("#")]
    reader = _Reader(tokens)
    reader.take("CONSTRUCT")
    head = reader.group()
    reader.take("WHERE")
    body = reader.group()
    assert not reader.left(), f"not read: {' '.join(tokens[reader.at :])}"
    return text[:start], head, body


class _Reader:
    """Reads the part of SPARQL in which rules are written: no GRAPH, no blank nodes in brackets."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def left(self) -> bool:
        return self.at < len(self.tokens)

    def see(self) -> str:
        return self.tokens[self.at].upper()

    def take(self, wanted: str = "") -> str:
        token = self.tokens[self.at]
        assert not wanted or token.upper() == wanted, f"{wanted} expected, not {' '.join(self.tokens[self.at :][:9])}"
        self.at += 1
        return token

    def group(self) -> Group:
        self.take("{")
        if self.see() == "SELECT":
            before = self.until("WHERE")
            inner = Group([Part([], [self.group()], "group")])
            inner.before, inner.after = before, self.until("}")
            self.take("}")
            return inner
        parts: list[Part] = []
        while self.see() != "}":
            parts += self.part()
        self.take("}")
        return Group(parts)

    def until(self, end: str) -> list[str]:
        words = []
        while self.see() != end:
            words.append(self.take())
        if end == "WHERE":
            words.append(self.take())
        return words

    def brackets(self) -> list[str]:
        words, depth = [], 0
        while not words or depth:
            depth += {"(": 1, ")": -1}.get(self.see(), 0)
            words.append(self.take())
        return words

    def part(self) -> list[Part]:
        word = self.see()
        if word == ".":
            self.take()
            return []
        if word == "FILTER":
            words = [self.take()]
            if self.see() in ("NOT", "EXISTS"):
                words += [self.take() for _ in range(2 if self.see() == "NOT" else 1)]
                return [Part(words, [self.group()], "filter")]
            return [Part([*words, *self.brackets()], kind="filter")]
        if word in ("OPTIONAL", "MINUS"):
            return [Part([self.take()], [self.group()], word.lower())]
        if word == "BIND":
            return [Part([self.take(), *self.brackets()], kind="bind")]
        if word == "VALUES":
            words = [self.take(), *(self.brackets() if self.tokens[self.at + 1] == "(" else [self.take()])]
            while words[-1] != "}":
                words.append(self.take())
            return [Part(words, kind="values")]
        if word == "{":
            groups = [self.group()]
            while self.see() == "UNION":
                self.take()
                groups.append(self.group())
            return [Part([], groups, "group")]
        return self.triples()

    def triples(self) -> list[Part]:
        found = []
        subject = self.take()
        while True:
            verb = self.verb()
            found.append(Part([subject, verb, self.take()]))
            while self.left() and self.see() == ",":
                self.take()
                found.append(Part([subject, verb, self.take()]))
            if self.see() != ";":
                return found
            self.take()

    def verb(self) -> str:
        word = self.step()
        while self.see() in ("*", "+", "?", "/", "|"):
            word += self.take()
            if word[-1] in "/|":
                word += self.step()
        return word

    def step(self) -> str:
        return "".join(self.brackets()) if self.see() == "(" else self.take()


def _smaller(head: Group, body: Group) -> Iterator[tuple[str, Group, Group]]:
    if len(head.parts) > 1:
        for what, group in _without_one(head):
            yield f"conclusion {what}", group, body
    for what, group in _without_one(body):
        yield what, head, group


def _without_one(group: Group) -> Iterator[tuple[str, Group]]:
    """Yield what is left out, and the group without it."""
    for index, part in enumerate(group.parts):

        def put(*new: Part, at: int = index) -> Group:
            return Group([*group.parts[:at], *new, *group.parts[at + 1 :]], group.before, group.after)

        if part.kind in ("triple", "filter", "optional", "minus", "values"):
            yield _said(part), put()
        for what, changed in _changed(part):
            yield what, put(changed)
        for place, inner in enumerate(part.groups):
            if len(part.groups) > 1:
                said = " . ".join(_said(one) for one in inner.parts)
                yield (
                    f"UNION … {{ {said} }}",
                    put(Part(part.words, [*part.groups[:place], *part.groups[place + 1 :]], part.kind)),
                )
            for what, smaller in _without_one(inner):
                said = f"{' '.join(part.words)} … {what}" if part.words else what
                if smaller.parts:
                    groups = [*part.groups[:place], smaller, *part.groups[place + 1 :]]
                    yield said, put(Part(part.words, groups, part.kind))


def _changed(part: Part) -> Iterator[tuple[str, Part]]:
    """Yield what is left out inside a part that holds no groups."""
    words = part.words
    if part.kind == "triple" and words[1][-1] in "*+":
        yield f"the {words[1][-1]} of {_said(part)}", Part([words[0], words[1][:-1], words[2]])
    if part.kind == "filter" and not part.groups:
        sides = _split(words[2:-1])
        for index in range(len(sides)) if len(sides) > 1 else ():
            left = " && ".join(" ".join(side) for side in (*sides[:index], *sides[index + 1 :]))
            yield f"FILTER … {' '.join(sides[index])}", Part(["FILTER", "(", left, ")"], kind="filter")
    if part.kind == "values":
        opening = words.index("{")
        rows = _rows(words[opening + 1 : -1])
        for index in range(len(rows)) if len(rows) > 1 else ():
            left_rows = [word for row in (*rows[:index], *rows[index + 1 :]) for word in row]
            what = f"{' '.join(words[:opening])} … {' '.join(rows[index])}"
            yield what, Part([*words[: opening + 1], *left_rows, "}"], kind="values")


def _split(words: list[str]) -> list[list[str]]:
    sides: list[list[str]] = [[]]
    depth = 0
    for word in words:
        depth += {"(": 1, ")": -1}.get(word, 0)
        if word == "&&" and not depth:
            sides.append([])
        else:
            sides[-1].append(word)
    return sides


def _rows(words: list[str]) -> list[list[str]]:
    rows: list[list[str]] = []
    inside = False
    for word in words:
        if inside:
            rows[-1].append(word)
        else:
            rows.append([word])
        inside = word != ")" and (inside or word == "(")
    return rows


def _said(part: Part) -> str:
    inner = " . ".join(_said(one) for group in part.groups for one in group.parts)
    return f"{' '.join(part.words)} {{ {inner} }}" if part.groups else " ".join(part.words)


def _written(group: Group) -> str:
    lines = []
    for part in group.parts:
        inner = " UNION ".join(_written(one) for one in part.groups)
        # Oxigraph takes no blank between COALESCE and its bracket.
        words = re.sub(r"(?<=\w) \(", "(", " ".join(part.words))
        lines.append(f"{words} {inner}".strip() + (" ." if part.kind == "triple" else ""))
    middle = "\n".join(lines)
    if group.before:
        return f"{{ {' '.join(group.before)} {middle} {' '.join(group.after)} }}"
    return f"{{\n{middle}\n}}"
