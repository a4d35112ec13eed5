"""What stands between the references of a card text: data/languages/<language>/clauses.yaml, whatever the game.

A phrase is a row of words. A word in capitals is a grammar class of the lexicon (or a terminal of the grammar), `<…>`
any of the phrases that `parts` names so, `[…]` may be missing, `(a|b)` is either; `\\(` and
`\\)` are the signs themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from reasoner.errors import DataError
from reasoner.knowledge.yamlfile import Mapping as YamlMapping
from reasoner.knowledge.yamlfile import read_yaml
from reasoner.language.tokens import is_unspaced, normalise, split
from reasoner.terms.namespaces import Prefixes

FILE: Final = "clauses.yaml"
_CLASS: Final = re.compile(r"[A-Z][A-Z_]+")
_PART: Final = re.compile(r"<[a-z]+>")
_PIECE: Final = re.compile(r"<[a-z]+>|[^\s<]+|<\S*")
_CHOICE: Final = re.compile(r"\[([^][()\\]*)\]|(?<!\\)\(([^][()\\]*)\)")


@dataclass(frozen=True)
class Phrase:
    """What a phrase tells: the words that govern what stands `before` and `after` it (IRIs, "" for none).

    `beyond` governs what stands before the reference right before it: "it" in "it is a creature", said with the verb
    at the end.

    `boundary`: what stands before it has no part in what follows. `complement`: it may stand beside a reference,
    though it begins with a word that can go on one, or ends with what can lead on to one. `opens` and `ends` are parts
    of a sentence (IRIs): the one goes on until a word that closes it, the other is everything up to here. `loose`: it
    counts where nothing else fits as well, and may lead on to a reference, as a noun before a noun does.
    """

    before: str = ""
    after: str = ""
    beyond: str = ""
    boundary: bool = False
    complement: bool = False
    opens: str = ""
    ends: str = ""
    loose: bool = False


@dataclass
class Node:
    """A place in the tree of phrases: what can follow, by word, class and part, and the phrase that ends here."""

    words: dict[str, Node] = field(default_factory=dict)
    classes: dict[str, Node] = field(default_factory=dict)
    parts: dict[str, Node] = field(default_factory=dict)
    phrase: Phrase | None = None


@dataclass(frozen=True)
class Symbol:
    """A pattern, and the word by which what it finds is read."""

    pattern: re.Pattern[str]
    word: str


@dataclass(frozen=True)
class Phrasebook:
    """The phrases of a language, as a tree, and how its texts are cut into sentences.

    `reference` is the rule of the grammar that reads a reference, `nouns` are the classes one of which it must have.
    What begins with one of `goes_on` can belong to the reference before it, what ends with one of `leads_on` to that
    after it (none, where nothing does). `closers` close what a phrase opens.
    """

    reference: str
    nouns: frozenset[str]
    pronouns: frozenset[str]
    goes_on: frozenset[str]
    leads_on: tuple[str, ...]
    closers: frozenset[str]
    sentence_end: re.Pattern[str]
    quotation: str
    self_word: str
    symbols: tuple[Symbol, ...]
    tree: Node
    parts: Mapping[str, Node]

    @cached_property
    def unspaced_to_go_on(self) -> tuple[str, ...]:
        """Those of `goes_on` that are written without spaces."""
        return tuple(sorted(word for word in self.goes_on if is_unspaced(word)))

    @cached_property
    def beginnings(self) -> Mapping[str, frozenset[str]]:
        """The words and classes with which each part can begin."""
        direct = {name: {*node.words, *node.classes} for name, node in self.parts.items()}
        found: dict[str, frozenset[str]] = {}
        for name in self.parts:
            reached = {name}
            open_ = [name]
            for part in open_:
                onward = set(self.parts[part].parts) - reached
                reached |= onward
                open_ += onward
            found[name] = frozenset(word for part in reached for word in direct[part])
        return found


def read_phrasebook(folder: Path, prefixes: Prefixes) -> Phrasebook:
    """Return the phrasebook of the language in `folder`.

    Raises:
        DataError: D101/D102 unreadable, D702 something is missing or wrong.
        OntologyError: an unknown prefix.
    """
    top = read_yaml(folder / FILE)
    if not isinstance(top, YamlMapping):
        raise DataError("D702", "this file holds reference, nouns, symbols, words, phrases, …")
    for key in ("reference", "quotation", "self", "sentence end"):
        if not isinstance(top.get(key), str):
            raise DataError("D702", f"'{key}' must be a text", place=top.place(key if key in top else None))
    for key in ("nouns", "pronouns", "goes on", "leads on", "closers", "symbols", "words", "phrases"):
        if not isinstance(top.get(key), list):
            raise DataError("D702", f"'{key}' must be a list", place=top.place(key if key in top else None))
    named = top.get("parts")
    if not isinstance(named, YamlMapping):
        raise DataError("D702", "'parts' must hold lists of phrases by name", place=top.place("parts"))
    parts = {str(name): Node() for name in named}
    for name, lines in named.items():
        for line in lines:
            _add(parts[str(name)], str(line), Phrase(), named, parts)
    tree = Node()
    for entry in (*top["words"], *top["phrases"]):
        if not isinstance(entry, YamlMapping):
            raise DataError("D702", "each entry holds 'say' and what it tells", place=top.place("phrases"))
        phrase = _phrase(entry, prefixes)
        for pattern in _lines(entry):
            _add(tree, pattern, phrase, entry, parts)
    return Phrasebook(
        reference=top["reference"],
        nouns=frozenset(map(str, top["nouns"])),
        pronouns=frozenset(map(str, top["pronouns"])),
        goes_on=frozenset(str(word).casefold() for word in top["goes on"]),
        leads_on=tuple(str(ending).casefold() for ending in top["leads on"]),
        closers=frozenset(map(str, top["closers"])),
        sentence_end=_pattern(top, "sentence end"),
        quotation=top["quotation"],
        self_word=top["self"],
        symbols=tuple(Symbol(_pattern(one, "pattern"), str(one["word"])) for one in top["symbols"]),
        tree=tree,
        parts=parts,
    )


def _phrase(entry: YamlMapping, prefixes: Prefixes) -> Phrase:
    known = {"say", "kind", "before", "after", "beyond", "boundary", "complement", "opens", "ends", "loose"}
    for key in entry:
        if key not in known:
            raise DataError("D702", f"unknown field '{key}'", place=entry.place(key), hint=", ".join(sorted(known)))
    iris = {
        key: prefixes.expand(str(entry[key])) for key in ("before", "after", "beyond", "opens", "ends") if key in entry
    }
    return Phrase(
        **iris,
        boundary=bool(entry.get("boundary")),
        complement=bool(entry.get("complement")),
        loose=bool(entry.get("loose")),
    )


def _lines(entry: YamlMapping) -> list[str]:
    say: Any = entry.get("say")
    lines = [say] if isinstance(say, str) else say
    if not isinstance(lines, list) or not lines:
        raise DataError("D702", "'say' must be a phrase or a list of phrases", place=entry.place())
    return [str(line) for line in lines]


def _add(tree: Node, pattern: str, phrase: Phrase, entry: YamlMapping, parts: Mapping[str, Node]) -> None:
    for spelled in expanded(pattern):
        node = tree
        for word, kind in _words(spelled):
            if "<" in word or ">" in word or (kind == "parts" and word not in parts):
                raise DataError(
                    "D702", f"no part is called '{word}'", place=entry.place(), hint=", ".join(sorted(parts))
                )
            following: dict[str, Node] = getattr(node, kind)
            node = following.setdefault(word, Node())
        if node is tree:
            raise DataError("D702", f"'{pattern}' has no words", place=entry.place())
        both = phrase if node.phrase is None else _both(node.phrase, phrase)
        if both is None:
            raise DataError("D702", f"'{spelled}' is told twice, and not alike", place=entry.place())
        node.phrase = both


def _both(one: Phrase, other: Phrase) -> Phrase | None:
    """Return what two entries tell of the same phrase: a word may govern both sides; None if they can't both hold."""
    for name in ("before", "after", "beyond", "opens", "ends"):
        if getattr(one, name) and getattr(other, name) not in ("", getattr(one, name)):
            return None
    return Phrase(
        one.before or other.before,
        one.after or other.after,
        one.beyond or other.beyond,
        one.boundary or other.boundary,
        one.complement or other.complement,
        one.opens or other.opens,
        one.ends or other.ends,
        one.loose and other.loose,
    )


def expanded(pattern: str) -> Iterator[str]:
    """Yield every way to spell a pattern."""
    choice = _CHOICE.search(pattern)
    if choice is None:
        yield pattern
        return
    options = ["", *choice[1].split("|")] if choice[1] is not None else choice[2].split("|")
    for option in options:
        yield from expanded(pattern[: choice.start()] + option + pattern[choice.end() :])


def _words(spelled: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a phrase, each with the field of `Node` that holds its kind."""
    for part in _PIECE.findall(spelled):
        if _CLASS.fullmatch(part):
            yield part, "classes"
        elif _PART.fullmatch(part):
            yield part[1:-1], "parts"
        else:
            yield from ((word.casefold(), "words") for word, _ in split(normalise(part.replace("\\", ""))))


def _pattern(part: Mapping[str, Any], key: str) -> re.Pattern[str]:
    try:
        return re.compile(str(part[key]))
    except (KeyError, re.error) as problem:
        place = part.place(key if key in part else None) if isinstance(part, YamlMapping) else None
        raise DataError("D702", f"'{key}' is no pattern: {problem}", place=place) from None


class Matcher:
    """Finds phrases in one sentence: its `words`, and for each place the grammar classes of the words that begin there,
    each with where it ends. `seen` is the last place looked at, of which whoever asks may set a first value."""

    def __init__(self, book: Phrasebook, words: Sequence[str], classes: Sequence[Iterable[tuple[str, int]]]) -> None:
        self.seen = 0
        self._book = book
        self._words = words
        self._classes = classes
        self._begins = [{word, *(name for name, _ in at)} for word, at in zip(words, classes, strict=True)]
        # Where a part ends, and the last place that was looked at for it.
        self._known: dict[tuple[str, int], tuple[tuple[int, ...], int]] = {}

    def phrases(self, at: int) -> dict[int, Phrase]:
        """Return the phrases that begin at word `at`, by the place where they end."""
        return self._from(self._book.tree, at)

    def _part(self, name: str, at: int) -> tuple[int, ...]:
        found = self._known.get((name, at))
        if found is None:
            self._known[name, at] = (), at  # a part does not begin with itself
            before, self.seen = self.seen, at
            stops = tuple(self._from(self._book.parts[name], at))
            found = self._known[name, at] = stops, self.seen
            self.seen = max(self.seen, before)
        elif found[1] > self.seen:
            self.seen = found[1]
        return found[0]

    def _from(self, tree: Node, at: int) -> dict[int, Phrase]:
        found: dict[int, Phrase] = {}
        open_: list[tuple[Node, int]] = [(tree, at)]
        beginnings = self._book.beginnings
        for node, place in open_:
            if node.phrase is not None:
                found.setdefault(place, node.phrase)
            if not (node.words or node.classes or node.parts):
                continue
            if place > self.seen:
                self.seen = place
            if place == len(self._words):
                continue
            if (onward := node.words.get(self._words[place])) is not None:
                open_.append((onward, place + 1))
            if node.classes:
                for name, stop in self._classes[place]:
                    if (onward := node.classes.get(name)) is not None:
                        open_.append((onward, stop))
            if node.parts:
                begins = self._begins[place]
                for name, onward in node.parts.items():
                    if not beginnings[name].isdisjoint(begins):
                        open_ += [(onward, stop) for stop in self._part(name, place)]
        return found
