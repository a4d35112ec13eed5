"""The knowledge base of one game under one edition: graphs, vocabulary, programs, lexicon.

Graphs of the store: `core` and `<game>/terms` (vocabulary), `<game>/cards` (asserted card facts),
`<game>/pool` (each card stands for itself), `<game>/inferred/<edition>` (what the rules make of the pool).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pyoxigraph as ox

from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import Inference, Keeper, infer
from reasoner.engine.pattern import ANY_PREDICATE, Signature
from reasoner.engine.program import Program
from reasoner.engine.rule import Rule
from reasoner.errors import CardloreError, OntologyError, Place, RuleError
from reasoner.knowledge import cache
from reasoner.knowledge.cardnames import card_called, card_names, cards_by_spelling, names_by_spelling, printed_names
from reasoner.knowledge.editions import edition_of
from reasoner.knowledge.pools import CARDS, TERMS, Pool
from reasoner.knowledge.program import Programs, make_programs, read_rules
from reasoner.knowledge.tongues import Tongue, read_in
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.words import game_entries, languages_of, translated_entries
from reasoner.language.grammar import Language, language_data, load_language
from reasoner.language.lexicon import Lexicon
from reasoner.language.mention import Reading
from reasoner.paths import Library, files_in
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import DCT, DOMAIN, RDFS, SKOS, SUBCLASS, Prefixes, core, game_base, graph

LATEST = "latest"
_FOR_PEOPLE = frozenset(
    (
        *(RDFS + name for name in ("label", "isDefinedBy", "seeAlso")),
        *(SKOS + name for name in ("definition", "scopeNote", "altLabel")),
        *(DCT + name for name in ("source", "title", "description")),
        core("phrase").value,
    )
)
BASE_FILES = ("facts.nq", "programs.json", "lexicon.json", "language.json", "about.json")


@dataclass(frozen=True)
class KnowledgeBase:
    """Everything known of `game` as of `edition` ("latest" or a date). Its store is never written to after loading.

    `pool` is the imported pool whose cards are there besides those of the library.
    """

    game: str
    edition: str
    library: Library
    store: ox.Store
    vocabulary: Vocabulary
    programs: Programs
    tongues: tuple[Tongue, ...]
    present: frozenset[Signature]
    places: dict[str, Place]
    pool_graphs: tuple[ox.NamedNode, ...]
    pool: Pool | None = None

    @property
    def iri(self) -> ox.NamedNode:
        return ox.NamedNode(game_base(self.game).rstrip("/"))

    @property
    def base(self) -> tuple[ox.NamedNode, ...]:
        """The graphs every inference reads: vocabulary and asserted card facts."""
        return (graph("core"), graph(self.game, "terms"), graph(self.game, "cards"))

    @property
    def language(self) -> Language:
        """The language in which terms are named: the first of those in which the cards are worded."""
        return self.tongues[0].language

    @property
    def lexicon(self) -> Lexicon:
        """The words of that language."""
        return self.tongues[0].lexicon

    def read(self, text: str) -> tuple[Reading, ...]:
        """Return the readings of `text` in the first language of the cards that can read it.

        Raises:
            TextError: no language can read it.
        """
        return read_in(self.tongues, text)

    def with_names(self, names: Iterable[str]) -> KnowledgeBase:
        """Return the same knowledge with more card names, in every language."""
        more = tuple(names)
        return replace(self, tongues=tuple(tongue.with_names(more) for tongue in self.tongues))

    @cached_property
    def kept(self) -> dict[object, object]:
        """What others work out once for this knowledge base and keep, by keys of their own."""
        return {}

    @cached_property
    def on_events(self) -> Program:
        """The part of the state rules that says what follows from an event, such as that it makes a new object."""
        kinds = self.vocabulary.below(core("Event"), SUBCLASS)
        about = {one.value for kind in kinds for one in self.vocabulary.subjects(DOMAIN, kind)}
        return self.programs.state.toward(about)

    @cached_property
    def cards(self) -> tuple[ox.NamedNode, ...]:
        """All cards, by IRI."""
        return tuple(card for card, _ in pairs(self.store, core("hasOwnCard"), graph(self.game, "pool")))

    @cached_property
    def card_names(self) -> dict[str, str]:
        """The name of every card, by IRI: its printed name, or that under which lists have it."""
        return card_names(self.store, graph(self.game, "cards"))

    def card(self, text: str) -> ox.NamedNode:
        """Return the card with the id or the name `text`; the name of a face or a translation does as well.

        Raises:
            UseError: U104 if no card, or more than one, is called so.
        """

        def spellings() -> dict[str, set[str]]:
            return cards_by_spelling(self.store, graph(self.game, "cards"))

        return ox.NamedNode(card_called(text, self.game, self.card_names, spellings))

    @cached_property
    def base_quads(self) -> list[ox.Quad]:
        """The quads of `base` that a store of one's own needs: all but what only people read of the vocabulary."""
        read = {predicate for rule in self.programs.rules for predicate in rule.read_predicates}
        *vocabulary, cards = (self.store.quads_for_pattern(None, None, None, name) for name in self.base)
        terms = [quad for quads in vocabulary for quad in quads]
        dropped = set() if ANY_PREDICATE in read else _FOR_PEOPLE - read
        return [*(quad for quad in terms if quad.predicate.value not in dropped), *cards]


def input_files(library: Library, game: str) -> list[Path]:
    """Return every file that the knowledge base of `game` is built from, the package's own modules included."""
    folder = library.game(game)
    suffixes = (".ttl", ".rq", ".yaml", ".lark")
    roots = [library.ontology, folder, library.data / "languages"]
    found = [path for root in roots for path in files_in(root, suffixes) if "cases" not in path.relative_to(root).parts]
    return found + list(Path(__file__).resolve().parents[1].rglob("*.py"))


def open_base(library: Library, game: str, as_of: str | None = None, pool: Pool | None = None) -> KnowledgeBase:
    """Return the knowledge base of `game`, from the cache if nothing it is built from has changed.

    With an imported `pool`, its cards are there as well; what the library says of a card prevails.

    Raises:
        CardloreError: whatever is wrong with the game's files.
    """
    edition = as_of or LATEST
    key = base_key(library, game, edition, pool)
    stored = cache.load(key, BASE_FILES)
    if stored is not None:
        try:
            return from_cache(library, game, edition, stored, pool)
        except (CardloreError, ValueError, LookupError, TypeError, AttributeError, SyntaxError, OSError):
            cache.forget(key)
    base = build(library, game, as_of, pool)
    cache.save(key, to_cache(base))
    return base


def build(library: Library, game: str, as_of: str | None = None, pool: Pool | None = None) -> KnowledgeBase:
    """Return the knowledge base of `game`, read from its files and derived anew.

    Raises:
        CardloreError: whatever is wrong with the game's files.
    """
    return build_with_proofs(library, game, as_of, pool)[0]


def build_with_proofs(
    library: Library,
    game: str,
    as_of: str | None = None,
    pool: Pool | None = None,
    told: Callable[[ox.Store], object] = lambda _store: None,
    kept_by: Callable[[Iterable[Rule], Iterable[ox.NamedNode]], Keeper] | None = None,
) -> tuple[KnowledgeBase, Inference]:
    """Return what `build` does, and how what is known of the cards was derived.

    `told` is given the store once everything is in it that the rules do not derive. `kept_by`, given the rules and
    the cards, makes what keeps the conclusions in place of their proofs.

    Raises:
        CardloreError: whatever is wrong with the game's files.
    """
    from reasoner.knowledge.cards import read_cards  # what reads files is not needed where all comes from the cache
    from reasoner.knowledge.turtle import declared_prefixes, prefix_place, read_turtle

    folder = library.game(game)
    edition = as_of or LATEST
    prefix_files = library.ontology / "prefixes.ttl", *library.game_files(game)
    prefix_triples, *of_game = (read_turtle(path) for path in prefix_files)
    game_triples = [triple for triples in of_game for triple in triples]
    try:
        prefixes = Prefixes({}).merged([*declared_prefixes(prefix_triples), *declared_prefixes(game_triples)])
    except OntologyError as error:
        raise error.located(prefix_place(prefix_files, error.about)) from None
    store = ox.Store()
    _add(store, graph("core"), [triple for path in library.core_files for triple in read_turtle(path)])
    terms = [triple for path in library.term_files(game) for triple in read_turtle(path)]
    _add(store, graph(game, "terms"), [*game_triples, *terms])
    if pool is not None:
        store.bulk_load(pool.read(TERMS), format=ox.RdfFormat.N_TRIPLES, to_graph=graph(game, "terms"))
    vocabulary = Vocabulary(store, (graph("core"), graph(game, "terms")), prefixes)
    facts = read_cards(folder / "cards", game, vocabulary)
    if pool is not None:
        _add_pool(store, graph(game, "cards"), pool, facts.triples)
    _add(store, graph(game, "cards"), facts.triples)
    listed = pairs(store, core("listedName"), graph(game, "cards"))
    copies = [ox.Triple(card, core("hasOwnCard"), card) for card, _ in listed]
    _add(store, graph(game, "pool"), copies)
    told(store)
    rules = read_rules([library.ontology / "rules", folder / "rules"], library.root)
    date, language = edition_of(as_of, vocabulary, rules)
    programs = make_programs(rules, vocabulary, library.root, date, language)
    base_graphs = (graph("core"), graph(game, "terms"), graph(game, "cards"))
    present = frozenset(
        signatures(quad for name in base_graphs for quad in store.quads_for_pattern(None, None, None, name))
    )
    try:
        inference = infer(
            store,
            [*base_graphs, graph(game, "pool")],
            present | signatures(copies),
            programs.state,
            graph(game, "inferred", edition),
            keeper=kept_by(
                programs.state.rules, (card for card, _ in pairs(store, core("hasOwnCard"), graph(game, "pool")))
            )
            if kept_by
            else None,
        )
    except RuleError as error:
        written = facts.places | {rule.id: Place(library.root / rule.path, 1) for rule in rules}
        raise error.located(written.get(error.about)) from None
    tongues = tuple(
        _tongue(library, code, vocabulary, store, graph(game, "cards"))
        for code in languages_of(vocabulary, ox.NamedNode(game_base(game).rstrip("/")))
    )
    base = KnowledgeBase(
        *(game, edition, library, store, vocabulary, programs, tongues, present, facts.places),
        *(_pool_graphs(inference), pool),
    )
    return base, inference


def _tongue(library: Library, code: str, vocabulary: Vocabulary, store: ox.Store, cards: ox.NamedNode) -> Tongue:
    language = load_language(library.data / "languages" / code)
    names = sorted(set(printed_names(store, cards).values()))
    translated = translated_entries(dict(sorted(names_by_spelling(store, cards, code).items())))
    entries = game_entries(vocabulary, names, code, language.parser.terminals)
    return Tongue(language, Lexicon([*language.entries, *entries, *translated]))


def _pool_graphs(inference: Inference) -> tuple[ox.NamedNode, ...]:
    return tuple(branch.graph for branch in inference.branches)


def _add_pool(store: ox.Store, cards: ox.NamedNode, pool: Pool, own: Iterable[ox.Triple]) -> None:
    """Add the facts of an imported pool, except where the library says something of the same card and property."""
    store.bulk_load(pool.read(CARDS), format=ox.RdfFormat.N_TRIPLES, to_graph=cards)
    for subject, predicate in dict.fromkeys((t.subject, t.predicate) for t in own):
        for quad in list(store.quads_for_pattern(subject, predicate, None, cards)):
            store.remove(quad)


def _add(store: ox.Store, name: ox.NamedNode, triples: Iterable[ox.Triple]) -> None:
    store.extend(ox.Quad(t.subject, t.predicate, t.object, name) for t in triples)


def base_key(library: Library, game: str, edition: str, pool: Pool | None) -> str:
    """Return the key for everything that a knowledge base is built from."""
    return cache.fingerprint(input_files(library, game), str(library.root), game, edition, pool.key if pool else "")


def to_cache(base: KnowledgeBase) -> dict[str, cache.Content]:
    """Return `base` as the files of a cache entry, the inverse of `from_cache`; the facts are written when they are."""
    root = base.library.root
    about = {
        "present": sorted([list(signature) for signature in base.present], key=str),
        "places": {iri: [place.path.relative_to(root).as_posix(), place.line] for iri, place in base.places.items()},
        "prefixes": dict(base.vocabulary.prefixes.namespaces),
        "languages": [tongue.language.code for tongue in base.tongues],
        "pool": [name.value for name in base.pool_graphs],
    }
    return {
        BASE_FILES[0]: lambda file: base.store.dump(file, format=ox.RdfFormat.N_QUADS),
        "programs.json": cache.to_bytes(base.programs.to_json()),
        "lexicon.json": cache.to_bytes([tongue.lexicon.to_json() for tongue in base.tongues]),
        "language.json": cache.to_bytes(
            [language_data(base.library.data / "languages" / tongue.language.code) for tongue in base.tongues]
        ),
        "about.json": cache.to_bytes(about),
    }


def from_cache(
    library: Library, game: str, edition: str, stored: Mapping[str, bytes], pool: Pool | None
) -> KnowledgeBase:
    """Return the knowledge base that `to_cache` made these files of."""
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
        tuple(
            Tongue(load_language(library.data / "languages" / code, language), Lexicon.from_json(lexicon))
            for code, language, lexicon in zip(
                about["languages"], json.loads(stored["language.json"]), json.loads(stored["lexicon.json"]), strict=True
            )
        ),
        frozenset((predicate, value) for predicate, value in about["present"]),
        {iri: Place(library.root / path, line) for iri, (path, line) in about["places"].items()},
        tuple(ox.NamedNode(name) for name in about["pool"]),
        pool,
    )
