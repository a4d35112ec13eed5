"""From a reading to selectors: the reference rules run over the mention, and their conclusions become atoms.

Which conclusions count, and what they test, is said by the ontology: a property with core:tests asks that the
referent has a characteristic, one with core:testsAbsenceOf that it lacks it. The quantity that a word means is what
the text asks for, or, on a word that compares it with a number, a condition on the characteristic that gives it.
A word that no rule reads is an error: a reference with a dropped word would match too much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pyoxigraph as ox

from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import Branch, discard, infer
from reasoner.engine.memo import Contents, Memo
from reasoner.engine.pattern import Signature
from reasoner.engine.precedence import Conflict
from reasoner.engine.rule import Rule
from reasoner.errors import TextError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.language.mention import Reading, Word
from reasoner.reference.mentiongraph import Context, MentionGraph, describe
from reasoner.reference.rewording import READS, reworded, words_of
from reasoner.reference.selector import Atom, Compare, Has, Selector, all_of, any_of, negate
from reasoner.terms.lookup import values
from reasoner.terms.namespaces import BASE, core

SCRATCH = ox.NamedNode(BASE + "graph/scratch/mention")
MOST_AT_ONCE = 256
_CONCLUSIONS = ox.NamedNode(BASE + "graph/scratch/mention/conclusions")


@dataclass(frozen=True)
class Alternative:
    """What one mention of a reading selects, and the rules that said so."""

    selector: Selector
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Interpretation:
    """One meaning of a reading: its selector, the branch it was derived in, and the conclusion behind each atom.

    `quantities` are the numbers that the text asks for, with the conclusion behind each.
    """

    selector: Selector
    branch: Branch
    grounds: tuple[tuple[Atom, ox.Triple], ...]
    alternatives: tuple[Alternative, ...]
    quantities: tuple[tuple[ox.NamedNode, ox.Triple], ...] = ()

    @property
    def meaning(self) -> tuple[Selector, tuple[ox.NamedNode, ...]]:
        """What two interpretations differ in: whom the text selects, and which numbers it asks for."""
        return self.selector, tuple(quantity for quantity, _ in self.quantities)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule that had a part in the meaning, in the order of first use."""
        return tuple(dict.fromkeys(rule for one in self.alternatives for rule in one.rules))


@dataclass(frozen=True)
class Reference:
    """A reading with its interpretations: one, or several where rules disagree and nothing decides."""

    reading: Reading
    graph: MentionGraph
    context: Context
    interpretations: tuple[Interpretation, ...]
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True)
class Surroundings:
    """The store and graphs in which a text is read: the pool, or a moment of a situation.

    `memo` is of texts before, or has looked up already what is there; `more` are facts that hold for one text alone.
    """

    store: ox.Store
    graphs: tuple[ox.NamedNode, ...]
    present: frozenset[Signature]
    memo: Memo | Contents | None = None
    more: tuple[ox.Triple, ...] = ()

    @cached_property
    def known(self) -> Contents | None:
        """What is there, looked up once for all the texts that are read here; None without a memo."""
        memo = self.memo
        if isinstance(memo, Contents) and memo.covers(self.graphs):
            return memo
        return memo.contents(self.store, self.graphs) if memo else None

    def holds(self, fact: ox.Triple) -> bool:
        """Return whether a fact is there."""
        return fact in self.more or any(
            ox.Quad(fact.subject, fact.predicate, fact.object, name) in self.store for name in self.graphs
        )


def pool_surroundings(base: KnowledgeBase) -> Surroundings:
    """Return a store of one's own with everything the pool gives: reading a text never writes to the base."""
    store = ox.Store()
    names = (*base.base, *base.pool_graphs)
    store.extend(quad for name in names for quad in base.store.quads_for_pattern(None, None, None, name))
    derived = signatures(quad for name in base.pool_graphs for quad in store.quads_for_pattern(None, None, None, name))
    return Surroundings(store, names, base.present | derived, Memo(frozenset(names)))


def interpret(reading: Reading, context: Context, base: KnowledgeBase, around: Surroundings) -> Reference:
    """Return what `reading` means in `context`.

    Raises:
        TextError: T110 if no rule reads one of the words.
    """
    known, program = around.known, base.programs.reference
    described = describe(reworded(reading, _words(context, around)), context, base.iri)
    if known is None or program.keys is None:
        return _interpreted(reading, described, context, base, around)
    read = known.near(program.keys, program.approaches, (*described.triples, *around.more))
    # Editions of a game share a memo: their rules and words differ. What is kept keeps them alive, and so their ids.
    key = (id(program), id(base.vocabulary), reading, context, read)
    if key not in known.memo.others:
        known.memo.keep(key, (program, base.vocabulary, _interpreted(reading, described, context, base, around)))
    return known.memo.others[key][2]  # type: ignore[index, no-any-return]


def _interpreted(
    reading: Reading, described: MentionGraph, context: Context, base: KnowledgeBase, around: Surroundings
) -> Reference:
    store, triples = around.store, (*described.triples, *around.more)
    store.extend(ox.Quad(t.subject, t.predicate, t.object, SCRATCH) for t in triples)
    try:
        inference = infer(
            store,
            [*around.graphs, SCRATCH],
            around.present | signatures(triples),
            base.programs.reference,
            _CONCLUSIONS,
            memo=around.known,
        )
        found = [_interpretation(described, branch, base, _by_subject(branch)) for branch in inference.branches]
    finally:
        discard(store, SCRATCH)
    unique = {one.meaning: one for one in reversed(found)}
    interpretations = tuple(one for one in found if unique[one.meaning] is one)
    return Reference(reading, described, context, interpretations, inference.conflicts)


def interpret_all(
    readings: Sequence[Reading], context: Context, base: KnowledgeBase, around: Surroundings
) -> tuple[Reference | TextError, ...]:
    """Return what each of `readings` means in `context`, or the T110 that `interpret` would raise for it.

    Mentions have nothing to do with each other, so the rules run once over many of them, which takes far less time than
    once for each. Where rules disagree about any, those are read one by one.
    """
    found: list[Reference | TextError] = []
    for start in range(0, len(readings), MOST_AT_ONCE):
        found += _interpret_together(readings[start : start + MOST_AT_ONCE], context, base, around)
    return tuple(found)


def _interpret_together(
    readings: Sequence[Reading], context: Context, base: KnowledgeBase, around: Surroundings
) -> list[Reference | TextError]:
    described: list[MentionGraph] = []
    number, words = 1, _words(context, around)
    for reading in readings:
        described.append(describe(reworded(reading, words), context, base.iri, number))
        number += len(reading.alternatives)
    triples = [triple for one in described for triple in one.triples]
    try:
        around.store.extend(ox.Quad(t.subject, t.predicate, t.object, SCRATCH) for t in triples)
        graphs, present = [*around.graphs, SCRATCH], around.present | signatures(triples)
        inference = infer(around.store, graphs, present, base.programs.reference, _CONCLUSIONS)
    finally:
        discard(around.store, SCRATCH)
    if len(inference.branches) > 1 or inference.conflicts:
        return [_alone(reading, context, base, around) for reading in readings]
    (branch,) = inference.branches
    facts = _by_subject(branch)
    found: list[Reference | TextError] = []
    for reading, one in zip(readings, described, strict=True):
        try:
            found.append(Reference(reading, one, context, (_interpretation(one, branch, base, facts),), ()))
        except TextError as error:
            found.append(error)
    return found


def _alone(reading: Reading, context: Context, base: KnowledgeBase, around: Surroundings) -> Reference | TextError:
    try:
        return interpret(reading, context, base, around)
    except TextError as error:
        return error


def _words(context: Context, around: Surroundings) -> dict[ox.NamedNode, ox.NamedNode]:
    """Return which words of a text stand for others, because of what has happened to its bearer."""
    if context.bearer is None:
        return {}
    more = (fact.object for fact in around.more if (fact.subject, fact.predicate) == (context.bearer, READS))
    stated = (one for name in around.graphs for one in values(around.store, context.bearer, READS, name))
    return words_of(one for one in (*more, *stated) if isinstance(one, ox.NamedNode | ox.Literal))


def _by_subject(branch: Branch) -> dict[ox.NamedNode, list[ox.Triple]]:
    by_subject: dict[ox.NamedNode, list[ox.Triple]] = {}
    for fact in branch.supports:
        if isinstance(fact.subject, ox.NamedNode):
            by_subject.setdefault(fact.subject, []).append(fact)
    return by_subject


def _interpretation(
    described: MentionGraph, branch: Branch, base: KnowledgeBase, by_subject: dict[ox.NamedNode, list[ox.Triple]]
) -> Interpretation:
    alternatives = []
    has_antecedent = any(fact.predicate == core("hasAntecedent") for fact in described.triples)
    grounds: list[tuple[Atom, ox.Triple]] = []
    quantities: dict[ox.NamedNode, ox.Triple] = {}
    for node, _, words in described.mentions:
        parts = [_selected(by_subject.get(node, []), base, grounds)]
        for word_node, word in words:
            facts = by_subject.get(word_node, [])
            if not any(fact.predicate == core("isReadAs") for fact in facts):
                raise _unread(word, base, has_antecedent)
            meant = [(fact, q) for fact in facts if (q := _quantity(fact)) is not None]
            if word.comparison is not None and word.number is None:
                own = _selected(facts, base, grounds)  # it compares with a number that is told elsewhere
            elif word.comparison is None:
                quantities.update((quantity, fact) for fact, quantity in meant)
                own = _selected(facts, base, grounds)
            else:
                compared = _compared(word, meant, base)
                grounds += compared
                own = all_of([_selected(facts, base, grounds), *(atom for atom, _ in compared)])
            parts.append(negate(own) if word.negated else own)
        facts = [fact for place in (node, *(word_node for word_node, _ in words)) for fact in by_subject.get(place, [])]
        rules = dict.fromkeys(branch.supports[fact].rule for fact in facts)
        alternatives.append(Alternative(all_of(parts), tuple(rules)))
    selector = any_of(one.selector for one in alternatives)
    return Interpretation(selector, branch, tuple(grounds), tuple(alternatives), tuple(quantities.items()))


def _quantity(fact: ox.Triple) -> ox.NamedNode | None:
    """Return the quantity that a conclusion says a word means, if it says so."""
    is_one = fact.predicate == core("meansQuantity") and isinstance(fact.object, ox.NamedNode)
    return fact.object if is_one else None  # type: ignore[return-value]


def _compared(
    word: Word, meant: Sequence[tuple[ox.Triple, ox.NamedNode]], base: KnowledgeBase
) -> list[tuple[Atom, ox.Triple]]:
    """Return the comparison that `word` makes, once for each conclusion what quantity it means, with the conclusion.

    Raises:
        TextError: T110 if no rule says which characteristic is compared.
    """
    found: list[tuple[Atom, ox.Triple]] = []
    for fact, quantity in meant:
        given = base.vocabulary.first(quantity, core("isGivenBy"))
        if isinstance(given, ox.NamedNode) and word.comparison is not None and word.number is not None:
            found.append((Compare(given.value, word.comparison, word.number), fact))
    if not found:
        raise _unread(word, base, has_antecedent=True)
    return found


def _reads_antecedents(base: KnowledgeBase) -> bool:
    """Return whether a rule of the game says what a word means by what the text spoke of before."""
    read = {predicate for rule in base.programs.reference.rules for predicate, _ in rule.reads}
    return core("hasAntecedent").value in read


def _selected(facts: Sequence[ox.Triple], base: KnowledgeBase, grounds: list[tuple[Atom, ox.Triple]]) -> Selector:
    """Return what the conclusions about one word or mention select together."""
    wanted: list[Selector] = []
    instead: list[Selector] = []
    for fact in facts:
        found = tested_by(fact.predicate, base)
        if found is not None and isinstance(fact.object, ox.NamedNode | ox.Literal):
            annotation, tested = found
            atom = Has(tested, fact.object)
            grounds.append((atom, fact))
            if annotation == "alsoTests":
                instead.append(atom)
            else:
                wanted.append(negate(atom) if annotation == "testsAbsenceOf" else atom)
    return any_of([all_of(wanted), *instead]) if instead else all_of(wanted)


def tested_by(predicate: ox.NamedNode, base: KnowledgeBase) -> tuple[str, str] | None:
    """Return how a conclusion tests (tests, testsAbsenceOf, alsoTests) and which characteristic; None: no condition."""
    for annotation in ("tests", "testsAbsenceOf", "alsoTests"):
        value = base.vocabulary.first(predicate, core(annotation))
        if isinstance(value, ox.NamedNode):
            return annotation, value.value
    return None


def _unread(word: Word, base: KnowledgeBase, has_antecedent: bool) -> TextError:
    if not has_antecedent and core("SameWord").value in word.can_denote and _reads_antecedents(base):
        return TextError(
            "T110",
            f"'{word.spelling}' points back at an object, and nothing says at which (letter {word.start + 1})",
            hint="name it: --antecedent OBJECT of a --situation, in a case  antecedent: OBJECT",
        )
    labels = sorted(
        {
            name
            for iri in word.can_denote
            for tongue in base.tongues
            for name in base.vocabulary.names(ox.NamedNode(iri)).get(tongue.language.code, ())
        }
    )
    return TextError(
        "T110",
        f"no rule of the game says what '{word.spelling}' means written so (letter {word.start + 1})",
        suggestions=[label for label in labels if label != word.spelling],
        hint="upper and lower case carry meaning; see cardlore explain, or the rules under data/",
    )
