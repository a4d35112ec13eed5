"""Games with layers: what rules conclude of a characteristic that effects can change is the value with which it starts.

The final value is another fact: what effects make of it (reasoner.effects), or the starting value where no effect is
applied to the referent. So a rule is written in the same way whether a game has layers or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox

from reasoner.engine.pattern import Pattern, Variable
from reasoner.engine.program import Program
from reasoner.engine.rule import Header, Rule
from reasoner.errors import Place, RuleError, raise_all
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.terms.namespaces import core

APPLIED = core("isAppliedTo")
_STAYING = "core:starting-value."
_OWN = core("hasOwnCard")
_REFERENT, _VALUE, _CARD, _EFFECT = (Variable(name) for name in ("referent", "value", "card", "effect"))


def starts(vocabulary: Vocabulary) -> dict[str, ox.NamedNode]:
    """Return the property of starting values for each characteristic that effects can change; none without layers."""
    if not vocabulary.instances(core("Layer")):
        return {}
    return {iri.value: start for iri, start in vocabulary.pairs(core("startsFrom")) if isinstance(start, ox.NamedNode)}


def with_starting_values(rules: Sequence[Rule], vocabulary: Vocabulary) -> list[Rule]:
    """Return `rules` as a game with layers takes them, and those by which what nothing changes stays as it starts."""
    found = starts(vocabulary)
    return [_starting(rule, found) for rule in rules] + [_staying(one, start) for one, start in found.items()]


def as_starting(fact: ox.Triple, found: dict[str, ox.NamedNode]) -> ox.Triple:
    """Return what is given of a characteristic that effects can change as a starting value, all else as it is."""
    start = found.get(fact.predicate.value)
    return fact if start is None else ox.Triple(fact.subject, start, fact.object)


def staying_rules(program: Program) -> Mapping[str, Rule]:
    """Return the rules by which what nothing changes stays as it starts, by characteristic."""
    return {
        head.verb.value: rule
        for rule in program.rules
        if rule.id.startswith(_STAYING)
        for head in rule.heads
        if isinstance(head.verb, ox.NamedNode)
    }


def check_starting(program: Program, vocabulary: Vocabulary, root: Path) -> None:
    """See that no starting value rests on what effects have made of others.

    Raises:
        RuleError: R115 one does.
    """
    found = {start.value for start in starts(vocabulary).values()}
    raise_all(
        [
            RuleError(
                "R115",
                f"'{rule.id}' concludes from what effects have made of a referent what it starts with",
                place=Place(root / rule.path, 1),
                hint="let it read the print, or conclude something that effects do not change",
            )
            for rule in program.rules
            if program.waiting.get(rule.id) and any(predicate in found for predicate, _ in rule.writes)
        ]
    )


def _starting(rule: Rule, found: dict[str, ox.NamedNode]) -> Rule:
    heads = tuple(
        replace(head, verb=found[head.verb.value])
        if isinstance(head.verb, ox.NamedNode) and head.verb.value in found
        else head
        for head in rule.heads
    )
    return rule if heads == rule.heads else replace(rule, heads=heads)


def _staying(characteristic: str, start: ox.NamedNode) -> Rule:
    name = characteristic.rsplit("/", 1)[1]
    header = Header(
        f"{_STAYING}{name}",
        "What no effect changes stays as it starts",
        "core:DesignPrinciples",
        "effects",
        "undated",
    )
    return Rule(
        header,
        "reasoner/knowledge/starting.py",
        f"SELECT ?referent ?value ?card WHERE {{ ?referent {_OWN} ?card ; {start} ?value . "
        f"FILTER NOT EXISTS {{ ?effect {APPLIED} ?referent }} }}",
        (Pattern(_REFERENT, ox.NamedNode(characteristic), _VALUE),),
        (Pattern(_REFERENT, _OWN, _CARD), Pattern(_REFERENT, start, _VALUE)),
        absent=(Pattern(_EFFECT, APPLIED, _REFERENT),),
    )
