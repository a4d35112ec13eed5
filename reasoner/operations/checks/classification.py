"""What OWL says of the vocabulary and the printed references: contradictions, empty, equal and contained classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import pyoxigraph as ox

from reasoner.errors import CardloreError, Place
from reasoner.knowledge.turtle import read_turtle
from reasoner.operations.checks.findings import ERROR, INFO, WARNING, Finding, counted, from_error
from reasoner.operations.checks.subject import Subject
from reasoner.owl import profile
from reasoner.owl.names import THING, ntriples
from reasoner.owl.reasoner import Classification, classify
from reasoner.reference.selector import Selector
from reasoner.terms.namespaces import OWL, core

_IMPORTS = OWL + "imports"
_NOT_RUN = ("O301", "O302", "O303")
_WHAT = "contradictions, references that can never match, and equal or contained references were not looked for"
_INSTALL = "pip install 'cardlore[check]'"
_WORD = re.compile(r"[\w-]+")
_IRI = re.compile(r"<?(https?://[^\s<>']*[^\s<>':.,;])>?")


def owl_profile(subject: Subject) -> Iterator[Finding]:
    """Yield what in the terms of the game and the core is not OWL 2 DL."""
    triples = [triple for path in subject.ontology_files for triple in read_turtle(path)]
    for code, iri, message in profile.check(triples):
        named = "://" in iri
        what = subject.name(iri) if named else "an anonymous class or list"
        yield Finding(ERROR, code, f"{what} is not OWL 2 DL: {message}", subject.place(iri) if named else None)


class Classified:
    """The vocabulary and the references of a game, classified; `findings` are about them, `notes` sum them up."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.found: Classification | None = None
        self.error: CardloreError | None = None
        try:
            self.found = classify(self._vocabulary(), self.selectors, subject.engine)
        except CardloreError as error:
            self.error = error

    def _vocabulary(self) -> bytes:
        triples = self.subject.triples(self.subject.vocabulary_graphs)
        return ntriples(triple for triple in triples if triple.predicate.value != _IMPORTS)

    @cached_property
    def selectors(self) -> dict[str, Selector]:
        """What each reference selects, by its IRI; one that has several meanings gives one for each."""
        result: dict[str, Selector] = {}
        for one in self.subject.interpreted:
            iri = one.reference.iri.value
            meanings = list(dict.fromkeys(selector for reading in one.readings for selector in reading.selectors))
            for number, selector in enumerate(meanings, 1):
                result[iri if len(meanings) == 1 else f"{iri}/meaning/{number}"] = selector
        return result

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found, in one line."""
        if self.found is None:
            return ("OWL classification: not run",)
        if not self.found.consistent:
            return ("OWL classification: inconsistent",)
        groups, pairs = len(self._groups), sum(map(len, self._parts.values()))
        found = f"{counted(groups, 'equal group')}, {counted(pairs, 'containment')}"
        return (f"OWL classification: {found}, {len(self.found.unsatisfiable)} without possible members",)

    def findings(self) -> Iterator[Finding]:
        """Yield what follows from the ontology alone, whatever cards there are."""
        if self.error is not None:
            yield from self._not_run(self.error)
        elif self.found is not None and not self.found.consistent:
            yield from self._inconsistent(self.found)
        elif self.found is not None:
            yield from self._empty(self.found)
            yield from self._equal()
            yield from self._contained()

    def _not_run(self, error: CardloreError) -> Iterator[Finding]:
        if error.code in _NOT_RUN:
            hint = _INSTALL if error.code == "O301" else error.hint
            yield Finding(WARNING, "K001", f"the OWL reasoner did not run ({error.message}): {_WHAT}", None, hint)
            return
        for one in from_error(error):
            places = (self._place(iri) for iri in _IRI.findall(one.message))
            place = one.place or next(filter(None, places), None)
            yield replace(one, message=self._said(one.message), hint=self._said(one.hint), place=place)

    def _inconsistent(self, found: Classification) -> Iterator[Finding]:
        reason = found.why.get(THING.value, "")
        why = self._said(reason).splitlines()
        places = (self._place(iri) for iri in (*found.culprits, *self._spoken_of(reason)))
        yield Finding(
            ERROR,
            "K101",
            f"the ontology is inconsistent: {why[0] if why else 'no reason was found'}",
            next(filter(None, places), Place(self.subject.ontology_files[0], 1)),
            "nothing else that OWL could tell was checked: everything follows from a contradiction",
            tuple(why[1:]),
        )

    def _spoken_of(self, reason: str) -> list[str]:
        """Return the game's terms that axioms name; the reasoner abbreviates IRIs to their last parts."""
        triples = self.subject.triples(self.subject.vocabulary_graphs[1:])
        last = {
            t.subject.value.rpartition("/")[2]: t.subject.value for t in triples if isinstance(t.subject, ox.NamedNode)
        }
        return [last[word] for word in _WORD.findall(reason) if word in last]

    def _empty(self, found: Classification) -> Iterator[Finding]:
        for iri in found.unsatisfiable:
            why = self._said(found.why.get(iri, ""))
            if iri in self.selectors:
                yield Finding(
                    WARNING,
                    "K103",
                    f"{self._name(iri)} can never match anything{_because(why)}",
                    self._place(iri),
                    "reword the reference, or correct what the terms exclude",
                )
            else:
                yield Finding(
                    ERROR,
                    "K102",
                    f"nothing can ever be a member of {self.subject.name(iri)}{_because(why)}",
                    self._place(iri),
                    "remove the class, or one of the axioms that contradict each other",
                )

    def _equal(self) -> Iterator[Finding]:
        for group in self._groups:
            first = next(iter(sorted(group & set(self.selectors))), min(group))
            names = ", ".join(sorted({self._name(iri) for iri in group}))
            yield Finding(INFO, "K104", f"always the same: {names}", self._place(first))

    def _contained(self) -> Iterator[Finding]:
        for whole, parts in self._parts.items():
            names = ", ".join(sorted({self._name(part) for part in parts}))
            yield Finding(INFO, "K105", f"{self._name(whole)} contains {names}", self._place(whole))

    @cached_property
    def _groups(self) -> tuple[frozenset[str], ...]:
        """What is always the same; references that are worded alike are no news."""

        def differ(group: frozenset[str]) -> bool:
            return len({self._wording(iri) or iri for iri in group}) > 1

        return tuple(filter(differ, self.found.equal)) if self.found else ()

    @cached_property
    def _parts(self) -> dict[str, set[str]]:
        """What contains what, among classes that cards are sorted by and references."""
        parts: dict[str, set[str]] = {}
        if self.found is None:
            return parts
        sorting = self._classifiers | set(self.selectors)
        # Of what is always the same one speaks for all: a class of the game, or the first reference.
        speaker = {
            iri: min(group, key=lambda one: (one not in self._classifiers, one))
            for group in self.found.equal
            for iri in group
        }
        for whole, part in self.found.contains:
            first = speaker.get(whole, whole)
            if whole in sorting and part in sorting and first != THING.value:
                parts.setdefault(first, set()).add(speaker.get(part, part))
        return parts

    # --- names and places of references and classes

    @cached_property
    def _classifiers(self) -> frozenset[str]:
        return frozenset(iri.value for iri in self.subject.base.vocabulary.instances(core("Classifier")))

    def _reference(self, iri: str) -> str:
        return iri.partition("/meaning/")[0]

    def _wording(self, iri: str) -> str | None:
        one = self.subject.references.get(self._reference(iri))
        return one.wording if one else None

    def _name(self, iri: str) -> str:
        if iri == THING.value:
            return "everything"
        if iri in self._classifiers:
            return self.subject.label(ox.NamedNode(iri))
        number = iri.partition("/meaning/")[2]
        return self.subject.name(self._reference(iri)) + (f" (meaning {number})" if number else "")

    def _place(self, iri: str) -> Place | None:
        return self.subject.place(self._reference(iri))

    def _said(self, text: str) -> str:
        return _IRI.sub(lambda hit: self._name(hit.group(1)), text)


def _because(why: str) -> str:
    return f": {why}" if why else ""
