"""Selectors evaluated on the index: the same answers as `View.evaluate` gives card by card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, TypeAlias

import pyoxigraph as ox

from reasoner.errors import UseError
from reasoner.index.extension import Extension, greatest, least, opposite, plain
from reasoner.index.postings import Posting, Postings
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.reference.evaluate import judged
from reasoner.reference.possible import IDENTITY, Possible
from reasoner.reference.selector import All, Any, Atom, Compare, Has, Not, Selector, atoms
from reasoner.reference.truth import NO_VALUE, Truth
from reasoner.terms.namespaces import core

_TEXT_WITH, _NAME_WITH = core("hasTextWith").value, core("hasNameWith").value

# Cards that do not differ in any atom, and how each atom is of them.
Alike: TypeAlias = tuple[int, dict[Atom, Truth]]

# The parts of a selector: looked up, or combined as all of them or as any.
Content: TypeAlias = "Extension | tuple[bool, list[Content]]"


# What is known of an atom: the cards of each truth that some card has, with the number of that truth in `TRUTHS`.
Sides: TypeAlias = "tuple[tuple[int, int], ...]"
TRUTHS: tuple[Truth, ...] = (False, NO_VALUE, None, True)


@dataclass(frozen=True)
class Outcomes:
    """How to tell the truth of a selector where that of its parts does not decide it (see `reference.truth`).

    `split` are the atoms of which cards differ, `same` the truths of the others. What a selector is where its atoms are
    so or so does not depend on the cards: `judged` keeps it, by the truths of `split`.
    """

    split: tuple[tuple[Atom, Sides], ...]
    same: Mapping[Atom, Truth]
    judged: dict[int, Truth] = field(default_factory=dict)


class Formula(NamedTuple):
    """A selector with its parts looked up; `outcomes` where they alone do not decide."""

    selector: Selector
    content: Content
    outcomes: Outcomes | None


class IndexedView:
    """The effective facts of a pool in one branch, as sets of cards. Equal selectors share one extension."""

    def __init__(self, postings: Postings, branch: int, ids: Sequence[str], vocabulary: Vocabulary) -> None:
        self.postings = postings
        self.branch = branch
        self.vocabulary = vocabulary
        self.everyone = (1 << len(ids)) - 1
        self._ids = ids
        self.known: dict[Selector, Extension] = {}
        self._pairs: dict[frozenset[Atom], bool] = {}

    @cached_property
    def possible(self) -> Possible:
        """What can hold of one card at once."""
        return Possible(self.vocabulary)

    def extension(self, selector: Selector) -> Extension:
        """Return the cards that meet `selector`, those that may, and those that have no value to compare."""
        found = self.known.get(selector)
        if found is None:
            found = self.known[selector] = self.evaluate(self.prepare(selector))
        return found

    def alike(self, selectors: Iterable[Selector], cards: int) -> list[Alike]:
        """Return `cards` in groups that do not differ in any atom of `selectors`."""
        groups: list[Alike] = [(cards, {})]
        for atom in dict.fromkeys(atom for selector in selectors for atom in atoms(selector)):
            sides = self._sides(atom)
            groups = [
                (part, {**values, atom: value})
                for group, values in groups
                for side, value in sides
                if (part := group & side)
            ]
        return groups

    def values(self, characteristic: str) -> tuple[Posting, ...]:
        """Return all values of a characteristic, each with the cards that have it, numbers in order."""
        return self.postings.of_characteristic(self.branch, characteristic)

    def having(self, atom: Has) -> tuple[Posting, ...]:
        """Return the cards that have the value of `atom`, by the rules that say so."""
        return self.postings.of_value(self.branch, atom.characteristic, str(atom.value))

    def denial(self, characteristic: str) -> str | None:
        """Return the characteristic whose values are denials of those of `characteristic`."""
        value = self.vocabulary.first(ox.NamedNode(characteristic), core("isDeniedBy"))
        return value.value if isinstance(value, ox.NamedNode) else None

    def prepare(self, selector: Selector) -> Formula:
        """Return `selector` with all its atoms looked up, to be evaluated by `evaluate`."""
        is_atom = isinstance(selector, Has | Compare | Not)
        outcomes = None if is_atom or not self._needs_outcomes(selector) else self._outcomes(selector)
        return Formula(selector, self._formula(selector), outcomes)

    def evaluate(self, formula: Formula) -> Extension:
        """Return the extension of a selector that has been prepared."""
        selector, content, outcomes = formula
        found = self._combined(content)
        if outcomes is None or not (unsure := found.valued & ~found.true):
            return found
        groups = [(unsure, 1)]
        for _, sides in outcomes.split:
            groups = [
                (part, 4 * code + side) for group, code in groups for cards, side in sides if (part := group & cards)
            ]
        true = opened = valued = found.true
        for cards, code in groups:
            value = outcomes.judged[code] if code in outcomes.judged else self._judge(selector, outcomes, code)
            if value is not False:
                valued |= cards
                if value is not NO_VALUE:
                    opened |= cards
                    if value is True:
                        true |= cards
        return Extension(true, opened, valued)

    def _judge(self, selector: Selector, outcomes: Outcomes, code: int) -> Truth:
        """Return the truth of a selector where the atoms that differ have the truths that `code` says."""
        values, left = dict(outcomes.same), code
        for atom, _ in reversed(outcomes.split):
            left, side = divmod(left, 4)
            values[atom] = TRUTHS[side]
        ordered = {atom: values[atom] for atom in dict.fromkeys(atoms(selector))}
        found, _ = judged(selector, ordered, self.possible)
        outcomes.judged[code] = found
        return found

    def _outcomes(self, selector: Selector) -> Outcomes:
        split: list[tuple[Atom, Sides]] = []
        same: dict[Atom, Truth] = {}
        for atom in dict.fromkeys(atoms(selector)):
            sides = tuple((cards, TRUTHS.index(value)) for cards, value in self._sides(atom) if cards)
            if len(sides) > 1:
                split.append((atom, sides))
            else:
                same[atom] = TRUTHS[sides[0][1]] if sides else False
        return Outcomes(tuple(split), same)

    def _sides(self, atom: Atom) -> tuple[tuple[int, Truth], ...]:
        extension = self.extension(atom)
        return (
            (extension.true, True),
            (extension.only_open, None),
            (extension.missing, NO_VALUE),
            (self.everyone & ~extension.valued, False),
        )

    def _by_parts(self, selector: Selector) -> Extension:
        if isinstance(selector, Has):
            return self.known.get(selector) or self._keep(selector, self._has(selector))
        if isinstance(selector, Compare):
            return self.known.get(selector) or self._keep(selector, self._compare(selector))
        if isinstance(selector, Not):
            return self.known.get(selector) or self._keep(
                selector, opposite(self._by_parts(selector.part), self.everyone)
            )
        return self._combined(self._formula(selector))

    def _formula(self, selector: Selector) -> Content:
        if isinstance(selector, All | Any):
            return isinstance(selector, All), [self._formula(part) for part in selector.parts]
        return self._by_parts(selector)

    def _combined(self, content: Content) -> Extension:
        if isinstance(content, Extension):
            return content
        every, parts = content
        found = [part if isinstance(part, Extension) else self._combined(part) for part in parts]
        return least(found, self.everyone) if every else greatest(found)

    def _keep(self, selector: Selector, extension: Extension) -> Extension:
        self.known[selector] = extension
        return extension

    def _has(self, atom: Has) -> Extension:
        if atom.characteristic == IDENTITY:
            # A card of the pool is not one copy: which copy is meant stays open.
            iri = atom.value.value
            own = 1 << self._ids.index(iri) if iri in self._ids else 0
            return Extension(0, own, own)
        if atom.characteristic in (_TEXT_WITH, _NAME_WITH):
            return plain(self._written(atom))
        true = union(self.having(atom))
        denial = self.denial(atom.characteristic)
        if denial is not None:
            denied = union(self.having(Has(denial, atom.value)))
            opened = true | (self.everyone & ~denied)
            return Extension(true, opened, opened) if opened != true else plain(true)
        if self._is_open_without_value(atom.characteristic):
            opened = true | (self.everyone & ~union(self.values(atom.characteristic)))
            return Extension(true, opened, opened) if opened != true else plain(true)
        return plain(true)

    def _written(self, atom: Has) -> int:
        """Return the cards that have the words of `atom` in their name, or in a printed text in English.

        Raises:
            UseError: U117 the cards have no texts.
        """
        if atom.characteristic == _NAME_WITH:
            texts = list(enumerate(self.postings.part("names")))
        else:
            texts = self.postings.part("texts-en")
            if not texts:
                raise UseError("U117", "these cards have no texts to search", hint="name an imported card pool: --pool")
        wanted, cards = atom.value.value.casefold(), 0
        for number, text in texts:
            if wanted in text.casefold():
                cards |= 1 << number
        return cards

    def _compare(self, atom: Compare) -> Extension:
        numbered = [one for one in self.values(atom.characteristic) if one.number is not None]
        true = union(one for one in numbered if one.number is not None and atom.is_met_by(one.number))
        without = self.everyone & ~union(numbered)
        if not without:
            return plain(true)
        if self._is_open_without_value(atom.characteristic):
            return Extension(true, true | without, true | without)
        return Extension(true, true, true | without)

    def _is_open_without_value(self, characteristic: str) -> bool:
        return self.vocabulary.first(ox.NamedNode(characteristic), core("isOpenWithoutValue")) is not None

    def _needs_outcomes(self, selector: Selector) -> bool:
        """Return whether an atom that is open of some card stands plain and denied, or has to do with another.

        Only then does the truth of the parts not decide that of the whole.
        """
        standing = dict.fromkeys(_literals(selector, plainly=True))
        found = list(dict.fromkeys(atom for atom, _ in standing))
        opened = {atom for atom in found if self._by_parts(atom).only_open}
        if any((atom, False) in standing and (atom, True) in standing for atom in opened):
            return True
        return any(
            self._are_related(one, other) for one, other in combinations(found, 2) if one in opened or other in opened
        )

    def _are_related(self, one: Atom, other: Atom) -> bool:
        pair = frozenset((one, other))
        if pair not in self._pairs:
            self._pairs[pair] = self.possible.are_related(All((one, other)))
        return self._pairs[pair]


def union(postings: Iterable[Posting]) -> int:
    """Return all cards of several postings."""
    cards = 0
    for one in postings:
        cards |= one.cards
    return cards


def _literals(selector: Selector, *, plainly: bool) -> Iterable[tuple[Atom, bool]]:
    if isinstance(selector, Not):
        yield from _literals(selector.part, plainly=not plainly)
    elif isinstance(selector, All | Any):
        for part in selector.parts:
            yield from _literals(part, plainly=plainly)
    else:
        yield selector, plainly
