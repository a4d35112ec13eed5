"""Shorthand for searching cards, such as `t:elf -c:g mv<=3`: it becomes the same selectors as card wording.

The grammar is data/languages/shorthand.lark; which keys a game knows, and what they ask for, its `shorthand.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from reasoner.engine.inference import Branch
from reasoner.errors import TextError, UseError, close_to
from reasoner.index.opening import PoolIndex
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.yamlfile import read_yaml
from reasoner.language.mention import Comparison, Reading
from reasoner.language.parser import open_grammar
from reasoner.operations.match import Match, ReadingMatch, impossible
from reasoner.operations.poolmatch import Members, groups_of
from reasoner.reference.interpret import Interpretation
from reasoner.reference.selector import Compare, Has, Selector, all_of, any_of, negate
from reasoner.reference.wording import say
from reasoner.terms.namespaces import RANGE, TYPE, core, graph

_COMPARISONS: Mapping[str, Comparison] = {
    ":": "Exactly",
    "=": "Exactly",
    "!=": "Exactly",
    "<=": "AtMost",
    ">=": "AtLeast",
    "<": "LessThan",
    ">": "MoreThan",
}
_BETWEEN = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")
_NUMBER = re.compile(r"-?[0-9]+")
MOST_LETTERS = 2000


@dataclass(frozen=True)
class SearchMatch(ReadingMatch):
    """What a search found: there is no mention that it was read from, only the selector that was `sought`."""

    sought: tuple[Selector, ...] = ()

    @property
    def selectors(self) -> tuple[Selector, ...]:
        """The selector that was sought."""
        return self.sought


def match_shorthand(index: PoolIndex, text: str) -> Match:
    """Return which cards meet the shorthand `text`.

    Raises:
        TextError: T118 it can't be read.
        UseError: U117 the game has no shorthand, or the cards have no texts to search.
    """
    base = index.base
    selector = parse(text, base)
    if len(index.views) != 1:
        raise UseError("U117", "rules disagree on the cards: shorthand can't be asked of them", hint="cardlore check")
    meaning = Interpretation(selector, Branch(graph(base.game, "shorthand")), (), ())
    members = Members(index, groups_of(index, meaning))
    words = say(selector, base.vocabulary, base.language.code)
    never = "" if members else impossible(index.views[0].possible, base.language.code, [selector])
    reading = Reading((), base.language.code)
    return Match(base.game, text, base.edition, (SearchMatch(reading, (), words, members, never, (selector,)),))


def parse(text: str, base: KnowledgeBase) -> Selector:
    """Return the selector that the shorthand `text` stands for.

    Raises:
        TextError: T118 it can't be read.
        UseError: U117 the game has no shorthand.
    """
    path = base.library.game(base.game) / "shorthand.yaml"
    if not path.is_file():
        raise UseError(
            "U117", f"'{base.game}' has no shorthand", hint="data/<game>/shorthand.yaml says what its keys mean"
        )
    if not text.strip() or len(text) > MOST_LETTERS:
        raise TextError("T118", f"shorthand has 1 to {MOST_LETTERS} letters", hint="for example: t:elf -c:g mv<=3")
    grammar = open_grammar(base.library.data / "languages" / "shorthand.lark", lambda text: Lark(text, parser="lalr"))
    try:
        tree: Any = grammar.parse(text)
        return _Reader(base, read_yaml(path)).selector(tree.children[0])
    except UnexpectedInput as problem:
        place = getattr(problem, "pos_in_stream", None)
        at_end = getattr(getattr(problem, "token", None), "type", "") == "$END"
        at = len(text) if at_end or place is None or not 0 <= place <= len(text) else place
        found = f"'{text[at : at + 12]}' at letter {at + 1}" if text[at:].strip() else "its end"
        raise TextError(
            "T118", f"the shorthand can't be read at {found}", hint='key:value, quotes, "or", -, ( and ); t:elf mv<=3'
        ) from None
    except RecursionError:
        raise TextError("T118", "the shorthand is nested too deep", hint="leave out parentheses") from None


class _Reader:
    """Turns the tree of a shorthand into a selector."""

    def __init__(self, base: KnowledgeBase, keys: Mapping[str, Any]) -> None:
        self._base = base
        self._keys = keys

    def selector(self, tree: Tree[Token]) -> Selector:
        parts = [one for one in tree.children if isinstance(one, Tree)]
        if tree.data in ("start", "either"):
            return any_of(self.selector(part) for part in parts)
        if tree.data == "both":
            return all_of(self.selector(part) for part in parts)
        if tree.data == "denied":
            return negate(self.selector(parts[0]))
        value = str(parts[0].children[0]).strip('"')
        if tree.data == "bare":
            return Has(core("hasNameWith").value, ox.Literal(value.casefold()))
        key, operator = (str(one) for one in tree.children[:2])
        return self._keyed(key, operator, value)

    def _keyed(self, key: str, operator: str, value: str) -> Selector:
        known = self._keys.get(key.lower())
        if known is None:
            raise TextError(
                "T118",
                f"unknown key '{key}'",
                suggestions=close_to(key, self._keys),
                hint=f"keys: {', '.join(self._keys)}",
            )
        known = self._keys[known["same as"]] if "same as" in known else known
        if "number" in known:
            return self._number(self._iri(known["number"]), operator, value)
        found: Selector
        if "text" in known:
            found = Has(self._iri(known["text"]), ox.Literal(value.casefold()))
        elif "letters" in known and set(value.lower()) <= set(known["letters"]):
            return self._letters(known, key, operator, value.lower())
        else:
            found = self._words(known["words"], key, value)
        if operator not in (":", "=", "!="):
            raise TextError("T118", f"{key} can't be compared by {operator}", hint=f"{key}:{value} or -{key}:{value}")
        return negate(found) if operator == "!=" else found

    def _number(self, characteristic: str, operator: str, value: str) -> Selector:
        limits = _BETWEEN.fullmatch(value)
        if limits and operator in (":", "="):
            low, high = (int(one) for one in limits.groups())
            return all_of([Compare(characteristic, "AtLeast", low), Compare(characteristic, "AtMost", high)])
        if not _NUMBER.fullmatch(value) or len(value) > 18:
            raise TextError("T118", f"'{value}' is no whole number", hint="for example 3, or a range 2..4 after :")
        found = Compare(characteristic, _COMPARISONS[operator], int(value))
        return negate(found) if operator == "!=" else found

    def _letters(self, known: Mapping[str, Any], key: str, operator: str, value: str) -> Selector:
        terms = {letter: ox.NamedNode(self._iri(term)) for letter, term in known["letters"].items()}
        characteristic = self._iri(known["words"][0])
        asked = all_of(Has(characteristic, terms[letter]) for letter in value)
        others = all_of(negate(Has(characteristic, term)) for letter, term in terms.items() if letter not in value)
        if operator in (":", ">="):
            return asked
        if operator == "<=":
            return others
        exactly = all_of([asked, others])
        if operator in ("=", "!="):
            return exactly if operator == "=" else negate(exactly)
        return all_of([asked if operator == ">" else others, negate(exactly)])

    def _words(self, properties: list[str], key: str, value: str) -> Selector:
        wanted = value.casefold()
        found: list[Selector] = []
        names: set[str] = set()
        for short in properties:
            characteristic = self._iri(short)
            of = self._base.vocabulary.first(ox.NamedNode(characteristic), RANGE)
            kind = of if isinstance(of, ox.NamedNode) and characteristic != TYPE.value else core("Classifier")
            for name, terms in self._base.vocabulary.labelled(kind).items():
                names.add(name)
                if name.casefold() == wanted:
                    found += [Has(characteristic, term) for term in sorted(terms, key=str)]
        if not found:
            raise TextError("T118", f"{key}: there is no '{value}'", suggestions=close_to(value, names))
        return any_of(found)

    def _iri(self, short: str) -> str:
        return self._base.vocabulary.prefixes.expand(short)
