"""What the files of a game say before any rule has run, and what the rules conclude of cards on that ground."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox

from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import Inference, infer
from reasoner.engine.pattern import Signature
from reasoner.errors import OntologyError, Place, RuleError
from reasoner.knowledge.cardnames import printed_names, translations
from reasoner.knowledge.cards import CardFacts, read_cards
from reasoner.knowledge.editions import edition_of
from reasoner.knowledge.pools import TERMS, Pool
from reasoner.knowledge.program import Programs, make_programs, read_rules
from reasoner.knowledge.turtle import declared_prefixes, prefix_place, read_turtle
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.paths import Library
from reasoner.terms.lookup import pairs
from reasoner.terms.namespaces import Prefixes, core, graph

# Is given a store, and graphs of it that are complete.
Told = Callable[[ox.Store, Sequence[ox.NamedNode]], object]


@dataclass(frozen=True)
class Ground:
    """What the files of a game say: `store` has the vocabulary, `facts` what the library says of its cards."""

    game: str
    edition: str
    library: Library
    store: ox.Store
    vocabulary: Vocabulary
    facts: CardFacts
    programs: Programs
    rule_places: dict[str, Place]
    pool: Pool | None = None


@dataclass(frozen=True)
class Concluded:
    """What the rules conclude of the cards in `store`; `present` are the signatures of what was there before."""

    store: ox.Store
    inference: Inference
    present: frozenset[Signature]

    @property
    def graphs(self) -> tuple[ox.NamedNode, ...]:
        """The graphs of the conclusions, one for each branch."""
        return tuple(branch.graph for branch in self.inference.branches)


@dataclass
class Names:
    """The names of cards: what is printed on cards and faces, by IRI, and what stands for that in which language."""

    by_bearer: dict[str, str] = field(default_factory=dict)
    translations: list[tuple[str, str, str]] = field(default_factory=list)

    @staticmethod
    def of(store: ox.Store, cards: ox.NamedNode) -> Names:
        """Return the names in a store."""
        return Names(printed_names(store, cards), translations(store, cards))

    @property
    def printed(self) -> list[str]:
        """The names that are printed, each once, in order."""
        return sorted(set(self.by_bearer.values()))

    def translated(self, language: str) -> dict[str, str]:
        """Return the printed names by their translations into a language, in order."""
        found = {
            text: self.by_bearer[bearer]
            for bearer, tag, text in sorted(self.translations, key=lambda one: (f"{one[0]}>", *one[1:]))
            if bearer in self.by_bearer and tag == language
        }
        return dict(sorted(found.items()))

    def add(self, more: Names) -> None:
        """Add the names of other cards."""
        self.by_bearer.update(more.by_bearer)
        self.translations += more.translations


def read_ground(library: Library, game: str, as_of: str | None, edition: str, pool: Pool | None) -> Ground:
    """Return what the files of `game` say as of a date or edition, called `edition`, and the terms of a `pool`.

    Raises:
        CardloreError: whatever is wrong with the game's files.
    """
    folder = library.game(game)
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
    rules = read_rules([library.ontology / "rules", folder / "rules"], library.root)
    date, language = edition_of(as_of, vocabulary, rules)
    programs = make_programs(rules, vocabulary, library.root, date, language)
    places = {rule.id: Place(library.root / rule.path, 1) for rule in rules}
    return Ground(game, edition, library, store, vocabulary, facts, programs, places, pool)


def conclude(ground: Ground, store: ox.Store, own: Sequence[ox.Triple], told: Told) -> Concluded:
    """Let the rules run over `store`, which has the vocabulary and the facts about cards of a pool.

    What the library says, `own`, is added, except that it prevails over what the pool says of the same card and
    property.

    Raises:
        RuleError: what is wrong with a rule, with its place.
    """
    game = ground.game
    cards, copies = graph(game, "cards"), graph(game, "pool")
    if ground.pool is not None:
        for subject, predicate in dict.fromkeys((one.subject, one.predicate) for one in own):
            for quad in list(store.quads_for_pattern(subject, predicate, None, cards)):
                store.remove(quad)
    _add(store, cards, own)
    own_cards = [ox.Triple(card, core("hasOwnCard"), card) for card, _ in pairs(store, core("listedName"), cards)]
    _add(store, copies, own_cards)
    told(store, (cards, copies))
    base = (graph("core"), graph(game, "terms"), cards)
    present = frozenset(signatures(quad for name in base for quad in store.quads_for_pattern(None, None, None, name)))
    target = graph(game, "inferred", ground.edition)
    try:
        inference = infer(store, [*base, copies], present | signatures(own_cards), ground.programs.state, target)
    except RuleError as error:
        written = ground.facts.places | ground.rule_places
        raise error.located(written.get(error.about)) from None
    found = Concluded(store, inference, present)
    told(store, found.graphs)
    return found


def _add(store: ox.Store, name: ox.NamedNode, triples: Iterable[ox.Triple]) -> None:
    store.extend(ox.Quad(t.subject, t.predicate, t.object, name) for t in triples)
