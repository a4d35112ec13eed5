"""References of a pool and what they select, as lines of N-Triples.

A reference is a selector with an IRI that is made of it, so that texts that mean the same are one reference. Whom it
selects is never written card by card: see `reasoner.index.blocks`, and the property chains in ontology/core.ttl by
which `?reference core:matches ?card` follows from what is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from reasoner.index.blocks import in_blocks
from reasoner.index.opening import PoolIndex
from reasoner.index.pool import IndexedView, union
from reasoner.knowledge.base import KnowledgeBase
from reasoner.reference.selector import Selector
from reasoner.reference.selectordata import reference_iri
from reasoner.terms.namespaces import TYPE, core, game_base

_ONLY_WHEN = core("isMetOnlyWhen").value


@dataclass(frozen=True)
class PoolReferences:
    """What was read from the texts of a pool: `references` by IRI, and `occurrences`, lines of N-Triples about them."""

    references: Mapping[str, Selector] = field(default_factory=dict)
    occurrences: Iterable[str] = ()


# Reads the texts of a pool, given what is known of its cards and their index.
ReadTexts = Callable[[KnowledgeBase, PoolIndex], PoolReferences]


def numbered(game: str, selectors: Iterable[Selector]) -> dict[str, Selector]:
    """Return `selectors` by their IRIs, each once."""
    return {reference_iri(game, one): one for one in selectors}


def answers(index: PoolIndex, selector: Selector) -> tuple[int, int]:
    """Return the cards for which the answer is yes, and those for which it is yes or when.

    Where rules disagree on the pool, both have to be so whatever is followed.
    """
    yes = when = -1
    for view in index.views:
        found = view.extension(selector)
        sure = found.true & ~_conditional(view)
        yes &= sure
        when &= found.open & ~sure
    return yes, yes | when


def reference_lines(
    index: PoolIndex, found: PoolReferences, printed: Mapping[str, tuple[Iterable[str], Iterable[str]]]
) -> Iterator[str]:
    """Yield what is known of the references of a pool: whom each selects, and where it occurs.

    Of `printed` references the cards are known that each selects, and may select.
    """
    start = game_base(index.base.game)
    about = {iri: answers(index, selector) for iri, selector in sorted(found.references.items())}
    number_of_card = {card: number for number, card in enumerate(index.cards)}
    for iri, (yes, maybe) in sorted(printed.items()):
        about[iri] = (_bits(number_of_card[card] for card in yes), _bits(number_of_card[card] for card in maybe))
    sets, members = in_blocks((one for pair in about.values() for one in pair), len(index.cards))
    number_of = {one: number for number, one in enumerate(sets)}
    for iri, pair in about.items():
        if iri not in printed:
            yield _line(iri, TYPE.value, core("Reference").value)
        for verb, cards in zip(("selectsAllOf", "maySelectAllOf"), pair, strict=True):
            if cards:
                yield _line(iri, core(verb).value, f"{start}extension/{number_of[cards]}")
    for number, blocks in enumerate(sets.values()):
        for block in blocks:
            yield _line(f"{start}extension/{number}", core("isMadeOf").value, f"{start}block/{block}")
    for number, cards_of in enumerate(members):
        for card in cards_of:
            yield _line(f"{start}block/{number}", core("includes").value, index.cards[card])
    yield from found.occurrences


def _conditional(view: IndexedView) -> int:
    """Return the cards that are met only under a further condition, whatever the text says."""
    return union(view.values(_ONLY_WHEN))


def _bits(numbers: Iterable[int]) -> int:
    found = bytearray()
    for number in numbers:
        found.extend(bytes(max(0, number // 8 + 1 - len(found))))
        found[number // 8] |= 1 << number % 8
    return int.from_bytes(found, "little")


def _line(subject: str, verb: str, value: str) -> str:
    return f"<{subject}> <{verb}> <{value}> .\n"
