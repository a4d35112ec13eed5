"""A parser for grammars whose alternatives stand in order of preference: the usual way to read a phrase comes first.

It reads the same notation as `reasoner.language.parser`, but directly over the lattice of words, so that a word with
many uses costs no more parses, and gives the trees in the order in which the grammar names the alternatives. A
repetition takes as much as it can first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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

    def opening(self, terminals: frozenset[str]) -> Mapping[str, Opening]:
        """Return, by rule, what of it can begin where these terminals stand. It is the same mapping for the same."""
        found = self._openings.get(terminals)
        if found is None:
            found = self._openings[terminals] = _Openings(self._rules, self.first, terminals)
        return found

    @cached_property
    def _openings(self) -> dict[frozenset[str], _Openings]:
        return {}

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
        return Chart(self, rays)

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


class Opening(NamedTuple):
    """What of a rule can begin at a place: its ways, those that go on after the rule itself, and what is missing there.

    A way that begins with a terminal that does not stand there, or with a rule that can't begin there, gives nothing.
    """

    plain: tuple[Way, ...]
    growing: tuple[Way, ...]
    missing: frozenset[str]


class _Openings(dict[str, Opening]):
    """The openings of rules where some terminals stand, each found out when it is first asked for."""

    def __init__(
        self, rules: Mapping[str, tuple[Way, ...]], first: Mapping[str, frozenset[str]], terminals: frozenset[str]
    ) -> None:
        self._rules = rules
        self._first = first
        self._terminals = terminals

    def __missing__(self, rule: str) -> Opening:
        plain: list[Way] = []
        growing: list[Way] = []
        missing: set[str] = set()
        for way in self._rules[rule]:
            symbol, is_terminal = way.symbols[0]
            begins = frozenset((symbol,)) if is_terminal else self._first[symbol]
            if begins.isdisjoint(self._terminals):
                missing |= begins
            elif symbol == rule and not is_terminal:
                growing.append(way)
            else:
                plain.append(way)
        found = self[rule] = Opening(tuple(plain), tuple(growing), frozenset(missing))
        return found


class Chart:
    """What has been found while one lattice is parsed, by rule and place.

    `furthest` is the last place at which something was missing, `expected` what; `seen` the last place looked at, of
    which whoever asks may set a first value.
    """

    def __init__(self, parser: OrderedParser, rays: Sequence[Ray]) -> None:
        self.furthest = 0
        self.expected: set[str] = set()
        self.seen = 0
        self._at: dict[int, dict[str, list[Found]]] = {}
        for place, ray in enumerate(rays):
            self._at.setdefault(ray.start, {}).setdefault(ray.terminal, []).append((ray.stop, (place,)))
        self._openings = {at: parser.opening(frozenset(found)) for at, found in self._at.items()}
        self._nowhere = parser.opening(frozenset())
        # By rule, or the rest of a way, and place: what there is, and the last place that was looked at for it.
        self._known: dict[tuple[str, int], tuple[list[Found], int]] = {}
        self._rests: dict[tuple[tuple[tuple[str, bool], ...], int], tuple[list[Found], int]] = {}

    def found(self, rule: str, at: int) -> list[Found]:
        """Return every way to read `rule` from token `at` on, the usual one first."""
        key = (rule, at)
        known = self._known.get(key)
        if known is not None:
            if known[1] > self.seen:
                self.seen = known[1]
            return known[0]
        opening = self._openings.get(at, self._nowhere)[rule]
        if at >= self.furthest and opening.missing:
            self._missed(opening.missing, at)
        if not opening.plain:
            self._known[key] = [], at
            self.seen = max(self.seen, at)
            return []
        self._known[key] = [], at  # what begins with itself is grown below
        before, self.seen = self.seen, at
        results: list[Found] = []
        for way in opening.plain:
            results += _named(way, self._sequence(way.symbols, at))
        if opening.growing:
            fresh = list(results)
            while fresh and len(results) < MOST_TREES:
                fresh = [
                    (stop, (Branch(way.name, (*begun, *more)),) if way.name else (*begun, *more))
                    for middle, begun in fresh
                    for way in opening.growing
                    for stop, more in self._rest(way.symbols[1:], middle)
                ]
                results += fresh
            results.sort(key=lambda one: -one[0])
        results = results[:MOST_TREES]
        self._known[key] = results, self.seen
        self.seen = max(before, self.seen)
        return results

    def _rest(self, symbols: tuple[tuple[str, bool], ...], at: int) -> list[Found]:
        """Return every way to read the last symbols of a way from `at` on; ways often end alike."""
        if len(symbols) == 1:
            return self._symbol(symbols[0], at)
        key = (symbols, at)
        known = self._rests.get(key)
        if known is None:
            before, self.seen = self.seen, at
            known = self._rests[key] = self._sequence(symbols, at), self.seen
            self.seen = max(before, self.seen)
        elif known[1] > self.seen:
            self.seen = known[1]
        return known[0]

    def _sequence(self, symbols: tuple[tuple[str, bool], ...], at: int) -> list[Found]:
        heads = self._symbol(symbols[0], at)
        if len(symbols) == 1 or not heads:
            return heads
        rest = symbols[1:]
        if len(heads) == 1:
            middle, nodes = heads[0]
            return [(stop, nodes + more) for stop, more in self._rest(rest, middle)][:MOST_TREES]
        return [(stop, nodes + more) for middle, nodes in heads for stop, more in self._rest(rest, middle)][:MOST_TREES]

    def _symbol(self, symbol: tuple[str, bool], at: int) -> list[Found]:
        name, is_terminal = symbol
        if not is_terminal:
            return self.found(name, at)
        if at > self.seen:
            self.seen = at
        matched = self._at[at].get(name) if at in self._at else None
        if matched is None:
            if at >= self.furthest:
                self._missed((name,), at)
            return []
        return matched

    def _missed(self, terminals: Iterable[str], at: int) -> None:
        if at > self.furthest:
            self.furthest, self.expected = at, set()
        self.expected.update(terminals)


def _named(way: Way, found: list[Found]) -> list[Found]:
    return [(stop, (Branch(way.name, nodes),)) for stop, nodes in found] if way.name else found
