"""Trying texts and situations on two rules: do they disagree, and does the answer to some question depend on it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyoxigraph as ox

from reasoner.engine.pattern import Signature
from reasoner.errors import TextError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.language.mention import Reading
from reasoner.operations.asking import characteristic_fields
from reasoner.operations.checks.candidates import Pair
from reasoner.operations.checks.generate import MOST_CHOICES, Situation
from reasoner.operations.checks.materials import FIRST, Cards
from reasoner.operations.checks.phrases import Text, words_of
from reasoner.operations.checks.playing import answers
from reasoner.operations.checks.quantities import Compared, compare, in_part
from reasoner.operations.checks.trials import Found, Met, Trials
from reasoner.operations.match import judge_all
from reasoner.operations.scene import Referent
from reasoner.reference.interpret import Reference, interpret
from reasoner.reference.mentiongraph import NOWHERE, Context, describe
from reasoner.situation.play import Play
from reasoner.terms.namespaces import core

MOST_TELLING = 3  # cards on which the answers over the pool differ
_MEANS_QUANTITY = core("meansQuantity").value


class Seeker:
    """Seeks witnesses for the pairs of rules of one game."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.trials = Trials(base)
        self._fields = characteristic_fields(base)
        self._compared: dict[frozenset[ox.NamedNode], tuple[Compared, ...]] = {}

    def attempts(self, pair: Pair) -> Iterator[Found | None]:
        """Yield the outcome of each trial for `pair`: a witness, or None."""
        trials = self.trials
        wanted = trials.demands.of(pair.rules, pair.predicate)
        if pair.rules[0] in self.base.programs.state.rules:
            for situation in trials.generator.situations(wanted):
                yield self._about_object(pair, situation)
            return
        for text in trials.texts.texts(wanted.needs):
            yield from self._about_text(pair, text)
        of_text = frozenset(one for one in wanted.needs if one[0] in trials.texts.predicates)
        stated = wanted.needs - of_text
        if any(stated <= printed for printed in trials.materials.facts.values()):
            return  # no situation states what the pool does not

        def has_text(cards: Cards) -> bool:
            return any(of_text <= text.gives for text in trials.texts.printed(cards))

        for situation in trials.generator.situations(replace(wanted, needs=stated), has_text):
            yield self._about_text_in(pair, situation, of_text)

    # --- conclusions about objects

    def _about_object(self, pair: Pair, situation: Situation) -> Found | None:
        play = self.trials.play(situation)
        met = self.trials.met(pair, play.now.inference.conflicts) if play else None
        if play is None or met is None:
            return None
        piece = next((one.piece for one in play.now.objects if one.iri == met.conflict.subject), None)
        if piece is None:
            return None
        asked = {"characteristics": piece, **dict.fromkeys(self._fields, "")}
        sides = [self.trials.asked_under(side, situation, asked) for side in self.trials.sides(met)]
        differing = [key for key in self._fields if sides[0].get(key) != sides[1].get(key)]
        differing.sort(key=lambda key: self._fields[key].value != pair.predicate)
        chosen = (differing or [key for key, prop in self._fields.items() if prop == core("hasName")])[0]
        now = answers(play, asked)
        assert now is not None  # every object can be asked for its characteristics
        told = [f"{chosen} of {piece} is {side.get(chosen, '').strip('[]') or 'none'}" for side in sides]
        names = {one.iri.value: one.piece for one in play.now.state.objects}
        expect = {"characteristics": piece, chosen: _value(now.answers[chosen])}
        return self.trials.found(met, names, situation, expect, told if differing else ())

    # --- conclusions about texts

    def _about_text(self, pair: Pair, text: Text) -> Iterator[Found | None]:
        self.trials.count += 1
        for number, reading in enumerate(text.phrase.readings, 1):
            reference = self._interpreted(reading, Context(text.bearer, text.ability), self.base)
            met = self.trials.met(pair, reference.conflicts) if reference else None
            if reference is not None and met is not None:
                if pair.predicate == _MEANS_QUANTITY:
                    yield self._by_number(met, text)
                else:
                    yield from self._with_cards(met, text, number, reference)
                return
        yield None

    def _interpreted(self, reading: Reading, context: Context, base: KnowledgeBase) -> Reference | None:
        try:
            return interpret(reading, context, base, self.trials.pool.stages[0].surroundings)
        except TextError:
            return None

    def _with_cards(self, met: Met, text: Text, number: int, reference: Reference) -> Iterator[Found | None]:
        """Yield what shows of a disagreement about a text: with its bearer alone, then with cards that might tell."""
        alone = (text.bearer,) if text.bearer else ()
        others = [(*alone, other) for other in self._telling(met, reference)]
        expect = _question(text, FIRST if text.bearer else "", number)
        for choices in range(MOST_CHOICES + 1):
            for cast in ([alone], others):
                for situation in self.trials.generator.arranged(cast, (), choices) if cast else ():
                    play = self.trials.play(situation)
                    yield self._answered(met, text, number, situation, play, expect) if play else None

    def _telling(self, met: Met, reference: Reference) -> list[ox.NamedNode]:
        """Return cards of the pool about which the answers differ with the side, first the bearer of the text."""
        context, pool = reference.context, self.trials.pool
        read = [self._interpreted(reference.reading, context, side) for side in self.trials.sides(met)]
        sides = [(one,) * len(pool.stages) for one in read if one is not None]
        cards = dict.fromkeys((*((context.bearer,) if context.bearer else ()), *self.trials.materials.cards))
        referents = (Referent(card, "", "") for card in cards)
        telling = (one.iri for one in referents if len({judge_all(pool, side, one).answer for side in sides}) > 1)
        return list(telling)[:MOST_TELLING]

    def _about_text_in(self, pair: Pair, situation: Situation, needs: frozenset[Signature]) -> Found | None:
        play = self.trials.play(situation)
        for piece, text in self._texts_in(play) if play else ():
            for number in range(1, len(text.phrase.readings) + 1) if needs <= text.gives else ():
                expect = _question(text, piece, number)
                asked = answers(play, expect) if play else None
                met = self.trials.met(pair, asked.conflicts) if asked else None
                if play is not None and met is not None:
                    return self._answered(met, text, number, situation, play, expect)
        return None

    def _texts_in(self, play: Play) -> Iterator[tuple[str, Text]]:
        """Yield the printed references on each object, those of abilities that it copied included."""
        for one in play.now.objects:
            of_it = (e.facts for e in play.now.state.effects if any(fact.object == one.iri for fact in e.facts))
            copied = {fact.object for facts in of_it for fact in facts if fact.predicate == core("copiesAbility")}
            for text in self.trials.texts.printed(self.base.cards):
                if text.bearer == one.card or text.ability in copied:
                    yield one.piece, text

    def _answered(
        self, met: Met, text: Text, number: int, situation: Situation, play: Play, expect: Mapping[str, Any]
    ) -> Found | None:
        asked = [answers(play, expect, side) for side in (self.base, *self.trials.sides(met))]
        now, one, other = (dict(found.answers) if found else {} for found in asked)
        differing = sorted(piece for piece in {*one, *other} if one.get(piece) != other.get(piece))
        told = [", ".join(f"{piece}: {side.get(piece, 'no')}" for piece in differing) for side in (one, other)]
        wanted = {**expect, "members": now}
        return self.trials.found(met, self._names(text, number), situation, wanted, told if differing else ())

    def _names(self, text: Text, number: int) -> dict[str, str]:
        return words_of(describe(text.phrase.readings[number - 1], NOWHERE, self.base.iri), text.phrase.wording)

    # --- conclusions about numbers

    def _by_number(self, met: Met, text: Text) -> Found | None:
        given = [self.base.vocabulary.first(fact.object, core("isGivenBy")) for fact in met.disagreement.facts]
        sides = [prop for prop in given if isinstance(prop, ox.NamedNode)]
        compared = self._comparisons(sides) if len(sides) == 2 else ()
        first = next((one for one in compared if not one.same), next(iter(compared), None))
        if first is None:
            return None
        question = _question(text, "", 1)
        expect = {"value": question.pop("match"), "of": first.piece, **question}
        play = self.trials.play(first.situation)
        asked = answers(play, expect) if play else None
        told = [f"“{text.phrase.wording}” of {first.piece} is {first.numbers[prop]}" for prop in sides]
        wanted = {**expect, "is": _value(asked.answers["value"]) if asked else "none"}
        found = self.trials.found(met, self._names(text, 1), first.situation, wanted, () if first.same else told)
        return replace(found, partly=in_part(compared), compared=tuple(one.told(self.base) for one in compared))

    def _comparisons(self, quantities: Sequence[ox.NamedNode]) -> tuple[Compared, ...]:
        key = frozenset(quantities)
        if key not in self._compared:
            self._compared[key] = compare(self.trials, sorted(key, key=str))
        return self._compared[key]


def _question(text: Text, bearer: str, number: int) -> dict[str, Any]:
    reading = {"reading": number} if len(text.phrase.readings) > 1 else {}
    return {"match": text.phrase.wording, **({"on": bearer} if bearer else {}), **reading}


def _value(answer: str) -> Any:
    """Return an answer as a case has it: one value, or a list where there is not exactly one."""
    if answer.startswith("["):
        values = [_value(one) for one in answer[1:-1].split(", ")] if answer != "[]" else []
        return values[0] if len(values) == 1 else values
    return int(answer) if answer.removeprefix("-").isdecimal() else answer
