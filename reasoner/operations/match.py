"""Matching: which referents a piece of card text refers to, with the rules that decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from reasoner.engine.precedence import Conflict
from reasoner.engine.proof import Proof, prove
from reasoner.engine.rule import Rule
from reasoner.errors import TextError
from reasoner.language.mention import Reading
from reasoner.operations.scene import Referent, Scene, Stage, explained
from reasoner.reference.answer import NO, NO_VALUE, Answer, Judgement, combine, judge
from reasoner.reference.evaluate import Tested
from reasoner.reference.interpret import Interpretation, Reference, interpret
from reasoner.reference.mentiongraph import NOWHERE, Context
from reasoner.reference.possible import Possible
from reasoner.reference.selector import All, Compare, Has, Not, Selector
from reasoner.reference.wording import say, say_clash
from reasoner.terms.namespaces import TYPE, core


@dataclass(frozen=True)
class Member:
    """A referent whose answer is not no, with the rules that decide."""

    referent: Referent
    answer: Answer
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Judged:
    """Everything known about one referent: the answer, and each judgement with the stage it was made in."""

    referent: Referent
    answer: Answer
    judgements: tuple[tuple[Judgement, Stage], ...]


@dataclass(frozen=True)
class ReadingMatch:
    """One reading of the text: what it means in each branch, and who is meant.

    `never` says why nothing can ever be meant, whatever cards there are; it is empty where something can.
    """

    reading: Reading
    references: tuple[Reference, ...]
    words: str
    members: Sequence[Member]
    never: str = ""

    @property
    def selectors(self) -> tuple[Selector, ...]:
        """The selectors of all interpretations, each once."""
        return tuple(dict.fromkeys(one.selector for reference in self.references for one in reference.interpretations))

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The conflicts between rules met while reading."""
        return tuple(conflict for reference in self.references for conflict in reference.conflicts)

    @property
    def reading_rules(self) -> tuple[Rule, ...]:
        """The rules that decided what the text means, by id, core rules left out."""
        found = {
            rule.id: rule for reference in self.references for one in reference.interpretations for rule in one.rules
        }
        return tuple(found[name] for name in sorted(found) if not name.startswith("core:"))


@dataclass(frozen=True)
class Match:
    """The answer to `cardlore match`: every reading of `text` with its members."""

    game: str
    text: str
    as_of: str
    readings: tuple[ReadingMatch, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain data, in the shape the README documents."""
        return {
            "game": self.game,
            "text": self.text,
            "as_of": self.as_of,
            "readings": [_reading_json(one) for one in self.readings],
        }


def match(scene: Scene, text: str, context: Context = NOWHERE) -> Match:
    """Return which referents of `scene` the `text` refers to.

    Raises:
        TextError: the text can't be read.
    """
    base = scene.base
    readings = base.read(text)
    return Match(base.game, text, base.edition, tuple(match_reading(scene, reading, context) for reading in readings))


def match_reading(scene: Scene, reading: Reading, context: Context) -> ReadingMatch:
    """Return who is meant by one reading."""
    references = tuple(interpret(reading, context, scene.base, stage.surroundings) for stage in scene.stages)
    refuse_numbers(references)
    judged = [judge_all(scene, references, referent) for referent in scene.referents]
    meant = [one for one in judged if one.answer.verdict != NO]
    with_proofs = explained(scene, [one.referent.iri for one in meant])
    members = tuple(Member(one.referent, *final_answer(with_proofs, references, one.referent)) for one in meant)
    first = references[0].interpretations
    words = " / or, undecided: ".join(
        dict.fromkeys(say(one.selector, scene.base.vocabulary, scene.base.language.code) for one in first)
    )
    never = (
        ""
        if members
        else impossible(scene.stages[0].view.possible, scene.base.language.code, [one.selector for one in first])
    )
    return ReadingMatch(reading, references, words, members, never)


def refuse_numbers(references: Iterable[Reference]) -> None:
    """Refuse a text that asks for a number.

    Raises:
        TextError: T115.
    """
    if any(one.quantities for reference in references for one in reference.interpretations):
        raise TextError(
            "T115", "the text asks for a number, not for cards", hint="cardlore value tells the number of a card"
        )


def impossible(possible: Possible, language: str, selectors: Sequence[Selector]) -> str:
    """Return why nothing can ever meet any of `selectors`; empty if something can."""
    clashes = [possible.never(selector) for selector in selectors]
    if not all(clashes):
        return ""
    texts = (say_clash(one, possible.vocabulary, language) for found in clashes for one in found)
    return "; ".join(dict.fromkeys(texts))


def judge_all(scene: Scene, references: tuple[Reference, ...], referent: Referent) -> Judged:
    """Return the answer for one referent over all branches and interpretations."""
    judgements = tuple(
        (judge(interpretation, stage.view, referent.iri), stage)
        for reference, stage in zip(references, scene.stages, strict=True)
        for interpretation in reference.interpretations
    )
    return Judged(referent, combine([one for one, _ in judgements], [()] * len(judgements)), judgements)


def final_answer(
    scene: Scene, references: tuple[Reference, ...], referent: Referent
) -> tuple[Answer, tuple[Rule, ...]]:
    """Return the answer for one referent and the rules it rests on; `scene` must know its proofs (see `explained`)."""
    judged = judge_all(scene, references, referent)
    rules = [deciding_rules(judgement, stage, referent, scene) for judgement, stage in judged.judgements]
    if judged.answer.alternatives:
        chosen = [_chosen(stage, referent) for _, stage in judged.judgements]
        rules = [tuple(dict.fromkeys((*found, *more))) for found, more in zip(rules, chosen, strict=True)]
    answer = combine([one for one, _ in judged.judgements], [tuple(rule.id for rule in found) for found in rules])
    return answer, tuple({rule.id: rule for found in rules for rule in found}.values())


def _chosen(stage: Stage, referent: Referent) -> tuple[Rule, ...]:
    """Return the rules that are followed in this branch, and not in others, on what `referent` is.

    They matter for a "no" too, which rests on no fact of its own.
    """
    if stage.branch is None:
        return ()
    facts = [fact for option in stage.branch.choices for fact in option if fact.subject == referent.iri]
    return tuple(stage.branch.supports[fact].rule for fact in facts)


def deciding_rules(judgement: Judgement, stage: Stage, referent: Referent, scene: Scene) -> tuple[Rule, ...]:
    """Return the rules an answer rests on: those that read the text and those behind the facts it tests.

    Rules of the game come alone where there are any; general rules of the engine are named only by themselves.
    """
    alternatives = judgement.interpretation.alternatives
    met = [one for one in alternatives if stage.view.evaluate(one.selector, referent.iri).value is not False]
    found = dict.fromkeys(rule for one in met or alternatives for rule in one.rules)
    for tested in judgement.outcome.tested:
        proof = ground(tested, stage, referent, scene)
        if proof is not None:
            found.update(dict.fromkeys(proof.rules()))
    for fact in stage.view.facts_of(referent.iri, core("isMetOnlyWhen").value):
        if stage.branch is not None and fact in stage.branch.supports and judgement.answer.verdict != NO_VALUE:
            found[stage.branch.supports[fact].rule] = None
    return own_rules(found)


def own_rules(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return `rules` by id, each once; general rules of the engine only where there are no others."""
    found = {rule.id: rule for rule in rules}
    own = [name for name in found if not name.startswith("core:")]
    return tuple(found[name] for name in sorted(own or found))


def ground(tested: Tested, stage: Stage, referent: Referent, scene: Scene) -> Proof | None:
    """Return the proof of the fact that decided an atom; None where there is no such fact.

    A comparison is decided by the value that meets it, or by the least one if none does.
    """
    if stage.branch is None or tested.result is None:
        return None
    if isinstance(tested.atom, Compare):
        numbers = stage.view.numbers(referent.iri, tested.atom.characteristic)
        facts = [one for one, number in numbers if tested.atom.is_met_by(number)] or [one for one, _ in numbers]
        return prove(facts[0], stage.branch, lambda _: None, holds(stage)) if facts else None
    predicate = TYPE if tested.atom.characteristic == TYPE.value else ox.NamedNode(tested.atom.characteristic)
    if tested.result is False:
        denial = scene.base.vocabulary.first(predicate, core("isDeniedBy"))
        if not isinstance(denial, ox.NamedNode):
            return None
        predicate = denial
    fact = ox.Triple(referent.iri, predicate, tested.atom.value)
    if fact not in stage.view.facts_of(referent.iri, predicate.value):
        return None
    return prove(fact, stage.branch, lambda _: None, holds(stage))


def holds(stage: Stage) -> Any:
    """Return a test whether a triple is there, among the facts of the stage."""
    return stage.surroundings.holds


def _reading_json(one: ReadingMatch) -> dict[str, Any]:
    return {
        "selector": selector_json(one.selectors[0])
        if len(one.selectors) == 1
        else {"undecided": [selector_json(s) for s in one.selectors]},
        "words": one.words,
        **({"never": one.never} if one.never else {}),
        "members": [
            {
                "id": member.referent.id,
                "name": member.referent.name,
                "answer": member.answer.verdict,
                "when": list(member.answer.when),
                "rules": [
                    {
                        "id": rule.id,
                        "source": f"{rule.header.source} {rule.header.section}",
                        "edition": rule.header.edition,
                    }
                    for rule in member.rules
                ],
                **(
                    {"alternatives": [_alternative_json(a) for a in member.answer.alternatives]}
                    if member.answer.alternatives
                    else {}
                ),
            }
            for member in one.members
        ],
    }


def _alternative_json(alternative: Any) -> dict[str, Any]:
    return {
        "answer": alternative.answer.verdict,
        "when": list(alternative.answer.when),
        "rules": list(alternative.rules),
    }


def selector_json(selector: Selector) -> Any:
    """Return a selector as plain data.

    {has: [characteristic, value]}, {compare: [characteristic, comparison, number]}, {not: …}, {all: […]}, {any: […]}.
    """
    if isinstance(selector, Has):
        return {"has": [selector.characteristic, selector.value.value]}
    if isinstance(selector, Compare):
        return {"compare": [selector.characteristic, selector.comparison, selector.number]}
    if isinstance(selector, Not):
        return {"not": selector_json(selector.part)}
    return {"all" if isinstance(selector, All) else "any": [selector_json(part) for part in selector.parts]}


__all__ = [
    "Interpretation",
    "Match",
    "Member",
    "ReadingMatch",
    "deciding_rules",
    "final_answer",
    "ground",
    "holds",
    "impossible",
    "judge_all",
    "match",
    "match_reading",
    "own_rules",
    "refuse_numbers",
    "selector_json",
]
