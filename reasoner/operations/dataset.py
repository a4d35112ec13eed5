"""The whole knowledge base as one dataset for SPARQL: asserted, inferred, rules, cases, one graph each.

| graph                            | holds                                                                |
| -------------------------------- | -------------------------------------------------------------------- |
| core, <game>/terms               | vocabulary                                                           |
| <game>/cards                     | what card files assert                                               |
| <game>/inferred/<edition>        | what rules derive of the pool: characteristics, references, answers  |
| <game>/rules                     | rules with title, source, section, edition, exceptions               |
| <game>/cases                     | cases, what they cite, their moments                                 |
| <game>/case/<case>/moment/<n>    | the state at a moment; …/inferred what rules derive of it            |
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox

from reasoner.errors import CardloreError, UseError
from reasoner.knowledge import cache
from reasoner.knowledge.base import LATEST, KnowledgeBase, input_files, open_base
from reasoner.operations.answertriples import answer_triples
from reasoner.operations.casefile import CaseFile, read_case
from reasoner.operations.cases import base_of, play_until
from reasoner.operations.interactions import interpret_all
from reasoner.situation.play import Play
from reasoner.situation.state import integer
from reasoner.terms.namespaces import DCT, LABEL, TYPE, core, game_base, graph, rule_iri


def case_files(base: KnowledgeBase) -> list[CaseFile]:
    """Return the cases of the game, in the order of their file names.

    Raises:
        CaseError: a case file is wrong.
    """
    folder = base.library.game(base.game) / "cases"
    return [read_case(path, base.library.games()) for path in sorted(folder.rglob("*.yaml"))]


def full_store(bases: Iterable[KnowledgeBase]) -> ox.Store:
    """Return a store of one's own with everything known of the games of `bases`."""
    store = ox.Store()
    for base in bases:
        store.bulk_load(_everything(base), format=ox.RdfFormat.N_QUADS)
    return store


def _everything(base: KnowledgeBase) -> bytes:
    cases = sorted((base.library.game(base.game) / "cases").rglob("*.yaml"))
    key = cache.fingerprint(
        [*input_files(base.library, base.game), *cases],
        str(base.library.root),
        base.game,
        base.edition,
        base.pool.key if base.pool else "",
        "dataset",
    )
    stored = cache.load(key, ["dataset.nq"])
    if stored is not None:
        return stored["dataset.nq"]
    store = ox.Store()
    names = [*base.base, graph(base.game, "pool"), *base.pool_graphs]
    store.extend(quad for name in names for quad in base.store.quads_for_pattern(None, None, None, name))
    _add(store, base.pool_graphs[0], answer_triples(base, interpret_all(base)))
    _add(store, graph(base.game, "rules"), rule_triples(base))
    # Cases are about the cards of the library, so they are played without the rest of an imported pool.
    plain = base if base.pool is None else open_base(base.library, base.game, _as_of(base))
    for case in case_files(base):
        _add_case(store, case, plain)
    dumped = store.dump(format=ox.RdfFormat.N_QUADS) or b""
    data = b"".join(sorted(dumped.splitlines(keepends=True)))
    cache.save(key, {"dataset.nq": data})
    return data


def _as_of(base: KnowledgeBase) -> str | None:
    return None if base.edition == LATEST else base.edition


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
        graphs[moment.graph] = moment.state.triples()
        for branch in moment.inference.branches:
            graphs[branch.graph] = list(branch.supports)
    return graphs


def add_situation(store: ox.Store, path: Path, bases: Iterable[KnowledgeBase]) -> None:
    """Add the moments of the situation in a case file to `store`, as for the cases that ship with the game.

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
    play_until(case, base_of(case, known[case.game]))
    _add_case(store, case, known[case.game])


def _add_case(store: ox.Store, case: CaseFile, base: KnowledgeBase) -> None:
    node = ox.NamedNode(f"{game_base(base.game)}case/{case.name}")
    name = graph(base.game, "cases")
    triples = [
        ox.Triple(node, TYPE, core("Ruling")),
        ox.Triple(node, ox.NamedNode(DCT + "title"), ox.Literal(case.title, language="en")),
        ox.Triple(node, core("isInGame"), base.iri),
    ]
    triples += [ox.Triple(node, ox.NamedNode(DCT + "references"), rule_iri(cite)) for cite in case.cites]
    try:
        play = play_until(case, base_of(case, base))
    except CardloreError:  # `cardlore cases` reports it; the rest of the knowledge base can still be queried
        _add(store, name, triples)
        return
    for one in play.now.state.objects:
        piece = ox.NamedNode(one.iri.value.rsplit("/", 1)[0])
        triples += [ox.Triple(piece, TYPE, core("PhysicalCard")), ox.Triple(piece, LABEL, ox.Literal(one.piece))]
    for label, player in play.players.items():
        triples += [ox.Triple(player, TYPE, core("Player")), ox.Triple(player, LABEL, ox.Literal(label))]
    for moment in play.moments:
        triples += [
            ox.Triple(moment.graph, TYPE, core("Moment")),
            ox.Triple(moment.graph, core("isMomentOf"), node),
            ox.Triple(moment.graph, core("position"), integer(moment.number)),
        ]
        triples += [
            ox.Triple(moment.graph, core("isConcludedIn"), branch.graph) for branch in moment.inference.branches
        ]
    for graph_name, facts in play_triples(play).items():
        _add(store, graph_name, facts)
    _add(store, name, triples)


def _add(store: ox.Store, name: ox.NamedNode, triples: Iterable[ox.Triple]) -> None:
    store.extend(ox.Quad(t.subject, t.predicate, t.object, name) for t in triples)
