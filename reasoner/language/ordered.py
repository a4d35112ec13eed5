"""A parser for grammars whose alternatives stand in order of preference: the usual way to read a phrase comes first.

It reads the same notation as `reasoner.language.parser`, but directly over the lattice of words, so that a word with
many uses costs no more parses, and gives the trees in the order in which the grammar names the alternatives. A
repetition takes as much as it can first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from reasoner.language.parser import Stop, open_grammar

MOST_TREES: Final = 48


class Branch(NamedTuple):
    """A node of a tree: the `rule` (or its alias) and what it is made of."""

    rule: str
    parts: tuple[Node, ...]


Node: TypeAlias = Branch | int  # a number is that of an edge
Found: TypeAlias = tuple[int, tuple[Node, ...]]  # where it ends, and the nodes that take its place


class Ray(NamedTuple):
    """An edge as the grammar sees it: from token `start` up to, not including, `stop`, it is a `terminal`."""

    start: int
    stop: int
    terminal: str


class Way(NamedTuple):
    """One alternative of a rule: its symbols (True for a terminal) and the name of the node, "" if it makes none."""

    symbols: tuple[tuple[str, bool], ...]
    name: str


@dataclass(frozen=True)
class OrderedParser:
    """The parser of the grammar file at `path`."""

    path: Path

    @cached_property
    def terminals(self) -> frozenset[str]:
        """The terminals that the grammar names."""
        ways = (way for ways in self._rules.values() for way in ways)
        return frozenset(name for way in ways for name, is_terminal in way.symbols if is_terminal)

    @cached_property
    def first(self) -> Mapping[str, frozenset[str]]:
        """The terminals with which each rule can begin. No rule is empty, so nothing else can come first."""
        found: dict[str, set[str]] = {name: set() for name in self._rules}
        grown = True
        while grown:
            grown = False
            for name, ways in self._rules.items():
                before = len(found[name])
                for way in ways:
                    symbol, is_terminal = way.symbols[0]
                    found[name].update({symbol} if is_terminal else found[symbol])
                grown = grown or len(found[name]) > before
        return {name: frozenset(terminals) for name, terminals in found.items()}

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that nodes may have."""
        return frozenset(way.name for ways in self._rules.values() for way in ways if way.name)

    def parse(self, rays: Sequence[Ray], size: int) -> tuple[Branch, ...] | Stop:
        """Return the trees over `size` tokens, the usual one first, or where every attempt stopped.

        The leaves are places in `rays`. Raises:
            DataError: D701 or D703 if the grammar file can't be read or is wrong.
        """
        run = self.chart(rays)
        trees: dict[Branch, None] = {}
        for stop, nodes in run.found("start", 0):
            if stop == size and isinstance(nodes[0], Branch):
                trees[nodes[0]] = None
        return tuple(trees) or Stop(run.furthest, frozenset(run.expected))

    def chart(self, rays: Sequence[Ray]) -> Chart:
        """Return a chart of the lattice `rays`, to ask what can be read where in a text that is no phrase as a whole.

        Raises:
            DataError: D701 or D703 if the grammar file can't be read or is wrong.
        """
        return Chart(self._rules, self.first, rays)

    @cached_property
    def _rules(self) -> dict[str, tuple[Way, ...]]:
        from lark import Lark
        from lark.lexer import Lexer

        class NoLexer(Lexer):
            def __init__(self, _configuration: object) -> None:
                pass

            def lex(self, lexer_state: Any, parser_state: Any = None) -> Any:
                raise NotImplementedError

        lark = open_grammar(self.path, lambda text: Lark(text, parser="earley", lexer=NoLexer))
        rules: dict[str, list[tuple[int, Way]]] = {}
        for rule in lark.rules:
            name = str(rule.origin.name)
            shown = rule.alias or ("" if name.startswith("_") else name)
            symbols = tuple((str(symbol.name), bool(symbol.is_term)) for symbol in rule.expansion)
            rules.setdefault(name, []).append((rule.order, Way(symbols, shown)))
        return {name: tuple(way for _, way in sorted(ways, key=lambda one: one[0])) for name, ways in rules.items()}


@dataclass
class Chart:
    """What has been found while one lattice is parsed, by rule and place."""

    rules: dict[str, tuple[Way, ...]]
    first: Mapping[str, frozenset[str]]
    rays: Sequence[Ray]
    furthest: int = 0
    expected: set[str] = field(default_factory=set)
    known: dict[tuple[str, int], list[Found]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.at: dict[int, list[tuple[int, Ray]]] = {}
        for place, ray in enumerate(self.rays):
            self.at.setdefault(ray.start, []).append((place, ray))
        self.terminals = {at: {ray.terminal for _, ray in rays} for at, rays in self.at.items()}

    def found(self, rule: str, at: int) -> list[Found]:
        """Return every way to read `rule` from token `at` on, the usual one first."""
        key = (rule, at)
        if key in self.known:
            return self.known[key]
        self.known[key] = []  # what begins with itself is grown below
        if self.first[rule].isdisjoint(self.terminals.get(at, ())):
            self._missed(self.first[rule], at)
            return []
        plain = [way for way in self.rules[rule] if way.symbols[0] != (rule, False)]
        growing = [way for way in self.rules[rule] if way.symbols[0] == (rule, False)]
        results = [one for way in plain for one in self._way(way, at)]
        if growing:
            fresh = list(results)
            while fresh and len(results) < MOST_TREES:
                fresh = [
                    (stop, self._named(way, (*begun, *more)))
                    for middle, begun in fresh
                    for way in growing
                    for stop, more in self._sequence(way.symbols, 1, middle)
                ]
                results += fresh
            results.sort(key=lambda one: -one[0])
        self.known[key] = results = results[:MOST_TREES]
        return results

    def _way(self, way: Way, at: int) -> list[Found]:
        return [(stop, self._named(way, nodes)) for stop, nodes in self._sequence(way.symbols, 0, at)]

    @staticmethod
    def _named(way: Way, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        return (Branch(way.name, nodes),) if way.name else nodes

    def _sequence(self, symbols: tuple[tuple[str, bool], ...], index: int, at: int) -> list[Found]:
        name, is_terminal = symbols[index]
        heads = self._terminal(name, at) if is_terminal else self.found(name, at)
        if index + 1 == len(symbols):
            return heads
        return [
            (stop, (*nodes, *rest))
            for middle, nodes in heads
            for stop, rest in self._sequence(symbols, index + 1, middle)
        ][:MOST_TREES]

    def _terminal(self, name: str, at: int) -> list[Found]:
        matched: list[Found] = [(ray.stop, (place,)) for place, ray in self.at.get(at, ()) if ray.terminal == name]
        if not matched:
            self._missed((name,), at)
        return matched

    def _missed(self, terminals: Iterable[str], at: int) -> None:
        if at > self.furthest:
            self.furthest, self.expected = at, set()
        if at == self.furthest:
            self.expected.update(terminals)
