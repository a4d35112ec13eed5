"""Values: the number a text such as "summoning cost" asks for, of one referent, with the rules that decide.

A referent for which the rules give no number has no value: that is an answer of its own, not zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from reasoner.engine.proof import Proof, prove
from reasoner.engine.rule import Rule
from reasoner.errors import TextError, close_to
from reasoner.language.grammar import read
from reasoner.operations.match import holds
from reasoner.operations.scene import Referent, Scene, Stage, explained
from reasoner.reference.answer import NO_VALUE, UNSETTLED
from reasoner.reference.interpret import Interpretation, Reference, interpret
from reasoner.reference.mentiongraph import NOWHERE, Context
from reasoner.terms.namespaces import core


@dataclass(frozen=True)
class Worth:
    """The value under one interpretation in one branch: `number` is None where the rules give none."""

    number: str | None
    quantity: ox.NamedNode
    meaning: Proof | None
    proof: Proof | None
    interpretation: Interpretation | None
    reference: Reference | None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules this value rests on, by id; general rules of the engine only where there are no others."""
        found = {rule.id: rule for proof in (self.meaning, self.proof) if proof for rule in proof.rules()}
        own = [rule for rule in found.values() if not rule.id.startswith("core:")]
        return tuple(sorted(own or found.values(), key=lambda rule: rule.id))

    def __str__(self) -> str:
        return NO_VALUE if self.number is None else self.number


@dataclass(frozen=True)
class ValueAnswer:
    """The value of `text` for `referent`: a number as text, "no-value" or "unsettled"; `worths` are its grounds."""

    text: str
    referent: Referent
    answer: str
    worths: tuple[Worth, ...]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules the answer rests on, by id."""
        found = {rule.id: rule for worth in self.worths for rule in worth.rules}
        return tuple(found[name] for name in sorted(found))

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        rules = [
            {"id": r.id, "source": f"{r.header.source} {r.header.section}", "edition": r.header.edition}
            for r in self.rules
        ]
        alternatives = [{"value": str(one), "rules": [rule.id for rule in one.rules]} for one in self.worths]
        answer: dict[str, Any] = {
            "text": self.text,
            "id": self.referent.id,
            "name": self.referent.name,
            "value": self.answer,
            "rules": rules,
        }
        return answer | ({"alternatives": alternatives} if self.answer == UNSETTLED else {})


def value(scene: Scene, text: str, referent: Referent, context: Context = NOWHERE) -> ValueAnswer:
    """Return the number that `text` asks for, of `referent`. `text` is card wording, or the name of a quantity.

    Raises:
        TextError: the text can't be read; T111 if it has several readings, T114 if it asks for no number. What
            quantities the game has is told with it.
    """
    scene = explained(scene, [referent.iri])
    vocabulary = scene.base.vocabulary
    labelled = sorted(vocabulary.labelled(core("Quantity")).get(text, ()), key=str)
    direct = [one for one in labelled if vocabulary.first(one, core("isGivenBy")) is not None]
    if direct:
        worths = [_worth(direct[0], None, None, None, stage, referent, scene) for stage in scene.stages]
    else:
        # What a quantity is that no characteristic gives is told by the rules, of its name on cards.
        wording = vocabulary.label(labelled[0], scene.base.language.code) if labelled else text
        try:
            worths = _worths_of_text(scene, wording, referent, context)
        except TextError as error:
            raise _with_quantities(error, text, scene) from None
    unique = tuple({(one.number, one.quantity): one for one in reversed(worths)}.values())[::-1]
    answers = {str(one) for one in unique}
    return ValueAnswer(text, referent, answers.pop() if len(answers) == 1 else UNSETTLED, unique)


def _with_quantities(error: TextError, text: str, scene: Scene) -> TextError:
    """Return `error` with the quantities of the game, and those among them that `text` looks like."""
    names = scene.base.vocabulary.labelled(core("Quantity"))
    shown: dict[ox.NamedNode, list[str]] = {}
    for name, quantities in sorted(names.items(), key=lambda pair: pair[0].casefold()):
        for one in quantities:
            shown.setdefault(one, []).append(name)
    listing = "; ".join(sorted(" or ".join(each) for each in shown.values()))
    known = f"quantities: {listing}" if listing else "the game has no quantities"
    return TextError(
        error.code,
        error.message,
        place=error.place,
        hint=f"{error.hint}; {known}" if error.hint else known,
        suggestions=close_to(text, names) or error.suggestions,
    )


def _worths_of_text(scene: Scene, text: str, referent: Referent, context: Context) -> list[Worth]:
    base = scene.base
    readings = read(text, base.lexicon, base.language)
    if len(readings) > 1:
        raise TextError("T111", f"'{text}' has {len(readings)} readings", hint="word it so that it has one")
    worths = []
    for stage in scene.stages:
        reference = interpret(readings[0], context, base, stage.surroundings)
        for one in reference.interpretations:
            if len(one.quantities) != 1:
                raise TextError(
                    "T114", f"'{text}' asks for no number", hint="cardlore match tells which cards a text means"
                )
            quantity, conclusion = one.quantities[0]
            stated = set(reference.graph.triples)
            known = stated | set(one.branch.supports)
            meaning = prove(conclusion, one.branch, lambda _: None, known.__contains__)
            worths.append(_worth(quantity, meaning, one, reference, stage, referent, scene))
    return worths


def _worth(
    quantity: ox.NamedNode,
    meaning: Proof | None,
    interpretation: Interpretation | None,
    reference: Reference | None,
    stage: Stage,
    referent: Referent,
    scene: Scene,
) -> Worth:
    characteristic = scene.base.vocabulary.first(quantity, core("isGivenBy"))
    facts = stage.view.facts_of(referent.iri, characteristic.value) if isinstance(characteristic, ox.NamedNode) else []
    if not facts:
        return Worth(None, quantity, meaning, None, interpretation, reference)
    proof = prove(facts[0], stage.branch, lambda _: None, holds(stage)) if stage.branch else None
    number = facts[0].object
    return Worth(
        number.value if isinstance(number, ox.Literal) else str(number),
        quantity,
        meaning,
        proof,
        interpretation,
        reference,
    )
