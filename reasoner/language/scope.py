"""Parse trees to readings: each rule of the grammar says how the words below it combine.

The value of a node is a union of conjunctions of words (a disjunctive normal form), because that is what a reading
is: lists give unions, sequences conjunctions, negation of a list turns one into the other (De Morgan). An ambiguous
node has several values. Values are about places in the phrase, so one tree serves all phrases of one shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from reasoner.language.morphology import BARE
from reasoner.language.parser import Stop

if TYPE_CHECKING:
    from lark import Token, Tree

    Node: TypeAlias = Tree[Token] | Token

MOST_VALUES: Final = 400


@dataclass(frozen=True, order=True)
class Unit:
    """The word at `place`, negated or not, and the places of the words that only accompany it.

    `parts` are the places of words before it that make one word with it: in "at most 3 …" the number and its bound.
    """

    place: int
    negated: bool = False
    with_it: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()


Conjunction: TypeAlias = tuple[Unit, ...]


@dataclass(frozen=True)
class Mark:
    """What scope depends on, of one word: its terminal, the endings it may bear, and what joins with it, if it joins.

    `joint` is OR, AND, COMMA for a comma that a later OR or AND closes, COMMA_ALONE for another, "" for other words.
    """

    terminal: str
    cases: frozenset[str]
    joint: str = ""


@dataclass(frozen=True)
class Value:
    """A union of conjunctions. `cases`: the endings that the last word may bear, None where none is asked for.

    `strained`: an ending on the last member serves a whole list, as card text allows but the language avoids.
    """

    union: tuple[Conjunction, ...]
    cases: frozenset[str] | None = None
    strained: bool = False


Values: TypeAlias = tuple[Value, ...]
_Thing = TypeVar("_Thing")


class TooMany(Exception):
    """More values than anyone would want to see."""


@dataclass(frozen=True)
class Outcome:
    """What the grammar makes of a sequence of words: values, or where it stopped, or what kept it from a value."""

    values: Values = ()
    stop: Stop | None = None
    obstacle: str = ""


def evaluate(tree: Tree[Token], shape: Sequence[Mark]) -> Outcome:
    """Return the distinct values of `tree`, whose leaves are places in `shape`, or what stands against one.

    Raises:
        TooMany: if an ambiguous phrase has more than MOST_VALUES.
    """
    evaluator = _Evaluator(shape)
    return Outcome(evaluator.values(tree), obstacle=evaluator.obstacle)


class _Evaluator:
    def __init__(self, shape: Sequence[Mark]) -> None:
        self.shape = shape
        self.obstacle = ""
        self.known: dict[int, Values] = {}
        self.rules: dict[str, Callable[[list[Node]], Iterable[Value]]] = {
            "_ambig": lambda nodes: (value for node in nodes for value in self.values(node)),
            "start": self.sequence,
            "led": self.sequence,
            "lead": self.accompaniment,
            "led_list": self.led_list,
            "placed_list": self.sequence,
            "noun_phrase": self.first,
            "phrase": self.sequence,
            "shared": self.sequence,
            "phrase_list": self.noun_list,
            "placed_phrases": self.sequence,
            "placed": self.sequence,
            "bracketed": self.inside,
            "lonely": self.last_word,
            "head": self.last_word,
            "not_noun": self.negation,
            "none_of_nouns": self.negation,
            "noun_list": self.inflected_noun_list,
            "not_type_last": self.negation,
            "not_type": self.negation,
            "kind_list": self.noun_list,
            "any_kind": self.first,
            "kind": self.sequence,
            "shared_kind": self.sequence,
            "kind_group": self.inside,
            "not_kind_group": self.negation,
            "none_of_kinds": self.negation,
            "type_list": self.noun_list,
            "chooser": self.chooser,
            "attribute": self.first,
            "not_attribute": self.negation,
            "attribute_group": self.inside,
            "not_attribute_group": self.negation,
            "none_of_attributes": self.negation,
            "plain_list": self.attribute_list,
            "attribute_list": self.attribute_list,
            "attribute_chain": self.sequence,
            "comparison": self.comparison,
            "located": self.first,
            "place_list": self.noun_list,
            "in_place": self.place,
            "from_place": self.place,
        }

    def values(self, node: Node) -> Values:
        """Return the distinct values of `node`."""
        if isinstance(node, str):
            return (Value(((Unit(int(node)),),)),)
        found = self.known.get(id(node))
        if found is None:
            rule, children = str(node.data), _children(node)
            found = self.known[id(node)] = _few(self.rules[rule](children))
        return found

    def joint(self, node: Node) -> str:
        """Return what the node joins with, "" if it does not join."""
        return self.shape[int(node)].joint if isinstance(node, str) else ""

    # --- one method per kind of rule

    def sequence(self, nodes: list[Node]) -> Iterable[Value]:
        """Everything at once: each conjunction of one with each of the next."""
        for parts in product(*map(self.values, nodes)):
            agreed = self.agreed([part.cases for part in parts])
            if agreed != _CLASH:
                union = reduce(_both, (part.union for part in parts))
                yield Value(union, agreed, any(part.strained for part in parts))

    def last_word(self, nodes: list[Node]) -> Iterable[Value]:
        """As a sequence; its last word bears the ending of the phrase."""
        for value in self.sequence(nodes):
            yield value if value.cases is not None else replace(value, cases=self.shape[_last_place(nodes[-1])].cases)

    def accompaniment(self, nodes: list[Node]) -> Iterable[Value]:
        """Words that stand together and are never negated."""
        yield Value((tuple(Unit(int(node)) for node in nodes if isinstance(node, str)),))

    def chooser(self, nodes: list[Node]) -> Iterable[Value]:
        """As above; a first word that bears an ending agrees with the noun."""
        cases: frozenset[str] | None = self.shape[_last_place(nodes[0])].cases
        if cases == frozenset({BARE}):
            cases = None
        yield from (replace(value, cases=cases) for value in self.accompaniment(nodes))

    def place(self, nodes: list[Node]) -> Iterable[Value]:
        """A place, with its article."""
        *articles, zone = [_last_place(node) for node in nodes]
        yield Value(((Unit(zone, with_it=tuple(articles)),),))

    def comparison(self, nodes: list[Node]) -> Iterable[Value]:
        """A number and what bounds it, with the quantity that stands last: one word."""
        *parts, quantity = [_last_place(node) for node in nodes]
        yield Value(((Unit(quantity, parts=tuple(parts)),),))

    def first(self, nodes: list[Node]) -> Iterable[Value]:
        """What stands first; the rest only shows what kind of phrase it is."""
        return self.values(nodes[0])

    def inside(self, nodes: list[Node]) -> Iterable[Value]:
        """What stands between brackets."""
        return self.values(nodes[1])

    def negation(self, nodes: list[Node]) -> Iterable[Value]:
        """Not the first, nor the second …: one word of every conjunction is missing."""
        for value in self.values(nodes[1]):
            ways = product(*([replace(u, negated=not u.negated) for u in conjunction] for conjunction in value.union))
            yield replace(value, union=_few(_distinct_units(way) for way in ways))

    def attribute_list(self, nodes: list[Node]) -> Iterable[Value]:
        """Any of the members; where they are joined by "and" or by commas alone, perhaps all at once."""
        members, joints = self.members(nodes)
        blocks = [members[:1]]
        for member, joint in zip(members[1:], joints, strict=True):
            if joint == "OR":
                blocks.append([member])
            else:
                blocks[-1].append(member)
        for parts in product(*(tuple(self.block(block)) for block in blocks)):
            yield Value(_few(conjunction for part in parts for conjunction in part.union))

    def block(self, members: list[Node]) -> Iterable[Value]:
        """Members not joined by "or": any of them, or all at once."""
        for parts in product(*map(self.values, members)):
            yield Value(_few(conjunction for part in parts for conjunction in part.union))
            if len(parts) > 1:
                yield Value(reduce(_both, (part.union for part in parts)))

    def noun_list(self, nodes: list[Node]) -> Iterable[Value]:
        """Any of the members. Their endings are the same, or all but the last have none."""
        members, _ = self.members(nodes)
        yield from self.any_of([self.values(member) for member in members])

    def inflected_noun_list(self, nodes: list[Node]) -> Iterable[Value]:
        """As above, of single words."""
        members, _ = self.members(nodes)
        yield from self.any_of([tuple(self.last_word([member])) for member in members])

    def led_list(self, nodes: list[Node]) -> Iterable[Value]:
        """As above; a member without determiners has those of the member before it."""
        members, _ = self.members(nodes)
        options: list[Values] = []
        lead: Node | None = None
        for member in members:
            own = _child(member, "lead")
            values = self.values(member)
            if own is not None:
                lead = own
            elif lead is not None:
                determiners = self.values(lead)[0].union
                values = tuple(replace(value, union=_both(determiners, value.union)) for value in values)
            options.append(values)
        yield from self.any_of(options)

    # --- helpers

    def any_of(self, options: list[Values]) -> Iterable[Value]:
        for parts in product(*options):
            agreed = self.agreed([part.cases for part in parts], report=False)
            strained = any(part.strained for part in parts)
            if agreed == _CLASH:
                if any(part.cases is None or BARE not in part.cases for part in parts[:-1]):
                    self.obstacle = "the members of a list must have the same ending, or only the last one any"
                    continue
                agreed, strained = parts[-1].cases, True
            yield Value(_few(c for part in parts for c in part.union), agreed, strained)

    def agreed(self, cases: list[frozenset[str] | None], *, report: bool = True) -> frozenset[str] | None:
        asked = [one for one in cases if one is not None]
        if not asked:
            return None
        common = frozenset.intersection(*asked)
        if common:
            return common
        if report:
            self.obstacle = "the endings of two words that belong together differ"
        return _CLASH

    def members(self, nodes: list[Node]) -> tuple[list[Node], list[str]]:
        """Return the members of a list and what joins each to the one before it.

        A comma that a later word is to close joins as that word does.
        """
        joints = [self.joint(node) for node in nodes[1::2]]
        for place in range(len(joints) - 2, -1, -1):
            if joints[place] == "COMMA":
                joints[place] = joints[place + 1]
        return nodes[::2], joints


_CLASH: frozenset[str] = frozenset()


def _children(node: Tree[Token]) -> list[Node]:
    return [child for child in node.children if child is not None]


def _child(node: Node, rule: str) -> Node | None:
    """Return the first child of that rule; the versions of an ambiguous node are alike in having one."""
    if isinstance(node, str):
        return None
    if node.data == "_ambig":
        return _child(_children(node)[0], rule)
    return next((child for child in _children(node) if not isinstance(child, str) and child.data == rule), None)


def _last_place(node: Node) -> int:
    while not isinstance(node, str):
        node = _children(node)[-1]
    return int(node)


def _both(left: tuple[Conjunction, ...], right: tuple[Conjunction, ...]) -> tuple[Conjunction, ...]:
    return _few(_distinct_units((*one, *other)) for one in left for other in right)


def _few(things: Iterable[_Thing]) -> tuple[_Thing, ...]:
    """Return the distinct `things` in order. Raises TooMany at the first one too many, before all are made."""
    found: dict[_Thing, None] = {}
    for count, thing in enumerate(things):
        found[thing] = None
        if len(found) > MOST_VALUES or count > 100 * MOST_VALUES:
            raise TooMany
    return tuple(found)


def _distinct_units(units: Iterable[Unit]) -> Conjunction:
    return tuple(sorted(dict.fromkeys(units)))
