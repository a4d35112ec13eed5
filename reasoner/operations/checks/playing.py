"""Generated situations played, asked and written down as a case file has them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from reasoner.engine.program import Program
from reasoner.engine.rule import Rule
from reasoner.errors import CaseError, TextError
from reasoner.knowledge.base import LATEST, KnowledgeBase
from reasoner.knowledge.yamlfile import read_yaml
from reasoner.operations.asking import Asked, ask
from reasoner.operations.checks.generate import Situation
from reasoner.situation.play import Play

Event = tuple[tuple[str, str | int], ...]
_NAME = "witness"
_FILE = Path("witness.yaml")
_PLAIN = re.compile(r"\w(?:[\w .:/-]*\w)?")
_NOT_TEXT = re.compile(r"true|false|null|[-+]?[.\d][\d.eE+-]*|.*: .*", re.IGNORECASE)


class Player:
    """Plays situations one after the other, all in one store; what two in a row have in common is played once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self._store = ox.Store()
        self._store.extend(base.base_quads)
        self._played: tuple[KnowledgeBase, str] | None = None
        self._events: list[Event] = []
        self._play: Play | None = None

    def play(self, situation: Situation, base: KnowledgeBase | None = None) -> Play | None:
        """Return the situation after all its events, until the next call; None if something in it can't be.

        `base` has other rules than the usual ones.
        """
        chosen = base or self.base
        given = flow(given_of(situation, self.base))
        if self._play is None or self._played != (chosen, given):
            self._begin(chosen, given)
        if self._play is None:
            return None
        kept = 0
        while kept < min(len(self._events), len(situation.events)) and self._events[kept] == situation.events[kept]:
            kept += 1
        _rewind(self._play, kept)
        del self._events[kept:]
        try:
            for event in situation.events[kept:]:
                self._play.do(_read(flow(dict(event))))
                self._events.append(event)
        except CaseError:
            return None
        return self._play

    def _begin(self, base: KnowledgeBase, given: str) -> None:
        for name in list(self._store.named_graphs()):
            if name not in self.base.base:
                self._store.remove_graph(name)
        self._play, self._played, self._events = None, (base, given), []
        try:
            self._play = Play(base, _NAME, _read(given), store=self._store)
        except CaseError:
            return


def _rewind(play: Play, number: int) -> None:
    """Forget the moments of `play` after the one with `number`."""
    for moment in play.moments[number + 1 :]:
        for name in (moment.graph, *(branch.graph for branch in moment.inference.branches)):
            play.store.remove_graph(name)
    del play.moments[number + 1 :]


def answers(play: Play, expect: Mapping[str, Any], base: KnowledgeBase | None = None) -> Asked | None:
    """Return the answers to what `expect` asks, under the reference rules of `base`; None if it can't be asked."""
    own, play.base = play.base, base or play.base
    try:
        return ask(_read(flow(expect)), play)
    except (CaseError, TextError):
        return None
    finally:
        play.base = own


def prevailing(base: KnowledgeBase, winner: Rule, rivals: Iterable[str]) -> KnowledgeBase:
    """Return `base` with the rule `winner` set over the rules `rivals`, whatever is said there."""
    below = frozenset(rivals) - {winner.id}

    def ranked(rule: Rule) -> Rule:
        header = rule.header
        if rule.id == winner.id:
            return replace(rule, header=replace(header, exception_to=tuple(sorted({*header.exception_to, *below}))))
        if rule.id not in below:
            return rule
        excepted, outranked = (
            tuple(one for one in ids if one != winner.id) for ids in (header.exception_to, header.more_specific_than)
        )
        return replace(rule, header=replace(header, exception_to=excepted, more_specific_than=outranked))

    def under(program: Program) -> Program:
        components = (replace(one, rules=tuple(map(ranked, one.rules))) for one in program.components)
        return replace(program, components=tuple(components))

    return replace(
        base,
        programs=replace(base.programs, state=under(base.programs.state), reference=under(base.programs.reference)),
    )


# --- as a case file


def given_of(situation: Situation, base: KnowledgeBase) -> dict[str, list[dict[str, Any]]]:
    """Return the objects of `situation` as the `given:` of a case."""
    given: dict[str, list[dict[str, Any]]] = {}
    for one in situation.objects:
        status = dict([one.status]) if one.status else {}
        given.setdefault(one.zone, []).append({"id": one.piece, "card": card_word(one.card, base), **status})
    return given


def card_word(card: ox.NamedNode, base: KnowledgeBase) -> str:
    """Return how a case names `card`: by its name, or by its id where several share the name."""
    name = base.card_names[card.value]
    return name if list(base.card_names.values()).count(name) == 1 else card.value.rsplit("/", 1)[1]


def written(situation: Situation, expect: Mapping[str, Any], cites: Sequence[str], base: KnowledgeBase) -> str:
    """Return the case file with `situation` in which `expect` is asked at the end."""
    lines = [f"game: {base.game}", f"title: {flow(' against '.join(cites))}", f"cites: {flow(list(cites))}"]
    if base.edition != LATEST:
        lines.append(f"as-of: {flow(base.edition)}")
    given = given_of(situation, base)
    lines.append("given:" if given else "given: {}")
    for zone, objects in given.items():
        lines += [f"  {flow(zone)}:", *(f"    - {flow(one)}" for one in objects)]
    lines += ["steps:", *(f"  - do: {flow(dict(event))}" for event in situation.events), f"  - expect: {flow(expect)}"]
    return "\n".join(lines) + "\n"


def flow(value: Any) -> str:
    """Return plain data as YAML on one line, with quotation marks only where they are needed."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{flow(key)}: {flow(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and not _NOT_TEXT.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _read(text: str) -> Any:
    return read_yaml(_FILE, CaseError, text)
