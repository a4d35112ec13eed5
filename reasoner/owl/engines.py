"""HermiT and Pellet, called by their own command lines on a file of N-Triples.

owlready2's `sync_reasoner` is not used, for reasons found by running it (version 0.51):

- Where an IRI is both a class and an individual, as every classifier of a game is, it mixes up the two: HermiT's
  inferred superclasses are stored as rdf:type, Pellet's inferred types as rdfs:subClassOf.
- A class found equal to owl:Thing or owl:Nothing stays in `Thing.equivalent_to` for every other World.
- It always realises the individuals, has no time limit, and reads '?' for 'é' where the locale is C.

Its jars are good. HermiT is the faster one and runs on any Java; Pellet explains, and needs Java 25.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from reasoner.errors import OntologyError
from reasoner.owl.java import run

# (part, whole): every instance of the first class is one of the second. Equal classes go both ways.
Edge = tuple[str, str]

_HERMIT = "org.semanticweb.HermiT.cli.CommandLine"
_AXIOM = re.compile(r"^(SubClassOf|EquivalentClasses)\( (<.*>) \)$", re.MULTILINE)
_PELLET_INPUT = ("--loader", "Jena", "--input-format", "N-Triples", "--ignore-imports")


def hermit_consistent(path: Path, timeout: float) -> bool:
    """Return whether the ontology in `path` has a model: one satisfiability test, no classification.

    Raises:
        OntologyError: O301 no Java, O302 out of time, O303 HermiT cannot handle the ontology.
    """
    outcome = run("hermit", [_HERMIT, "-k", path.as_uri()], timeout)
    if "Inconsistent ontology" in outcome.err:
        return False
    if outcome.code == 0 and "is satisfiable" in outcome.out:
        return True
    raise _failed("HermiT", outcome.cause())


def hermit_hierarchy(path: Path, timeout: float) -> list[Edge] | None:
    """Return the class hierarchy of the ontology in `path`, or None if the ontology is inconsistent.

    Raises:
        OntologyError: O301 no Java, O302 out of time, O303 HermiT cannot handle the ontology.
    """
    outcome = run("hermit", [_HERMIT, "-c", path.as_uri()], timeout)
    if "Inconsistent ontology" in outcome.err:
        return None
    if outcome.code != 0 or "pear-shaped" in outcome.err:  # a file it cannot parse leaves exit code 0
        raise _failed("HermiT", outcome.cause())
    edges: list[Edge] = []
    for kind, names in _AXIOM.findall(outcome.out):
        iris = names[1:-1].split("> <")
        edges.extend(ring(iris) if kind == "EquivalentClasses" else [(iris[0], iris[1])])
    return edges


def pellet_hierarchy(path: Path, timeout: float) -> list[Edge] | None:
    """Return the class hierarchy of the ontology in `path`, or None if the ontology is inconsistent.

    Raises:
        OntologyError: O301 no Java, O302 out of time, O303 Java too old, or Pellet cannot handle the ontology.
    """
    outcome = run("pellet", ["pellet.Pellet", "classify", *_PELLET_INPUT, str(path)], timeout)
    if "Ontology is inconsistent" in outcome.err:
        return None
    ignored = [line for line in outcome.err.splitlines() if "Unsupported axiom" in line]  # it would go on without them
    if outcome.code != 0 or ignored:
        raise _failed("Pellet", ignored[0] if ignored else outcome.cause())
    edges: list[Edge] = []
    above: list[tuple[int, str]] = []  # indentation and class of every line that the current one lies below
    for line in filter(str.strip, outcome.out.splitlines()):
        depth = len(line) - len(line.lstrip())
        iris = line.split(" - (")[0].strip().split(" = ")
        while above and above[-1][0] >= depth:
            above.pop()
        edges.extend(ring(iris))
        if above:
            edges.append((iris[0], above[-1][1]))
        above.append((depth, iris[0]))
    return edges


def pellet_explanation(path: Path, timeout: float, empty: str = "") -> str:
    """Return axioms that contradict each other, or make the class `empty` empty: one a line, sorted; "" if none do.

    Pellet abbreviates every IRI to its last part.

    Raises:
        OntologyError: O301 no Java, O302 out of time, O303 Java too old.
    """
    what = ["--unsat", empty] if empty else ["--inconsistent"]
    outcome = run("pellet", ["pellet.Pellet", "explain", *what, "--ignore-imports", str(path)], timeout)
    axioms = " ".join(_explained(outcome.out)).split("\n")
    return "\n".join(sorted(axiom.strip() for axiom in axioms if axiom.strip()))


def _explained(output: str) -> Iterator[str]:
    """Yield the lines of the first explanation, those that start an axiom with a line feed before them."""
    inside = False
    for line in output.splitlines():
        first = line.startswith("1) ")
        inside = first or (inside and bool(line.strip()))
        if inside:
            # The first axiom follows the number, the others start in the same column; the rest is continuation.
            text = line[3:] if first else line
            yield text.strip() if line.startswith("      ") else f"\n{text.strip()}"


def ring(iris: list[str]) -> list[Edge]:
    """Return edges that make all of `iris` contain each other; none for a single class."""
    return list(pairwise([*iris, iris[0]])) if len(iris) > 1 else []


def _failed(engine: str, cause: str) -> OntologyError:
    return OntologyError(
        "O303",
        f"{engine} cannot handle this ontology: {cause}",
        hint="reasoner.owl.profile.check names what OWL 2 DL does not allow",
    )
