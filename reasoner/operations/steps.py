"""Steps of explanations, and how proofs are told: a proof in, sentences out, each with its rule or its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import pyoxigraph as ox

from reasoner.engine.pattern import ANY_PREDICATE, Path, Pattern, decode, pattern_from_text
from reasoner.engine.precedence import BASES
from reasoner.engine.proof import Absence, Proof
from reasoner.engine.rule import Rule
from reasoner.operations.checks.findings import counted
from reasoner.operations.origin import Origin
from reasoner.operations.scene import Scene
from reasoner.reference.interpret import Reference
from reasoner.reference.wording import NameOf, say_lack, say_parts, with_article
from reasoner.terms.namespaces import SUBCLASS, TYPE, core

NOT_SO = "not so: "
SILENT = frozenset(
    core(name) for name in ("hasOwnCard", "takesPrintFrom", "isStayOf", "hasWord", "timestamp", "isGivenBy")
)


@dataclass(frozen=True)
class Step:
    """One line of an explanation, with what it rests on below it.

    `kind` is "answer", "meaning", "fact", "absence", "failure", "defeat" or "fold"; `rule` the rule that gave
    the line; `origin` where an asserted fact stands; `answer` the verdict, on the first line of an explanation; `fact`
    what the line says, where that is a fact that holds.
    """

    text: str
    kind: str = "fact"
    rule: Rule | None = None
    origin: str = ""
    steps: tuple[Step, ...] = ()
    answer: str = ""
    fact: ox.Triple | None = None

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
        code = scene.base.language.code
        # A card that is called as a class of cards is, is told from the class.
        classes = {self.vocabulary.label(one, code) for one in self.vocabulary.instances(core("Classifier"))}
        names = {iri: f"“{name}”" if name in classes else name for iri, name in scene.names.items()}
        for reference in references:
            for node, _, words in reference.graph.mentions:
                names[node.value] = "the text"
                names.update({word_node.value: f"the word “{word.spelling}”" for word_node, word in words})
        self.name = NameOf(self.vocabulary, code, names)
        self.origin = Origin(scene.base, scene.moment.stated if scene.moment else None)

    def proof(self, proof: Proof) -> Step:
        """Return the steps of a proof."""
        if proof.walk is not None:
            origin = self.origin.of_text(proof.walk[0])
            return Step(self.parts(proof.walk), "fact", origin=origin, fact=_ends(proof.walk))
        assert proof.fact is not None
        text = self.fact(proof.fact)
        if proof.rule is None:
            return Step(text, "fact", origin=self.origin.of(proof.fact), fact=proof.fact)
        if proof.repeated:
            return Step(text, "fact", proof.rule, origin="as above", fact=proof.fact)
        steps: list[Step] = [self.proof(premise) for premise in proof.premises if not self._is_silent(premise)]
        steps += [self._absence(absence) for absence in dict.fromkeys(proof.absences) if absence.telling]
        for defeat in proof.defeats:
            loser, winner = defeat.loser.rule, defeat.winner.rule
            why = f"not “{self.fact(defeat.fact)}” by {loser.id}: {winner.id} {BASES[defeat.basis]}"
            steps.append(Step(why, "defeat", loser))
        return Step(text, "fact", proof.rule, steps=tuple(steps), fact=proof.fact)

    def _is_silent(self, premise: Proof) -> bool:
        """Return whether a premise holds by construction (a word is in its text, a class is at or below itself)."""
        if premise.walk is not None:
            return premise.walk[0] == premise.walk[2]
        if premise.fact is None or premise.fact.predicate not in SILENT:
            return False
        return not premise.defeats and all(self._is_silent(inner) for inner in premise.premises)

    def _absence(self, absence: Absence) -> Step:
        telling = [parts for parts in absence.patterns if decode(parts[1]) not in SILENT]
        first, *more = telling or absence.patterns
        lack = "" if more else self._lack(first)
        if lack.startswith("no"):
            return Step(lack, "absence")
        said = [self.parts(first), *(self.parts(parts, "it") for parts in more)]
        return Step(f"nothing says that {' and '.join(said)}", "absence")

    def fact(self, fact: ox.Triple) -> str:
        """Return a fact as a sentence."""
        return self.parts((str(fact.subject), str(fact.predicate), str(fact.object)))

    def parts(self, parts: tuple[str, str, str], unknown: str = "something") -> str:
        """Return three parts of a pattern (as text) as a sentence; a place that is open is called `unknown`."""
        verb = decode(parts[1])
        subject, value = (unknown if part.startswith("?") else self.name(decode(part)) for part in (parts[0], parts[2]))
        predicates = verb.predicates if isinstance(verb, Path) else ()
        if verb == TYPE and not parts[2].startswith("?") and decode(parts[2]) not in self.name.of_cards:
            return f"{subject} is {with_article(value)}"
        if isinstance(verb, Path) and predicates == (SUBCLASS.value,):
            return f"{subject} is {'at or below' if '*' in verb.text else 'below'} {value}"
        if isinstance(verb, ox.NamedNode) or len(predicates) == 1:
            predicate = verb if isinstance(verb, ox.NamedNode) else ox.NamedNode(predicates[0])
            return say_parts(subject, predicate, value, self.vocabulary)
        over = ", ".join(self.vocabulary.label(one) for one in predicates if one != ANY_PREDICATE)
        return f"{subject} is linked to {value}" + (f" ({over})" if over else "")

    def not_so(self, parts: tuple[str, str, str]) -> str:
        """Return that a pattern (as text) has no match, as a sentence."""
        return self._lack(parts) or f"{NOT_SO}{self.parts(parts)}"

    def silence(self, parts: tuple[str, str, str], denial: str) -> str:
        """Return who would have to say what a pattern (as text) says, and does not, so that there is the `denial`."""
        subject = None if parts[0].startswith("?") else decode(parts[0])
        is_term = isinstance(subject, ox.NamedNode) and self.origin.of_iri(subject.value).startswith("term:")
        who = "no term" if is_term else "nothing printed, given or seen"
        return f"{who} says {'so' if denial.startswith(NOT_SO) else 'otherwise'}"

    def _lack(self, parts: tuple[str, str, str]) -> str:
        """Return that nothing fills the one open place of a pattern; "" where there is no plain way to say it."""
        predicate = decode(parts[1])
        if not isinstance(predicate, ox.NamedNode):
            return ""
        subject, value = ("" if part.startswith("?") else self.name(decode(part)) for part in (parts[0], parts[2]))
        return say_lack(subject, predicate, value, self.vocabulary)


def _ends(walk: tuple[str, str, str]) -> ox.Triple | None:
    """Return the fact that a walk over one predicate amounts to."""
    pattern = pattern_from_text(walk)
    predicates = pattern.verb.predicates if isinstance(pattern.verb, Path) else ()
    if len(predicates) != 1 or predicates[0] == ANY_PREDICATE:
        return None
    return Pattern(pattern.subject, ox.NamedNode(predicates[0]), pattern.object).instance({})


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
        return replace(step, steps=(Step(f"… {counted(hidden, 'more step')} (--full)", "fold"),))
    return replace(step, steps=tuple(_fold(inner, depth - 1) for inner in step.steps))
