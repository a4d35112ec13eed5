"""What happens to the match itself: turns and steps begin, a player leaves or draws, effects are over. No rule is here.

What an event ends, takes away or moves, and whether it does anything at all, is asked of the rules.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pyoxigraph as ox

from reasoner.situation.events import Event
from reasoner.situation.state import Match, Object, State, boolean
from reasoner.terms.namespaces import core

TRUE = boolean(True)
# What rules have concluded of an event: property and value.
Concluded = Collection[tuple[ox.NamedNode, object]]


def is_of_match(event: Event) -> bool:
    """Return whether an event happens to the match and not to one object."""
    return core("MatchEvent") in event.kind.above


def after_match_event(event: Event, after: State, concluded: Concluded) -> State:
    """Return the state after an event of the match of which rules have concluded this."""
    kept = tuple(one for one in after.effects if (core("endsEffect"), one.iri) not in concluded)
    gone = {value for prop, value in concluded if prop == core("takesAway")}
    objects = tuple(replace(one, current=False) if one.iri in gone else one for one in after.objects)
    after = replace(after, effects=kept, objects=objects)
    if after.match is None:
        return after
    if (core("hasNoEffect"), TRUE) in concluded:
        return replace(after, event=(*after.event, ox.Triple(event.iri, core("hasNoEffect"), TRUE)))
    return replace(after, match=_next(event, after.match))


def drawn(event: Event, state: State, concluded: Concluded) -> tuple[Object, ox.NamedNode] | None:
    """Return the object that an event of the match moves, and the zone to which it does, as the rules say."""
    found = {prop: value for prop, value in concluded if prop in (core("moves"), core("movesTo"))}
    one = next((one for one in state.current if one.iri == found.get(core("moves"))), None)
    zone = found.get(core("movesTo"))
    return (one, zone) if one is not None and isinstance(zone, ox.NamedNode) else None


def placed(one: Object, end: object, state: State) -> Object:
    """Return the object at the top of the zone where it lies, or at its bottom if that is the `end` it goes to."""
    ranks = [other.rank for other in state.current if other.zone == one.zone and other.iri != one.iri] or [0]
    return replace(one, rank=max(ranks) + 1 if end == core("Bottom") else min(ranks) - 1)


def _next(event: Event, match: Match) -> Match:
    player, step, leaver = (event.first(core(name)) for name in ("beginsTurnOf", "beginsStep", "leavesMatch"))
    if isinstance(player, ox.NamedNode):
        match = replace(match, active=player, turn=match.turn + 1, step=None)
    if isinstance(step, ox.NamedNode):
        match = replace(match, step=step)
    if isinstance(leaver, ox.NamedNode):
        match = replace(match, left=(*match.left, leaver))
    return match
