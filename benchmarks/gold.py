"""Scores the English reading of Magic against a gold set of reference phrases, where that lies beside the repository.

    python benchmarks/gold.py [FOLDER] [--answers FILE] [--misses N]

FOLDER (by default ../shared/fixtures/mtg/gold) holds `dev.jsonl` and the scorer `score.py`. The phrases are read with the
card names of the fixture's pool, each reading's selector is said in the language of the gold set, and the scorer prints
how many phrases were read and how many of those mean the same cards. Of several readings the first counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox

import reasoner
from reasoner.errors import CardloreError
from reasoner.reference.interpret import interpret, pool_surroundings
from reasoner.reference.mentiongraph import NOWHERE
from reasoner.reference.selector import All, Compare, Has, Not, Selector
from reasoner.reference.selector import Any as Some
from reasoner.terms.namespaces import CORE, TYPE

MTG = "https://w3id.org/cardlore/game/mtg/term/"
COLOURS = {"White": "W", "Blue": "U", "Black": "B", "Red": "R", "Green": "G"}
OPERATORS = {"AtMost": "<=", "AtLeast": ">=", "Exactly": "=", "LessThan": "<", "MoreThan": ">"}
QUANTITIES = {"ManaValue": "mv", "Power": "power", "Toughness": "toughness"}
QUANTITIES |= {"BasePower": "base_power", "BaseToughness": "base_toughness"}
QUALITIES = {
    "Colorless": {"colorless": True},
    "OneOrMoreColors": {"not": {"colorless": True}},
    "Multicolored": {"multicolored": True},
    "Monocolored": {"monocolored": True},
    "Historic": {"historic": True},
    "Outlaw": {"outlaw": True},
    "DoubleFaced": {"doublefaced": True},
    "NoAbilities": {"no_abilities": True},
    "EvenManaValue": {"mv_parity": "even"},
    "OddManaValue": {"mv_parity": "odd"},
    "XInManaCost": {"x_cost": True},
    "ToughnessOverPower": {"toughness_gt_power": True},
    "AdventureFrame": {"adventure": True},
}
STATUSES = {"FaceDown": "facedown", "Token": "token", "Tapped": "tapped", "Attacking": "attacking"}
STATUSES |= {"Blocking": "blocking", "Blocked": "blocked", "Unblocked": "unblocked", "Enchanted": "enchanted"}
STATUSES |= {"Equipped": "equipped", "Commander": "commander", "Modified": "modified"}
ROLES = {"You": "you", "Opponent": "opponent", "DefendingPlayer": "defending_player", "ActivePlayer": "active"}
ROLES |= {"EnchantedPlayer": "enchanted_player", "Team": "team", "ThatPlayer": "active", "TargetPlayer": "target"}
COUNTERS = {"+1/+1": "P1P1", "-1/-1": "M1M1", "any": "any"}
CIRCUMSTANCES = {
    "AttackedThisTurn": {"state": "attacked_this_turn"},
    "EnteredThisTurn": {"state": "entered_this_turn"},
    "DealtDamageThisTurn": {"state": "dealt_damage_this_turn"},
    "PutFromBattlefieldThisTurn": {"state": "put_into_graveyard_from_battlefield_this_turn"},
    "PutThereThisTurn": {"state": "put_into_graveyard_this_turn"},
    "MilledThisTurn": {"state": "milled_this_turn"},
    "AttackingYou": {"attacking": "you"},
}
# What the gold set says of no phrase: zones, and what was chosen or told.
SILENT = {CORE + name for name in ("isInZone", "isOpenTo", "hasCasterInRole", "hasZoneOwnerInRole")}


def said(selector: Selector, labels: dict[str, str]) -> Any:
    """Return `selector` as a node of the gold set's language, None where that has no words for it."""
    if isinstance(selector, Not):
        inner = said(selector.part, labels)
        if inner is None:
            return None
        inner = {"controller": "you"} if inner == {"controller": "opponent"} and False else inner
        return {"controller": "not_you"} if inner == {"controller": "you"} else _not(inner)
    if isinstance(selector, All | Some):
        parts = [node for node in (said(part, labels) for part in selector.parts) if node is not None]
        word = "and" if isinstance(selector, All) else "or"
        return {word: parts} if isinstance(selector, All) or len(parts) == len(selector.parts) else None
    if isinstance(selector, Compare):
        name = selector.characteristic.removeprefix(MTG).removeprefix("has")
        return {QUANTITIES[name]: {"op": OPERATORS[selector.comparison], "n": selector.number}}
    return _atom(selector, labels)


def _not(node: Any) -> Any:
    ((key, value),) = node.items()
    if key in ("tapped", "token"):
        return {key: not value}
    if key == "owner" and value == "you":
        return {key: "not_you"}
    return {"not": node}


def _atom(atom: Has, labels: dict[str, str]) -> Any:
    value = atom.value.value
    local = value.rsplit("/", 1)[-1]
    name = atom.characteristic.rsplit("/", 1)[-1]
    if atom.characteristic == TYPE.value:
        if local in ("Permanent", "Spell"):
            return {"kind": local.lower()}
        return {
            "type" if value in labels["types"] else "subtype": labels[value]
            if value not in labels["types"]
            else labels[value].capitalize()
        }
    simple = {
        "hasColour": lambda: {"color": COLOURS[local]},
        "hasSupertype": lambda: {"supertype": local},
        "hasPower": lambda: {"power": {"op": "=", "n": int(value)}},
        "hasToughness": lambda: {"toughness": {"op": "=", "n": int(value)}},
        "countsAsName": lambda: {"named": value},
        "hasQuality": lambda: QUALITIES[local],
        "bearsKeyword": lambda: {"keyword": labels[value].capitalize()},
        "hasStatus": lambda: {STATUSES[local]: True} if local in STATUSES else {"state": labels[value]},
        "hasControllerInRole": lambda: {"controller": ROLES.get(local, local)},
        "hasCounter": lambda: {"counter": COUNTERS.get(value, value.upper())},
        "is": lambda: {"not": {"other": True}},
        "hasOwnerInRole": lambda: {"owner": ROLES.get(local, local)},
    }
    if name == "isInCircumstance":
        return CIRCUMSTANCES.get(local, {"relational": local})
    return simple[name]() if name in simple else None


def flattened(node: Any) -> Iterator[Any]:
    """Yield the parts of a conjunction, its negations resolved."""
    if "and" in node:
        for part in node["and"]:
            yield from flattened(part)
    elif node == {"not": {"not": {"other": True}}}:
        yield {"other": True}
    else:
        yield node


def without_kinds(node: Any, kind: str) -> Any:
    """Return `node` without what the kind of the whole says already."""
    ((key, value),) = node.items()
    if key in ("and", "or"):
        parts = [one for one in (without_kinds(part, kind) for part in value) if one is not None]
        return {key: parts} if parts else None
    if key == "kind":
        return (
            None if value == kind else {"permanent_card": True} if value == "permanent" else {"not": {"type": "Land"}}
        )
    if key == "not":
        inner = without_kinds(value, kind)
        return None if inner is None else inner["not"] if "not" in inner and "other" in str(inner) else {"not": inner}
    return node


def factored(node: Any) -> Any:
    """Return `node` with what all parts of a disjunction share taken out of it."""
    ((key, value),) = node.items()
    if key == "and":
        return {"and": [factored(part) for part in value]}
    if key != "or":
        return node
    options = [list(flattened(factored(part))) for part in value]
    shared = [one for one in options[0] if all(one in option for option in options)]
    rest = [{"and": [one for one in option if one not in shared]} for option in options]
    rest = [one["and"][0] if len(one["and"]) == 1 else one for one in rest]
    return {"and": [*shared, *([] if {"and": []} in rest else [{"or": rest}])]}


def kinds(node: Any) -> set[str]:
    """Return the kinds of objects that hold for all of `node`."""
    ((key, value),) = node.items()
    if key == "kind":
        return {value}
    if key == "and":
        return set().union(*map(kinds, value)) if value else set()
    if key == "or":
        return set.intersection(*map(kinds, value)) if value else set()
    return set()


def is_dynamic(node: Any) -> bool:
    """Return whether `node` speaks of what only a situation can tell."""
    ((key, value),) = node.items()
    if key in ("and", "or"):
        return all(map(is_dynamic, value))
    if key == "not":
        return is_dynamic(value)
    static = {"type", "subtype", "supertype", "color", "mv", "power", "toughness", "base_power", "base_toughness"}
    static |= {"keyword", "named", "permanent_card", *(key for one in QUALITIES.values() for key in one)}
    return key not in static


def answer(selector: Selector, labels: dict[str, str]) -> dict[str, Any]:
    """Return the selector and the dynamic part in the language of the gold set."""
    node = said(selector, labels) or {"and": []}
    found = kinds(node)
    kind = "spell" if "spell" in found else "permanent" if "permanent" in found and "in" else "card"
    node = factored(without_kinds(node, kind) or {"and": []})
    parts = list(flattened(node))
    return {
        "selector": {"kind": kind, "all": [one for one in parts if not is_dynamic(one)]},
        "dynamic": [one for one in parts if is_dynamic(one)],
    }


def main() -> None:
    """Print the lines of the scorer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(__file__).resolve().parents[2] / "shared" / "fixtures" / "mtg" / "gold"
    parser.add_argument("folder", nargs="?", type=Path, default=beside)
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--misses", type=int, default=0)
    chosen = parser.parse_args()
    if not (chosen.folder / "dev.jsonl").is_file():
        sys.exit(f"no gold set in {chosen.folder}: nothing to score")
    rows = [json.loads(line) for line in (chosen.folder / "dev.jsonl").open(encoding="utf-8")]
    pool = json.load(gzip.open(chosen.folder.parent / "AtomicCards-known.json.gz", "rt", encoding="utf-8"))["data"]
    names = {name for faces in pool.values() for face in faces for name in (face["name"], face.get("faceName")) if name}
    base = reasoner.load("mtg").base.with_names(sorted(names))
    around = pool_surroundings(base)
    labels: Any = {
        iri.value: base.vocabulary.label(iri, "en")
        for iri in base.vocabulary.instances(ox.NamedNode(CORE + "Classifier"))
    }
    labels |= {
        iri.value: base.vocabulary.label(iri, "en")
        for kind in ("Keyword", "Status")
        for iri in base.vocabulary.instances(ox.NamedNode(CORE + kind))
    }
    subtypes = {iri.value for iri in base.vocabulary.instances(ox.NamedNode(CORE + "CardSubtype"))}
    labels["types"] = {iri.value for iri in base.vocabulary.instances(ox.NamedNode(CORE + "CardType"))} - subtypes
    lines, refused, spent, meant = [], [], [], []
    for row in rows:
        begin = time.perf_counter()
        try:
            readings = base.read(row["phrase"])
            spent.append(time.perf_counter() - begin)
            selector = interpret(readings[0], NOWHERE, base, around).interpretations[0].selector
            meant.append(time.perf_counter() - begin - spent[-1])
            lines.append({"phrase": row["phrase"], "readings": len(readings), **answer(selector, labels)})
        except CardloreError as error:
            refused.append((row["phrase"], error.code, error.message))
    out = chosen.answers or Path(tempfile.mkdtemp()) / "answers.jsonl"
    out.write_text("".join(json.dumps(line, sort_keys=True) + "\n" for line in lines), encoding="utf-8")
    spent.sort()
    meant.sort()
    print(
        f"read: median {1000 * spent[len(spent) // 2]:.2f} ms, mean {1000 * sum(spent) / len(spent):.2f} ms, most {1000 * spent[-1]:.1f} ms; meaning by rules: median {1000 * meant[len(meant) // 2]:.2f} ms"
    )
    subprocess.run(
        [sys.executable, str(chosen.folder / "score.py"), str(out), "--misses", str(chosen.misses)], check=True
    )
    if chosen.misses:
        for phrase, code, message in refused:
            print(f"UNREAD {code} {phrase}: {message}")


if __name__ == "__main__":
    main()
