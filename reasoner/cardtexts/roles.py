"""In which role a text speaks of what it refers to, decided by the rules of the game over the words that govern it."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox

from reasoner.engine.conclusions import signatures
from reasoner.engine.inference import discard, infer
from reasoner.engine.proof import prove
from reasoner.knowledge.base import KnowledgeBase
from reasoner.reference.interpret import SCRATCH, Surroundings
from reasoner.terms.namespaces import BASE, TYPE, core

_CONCLUSIONS = ox.NamedNode(SCRATCH.value + "/roles")
_ROLE = core("hasRole")

# What decides the roles of a reference: the words that govern it, the parts of the sentence in which it stands, and
# what its own words can denote.
Setting = tuple[frozenset[str], frozenset[str], frozenset[str]]


class Roles:
    """Decides roles, once for each setting."""

    def __init__(self, base: KnowledgeBase, around: Surroundings) -> None:
        self._around = around
        self._game = base.iri
        self._program = base.programs.reference.toward({_ROLE.value})
        patterns = [pattern for rule in self._program.rules for pattern in rule.patterns]
        asked = [pattern.object for pattern in patterns if pattern.verb == core("canDenote")]
        self._read = {value.value for value in asked if isinstance(value, ox.NamedNode)}
        self._known: dict[Setting, dict[str, frozenset[str]]] = {}

    def narrowed(self, denoted: Iterable[str]) -> frozenset[str]:
        """Return those of the meanings of words on which some rule about roles turns."""
        return frozenset(iri for iri in denoted if iri in self._read)

    def of(self, setting: Setting) -> dict[str, frozenset[str]]:
        """Return the roles (relations, as IRIs) in a setting, each with the ids of the rules behind it."""
        found = self._known.get(setting)
        if found is None:
            found = self._known[setting] = self._decided(setting)
        return found

    def _decided(self, setting: Setting) -> dict[str, frozenset[str]]:
        mention = ox.NamedNode(BASE + "mention/1")
        words, parts, denoted = setting
        triples = [ox.Triple(mention, TYPE, core("Mention")), ox.Triple(mention, core("isInGame"), self._game)]
        triples += [ox.Triple(mention, core("isGovernedBy"), ox.NamedNode(word)) for word in sorted(words)]
        triples += [ox.Triple(mention, core("standsInPart"), ox.NamedNode(part)) for part in sorted(parts)]
        for number, iri in enumerate(sorted(denoted), 1):
            word = ox.NamedNode(f"{mention.value}/word/{number}")
            triples += [
                ox.Triple(mention, core("hasWord"), word),
                ox.Triple(word, core("canDenote"), ox.NamedNode(iri)),
            ]
        store = self._around.store
        store.extend(ox.Quad(t.subject, t.predicate, t.object, SCRATCH) for t in triples)
        try:
            present = self._around.present | signatures(triples)
            inference = infer(store, [*self._around.graphs, SCRATCH], present, self._program, _CONCLUSIONS)
            found: dict[str, frozenset[str]] = {}
            for branch in inference.branches:
                for fact in branch.supports:
                    if fact.subject == mention and fact.predicate == _ROLE and isinstance(fact.object, ox.NamedNode):
                        rules = prove(fact, branch, lambda _: None, self._around.holds).rules()
                        found[fact.object.value] = frozenset(rule.id for rule in rules)
        finally:
            discard(store, SCRATCH)
        return dict(sorted(found.items()))
