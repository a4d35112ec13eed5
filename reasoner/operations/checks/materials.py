"""What generated situations are made of: cards that stand for all, zones, statuses and events, by the ontology."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pyoxigraph as ox

from reasoner.engine.pattern import Signature
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.checks.candidates import signatures_of
from reasoner.situation.changes import LASTING
from reasoner.situation.events import EventKind, events_of
from reasoner.situation.given import status_fields
from reasoner.terms.namespaces import DOMAIN, RANGE, SUBPROPERTY, WHOLE_NUMBERS, core

FIRST, SECOND = "a", "b"  # what the two objects of a situation are called
SMALL_NUMBERS = (1, 2)
Value = str | int
Cards = tuple[ox.NamedNode, ...]


def named(*names: str) -> frozenset[str]:
    """Return shared predicates by their local names."""
    return frozenset(core(name).value for name in names)


# What the bookkeeping of situations states by itself (reasoner/situation): after a move, of an effect, of a status.
OF_TIME = named("timestamp")
_OF_MOVES = named("moves", "movesTo", "movesFrom", "succeeds", "isDirectlyInZone", "hasBeenIn")
_OF_EFFECTS = named("affects", "copiedFromCard", "copiesReferentCard")
_OF_STATUS = named("hasStatus", "lacksStatus", "hasController")
_ABILITY: frozenset[Signature] = frozenset({(core("hasAbility").value, None)})


@dataclass(frozen=True)
class EventShape:
    """A kind of event with some of its parameters: its keys and the values each can have.

    `gives` are the predicates of what the event states, `asks` is what the card of the first object must print for it.
    """

    keys: tuple[str, ...]
    choices: tuple[tuple[Value, ...], ...]
    gives: frozenset[str]
    asks: frozenset[Signature] = frozenset()

    @property
    def takes_two(self) -> bool:
        """Whether a second object has a part in the event."""
        return (SECOND,) in self.choices


class Materials:
    """The materials of one game; each is worked out once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.vocabulary = base.vocabulary

    @cached_property
    def of_referents(self) -> frozenset[str]:
        """The predicates that say something of a referent."""
        found = {one for kind in ("Referent", "Object") for one in self.vocabulary.subjects(DOMAIN, core(kind))}
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
        """One card of all that print the like, as far as rules and exclusions tell apart; the plainest first."""
        rules = self.base.programs.rules
        told = {read for rule in rules for read in (*rule.reads, *rule.reads_complete) if read[1] is not None}
        alike: dict[frozenset[Signature], ox.NamedNode] = {}
        for card in sorted(self.facts, key=lambda card: (len(self.facts[card]), card.value)):
            like = frozenset(one for one in self.facts[card] if one[1] is None or one in told) | self.kinds[card]
            alike.setdefault(like, card)
        return tuple(sorted(alike.values(), key=lambda card: (_size(self.facts[card]), card.value)))

    @cached_property
    def kinds(self) -> dict[ox.NamedNode, frozenset[Signature]]:
        """What is printed on each card that excludes the like on other cards: types, above all."""
        exclusive = {f"<{iri}>" for pair in self.vocabulary.exclusions.disjoint for iri in pair}
        return {card: frozenset(one for one in facts if one[1] in exclusive) for card, facts in self.facts.items()}

    @cached_property
    def zones(self) -> tuple[str, ...]:
        """The zones by name, first those in which statuses apply."""
        applied = [zone for _, zone in self.vocabulary.pairs(core("appliesIn"))]
        zones = sorted(self.vocabulary.instances(core("Zone")), key=lambda zone: (-applied.count(zone), zone.value))
        return tuple(self.vocabulary.label(zone, self.base.language.code) for zone in zones)

    @cached_property
    def statuses(self) -> tuple[tuple[str, bool], ...]:
        """Each status said to be there, and said not to be where that is not taken for granted; by the key of cases."""
        absent = self.vocabulary.pairs(core("isAssumedAbsent"))
        fields = sorted(status_fields(self.vocabulary).items())
        granted = {key for key, iri in fields if iri in dict(absent)}
        return tuple((key, value) for key, _ in fields for value in (True, False) if value or key not in granted)

    @cached_property
    def elsewhere(self) -> dict[str, frozenset[str]]:
        """The zones in which a status makes no difference, by its key."""
        found = {}
        for key, iri in status_fields(self.vocabulary).items():
            zones = self.vocabulary.objects(iri, core("appliesIn"))
            applies = [zone for zone in zones if isinstance(zone, ox.NamedNode)]
            within = {self.label(one) for zone in applies for one in self.vocabulary.below(zone, core("isPartOf"))}
            found[key] = frozenset(self.zones) - within if applies else frozenset()
        return found

    @cached_property
    def events(self) -> tuple[EventShape, ...]:
        """Each kind of event, without a number and with each that it can have."""
        kinds = events_of(self.base)
        return tuple(shape for key in sorted(kinds) for shape in self._shapes(kinds[key]))

    def _shapes(self, kind: EventKind) -> Iterator[EventShape]:
        numbers = {key for key, prop in kind.parameters.items() if WHOLE_NUMBERS & self._ranges(prop)}
        for number in (None, *sorted(numbers)):
            had = {key: prop for key, prop in kind.parameters.items() if key == number or key not in numbers}
            gives = OF_TIME | {prop.value for prop in (kind.main, *had.values())}
            gives |= _OF_MOVES if kind.main == core("moves") else frozenset()
            gives |= _OF_EFFECTS if any(prop in LASTING for prop in had.values()) else frozenset()
            gives |= _OF_STATUS if self.vocabulary.below(core("SetStatus")).count(kind.iri) else frozenset()
            # All abilities are copied at once.
            said = {key: prop for key, prop in had.items() if core("Ability").value not in self._ranges(prop)}
            choices = (self._values(kind.main, FIRST), *(self._values(prop, SECOND) for prop in said.values()))
            yield EventShape((kind.key, *said), choices, gives, _ABILITY if len(said) < len(had) else frozenset())

    def _ranges(self, prop: ox.NamedNode) -> set[str]:
        return {getattr(one, "value", "") for one in self.vocabulary.objects(prop, RANGE)}

    def _values(self, prop: ox.NamedNode, piece: str) -> tuple[Value, ...]:
        ranges = self._ranges(prop)
        if WHOLE_NUMBERS & ranges:
            return SMALL_NUMBERS
        if core("Zone").value in ranges:
            return (*self.zones[1:], *self.zones[:1])  # objects begin in the first
        if core("CardType").value in ranges:
            return tuple(self.label(one) for one in self.vocabulary.instances(core("CardType")))
        return (piece,)

    def label(self, term: ox.NamedNode) -> str:
        """Return what the game calls `term`."""
        return self.vocabulary.label(term, self.base.language.code)


def _size(facts: frozenset[Signature]) -> int:
    return sum(value is None for _, value in facts)
