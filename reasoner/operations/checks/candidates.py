"""Which rules disagree, and which could: two that conclude values of one property that can exclude each other.

Whether two rules ever do is a matter of search (reasoner/operations/checks/witness.py); what each of them cannot do
without tells where to look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import pyoxigraph as ox

from reasoner.engine.pattern import Path, Pattern, Signature, Variable, overlap
from reasoner.engine.precedence import Conflict, Exclusions, beats
from reasoner.engine.rule import Rule
from reasoner.knowledge.base import KnowledgeBase
from reasoner.terms.namespaces import TYPE, core

UNDECIDED, SPECIFICITY, EXCEPTION = "undecided", "specificity", "exception"
LATER_ISSUE, LATER_POINT, SOURCE_LANGUAGE = "later issue", "later point", "source language"
_IRI = re.compile(r"<[^>]*>")
_CARD_OF = (core("hasOwnCard"), core("takesPrintFrom"))
_CARDS_OF = frozenset(relation.value for relation in _CARD_OF)
# What a situation can state although rules conclude it too.
_STATED = frozenset({core("lacksStatus").value, core("hasController").value})


@dataclass(frozen=True)
class Disagreement:
    """Two rules whose conclusions exclude each other; where one prevails, it is the first, and `basis` says why."""

    basis: str
    rules: tuple[Rule, Rule]
    facts: tuple[ox.Triple, ox.Triple]

    @property
    def predicate(self) -> str:
        """The property of which the two rules give different values."""
        return self.facts[0].predicate.value

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes two disagreements the same one: the rules where nothing decides, else their clauses."""
        first, second = self.rules
        if self.basis == UNDECIDED:
            return self.basis, first.id, second.id, self.predicate
        return self.basis, first.header.clause, second.header.clause, self.predicate


def heard(conflict: Conflict) -> list[tuple[ox.Triple, Rule]]:
    """Return every conclusion of `conflict` with each rule that gives it, set aside or not."""
    standing = [(fact, one.rule) for fact, supports in conflict.supports.items() for one in supports]
    return standing + [(defeat.fact, defeat.loser.rule) for defeat in conflict.defeats]


def disagreements(conflict: Conflict, exclusions: Exclusions) -> Iterator[Disagreement]:
    """Yield every pair of rules of `conflict` that disagree, what is decided within one clause left out, if it is no
    matter of language.

    Two rules of which one prevails over the other are a pair even if a third sets the winner aside as well.
    """
    lost = {(defeat.fact, defeat.loser.rule) for defeat in conflict.defeats}
    for pair in combinations(heard(conflict), 2):
        if not exclusions.exclude(pair[0][0], pair[1][0]):
            continue
        one, other = sorted(pair, key=lambda side: (side[1].id, str(side[0])))
        for (fact, winner), (instead, loser) in ((one, other), (other, one)):
            basis = beats(winner, loser, exclusions.policies)
            if basis and (basis == SOURCE_LANGUAGE or winner.header.clause != loser.header.clause):
                yield Disagreement(basis, (winner, loser), (fact, instead))
            if basis:
                break
        else:
            if not lost & set(pair):
                yield Disagreement(UNDECIDED, (one[1], other[1]), (one[0], other[0]))


@dataclass(frozen=True)
class Pair:
    """Two rules that conclude values of `predicate` which can exclude each other."""

    rules: tuple[Rule, Rule]
    predicate: str

    def is_met_by(self, one: Disagreement) -> bool:
        """Return whether `one` is a disagreement of these two rules about this property."""
        return one.predicate == self.predicate and {rule.id for rule in one.rules} == {rule.id for rule in self.rules}


def candidate_pairs(base: KnowledgeBase) -> tuple[Pair, ...]:
    """Return the pairs of rules that could disagree, by ids; those decided within one clause are none."""
    exclusions = base.vocabulary.exclusions
    found: dict[Pair, None] = {}
    for one, other in combinations(base.programs.rules, 2):
        decided = beats(one, other, exclusions.policies) or beats(other, one, exclusions.policies)
        if decided and decided != SOURCE_LANGUAGE and one.header.clause == other.header.clause:
            continue
        for first in one.heads:
            for second in other.heads:
                if first.verb == second.verb and _can_exclude(first, second, exclusions):
                    found[Pair((one, other), first.verb.value)] = None  # type: ignore[union-attr]
    return tuple(found)


def _can_exclude(first: Pattern, second: Pattern, exclusions: Exclusions) -> bool:
    assert isinstance(first.verb, ox.NamedNode)
    if not exclusions.concerns(first.verb.value):
        return False
    if isinstance(first.object, Variable) or isinstance(second.object, Variable):
        return True
    subject = first.verb  # any IRI does: only the values are compared
    return exclusions.exclude(
        ox.Triple(subject, first.verb, first.object), ox.Triple(subject, first.verb, second.object)
    )


@dataclass(frozen=True)
class Wanted:
    """What rules ask of a situation or text, as signatures of facts.

    `needs` is what they cannot do without among what no rule concludes, being printed, stated or seen: of what may come
    about in several ways what all of these have in common. `uses` is all that could have a part, `heeds` that and what
    must not be there. Each group of `on_one_card` must be printed on one and the same card, for all the rules to speak
    of its object: by its own card, and by that whose print it has. `reach`: it matters to a rule what abilities reach,
    be it only to count it. `two`: a rule speaks of two referents.
    """

    needs: frozenset[Signature]
    uses: frozenset[Signature]
    heeds: frozenset[Signature]
    on_one_card: tuple[frozenset[Signature], ...]
    reach: bool
    two: bool


@dataclass(frozen=True)
class Demands:
    """Tells what rules ask for. `given` are the signatures of the vocabulary, which holds anyway.

    `of_referents` are the predicates that say something of a referent.
    """

    rules: tuple[Rule, ...]
    given: frozenset[Signature]
    of_referents: frozenset[str]

    def of(self, rules: Iterable[Rule], predicate: str = "") -> Wanted:
        """Return what all of `rules` together ask for; of use is also what lets readers of `predicate` show it."""
        together = tuple(rules)
        readers = (one for one in self.rules if any(read[0] == predicate for read in (*one.reads, *one.reads_complete)))
        needs = frozenset().union(*(self._needs(rule, frozenset()) for rule in together)) - self.given
        groups = (frozenset().union(*(_of_card(rule, relation) for rule in together)) for relation in _CARD_OF)
        reach = any(core("reaches").value == one for rule in together for one, _ in (*rule.reads, *rule.reads_complete))
        two = any(self._speaks_of_two(rule) for rule in together)
        regarded = (*together, *readers)
        uses, heeds = (frozenset(self._uses(regarded, all_of_it)) - self.given for all_of_it in (False, True))
        return Wanted(needs, uses, heeds, tuple(groups), reach, two)

    def _speaks_of_two(self, rule: Rule) -> bool:
        spoken = {one.subject for one in rule.required for read in one.signatures() if read[0] in self.of_referents}
        cards = {one.object for one in rule.required for read in one.signatures() if read[0] in _CARDS_OF}
        return len({one for one in spoken - cards if isinstance(one, Variable)}) > 1

    @cached_property
    def _writers(self) -> dict[str, list[tuple[Signature, Rule]]]:
        found: dict[str, list[tuple[Signature, Rule]]] = {}
        for rule in self.rules:
            for written in sorted(rule.writes, key=str):
                found.setdefault(written[0], []).append((written, rule))
        return found

    def _of(self, read: Signature) -> list[Rule]:
        return [rule for written, rule in self._writers.get(read[0], ()) if overlap(read, written)]

    def _needs(self, rule: Rule, above: frozenset[str]) -> frozenset[Signature]:
        found: frozenset[Signature] = frozenset()
        for pattern in rule.required:
            for read in pattern.signatures() if _needs_all(pattern) else ():
                found |= self._needs_read(read, above | {rule.id})
        return found

    def _needs_read(self, read: Signature, above: frozenset[str]) -> frozenset[Signature]:
        writers = self._of(read)
        if not writers:
            return frozenset({read})
        if read[0] == TYPE.value or read[0] in _STATED or (read[0], None) in self.given:
            return frozenset()
        ways = [self._needs(rule, above) for rule in writers if rule.id not in above]
        return frozenset.intersection(*ways) if ways else frozenset()

    def _uses(self, rules: Iterable[Rule], all_of_it: bool) -> set[Signature]:
        """Return what may have a part in what `rules` conclude; `all_of_it`: absences and classes too."""
        found: set[Signature] = set()
        waiting = list(rules)
        known = {rule.id for rule in waiting}
        while waiting:
            rule = waiting.pop()
            absent = rule.absent if all_of_it else ()
            for pattern in (*rule.required, *rule.either, *rule.optional, *rule.counted, *absent):
                for read in pattern.signatures():
                    writers = self._of(read) if all_of_it or read[0] != TYPE.value else []
                    found.add(read)
                    waiting += [one for one in writers if one.id not in known]
                    known |= {one.id for one in writers}
        return found


def _of_card(rule: Rule, relation: ox.NamedNode) -> frozenset[Signature]:
    subjects = {head.subject for head in rule.heads}
    cards = {one.object for one in rule.required if one.verb == relation and one.subject in subjects}
    return frozenset(one.signatures()[0] for one in rule.required if one.subject in cards)


def _needs_all(pattern: Pattern) -> bool:
    """Return whether a pattern needs a fact of each predicate in it: not a path that can be walked without."""
    if isinstance(pattern.verb, Path):
        return not set("*?|!") & set(_IRI.sub("", pattern.verb.text))
    return isinstance(pattern.verb, ox.NamedNode)


def signatures_of(triples: Iterable[ox.Triple]) -> frozenset[Signature]:
    """Return (predicate, None) and (predicate, object) of each triple, as a pattern with and without a constant has."""
    found: set[Signature] = set()
    for triple in triples:
        found.update(((triple.predicate.value, None), (triple.predicate.value, str(triple.object))))
    return frozenset(found)
