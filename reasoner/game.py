"""The Python face of Cardlore: `reasoner.load("…")` gives a game that can be asked everything the command line can."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reasoner.errors import UseError
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.knowledge.pools import opened
from reasoner.operations.context import context_in
from reasoner.operations.match import Match, match
from reasoner.operations.scene import Scene, moment_scene, pool_scene
from reasoner.paths import Library, files_in

if TYPE_CHECKING:
    import pyoxigraph as ox
    from rdflib import Dataset

    from reasoner.export import InteractionGraph
    from reasoner.operations.cases import CaseResult
    from reasoner.operations.check import Report
    from reasoner.operations.query import Result
    from reasoner.operations.steps import Step
    from reasoner.operations.value import ValueAnswer


class Game:
    """A game under one edition of its rules. Building one reads files; asking it never changes it."""

    def __init__(self, library: Library, name: str, as_of: str | None = None, pool: str | None = None) -> None:
        self.library = library
        self.name = name
        self._as_of = as_of
        self.base: KnowledgeBase = open_base(library, name, as_of, opened(library, name, pool))

    @cached_property
    def _pool(self) -> Scene:
        return pool_scene(self.base)

    def situation(self, path: str | Path, moment: int | None = None) -> Scene:
        """Return the situation in a case file, after all its events or after the first `moment` of them.

        Raises:
            CaseError: the file or the situation is wrong.
        """
        from reasoner.operations.casefile import read_case
        from reasoner.operations.cases import play_until

        case = read_case(Path(path), self.library.games())
        if case.game != self.name:
            raise UseError(
                "U106", f"the situation is of the game '{case.game}', not '{self.name}'", place=case.place("game")
            )
        play = play_until(case, self.base, moment)
        return moment_scene(play.base, play.now)

    def match(
        self, text: str, *, on: str | None = None, antecedent: str | None = None, scene: Scene | None = None
    ) -> Match:
        """Return which cards `text` refers to.

        `on` is the card (or object of `scene`) in whose text it stands; `antecedent` the object of `scene`, or the name
        given to one by `refer to:`, that words such as "the same" point back at.

        Raises:
            TextError: the text can't be read.
            UseError: U104 an unknown card or object; U108 an antecedent without a scene.
        """
        where = scene or self._pool
        return match(where, text, context_in(where, text, on, antecedent))

    def explain(
        self,
        text: str,
        who: str | None = None,
        *,
        on: str | None = None,
        antecedent: str | None = None,
        scene: Scene | None = None,
    ) -> tuple[Step, ...]:
        """Return why `who` (a card, or an object of `scene`) is meant by `text` or not; without `who`, what it means.

        `on` and `antecedent` are as for `match`.

        Raises:
            TextError: the text can't be read.
            UseError: U104 an unknown card or object; U108 an antecedent without a scene.
        """
        from reasoner.operations.explain import explain, explain_text

        where = scene or self._pool
        context = context_in(where, text, on, antecedent)
        return explain_text(where, text, context) if who is None else explain(where, text, where.called(who), context)

    def order(self, scene: Scene | None = None) -> tuple[Step, ...]:
        """Return in which order effects are applied at the moment of `scene`, why, and what would turn it round.

        Raises:
            UseError: U116 the game has no such order, or `scene` is no moment of a situation.
        """
        from reasoner.operations.effectorder import explain_order

        return explain_order(scene or self._pool)

    def value(
        self,
        text: str,
        who: str,
        *,
        on: str | None = None,
        antecedent: str | None = None,
        scene: Scene | None = None,
    ) -> ValueAnswer:
        """Return the number that `text` asks for, of `who` (a card, or an object of `scene`).

        `on` and `antecedent` are as for `match`.

        Raises:
            TextError: the text can't be read, or asks for no number.
            UseError: U104 an unknown card or object; U108 an antecedent without a scene.
        """
        from reasoner.operations.value import value

        where = scene or self._pool
        return value(where, text, where.called(who), context_in(where, text, on, antecedent))

    def explain_value(
        self,
        text: str,
        who: str,
        *,
        on: str | None = None,
        antecedent: str | None = None,
        scene: Scene | None = None,
    ) -> tuple[Step, ...]:
        """Return the proof of what `value` answers, under the same conditions."""
        from reasoner.operations.explain import explain_value

        where = scene or self._pool
        return (explain_value(where, text, where.called(who), context_in(where, text, on, antecedent)),)

    def query(self, what: str, **values: str) -> Result:
        """Return the result of a SPARQL query, a query file or a shipped question; `values` fill its variables.

        Raises:
            QueryError, UseError: the query is wrong or unknown.
        """
        from reasoner.operations.query import find_query, run_query

        return run_query(self._store(), find_query(what, self.library), self.base.vocabulary.prefixes, values)

    def _store(self) -> ox.Store:
        """Return the store to ask: on disk for an imported pool, else one in memory."""
        from reasoner.operations.dataset import full_store
        from reasoner.operations.poolstore import open_pool_store

        if self.base.pool is None:
            return full_store([self.base])
        return open_pool_store(self.library, self.name, self.base.pool, self._as_of).store

    def dataset(self) -> Dataset:
        """Return everything known of the game as an rdflib Dataset (a copy: writing to it changes nothing here).

        Its default graph is the merge of all the named ones.
        """
        from oxrdflib import OxigraphStore
        from rdflib import Dataset

        from reasoner.operations.poolstore import in_memory

        store = self._store()
        dataset = Dataset(store=OxigraphStore(store=store if self.base.pool is None else in_memory(store)))
        for prefix, namespace in self.base.vocabulary.prefixes.namespaces.items():
            dataset.bind(prefix, namespace)
        return dataset

    def cases(self, paths: Sequence[str | Path] = ()) -> tuple[CaseResult, ...]:
        """Return how the cases went: those in `paths`, or all of the game.

        One that can't be read or played is among the results, with its error.
        """
        from reasoner.operations.suite import run_files

        folder = self.library.game(self.name) / "cases"
        return tuple(run_files([Path(path) for path in paths] or files_in(folder, ".yaml"), self.base))

    def graph(self) -> InteractionGraph:
        """Return cards, references and interactions as a graph to export or to analyse with networkx."""
        from reasoner.operations.graph import interaction_graph

        return interaction_graph(self.base)

    def check(self) -> Report:
        """Return every finding about the game's ontology, data and rules."""
        from reasoner.operations.check import check

        return check(self.base)


def load(name: str, *, as_of: str | None = None, library: str | Path | None = None, pool: str | None = None) -> Game:
    """Return the game called `name`, under the rules issued by `as_of` (an ISO date, its beginning, or an edition).

    `pool` is an imported card pool, by its name or its folder; without it, only the cards of the library are there.

    Raises:
        UseError: U101 unknown game, U102 no library, U107 no such date or edition, U114 no such pool.
        CardloreError: whatever is wrong with the game's files.
    """
    from reasoner.paths import library as find_library

    return Game(find_library(library), name, as_of, pool)
