"""The knowledge base of one game under one edition: graphs, vocabulary, programs, lexicon.

Graphs of the store: `core` and `<game>/terms` (vocabulary), `<game>/cards` (asserted card facts),
`<game>/pool` (each card stands for itself), `<game>/inferred/<edition>` (what the rules make of the pool).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from reasoner.engine.inference import Inference
from reasoner.engine.pattern import ANY_PREDICATE, Signature
from reasoner.engine.program import Program
from reasoner.errors import CardloreError, Place
from reasoner.knowledge import cache
from reasoner.knowledge.cardnames import card_called, card_names, cards_by_spelling
from reasoner.knowledge.pools import CARDS, Pool
from reasoner.knowledge.program import Programs
from reasoner.knowledge.tongues import Tongue, read_in
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.knowledge.words import game_entries, languages_of, translated_entries
from reasoner.language.grammar import Language, language_data, load_language
from reasoner.language.lexicon import Lexicon
from reasoner.language.mention import Reading
from reasoner.paths import Library, files_in
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import DCT, DOMAIN, RDFS, SKOS, SUBCLASS, Prefixes, core, game_base, graph

if TYPE_CHECKING:
    from reasoner.knowledge.ground import Concluded, Ground, Names, Told

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
    told: Told = lambda _store, _graphs: None,
) -> tuple[KnowledgeBase, Inference]:
    """Return what `build` does, and how what is known of the cards was derived.

    `told` is given the store and graphs in it that are complete: first what the rules do not derive of the cards, then
    what they do.

    Raises:
        CardloreError: whatever is wrong with the game's files.
    """
    # What reads files is not needed where all comes from the cache.
    from reasoner.knowledge.ground import Names, conclude, read_ground

    ground = read_ground(library, game, as_of, as_of or LATEST, pool)
    if pool is not None:
        ground.store.bulk_load(pool.read(CARDS), format=ox.RdfFormat.N_TRIPLES, to_graph=graph(game, "cards"))
    concluded = conclude(ground, ground.store, ground.facts.triples, told)
    return base_on(ground, concluded, Names.of(concluded.store, graph(game, "cards"))), concluded.inference


def base_on(ground: Ground, concluded: Concluded, names: Names) -> KnowledgeBase:
    """Return the knowledge base of what was concluded of cards with these names."""
    game = ground.game
    tongues = tuple(
        _tongue(ground.library, code, ground.vocabulary, names)
        for code in languages_of(ground.vocabulary, ox.NamedNode(game_base(game).rstrip("/")))
    )
    vocabulary = Vocabulary(concluded.store, (graph("core"), graph(game, "terms")), ground.vocabulary.prefixes)
    return KnowledgeBase(
        *(game, ground.edition, ground.library, concluded.store, vocabulary, ground.programs, tongues),
        *(concluded.present, ground.facts.places, concluded.graphs, ground.pool),
    )


def _tongue(library: Library, code: str, vocabulary: Vocabulary, names: Names) -> Tongue:
    language = load_language(library.data / "languages" / code)
    translated = translated_entries(names.translated(code))
    entries = game_entries(vocabulary, names.printed, code, language.parser.terminals)
    return Tongue(language, Lexicon([*language.entries, *entries, *translated]))


def base_key(library: Library, game: str, edition: str, pool: Pool | None) -> str:
    """Return the key for everything that a knowledge base is built from."""
    return cache.fingerprint(input_files(library, game), str(library.root), game, edition, pool.key if pool else "")


def to_cache(base: KnowledgeBase, facts: Path | None = None) -> dict[str, cache.Content]:
    """Return `base` as the files of a cache entry, the inverse of `from_cache`; the facts are written when they are.

    `facts` is a file with all that is known, if that is more than what the store of `base` holds.
    """
    root = base.library.root
    about = {
        "present": sorted([list(signature) for signature in base.present], key=str),
        "places": {iri: [place.path.relative_to(root).as_posix(), place.line] for iri, place in base.places.items()},
        "prefixes": dict(base.vocabulary.prefixes.namespaces),
        "languages": [tongue.language.code for tongue in base.tongues],
        "pool": [name.value for name in base.pool_graphs],
    }
    return {
        "facts.nq": facts or (lambda file: base.store.dump(file, format=ox.RdfFormat.N_QUADS)),
        "programs.json": cache.to_bytes(base.programs.to_json()),
        "lexicon.json": cache.to_bytes([tongue.lexicon.to_json() for tongue in base.tongues]),
        "language.json": cache.to_bytes(
            [language_data(base.library.data / "languages" / tongue.language.code) for tongue in base.tongues]
        ),
        "about.json": cache.to_bytes(about),
    }


def from_cache(library: Library, game: str, edition: str, stored: dict[str, bytes], pool: Pool | None) -> KnowledgeBase:
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
