"""What if: events applied to a situation, and which references gain and lose which objects by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from reasoner.errors import CaseError, TextError, UseError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.yamlfile import Mapping, read_yaml
from reasoner.operations.casefile import read_case
from reasoner.operations.cases import play_until
from reasoner.operations.context import context_in
from reasoner.operations.match import Match, match
from reasoner.operations.scene import moment_scene
from reasoner.situation.play import Moment, Play
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import core


@dataclass(frozen=True)
class Change:
    """An object whose answer to a text (standing on the object `on`, if any) differs after the events."""

    text: str
    on: str | None
    reading: str
    id: str
    before: str
    after: str


def what_if(
    base: KnowledgeBase, situation: Path, events: Sequence[str], texts: Sequence[str], moment: int | None = None
) -> tuple[Change, ...]:
    """Return every answer that the `events` (YAML, as in a case file) change, by text and id.

    Without `texts` the references printed on the cards in play are watched, each on its own object.

    Raises:
        CaseError: the situation or an event is wrong.
        TextError: a text can't be read.
    """
    case = read_case(situation, base.library.games())
    if case.game != base.game:
        raise UseError(
            "U106", f"the situation is of the game '{case.game}', not '{base.game}'", place=case.place("game")
        )
    play = play_until(case, base, moment)
    before = play.now
    for text in events:
        event = read_yaml(Path("--do"), CaseError, text)
        if not isinstance(event, Mapping):
            raise CaseError(
                "C103", f"'{text}' is no event", hint="write it as in a case file: --do '{move: x, to: ZONE}'"
            )
        play.do(event)
    watched = [(text, None) for text in texts] or _printed(play)
    return tuple(change for text, on in watched for change in _changes(text, on, play.base, before, play.now))


def _printed(play: Play) -> list[tuple[str, str | None]]:
    cards, store = play.base.base[-1], play.store
    owners: dict[ox.NamedNode, list[str]] = {}
    for one in play.moments[0].objects:
        owners.setdefault(one.card, []).append(one.piece)
    card_of = {ability: card for card, ability in pairs(store, core("hasAbility"), cards)}
    wordings = dict(pairs(store, core("hasWording"), cards))
    found = [
        (wordings[reference].value, piece)
        for reference, ability in pairs(store, core("isReferenceOf"), cards)
        for piece in owners.get(card_of[ability], ())
    ]
    return sorted(set(found))


def _changes(text: str, on: str | None, base: KnowledgeBase, before: Moment, after: Moment) -> list[Change]:
    first, second = (_match(text, on, base, moment) for moment in (before, after))
    changes = []
    shown = first or second
    for index, reading in enumerate(shown.readings if shown else ()):
        old, new = (
            {m.referent.id: str(m.answer) for m in found.readings[index].members} if found else {}
            for found in (first, second)
        )
        names = [name for name in sorted({*old, *new}) if old.get(name, "no") != new.get(name, "no")]
        changes += [Change(text, on, reading.words, one, old.get(one, "no"), new.get(one, "no")) for one in names]
    return changes


def _match(text: str, on: str | None, base: KnowledgeBase, moment: Moment) -> Match | None:
    if on is not None and moment.state.find(on) is None:
        return None
    scene = moment_scene(base, moment)
    try:
        return match(scene, text, context_in(scene, text, on))
    except TextError:
        if on is None:
            raise
        return None
