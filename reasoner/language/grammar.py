"""From text to readings: the lexicon cuts a phrase into words, the grammar tells how they may belong together.

Every way to understand the phrase is a reading, none is preferred, and a phrase of which any word has no place in a
reading is refused as a whole. What the words mean is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

from reasoner.language.compose import Composer, Sense
from reasoner.language.datafiles import load_endings, load_words, read_data
from reasoner.language.lattice import Builder, Edge, Lattice
from reasoner.language.lexicon import Entry, Lexicon
from reasoner.language.mention import Mention, Reading, Word, letter_case
from reasoner.language.morphology import Morphology
from reasoner.language.ordered import OrderedParser, Ray
from reasoner.language.parser import Parser, Stop
from reasoner.language.refusal import no_phrase_from, not_a_phrase, too_many, unknown_word
from reasoner.language.scope import Conjunction, Mark, Outcome, TooMany, Unit, Value, evaluate
from reasoner.language.spots import Spots
from reasoner.language.tokens import Token, is_unspaced, normalise, tokenise, unmarked

MOST_KNOWN = 1000  # texts of which a lexicon keeps the readings: those of a situation come again at each moment
MOST_PATHS: Final = 256
MOST_READINGS: Final = 64

_NOUNS = frozenset({"TYPE", "SUBTYPE", "KIND", "CLASSIFIER", "NAME", "QUANTITY"})
_SAMENESS = frozenset({"SAME", "OTHER"})
_CLOSING = frozenset({"OR", "AND"})
_SILENT = ("DeterminerWord", "NumberWord", "TargetWord")  # these add nothing to the word of which they are a part


@dataclass(frozen=True)
class Language:
    """A language of card text: its code, its own words (`numerals` stand for digits), endings and grammar."""

    code: str
    entries: tuple[Entry, ...]
    numerals: Mapping[str, Entry]
    endings: Morphology
    parser: Parser | OrderedParser

    def builder(self, lexicon: Lexicon) -> Builder:
        """Return what cuts phrases into words of `lexicon`."""
        return Builder(lexicon, self.endings, self.numerals, self._classes("_TIGHT"), self._classes("_ADJECTIVE"))

    def spots(self, lexicon: Lexicon) -> Spots:
        """Return what finds the words of `lexicon` in texts, and keeps what it has found."""
        found = lexicon.kept.get(self.code)
        if not isinstance(found, Spots):
            found = lexicon.kept[self.code] = Spots(self.builder(lexicon))
        return found

    def _classes(self, ending: str) -> frozenset[str]:
        return frozenset(name.removesuffix(ending) for name in self.parser.terminals if name.endswith(ending))

    @cached_property
    def outcome(self) -> Callable[[tuple[Mark, ...]], Outcome]:
        """The function from a shape to its outcome. It remembers the latest: most phrases have one of few shapes."""
        return lru_cache(maxsize=4096)(self._outcome)

    @cached_property
    def ordered_outcome(self) -> Callable[[tuple[tuple[Ray, bool], ...], int], tuple[Sense, ...] | Stop]:
        """The function from a lattice's shape and size to its senses, the usual one first, or where it stopped."""
        return lru_cache(maxsize=4096)(self._ordered_outcome)

    def _ordered_outcome(self, shape: tuple[tuple[Ray, bool], ...], size: int) -> tuple[Sense, ...] | Stop:
        assert isinstance(self.parser, OrderedParser)
        rays = [ray for ray, _ in shape]
        trees = self.parser.parse(rays, size)
        if isinstance(trees, Stop):
            return trees
        composer = Composer(rays, frozenset(place for place, (_, means) in enumerate(shape) if means))
        return tuple(dict.fromkeys(sense for tree in trees for sense in composer.senses(tree)))

    def divided(self, tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Token, ...]:
        """Return `tokens` in which words that begin with a prefix of the language ("non") are two."""
        if not self.prefixes:
            return tokens
        return tuple(part for token in tokens for part in self._parts(token, lexicon))

    def _parts(self, token: Token, lexicon: Lexicon) -> tuple[Token, ...]:
        folded = token.text.casefold()
        for prefix in self.prefixes:
            rest = token.text[len(prefix) :]
            if not folded.startswith(prefix) or len(rest) < 2 or not rest.isalpha() or lexicon.find((folded,)):
                continue
            known = [rest.casefold(), *(stem.text.casefold() for stem in self.endings.stems(rest))]
            if any(lexicon.find((word,)) or lexicon.continues((word,)) for word in known):
                middle = token.start + len(prefix)
                head = replace(token, text=token.text[: len(prefix)], end=middle)
                return head, replace(token, text=rest, start=middle, glued=False)
        return (token,)

    @cached_property
    def prefixes(self) -> tuple[str, ...]:
        """What may stand at the beginning of a word and denies the rest of it."""
        return tuple(sorted({entry.lexeme for entry in self.entries if entry.grammar_class == "NEG"}))

    def _outcome(self, shape: tuple[Mark, ...]) -> Outcome:
        assert isinstance(self.parser, Parser)
        tree = self.parser.parse([mark.terminal for mark in shape])
        if isinstance(tree, Stop):
            return Outcome(stop=tree)
        return evaluate(tree, shape)


def language_data(folder: Path) -> dict[str, Any]:
    """Return what words.yaml and endings.yaml in `folder` hold, by their names.

    Raises:
        DataError: D701 if a file can't be read.
    """
    return {name: read_data(folder / name) for name in ("words.yaml", "endings.yaml")}


def load_language(folder: Path, data: Mapping[str, Any] | None = None) -> Language:
    """Return the language whose words.yaml, endings.yaml and grammar.lark (or ordered.lark) lie in `folder`, which
    bears its code.

    `data` is what `language_data` gave, if that is known. The grammar is read with the first phrase. Raises:
        DataError: D701 or D702 if a file can't be read or is wrong.
    """
    known = language_data(folder) if data is None else data
    entries, numerals = load_words(folder / "words.yaml", known["words.yaml"])
    endings = load_endings(folder / "endings.yaml", known["endings.yaml"])
    ordered = folder / "ordered.lark"
    parser = OrderedParser(ordered) if ordered.is_file() else Parser(folder / "grammar.lark")
    return Language(folder.name, entries, numerals, endings, parser)


def read(text: str, lexicon: Lexicon, language: Language) -> tuple[Reading, ...]:
    """Return every distinct reading of `text`, in a stable order; there is at least one.

    Raises:
        TextError: T101 an unknown word, T102 words that make no noun phrase, T103 an unclosed mark, T104 marked text
            that is no card name, T105 no words, T106 too long, T107 too many readings, T108 an invisible character.
        DataError: D701 or D703 if the grammar can't be read or is wrong.
    """
    known = lexicon.readings.get((language.code, text))
    if known is None:
        known = _read(text, lexicon, language)
        if len(lexicon.readings) < MOST_KNOWN:
            lexicon.readings[language.code, text] = known
    return known


def _read(text: str, lexicon: Lexicon, language: Language) -> tuple[Reading, ...]:
    tokens = language.divided(tokenise(text), lexicon)
    text = normalise(text)
    cuts = language.spots(lexicon).lattice(tokens)
    if cuts.reach < len(tokens):
        raise unknown_word(tokens, cuts.reach, lexicon, language.endings)
    if isinstance(language.parser, OrderedParser):
        return _read_in_order(cuts, tokens, text, language)
    paths = cuts.paths(MOST_PATHS)
    if paths is None:
        raise too_many(MOST_READINGS)
    found: dict[Reading, bool] = {}
    failures: list[tuple[tuple[Edge, ...], Outcome]] = []
    for path in map(_without_doubled_joints, paths):
        try:
            outcome = language.outcome(_shape(path, language.parser.terminals))
        except TooMany:
            raise too_many(MOST_READINGS) from None
        readings = [
            (reading, v.strained) for v in outcome.values if (reading := _reading(v, path, tokens, text, language.code))
        ]
        for reading, strained in readings:
            found[reading] = found.get(reading, True) and strained
        if not readings:
            failures.append((path, outcome))
    if not found:
        raise not_a_phrase(failures, tokens)
    least = min(found.values())  # a strained reading counts only where there is no other
    best = [reading for reading, strained in found.items() if strained == least]
    if len(best) > MOST_READINGS:
        raise too_many(MOST_READINGS)
    return tuple(sorted(best, key=_order))


def _read_in_order(cuts: Lattice, tokens: Sequence[Token], text: str, language: Language) -> tuple[Reading, ...]:
    """Return the readings by a grammar of ordered alternatives, the usual one first."""
    if any(is_unspaced(token.text) for token in tokens):
        cuts = cuts.fewest()
    edges = [edge for at in cuts.edges for edge in at]
    terminals = language.parser.terminals
    rays = (Ray(edge.start, edge.stop, terminal_of(edge, terminals)) for edge in edges)
    shape = tuple((ray, bool(edge.entry.denotes or edge.entry.name)) for ray, edge in zip(rays, edges, strict=True))
    try:
        outcome = language.ordered_outcome(shape, len(tokens))
    except TooMany:
        raise too_many(MOST_READINGS) from None
    if isinstance(outcome, Stop):
        raise no_phrase_from(outcome, edges, tokens)
    least = min(sense.strained for sense in outcome)
    values = (Value(_with_silent(sense)) for sense in outcome if sense.strained == least)
    found = dict.fromkeys(one for value in values if (one := _reading(value, edges, tokens, text, language.code)))
    if not found:
        raise not_a_phrase([(edges, Outcome())], tokens)
    return tuple(found)[:MOST_READINGS]


def _with_silent(sense: Sense) -> tuple[Conjunction, ...]:
    return tuple((*conjunction, *(Unit(place) for place in sense.silent)) for conjunction in sense.union)


def _shape(path: Sequence[Edge], terminals: frozenset[str]) -> tuple[Mark, ...]:
    marks = []
    for edge, joint, following in zip(path, _joints(path), (*path[1:], None), strict=True):
        terminal = ("COMMA" if joint == "COMMA" else "JOINT") if joint else terminal_of(edge, terminals)
        if terminal == "ARTICLE" and following is not None and following.entry.grammar_class == "ZONE":
            terminal = "ARTICLE_PLACE"
        marks.append(Mark(terminal, edge.cases, joint))
    return tuple(marks)


def terminal_of(edge: Edge, terminals: frozenset[str]) -> str:
    """Return the terminal of a word by itself, as the head of the grammar file says."""
    name = edge.entry.grammar_class
    if edge.inflected:
        named = sorted(f"{name}_{case.upper()}" for case in edge.cases)
        return next((terminal for terminal in named if terminal in terminals), f"{name}_END")
    return f"{name}_TIGHT" if edge.tight else name


def _joints(path: Sequence[Edge]) -> list[str]:
    """Return what each word joins with: "" for most; a comma is alone unless OR or AND follows in the same brackets."""
    joints = [""] * len(path)
    closed = [False]
    for place in range(len(path) - 1, -1, -1):
        kind = path[place].entry.grammar_class
        if path[place].inflected or path[place].tight:
            continue
        if kind == "CLOSE":
            closed.append(False)
        elif kind == "OPEN" and len(closed) > 1:
            closed.pop()
        elif kind in _CLOSING:
            closed[-1] = True
            joints[place] = kind
        elif kind == "COMMA":
            joints[place] = kind if closed[-1] else "COMMA_ALONE"
    return joints


def _without_doubled_joints(path: tuple[Edge, ...]) -> tuple[Edge, ...]:
    """Return `path` without commas right before OR or AND: the two join as one."""
    return tuple(
        edge
        for edge, following in zip(path, (*path[1:], None), strict=True)
        if not (edge.entry.grammar_class == "COMMA" and following and following.entry.grammar_class in _CLOSING)
    )


def _reading(value: Value, path: Sequence[Edge], tokens: Sequence[Token], text: str, code: str) -> Reading | None:
    """Return the reading that `value` stands for, or None if a noun phrase in it would bear two names."""
    alternatives: dict[tuple[tuple[int, bool, tuple[int, ...]], ...], Mention] = {}
    for conjunction in value.union:
        found = {unit.place: (unit.negated, unit.parts) for unit in conjunction}
        for unit in conjunction:
            found.update(dict.fromkeys(unit.with_it, (False, ())))
        places = tuple((place, *found[place]) for place in sorted(found))
        if sum(path[place].entry.grammar_class == "NAME" and not denial for place, denial, _ in places) > 1:
            return None
        head = _head([(place, "" if parts else path[place].entry.grammar_class) for place, _, parts in places])
        words = [_word(path[place], denial, place == head, tokens, text) for place, denial, _ in places]
        for i, (_, _, parts) in enumerate(places):
            if parts:
                words[i] = _composed(words[i], [path[part] for part in parts], tokens, text)
        alternatives[places] = Mention(tuple(words))
    return Reading(tuple(alternatives[places] for places in sorted(alternatives)), code)


def _head(words: Iterable[tuple[int, str]]) -> int:
    """Return the place of the head: the last type, classifier, name or quantity; failing these the last word for a
    card; failing that the last word of sameness or otherness. Nothing else is ever the head, nor a comparison.
    """
    found: dict[int, int] = {}
    for place, kind in words:
        rank = 0 if kind in _NOUNS else 1 if kind == "CARDWORD" else 2 if kind in _SAMENESS else 3
        found[rank] = place
    return found[min(found)]


def _word(edge: Edge, negated: bool, is_head: bool, tokens: Sequence[Token], text: str) -> Word:
    start, end = tokens[edge.start].start, tokens[edge.stop - 1].end
    entry = edge.entry
    return Word(
        spelling=unmarked(text[start:end]),
        lexeme=entry.lexeme,
        letter_case=letter_case(edge.stem),
        bold=edge.bold,
        negated=negated,
        grammar_class=entry.grammar_class,
        can_denote=entry.denotes,
        name=entry.name,
        is_head=is_head,
        start=start,
        end=end,
        denied=entry.denied,
    )


def _composed(main: Word, parts: Sequence[Edge], tokens: Sequence[Token], text: str) -> Word:
    """Return the one word that `main` makes with its `parts`; a number alone compares exactly."""
    from reasoner.terms.namespaces import core

    start = min(main.start, *(tokens[part.start].start for part in parts))
    end = max(main.end, *(tokens[part.stop - 1].end for part in parts))
    entries = [part.entry for part in parts]
    numbers = tuple(entry.number for entry in entries if entry.number is not None)
    bound = next((entry.comparison for entry in entries if entry.comparison is not None), None)
    compares = main.grammar_class == "QUANTITY"
    silent = {core(name).value for name in _SILENT}
    return replace(
        main,
        spelling=unmarked(text[start:end]),
        start=start,
        end=end,
        comparison=(bound or "Exactly") if compares else None,
        number=next(iter(numbers), None) if compares else None,
        arguments=tuple(dict.fromkeys(iri for entry in entries for iri in entry.denotes if iri not in silent)),
        texts=tuple(entry.lexeme for entry in entries if entry.literal),
        numbers=() if compares else numbers,
    )


def _order(reading: Reading) -> list[list[tuple[int, int, str, str, bool]]]:
    return [[(w.start, w.end, w.grammar_class, w.lexeme, w.negated) for w in m.words] for m in reading.alternatives]
