"""What trying texts and situations on two rules takes: playing, asking, and following the one rule or the other.

What would hold if one of the two were followed is told by the same rules with that one set over its rivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reasoner.engine.precedence import Conflict
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.checks.candidates import Demands, Disagreement, Pair, disagreements, heard
from reasoner.operations.checks.generate import Generator, Situation
from reasoner.operations.checks.materials import Materials
from reasoner.operations.checks.phrases import Texts
from reasoner.operations.checks.playing import Player, answers, prevailing, written
from reasoner.operations.scene import Scene, pool_scene
from reasoner.situation.play import Play


@dataclass(frozen=True)
class Found:
    """A pair of rules that do disagree: how, in which case, and what is answered if the one or the other is followed.

    `names` is how to call what the conclusions are about. Of two quantities `partly` and `compared` tell where they are
    the same number and where not.
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
        """Whether an answer depends on which of the two is followed."""
        return bool(self.says)

    @property
    def rank(self) -> tuple[bool, int, str]:
        """What to prefer one witness to another by: it shows, then it is the smaller."""
        return not self.shows, len(self.situation.objects) + len(self.situation.events), self.case


@dataclass(frozen=True)
class Met:
    """A disagreement of a pair of rules, and the conflict in which it was met."""

    pair: Pair
    disagreement: Disagreement
    conflict: Conflict


class Trials:
    """The materials of one game, and what is done with them; `count` is the number of trials so far."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.materials = Materials(base)
        self.generator = Generator(self.materials)
        self.texts = Texts(base, self.materials.facts, self.materials.cards)
        self.demands = Demands(base.programs.rules, self.materials.given, self.materials.of_referents)
        self.count = 0
        self._players = Player(base), Player(base)

    @cached_property
    def pool(self) -> Scene:
        """All cards, each standing for its copies."""
        return pool_scene(self.base)

    def play(self, situation: Situation) -> Play | None:
        """Return `situation` played until the next call, or None if it can't be."""
        self.count += 1
        return self._players[0].play(situation)

    def asked_under(self, side: KnowledgeBase, situation: Situation, expect: Mapping[str, Any]) -> dict[str, str]:
        """Return the answers to what `expect` asks in `situation` under other rules; none if it can't be asked."""
        play = self._players[1].play(situation, side)
        asked = answers(play, expect) if play else None
        return dict(asked.answers) if asked else {}

    def met(self, pair: Pair, conflicts: Iterable[Conflict]) -> Met | None:
        """Return where in `conflicts` the rules of `pair` disagree."""
        for conflict in conflicts:
            for one in disagreements(conflict, self.base.vocabulary.exclusions):
                if pair.is_met_by(one):
                    return Met(pair, one, conflict)
        return None

    def sides(self, met: Met) -> tuple[KnowledgeBase, KnowledgeBase]:
        """Return the rules under which the first of the two is followed, and those under which the second is."""
        exclude = self.base.vocabulary.exclusions.exclude
        first, second = (
            prevailing(self.base, rule, [other.id for rival, other in heard(met.conflict) if exclude(fact, rival)])
            for rule, fact in zip(met.disagreement.rules, met.disagreement.facts, strict=True)
        )
        return first, second

    def found(
        self, met: Met, names: Mapping[str, str], situation: Situation, expect: Mapping[str, Any], told: Sequence[str]
    ) -> Found:
        """Return the witness `situation`, in which `expect` is asked; `told` is what is answered on both sides."""
        rules = [rule.id for rule in met.disagreement.rules]
        says = tuple(f"if {rule} is followed, {text}" for rule, text in zip(rules, told, strict=False))
        return Found(met.pair, met.disagreement, names, situation, written(situation, expect, rules, self.base), says)
