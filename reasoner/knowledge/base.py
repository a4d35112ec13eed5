"""The knowledge base of one game under one edition: graphs, vocabulary, programs, lexicon.

Graphs of the store: `core` and `<game>/terms` (vocabulary), `<game>/cards` (asserted card facts),
`<game>/pool` (each card stands for itself), `<game>/inferred/<edition>` (what the rules make of the pool).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyoxigraph as ox

from reasoner.engine.inference import Inference, infer, signatures
from reasoner.engine.pattern import ANY_PREDICATE, Signature
from reasoner.errors import CardloreError, OntologyError, Place, RuleError, UseError, close_to
from reasoner.knowledge import cache
from reasoner.knowledge.editions import date_of
from reasoner.knowledge.program import Programs, make_programs, read_rules
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.words import game_entries, language_of
from reasoner.language.grammar import Language, language_data, load_language
from reasoner.language.lexicon import Lexicon
from reasoner.paths import Library, files_in
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import Prefixes, core, game_base, graph

LATEST = "latest"
_FILES = ("facts.nq", "programs.json", "lexicon.json", "language.json", "about.json")


@dataclass(frozen=True)
class KnowledgeBase:
    """Everything known of `game` as of `edition` ("latest" or a date). Its store is never written to after loading."""

    game: str
    edition: str
    library: Library
    store: ox.Store
    vocabulary: Vocabulary
    programs: Programs
    lexicon: Lexicon
    language: Language
    present: frozenset[Signature]
    places: dict[str, Place]
    pool_graphs: tuple[ox.NamedNode, ...]

    @property
    def iri(self) -> ox.NamedNode:
        return ox.NamedNode(game_base(self.game).rstrip("/"))

    @property
    def base(self) -> tuple[ox.NamedNode, ...]:
        """The graphs every inference reads: vocabulary and asserted card facts."""
        return (graph("core"), graph(self.game, "terms"), graph(self.game, "cards"))

    @cached_property
    def cards(self) -> tuple[ox.NamedNode, ...]:
        """All cards, by IRI."""
        return tuple(card for card, _ in pairs(self.store, core("hasOwnCard"), graph(self.game, "pool")))

    @cached_property
    def card_names(self) -> dict[str, str]:
        """The printed name of every card, by IRI."""
        return {
            card.value: name.value for card, name in pairs(self.store, core("printedName"), graph(self.game, "cards"))
        }

    def card(self, text: str) -> ox.NamedNode:
        """Return the card with the id or the name `text`.

        Raises:
            UseError: U104 if no card, or more than one, is called so.
        """
        iri = f"{game_base(self.game)}card/{text}"
        if iri in self.card_names:
            return ox.NamedNode(iri)
        found = sorted(card for card, name in self.card_names.items() if name == text)
        if len(found) == 1:
            return ox.NamedNode(found[0])
        ids = [card.rsplit("/", 1)[1] for card in found]
        if found:
            raise UseError("U104", f"{len(found)} cards are called '{text}'", hint=f"give the id: {', '.join(ids)}")
        known = [*self.card_names.values(), *(card.rsplit("/", 1)[1] for card in self.card_names)]
        raise UseError("U104", f"unknown card '{text}'", suggestions=close_to(text, known))

    @cached_property
    def base_quads(self) -> list[ox.Quad]:
        """The quads of `base` for a store of one's own, without texts about terms (definitions …) no rule reads."""
        read = {predicate for rule in self.programs.rules for predicate in rule.read_predicates}
        *vocabulary, cards = (self.store.quads_for_pattern(None, None, None, name) for name in self.base)
        terms = [quad for quads in vocabulary for quad in quads]
        if ANY_PREDICATE not in read:
            terms = [q for q in terms if not isinstance(q.object, ox.Literal) or q.predicate.value in read]
        return [*terms, *cards]


def input_files(library: Library, game: str) -> list[Path]:
    """Return every file that the knowledge base of `game` is built from, the package's own modules included."""
    folder = library.game(game)
    suffixes = (".ttl", ".rq", ".yaml", ".lark")
    roots = [library.ontology, folder, library.data / "languages"]
    found = [path for root in roots for path in files_in(root, suffixes) if "cases" not in path.relative_to(root).parts]
    return found + list(Path(__file__).resolve().parents[1].rglob("*.py"))


def open_base(library: Library, game: str, as_of: str | None = None) -> KnowledgeBase:
    """Return the knowledge base of `game`, from the cache if nothing it is built from has changed.

    Raises:
        CardloreError: whatever is wrong with the game's files.
    """
    edition = as_of or LATEST
    key = cache.fingerprint(input_files(library, game), str(library.root), game, edition)
    stored = cache.load(key, _FILES)
    if stored is not None:
        try:
            return _from_cache(library, game, edition, stored)
        except (CardloreError, ValueError, LookupError, TypeError, AttributeError, SyntaxError, OSError):
            cache.forget(key)
    base = build(library, game, as_of)
    cache.save(key, _to_cache(base))
    return base


def build(library: Library, game: str, as_of: str | None = None) -> KnowledgeBase:
    """Return the knowledge base of `game`, read from its files and derived anew.

    Raises:
        CardloreError: whatever is wrong with the game's files.
    """
    from reasoner.knowledge.cards import read_cards  # what reads files is not needed where all comes from the cache
    from reasoner.knowledge.turtle import declared_prefixes, prefix_place, read_turtle

    folder = library.game(game)
    edition = as_of or LATEST
    prefix_files = library.ontology / "prefixes.ttl", folder / "game.ttl"
    prefix_triples, game_triples = (read_turtle(path) for path in prefix_files)
    try:
        prefixes = Prefixes({}).merged([*declared_prefixes(prefix_triples), *declared_prefixes(game_triples)])
    except OntologyError as error:
        raise error.located(prefix_place(prefix_files, error.about)) from None
    store = ox.Store()
    _add(store, graph("core"), read_turtle(library.ontology / "core.ttl"))
    _add(store, graph(game, "terms"), [*game_triples, *read_turtle(folder / "terms.ttl")])
    vocabulary = Vocabulary(store, (graph("core"), graph(game, "terms")), prefixes)
    facts = read_cards(folder / "cards", game, vocabulary)
    _add(store, graph(game, "cards"), facts.triples)
    pool = [ox.Triple(card, core("hasOwnCard"), card) for card in facts.cards]
    _add(store, graph(game, "pool"), pool)
    rules = read_rules([library.ontology / "rules", folder / "rules"], library.root)
    programs = make_programs(rules, vocabulary, library.root, date_of(as_of, vocabulary) if as_of else None)
    base_graphs = (graph("core"), graph(game, "terms"), graph(game, "cards"))
    present = frozenset(
        signatures(quad for name in base_graphs for quad in store.quads_for_pattern(None, None, None, name))
    )
    try:
        inference = infer(
            store,
            [*base_graphs, graph(game, "pool")],
            present | signatures(pool),
            programs.state,
            graph(game, "inferred", edition),
        )
    except RuleError as error:
        written = facts.places | {rule.id: Place(library.root / rule.path, 1) for rule in rules}
        raise error.located(written.get(error.about)) from None
    code = language_of(vocabulary, ox.NamedNode(game_base(game).rstrip("/")))
    language = load_language(library.data / "languages" / code)
    names = sorted({(t.object.value, t.subject.value) for t in facts.triples if t.predicate == core("printedName")})  # type: ignore[union-attr]
    lexicon = Lexicon([*language.entries, *game_entries(vocabulary, names, code)])
    return KnowledgeBase(
        game,
        edition,
        library,
        store,
        vocabulary,
        programs,
        lexicon,
        language,
        present,
        facts.places,
        _pool_graphs(inference),
    )


def _pool_graphs(inference: Inference) -> tuple[ox.NamedNode, ...]:
    return tuple(branch.graph for branch in inference.branches)


def _add(store: ox.Store, name: ox.NamedNode, triples: Iterable[ox.Triple]) -> None:
    store.extend(ox.Quad(t.subject, t.predicate, t.object, name) for t in triples)


def _to_cache(base: KnowledgeBase) -> dict[str, bytes]:
    root = base.library.root
    about = {
        "present": sorted([list(signature) for signature in base.present], key=str),
        "places": {iri: [place.path.relative_to(root).as_posix(), place.line] for iri, place in base.places.items()},
        "prefixes": dict(base.vocabulary.prefixes.namespaces),
        "language": base.language.code,
        "pool": [name.value for name in base.pool_graphs],
    }
    return {
        "facts.nq": base.store.dump(format=ox.RdfFormat.N_QUADS) or b"",
        "programs.json": cache.to_bytes(base.programs.to_json()),
        "lexicon.json": cache.to_bytes(base.lexicon.to_json()),
        "language.json": cache.to_bytes(language_data(base.library.data / "languages" / base.language.code)),
        "about.json": cache.to_bytes(about),
    }


def _from_cache(library: Library, game: str, edition: str, stored: dict[str, bytes]) -> KnowledgeBase:
    about = json.loads(stored["about.json"])
    store = ox.Store()
    store.bulk_load(stored["facts.nq"], format=ox.RdfFormat.N_QUADS)
    vocabulary = Vocabulary(store, (graph("core"), graph(game, "terms")), Prefixes(about["prefixes"]))
    return KnowledgeBase(
        game,
        edition,
        library,
        store,
        vocabulary,
        Programs.from_json(json.loads(stored["programs.json"])),
        Lexicon.from_json(json.loads(stored["lexicon.json"])),
        load_language(library.data / "languages" / about["language"], json.loads(stored["language.json"])),
        frozenset((predicate, value) for predicate, value in about["present"]),
        {iri: Place(library.root / path, line) for iri, (path, line) in about["places"].items()},
        tuple(ox.NamedNode(name) for name in about["pool"]),
    )
