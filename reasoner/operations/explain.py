"""Explanations: why a referent is meant by a text, or is not, down to what is printed, given or seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pyoxigraph as ox

from reasoner.engine.pattern import Pattern, decode, encode
from reasoner.engine.precedence import BASES
from reasoner.engine.proof import Absence, Proof, prove
from reasoner.engine.rule import Rule
from reasoner.language.grammar import read
from reasoner.operations.match import ReadingMatch, final_answer, ground, holds, judge_all, match_reading
from reasoner.operations.origin import Origin
from reasoner.operations.scene import Referent, Scene, Stage, explained
from reasoner.operations.whynot import Attempt, Failure, WhyNot
from reasoner.reference.answer import Judgement
from reasoner.reference.interpret import Interpretation, Reference
from reasoner.reference.mentiongraph import NOWHERE, Context
from reasoner.reference.wording import NameOf, say, say_fact, say_parts
from reasoner.terms.namespaces import TYPE, core


MOST_ATTEMPTS = 1
_SILENT = frozenset(core(name) for name in ("hasOwnCard", "takesPrintFrom", "isStayOf", "hasWord", "timestamp"))


@dataclass(frozen=True)
class Step:
    """One line of an explanation, with what it rests on below it.

    `kind` is "answer", "meaning", "fact", "absence", "failure", "defeat" or "fold"; `rule` the rule that gave
    the line; `origin` where an asserted fact stands.
    """

    text: str
    kind: str = "fact"
    rule: Rule | None = None
    origin: str = ""
    steps: tuple[Step, ...] = ()

    def walk(self) -> Iterator[Step]:
        """Yield this step and all below it, top down."""
        yield self
        for step in self.steps:
            yield from step.walk()


def explain(scene: Scene, text: str, referent: Referent, context: Context = NOWHERE) -> tuple[Step, ...]:
    """Return one explanation per reading of `text`: why `referent` is meant, or why it is not.

    Raises:
        TextError: the text can't be read.
    """
    scene = explained(scene, [referent.iri])
    readings = read(text, scene.base.lexicon, scene.base.language)
    return tuple(Explainer(scene, text, match_reading(scene, reading, context)).referent(referent) for reading in readings)


def explain_text(scene: Scene, text: str, context: Context = NOWHERE) -> tuple[Step, ...]:
    """Return one explanation per reading of `text`: what it means and by which rules.

    Raises:
        TextError: the text can't be read.
    """
    readings = read(text, scene.base.lexicon, scene.base.language)
    return tuple(Explainer(scene, text, match_reading(scene, reading, context)).meaning_only() for reading in readings)


class Explainer:
    """Turns proofs about one reading of a text into steps."""

    def __init__(self, scene: Scene, text: str, found: ReadingMatch) -> None:
        self.scene = scene
        self.text = text
        self.found = found
        self.vocabulary = scene.base.vocabulary
        names = dict(scene.names)
        for node, _, words in found.references[0].graph.mentions:
            names[node.value] = "the text"
            names.update({word_node.value: f"the word “{word.spelling}”" for word_node, word in words})
        self.name = NameOf(self.vocabulary, scene.base.language.code, names)
        self.origin = Origin(scene.base)

    def referent(self, referent: Referent) -> Step:
        """Return why `referent` is, or is not, meant."""
        judged = judge_all(self.scene, self.found.references, referent)
        several = len(judged.judgements) > 1 and bool(judged.answer.alternatives)
        parts = tuple(
            self._judgement(judgement, stage, reference, referent, several)
            for (judgement, stage), reference in zip(judged.judgements, self._references(), strict=True)
        )
        shown = parts if several else parts[:1]
        who = f"{referent.id} ({referent.name})" if referent.id != referent.name else referent.id
        answer, _ = final_answer(self.scene, self.found.references, referent)
        title = f"Does “{self.text}” refer to {who}? {answer}"
        if len(shown) == 1:
            return Step(title, "answer", steps=shown[0].steps)
        return Step(title, "answer", steps=shown)

    def meaning_only(self) -> Step:
        """Return what the text means."""
        interpretations = [(one, reference) for reference in self.found.references[:1] for one in reference.interpretations]
        steps = tuple(self._meaning(one, reference) for one, reference in interpretations)
        if len(steps) == 1:
            return replace(steps[0], kind="answer")
        return Step(f"“{self.text}” has {len(steps)} meanings, and nothing decides between them", "answer", steps=steps)

    def _references(self) -> list[Reference]:
        return [reference for reference in self.found.references for _ in reference.interpretations]

    def _judgement(self, judgement: Judgement, stage: Stage, reference: Reference, referent: Referent, several: bool) -> Step:
        meaning = self._meaning(judgement.interpretation, reference)
        facts = [self._tested(one, stage, referent) for one in judgement.outcome.tested]
        for fact in stage.view.facts_of(referent.iri, core("isMetOnlyWhen").value):
            if judgement.outcome.value is not False and stage.branch is not None:
                facts.append(self._proof(prove(fact, stage.branch, lambda _: None, holds(stage))))
        seen = tuple(dict.fromkeys(facts))
        title = f"under this reading of the rules: {judgement.answer}" if several else str(judgement.answer)
        return Step(title, "answer", steps=(meaning, Step(f"what {referent.id} is", "meaning", steps=seen)))

    def _meaning(self, interpretation: Interpretation, reference: Reference) -> Step:
        words = say(interpretation.selector, self.vocabulary, self.scene.base.language.code)
        stated = set(reference.graph.triples)
        branch = interpretation.branch
        conclusions = dict.fromkeys(fact for _, fact in interpretation.grounds)
        # What a rule concluded that is no condition (that control does not matter, say) decides as much as the conditions.
        conclusions.update(dict.fromkeys(fact for fact in branch.supports if fact.predicate != core("isReadAs")))
        proofs = [prove(fact, branch, lambda _: None, lambda t: t in stated or t in branch.supports) for fact in conclusions]
        premises = {step.fact for proof in proofs for inner in proof.premises for step in inner.steps()}
        steps = [self._proof(proof) for proof in proofs if proof.fact not in premises]
        conflict = self._conflict(interpretation)
        return Step(f"“{self.text}” means: what {words}", "meaning", steps=(*steps, *([conflict] if conflict else [])))

    def _conflict(self, interpretation: Interpretation) -> Step | None:
        for conflict in interpretation.branch.conflicts:
            if not conflict.settled:
                chosen = [fact for option in interpretation.branch.choices for fact in option if fact in conflict.supports]
                for fact in chosen:
                    support = conflict.supports[fact][0]
                    rivals = ", ".join(rule for rule in conflict.rules if rule != support.rule.id)
                    return Step(f"here {support.rule.id} is followed; {rivals} says otherwise, and nothing decides", "defeat", support.rule)
        return None

    def _tested(self, tested: object, stage: Stage, referent: Referent) -> Step:
        from reasoner.reference.evaluate import Tested

        assert isinstance(tested, Tested)
        proof = ground(tested, stage, referent, self.scene)
        if proof is not None:
            return self._proof(proof)
        atom = tested.atom
        predicate = TYPE if atom.characteristic == TYPE.value else ox.NamedNode(atom.characteristic)
        sentence = say_parts(self.name(referent.iri), predicate, self.name(atom.value), self.vocabulary)
        if tested.result is None:
            return Step(f"open: whether {sentence}", "absence")
        if tested.result is True:
            return Step(sentence, "fact")
        goal = Pattern(referent.iri, predicate, atom.value)
        programs = (self.scene.base.programs.state,)
        graphs = (*stage.surroundings.graphs, *(() if stage.branch is None else (stage.branch.graph,)))
        return self._failure(WhyNot(stage.surroundings.store, graphs, programs).explain(goal), stage)

    def _proof(self, proof: Proof) -> Step:
        if proof.walk is not None:
            subject, path, value = proof.walk
            return Step(_walked(self._said(subject), path, self._said(value)), "fact", origin=self.origin.of_text(subject))
        assert proof.fact is not None
        text = say_fact(proof.fact, self.vocabulary, self.scene.base.language.code, self.name)
        if proof.rule is None:
            return Step(text, "fact", origin=self.origin.of(proof.fact))
        if proof.repeated:
            return Step(text, "fact", proof.rule, origin="as above")
        steps: list[Step] = [self._proof(premise) for premise in proof.premises if not self._is_silent(premise)]
        steps += [self._absence(absence) for absence in dict.fromkeys(proof.absences) if absence.telling]
        for defeat in proof.defeats:
            other = say_fact(defeat.fact, self.vocabulary, self.scene.base.language.code, self.name)
            steps.append(Step(f"not “{other}” by {defeat.loser.rule.id}: {defeat.winner.rule.id} {BASES[defeat.basis]}", "defeat", defeat.loser.rule))
        return Step(text, "fact", proof.rule, steps=tuple(steps))

    def _is_silent(self, premise: Proof) -> bool:
        """Return whether a premise holds by construction (a word is in its text, a class is at or below itself)."""
        if premise.walk is not None:
            return premise.walk[0] == premise.walk[2]
        if premise.fact is None or premise.fact.predicate not in _SILENT:
            return False
        return not premise.defeats and all(self._is_silent(inner) for inner in premise.premises)

    def _absence(self, absence: Absence) -> Step:
        return Step(f"nothing says that {self._said_parts(absence.parts)}", "absence")

    def _said_parts(self, parts: tuple[str, str, str], negated: bool = False) -> str:
        subject, value = self._said(parts[0]), self._said(parts[2])
        verb = decode(parts[1])
        if isinstance(verb, ox.NamedNode):
            return say_parts(subject, verb, value, self.vocabulary)
        return _walked(subject, encode(verb), value)

    def _failure(self, failure: Failure, stage: Stage) -> Step:
        steps = tuple(self._attempt(attempt, stage) for attempt in failure.attempts)
        if len(steps) > MOST_ATTEMPTS:
            more = len(steps) - MOST_ATTEMPTS
            steps = (*steps[:MOST_ATTEMPTS], Step(f"… {more} more rules conclude such a thing, and came less far", "fold", steps=steps[MOST_ATTEMPTS:]))
        note = "" if steps or failure.cut else "nothing printed, given or seen says so"
        return Step(f"not so: {self._said_parts(failure.fact)}", "failure", origin=note, steps=steps)

    def _attempt(self, attempt: Attempt, stage: Stage) -> Step:
        title = f"{attempt.rule.id} would say so, but"
        if attempt.failed is not None:
            instead = [self._proof(prove(fact, stage.branch, lambda _: None, holds(stage))) for fact in attempt.instead if stage.branch]
            return Step(title, "failure", attempt.rule, steps=(*instead, self._failure(attempt.failed, stage)))
        if attempt.blocked_by is not None:
            return Step(f"{title} an exception of its own holds", "failure", attempt.rule, steps=(Step(self._said_parts(attempt.blocked_by)),))
        return Step(f"{title} another rule prevails", "failure", attempt.rule)

    def _said(self, text: str) -> str:
        if text.startswith("?"):
            return {"?type": "some type", "?card": "some card"}.get(text, "something")
        term = decode(text)
        return self.name(term)


def fold(step: Step, most: int = 40) -> Step:
    """Return the explanation with its side branches, then its deepest parts, folded until it has at most `most` lines."""
    step = _close_folds(step)
    depth = 12
    while sum(1 for _ in step.walk()) > most and depth > 2:
        depth -= 1
        step = _fold(step, depth)
    return step


def _close_folds(step: Step) -> Step:
    if step.kind == "fold":
        return replace(step, text=f"{step.text} (--full)", steps=())
    return replace(step, steps=tuple(_close_folds(inner) for inner in step.steps))


def _fold(step: Step, depth: int) -> Step:
    if depth <= 0 and step.steps:
        hidden = sum(1 for _ in step.walk()) - 1
        return replace(step, steps=(Step(f"… {hidden} more steps (--full)", "fold"),))
    return replace(step, steps=tuple(_fold(inner, depth - 1) for inner in step.steps))


def _walked(subject: str, path: str, value: str) -> str:
    return f"{subject} is {'at or below' if '*' in path else 'below'} {value}"


__all__ = ["Step", "explain", "explain_text", "fold"]
