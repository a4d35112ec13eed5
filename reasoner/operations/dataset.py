"""The whole knowledge base as one dataset for SPARQL: asserted, inferred, rules, cases, one graph each.

| graph                            | holds                                                                |
| -------------------------------- | -------------------------------------------------------------------- |
| core, <game>/terms               | vocabulary                                                           |
| <game>/cards                     | what card files assert                                               |
| <game>/inferred/<edition>        | what rules derive of the pool: characteristics, references, answers  |
| <game>/rules                     | rules with title, source, section, edition, exceptions               |
| <game>/cases                     | cases, what they cite, their moments                                 |
| <game>/references               | imported pools: references read from texts, and whom they select     |
| <game>/case/<case>/moment/<n>    | the state at a moment; …/inferred what rules derive of it            |

The default graph is the merge of all these. Blank nodes have labels that are the same whenever a graph is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from reasoner.errors import CardloreError, Place, UseError
from reasoner.knowledge import cache
from reasoner.knowledge.base import LATEST, KnowledgeBase, input_files, open_base
from reasoner.knowledge.pools import Pool
from reasoner.operations.answertriples import answer_triples, moment_answers
from reasoner.operations.casefile import CaseFile, read_case
from reasoner.operations.cases import base_of, play_until
from reasoner.operations.interactions import interpret_all
from reasoner.paths import Library, files_in
from reasoner.situation.play import Play
from reasoner.situation.state import integer
from reasoner.terms.namespaces import DCT, LABEL, TYPE, core, game_base, graph, rule_iri

NAMED, BLANK, WRONG = "named.nq", "blank.nq", "wrong.json"
FILES = (NAMED, BLANK, WRONG)


def case_files(base: KnowledgeBase) -> list[CaseFile]:
    """Return the cases of the game, in the order of their file names.

    Raises:
        CaseError: a case file is wrong.
    """
    return [read_case(path, base.library.games()) for path in _case_paths(base)]


def read_cases(base: KnowledgeBase) -> tuple[list[CaseFile], list[CardloreError]]:
    """Return the cases of the game that can be read, in the order of file names, and what is wrong with the rest."""
    found: list[CaseFile] = []
    wrong: list[CardloreError] = []
    for path in _case_paths(base):
        try:
            found.append(read_case(path, base.library.games()))
        except CardloreError as error:
            wrong.append(error)
    return found, wrong


def full_store(bases: Iterable[KnowledgeBase]) -> ox.Store:
    """Return a store of one's own with everything known of the games of `bases`."""
    return open_store(bases)[0]


def open_store(bases: Iterable[KnowledgeBase]) -> tuple[ox.Store, tuple[CardloreError, ...]]:
    """Return what `full_store` does, and what is wrong with the cases that it lacks, or has without their moments."""
    store = ox.Store()
    wrong: list[CardloreError] = []
    for base in bases:
        stored = everything(base)
        store.bulk_load(stored[NAMED], format=ox.RdfFormat.N_QUADS)
        # Loading would give the blank nodes other labels; parsing does not.
        store.extend(ox.parse(stored[BLANK], format=ox.RdfFormat.N_QUADS))
        wrong += wrong_cases(stored[WRONG], base.library.root)
    return store, tuple(wrong)


def wrong_cases(data: bytes, root: Path) -> list[CardloreError]:
    """Return what is wrong with cases, as it was kept."""
    return [_error(one, root) for one in json.loads(data)]


def case_paths(library: Library, game: str) -> list[Path]:
    """Return the files of the cases of a game, in order."""
    return files_in(library.game(game) / "cases", ".yaml")


def _case_paths(base: KnowledgeBase) -> list[Path]:
    return case_paths(base.library, base.game)


def dataset_key(library: Library, game: str, edition: str, pool: Pool | None) -> str:
    """Return the key of everything that the dataset of a game is made from."""
    return cache.fingerprint(
        [*input_files(library, game), *case_paths(library, game)],
        *(str(library.root), game, edition, pool.key if pool else "", "dataset"),
    )


def everything(base: KnowledgeBase) -> dict[str, bytes]:
    """Return the dataset of `base` as the FILES of a cache entry."""
    key = dataset_key(base.library, base.game, base.edition, base.pool)
    stored = cache.load(key, FILES)
    if stored is not None:
        return stored
    store = ox.Store()
    for name in (*base.base, graph(base.game, "pool"), *base.pool_graphs):
        _add(store, name, (quad.triple for quad in base.store.quads_for_pattern(None, None, None, name)))
    _add(store, base.pool_graphs[0], answer_triples(base, interpret_all(base)))
    _add(store, graph(base.game, "rules"), rule_triples(base))
    # Cases are about the cards of the library, so they are played without the rest of an imported pool.
    plain = base if base.pool is None else open_base(base.library, base.game, as_of_edition(base.edition))
    wrong = []
    for path in _case_paths(base):
        try:
            case = read_case(path, base.library.games())
            if (error := _add_case(store, case, plain)) is not None:
                wrong.append(error)
        except CardloreError as error:
            wrong.append(error)
    # Lines take less memory than quads, and both have to be sorted.
    lines = (store.dump(format=ox.RdfFormat.N_QUADS) or b"").splitlines(keepends=True)
    del store
    lines.sort()
    blank = ox.parse(b"".join(line for line in lines if _has_blank_node(line)), format=ox.RdfFormat.N_QUADS)
    data = {
        NAMED: b"".join(line for line in lines if not _has_blank_node(line)),
        BLANK: _lines(labelled(blank)),
        WRONG: cache.to_bytes([_error_data(one, base.library.root) for one in wrong]),
    }
    cache.save(key, data)
    return data


def _has_blank_node(line: bytes) -> bool:
    """Return whether subject or object of a quad is a blank node."""
    return line.startswith(b"_:") or line.split(b" ", 2)[2].startswith(b"_:")


def as_of_edition(edition: str) -> str | None:
    """Return what has to be asked for to get this edition."""
    return None if edition == LATEST else edition


def _lines(quads: Iterable[ox.Quad]) -> bytes:
    data = ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""
    return b"".join(sorted(data.splitlines(keepends=True)))


def labelled(quads: Iterable[ox.Quad]) -> list[ox.Quad]:
    """Return `quads`, each with its copy in the default graph, with labels for blank nodes that follow from each graph.

    Two games hold the same shared terms: labelled so, theirs are the same nodes too.
    """
    graphs: dict[ox.NamedNode, list[ox.Quad]] = {}
    for quad in quads:
        if isinstance(quad.graph_name, ox.NamedNode):
            graphs.setdefault(quad.graph_name, []).append(quad)
    found = []
    for name, of_graph in graphs.items():
        prefix = re.sub(r"[^A-Za-z0-9]+", "-", name.value.removeprefix(graph("").value))
        dataset = ox.Dataset(of_graph)
        dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
        for quad in dataset:
            subject, value = (
                ox.BlankNode(part.value.replace("c14n", f"{prefix}-")) if isinstance(part, ox.BlankNode) else part
                for part in (quad.subject, quad.object)
            )
            found += [ox.Quad(subject, quad.predicate, value, one) for one in (name, ox.DefaultGraph())]
    return found


def _error_data(error: CardloreError, root: Path) -> dict[str, Any]:
    """Return an error as plain data to keep: a place in the library is written relative to its top, `root`."""
    where = None
    if error.place is not None:
        path = error.place.path
        short = path.relative_to(root) if path.is_relative_to(root) else path
        where = [short.as_posix(), error.place.line, error.place.column]
    return {**error.as_json(), "place": where, "hint": error.hint}


def _error(data: dict[str, Any], root: Path) -> CardloreError:
    place = Place(root / data["place"][0], *data["place"][1:]) if data["place"] else None
    return CardloreError(
        data["code"], data["message"], place=place, hint=data["hint"], suggestions=tuple(data["suggestions"])
    )


def rule_triples(base: KnowledgeBase) -> list[ox.Triple]:
    """Return the rules in force as triples: what their headers say."""
    triples = []
    for rule in base.programs.rules:
        node, header = rule_iri(rule.id), rule.header
        source = ox.NamedNode(base.vocabulary.prefixes.expand(header.source))
        triples += [
            ox.Triple(node, TYPE, core("Rule")),
            ox.Triple(node, ox.NamedNode(DCT + "title"), ox.Literal(header.title, language="en")),
            ox.Triple(node, ox.NamedNode(DCT + "source"), source),
            ox.Triple(node, core("clause"), ox.Literal(header.section)),
            ox.Triple(node, ox.NamedNode(DCT + "issued"), ox.Literal(header.edition)),
            ox.Triple(node, core("isStoredIn"), ox.Literal(rule.path)),
        ]
        triples += [ox.Triple(node, core("exceptionTo"), rule_iri(other)) for other in header.exception_to]
        triples += [ox.Triple(node, core("moreSpecificThan"), rule_iri(other)) for other in header.more_specific_than]
    return triples


def play_triples(play: Play) -> dict[ox.NamedNode, list[ox.Triple]]:
    """Return the graphs of a situation: each moment's state and, beside it, what the rules derive of it."""
    graphs: dict[ox.NamedNode, list[ox.Triple]] = {}
    for moment in play.moments:
        graphs[moment.graph] = list(moment.state.triples())
        for branch in moment.inference.branches:
            graphs[branch.graph] = list(branch.supports)
    return graphs


def add_situation(store: ox.Store, path: Path, bases: Iterable[KnowledgeBase]) -> ox.NamedNode:
    """Add the situation in a case file to `store`, as the cases of the game are there; return the case's node.

    Added as well are the cards that it defines itself, and what the references on its objects mean at each moment.

    Raises:
        CaseError: the situation is wrong.
        UseError: U106 if it is of none of the games asked about.
    """
    known = {base.game: base for base in bases}
    games = next(iter(known.values())).library.games()
    case = read_case(path, games)
    if case.game not in known:
        raise UseError(
            "U106", f"the situation is of the game '{case.game}', which is not asked about", place=case.place("game")
        )
    base = known[case.game]
    if _is_another(case, base):
        case = replace(case, name=f"{case.name}-situation")
    play = play_until(case, base_of(case, base))
    _add_play(store, case, play)
    cards = play.base.base[-1]
    own = [q.triple for q in play.store.quads_for_pattern(None, None, None, cards) if q not in base.store]
    _add(store, graph(base.game, "case", quote(case.name, safe=""), "cards"), own)
    for moment in play.moments:
        _add(store, ox.NamedNode(f"{moment.graph.value}/answers"), moment_answers(play, moment))
    return ox.NamedNode(play.case)


def _is_another(case: CaseFile, base: KnowledgeBase) -> bool:
    """Return whether a case of the game is called as this one is, and is another."""
    return any(path.stem == case.name and path.resolve() != case.path.resolve() for path in _case_paths(base))


def _case_triples(case: CaseFile, base: KnowledgeBase) -> list[ox.Triple]:
    node = ox.NamedNode(f"{game_base(base.game)}case/{quote(case.name, safe='')}")
    return [
        ox.Triple(node, TYPE, core("Ruling")),
        ox.Triple(node, ox.NamedNode(DCT + "title"), ox.Literal(case.title, language="en")),
        ox.Triple(node, core("isInGame"), base.iri),
        *(ox.Triple(node, ox.NamedNode(DCT + "references"), rule_iri(cite)) for cite in case.cites),
    ]


def _add_case(store: ox.Store, case: CaseFile, base: KnowledgeBase) -> CardloreError | None:
    """Add a case with its moments; without them where it can't be played, and return why."""
    try:
        _add_play(store, case, play_until(case, base_of(case, base)))
    except CardloreError as error:
        _add(store, graph(base.game, "cases"), _case_triples(case, base))
        return error
    return None


def _add_play(store: ox.Store, case: CaseFile, play: Play) -> None:
    triples = _case_triples(case, play.base)
    for one in play.now.state.objects:
        piece = ox.NamedNode(one.iri.value.rsplit("/", 1)[0])
        triples += [ox.Triple(piece, TYPE, core("PhysicalCard")), ox.Triple(piece, LABEL, ox.Literal(one.piece))]
    for label, player in play.players.items():
        triples += [ox.Triple(player, TYPE, core("Player")), ox.Triple(player, LABEL, ox.Literal(label))]
    for moment in play.moments:
        triples += [
            ox.Triple(moment.graph, TYPE, core("Moment")),
            ox.Triple(moment.graph, core("isMomentOf"), ox.NamedNode(play.case)),
            ox.Triple(moment.graph, core("position"), integer(moment.number)),
        ]
        triples += [
            ox.Triple(moment.graph, core("isConcludedIn"), branch.graph) for branch in moment.inference.branches
        ]
    for graph_name, facts in play_triples(play).items():
        _add(store, graph_name, facts)
    _add(store, graph(play.base.game, "cases"), triples)


def _add(store: ox.Store, name: ox.NamedNode, triples: Iterable[ox.Triple]) -> None:
    """Add `triples` to the graph `name` and, as to every other, to the default graph."""
    store.extend(ox.Quad(t.subject, t.predicate, t.object, one) for t in triples for one in (name, ox.DefaultGraph()))
