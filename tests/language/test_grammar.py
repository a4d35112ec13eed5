"""The grammar as a whole: nothing is lost by the parser, nothing fails, nothing is imported before it is needed."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Token, Tree

from reasoner.errors import DataError, TextError
from reasoner.language.grammar import Language, load_language, read
from reasoner.language.lexicon import Lexicon
from reasoner.language.mention import Reading
from reasoner.language.morphology import BARE
from reasoner.language.parser import Parser, Stop
from reasoner.language.scope import Mark, Outcome, evaluate

Rules = dict[str, list[tuple[tuple[str, bool], ...]]]


def rules_of(language: Language) -> Rules:
    """The rules as Lark compiled them: origin -> expansions of (name, whether it is a terminal)."""
    rules: Rules = {}
    for rule in language.parser._lark.rules:
        expansion = tuple((str(symbol.name), symbol.is_term) for symbol in rule.expansion)
        rules.setdefault(str(rule.origin.name), []).append(expansion)
    return rules


def every_tree(rules: Rules, terminals: tuple[str, ...]) -> list[Tree[Token]]:
    """Every parse tree, found by trying everything: what the Earley parser's packed forest must amount to."""

    @cache
    def symbol(name: str, start: int, stop: int) -> list[tuple[Tree[Token] | Token, ...]]:
        found = []
        for expansion in rules[name]:
            for children in sequence(expansion, start, stop):
                found += [children if name.startswith("_") else (Tree(name, list(children)),)]
        return found

    @cache
    def sequence(rest: tuple[tuple[str, bool], ...], start: int, stop: int) -> list[tuple[Tree[Token] | Token, ...]]:
        if not rest:
            return [()] if start == stop else []
        (name, is_terminal), after = rest[0], rest[1:]
        if is_terminal:
            if start == stop or terminals[start] != name:
                return []
            return [(Token(name, str(start)), *others) for others in sequence(after, start + 1, stop)]
        found = []
        for middle in range(start + 1, stop - len(after) + 1):
            for others in sequence(after, middle, stop):
                found += [(*own, *others) for own in symbol(name, start, middle)]
        return found

    return [tree for (tree,) in symbol("start", 0, len(terminals)) if isinstance(tree, Tree)]


def phrase(rules: Rules, chance: random.Random, longest: int) -> list[str]:
    """A random sequence of terminals that the grammar derives, now and then with one replaced."""
    every = sorted({name for expansions in rules.values() for e in expansions for name, terminal in e if terminal})

    def derive(name: str, depth: int) -> list[str]:
        expansions = rules[name] if depth > 0 else sorted(rules[name], key=len)[:1]
        found: list[str] = []
        for part, is_terminal in chance.choice(expansions):
            found += [part] if is_terminal else derive(part, depth - 1)
            if len(found) > longest:
                break
        return found

    while True:
        terminals = derive("start", 12) if chance.random() < 0.5 else a_list(chance)
        if len(terminals) <= longest:
            if chance.random() < 0.2:
                terminals[chance.randrange(len(terminals))] = chance.choice(every)
            return terminals


def a_list(chance: random.Random) -> list[str]:
    """A random list, because lists are what can be read in many ways."""
    terminals: list[str] = []
    for _ in range(chance.choice([2, 2, 3])):
        terminals += [chance.choice(["JOINT", "JOINT", "JOINT", "COMMA"])] if terminals else []
        terminals += chance.choices(
            ["STATUS", "CLASSIFIER", "NAME", "NEG", "OTHER", "DET"], k=chance.choice([0, 0, 1, 1, 2])
        )
        terminals += [chance.choice(["TYPE", "CLASSIFIER", "TYPE_END"])]
        terminals += ["CARDWORD"] * chance.choice([0, 1])
    return terminals


@pytest.mark.parametrize("seed", range(4))
def test_the_parser_loses_no_reading(seed: int, language: Language) -> None:
    """On random phrases, the values of the packed forest are those of all trees one by one."""
    rules = rules_of(language)
    chance = random.Random(seed)
    accepted = ambiguous = 0
    for _ in range(250):
        shape = []
        for terminal in phrase(rules, chance, 8):
            joint = {"JOINT": chance.choice(["OR", "AND", "COMMA_ALONE"]), "COMMA": "COMMA"}.get(terminal, "")
            shape.append(Mark(terminal, frozenset({"dative" if terminal.endswith("_END") else BARE}), joint))
        values = set()
        for tree in every_tree(rules, tuple(mark.terminal for mark in shape)):
            values |= set(evaluate(tree, shape).values)
        outcome = language.outcome(tuple(shape))
        assert set(outcome.values) == values
        accepted += bool(values)
        ambiguous += len(values) > 1
    assert accepted > 100
    assert ambiguous > 20


def test_every_rule_of_the_grammar_has_a_meaning(language: Language) -> None:
    """A rule that shows in trees is known to the module that gives trees their meaning, and the other way round."""
    from reasoner.language.scope import _Evaluator

    shown = {name for name in rules_of(language) if not name.startswith("_")}
    assert shown == set(_Evaluator(()).rules) - {"_ambig"}


def test_every_terminal_can_come_from_the_data(language: Language) -> None:
    """A terminal is a class of the words or of a game, bare or with an ending that exists."""
    from reasoner.language.refusal import _THINGS

    classes = {entry.grammar_class for entry in language.entries} | {
        "TYPE",
        "CLASSIFIER",
        "NAME",
        "STATUS",
        "ZONE",
        "QUANTITY",
    }
    classes |= {entry.grammar_class for entry in language.numerals.values()}
    joining = {"OR", "AND"}
    suffixes = {"", "_END", "_TIGHT", "_PLACE", "_ADJECTIVE"}
    suffixes |= {f"_{case.name.upper()}" for case in language.endings.cases}
    possible = {name + suffix for name in classes - joining for suffix in suffixes} | {"JOINT"}
    assert language.parser.terminals <= possible
    assert classes - joining <= {terminal.partition("_")[0] for terminal in language.parser.terminals}
    assert {terminal.partition("_")[0] for terminal in language.parser.terminals} - {"COMMA"} == set(_THINGS)


def test_where_a_parse_stops(language: Language) -> None:
    """The number of words that fit, and what could have followed."""
    assert language.parser.parse(["NEG"]) == Stop(1, language.parser.parse(["NEG", "NEG"]).expected)  # type: ignore[union-attr]
    assert language.outcome((Mark("CLOSE", frozenset({BARE})),)) == Outcome(
        stop=Stop(0, language.parser.parse([]).expected)  # type: ignore[union-attr]
    )


def attempt(text: str, lexicon: Lexicon, language: Language) -> tuple[Reading, ...] | TextError:
    """The readings of `text`, or why there are none."""
    try:
        return read(text, lexicon, language)
    except TextError as error:
        return error


PIECES = (
    "kalandozó szövetséges csapda lap Lovag HARCOS harcos irányított rejtett irányítatlan Múltban kézből lévő nem vagy"
    " és , ( ) egy a két 3 ugyanaz ugyanazt másik **Rutilicus** **Organ Rion**ra Rion Gladiátor „Rion” lapot Lovagokkal"
    " kalandzó ** „ -t szintű szint legfeljebb 3-nál nagyobb több mint 3. harmadik alatti"
)
NOUNS = "kalandozó szövetséges toronyszint csapda bestia lap Lovag HARCOS Barbár Rutilicus Rion"


@given(st.lists(st.sampled_from(PIECES.split(" ")), max_size=8).map(" ".join) | st.text(max_size=60))
def test_any_text_is_read_or_refused(lexicon: Lexicon, language: Language, text: str) -> None:
    """Never another error, never an empty answer; every reading accounts for every word that is no mere connection."""
    answer = attempt(text, lexicon, language)
    if isinstance(answer, TextError):
        assert answer.code in {f"T10{digit}" for digit in range(1, 9)}
        assert answer.message
        return
    readings = answer
    assert readings
    assert len(set(readings)) == len(readings)
    for reading in readings:
        assert reading.alternatives
        assert len(set(reading.alternatives)) == len(reading.alternatives)
        seen = {(word.start, word.end) for mention in reading.alternatives for word in mention.words}
        assert all(sum(word.is_head for word in mention.words) == 1 for mention in reading.alternatives)
        rest = "".join(char for i, char in enumerate(text) if not any(start <= i < end for start, end in seen))
        for connection in ("vagy", "nem", "lévő", "és"):
            rest = rest.replace(connection, "")
        assert not any(char.isalnum() for char in rest)


@given(
    st.sampled_from(NOUNS.split()),
    st.sampled_from(["accusative", "instrumental", "sublative", "superessive", "translative", "formal"]),
    st.booleans(),
)
def test_inflected_words_are_read_as_their_stem(
    lexicon: Lexicon, language: Language, word: str, case: str, plural: bool
) -> None:
    """Any form of a known word reads as that word."""
    for form in language.endings.inflect(word, case, plural=plural):
        (reading,) = read(form, lexicon, language)
        (only,) = reading.alternatives[0].words
        assert (only.spelling, only.lexeme, only.is_head) == (form, word.casefold(), True)


def test_the_parser_is_imported_with_the_first_phrase_only(folder: Path) -> None:
    """Commands that read no text do not pay for it."""
    code = (
        "import sys; from pathlib import Path; import reasoner.language.grammar as g\n"
        "assert not {'lark', 'yaml', 'pyoxigraph'} & set(sys.modules), 'at import'\n"
        f"g.load_language(Path({str(folder)!r}))\n"
        "assert 'lark' not in sys.modules, 'on loading'\n"
    )
    root = folder.parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("file", "content", "code", "named"),
    [
        ("words.yaml", None, "D701", "cannot read"),
        ("words.yaml", b"\xff", "D701", "UTF-8"),
        ("words.yaml", b"- [", "D701", "not valid YAML"),
        ("words.yaml", b"a: b", "D702", "list of words"),
        ("words.yaml", b"- a", "D702", "word 1 is no mapping"),
        ("words.yaml", b"- {word: a, class: DET}\n- {word: b}", "D702", "word 2 needs"),
        ("words.yaml", b"- {word: a, class: DET, clas: x}", "D702", "word 1 needs"),
        ("words.yaml", b"- {word: ' ', class: DET}", "D702", "word 1 needs"),
        ("words.yaml", b"- {word: a, class: DET, denotes: other:X}", "D702", "core:"),
        ("words.yaml", b"- {word: a, class: DET, forms: [b]}", "D702", "forms of 'a'"),
        ("words.yaml", b"- {word: a, class: NUM, number: two}", "D702", "word 1, 'a', must have a whole number"),
        ("words.yaml", b"- {word: a, class: NUM, number: true}", "D702", "a whole number"),
        ("words.yaml", b"- {word: a, class: BOUND, compares: core:Atmost}", "D702", "core:AtMost, core:AtLeast"),
        ("endings.yaml", b"adjective: []", "D702", "vowels"),
        ("endings.yaml", None, "D701", "cannot read"),
        ("endings.yaml", b"cases: []", "D702", "vowels"),
        ("endings.yaml", b"[]", "D702", "wrong kind"),
        ("grammar.lark", None, "D701", "cannot read"),
        ("grammar.lark", b"start: nothing", "D703", "not a grammar"),
        ("grammar.lark", b"start: (", "D703", "not a grammar"),
    ],
)
def test_wrong_data_files_are_named(
    file: str, content: bytes | None, code: str, named: str, folder: Path, tmp_path: Path
) -> None:
    """The error says which file, and what is wrong with it."""
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    if content is None:
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_bytes(content)
    with pytest.raises(DataError) as refused:
        read("a", Lexicon([]), load_language(tmp_path))
    assert refused.value.code == code
    assert named in refused.value.message
    assert refused.value.place is not None
    assert refused.value.place.path == tmp_path / file


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("linking: open, then", "linking: opne, then", "opne"),
        ("fixed:\n  back:", "fixed:\n  bakc:", "fixed as"),
    ],
)
def test_names_in_the_endings_file_are_checked(old: str, new: str, named: str, folder: Path, tmp_path: Path) -> None:
    """A misspelt name would change forms in silence."""
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    text = (folder / "endings.yaml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "endings.yaml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=named) as refused:
        load_language(tmp_path)
    assert refused.value.code == "D702"


def test_a_language_says_what_it_is(language: Language, readings: Callable[[str], tuple[Reading, ...]]) -> None:
    """Its code is the name of its folder; its words are merged with a game's by the caller."""
    assert language.code == "hu"
    assert set(language.numerals) == {"", "."}
    assert {entry.lexeme for entry in language.entries} >= {"lap", "egy", "ugyanaz", "másik", "vagy", "nem"}
    assert isinstance(language.parser, Parser)
    assert readings("lap")
