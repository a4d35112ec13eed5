"""Rules and rulings: cases that fail, rules that no case fires, and conclusions that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from reasoner.engine.pattern import Signature, overlap
from reasoner.engine.rule import Rule
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.operations.cases import cited
from reasoner.operations.checks.findings import ERROR, WARNING, Finding, from_error
from reasoner.operations.checks.subject import Subject
from reasoner.owl.names import ANNOTATION_PROPERTY
from reasoner.terms.namespaces import TYPE, core

# What programs, not rules, read of the conclusions: whether a word was understood, when a referent counts, what ends.
_READ_BY_PROGRAMS = (
    *("isReadAs", "isMetOnlyWhen", "endsIdentityOf", "putsFaceUp", "leavesAsIs"),
    *(
        "endsEffect",
        "takesAway",
        "hasNoEffect",
        "triggers",
        "isInState",
        "meetsCondition",
        "isOver",
        "hasRole",
        "readsWordAs",
    ),
)
# Annotations whose values programs read (what selectors test, what denies, what a printed characteristic becomes), and
# those whose subjects they read: conclusions about selectors, and what cases can ask for by a name of its own.
_VALUE_READ = ("tests", "testsAbsenceOf", "alsoTests", "isDeniedBy", "becomes")
_SUBJECT_READ = ("tests", "testsAbsenceOf", "alsoTests", "caseField")


def failing_cases(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong with cases: files that can't be read, steps that can't be played, answers that differ."""
    for unreadable in subject.case_errors:
        yield from from_error(unreadable)
    for result in subject.cases:
        if result.error is not None:
            yield from from_error(result.error)
        for one in result.differences:
            answers = f"expected {one.expected}, found {one.found}"
            yield Finding(
                ERROR,
                "K501",
                f"the case “{result.case.title}” fails: {one.question}, {one.subject}: {answers}",
                one.place,
                "see why with cardlore explain; then mend the rule, the data or the case",
            )


def unfired_rules(subject: Subject) -> Iterator[Finding]:
    """Yield the game's rules that have no part in any answer of any case; rules all games share need no use in each."""
    rules = subject.base.programs.rules
    if not subject.cases:
        if not subject.case_errors:
            place = subject.place(subject.base.iri.value)
            hint = "write the first ruling in the folder cases/ of the game"
            yield Finding(WARNING, "K503", "the game has no cases, so none of its rules is tried out", place, hint)
        return
    concerned = [rule for rule in rules if not rule.id.startswith("core:") and _concerns(rule, subject)]
    unproved = _behind_no_answer(subject, {rule.id for rule in concerned})
    fired = {name for result in subject.cases for name in result.fired}
    for rule in concerned:
        if rule.id in unproved:
            does = "no answer of a case rests on" if rule.id in fired else "no case fires"
            yield Finding(
                WARNING,
                "K502",
                f"{does} {rule.id}: {rule.header.title}",
                subject.rule_place(rule),
                "write a case whose answer depends on it, or remove the rule",
            )


def _behind_no_answer(subject: Subject, rules: set[str]) -> set[str]:
    """Return which of `rules` are behind no answer of any case, by the proofs and explanations of the answers.

    What a case cites was found behind its answers when it was run. What is left is looked for in the proofs of what is
    so, then in the explanations of what is not, which take longer; no further than until all is found.
    """
    left = set(rules)
    for result in subject.cases:
        left -= result.decisive
        left -= {name for conflict, _ in result.conflicts for name in conflict.rules}
        if result.error is None:
            for cite in result.case.cites:
                covered = cited(cite, rules)
                left -= covered if len(covered) == 1 else set()
    # The cases in which most of what is left fired come first.
    ordered = sorted(subject.cases, key=lambda result: -len(result.fired & left))
    for result in ordered:
        if left & result.fired:
            for behind in result.behind:
                for found in behind.given():
                    left -= found
    for result in ordered:
        for behind in result.behind:
            for found in behind.lacking() if left else ():
                left -= found
    return left


def _concerns(rule: Rule, subject: Subject) -> bool:
    """Return whether `rule` can fire in this game: not if it needs an annotation that none of the game's terms has."""
    annotations = set(subject.base.vocabulary.subjects(TYPE, ANNOTATION_PROPERTY))
    needed = [pattern.verb for pattern in rule.required if pattern.verb in annotations]
    return all((verb.value, None) in subject.base.present for verb in needed if isinstance(verb, ox.NamedNode))


def unread_rules(subject: Subject) -> Iterator[Finding]:
    """Yield the rules whose conclusions no rule reads, no selector tests and no program asks for."""
    rules = subject.base.programs.rules
    known = _read_otherwise(subject.base.vocabulary)
    exclusive = subject.base.vocabulary.exclusions.concerns
    for rule in rules:
        # A value that sets other values of its property aside matters wherever one of those is read.
        heads = [(predicate, None if exclusive(predicate) else value) for predicate, value in rule.writes]
        if not any(head[0] in known or _read_by(head, rule, rules) for head in heads):
            names = ", ".join(sorted(subject.name(predicate) for predicate, _ in rule.writes))
            yield Finding(
                WARNING,
                "K504",
                f"nothing reads what {rule.id} concludes ({names}): no rule, and no selector tests it",
                subject.rule_place(rule),
                "let a selector test it (core:tests), or remove the rule",
            )


def _read_otherwise(vocabulary: Vocabulary) -> set[str]:
    known = {core(name).value for name in _READ_BY_PROGRAMS}
    for name in _VALUE_READ:
        known |= {value.value for _, value in vocabulary.pairs(core(name)) if isinstance(value, ox.NamedNode)}
    for name in _SUBJECT_READ:
        known |= {subject.value for subject, _ in vocabulary.pairs(core(name))}
    return known


def _read_by(head: Signature, writer: Rule, rules: tuple[Rule, ...]) -> bool:
    return any(
        overlap(read, head) for rule in rules if rule is not writer for read in (*rule.reads, *rule.reads_complete)
    )
