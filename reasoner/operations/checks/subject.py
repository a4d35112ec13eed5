"""What is checked: a knowledge base with everything that several checks want to know of it, worked out once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pyoxigraph as ox

from reasoner.engine.rule import Rule
from reasoner.errors import CardloreError, Place
from reasoner.knowledge.base import LATEST, KnowledgeBase, open_base
from reasoner.knowledge.turtle import line_of, read_turtle
from reasoner.operations.casefile import CaseFile, read_case
from reasoner.operations.cases import CaseResult, run_case
from reasoner.operations.checks.witness import Search, search
from reasoner.operations.interactions import Interpreted, PrintedReference, interpret_all
from reasoner.owl.reasoner import Engine
from reasoner.paths import files_in
from reasoner.terms.namespaces import BASE, SH, TYPE, core, game_base, graph, rule_iri

_PREFIX = re.compile(r"^\s*(?:@prefix|PREFIX)\s+([\w-]*):\s*<([^>]*)>", re.MULTILINE)


@dataclass(frozen=True)
class Subject:
    """`base` is what is checked; `engine` does the OWL reasoning. Nothing here is ever written to."""

    base: KnowledgeBase
    engine: Engine = "hermit"
    _bases: dict[str, KnowledgeBase] = field(default_factory=dict, compare=False, repr=False)

    # --- what there is

    @cached_property
    def interpreted(self) -> tuple[Interpreted, ...]:
        """Every printed reference with its readings."""
        return interpret_all(self.base)

    @cached_property
    def references(self) -> dict[str, PrintedReference]:
        """Every printed reference by its IRI."""
        return {one.reference.iri.value: one.reference for one in self.interpreted}

    @cached_property
    def _read_cases(self) -> tuple[tuple[CaseFile, ...], tuple[CardloreError, ...]]:
        cases, errors = [], []
        for path in files_in(self._folder / "cases", ".yaml"):
            try:
                cases.append(read_case(path, self.base.library.games()))
            except CardloreError as error:
                errors.append(error)
        return tuple(cases), tuple(errors)

    @property
    def case_errors(self) -> tuple[CardloreError, ...]:
        """Why some case files can't be read."""
        return self._read_cases[1]

    @cached_property
    def cases(self) -> tuple[CaseResult, ...]:
        """How the cases went, each under the edition it names."""
        return tuple(run_case(case, self._base_of(case)) for case in self._read_cases[0])

    @cached_property
    def search(self) -> Search:
        """The witnesses of rules that disagree."""
        return search(self.base)

    def _base_of(self, case: CaseFile) -> KnowledgeBase:
        if case.as_of is None or self.base.edition != LATEST:
            return self.base
        if case.as_of not in self._bases:
            self._bases[case.as_of] = open_base(self.base.library, self.base.game, case.as_of)
        return self._bases[case.as_of]

    @property
    def vocabulary_graphs(self) -> tuple[ox.NamedNode, ox.NamedNode]:
        """The graphs of the shared terms and of the game's own."""
        return graph("core"), graph(self.base.game, "terms")

    def triples(self, graphs: Iterable[ox.NamedNode]) -> list[ox.Triple]:
        """Return what `graphs` of the knowledge base say."""
        return [quad.triple for name in graphs for quad in self.base.store.quads_for_pattern(None, None, None, name)]

    # --- where things stand

    @property
    def ontology_files(self) -> tuple[Path, Path]:
        """The files that are OWL ontologies: the game's terms and the shared ones."""
        return self._folder / "terms.ttl", self.base.library.ontology / "core.ttl"

    @property
    def _folder(self) -> Path:
        return self.base.library.game(self.base.game)

    @property
    def shape_files(self) -> tuple[Path, Path, Path, Path]:
        """The files of shapes for terms, games, all cards and the game's own cards; there need not be the last."""
        shapes = self.base.library.ontology / "shapes"
        return shapes / "terms.ttl", shapes / "games.ttl", shapes / "cards.ttl", self._folder / "shapes.ttl"

    def place(self, iri: str) -> Place | None:
        """Return where `iri` is described: a card, one of its parts, a rule, a case or a term."""
        if iri in self.base.places:
            return self.base.places[iri]
        if iri in self._written:
            return self._written[iri]
        if not iri.startswith(BASE):
            return None
        others = (self._folder / "game.ttl", self.base.library.ontology / "prefixes.ttl")
        return next((place for path in (*self.ontology_files, *others) if (place := place_in(path, iri))), None)

    @cached_property
    def _written(self) -> dict[str, Place]:
        """The files of rules and cases, by the IRI of the rule or case."""
        rules = {iri: self.rule_place(rule) for iri, rule in self._rules.items()}
        cases = {f"{game_base(self.base.game)}case/{case.name}": case.place() for case in self._read_cases[0]}
        return rules | cases

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        return {rule_iri(rule.id).value: rule for rule in self.base.programs.rules}

    def rule_place(self, rule: Rule) -> Place:
        """Return where `rule` stands."""
        return Place(self.base.library.root / rule.path, 1)

    # --- how things are called

    def name(self, iri: str) -> str:
        """Return what a message calls `iri`: a reference by its text, a card by its name, a term by a compact name."""
        if iri in self.references:
            one = self.references[iri]
            return f"“{one.wording}” on {self.base.card_names[one.card.value]}"
        if iri in self.base.card_names:
            return self.base.card_names[iri]
        if iri in self._rules:
            return self._rules[iri].id
        return self.base.vocabulary.prefixes.shorten(iri)

    def label(self, term: ox.NamedNode) -> str:
        """Return the label of a term: in the game's language for what cards are sorted by, in English for others."""
        own = term in self.base.vocabulary.instances(core("Classifier"))
        return self.base.vocabulary.label(term, self.base.language.code if own else "en")

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """How many of what are checked."""
        typed = {t.subject for t in self.triples(self.vocabulary_graphs) if t.predicate == TYPE}
        terms = [term for term in typed if isinstance(term, ox.NamedNode) and term.value.startswith(BASE)]
        demands = [triple for path in self.shape_files if path.is_file() for triple in read_turtle(path)]
        return (
            ("term", len(terms)),
            ("shape", len({t.subject for t in demands if t.predicate.value.startswith(f"{SH}target")})),
            ("card", len(self.base.cards)),
            ("reference", len(self.interpreted)),
            ("rule", len(self.base.programs.rules)),
            ("case", len(self.cases) + len(self.case_errors)),
        )


def place_in(path: Path, iri: str) -> Place | None:
    """Return the line of a Turtle file that begins with `iri`, full or under one of the file's own prefixes."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    short = tuple(f"{prefix}:{iri[len(space) :]}" for prefix, space in _PREFIX.findall(text) if iri.startswith(space))
    line = line_of(path, (f"<{iri}>", *short))
    return Place(path, line) if line else None
