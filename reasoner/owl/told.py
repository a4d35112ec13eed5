"""Why a class is empty, as far as the vocabulary says so itself: no reasoning, no Java, the same text every time.

Only what is stated about named classes is followed: superclasses, equal classes, parts of an intersection, classes
declared disjoint. A contradiction that needs more than that gets no text here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

from pyoxigraph import BlankNode, NamedNode

from reasoner.owl.names import Index, Term, owl
from reasoner.reference.selector import All, Has, Not, Selector
from reasoner.terms.namespaces import SUBCLASS, TYPE

_EQUIVALENT, _AND, _NOT = owl("equivalentClass"), owl("intersectionOf"), owl("complementOf")

# The classes from one that is asked for up to the last, each a subclass of the next.
Path = tuple[str, ...]


class Told:
    """What `index` states about named classes."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._apart = frozenset(_disjoint(index))

    def why_empty(self, name: str, selector: Selector | None = None) -> str:
        """Return one sentence on why the class `name`, defined by `selector`, has no members; "" if none is found.

        IRIs stand in angle brackets, so that a caller can put labels in their place.
        """
        parts = selector.parts if isinstance(selector, All) else (selector,)
        wanted = [
            name,
            *(part.value.value for part in parts if isinstance(part, Has) and part.characteristic == TYPE.value),
        ]
        unwanted = {
            p.part.value.value
            for p in parts
            if isinstance(p, Not) and isinstance(p.part, Has) and p.part.characteristic == TYPE.value
        }
        return min(
            self._reasons(self._climb(wanted), unwanted), key=lambda text: (text.count("each "), text), default=""
        )

    def _reasons(self, paths: dict[str, Path], unwanted: set[str]) -> Iterator[str]:
        for top in sorted(unwanted & set(paths)):
            yield _sentence([paths[top]], f"the reference leaves out <{top}>")
        for one, other in combinations(sorted(paths), 2):
            if (one, other) in self._apart:
                yield _sentence([paths[one], paths[other]], f"nothing is both <{one}> and <{other}>")
        for top in sorted(paths):
            for excluded in self._excluded(top):
                if excluded in paths:
                    yield _sentence([paths[top], paths[excluded]], f"nothing is both <{top}> and <{excluded}>")

    def _climb(self, wanted: Iterable[str]) -> dict[str, Path]:
        """Return a shortest path to every class that members of all `wanted` belong to."""
        paths: dict[str, Path] = {name: (name,) for name in wanted}
        queue = list(paths)
        for name in queue:
            for above in sorted(self._above(NamedNode(name))):
                if above not in paths:
                    paths[above] = (*paths[name], above)
                    queue.append(above)
        return paths

    def _above(self, name: NamedNode) -> Iterator[str]:
        for expression in self._expressions(name):
            if isinstance(expression, NamedNode):
                yield expression.value
            elif isinstance(expression, BlankNode):
                for head in self._index.objects(expression, _AND):
                    yield from (one.value for one in self._index.members(head) or () if isinstance(one, NamedNode))

    def _excluded(self, name: str) -> list[str]:
        nodes = [one for one in self._expressions(NamedNode(name)) if isinstance(one, BlankNode)]
        return sorted(x.value for node in nodes for x in self._index.objects(node, _NOT) if isinstance(x, NamedNode))

    def _expressions(self, name: NamedNode) -> list[Term]:
        return [*self._index.objects(name, SUBCLASS), *self._index.objects(name, _EQUIVALENT)]


def _disjoint(index: Index) -> Iterator[tuple[str, str]]:
    """Yield every pair of named classes declared disjoint, the smaller IRI first."""
    groups: list[list[Term]] = []
    for subject in index.subjects():
        groups.extend([subject, other] for other in index.objects(subject, owl("disjointWith")))
        lists = index.objects(subject, owl("disjointUnionOf"))
        if index.is_a(subject, owl("AllDisjointClasses")):
            lists += index.objects(subject, owl("members"))
        groups.extend(index.members(head) or [] for head in lists)
    for group in groups:
        names = sorted({one.value for one in group if isinstance(one, NamedNode)})
        yield from combinations(names, 2)


def _sentence(paths: Iterable[Path], end: str) -> str:
    steps = dict.fromkeys(f"each <{low}> is <{high}>" for path in paths for low, high in pairwise(path))
    return "; ".join([*steps, end])
