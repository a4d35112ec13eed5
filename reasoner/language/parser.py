"""The grammar of a language as an Earley parser that keeps every ambiguity. Lark is imported with the first parse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasoner.errors import DataError, Place

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

_NAME = re.compile(r"\w+")


@dataclass(frozen=True)
class Stop:
    """A parse that ended before `place` (a number of words); `expected` are the terminals that might have followed."""

    place: int
    expected: frozenset[str]


@dataclass(frozen=True)
class Parser:
    """The parser of the grammar file at `path`."""

    path: Path

    @cached_property
    def terminals(self) -> frozenset[str]:
        """The terminals that the grammar names."""
        return frozenset(symbol.name for rule in self._lark.rules for symbol in rule.expansion if symbol.is_term)

    def parse(self, terminals: Sequence[str]) -> Tree[Token] | Stop:
        """Return the tree of a sequence of terminals, with `_ambig` nodes, or where it stopped being a phrase.

        The leaves are the places of the terminals. Raises:
            DataError: D701 or D703 if the grammar file can't be read or is wrong.
        """
        from lark.exceptions import UnexpectedEOF, UnexpectedToken

        try:
            return self._lark.parse(tuple(terminals))
        except UnexpectedToken as stop:
            return Stop(int(stop.token), frozenset(stop.accepts or stop.expected))
        except UnexpectedEOF as stop:
            return Stop(len(terminals), frozenset(stop.expected))

    @cached_property
    def _lark(self) -> Lark:
        return open_grammar(self.path, _parser_of)


def open_grammar(path: Path, make: Callable[[str], Lark]) -> Lark:
    """Return what `make` makes of the grammar file at `path`.

    Raises:
        DataError: D701 the file can't be read, D703 it is wrong.
    """
    from lark.exceptions import GrammarError, UnexpectedInput

    try:
        return make(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise DataError("D701", f"cannot read the file: {problem.strerror}", place=Place(path)) from None
    except (GrammarError, UnexpectedInput) as problem:
        message = str(problem).strip().splitlines()[0]
        raise DataError("D703", f"not a grammar: {message}", place=_place(path, problem)) from None


def _place(path: Path, problem: Exception) -> Place:
    """Return the line that Lark names, or the first on which a name stands that it speaks of."""
    line = getattr(problem, "line", None)
    if isinstance(line, int) and line > 0:
        return Place(path, line)
    lines = path.read_text(encoding="utf-8").splitlines()
    for name in _NAME.findall(str(problem)):
        found = (number for number, text in enumerate(lines, 1) if name in _NAME.findall(text.partition("//")[0]))
        if (number := next(found, 0)) > 0:
            return Place(path, number)
    return Place(path, 1)


@lru_cache(maxsize=8)  # the games of a language, and the editions of a game, share a grammar
def _parser_of(grammar: str) -> Lark:
    from lark import Lark
    from lark.lexer import Lexer, Token

    class Ready(Lexer):
        """Gives out terminals that were found before: the lexicon is the lexer."""

        def __init__(self, _configuration: object) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:
            yield from (Token(terminal, str(place)) for place, terminal in enumerate(lexer_state))

    lark = Lark(grammar, parser="earley", ambiguity="explicit", lexer=Ready)
    _predict_directly(lark)
    return lark


def _predict_directly(lark: Lark) -> None:
    """Let the parser predict only the rules of the nonterminal itself: theirs are predicted in turn anyway.

    Lark predicts every rule that can be reached, for each nonterminal anew, which takes five times as long.
    """
    earley = getattr(lark.parser, "parser", None)
    if isinstance(getattr(earley, "predictions", None), dict):
        direct: dict[object, list[object]] = {}
        for rule in earley.parser_conf.rules:  # type: ignore[union-attr]
            direct.setdefault(rule.origin, []).append(rule)
        earley.predictions = direct  # type: ignore[union-attr]
