"""Small situations, made of what the ontology and the pool hold, smallest first.

A situation has one object or two, and up to two events. Its size is the number of events and of choices that are not
the first of their kind: of a zone, a status, a value of an event, a card. Nothing is tried that lacks what the rules in
question need, and no event that none of them heeds (see candidates.Wanted).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import Any

import pyoxigraph as ox

from reasoner.engine.pattern import Signature
from reasoner.operations.checks.candidates import Wanted
from reasoner.operations.checks.materials import FIRST, OF_TIME, SECOND, Cards, EventShape, Materials, Value, named
from reasoner.terms.namespaces import core

MOST_EVENTS = 2
MOST_CHOICES = 2  # that are not the first of their kind
_TURN = 8  # situations of one shape before the next shape has its turn
_CARDS = 3  # other cards tried for each other choice, since it is cards that differ most
_PRINTED_TYPE = core("printedCardType").value
_OF_OBJECTS = named("hasOwnCard", "isStayOf", "isDirectlyInZone", "hasBeenIn")
_OF_REACH, _STATUS = named("reaches", "isAbility"), named("hasStatus")
_SCOPE: frozenset[Signature] = frozenset({(core("hasScope").value, None)})


@dataclass(frozen=True)
class Placed:
    """An object: what the case calls it, its card, its zone by name, and at most one status by the key of cases."""

    piece: str
    card: ox.NamedNode
    zone: str
    status: tuple[str, bool] | None = None


@dataclass(frozen=True)
class Situation:
    """Objects, and the events that follow: each a list of keys and values, as a case has them."""

    objects: tuple[Placed, ...] = ()
    events: tuple[tuple[tuple[str, Value], ...], ...] = ()


@dataclass(frozen=True)
class _Shape:
    """Events and the cards for them, the likeliest first; `rank` orders shapes."""

    rank: tuple[int, ...]
    cards: Sequence[Cards]
    events: tuple[EventShape, ...]


class Generator:
    """Makes situations of the materials of one game."""

    def __init__(self, materials: Materials) -> None:
        self.materials = materials
        self.facts = materials.facts

    def situations(self, wanted: Wanted, fit: Callable[[Cards], bool] = bool) -> Iterator[Situation]:
        """Yield the situations that meet `wanted`, smallest first; `fit` tells which cards will do."""
        if not all(any(group <= printed for printed in self.facts.values()) for group in wanted.on_one_card):
            return
        shapes = [self._shapes(wanted, number, fit) for number in range(MOST_EVENTS + 1)]
        marked = bool(_predicates(wanted.needs) & _STATUS)
        for size in range(MOST_EVENTS + MOST_CHOICES + 1):
            for number in range(max(0, size - MOST_CHOICES), min(size, MOST_EVENTS) + 1):
                yield from _in_turns(
                    self.arranged(shape.cards, shape.events, size - number, marked=marked) for shape in shapes[number]
                )

    def arranged(
        self, cards: Sequence[Cards], events: Sequence[EventShape], choices: int, *, marked: bool = False
    ) -> Iterator[Situation]:
        """Yield the situations of one of `cards` with `events` in which just `choices` choices are not the first.

        `marked`: something must have a status.
        """
        some = self.materials
        statuses = [one for one in some.statuses if one[1]] if marked else [None, *some.statuses]
        types = some.vocabulary.instances(core("CardType"))
        own = {some.label(one) for one in types if cards[0] and (_PRINTED_TYPE, str(one)) in self.facts[cards[0][0]]}
        # The type that a card has anyway is the last to which it is changed.
        values = [sorted(values, key=own.__contains__) for event in events for values in event.choices]
        options: list[Sequence[Any]] = [*reversed(values), *([some.zones, statuses] * len(cards[0])), cards]
        if not all(options):
            return
        first = [one[0] for one in options]
        for others in _alternatives(options, choices):
            found = _situation([others.get(place, one) for place, one in enumerate(first)], events)
            if not any(one.status and one.zone in some.elsewhere[one.status[0]] for one in found.objects):
                yield found

    def _shapes(self, wanted: Wanted, number: int, fit: Callable[[Cards], bool]) -> list[_Shape]:
        """Return the shapes with `number` events, first those that state the most of what is needed."""
        heeded = [event for event in self.materials.events if event.gives & _predicates(wanted.heeds) - OF_TIME]
        asked_of_events = _predicates(wanted.needs), _predicates(wanted.uses)
        known: dict[tuple[frozenset[Signature], frozenset[Signature], bool], list[list[Cards]]] = {}
        found = []
        for events in product(heeded, repeat=number):
            left = _without(wanted.needs, _OF_OBJECTS.union(*(event.gives for event in events)))
            asked = frozenset().union(*(event.asks for event in events))
            key = left, asked, any(event.takes_two for event in events)
            if key not in known:
                known[key] = [some for cast in self._casts(wanted, *key) if (some := list(filter(fit, cast)))]
            rank = tuple(-sum(len(event.gives & some) for event in events) for some in asked_of_events)
            found += [_Shape((*rank, len(cards[0])), cards, events) for cards in known[key]]
        return sorted(found, key=lambda shape: shape.rank)

    def _casts(
        self, wanted: Wanted, left: frozenset[Signature], asked: frozenset[Signature], two: bool
    ) -> Iterator[list[Cards]]:
        """Yield the choices of one card, then of two, that print all that is `left`; two only where two have a part.

        The first card also prints what is `asked`.
        """
        printed = _without(left, _STATUS | _OF_REACH) | (_SCOPE if _predicates(left) & _OF_REACH else frozenset())
        everything = printed.union(*wanted.on_one_card)
        first = [card for card in self.materials.cards if asked <= self.facts[card]]
        if not two:
            yield self._ranked(wanted, ((card,) for card in first if everything <= self.facts[card]))
        if two or wanted.reach or wanted.two:
            printed |= frozenset() if two or wanted.two else _SCOPE
            every = self.materials.cards
            fitting = [{card for card in every if group <= self.facts[card]} for group in wanted.on_one_card]
            yield self._ranked(
                wanted,
                (
                    (one, other)
                    for one, other in product(first, every)
                    if printed <= self.facts[one] | self.facts[other] and all(some & {one, other} for some in fitting)
                ),
            )

    def _ranked(self, wanted: Wanted, casts: Iterable[Cards]) -> list[Cards]:
        """Return first those that print the most of what could have a part, one of each kind, then the next of each."""
        uses = wanted.uses | (_SCOPE if wanted.reach else frozenset())

        def merit(cards: Cards) -> tuple[bool, int, int]:
            needed = len(wanted.needs & self.facts[cards[0]])
            return len({*cards}) < len(cards), -needed, -sum(len(uses & self.facts[one]) for one in cards)

        seen: Counter[tuple[frozenset[Signature], ...]] = Counter()
        turns: dict[Cards, int] = {}
        for cards in sorted(casts, key=merit):
            kinds = tuple(self.materials.kinds[one] for one in cards)
            turns[cards] = seen[kinds]
            seen[kinds] += 1
        return sorted(turns, key=turns.__getitem__)


def _predicates(signatures: frozenset[Signature]) -> frozenset[str]:
    return frozenset(predicate for predicate, _ in signatures)


def _without(needs: frozenset[Signature], stated: frozenset[str]) -> frozenset[Signature]:
    """Return the `needs` for other predicates than those that are `stated`."""
    return frozenset(one for one in needs if one[0] not in stated)


def _in_turns(some: Iterable[Iterator[Situation]]) -> Iterator[Situation]:
    """Yield a few of each, then a few more of each."""
    waiting = list(some)
    while waiting:
        for one in list(waiting):
            turn = list(islice(one, _TURN))
            yield from turn
            if len(turn) < _TURN:
                waiting.remove(one)


def _alternatives(options: Sequence[Sequence[Any]], choices: int) -> Iterator[dict[int, Any]]:
    """Yield `choices` others than the first of as many options, by place; single ones of each option in turn."""
    if choices == 1:
        for number in range(1, max(map(len, options)) + 1):
            yield from ({place: some[number]} for place, some in enumerate(options[:-1]) if number < len(some))
            yield from ({len(options) - 1: cards} for cards in options[-1][_CARDS * number - _CARDS + 1 :][:_CARDS])
        return
    for places in combinations(range(len(options)), choices):
        for chosen in product(*(options[place][1:] for place in places)):
            yield dict(zip(places, chosen, strict=True))


def _situation(picked: Sequence[Any], events: Sequence[EventShape]) -> Situation:
    *rest, cards = picked
    values = rest[: len(rest) - 2 * len(cards)]
    states = rest[len(values) :]
    objects = (
        Placed(piece, card, zone, status)
        for piece, card, zone, status in zip((FIRST, SECOND), cards, states[::2], states[1::2], strict=False)
    )
    happened = tuple(tuple((key, values.pop()) for key in event.keys) for event in events)
    return Situation(tuple(objects), happened)
