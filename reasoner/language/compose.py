"""Ordered parse trees to readings: each kind of node says how the words below it combine.

The value of a node is a union of conjunctions of words, as in `reasoner.language.scope`, but a node has its values in
the order of preference, and a list of noun phrases says itself how far the words around it reach:

    shared tail     "Elf or Wizard creature card": a member without the last words has those of the next one that follow
                    what stands in the same position there ("creature card"); an adjective has the noun at least
    leading words   "basic Forest or Plains card": adjectives of the first member hold for those that have none
    trailing words  outer ones (places, controllers) hold for every member before; inner ones ("with mana value …") for
                    those that lack last words of their own; the nearest ones ("with flying") for the last member alone,
                    unless it lends its last words

Where that is only the usual way, the other one is a reading too, after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from typing import Final, NamedTuple, TypeAlias, TypeVar

from reasoner.language.ordered import Branch, Node, Ray
from reasoner.language.scope import MOST_VALUES, Conjunction, TooMany, Unit

_ADJECTIVE, _HEAD, _LEAD, _ITSELF = "adjective", "head", "lead", "itself"
_NOUNS: Final = frozenset({"kind", "subkind"})
_TRAILING: Final = ("outer", "inner", "nearest")
_Thing = TypeVar("_Thing")


class Sense(NamedTuple):
    """A union of conjunctions, the places of `silent` words that only accompany it, and whether it is `strained`."""

    union: tuple[Conjunction, ...]
    silent: tuple[int, ...] = ()
    strained: bool = False


Senses: TypeAlias = tuple[Sense, ...]
_NOTHING: Final = Sense(((),))


@dataclass(frozen=True)
class Member:
    """A member of a list: determiners, what stands before the end of the noun, and what follows it."""

    lead: tuple[Node, ...]
    elements: tuple[Branch, ...]
    trailing: tuple[Branch, ...]
    other: tuple[Node, ...] = ()

    @property
    def is_itself(self) -> bool:
        """Whether it is a name or a word for one thing, which nothing around it qualifies."""
        return any(one.rule == _ITSELF for one in self.elements)

    @property
    def has_head(self) -> bool:
        """Whether it has a last word of its own, as "card" is, or "token" after a noun."""
        rules = _rules(self.elements)
        return _HEAD in rules or (rules[-1:] == [_ADJECTIVE] and not _NOUNS.isdisjoint(rules))


class Composer:
    """Makes senses of the trees over `rays`; `meant` are the places of words that denote something or are names."""

    def __init__(self, rays: Sequence[Ray], meant: frozenset[int]) -> None:
        self.rays = rays
        self.meant = meant
        self.said_again: set[int] = set()
        self.known: dict[Node, Senses] = {}
        self.rules: dict[str, Callable[[tuple[Node, ...]], Iterable[Sense]]] = {
            "both": self.both,
            "either": self.either,
            "negative": self.negative,
            "denied": self.negative,
            "not_word_last": lambda nodes: self.negative((Branch("word_last", nodes),)),
            "silent": self.silent,
            "word_first": self.word_first,
            "word_last": self.word_last,
            "word_middle": self.word_middle,
            "word_last_twice": self.word_last_twice,
            "words_each": self.words_each,
            "named": lambda nodes: self.words_each((nodes[1], nodes[0])),
            "words_each_bound": lambda nodes: self.words_each((nodes[0], nodes[2], nodes[1])),
            "strained": self.strained,
            "members": self.members,
            _HEAD: self.head,
        }

    def senses(self, node: Node) -> Senses:
        """Return the distinct senses of `node`, the usual one first."""
        if not isinstance(node, Branch):
            return (Sense(((Unit(node),),)),) if node in self.meant else (_NOTHING,)
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = _few(self.rules.get(node.rule, self.both)(node.parts))
        return found

    # --- one method per kind of node

    def both(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """Everything at once."""
        return map(_joined, product(*map(self.senses, nodes)))

    def either(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """Any of them; what means nothing only joins."""
        parts = [self.senses(node) for node in nodes]
        return map(_any_of, product(*(part for part in parts if part != (_NOTHING,))))

    def negative(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """Not all at once: one word of every conjunction is missing. "A" and "card" are only said again, not denied."""
        for sense in self.both(nodes):
            ways = product(*(self._denied(conjunction) for conjunction in sense.union))
            yield sense._replace(union=_few(_distinct(way) for way in ways))

    def silent(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """Words that select nothing."""
        places = tuple(place for place in _leaves(nodes) if place in self.meant)
        self.said_again.update(places)
        yield Sense(((),), places)

    def word_first(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """One word, with what follows as parts of it."""
        main, *parts = _leaves(nodes)
        yield Sense(((Unit(main, parts=tuple(parts)),),))

    def word_last(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """One word, with what stands before as parts of it."""
        *parts, main = _leaves(nodes)
        yield Sense(((Unit(main, parts=tuple(parts)),),))

    def word_last_twice(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """Two words with what stands before as parts of both: the first holds, the second does not."""
        parts = tuple(_leaves(nodes[:1]))
        holds, fails = self._content(_leaves(nodes[1:]))
        yield Sense(((Unit(holds, parts=parts), Unit(fails, negated=True, parts=parts)),))

    def word_middle(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """One word, with the one before and what follows as parts of it."""
        before, main, *after = _leaves(nodes)
        yield Sense(((Unit(main, parts=(before, *after)),),))

    def words_each(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """One word of each first part with each second part, and all the rest: any of them."""
        firsts, seconds, *rest = (_leaves((node,)) for node in nodes)
        common = tuple(place for part in rest for place in part)
        pairs = product(self._content(firsts), self._content(seconds))
        yield Sense(tuple((Unit(first, parts=(second, *common)),) for first, second in pairs))

    def strained(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """What counts only where nothing else can be read."""
        return (sense._replace(strained=True) for sense in self.both(nodes))

    def head(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """The last word of a noun phrase."""
        self.said_again.update(_leaves(nodes))
        return self.both(nodes)

    def members(self, nodes: tuple[Node, ...]) -> Iterable[Sense]:
        """A list of noun phrases, or one alone; what stands between them only joins."""
        members = [_member(node) for node in nodes if isinstance(node, Branch) and node.rule == "member"]
        tails, lent = _tails(members)
        spread = _spread(members, tails)
        shares = [_shared_trailing(members, lent, nearest=nearest) for nearest in (False, True)]
        plans = [(spread, shares[0]), (spread, shares[1])]
        if any(spread) and not any(tails[:-1]):
            plans += [([()] * len(members), shares[0]), ([()] * len(members), shares[1])]
        for leading, trailing in dict.fromkeys((tuple(map(tuple, one)), tuple(map(tuple, two))) for one, two in plans):
            built: list[list[Sense]] = []
            for at, member in enumerate(members):
                mine = next((one.other for one in reversed(members[: at + 1]) if one.other), ())
                noun = (*leading[at], *member.elements, *tails[at])
                built.append(list(self.both((*member.lead, *mine, *noun, *member.trailing, *trailing[at]))))
            yield from map(_any_of, product(*built))

    # --- helpers

    def _denied(self, conjunction: Conjunction) -> list[Unit]:
        again = tuple(unit.place for unit in conjunction if unit.place in self.said_again)
        content = [unit for unit in conjunction if unit.place not in self.said_again]
        if not content:
            return [replace(unit, negated=not unit.negated) for unit in conjunction]
        return [replace(unit, negated=not unit.negated, parts=(*unit.parts, *again)) for unit in content]

    def _content(self, places: Sequence[int]) -> list[int]:
        return [place for place in places if place in self.meant]


def _member(node: Branch) -> Member:
    lead: list[Node] = []
    other: list[Node] = []
    elements: list[Branch] = []
    trailing: list[Branch] = []
    for part in node.parts:
        if not isinstance(part, Branch):
            continue  # a comma between adjectives
        if part.rule == _LEAD:
            lead += [one for one in part.parts if not (isinstance(one, Branch) and one.rule == "other")]
            other += [one for one in part.parts if isinstance(one, Branch) and one.rule == "other"]
        elif part.rule in _TRAILING:
            trailing.append(part)
        else:
            elements.append(part)
    return Member(tuple(lead), tuple(elements), tuple(trailing), tuple(other))


def _tails(members: Sequence[Member]) -> tuple[list[tuple[Branch, ...]], list[bool]]:
    """Return the last words that each member borrows from the next one, and which members share those of the last."""
    tails: list[tuple[Branch, ...]] = [()] * len(members)
    lent = [False] * len(members)
    lent[-1] = True
    for at in range(len(members) - 2, -1, -1):
        member = members[at]
        following = (*members[at + 1].elements, *tails[at + 1])
        if not member.has_head and member.elements and not (set(_rules(member.trailing)) & {"outer", "inner"}):
            tails[at] = _tail(member.elements[-1].rule, following)
            lent[at] = lent[at + 1] and bool(tails[at])
    return tails, lent


def _tail(last: str, following: tuple[Branch, ...]) -> tuple[Branch, ...]:
    alike = next((at for at, one in enumerate(following) if one.rule == last), None)
    if alike is not None:
        return following[alike + 1 :]
    if last == _ADJECTIVE:
        return following[1:]
    return tuple(one for one in following if one.rule == _HEAD)


def _spread(members: Sequence[Member], tails: Sequence[tuple[Branch, ...]]) -> list[tuple[Branch, ...]]:
    """Return the adjectives of the first member that each later one has too."""
    first = members[0]
    spread: list[tuple[Branch, ...]] = [()] * len(members)
    own = [one for one in first.elements if one.rule != _HEAD]
    leading = tuple(own[:-1])
    if not leading or any(one.rule != _ADJECTIVE or _is_negative(one) for one in leading):
        return spread
    for at, member in enumerate(members[1:], start=1):
        rules = _rules(member.elements)
        place = max((at for at, rule in enumerate(rules) if rule == own[-1].rule), default=0)
        is_whole = first.has_head and member.has_head
        if place == 0 and not member.lead and not is_whole and (own[-1].rule == _ADJECTIVE or _ADJECTIVE not in rules):
            spread[at] = leading
    return spread


def _shared_trailing(members: Sequence[Member], lent: Sequence[bool], *, nearest: bool) -> list[list[Branch]]:
    """Return what follows the last member and holds for each earlier one too; `nearest`: the nearest words as well."""
    shared: list[list[Branch]] = [[] for _ in members]
    borrowing = [not member.has_head for member in members]
    for at, member in enumerate(members[:-1]):
        own = set(_rules(member.trailing))
        inner = lent[at] or (borrowing[at] and borrowing[-1])
        holds = {
            "outer": "outer" not in own,
            "inner": inner and not own,
            "nearest": (lent[at] or (nearest and inner)) and not own,
        }
        if not member.is_itself:
            shared[at] = [one for one in members[-1].trailing if holds[one.rule]]
    return shared


def _rules(nodes: Iterable[Branch]) -> list[str]:
    return [node.rule for node in nodes]


def _is_negative(node: Node) -> bool:
    """Return whether a type is denied in it: "nonland" says what the next noun is, and no more."""
    return isinstance(node, Branch) and any(isinstance(part, Branch) and part.rule == "negative" for part in node.parts)


def _leaves(nodes: Iterable[Node]) -> list[int]:
    found: list[int] = []
    for node in nodes:
        found += _leaves(node.parts) if isinstance(node, Branch) else [node]
    return found


def _joined(parts: Iterable[Sense]) -> Sense:
    return reduce(_and, parts, _NOTHING)


def _and(left: Sense, right: Sense) -> Sense:
    union = _few(_distinct((*one, *other)) for one in left.union for other in right.union)
    return Sense(union, (*left.silent, *right.silent), left.strained or right.strained)


def _any_of(parts: Sequence[Sense]) -> Sense:
    """Return the union; what accompanies a part accompanies only that part."""
    accompanied = (
        (*conjunction, *(Unit(place) for place in part.silent)) for part in parts for conjunction in part.union
    )
    return Sense(_few(map(_distinct, accompanied)), (), any(part.strained for part in parts))


def _distinct(units: Iterable[Unit]) -> Conjunction:
    return tuple(sorted(dict.fromkeys(units)))


def _few(things: Iterable[_Thing]) -> tuple[_Thing, ...]:
    found: dict[_Thing, None] = {}
    for thing in things:
        found[thing] = None
        if len(found) > MOST_VALUES:
            raise TooMany
    return tuple(found)
