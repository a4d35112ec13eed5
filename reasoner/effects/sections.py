"""Sections of the rules as headers: under which rule a proof shows what the order of effects concludes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import pyoxigraph as ox

from reasoner.effects.declared import Layer, declared
from reasoner.engine.pattern import Pattern, Term, Variable
from reasoner.engine.rule import Header, Rule
from reasoner.knowledge.base import KnowledgeBase
from reasoner.terms.namespaces import DCT, core

MOST_PREMISES = 48
_PREMISES = tuple(
    Pattern(Variable(f"s{number}"), Variable(f"p{number}"), Variable(f"o{number}")) for number in range(MOST_PREMISES)
)


class Resting(Mapping[str, Term]):
    """What a fact rests on as the solution of `rule_of`; made without writing it all out, as few are looked at."""

    __slots__ = ("_premises",)

    def __init__(self, premises: Sequence[ox.Triple]) -> None:
        self._premises = premises[:MOST_PREMISES]

    def __getitem__(self, name: str) -> Term:
        slot, number = name[:1], name[1:]
        if not number.isdecimal() or int(number) >= len(self._premises):
            raise KeyError(name)
        premise = self._premises[int(number)]
        return {"s": premise.subject, "p": premise.predicate, "o": premise.object}[slot]  # type: ignore[return-value]

    def __iter__(self) -> Iterator[str]:
        return (f"{slot}{number}" for number in range(len(self._premises)) for slot in "spo")

    def __len__(self) -> int:
        return 3 * len(self._premises)


def own_header(identifier: str, title: str) -> Header:
    """Return the header of what no section of a rulebook says."""
    return Header(identifier, title, "core:DesignPrinciples", "effects", "undated")


# Not rule files, since no query can follow the order of effects; proofs show them as rules, with what they rest on.
START = own_header("core:starting-value", "A value with which a referent starts stays")
REACH = own_header("core:effect", "An effect changes what it applies to")
WAITS = own_header("core:dependency", "An effect waits for what would change it")


@lru_cache(maxsize=256)
def rule_of(header: Header) -> Rule:
    """Return the rule under which a proof shows what effects conclude."""
    return Rule(header, "reasoner/effects/facts.py", "", (), (), optional=_PREMISES)


def layer_header(layer: Layer, base: KnowledgeBase) -> Header:
    """Return the section of the rules that describes a layer, as the header of a rule."""
    return section_header(layer.section, base, base.vocabulary.label(layer.iri, "en")) or replace(
        REACH, id="core:layer"
    )


def policy_header(policy: str, base: KnowledgeBase) -> Header | None:
    """Return the section of the rules in which the game states a policy of the order, as the header of a rule."""
    vocabulary = base.vocabulary
    for section in vocabulary.subjects(core("states"), core(policy)):
        return section_header(section, base, vocabulary.label(core(policy), "en"))
    return None


def section_header(section: ox.NamedNode | None, base: KnowledgeBase, title: str) -> Header | None:
    """Return a section of the rules as the header of a rule; its edition is its own, or else the newest."""
    vocabulary = base.vocabulary
    if section is None:
        return None
    number = vocabulary.first(section, ox.NamedNode(DCT + "identifier"))
    source = vocabulary.first(section, ox.NamedNode(DCT + "isPartOf"))
    if not isinstance(number, ox.Literal) or not isinstance(source, ox.NamedNode):
        return None
    issued = ox.NamedNode(DCT + "issued")
    own = vocabulary.first(section, issued)
    dates = [
        value.value
        for edition in vocabulary.subjects(core("isEditionOf"), source)
        for value in vocabulary.objects(edition, issued)
        if isinstance(value, ox.Literal)
    ]
    edition = own.value if isinstance(own, ox.Literal) else max(dates, default="undated")
    return Header(
        f"{base.game}:{number.value}", title, vocabulary.prefixes.shorten(source.value), number.value, edition
    )


def effect_rules(base: KnowledgeBase) -> frozenset[str]:
    """Return the ids under which the layers and policies of the order appear in proofs, so that cases can cite them."""
    game = declared(base.vocabulary)
    if game is None:
        return frozenset()
    headers = [section_header(layer.section, base, "") for layer in game.layers]
    headers += [policy_header(policy, base) for policy in game.policies]
    return frozenset(header.id for header in headers if header)
