"""Steps of explanations, and how proofs are told: a proof in, sentences out, each with its rule or its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import pyoxigraph as ox

from reasoner.engine.pattern import decode, encode
from reasoner.engine.precedence import BASES
from reasoner.engine.proof import Absence, Proof
from reasoner.engine.rule import Rule
from reasoner.operations.origin import Origin
from reasoner.operations.scene import Scene
from reasoner.reference.interpret import Reference
from reasoner.reference.wording import NameOf, say_fact, say_parts
from reasoner.terms.namespaces import core

SILENT = frozenset(core(name) for name in ("hasOwnCard", "takesPrintFrom", "isStayOf", "hasWord", "timestamp"))


@dataclass(frozen=True)
class Step:
    """One line of an explanation, with what it rests on below it.

    `kind` is "answer", "meaning", "fact", "absence", "failure", "defeat" or "fold"; `rule` the rule that gave
    the line; `origin` where an asserted fact stands; `answer` the verdict, on the first line of an explanation.
    """

    text: str
    kind: str = "fact"
    rule: Rule | None = None
    origin: str = ""
    steps: tuple[Step, ...] = ()
    answer: str = ""

    def walk(self) -> Iterator[Step]:
        """Yield this step and all below it, top down."""
        yield self
        for step in self.steps:
            yield from step.walk()


class Teller:
    """Tells the proofs of one scene, with the words of the texts in `references` called by their spelling."""

    def __init__(self, scene: Scene, references: Iterable[Reference] = ()) -> None:
        self.scene = scene
        self.vocabulary = scene.base.vocabulary
        names = dict(scene.names)
        for reference in references:
            for node, _, words in reference.graph.mentions:
                names[node.value] = "the text"
                names.update({word_node.value: f"the word “{word.spelling}”" for word_node, word in words})
        self.name = NameOf(self.vocabulary, scene.base.language.code, names)
        self.origin = Origin(scene.base, scene.moment.stated if scene.moment else None)

    def proof(self, proof: Proof) -> Step:
        """Return the steps of a proof."""
        if proof.walk is not None:
            subject, path, value = proof.walk
            return Step(
                _walked(self._said(subject), path, self._said(value)), "fact", origin=self.origin.of_text(subject)
            )
        assert proof.fact is not None
        text = say_fact(proof.fact, self.vocabulary, self.scene.base.language.code, self.name)
        if proof.rule is None:
            return Step(text, "fact", origin=self.origin.of(proof.fact))
        if proof.repeated:
            return Step(text, "fact", proof.rule, origin="as above")
        steps: list[Step] = [self.proof(premise) for premise in proof.premises if not self._is_silent(premise)]
        steps += [self._absence(absence) for absence in dict.fromkeys(proof.absences) if absence.telling]
        for defeat in proof.defeats:
            other = say_fact(defeat.fact, self.vocabulary, self.scene.base.language.code, self.name)
            steps.append(
                Step(
                    f"not “{other}” by {defeat.loser.rule.id}: {defeat.winner.rule.id} {BASES[defeat.basis]}",
                    "defeat",
                    defeat.loser.rule,
                )
            )
        return Step(text, "fact", proof.rule, steps=tuple(steps))

    def _is_silent(self, premise: Proof) -> bool:
        """Return whether a premise holds by construction (a word is in its text, a class is at or below itself)."""
        if premise.walk is not None:
            return premise.walk[0] == premise.walk[2]
        if premise.fact is None or premise.fact.predicate not in SILENT:
            return False
        return not premise.defeats and all(self._is_silent(inner) for inner in premise.premises)

    def _absence(self, absence: Absence) -> Step:
        return Step(f"nothing says that {self.parts(absence.parts)}", "absence")

    def parts(self, parts: tuple[str, str, str]) -> str:
        """Return three parts of a pattern (as text) as a sentence."""
        subject, value = self._said(parts[0]), self._said(parts[2])
        verb = decode(parts[1])
        if isinstance(verb, ox.NamedNode):
            return say_parts(subject, verb, value, self.vocabulary)
        return _walked(subject, encode(verb), value)

    def _said(self, text: str) -> str:
        if text.startswith("?"):
            return {"?type": "some type", "?card": "some card"}.get(text, "something")
        term = decode(text)
        return self.name(term)


def fold(step: Step, most: int = 40) -> Step:
    """Return the explanation with side branches, then its deepest parts, folded until it has at most `most` lines."""
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
