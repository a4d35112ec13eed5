"""Trying texts and situations on two rules: do they disagree, and does the answer to some question depend on it?

What would hold if one of the two were followed is told by the same rules with that one set over its rivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pyoxigraph as ox

from reasoner.engine.pattern import Signature
from reasoner.engine.precedence import Conflict
from reasoner.errors import TextError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.asking import characteristic_fields
from reasoner.operations.checks.candidates import Demands, Disagreement, Pair, disagreements, heard
from reasoner.operations.checks.generate import FIRST, MOST_CHOICES, Generator, Situation
from reasoner.operations.checks.phrases import Text, Texts, words_of
from reasoner.operations.checks.playing import Player, answers, prevailing, written
from reasoner.operations.checks.quantities import Compared, compare, in_part
from reasoner.operations.match import judge_all
from reasoner.operations.scene import Referent, Scene, pool_scene
from reasoner.reference.interpret import Reference, Surroundings, interpret
from reasoner.reference.mentiongraph import Context
from reasoner.situation.play import Play
from reasoner.terms.namespaces import core

MOST_TELLING = 3  # cards on which the answers over the pool differ
_MEANS_QUANTITY = core("meansQuantity").value


@dataclass(frozen=True)
class Found:
    """A pair of rules that do disagree: how, in which case, and what is answered if the one or the other is followed.

    `names` is how to call what the conclusions are about; `shows`: the answers differ; `partly` and
    `compared` tell where they do not, of two quantities.
    """

    pair: Pair
    disagreement: Disagreement
    names: Mapping[str, str]
    situation: Situation
    case: str
    says: tuple[str, ...]
    partly: str = ""
    compared: tuple[str, ...] = ()

    @property
    def shows(self) -> bool:
        return bool(self.says)

    @property
    def rank(self) -> tuple[bool, int, str]:
        """What to prefer one witness to another by: it shows, then it is the smaller."""
        return not self.shows, len(self.situation.objects) + len(self.situation.events), self.case


Met = tuple[Disagreement, Conflict]
Attempt = Found | None


class Seeker:
    """Tries texts and situations for one pair after the other; `trials` counts them all."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.generator = Generator(base)
        self.texts = Texts(base, self.generator.facts, self.generator.cards)
        self.demands = Demands(base.programs.rules, self.generator.given, self.generator.of_referents)
        self.trials = 0
        self._player, self._other_player = Player(base), Player(base)
        self._fields = characteristic_fields(base)
        self._compared: dict[frozenset[ox.NamedNode], tuple[Compared, ...]] = {}

    def attempts(self, pair: Pair) -> Iterator[Attempt]:
        """Yield the outcome of each trial for `pair`: a witness, or None."""
        wanted = self.demands.of(pair.rules, pair.predicate)
        if pair.rules[0] in self.base.programs.state.rules:
            for situation in self.generator.situations(wanted):
                yield self._about_object(pair, situation)
            return
        for text in self.texts.texts(wanted.needs):
            yield from self._about_text(pair, text)
        of_text = frozenset(one for one in wanted.needs if one[0] in self.texts.predicates)
        stated = wanted.needs - of_text
        if any(stated <= printed for printed in self.generator.facts.values()):
            return  # then the texts above were all

        def has_text(cards: tuple[ox.NamedNode, ...]) -> bool:
            return any(of_text <= text.gives for text in self.texts.printed(cards))

        for situation in self.generator.situations(replace(wanted, needs=stated), has_text):
            yield from self._about_text_in(pair, situation, of_text)

    def play(self, situation: Situation) -> Play | None:
        """Return `situation` played until the next call, or None if it can't be."""
        self.trials += 1
        return self._player.play(situation)

    # --- conclusions about objects

    def _about_object(self, pair: Pair, situation: Situation) -> Attempt:
        play = self.play(situation)
        met = self._met(pair, play.now.inference.conflicts) if play else None
        if play is None or met is None:
            return None
        piece = next((one.piece for one in play.now.objects if one.iri == met[1].subject), "")
        if not piece:
            return None
        sides = [self._characteristics(side, situation, piece) for side in self._sides(met)]
        differing = [key for key in self._fields if sides[0].get(key) != sides[1].get(key)]
        differing.sort(key=lambda key: self._fields[key].value != pair.predicate)
        chosen = (differing or [key for key, prop in self._fields.items() if prop == core("hasName")])[0]
        expect = {"characteristics": piece, chosen: ""}
        now = answers(play, expect)
        assert now is not None  # every object can be asked for its characteristics
        expect[chosen] = _value(now.answers[chosen])
        told = [f"{chosen} of {piece} is {side.get(chosen, 'none').strip('[]') or 'none'}" for side in sides]
        names = {one.iri.value: one.piece for one in play.now.state.objects}
        return self._found(pair, met, names, situation, expect, told if differing else ())

    def _characteristics(self, side: KnowledgeBase, situation: Situation, piece: str) -> Mapping[str, str]:
        play = self._other_player.play(situation, side)
        asked = answers(play, {"characteristics": piece, **dict.fromkeys(self._fields, "")}) if play else None
        return asked.answers if asked else {}

    # --- conclusions about texts

    def _about_text(self, pair: Pair, text: Text) -> Iterator[Attempt]:
        self.trials += 1
        for number, reading in enumerate(text.phrase.readings, 1):
            try:
                reference = interpret(reading, Context(text.bearer, text.ability), self.base, self._around)
            except TextError:
                continue
            met = self._met(pair, reference.conflicts)
            if met is not None:
                names = words_of(reference.graph, text.phrase.wording)
                if pair.predicate == _MEANS_QUANTITY:
                    yield self._by_number(pair, met, names, text)
                else:
                    expect = _question(text, FIRST if text.bearer else "", number)
                    yield from self._with_cards(pair, met, names, reference, expect)
                return
        yield None

    def _with_cards(
        self, pair: Pair, met: Met, names: Mapping[str, str], reference: Reference, expect: dict[str, Any]
    ) -> Iterator[Attempt]:
        """Yield what shows of a disagreement about a text: with its bearer alone, then with cards that might tell."""
        sides = self._sides(met)
        bearer = reference.context.bearer
        alone = (bearer,) if bearer else ()
        others = [(*alone, other) for other in self._telling(reference, sides)]
        for choices in range(MOST_CHOICES + 1):
            for cast in ([alone], others):
                for situation in self.generator.arranged(cast, (), choices) if cast else ():
                    play = self.play(situation)
                    yield self._answered(pair, met, names, situation, play, expect) if play else None

    def _telling(self, reference: Reference, sides: Sequence[KnowledgeBase]) -> list[ox.NamedNode]:
        """Return cards of the pool about which the answers differ with the side, first the bearer of the text."""
        read = [interpret(reference.reading, reference.context, side, self._around) for side in sides]
        own = (reference.context.bearer,) if reference.context.bearer else ()
        telling = []
        for card in dict.fromkeys((*own, *self.generator.cards)):
            every = ((one,) * len(self._pool.stages) for one in read)
            if len({judge_all(self._pool, one, Referent(card, "", "")).answer for one in every}) > 1:
                telling.append(card)
        return telling[:MOST_TELLING]

    def _about_text_in(self, pair: Pair, situation: Situation, needs: frozenset[Signature]) -> Iterator[Attempt]:
        play = self.play(situation)
        for piece, text in self._texts_in(play) if play else ():
            for number in range(1, len(text.phrase.readings) + 1) if needs <= text.gives else ():
                expect = _question(text, piece, number)
                asked = answers(play, expect) if play else None
                met = self._met(pair, asked.conflicts) if asked else None
                found = self._answered(pair, met, {}, situation, play, expect) if play and met else None
                if found is not None:
                    yield found
        yield None

    def _texts_in(self, play: Play) -> Iterator[tuple[str, Text]]:
        """Yield the printed references on each object, those of abilities that it copied included."""
        for one in play.now.objects:
            of_it = (e.facts for e in play.now.state.effects if any(fact.object == one.iri for fact in e.facts))
            copied = {fact.object for facts in of_it for fact in facts if fact.predicate == core("copiesAbility")}
            for text in self.texts.printed(self.base.cards):
                if text.bearer == one.card or text.ability in copied:
                    yield one.piece, text

    def _answered(
        self, pair: Pair, met: Met, names: Mapping[str, str], situation: Situation, play: Play, expect: dict[str, Any]
    ) -> Attempt:
        asked = [answers(play, expect, side) for side in (self.base, *self._sides(met))]
        now, one, other = (dict(found.answers) if found else {} for found in asked)
        differing = sorted(piece for piece in {*one, *other} if one.get(piece) != other.get(piece))
        told = [", ".join(f"{piece}: {side.get(piece, 'no')}" for piece in differing) for side in (one, other)]
        return self._found(pair, met, names, situation, expect | {"members": now}, told if differing else ())

    # --- conclusions about numbers

    def _by_number(self, pair: Pair, met: Met, names: Mapping[str, str], text: Text) -> Attempt:
        given = [self.base.vocabulary.first(fact.object, core("isGivenBy")) for fact in met[0].facts]
        one, other = (prop if isinstance(prop, ox.NamedNode) else None for prop in given)
        if one is None or other is None:
            return None
        key = frozenset((one, other))
        if key not in self._compared:
            self._compared[key] = compare(self.base, self.generator, self.demands, self.play, sorted(key, key=str))
        compared = sorted(self._compared[key], key=lambda each: each.same)
        if not compared:
            return None
        first = compared[0]
        expect = _question(text, "", 1)
        expect = {"value": expect.pop("match"), "of": first.piece, **expect}
        play = self.play(first.situation)
        asked = answers(play, expect) if play else None
        told = [f"“{text.phrase.wording}” of {first.piece} is {first.numbers[prop]}" for prop in (one, other)]
        expect["is"] = _value(asked.answers["value"]) if asked else "none"
        found = self._found(pair, met, names, first.situation, expect, () if first.same else told)
        return replace(found, partly=in_part(compared), compared=tuple(each.told(self.base) for each in compared))

    # --- what they have in common

    @cached_property
    def _pool(self) -> Scene:
        return pool_scene(self.base)

    @property
    def _around(self) -> Surroundings:
        return self._pool.stages[0].surroundings

    def _met(self, pair: Pair, conflicts: Iterable[Conflict]) -> Met | None:
        for conflict in conflicts:
            for one in disagreements(conflict, self.base.vocabulary.exclusions):
                if pair.is_met_by(one):
                    return one, conflict
        return None

    def _sides(self, met: Met) -> tuple[KnowledgeBase, ...]:
        """Return what the rules come to if the first of the two is followed, and if the second is."""
        disagreement, conflict = met
        exclude = self.base.vocabulary.exclusions.exclude
        return tuple(
            prevailing(self.base, rule, [other.id for rival, other in heard(conflict) if exclude(fact, rival)])
            for rule, fact in zip(disagreement.rules, disagreement.facts, strict=True)
        )

    def _found(
        self,
        pair: Pair,
        met: Met,
        names: Mapping[str, str],
        situation: Situation,
        expect: Mapping[str, Any],
        told: Sequence[str],
    ) -> Found:
        rules = [rule.id for rule in met[0].rules]
        says = tuple(f"if {rule} is followed, {text}" for rule, text in zip(rules, told, strict=False))
        return Found(pair, met[0], names, situation, written(situation, expect, rules, self.base), says)


def _question(text: Text, bearer: str, number: int) -> dict[str, Any]:
    reading = {"reading": number} if len(text.phrase.readings) > 1 else {}
    return {"match": text.phrase.wording, **({"on": bearer} if bearer else {}), **reading}


def _value(answer: str) -> Any:
    """Return an answer as a case has it: one value, or a list where there is not exactly one."""
    if not answer.startswith("["):
        return answer
    values = answer[1:-1].split(", ") if answer != "[]" else []
    return values[0] if len(values) == 1 else values
