"""Counts and times the abilities in card texts: `python benchmarks/abilities.py FILE…`.

Each FILE is in the format of MTGJSON, AtomicCards.json or a set, and may be compressed by gzip. Told are the shares of
each kind of ability, how many lines are in none, and how often the Japanese text holds the same kinds as the English.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import reasoner
from reasoner.abilities.model import Anatomy, Bearer
from reasoner.operations.abilities import AbilityReader
from reasoner.terms.namespaces import core, game_base

ROOT = Path(__file__).resolve().parent.parent
GAME = "mtg"


def main() -> None:
    """Read each file and print its figures."""
    reader = AbilityReader(reasoner.load(GAME, library=ROOT).base)
    for name in sys.argv[1:]:
        _tell(reader, Path(name))


def _records(path: Path) -> Iterator[dict[str, Any]]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    data = json.loads(raw)["data"]
    seen: set[tuple[str, str]] = set()
    for card in data["cards"] if "cards" in data else (one for group in data.values() for one in group):
        key = (card["name"], card.get("side", ""))
        if key not in seen:
            seen.add(key)
            yield card


def _tell(reader: AbilityReader, path: Path) -> None:
    labelled = reader.base.vocabulary.labelled(core("CardType"))
    types = {name.casefold(): {one.value for one in iris} for name, iris in labelled.items()}
    modal = f"{game_base(GAME)}term/ModalDoubleFaced"
    kinds: Counter[str] = Counter()
    texts = unread = compared = alike = 0
    spent = 0.0
    for card in _records(path):
        on = frozenset(iri for name in card["types"] for iri in types.get(name.casefold(), ()))
        layout = modal if card["layout"] == "modal_dfc" else ""
        begun = time.process_time()
        bearer = Bearer((card.get("faceName", card["name"]),), on, layout)
        english = reader.classifiers["en"](card.get("text") or "", bearer)
        spent += time.process_time() - begun
        texts += 1
        unread += len(english.unread())
        for one in english.abilities:
            label = reader.base.vocabulary.label(one.kinds[0])
            kinds[f"{label}, keyword" if one.keyword else label] += 1
        japanese = next((one for one in card.get("foreignData", ()) if one["language"] == "Japanese"), None)
        if japanese and japanese.get("text"):
            bearer = Bearer((japanese.get("faceName") or japanese["name"],), on, layout)
            other = reader.classifiers["ja"](japanese["text"], bearer)
            unread += len(other.unread())
            compared += 1
            alike += _kinds(english) == _kinds(other)
    total = sum(kinds.values())
    print(f"{path.name}: {texts:,} texts, {total:,} abilities, {1e6 * spent / max(texts, 1):.0f} µs a text")
    for name, count in kinds.most_common():
        print(f"  {name}: {count:,} ({count / max(total, 1):.1%})")
    print(f"  lines that are in no ability and not ignored either: {unread}")
    print(f"  Japanese texts with abilities of the same kinds: {alike:,} of {compared:,}")


def _kinds(anatomy: Anatomy) -> Counter[tuple[str, ...]]:
    return Counter(tuple(sorted(one.kinds)) for one in anatomy.abilities)


if __name__ == "__main__":
    main()
