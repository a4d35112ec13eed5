"""A small invented game for the engine's tests: rules from text, facts from Turtle, and both said back in short.

Facts and patterns are said as "subject predicate object" in local names, so that a test can state them whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pyoxigraph as ox

from reasoner.engine.compiler import compile_rule
from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import Branch, Inference, infer
from reasoner.engine.pattern import Pattern
from reasoner.engine.precedence import Exclusions, Support
from reasoner.engine.program import Program
from reasoner.engine.rule import Header, Rule
from reasoner.engine.strata import stratify
from reasoner.errors import Place

EMBER = "https://example.org/ember/"
PREFIXES = f"PREFIX : <{EMBER}>\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
BASE = ox.NamedNode(EMBER + "graph/asserted")
MORE = ox.NamedNode(EMBER + "graph/more")
TARGET = ox.NamedNode(EMBER + "graph/inferred")
_XSD_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


def iri(name: str) -> ox.NamedNode:
    """Return the term called `name`."""
    return ox.NamedNode(EMBER + name)


def facts(turtle: str) -> list[ox.Triple]:
    """Return the triples of a piece of Turtle, in which the empty prefix is the game's."""
    parsed = ox.parse(f"@prefix : <{EMBER}> .\n{turtle}".encode(), format=ox.RdfFormat.TURTLE)
    return [quad.triple for quad in parsed]


@cache
def rule(
    name: str,
    head: str,
    body: str,
    *,
    exception_to: tuple[str, ...] = (),
    more_specific_than: tuple[str, ...] = (),
    edition: str = "undated",
    section: str = "",
    language: str = "",
    original: bool = False,
) -> Rule:
    """Return the compiled rule `ember:name`; names of other rules are given without the game, too."""
    header = Header(
        id=f"ember:{name}",
        title=name,
        source="embers:rules",
        section=section,
        edition=edition,
        exception_to=tuple(f"ember:{other}" for other in exception_to),
        more_specific_than=tuple(f"ember:{other}" for other in more_specific_than),
        language=language,
        original=original,
    )
    text = f"{PREFIXES}CONSTRUCT {{ {head} }}\nWHERE {{ {body} }}"
    return compile_rule(header, text, Place(Path(f"{name}.rq")), f"{name}.rq")


def exclusions(
    functional: Iterable[str] = (),
    classifying: Iterable[str] = (),
    disjoint: Iterable[Sequence[str]] = (),
    policies: Iterable[str] = (),
) -> Exclusions:
    """Return what excludes what, from local names; every two members of a group in `disjoint` are disjoint."""
    pairs = {
        frozenset((EMBER + one, EMBER + other))
        for group in disjoint
        for one in group
        for other in group
        if one != other
    }
    return Exclusions(
        frozenset(EMBER + name for name in functional),
        frozenset(EMBER + name for name in classifying),
        frozenset(pairs),
        frozenset(policies),
    )


def program(rules: Iterable[Rule], excluding: Exclusions | None = None) -> Program:
    """Return the rules as a program."""
    chosen = excluding or Exclusions()
    return Program(stratify(tuple(rules), chosen.concerns), chosen)


@dataclass
class World:
    """A store with asserted facts, in one graph or two."""

    given: str = ""
    more: str = ""
    store: ox.Store = field(default_factory=ox.Store)

    def __post_init__(self) -> None:
        for graph, turtle in ((BASE, self.given), (MORE, self.more)):
            self.store.extend(ox.Quad(t.subject, t.predicate, t.object, graph) for t in facts(turtle))

    @property
    def asserted(self) -> list[ox.Triple]:
        """The asserted facts of both graphs."""
        return [q.triple for g in (BASE, MORE) for q in self.store.quads_for_pattern(None, None, None, g)]

    def run(self, rules: Iterable[Rule], excluding: Exclusions | None = None) -> Inference:
        """Return what `rules` make of the facts."""
        return infer(self.store, [BASE, MORE], signatures(self.asserted), program(rules, excluding), TARGET)

    def holds(self, branch: Branch) -> Callable[[ox.Triple], bool]:
        """Return a test whether a fact is asserted or derived in `branch`."""
        graphs = (BASE, MORE, branch.graph)
        return lambda t: any(ox.Quad(t.subject, t.predicate, t.object, g) in self.store for g in graphs)


def told(found: Iterable[ox.Triple]) -> list[str]:
    """Return facts in short, sorted."""
    return sorted(say(fact) for fact in found)


def say(fact: ox.Triple) -> str:
    """Return one fact in short."""
    return " ".join(short(str(part)) for part in fact)


def short(text: str) -> str:
    """Return an encoded term or a path with local names instead of IRIs, and integers as they are written."""
    text = re.sub(rf'"(-?\d+)"\^\^<{re.escape(_XSD_INTEGER)}>', r"\1", text)
    text = text.replace("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "a")
    return re.sub(r"<[^<>]*[/#]([^<>/#]*)>", r"\1", text)


def said(pattern: Pattern) -> str:
    """Return a pattern in short; of a path its text."""
    subject, verb, value = pattern.text()
    return " ".join(short(part) for part in (subject, verb.rpartition(" | ")[2], value))


def patterns(one: Rule) -> dict[str, list[str]]:
    """Return the patterns of a rule's body by kind, in short and sorted, kinds without any left out."""
    kinds = ("required", "either", "optional", "absent", "counted", "guarded")
    return {kind: sorted(map(said, getattr(one, kind))) for kind in kinds if getattr(one, kind)}


def binding(support: Support) -> dict[str, str]:
    """Return the solution of a support in short."""
    return {name: short(str(value)) for name, value in support.solution.items()}


def reasons(branch: Branch) -> Mapping[str, tuple[str, dict[str, str]]]:
    """Return for each derived fact, in the order found, the rule and the bindings it rests on."""
    return {say(fact): (support.rule.id, binding(support)) for fact, support in branch.supports.items()}
