"""The rules of a game as two programs: state rules (what objects are) and reference rules (what mentions mean)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from reasoner.engine.pattern import Path as PropertyPath
from reasoner.engine.pattern import Pattern
from reasoner.engine.precedence import Exclusions
from reasoner.engine.program import Program
from reasoner.engine.rule import Rule
from reasoner.engine.strata import Component
from reasoner.errors import CardloreError, Place, RuleError, close_to, raise_all
from reasoner.knowledge.starting import APPLIED, check_starting, starts, with_starting_values
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.paths import files_in
from reasoner.terms.namespaces import DCT, DOMAIN, TYPE, core

_LANGUAGE = ox.NamedNode(DCT + "language")
# What begins an effect in a game with layers.
BEGUN = frozenset(core(name).value for name in ("carriesOut", "copiesReferent", "setsCardType"))
# What abilities reach is told by texts, which no rule can read: see reasoner.situation.scopes.
REACHED = frozenset({core("reaches").value, core("isAbility").value})
SEATED = frozenset(core(name).value for name in ("fillsSeat", "isSeatFor", "hasOtherAssignment"))
# See reasoner.situation.inplay; what effects that have begun reach is told with it.
IN_PLAY = frozenset(
    core(name).value for name in ("isAbility", "isAbilityOn", "isAbilityFor", "meetsCondition", "findsEntry", "reaches")
)
_ABOUT_MENTIONS = frozenset({core("Mention").value, core("Word").value})


@dataclass(frozen=True)
class Programs:
    """The rules in force, split by what they conclude; `heeded` are the predicates that rules of any edition read,
    and (in angle brackets) the classes that they ask for."""

    state: Program
    reference: Program
    heeded: frozenset[str]

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(sorted((*self.state.rules, *self.reference.rules), key=lambda rule: rule.id))

    def to_json(self) -> dict[str, Any]:
        """Return both programs as plain data."""
        return {
            "state": _program_json(self.state),
            "reference": _program_json(self.reference),
            "informed": [sorted(predicates) for predicates in self.state.informed],
            "exclusions": _exclusions_json(self.state.exclusions),
            "heeded": sorted(self.heeded),
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> Programs:
        """Return the programs that `to_json` wrote."""
        raw = data["exclusions"]
        exclusions = Exclusions(
            frozenset(raw["functional"]),
            frozenset(raw["classifying"]),
            frozenset(frozenset(pair) for pair in raw["disjoint"]),
            frozenset(raw["policies"]),
        )
        informed = tuple(frozenset(predicates) for predicates in data["informed"])
        state, reference = _program(data["state"], exclusions, informed), _program(data["reference"], exclusions)
        return Programs(state, reference, frozenset(data["heeded"]))


def read_rules(folders: Sequence[Path], root: Path) -> list[Rule]:
    """Return the rules of all `*.rq` files in `folders`, in the order of their paths below `root`.

    Raises:
        RuleError: see reasoner.engine.rulefile; all faults are reported together.
    """
    from reasoner.engine.rulefile import read_rule  # what reads files is not needed where all comes from the cache

    rules, errors = [], []
    for path in sorted(path for folder in folders for path in files_in(folder, ".rq", deep=False)):
        try:
            rules.append(read_rule(path, path.relative_to(root).as_posix()))
        except CardloreError as error:
            errors.append(error)
    raise_all(errors)
    return rules


def make_programs(
    rules: Sequence[Rule], vocabulary: Vocabulary, root: Path, as_of: str | None, language: str | None = None
) -> Programs:
    """Return the programs of the rules in force on `as_of` (an ISO date, possibly shortened; None: all).

    Of texts that differ by language only the wording in `language` counts, if one is given.

    Raises:
        RuleError: R104, R108, R109, R111 on the set; R105 an unknown term; R107 no order; R114 a rule about
            objects that reads what mentions mean, R115 one that concludes a starting value from final ones.
    """
    from reasoner.engine.rulefile import check_rules
    from reasoner.engine.strata import stratify

    sources = [vocabulary.prefixes.shorten(iri.value) for iri in vocabulary.instances(core("Source"))]
    check_rules(rules, sources, root)
    raise_all([error for rule in rules for error in _unknown_terms(rule, vocabulary, root)])
    rules = [_with_origin(rule, vocabulary) for rule in rules]
    chosen = [rule for rule in rules if in_force_on(rule, as_of) and is_worded_in(rule, language)]
    in_force = with_starting_values(chosen, vocabulary)
    about = [rule for rule in in_force if _is_about_mentions(rule, vocabulary)]
    state = [rule for rule in in_force if rule not in about]
    concluded = {predicate for rule in about for predicate, _ in rule.writes}
    for rule in state:
        read = {predicate for predicate, _ in (*rule.reads, *rule.reads_complete)} & concluded
        if read:
            names = [vocabulary.prefixes.shorten(predicate) for predicate in read]
            raise RuleError(
                "R114",
                f"'{rule.id}' concludes something about objects from what a mention means ({', '.join(sorted(names))})",
                place=Place(root / rule.path, 1),
                hint="what an object is may not depend on what a text means; conclude something about the mention",
            )
    exclusions = vocabulary.exclusions
    programs = Programs(
        Program(stratify(state, exclusions.concerns, root), exclusions, _informed(vocabulary)),
        Program(stratify(about, exclusions.concerns, root), exclusions),
        frozenset(_heeded(rules)) | (BEGUN if starts(vocabulary) else frozenset()),
    )
    check_starting(programs.state, vocabulary, root)
    return programs


def _informed(vocabulary: Vocabulary) -> tuple[frozenset[str], ...]:
    """Return what informants supply: what effects make of objects, what abilities reach, how many seats can be filled,
    and what texts ask of abilities in play; each in games that have such things."""
    found = starts(vocabulary)
    informed = [frozenset({APPLIED.value, *found}), REACHED] if found else [REACHED]
    given = {
        characteristic.value
        for quantity, _ in vocabulary.pairs(core("hasCandidates"))
        for characteristic in vocabulary.objects(quantity, core("isGivenBy"))
        if isinstance(characteristic, ox.NamedNode)
    }
    if given:
        informed.append(frozenset(given) | SEATED)
    if vocabulary.instances(core("Step")):
        informed.append(IN_PLAY)
    return tuple(informed)


def _heeded(rules: Sequence[Rule]) -> Iterator[str]:
    for rule in rules:
        for predicate, value in (*rule.reads, *rule.reads_complete):
            yield predicate
            if predicate == TYPE.value and value is not None:
                yield value


def in_force_on(rule: Rule, as_of: str | None) -> bool:
    """Return whether `rule` had been issued by `as_of`; a date shortened to a month or year means its end."""
    edition = rule.header.edition
    return as_of is None or edition == "undated" or edition[: len(as_of)] <= as_of


def is_worded_in(rule: Rule, language: str | None) -> bool:
    """Return whether `rule` is a wording in `language`, or one of which no language is told."""
    return language is None or rule.header.language in ("", language)


def _with_origin(rule: Rule, vocabulary: Vocabulary) -> Rule:
    """Return `rule` with the note whether its wording is in the language in which its source was written."""
    if not rule.header.language:
        return rule
    source = vocabulary.prefixes.expand(rule.header.source)
    written = [getattr(one, "value", "") for one in vocabulary.objects(ox.NamedNode(source), _LANGUAGE)]
    return replace(rule, header=replace(rule.header, original=rule.header.language in written))


def _is_about_mentions(rule: Rule, vocabulary: Vocabulary) -> bool:
    for predicate, _ in rule.writes:
        node = ox.NamedNode(predicate)
        if any(vocabulary.first(node, core(name)) is not None for name in ("tests", "testsAbsenceOf", "alsoTests")):
            return True
        if any(getattr(domain, "value", "") in _ABOUT_MENTIONS for domain in vocabulary.objects(node, DOMAIN)):
            return True
    return False


def _unknown_terms(rule: Rule, vocabulary: Vocabulary, root: Path) -> list[CardloreError]:
    errors: list[CardloreError] = []
    for iri in dict.fromkeys(iri for pattern in rule.patterns for iri in _iris(pattern)):
        if not vocabulary.is_declared(iri):
            name = vocabulary.prefixes.shorten(iri)
            line = rule.lines.get(name, rule.lines.get(f"<{iri}>", 1))
            errors.append(
                RuleError(
                    "R105",
                    f"unknown term '{name}'",
                    place=Place(root / rule.path, line),
                    suggestions=close_to(name, vocabulary.declared()),
                )
            )
    return errors


def _iris(pattern: Pattern) -> list[str]:
    found = [slot.value for slot in (pattern.subject, pattern.object) if isinstance(slot, ox.NamedNode)]
    if isinstance(pattern.verb, ox.NamedNode):
        found.append(pattern.verb.value)
    elif isinstance(pattern.verb, PropertyPath):
        found.extend(pattern.verb.predicates)
    return found


def _program_json(program: Program) -> list[dict[str, Any]]:
    return [
        {
            "rules": [rule.to_json() for rule in component.rules],
            "recursive": component.recursive,
            "stratum": component.stratum,
        }
        for component in program.components
    ]


def _program(data: list[dict[str, Any]], exclusions: Exclusions, informed: tuple[frozenset[str], ...] = ()) -> Program:
    return Program(
        tuple(
            Component(tuple(Rule.from_json(rule) for rule in part["rules"]), part["recursive"], part["stratum"])
            for part in data
        ),
        exclusions,
        informed,
    )


def _exclusions_json(exclusions: Exclusions) -> dict[str, Any]:
    return {
        "functional": sorted(exclusions.functional),
        "classifying": sorted(exclusions.classifying),
        "disjoint": sorted(sorted(pair) for pair in exclusions.disjoint),
        "policies": sorted(exclusions.policies),
    }
