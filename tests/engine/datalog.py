"""A reference evaluator for rules with negation, in pure Python, and random programs to try it on.

It knows nothing of SPARQL or graphs: rules get their strata by relaxation, and each stratum is evaluated by trying
every assignment of constants to variables until nothing is new.

Source: the perfect model of stratified programs; Apt, Blair and Walker (1988).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from hypothesis import strategies as st

from reasoner.engine.rule import Rule

from .ember import rule

PREDICATES = "abcdef"
CONSTANTS = ("k0", "k1", "k2", "k3")
VARIABLES = ("?x", "?y", "?z")

Fact: TypeAlias = tuple[str, str, str]
Atom: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True)
class Clause:
    """A rule as atoms: `head` follows from `positive` where none of `negative` holds for any other variables."""

    head: Atom
    positive: tuple[Atom, ...]
    negative: tuple[Atom, ...]

    def text(self) -> str:
        """Return the body in SPARQL."""
        parts = [said(atom) for atom in self.positive]
        return " ".join([*parts, *(f"FILTER NOT EXISTS {{ {said(atom)} }}" for atom in self.negative)])

    def compiled(self, number: int) -> Rule:
        """Return the rule as the engine reads it."""
        return rule(f"r{number}", said(self.head), self.text())


def said(atom: Atom) -> str:
    """Return an atom in SPARQL."""
    subject, predicate, value = (part if part.startswith("?") else f":{part}" for part in atom)
    return f"{subject} {predicate} {value} ."


def model(facts: set[Fact], clauses: Sequence[Clause]) -> set[Fact] | None:
    """Return all that holds, or None where negation goes in a circle."""
    strata = _strata(clauses)
    if strata is None:
        return None
    known = set(facts)
    for level in sorted(set(strata)):
        here = [clause for clause, stratum in zip(clauses, strata, strict=True) if stratum == level]
        while new := {fact for clause in here for fact in _step(clause, known)} - known:
            known |= new
    return known


def _strata(clauses: Sequence[Clause]) -> list[int] | None:
    strata = [0] * len(clauses)
    for _ in range(len(clauses) + 1):
        before = list(strata)
        for reader, clause in enumerate(clauses):
            for writer, other in enumerate(clauses):
                if any(_meet(atom, other.head) for atom in clause.negative):
                    strata[reader] = max(strata[reader], strata[writer] + 1)
                elif any(_meet(atom, other.head) for atom in clause.positive):
                    strata[reader] = max(strata[reader], strata[writer])
        if strata == before:
            return strata
    return None


def _meet(read: Atom, written: Atom) -> bool:
    """Return whether some fact can be both; two constant objects keep apart, subjects do not."""
    return read[1] == written[1] and (read[2] == written[2] or "?" in (read[2][0], written[2][0]))


def _step(clause: Clause, known: set[Fact]) -> set[Fact]:
    found = set()
    bound = sorted({part for atom in clause.positive for part in atom if part.startswith("?")})
    for row in product(CONSTANTS, repeat=len(bound)):
        values = dict(zip(bound, row, strict=True))
        if all(_put(atom, values) in known for atom in clause.positive) and not any(
            _matches(atom, values, clause, known) for atom in clause.negative
        ):
            found.add(_put(clause.head, values))
    return found


def _put(atom: Atom, values: dict[str, str]) -> Fact:
    subject, predicate, value = (values.get(part, part) for part in atom)
    return subject, predicate, value


def _matches(atom: Atom, values: dict[str, str], clause: Clause, known: set[Fact]) -> bool:
    """Return whether a negated atom holds; a variable that stands in no positive atom may be anything."""
    bound = {part for positive in clause.positive for part in positive if part.startswith("?")}
    free = sorted({part for part in atom if part.startswith("?")} - bound)
    return any(
        _put(atom, {**values, **dict(zip(free, row, strict=True))}) in known
        for row in product(CONSTANTS, repeat=len(free))
    )


_terms = st.sampled_from((*VARIABLES, *VARIABLES, "k0"))
_atoms = st.tuples(_terms, st.sampled_from(PREDICATES), _terms)


@st.composite
def clauses(draw: st.DrawFn) -> Clause:
    """Draw a clause every variable of whose head stands in its body."""
    positive = draw(st.lists(_atoms, min_size=1, max_size=3))
    negative = draw(st.lists(_atoms, max_size=1))
    bound = sorted({part for atom in positive for part in atom if part.startswith("?")}) or ["k0"]
    head = (draw(st.sampled_from(bound)), draw(st.sampled_from(PREDICATES)), draw(st.sampled_from([*bound, "k1"])))
    return Clause(head, tuple(positive), tuple(negative))


programs = st.lists(clauses(), min_size=1, max_size=5)
facts = st.sets(
    st.tuples(st.sampled_from(CONSTANTS), st.sampled_from(PREDICATES), st.sampled_from(CONSTANTS)), max_size=12
)


def turtle(known: set[Fact] | Sequence[Fact]) -> str:
    """Return facts as Turtle."""
    return "\n".join(f":{s} :{p} :{o} ." for s, p, o in known)
