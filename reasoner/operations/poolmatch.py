"""Matching on the index of a pool: the same answers as `reasoner.operations.match` gives, for all cards at once.

Cards that differ in no atom of the selector, and in no rule behind one, have the same answer. So an answer is made once
for each such group, and the cards are named only where somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, overload

import pyoxigraph as ox

from reasoner.engine.rule import Rule
from reasoner.index.extension import members
from reasoner.index.opening import PoolIndex
from reasoner.index.pool import IndexedView
from reasoner.operations.match import Match, Member, ReadingMatch, impossible, own_rules, refuse_numbers
from reasoner.operations.scene import Referent
from reasoner.reference.answer import NO_VALUE, Answer, answer_of
from reasoner.reference.evaluate import judged
from reasoner.reference.interpret import Interpretation, Reference, interpret
from reasoner.reference.mentiongraph import NOWHERE
from reasoner.reference.possible import IDENTITY
from reasoner.reference.selector import Atom, Compare, Has, atoms
from reasoner.reference.truth import Truth
from reasoner.reference.wording import say
from reasoner.terms.namespaces import core

_ONLY_WHEN = core("isMetOnlyWhen").value
_NO_RULES: frozenset[str] = frozenset()
_Part: TypeAlias = tuple[int, frozenset[str]]


@dataclass(frozen=True)
class Group:
    """Cards with the same answer, by the same rules."""

    cards: int
    answer: Answer
    rules: tuple[Rule, ...]


class Members(Sequence[Member]):
    """The cards of several groups, by number; each is named when it is looked at."""

    def __init__(self, index: PoolIndex, groups: Sequence[Group]) -> None:
        self.groups = tuple(groups)
        self._index = index
        self._all = 0
        for group in groups:
            self._all |= group.cards

    def __len__(self) -> int:
        return self._all.bit_count()

    def __iter__(self) -> Iterator[Member]:
        group_of = {number: group for group in self.groups for number in members(group.cards)}
        for number in sorted(group_of):
            group = group_of[number]
            yield Member(_referent(self._index, number), group.answer, group.rules)

    @overload
    def __getitem__(self, at: int) -> Member: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Member]: ...
    def __getitem__(self, at: int | slice) -> Member | Sequence[Member]:
        return tuple(self)[at]


def match_pool(index: PoolIndex, text: str) -> Match | None:
    """Return which cards `text`, which stands on no card, refers to; None if it takes more than one answer for each.

    That is where rules disagree on the text or on the pool, and `match` has to weigh them card by card.

    Raises:
        TextError: the text can't be read.
    """
    base = index.base
    found = []
    for reading in base.read(text):
        reference = interpret(reading, NOWHERE, base, index.surroundings)
        matched = reading_match(index, reference)
        if matched is None:
            return None
        found.append(matched)
    return Match(base.game, text, base.edition, tuple(found))


def reading_match(index: PoolIndex, reference: Reference, language: str = "") -> ReadingMatch | None:
    """Return who is meant by a reading, said in `language` (that of the text if none is named).

    None if it takes more than one answer for each card.

    Raises:
        TextError: the text asks for a number.
    """
    refuse_numbers([reference])
    if len(reference.interpretations) != 1 or len(index.views) != 1:
        return None
    (meaning,) = reference.interpretations
    view = index.views[0]
    found = Members(index, groups_of(index, meaning))
    words = say(meaning.selector, index.base.vocabulary, language or reference.reading.language)
    never = "" if found else impossible(view.possible, index.base.language.code, [meaning.selector])
    return ReadingMatch(reference.reading, (reference,), words, found, never)


def groups_of(index: PoolIndex, meaning: Interpretation) -> list[Group]:
    """Return the cards of which the answer is not no, in groups that have answer and rules in common."""
    view = index.views[0]
    selectors = [meaning.selector, *(one.selector for one in meaning.alternatives)]
    own = tuple(dict.fromkeys(atoms(meaning.selector)))
    found: dict[tuple[Answer, tuple[Rule, ...]], int] = {}
    for alike, values in view.alike(selectors, view.extension(meaning.selector).valued):
        value, left = judged(meaning.selector, values, view.possible)
        met = [one for one in meaning.alternatives if judged(one.selector, values, view.possible)[0] is not False]
        reading = [rule for one in met or meaning.alternatives for rule in one.rules]
        parts: list[_Part] = [(alike, _NO_RULES)]
        for atom in own:
            parts = _split(parts, _grounds(view, atom, values[atom]))
        for cards, behind, needed in _needing(view, parts):
            answer = answer_of(value, left, [view.vocabulary.label(one[1:-1]) for one in needed], view.vocabulary)
            named = behind if answer.verdict == NO_VALUE else behind | _by(view, needed, cards)
            rules = own_rules([*reading, *(index.rules[name] for name in named)])
            found[answer, rules] = found.get((answer, rules), 0) | cards
    return [Group(cards, answer, rules) for (answer, rules), cards in found.items()]


def _grounds(view: IndexedView, atom: Atom, value: Truth) -> list[_Part]:
    """Return the cards of which a fact decides that `atom` is of this `value`, with the rules behind that fact."""
    if isinstance(atom, Compare):
        if not isinstance(value, bool):
            return []
        numbered = [one for one in view.values(atom.characteristic) if one.number is not None]
        left, found = view.everyone, []
        # The value that meets the comparison decides, or the least one where none does.
        for one in [one for one in numbered if one.number is not None and atom.is_met_by(one.number) is value]:
            found.append((one.cards & left, view.postings.rule_sets[one.rules]))
            left &= ~one.cards
        return found
    if value is True:
        postings = view.having(atom)
    else:
        denial = view.denial(atom.characteristic) if value is False and atom.characteristic != IDENTITY else None
        postings = view.having(Has(denial, atom.value)) if denial else ()
    return [(one.cards, view.postings.rule_sets[one.rules]) for one in postings]


def _split(parts: Iterable[_Part], grounds: Sequence[_Part]) -> list[_Part]:
    found = []
    for part, rules in parts:
        left = part
        for cards, behind in grounds:
            if left & cards:
                found.append((left & cards, rules | behind))
                left &= ~cards
        if left:
            found.append((left, rules))
    return found


def _needing(view: IndexedView, parts: Iterable[_Part]) -> Iterator[tuple[int, frozenset[str], tuple[str, ...]]]:
    """Yield each part in pieces that are met only under the same further conditions, with these."""
    pieces: list[tuple[int, frozenset[str], tuple[str, ...]]] = [(cards, rules, ()) for cards, rules in parts]
    for value, cards in sorted(_conditions(view).items()):
        pieces = [
            (part, rules, (*needed, value) if is_needed else needed)
            for group, rules, needed in pieces
            for part, is_needed in ((group & cards, True), (group & ~cards, False))
            if part
        ]
    yield from pieces


def _conditions(view: IndexedView) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in view.values(_ONLY_WHEN):
        found[one.value] = found.get(one.value, 0) | one.cards
    return found


def _by(view: IndexedView, needed: Sequence[str], cards: int) -> frozenset[str]:
    """Return the rules that say which further conditions `cards` have."""
    found = [
        view.postings.rule_sets[one.rules]
        for one in view.values(_ONLY_WHEN)
        if one.value in needed and one.cards & cards
    ]
    return _NO_RULES.union(*found)


def _referent(index: PoolIndex, number: int) -> Referent:
    iri = index.cards[number]
    return Referent(ox.NamedNode(iri), iri.rsplit("/", 1)[1], index.names[number])
