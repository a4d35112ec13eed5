"""What is checked: a knowledge base with everything that several checks want to know of it, worked out once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pyoxigraph as ox

from reasoner.errors import CardloreError, Place
from reasoner.knowledge.base import LATEST, KnowledgeBase, open_base
from reasoner.knowledge.turtle import line_of
from reasoner.operations.casefile import CaseFile, read_case
from reasoner.operations.cases import CaseResult, run_case
from reasoner.operations.interactions import Interpreted, PrintedReference, interpret_all
from reasoner.owl.reasoner import Engine
from reasoner.terms.namespaces import BASE, CORE, TYPE, core, game_base, graph, rule_iri

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
        for path in sorted((self.base.library.game(self.base.game) / "cases").rglob("*.yaml")):
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
        rules = {rule_iri(rule.id).value: Place(self.base.library.root / rule.path, 1) for rule in self.base.programs.rules}
        cases = {f"{game_base(self.base.game)}case/{case.name}": case.place() for case in self._read_cases[0]}
        return rules | cases

    # --- how things are called

    def name(self, iri: str) -> str:
        """Return what a message calls `iri`: a reference by its text, a card by its name, a term by its compact name."""
        if iri in self.references:
            one = self.references[iri]
            return f"“{one.wording}” on {self.base.card_names[one.card.value]}"
        if iri in self.base.card_names:
            return self.base.card_names[iri]
        return self.base.vocabulary.prefixes.shorten(iri)

    def word(self, iri: str) -> str:
        """Return what people call `iri`: as `name`, but what a game sorts its cards by goes by its label."""
        if not iri.startswith(CORE) and ox.NamedNode(iri) in self.base.vocabulary.instances(core("Classifier")):
            return self.base.vocabulary.label(iri, self.base.language.code)
        return self.name(iri)

    @cached_property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """How many of what are checked."""
        terms = {t.subject for t in self.triples(self.vocabulary_graphs) if t.predicate == TYPE and _is_term(t)}
        rules, cards = self.base.programs.rules, self.base.cards
        return (
            ("term", len(terms)),
            ("card", len(cards)),
            ("reference", len(self.interpreted)),
            ("rule", len(rules)),
            ("case", len(self.cases)),
        )


def _is_term(triple: ox.Triple) -> bool:
    return isinstance(triple.subject, ox.NamedNode) and triple.subject.value.startswith(BASE)


def place_in(path: Path, iri: str) -> Place | None:
    """Return the line of a Turtle file that begins with `iri`, full or under one of the file's own prefixes."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    short = tuple(f"{prefix}:{iri[len(space) :]}" for prefix, space in _PREFIX.findall(text) if iri.startswith(space))
    line = line_of(path, (f"<{iri}>", *short))
    return Place(path, line) if line else None
