"""The first moment of a situation, read from the `given:` part of a case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyoxigraph as ox

from reasoner.errors import CaseError, Place, close_to
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.yamlfile import Mapping, Sequence
from reasoner.situation.notes import apply_notes, object_fields, whole_number
from reasoner.situation.state import Match, Object, State
from reasoner.terms.namespaces import core

OBJECT_KEYS = ("id", "card", "controller", "owner", "timestamp")


def status_fields(vocabulary: Vocabulary) -> dict[str, ox.NamedNode]:
    """Return the statuses of the game by the key that says in a case whether an object has them."""
    result: dict[str, ox.NamedNode] = {}
    for iri, value in vocabulary.pairs(core("statusField")):
        if isinstance(value, ox.Literal):
            result[value.value] = iri
    return result


def read_given(
    given: Any, case: str, base: KnowledgeBase, extra_cards: dict[str, ox.NamedNode], store: ox.Store
) -> tuple[State, dict[str, ox.NamedNode]]:
    """Return the first state and the players by name.

    `case` is the IRI below which objects and players lie; `extra_cards` are cards the case itself defines;
    `store` holds all cards in play.

    Raises:
        CaseError: C103 wrong shape, C104 an unknown zone, card, player or key, C105 an id given twice.
    """
    if not isinstance(given, Mapping):
        raise CaseError(
            "C103", "'given' is a mapping from zones to lists of objects", place=getattr(given, "place", lambda: None)()
        )
    players = _players(given, case)
    objects: list[Object] = []
    for key in given:
        if key == "players":
            continue
        zone = find_zone(key, base.vocabulary, given, key)
        entries = given[key]
        if not isinstance(entries, Sequence):
            raise CaseError("C103", f"'{key}' holds a list of objects", place=given.place(key))
        for index, entry in enumerate(entries):
            if not isinstance(entry, Mapping):
                raise CaseError(
                    "C103", "an object is a mapping such as {id: x, card: NAME}", place=entries.place(index)
                )
            one = _object(entry, zone, case, base, extra_cards, players, store)
            one = replace(one, since=(0, _timestamp(entry, len(objects) + 1)))
            if any(other.piece == one.piece for other in objects):
                raise CaseError("C105", f"the id '{one.piece}' is given twice", place=entry.place("id"))
            objects.append(one)
    ordered = frozenset(zone for zone, _ in base.vocabulary.pairs(core("isOrdered")))
    ranked = tuple(replace(one, rank=number) for number, one in enumerate(objects))
    match = None
    if base.vocabulary.instances(core("Step")):
        match = Match(ox.NamedNode(f"{case}/match"), tuple(players.values()))
    return State(objects=ranked, match=match, ordered=ordered, players=tuple(players.items())), players


def stated_in(given: Mapping, state: State, vocabulary: Vocabulary) -> dict[ox.Triple, Place]:
    """Return where `given` states each fact of the first `state`, which was read from it."""
    entries = {str(entry["id"]): entry for key in given if key != "players" for entry in given[key]}
    keys: dict[object, str] = {iri: key for key, iri in status_fields(vocabulary).items()}
    keys |= {core("hasOwnCard"): "card", core("hasController"): "controller", core("hasOwner"): "owner"}
    places = {}
    for one in state.objects:
        entry = entries[one.piece]
        for fact in State(objects=(one,)).triples():
            key = keys.get(fact.predicate) or keys.get(fact.object)
            # A status that the entry does not state by itself comes with the controller it names.
            places[fact] = entry.place("controller" if key and key not in entry else key)
    for fact in state.triples():  # of the match, and of the order in which objects are given
        places.setdefault(fact, given.place("players" if "players" in given else None))
    return places


def find_zone(text: str, vocabulary: Vocabulary, where: Mapping, key: str) -> ox.NamedNode:
    """Return the zone called `text`.

    Raises:
        CaseError: C104 if there is none.
    """
    return vocabulary.find(str(text), core("Zone"), where.place(key), what="zone", error=CaseError, code="C104")


def apply_statuses(one: Object, entry: Mapping, vocabulary: Vocabulary, language: str) -> Object:
    """Return the object with every status that `entry` states.

    Raises:
        CaseError: C103 if a status is neither true nor false, C106 if it does not apply in the object's zone.
    """
    for key, status in status_fields(vocabulary).items():
        if key in entry:
            if not isinstance(entry[key], bool):
                raise CaseError("C103", f"'{key}' is true or false, not '{entry[key]}'", place=entry.place(key))
            if entry[key]:
                check_zone(one, status, key, entry, vocabulary, language)
            one = one.with_status(status, entry[key])
    return one


def control_statuses(vocabulary: Vocabulary) -> tuple[ox.NamedNode, ...]:
    """Return the statuses of the game that come with control."""
    return tuple(status for status, kind in vocabulary.pairs(core("isSetBy")) if kind == core("GainControl"))


def apply_controller(
    one: Object, entry: Mapping, players: dict[str, ox.NamedNode], vocabulary: Vocabulary, language: str
) -> Object:
    """Return the object with the controller that `entry` names, and with the status that control gives in the game.

    What is said not to have that status has no controller.

    Raises:
        CaseError: C104 an unknown player, C106 control does not apply in the object's zone, C111 `entry` says that
            nobody controls the object.
    """
    statuses = control_statuses(vocabulary)
    if "controller" not in entry:
        return replace(one, controller=None) if any(status in one.lacks for status in statuses) else one
    for key, status in status_fields(vocabulary).items():
        if status in statuses:
            if key in entry and not entry[key]:
                raise CaseError(
                    "C111",
                    f"'{key}: false' contradicts 'controller: {entry['controller']}'",
                    place=entry.place(key),
                    hint=f"what a player controls is {vocabulary.label(status, 'en')}; leave one of the two out",
                )
            hint = "elsewhere a card has only an 'owner'"
            check_zone(one, status, "controller", entry, vocabulary, language, hint)
    for status in statuses:
        one = one.with_status(status, True)
    return replace(one, controller=find_player(entry["controller"], players, entry, "controller"))


def find_player(name: Any, players: dict[str, ox.NamedNode], where: Mapping, key: str) -> ox.NamedNode:
    """Return the player called `name`.

    Raises:
        CaseError: C104 if the case names no such player.
    """
    if name not in players:
        raise CaseError(
            "C104",
            f"unknown player '{name}'",
            place=where.place(key),
            suggestions=close_to(str(name), players),
            hint="players are listed under given: players:",
        )
    return players[name]


def _players(given: Mapping, case: str) -> dict[str, ox.NamedNode]:
    names = given.get("players", Sequence(given.path, given.line))
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise CaseError("C103", "'players' is a list of names", place=given.place("players"))
    for index, name in enumerate(names):
        if name in names[:index]:
            raise CaseError("C105", f"the player '{name}' is given twice", place=names.place(index))
    return {name: ox.NamedNode(f"{case}/player/{number}") for number, name in enumerate(names, 1)}


def _timestamp(entry: Mapping, position: int) -> int:
    """Return the place of an object among those given, by age: what it says, or else its place in the file."""
    return whole_number(entry.get("timestamp", position), "timestamp", entry)


def _object(
    entry: Mapping,
    zone: ox.NamedNode,
    case: str,
    base: KnowledgeBase,
    extra: dict[str, ox.NamedNode],
    players: dict[str, ox.NamedNode],
    store: ox.Store,
) -> Object:
    known = (*OBJECT_KEYS, *sorted((*status_fields(base.vocabulary), *object_fields(base.vocabulary))))
    for key in entry:
        if key not in known:
            raise CaseError(
                "C104",
                f"unknown key '{key}'",
                place=entry.place(key),
                suggestions=close_to(key, known),
                hint=f"keys: {', '.join(known)}",
            )
    for key in ("id", "card"):
        if not entry.get(key):
            raise CaseError("C103", f"an object needs '{key}'", place=entry.place())
    piece = str(entry["id"])
    if not piece.replace("-", "").replace("_", "").isalnum():
        raise CaseError(
            "C103", f"'{piece}' is no id", place=entry.place("id"), hint="letters, digits, hyphens and underscores"
        )
    one = Object(
        iri=ox.NamedNode(f"{case}/object/{_ascii(piece)}/1"),
        piece=piece,
        card=find_card(str(entry["card"]), base, extra, entry),
        zone=zone,
        been_in=(zone,),
        owner=find_player(entry["owner"], players, entry, "owner") if "owner" in entry else None,
    )
    one = apply_statuses(one, entry, base.vocabulary, base.language.code)
    one = apply_controller(one, entry, players, base.vocabulary, base.language.code)
    return apply_notes(one, entry, base, store)


def find_card(text: str, base: KnowledgeBase, extra: dict[str, ox.NamedNode], entry: Mapping) -> ox.NamedNode:
    """Return the card called `text` (name or id), those the case defines first.

    Raises:
        CaseError: C104 if there is none, or several.
    """
    from reasoner.errors import UseError

    if text in extra:
        return extra[text]
    try:
        return base.card(text)
    except UseError as error:
        suggestions = error.suggestions or close_to(text, extra)
        hint = error.hint or "a case may define cards of its own under cards:"
        raise CaseError("C104", error.message, place=entry.place("card"), suggestions=suggestions, hint=hint) from None


def check_zone(
    one: Object, status: ox.NamedNode, key: str, entry: Mapping, vocabulary: Vocabulary, language: str, hint: str = ""
) -> None:
    """Check that a status can be had in the zone where the object is.

    Raises:
        CaseError: C106 if it can't.
    """
    applies = [zone for zone in vocabulary.objects(status, core("appliesIn")) if isinstance(zone, ox.NamedNode)]
    reached = {one.zone}
    queue = [one.zone]
    while queue:
        for outer in vocabulary.objects(queue.pop(), core("isPartOf")):
            if isinstance(outer, ox.NamedNode) and outer not in reached:
                reached.add(outer)
                queue.append(outer)
    if applies and not reached & set(applies):
        zones = " or ".join(vocabulary.label(zone, language) for zone in applies)
        raise CaseError(
            "C106",
            f"'{key}' applies only in {zones}, not in {vocabulary.label(one.zone, language)}",
            place=entry.place(key),
            hint=hint,
        )


def _ascii(piece: str) -> str:
    from urllib.parse import quote

    return quote(piece, safe="")
