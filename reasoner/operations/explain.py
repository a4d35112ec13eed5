"""Explanations: why a referent is meant by a text, or is not, down to what is printed, given or seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pyoxigraph as ox

from reasoner.engine.pattern import Pattern, Variable
from reasoner.engine.proof import prove
from reasoner.language.grammar import read
from reasoner.operations.match import ReadingMatch, final_answer, ground, judge_all, match_reading
from reasoner.operations.reasons import Reasons
from reasoner.operations.scene import Referent, Scene, Stage, explained
from reasoner.operations.steps import Step, Teller
from reasoner.operations.value import Worth, value
from reasoner.reference.answer import NO, NO_VALUE, Judgement
from reasoner.reference.evaluate import Tested
from reasoner.reference.interpret import Interpretation, Reference
from reasoner.reference.mentiongraph import NOWHERE, Context
from reasoner.reference.possible import IDENTITY
from reasoner.reference.selector import Compare, Has
from reasoner.reference.truth import Missing
from reasoner.reference.wording import compared, quantity_label, say
from reasoner.terms.namespaces import TYPE, core


def explain(scene: Scene, text: str, referent: Referent, context: Context = NOWHERE) -> tuple[Step, ...]:
    """Return one explanation per reading of `text`: why `referent` is meant, or why it is not.

    Raises:
        TextError: the text can't be read.
    """
    scene = explained(scene, [referent.iri])
    readings = read(text, scene.base.lexicon, scene.base.language)
    return tuple(
        Explainer(scene, text, match_reading(scene, reading, context)).referent(referent) for reading in readings
    )


def explain_text(scene: Scene, text: str, context: Context = NOWHERE) -> tuple[Step, ...]:
    """Return one explanation per reading of `text`: what it means and by which rules.

    Raises:
        TextError: the text can't be read.
    """
    readings = read(text, scene.base.lexicon, scene.base.language)
    return tuple(Explainer(scene, text, match_reading(scene, reading, context)).meaning_only() for reading in readings)


def explain_value(scene: Scene, text: str, referent: Referent, context: Context = NOWHERE) -> Step:
    """Return why the number that `text` asks for is what it is, of `referent`.

    Raises:
        TextError: the text can't be read, or asks for no number.
    """
    scene = explained(scene, [referent.iri])
    found = value(scene, text, referent, context)
    teller = Teller(scene, [one.reference for one in found.worths if one.reference])
    parts = [_worth_steps(one, teller, text, referent) for one in found.worths]
    title = f"“{text}” of {_called(referent)}: {found.answer}"
    if len(parts) == 1:
        return Step(title, "answer", steps=parts[0])
    labelled = tuple(
        Step(f"under this reading of the rules: {one}", "answer", steps=steps)
        for one, steps in zip(found.worths, parts, strict=True)
    )
    return Step(title, "answer", steps=labelled)


def _worth_steps(worth: Worth, teller: Teller, text: str, referent: Referent) -> tuple[Step, ...]:
    quantity = teller.name(worth.quantity)
    meaning = Step(
        f"“{text}” means the {quantity}", "meaning", steps=(teller.proof(worth.meaning),) if worth.meaning else ()
    )
    if worth.number is None:
        return (meaning, Step(f"the rules give {referent.id} no {quantity}", "failure"))
    shown = (teller.proof(worth.proof),) if worth.proof else ()
    return (meaning, Step(f"what {referent.id} is", "meaning", steps=shown))


def _called(referent: Referent) -> str:
    return f"{referent.id} ({referent.name})" if referent.id != referent.name else referent.id


class Explainer:
    """Turns proofs about one reading of a text into steps."""

    def __init__(self, scene: Scene, text: str, found: ReadingMatch) -> None:
        self.scene = scene
        self.text = text
        self.found = found
        self.vocabulary = scene.base.vocabulary
        self.teller = Teller(scene, found.references[:1])
        self.reasons = Reasons(scene, self.teller)

    def referent(self, referent: Referent) -> Step:
        """Return why `referent` is, or is not, meant."""
        judged = judge_all(self.scene, self.found.references, referent)
        several = len(judged.judgements) > 1 and bool(judged.answer.alternatives)
        parts = tuple(
            self._judgement(judgement, stage, reference, referent, several)
            for (judgement, stage), reference in zip(judged.judgements, self._references(), strict=True)
        )
        shown = parts if several else parts[:1]
        answer, _ = final_answer(self.scene, self.found.references, referent)
        title = f"Does “{self.text}” refer to {_called(referent)}? {answer}"
        if len(shown) == 1:
            shown = shown[0].steps
        return Step(title, "answer", steps=shown, answer=answer.verdict)

    def meaning_only(self) -> Step:
        """Return what the text means."""
        interpretations = [
            (one, reference) for reference in self.found.references[:1] for one in reference.interpretations
        ]
        steps = tuple(self._meaning(one, reference) for one, reference in interpretations)
        if len(steps) == 1:
            return replace(steps[0], kind="answer", steps=(*steps[0].steps, *self._never()))
        title = f"“{self.text}” has {len(steps)} meanings, and nothing decides between them"
        return Step(title, "answer", steps=(*steps, *self._never()))

    def _never(self) -> tuple[Step, ...]:
        """Return that nothing can ever be meant, and why; nothing where something can."""
        never = self.found.never
        return (Step(f"“{self.text}” can never match: {never}", "failure"),) if never else ()

    def _references(self) -> list[Reference]:
        return [reference for reference in self.found.references for _ in reference.interpretations]

    def _judgement(
        self, judgement: Judgement, stage: Stage, reference: Reference, referent: Referent, several: bool
    ) -> Step:
        meaning = self._meaning(judgement.interpretation, reference)
        facts = [self._tested(one, stage, referent) for one in judgement.outcome.tested]
        branch = stage.branch
        if judgement.answer.verdict not in (NO, NO_VALUE) and branch is not None:
            conditions = stage.view.facts_of(referent.iri, core("isMetOnlyWhen").value)
            facts += [self.reasons.fact(fact, stage) for fact in conditions]
        seen = tuple(dict.fromkeys(facts))
        title = f"under this reading of the rules: {judgement.answer}" if several else str(judgement.answer)
        what = Step(f"what {referent.id} is", "meaning", steps=seen)
        return Step(title, "answer", steps=(meaning, *self._never(), what))

    def _meaning(self, interpretation: Interpretation, reference: Reference) -> Step:
        words = say(interpretation.selector, self.vocabulary, self.scene.base.language.code)
        stated = set(reference.graph.triples)
        branch = interpretation.branch
        conclusions = dict.fromkeys(fact for _, fact in interpretation.grounds)
        # What a rule concluded that is no condition (that control does not matter, say) decides as much.
        conclusions.update(dict.fromkeys(fact for fact in branch.supports if fact.predicate != core("isReadAs")))
        proofs = [
            prove(fact, branch, lambda _: None, lambda t: t in stated or t in branch.supports) for fact in conclusions
        ]
        premises = {step.fact for proof in proofs for inner in proof.premises for step in inner.steps()}
        steps = [self.teller.proof(proof) for proof in proofs if proof.fact not in premises]
        steps += dict.fromkeys(self._comparisons(reference))
        conflict = self._conflict(interpretation)
        return Step(f"“{self.text}” means: what {words}", "meaning", steps=(*steps, *([conflict] if conflict else [])))

    def _comparisons(self, reference: Reference) -> Iterator[Step]:
        """Yield what the words of a text compare with, as the eye sees it."""
        for _, _, words in reference.graph.mentions:
            for node, word in words:
                if word.comparison is not None:
                    said = f"{self.vocabulary.label(core(word.comparison))} {word.number}"
                    origin = self.teller.origin.of_iri(node.value)
                    yield Step(f"{self.teller.name(node)} compares: {said}", "fact", origin=origin)

    def _conflict(self, interpretation: Interpretation) -> Step | None:
        for conflict in interpretation.branch.conflicts:
            if not conflict.settled:
                chosen = [
                    fact for option in interpretation.branch.choices for fact in option if fact in conflict.supports
                ]
                for fact in chosen:
                    support = conflict.supports[fact][0]
                    rivals = ", ".join(rule for rule in conflict.rules if rule != support.rule.id)
                    return Step(
                        f"here {support.rule.id} is followed; {rivals} says otherwise, and nothing decides",
                        "defeat",
                        support.rule,
                    )
        return None

    def _tested(self, tested: Tested, stage: Stage, referent: Referent) -> Step:
        atom = tested.atom
        if isinstance(atom, Compare):
            return self._compared(atom, tested, stage, referent)
        proof = ground(tested, stage, referent, self.scene)
        if proof is not None:
            return self.teller.proof(proof)
        predicate = TYPE if atom.characteristic == TYPE.value else ox.NamedNode(atom.characteristic)
        sentence = self.teller.fact(ox.Triple(referent.iri, predicate, atom.value))
        if atom.characteristic == IDENTITY:
            return self._identity(atom, tested, referent)
        if tested.result is None:
            return Step(f"open: whether {sentence}", "absence")
        if tested.result is True:
            return Step(sentence, "fact")
        return self.reasons.why_not(Pattern(referent.iri, predicate, atom.value), stage)

    def _identity(self, atom: Has, tested: Tested, referent: Referent) -> Step:
        """Return whether `referent` is the very one that is meant."""
        name = self.teller.name(referent.iri)
        if tested.result is None:
            return Step(f"open: whether this is the very copy of {name} that is meant", "absence")
        if tested.result is True:
            return Step(
                f"{name} is the very one that is meant", "fact", fact=ox.Triple(referent.iri, core("is"), atom.value)
            )
        return Step(f"not so: {name} is the very one that is meant, which is {self.teller.name(atom.value)}", "failure")

    def _compared(self, atom: Compare, tested: Tested, stage: Stage, referent: Referent) -> Step:
        """Return how the value of `referent` compares, and why it is what it is; or that there is none, and why."""
        label, wanted = quantity_label(atom.characteristic, self.vocabulary), compared(atom, self.vocabulary)
        name = self.teller.name(referent.iri)
        if tested.result is None:
            return Step(f"open: whether {name} has a {label} of {wanted}", "absence")
        if isinstance(tested.result, Missing):
            goal = Pattern(referent.iri, ox.NamedNode(atom.characteristic), Variable("value"))
            text = f"{name} has no {label}: “{wanted}” is neither true nor false of it"
            return replace(self.reasons.why_not(goal, stage), text=text)
        numbers = [number for _, number in stage.view.numbers(referent.iri, atom.characteristic)]
        value = next((number for number in numbers if atom.is_met_by(number)), numbers[0])
        proof = ground(tested, stage, referent, self.scene)
        said = f"the {label} of {name}, {value}, is {'' if tested.result else 'not '}{wanted}"
        return Step(said, "fact" if tested.result else "failure", steps=(self.teller.proof(proof),) if proof else ())
