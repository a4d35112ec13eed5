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
_NOTHING: Final[list[Found]] = []


class Ray(NamedTuple):
    """An edge as the grammar sees it: from token `start` up to, not including, `stop`, it is a `terminal`."""

    start: int
    stop: int
    terminal: str


@dataclass(frozen=True, eq=False)
class Step:
    """A symbol of an alternative, and what comes after it. Alternatives that end alike share their last steps."""

    symbol: str
    is_terminal: bool
    rest: Step | None


class Way(NamedTuple):
    """One alternative of a rule: its symbols (True for a terminal) and the name of the node, "" if it makes none.

    `step` is the first of its symbols, which leads to the others.
    """

    symbols: tuple[tuple[str, bool], ...]
    name: str
    step: Step


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
        steps: dict[tuple[tuple[str, bool], ...], Step] = {}
        for rule in lark.rules:
            name = str(rule.origin.name)
            shown = rule.alias or ("" if name.startswith("_") else name)
            symbols = tuple((str(symbol.name), bool(symbol.is_term)) for symbol in rule.expansion)
            rules.setdefault(name, []).append((rule.order, Way(symbols, shown, _first_step(symbols, steps))))
        return {name: tuple(way for _, way in sorted(ways, key=lambda one: one[0])) for name, ways in rules.items()}


def _first_step(symbols: tuple[tuple[str, bool], ...], known: dict[tuple[tuple[str, bool], ...], Step]) -> Step:
    found = known.get(symbols)
    if found is None:
        rest = _first_step(symbols[1:], known) if len(symbols) > 1 else None
        found = known[symbols] = Step(*symbols[0], rest)
    return found


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
        self._size = max((ray.stop for ray in rays), default=0)
        self._at: list[dict[str, list[Found]]] = [{} for _ in range(self._size + 1)]
        for place, ray in enumerate(rays):
            self._at[ray.start].setdefault(ray.terminal, []).append((ray.stop, (place,)))
        self._openings = [parser.opening(frozenset(found)) for found in self._at]
        # By place, and rule or step: what there is, and the last place that was looked at for it.
        self._known: list[dict[str, tuple[list[Found], int]]] = [{} for _ in self._at]
        self._rests: list[dict[Step, tuple[list[Found], int]]] = [{} for _ in self._at]

    def found(self, rule: str, at: int) -> list[Found]:
        """Return every way to read `rule` from token `at` on, the usual one first."""
        if at > self._size:
            return []
        known = self._known[at].get(rule)
        if known is not None:
            if known[1] > self.seen:
                self.seen = known[1]
            return known[0]
        opening = self._openings[at][rule]
        if at >= self.furthest and opening.missing:
            self._missed(opening.missing, at)
        before, self.seen = self.seen, at
        results: list[Found] = []
        self._known[at][rule] = results, at  # what begins with itself is grown below
        if opening.plain:
            results = self._grown(opening, at)
            self._known[at][rule] = results, self.seen
        if before > self.seen:
            self.seen = before
        return results

    def _grown(self, opening: Opening, at: int) -> list[Found]:
        results: list[Found] = []
        for way in opening.plain:
            name, found = way.name, self._read(way.step, at)
            results += [(stop, (Branch(name, nodes),)) for stop, nodes in found] if name else found
        fresh = results if opening.growing else []
        while fresh and len(results) < MOST_TREES:
            fresh = [
                (stop, (Branch(way.name, (*begun, *more)),) if way.name else (*begun, *more))
                for middle, begun in fresh
                for way in opening.growing
                if way.step.rest is not None
                for stop, more in self._rest(way.step.rest, middle)
            ]
            results = results + fresh
        if opening.growing:
            results.sort(key=lambda one: -one[0])
        return results[:MOST_TREES]

    def _read(self, step: Step, at: int) -> list[Found]:
        """Return every way to read a symbol from `at` on, and those after it."""
        if step.is_terminal:
            if at > self.seen:
                self.seen = at
            heads = self._at[at].get(step.symbol, _NOTHING)
            if not heads:
                if at >= self.furthest:
                    self._missed((step.symbol,), at)
                return heads
        else:
            known = self._known[at].get(step.symbol)
            if known is None:
                heads = self.found(step.symbol, at)
            else:
                heads = known[0]
                if known[1] > self.seen:
                    self.seen = known[1]
        rest = step.rest
        if rest is None or not heads:
            return heads
        found = [(stop, nodes + more) for middle, nodes in heads for stop, more in self._rest(rest, middle)]
        return found[:MOST_TREES] if len(found) > MOST_TREES else found

    def _rest(self, step: Step, at: int) -> list[Found]:
        """Return the same, kept: ways often end alike."""
        if step.rest is None:
            return self._read(step, at)
        known = self._rests[at].get(step)
        if known is None:
            before, self.seen = self.seen, at
            known = self._rests[at][step] = self._read(step, at), self.seen
            if before > self.seen:
                self.seen = before
        elif known[1] > self.seen:
            self.seen = known[1]
        return known[0]

    def _missed(self, terminals: Iterable[str], at: int) -> None:
        if at > self.furthest:
            self.furthest, self.expected = at, set()
        self.expected.update(terminals)
