"""Measures how long the order of effects takes: 40 objects, and ever more effects that depend on each other.

    python benchmarks/effects.py [--json] [--objects N]

Every effect gives the subtype that the next older one asks for, and the ages run against it, so that each waits for the
next one. Figures, not tests. "The order alone" is what effects add. "An event" is a whole one, in which a card goes to
the graveyard or comes back, with all that rules say of it; "the moment after it", a part of that, is the state with
everything that rules derive there. "Nothing known" is the first moment again, as if nothing were known of what
rules give; the texts have been read. Processor time, the least of several runs.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import cycle
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from timing import best

from reasoner.effects.declared import declared
from reasoner.effects.order import Resolution
from reasoner.game import load
from reasoner.knowledge.yamlfile import read_yaml
from reasoner.situation.play import Moment, Play
from reasoner.terms.namespaces import game_base

GAME, NUMBERS, RUNS = "mtg", (6, 12, 24, 48), 7


def situation(effects: int, objects: int, kinds: list[str]) -> dict[str, Any]:
    """Return the cards and the first state of a situation with so many effects in a row."""
    cards = [
        f"{{id: e{number}, name: Giver {number}, type: enchantment, "
        f"abilities: [{{id: a, scope: {kinds[number]} creatures, adds subtypes: {kinds[number + 1]}}}]}}"
        for number in range(effects)
    ]
    cards += [
        f"{{id: c{number}, name: Thing {number}, type: creature, "
        f"subtype: {kinds[number % effects]}, power: 1, toughness: 1}}"
        for number in range(objects - effects)
    ]
    names = [f"e{number}" for number in reversed(range(effects))] + [
        f"c{number}" for number in range(objects - effects)
    ]
    field = ", ".join(f"{{id: {name}, card: {name}, controller: me}}" for name in names)
    text = f"cards: [{', '.join(cards)}]\ngiven: {{players: [me], battlefield: [{field}]}}"
    return dict(read_yaml(Path("benchmark.yaml"), ValueError, text))  # type: ignore[arg-type]


def measure(effects: int, objects: int) -> dict[str, float]:
    """Return the figures for so many effects on so many objects."""
    base = load(GAME).base
    game = declared(base.vocabulary)
    assert game is not None
    terms = base.vocabulary.instances(ox.NamedNode(game_base(GAME) + "term/CreatureType"))
    names = [base.vocabulary.label(term) for term in terms]
    read = situation(effects, objects, [name for name in names if name.isalpha()])
    start = time.process_time()
    play = Play(base, "benchmark", read["given"], read["cards"], Path("benchmark.yaml"))  # type: ignore[arg-type]
    first = (time.process_time() - start) * 1000
    state, number = play.now.state, iter(range(1000, 2000))
    kept = play._kept
    assert kept is not None
    branch = play.now.inference.branches[0]
    found = [one for one in branch.records if isinstance(one, Resolution)]
    waiting = sum(bool(one.waited_for) for one in found[0].applications)
    told = play._effects_at(play.now.graph, play.now.state.triples(), state, kept)

    moments: list[float] = []
    settle = play._moment

    def timed_moment(*arguments: Any) -> Moment:
        begun = time.process_time()
        moment = settle(*arguments)
        moments.append((time.process_time() - begun) * 1000)
        return moment

    play._moment = timed_moment  # type: ignore[method-assign]

    def event() -> None:
        play.do(read_yaml(Path("benchmark.yaml"), ValueError, f"{{move: c0, to: {next(zones)}}}"))

    zones = cycle(("graveyard", "battlefield"))
    event()

    def moment() -> None:
        play._memo.known.clear()  # the same state again would be answered from what is kept
        play._memo.latest.clear()
        settle(state, next(number), read["given"], {})

    after = 1000 * best(event, RUNS)
    return {
        "effects": effects,
        "objects": objects,
        "that waited": waiting,
        "order alone, ms": 1000 * best(lambda: told.resolution(branch, game), RUNS),
        "an event, ms": after,
        "moment after it, ms": min(moments),
        "nothing known, ms": 1000 * best(moment, RUNS),
        "first time, ms": first,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--objects", type=int, default=40, help="how many objects there are (default 40)")
    arguments = parser.parse_args()
    rows = [measure(number, max(arguments.objects, number + 5)) for number in NUMBERS]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    print("  ".join(f"{name:>18}" for name in rows[0]))
    for row in rows:
        print("  ".join(f"{value:>18.1f}" if isinstance(value, float) else f"{value:>18}" for value in row.values()))


if __name__ == "__main__":
    main()
