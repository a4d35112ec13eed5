"""HermiT and Pellet, called by their own command lines on a file of N-Triples.

owlready2's `sync_reasoner` is not used, for reasons found by running it (version 0.51):

- Where an IRI is both a class and an individual, as every classifier of a game is, it mixes up the two: HermiT's
  inferred superclasses are stored as rdf:type, Pellet's inferred types as rdfs:subClassOf.
- A class found equal to owl:Thing or owl:Nothing stays in `Thing.equivalent_to` for every other World.
- It always realises the individuals, has no time limit, and reads '?' for 'é' where the locale is C.

Its jars are good. HermiT is complete and runs on any Java. Pellet explains, needs Java 25, and does not find that
{x} is part of the complement of {y} where x and y are different.
"""

from __future__ import annotations

import re
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


def pellet_contradiction(path: Path, timeout: float) -> str:
    """Return axioms of an inconsistent ontology that contradict each other: one a line, sorted; "" if none are found.

    Raises:
        OntologyError: O301 no Java, O302 out of time, O303 Java too old.
    """
    return next(iter(_explanations(path, "--inconsistent", timeout).values()), "")


def pellet_reasons(path: Path, timeout: float) -> dict[str, str]:
    """Return for each empty class axioms that make it so, one a line, sorted; by the last part of the class's IRI.

    Pellet abbreviates all IRIs so. Of two classes with the same last part, one is missing.

    Raises:
        OntologyError: O301 no Java, O302 out of time, O303 Java too old.
    """
    return _explanations(path, "--all-unsat", timeout)


def _explanations(path: Path, what: str, timeout: float) -> dict[str, str]:
    outcome = run("pellet", ["pellet.Pellet", "explain", what, "--ignore-imports", str(path)], timeout)
    found: dict[str, str] = {}
    for block in re.split(r"^.*Axiom: ", outcome.out, flags=re.MULTILINE)[1:]:
        name, _, rest = block.partition(" subClassOf Nothing")
        _, _, first = rest.partition("1) ")
        first, *_ = re.split(r"\n\s*\n|\n2\) ", first)
        # Each axiom starts in column 5; what stands further right continues the one before.
        axioms = " ".join(("" if line[:6].strip() == "" else "\n") + line.strip() for line in first.splitlines())
        found[name] = "\n".join(sorted(axiom.strip() for axiom in axioms.split("\n") if axiom.strip()))
    return {name: text for name, text in found.items() if text}


def ring(iris: list[str]) -> list[Edge]:
    """Return edges that make all of `iris` contain each other; none for a single class."""
    return list(pairwise([*iris, iris[0]])) if len(iris) > 1 else []


def _failed(engine: str, cause: str) -> OntologyError:
    return OntologyError(
        "O303",
        f"{engine} cannot handle this ontology: {cause}",
        hint="reasoner.owl.profile.check names what OWL 2 DL does not allow",
    )
