"""Making an index: from the facts that rules derived of a pool to sets of cards, with the rules behind each fact."""

from __future__ import annotations

import re
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

import pyoxigraph as ox

from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import Branch, Inference
from reasoner.engine.pattern import ANY_PREDICATE, Path, Signature, Slot, Solution, Term, Variable, overlap
from reasoner.engine.rule import Rule
from reasoner.index.postings import packed_numbers, to_bytes
from reasoner.knowledge.cardnames import card_names, cards_by_spelling
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import TYPE, XSD, core, graph

_INTEGER = ox.NamedNode(XSD + "integer")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_ONLY_WHEN = core("isMetOnlyWhen")
_TEXT = core("printedText")


_SCHEMA = """
CREATE TABLE piece (branch INTEGER, characteristic TEXT, value TEXT, number INTEGER, rules INTEGER, cards BLOB);
CREATE TABLE spelling (text TEXT, card INTEGER);
CREATE TABLE printed (language TEXT, card INTEGER, text TEXT);
"""


class IndexMaker:
    """Makes the index of cards from what is known of them, given at once or some cards after the other.

    What it is given is kept in a database without a name, which is on disk once it is large.
    """

    def __init__(self, game: str, cards: Iterable[str]) -> None:
        ordered = sorted(cards, key=lambda iri: f"<{iri}>")
        self._asserted = graph(game, "cards")
        self._numbers = {ox.NamedNode(iri): number for number, iri in enumerate(ordered)}
        self._names = [""] * len(ordered)
        self._rules: dict[frozenset[str], int] = {}
        self._branches = 1
        self._given = sqlite3.connect("")
        self._given.executescript(_SCHEMA)

    def add(self, store: ox.Store, inference: Inference) -> None:
        """Add the cards in `store`; `inference` is how what is known of them was derived."""
        self._branches = len(inference.branches)
        for at, branch in enumerate(inference.branches):
            pieces = (
                (at, predicate.value, str(value), whole(value), rule_set, cards.tobytes())
                for (predicate, value, rule_set), cards in self._postings_of(branch).items()
            )
            self._given.executemany("INSERT INTO piece VALUES (?, ?, ?, ?, ?, ?)", pieces)
        for iri, name in card_names(store, self._asserted).items():
            self._names[self._numbers[ox.NamedNode(iri)]] = name
        # What one may write for cards: names of cards and faces, and translations.
        spellings = (
            (text, self._numbers[ox.NamedNode(card)])
            for text, cards in cards_by_spelling(store, self._asserted).items()
            for card in sorted(cards)
        )
        self._given.executemany("INSERT INTO spelling VALUES (?, ?)", spellings)
        self._given.executemany("INSERT INTO printed VALUES (?, ?, ?)", self._texts_of(store))

    def _postings_of(self, branch: Branch) -> dict[tuple[ox.NamedNode, Any, int], array[int]]:
        """Return the numbers of the cards that have a value for a characteristic by a set of rules."""
        found: dict[tuple[ox.NamedNode, Any, int], array[int]] = {}
        for fact, behind in rules_behind(branch):
            subject = fact.subject
            number = self._numbers.get(subject) if isinstance(subject, ox.NamedNode) else None
            if number is not None:
                # A condition is told by the rule that gives it, and by none before it.
                told = frozenset({branch.supports[fact].rule.id}) if fact.predicate == _ONLY_WHEN else behind
                key = (fact.predicate, fact.object, self._rules.setdefault(told, len(self._rules)))
                if (cards := found.get(key)) is None:
                    cards = found[key] = array("I")
                cards.append(number)
        return found

    def _texts_of(self, store: ox.Store) -> Iterator[tuple[str, int, str]]:
        """Yield the printed texts of cards and of their faces: language, number of the card, text."""
        cards = {face: card for card, face in pairs(store, core("hasFace"), self._asserted)}
        for bearer, text in pairs(store, _TEXT, self._asserted):
            card = cards.get(bearer, bearer)
            number = self._numbers.get(card) if isinstance(card, ox.NamedNode) else None
            if number is not None and isinstance(text, ox.Literal):
                yield text.language or "", number, text.value

    def to_bytes(self) -> bytes:
        """Return the index of all cards. No more can be added."""
        with closing(self._given):
            return to_bytes(self._postings(), self._parts())

    def _postings(self) -> Iterator[tuple[int, str, str, int | None, int, bytes]]:
        """Yield branch, characteristic, value, number where it is whole, set of rules, and packed cards."""
        rows = self._given.execute("SELECT * FROM piece ORDER BY branch, characteristic, value, rules, rowid")
        for key, pieces in groupby(rows, lambda row: row[:-1]):
            cards = array("I", b"".join(piece[-1] for piece in pieces))
            yield (*key, packed_numbers(cards, len(self._numbers)))

    def _parts(self) -> Iterator[tuple[str, Any]]:
        yield "cards", [card.value for card in self._numbers]
        yield "names", self._names
        spellings = self._given.execute("SELECT DISTINCT text, card FROM spelling ORDER BY text, card")
        yield "spellings", {text: [card for _, card in rows] for text, rows in groupby(spellings, itemgetter(0))}
        yield "branches", self._branches
        yield "rules", [sorted(found) for found in self._rules]
        languages = self._given.execute("SELECT DISTINCT language FROM printed ORDER BY language").fetchall()
        for (language,) in languages:
            texts = self._given.execute("SELECT card, text FROM printed WHERE language = ? ORDER BY 1, 2", (language,))
            yield f"texts-{language}", texts.fetchall()


def rules_behind(branch: Branch) -> Iterator[tuple[ox.Triple, frozenset[str]]]:
    """Yield every derived fact with the ids of all rules of its proof.

    What a fact rests on came about before it, so that one pass in the order of derivation is enough.
    """
    found: dict[ox.Triple, frozenset[str]] = {}
    known: dict[frozenset[str], frozenset[str]] = {}
    united: dict[tuple[object, ...], frozenset[str]] = {}  # by a rule and the sets (which `known` keeps) of premises
    counted = {pattern.verb for support in branch.supports.values() for pattern in support.rule.counted}
    at_end: dict[tuple[Any, Any, bool], set[str]] = {}
    derived = signatures(branch.supports)
    plans: dict[tuple[str, tuple[str, ...]], list[_Premise]] = {}
    for fact, (rule, solution) in branch.supports.items():
        if isinstance(solution, Solution):
            names, row = solution.names, solution.row
        else:
            names, row = tuple(solution), tuple(solution.values())  # type: ignore[assignment]
        plan = plans.get((rule.id, names))
        if plan is None:
            plan = plans[rule.id, names] = _premises(rule, names, derived)
        parts = [part for premise in plan if (part := found.get(premise(row))) is not None]  # type: ignore[arg-type]
        for pattern in rule.counted:
            subject, value = _bound(pattern.subject, solution), _bound(pattern.object, solution)
            if (subject is None) != (value is None):
                end = subject if value is None else value
                parts.append(frozenset(at_end.get((pattern.verb, end, value is None), ())))
        # What is counted goes on growing: the sets are no longer the same then.
        key: tuple[object, ...] = () if rule.counted else (rule.id, *map(id, parts))
        kept = united.get(key)
        if kept is None:
            kept = frozenset({rule.id}).union(*parts)
            kept = known.setdefault(kept, kept)
            if key:
                united[key] = kept
        found[fact] = kept
        if counted and fact.predicate in counted:
            at_end.setdefault((fact.predicate, fact.subject, True), set()).update(kept)
            at_end.setdefault((fact.predicate, fact.object, False), set()).update(kept)
        yield fact, kept


# Gives the triple that a premise is in a solution, None if not all of it is bound.
_Premise: TypeAlias = Callable[[ox.QuerySolution], ox.Triple | None]


def _premise(subject: int | Term, verb: int | Term, value: int | Term) -> _Premise:
    """Return what makes a premise, given its parts: each a place in the row of a solution, or a term."""

    def part(one: int | Term, row: ox.QuerySolution) -> Term | None:
        return row[one] if isinstance(one, int) else one

    def of_any(row: ox.QuerySolution) -> ox.Triple | None:
        first, middle, last = part(subject, row), part(verb, row), part(value, row)
        if first is None or last is None or isinstance(first, ox.Literal) or not isinstance(middle, ox.NamedNode):
            return None
        return ox.Triple(first, middle, last)

    if not (isinstance(subject, int) and isinstance(value, int) and isinstance(verb, ox.NamedNode)):
        return of_any
    named = verb

    def of_two(row: ox.QuerySolution) -> ox.Triple | None:
        first, last = row[subject], row[value]
        if first is None or last is None or isinstance(first, ox.Literal):
            return None
        return ox.Triple(first, named, last)

    return of_two


def _premises(rule: Rule, names: tuple[str, ...], derived: set[Signature]) -> list[_Premise]:
    """Return the premises of `rule` that a fact with one of the signatures `derived` can be."""
    found = []
    for pattern in (*rule.required, *rule.either, *rule.optional):
        if not any(overlap(read, one) for read in pattern.signatures()[:1] for one in _near(read, derived)):
            continue
        parts: list[int | Term] = []
        for slot in (pattern.subject, pattern.verb, pattern.object):
            if isinstance(slot, Variable):
                if slot.name in names:
                    parts.append(names.index(slot.name))
            elif not isinstance(slot, Path):
                parts.append(slot)
        if len(parts) == 3:
            found.append(_premise(parts[0], parts[1], parts[2]))
    return found


def _near(read: Signature, derived: set[Signature]) -> Iterable[Signature]:
    """Return the signatures to compare with: of a type, the class counts; of another property only that."""
    if read[0] == TYPE.value and read[1] is not None:
        return [one for one in (read,) if one in derived]
    return [(read[0], None)] if (read[0], None) in derived else derived if read[0] == ANY_PREDICATE else []


def _bound(slot: Slot, solution: Mapping[str, Term]) -> Term | None:
    return solution.get(slot.name) if isinstance(slot, Variable) else slot


def whole(value: object) -> int | None:
    """Return the number that a literal is, if it is a whole one."""
    if isinstance(value, ox.Literal) and value.datatype == _INTEGER and _WHOLE.fullmatch(value.value):
        return int(value.value)
    return None
