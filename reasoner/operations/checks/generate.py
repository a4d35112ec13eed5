"""Small situations, made of what the ontology and the pool hold, smallest first.

A situation has one object or two, of cards that stand for all that print the like, and up to two events. The size is the
number of events and of choices that are not the first of their kind: of a zone, a status, a value of an event, a card.
Nothing is tried that lacks what the rules in question need (see candidates.Wanted).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, islice, product
from typing import Any

import pyoxigraph as ox

from reasoner.engine.pattern import Signature
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.checks.candidates import Wanted, signatures_of
from reasoner.situation.changes import LASTING
from reasoner.situation.events import EventKind, event_kinds
from reasoner.situation.given import status_fields
from reasoner.terms.namespaces import RDFS, SUBPROPERTY, XSD, core

MOST_EVENTS = 2
MOST_CHOICES = 2  # that are not the first of their kind
SMALL_NUMBERS = (1, 2)
FIRST, SECOND = "a", "b"
Value = str | int
Cards = tuple[ox.NamedNode, ...]
_DOMAIN, _RANGE = ox.NamedNode(RDFS + "domain"), ox.NamedNode(RDFS + "range")


def _named(*names: str) -> frozenset[Signature]:
    return frozenset((core(name).value, None) for name in names)


# What the bookkeeping of situations states by itself (reasoner/situation): of every object, after a move, of an effect.
_OF_OBJECTS = _named("hasOwnCard", "isStayOf", "isDirectlyInZone", "hasBeenIn")
_OF_MOVES = _named("moves", "movesTo", "movesFrom", "succeeds", "isDirectlyInZone", "hasBeenIn")
_OF_STATUS = _named("hasStatus", "lacksStatus", "hasController")
_OF_EFFECTS = _named("affects", "copiedFromCard", "copiesReferentCard")
_OF_TIME = _named("timestamp")
_OF_REACH = _named("reaches", "isAbility")
_CARDS = 3  # other cards tried for each other choice, since it is cards that differ most
_TURN = 8
_PRINTED_TYPE = core("printedCardType").value
_SCOPE, _STATUS, _ABILITY = _named("hasScope"), _named("hasStatus"), _named("hasAbility")


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
class EventShape:
    """A kind of event with some of its parameters: its keys, the values each can have, what it states."""

    keys: tuple[str, ...]
    choices: tuple[tuple[Value, ...], ...]
    gives: frozenset[Signature]
    asks: frozenset[Signature] = frozenset()

    @property
    def takes_two(self) -> bool:
        """Whether a second object has a part in the event."""
        return (SECOND,) in self.choices


class Generator:
    """Makes situations for one game; what they are made of is worked out once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.vocabulary = base.vocabulary
        self.code = base.language.code

    # --- what situations are made of

    @cached_property
    def of_referents(self) -> frozenset[str]:
        """The predicates that say something of a referent."""
        found = {one for kind in ("Referent", "Object") for one in self.vocabulary.subjects(_DOMAIN, core(kind))}
        return frozenset(below.value for one in found for below in self.vocabulary.below(one, SUBPROPERTY))

    @cached_property
    def given(self) -> frozenset[Signature]:
        """What holds in every situation: the facts about the terms."""
        store, names = self.base.store, self.base.base[:2]
        return signatures_of(q.triple for name in names for q in store.quads_for_pattern(None, None, None, name))

    @cached_property
    def facts(self) -> dict[ox.NamedNode, frozenset[Signature]]:
        """What is printed on each card, its abilities and references included."""
        found: dict[str, list[ox.Triple]] = {card.value: [] for card in self.base.cards}
        for quad in self.base.store.quads_for_pattern(None, None, None, self.base.base[-1]):
            subject = quad.subject.value if isinstance(quad.subject, ox.NamedNode) else ""
            start, _, rest = subject.partition("/card/")
            found.get(f"{start}/card/{rest.partition('/')[0]}", []).append(quad.triple)
        return {ox.NamedNode(card): signatures_of(triples) for card, triples in found.items()}

    @cached_property
    def cards(self) -> Cards:
        """One card of all that print the like, as far as what excludes what and the rules tell apart; the plainest first."""
        rules = self.base.programs.rules
        told = {read for rule in rules for read in (*rule.reads, *rule.reads_complete) if read[1] is not None}
        alike: dict[frozenset[Signature], ox.NamedNode] = {}
        for card in sorted(self.facts, key=lambda card: (len(self.facts[card]), card.value)):
            like = frozenset(one for one in self.facts[card] if one[1] is None or one in told) | self._kinds(card)
            alike.setdefault(like, card)
        return tuple(sorted(alike.values(), key=lambda card: (len(self._printed(card)), card.value)))

    def _printed(self, card: ox.NamedNode) -> frozenset[str]:
        return frozenset(predicate for predicate, value in self.facts[card] if value is None)

    @cached_property
    def zones(self) -> tuple[str, ...]:
        """The zones by name, first those in which statuses apply."""
        applied = [zone for _, zone in self.vocabulary.pairs(core("appliesIn"))]
        zones = sorted(self.vocabulary.instances(core("Zone")), key=lambda zone: (-applied.count(zone), zone.value))
        return tuple(self.vocabulary.label(zone, self.code) for zone in zones)

    @cached_property
    def statuses(self) -> tuple[tuple[str, bool], ...]:
        """Each status said to be there, and said not to be where that is not taken for granted; by the key of cases."""
        absent = self.vocabulary.pairs(core("isAssumedAbsent"))
        fields = sorted(status_fields(self.vocabulary).items())
        granted = {key for key, iri in fields if iri in dict(absent)}
        return tuple((key, value) for key, _ in fields for value in (True, False) if value or key not in granted)

    @cached_property
    def _elsewhere(self) -> dict[str, frozenset[str]]:
        """The zones in which a status makes no difference, by its key."""
        found = {}
        for key, iri in status_fields(self.vocabulary).items():
            applies = [
                zone for zone in self.vocabulary.objects(iri, core("appliesIn")) if isinstance(zone, ox.NamedNode)
            ]
            within = {self._label(one) for zone in applies for one in self.vocabulary.below(zone, core("isPartOf"))}
            found[key] = frozenset(self.zones) - within if applies else frozenset()
        return found

    @cached_property
    def events(self) -> tuple[EventShape, ...]:
        """Each kind of event, without a number and with each that it can have."""
        kinds = event_kinds(self.vocabulary)
        return tuple(shape for key in sorted(kinds) for shape in self._shapes(kinds[key]))

    def _shapes(self, kind: EventKind) -> Iterator[EventShape]:
        numbers = {key for key, prop in kind.parameters.items() if XSD + "integer" in self._ranges(prop)}
        for number in (None, *sorted(numbers)):
            had = {key: prop for key, prop in kind.parameters.items() if key == number or key not in numbers}
            gives = _OF_TIME | {(prop.value, None) for prop in (kind.main, *had.values())}
            gives |= _OF_MOVES if kind.main == core("moves") else frozenset()
            gives |= _OF_EFFECTS if any(prop in LASTING for prop in had.values()) else frozenset()
            gives |= _OF_STATUS if self.vocabulary.below(core("SetStatus")).count(kind.iri) else frozenset()
            # All abilities are copied at once.
            said = {key: prop for key, prop in had.items() if core("Ability").value not in self._ranges(prop)}
            choices = (self._values(kind.main, FIRST), *(self._values(prop, SECOND) for prop in said.values()))
            yield EventShape((kind.key, *said), choices, gives, frozenset() if len(said) == len(had) else _ABILITY)

    def _ranges(self, prop: ox.NamedNode) -> set[str]:
        return {getattr(one, "value", "") for one in self.vocabulary.objects(prop, _RANGE)}

    def _values(self, prop: ox.NamedNode, piece: str) -> tuple[Value, ...]:
        ranges = self._ranges(prop)
        if XSD + "integer" in ranges:
            return SMALL_NUMBERS
        if core("Zone").value in ranges:
            return (*self.zones[1:], *self.zones[:1])  # objects begin in the first
        if core("CardType").value in ranges:
            return tuple(self._label(one) for one in self.vocabulary.instances(core("CardType")))
        return (piece,)

    def _label(self, term: ox.NamedNode) -> str:
        return self.vocabulary.label(term, self.code)

    # --- situations

    def situations(self, wanted: Wanted, fit: Callable[[Cards], bool] = bool) -> Iterator[Situation]:
        """Yield the situations that meet `wanted`, smallest first; `fit` tells which cards will do."""
        if not all(any(group <= printed for printed in self.facts.values()) for group in wanted.on_one_card):
            return
        shapes = [self._cast_shapes(wanted, number, fit) for number in range(MOST_EVENTS + 1)]
        for size in range(MOST_EVENTS + MOST_CHOICES + 1):
            for number in range(max(0, size - MOST_CHOICES), min(size, MOST_EVENTS) + 1):
                status = _STATUS <= wanted.needs
                yield from _in_turns(
                    self.arranged(cards, events, size - number, needs_status=status) for cards, events in shapes[number]
                )

    def _cast_shapes(
        self, wanted: Wanted, number: int, fit: Callable[[Cards], bool]
    ) -> list[tuple[list[Cards], tuple[EventShape, ...]]]:
        """Return each sequence of `number` events with the cards for it, those in which no event is idle first."""
        found = []
        heeded = [event for event in self.events if event.gives & wanted.heeds - _OF_TIME]
        for events in product(heeded, repeat=number):
            left = wanted.needs - _OF_OBJECTS - frozenset().union(*(event.gives for event in events))
            asked = frozenset().union(*(event.asks for event in events))
            use = [-sum(len(event.gives & some) for event in events) for some in (wanted.needs, wanted.uses)]
            for cast in self._casts(wanted, left, asked, any(event.takes_two for event in events)):
                cards = list(filter(fit, cast))
                if cards:
                    found.append(((*use, len(cards[0])), cards, events))
        return [(cards, events) for _, cards, events in sorted(found, key=lambda one: one[0])]

    @lru_cache(maxsize=1024)  # noqa: B019 - a generator lives as long as one search
    def _casts(
        self, wanted: Wanted, left: frozenset[Signature], asked: frozenset[Signature], two: bool
    ) -> tuple[list[Cards], ...]:
        """Return the choices of one card, then of two, that print all that is `left`; two only where two have a part.

        The first card also prints what is `asked`. Those that print the most of what could have a part come first, one
        of each kind, then the next of each.
        """
        uses = wanted.uses | (_SCOPE if wanted.reach else frozenset())
        printed = (left - _STATUS - _OF_REACH) | (_SCOPE if left & _OF_REACH else frozenset())
        everything = printed.union(*wanted.on_one_card)
        first = [card for card in self.cards if asked <= self.facts[card]]

        def in_turn(casts: Iterable[Cards]) -> list[Cards]:
            merits = {cards: sum(len(uses & self.facts[one]) for one in cards) for cards in casts}
            own = {cards: len(wanted.needs & self.facts[cards[0]]) for cards in merits}
            ranked = sorted(merits, key=lambda cards: (len({*cards}) < len(cards), -own[cards], -merits[cards]))
            seen: Counter[tuple[frozenset[Signature], ...]] = Counter()
            turns = {}
            for cards in ranked:
                kinds = tuple(map(self._kinds, cards))
                turns[cards] = seen[kinds]
                seen[kinds] += 1
            return sorted(ranked, key=turns.__getitem__)

        found = [] if two else [in_turn((card,) for card in first if everything <= self.facts[card])]
        if two or wanted.reach or wanted.two:
            printed |= frozenset() if two or wanted.two else _SCOPE
            fitting = [{card for card in self.cards if group <= self.facts[card]} for group in wanted.on_one_card]
            pairs = (
                (one, other)
                for one, other in product(first, self.cards)
                if printed <= self.facts[one] | self.facts[other] and all(some & {one, other} for some in fitting)
            )
            found.append(in_turn(pairs))
        return tuple(found)

    @lru_cache(maxsize=65536)  # noqa: B019
    def _kinds(self, card: ox.NamedNode) -> frozenset[Signature]:
        """Return what is printed on `card` that excludes the like on other cards: types, above all."""
        return frozenset(one for one in self.facts[card] if one[1] in self._exclusive)

    @cached_property
    def _exclusive(self) -> frozenset[str]:
        return frozenset(f"<{iri}>" for pair in self.vocabulary.exclusions.disjoint for iri in pair)

    def arranged(
        self, cards: Sequence[Cards], events: Sequence[EventShape], choices: int, *, needs_status: bool = False
    ) -> Iterator[Situation]:
        """Yield the situations of one of `cards` with `events` in which just `choices` choices are not the first."""
        statuses = [one for one in self.statuses if one[1]] if needs_status else [None, *self.statuses]
        printed = self.facts[cards[0][0]] if cards[0] else ()
        own = {self._label(one) for one in self._card_types if (_PRINTED_TYPE, str(one)) in printed}
        options: list[Sequence[Any]] = [sorted(values, key=own.__contains__) for e in events for values in e.choices]
        options.reverse()
        for _ in cards[0]:
            options += [self.zones, statuses]
        options.append(cards)
        first = [some[0] for some in options]
        for others in _alternatives(options, choices):
            found = _situation([others.get(place, one) for place, one in enumerate(first)], events)
            if not any(one.status and one.zone in self._elsewhere[one.status[0]] for one in found.objects):
                yield found

    @cached_property
    def _card_types(self) -> Cards:
        return self.vocabulary.instances(core("CardType"))


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
    happened = []
    for event in events:
        happened.append(tuple((key, values.pop()) for key in event.keys))
    return Situation(tuple(objects), tuple(happened))
