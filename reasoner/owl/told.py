"""Why a class is empty, as far as the vocabulary says so itself: no reasoning, no Java, the same text every time.

Only what is stated about named classes is followed: superclasses, equal classes, parts of an intersection, domains,
classes declared disjoint. A contradiction that needs more than that gets no text here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from pyoxigraph import BlankNode, NamedNode

from reasoner.owl.names import Index, Term, owl, rdfs
from reasoner.reference.selector import All, Atom, Compare, Has, Not, Selector
from reasoner.terms.namespaces import SUBCLASS, SUBPROPERTY, TYPE

_EQUIVALENT, _AND, _NOT = owl("equivalentClass"), owl("intersectionOf"), owl("complementOf")

# What is said on the way from what is asked for to a class, in sentences.
Steps = tuple[str, ...]


class Told:
    """What `index` states about named classes."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._apart = frozenset(_disjoint(index))

    def why_empty(self, name: str, selector: Selector | None = None) -> str:
        """Return a text on why the class `name`, defined by `selector`, has no members; "" if no plain reason is found.

        IRIs stand in angle brackets, so that a caller can put labels in their place.
        """
        parts = selector.parts if isinstance(selector, All) else () if selector is None else (selector,)
        # To deny a comparison asks for a value as well.
        parts = tuple(p.part if isinstance(p, Not) and isinstance(p.part, Compare) else p for p in parts)
        known = self._climb({name: ()} | self._wanted(part for part in parts if isinstance(part, Has | Compare)))
        denied = (part.part for part in parts if isinstance(part, Not))
        unwanted = [atom.value.value for atom in denied if isinstance(atom, Has) and atom.characteristic == TYPE.value]
        reasons: list[Steps] = [(*known[top], f"the reference leaves out <{top}>") for top in unwanted if top in known]
        for one in known:
            for other in self._excluded(one) & set(known):
                end = "nothing is both <{}> and <{}>".format(*sorted((one, other)))
                reasons.append((*dict.fromkeys(known[min(one, other)] + known[max(one, other)]), end))
        return "; ".join(sorted(reasons, key=lambda steps: (len(steps), steps))[0] if reasons else ())

    def _wanted(self, atoms: Iterable[Atom]) -> dict[str, Steps]:
        """Return the classes that `atoms` name or that the domains of their properties are."""
        found: dict[str, Steps] = {}
        for atom in atoms:
            if isinstance(atom, Has) and atom.characteristic == TYPE.value:
                found[atom.value.value] = ()
                continue
            for above in self._reach(NamedNode(atom.characteristic), SUBPROPERTY):
                for domain in self._index.objects(above, rdfs("domain")):
                    if isinstance(domain, NamedNode):
                        found.setdefault(domain.value, (f"what has <{atom.characteristic}> is <{domain.value}>",))
        return found

    def _reach(self, start: NamedNode, link: NamedNode) -> list[NamedNode]:
        found = [start]
        for one in found:
            found.extend(x for x in self._index.objects(one, link) if isinstance(x, NamedNode) and x not in found)
        return found

    def _climb(self, known: dict[str, Steps]) -> dict[str, Steps]:
        """Return `known` with all classes above it, each with the fewest steps to it."""
        queue = sorted(known, key=lambda name: (len(known[name]), name))
        for name in queue:
            for above in sorted(self._above(NamedNode(name))):
                if above not in known:
                    known[above] = (*known[name], f"each <{name}> is <{above}>")
                    queue.append(above)
        return known

    def _above(self, name: NamedNode) -> set[str]:
        found = set()
        for expression in self._expressions(name):
            parts: list[Term] = [expression]
            if isinstance(expression, BlankNode):
                parts = [
                    one for head in self._index.objects(expression, _AND) for one in self._index.members(head) or ()
                ]
            found |= {part.value for part in parts if isinstance(part, NamedNode)}
        return found

    def _excluded(self, name: str) -> set[str]:
        """Return the classes stated to share no member with `name`."""
        nodes = [one for one in self._expressions(NamedNode(name)) if isinstance(one, BlankNode)]
        complements = {x.value for node in nodes for x in self._index.objects(node, _NOT) if isinstance(x, NamedNode)}
        return complements | {other for pair in self._apart if name in pair for other in pair - {name}}

    def _expressions(self, name: NamedNode) -> list[Term]:
        return [*self._index.objects(name, SUBCLASS), *self._index.objects(name, _EQUIVALENT)]


def _disjoint(index: Index) -> Iterator[frozenset[str]]:
    """Yield every pair of named classes declared disjoint."""
    groups: list[list[Term]] = []
    for subject in index.subjects():
        groups.extend([subject, other] for other in index.objects(subject, owl("disjointWith")))
        lists = index.objects(subject, owl("disjointUnionOf"))
        if index.is_a(subject, owl("AllDisjointClasses")):
            lists += index.objects(subject, owl("members"))
        groups.extend(index.members(head) or [] for head in lists)
    for group in groups:
        names = {one.value for one in group if isinstance(one, NamedNode)}
        yield from map(frozenset, combinations(sorted(names), 2))
