"""Whether the texts of each card refer to the same in two languages, over all texts of a collection."""

from __future__ import annotations

from dataclasses import dataclass

from reasoner.cardtexts.collection import Collection, Occurrence
from reasoner.cardtexts.compare import Difference, occurrence_difference


@dataclass(frozen=True)
class Compared:
    """How two languages compare: the cards and faces (`bearers`, by IRI) that have a text in both, and what differs.

    `whole` are those of which both texts are wholly read; `differing` holds what only one of the two refers to.
    """

    languages: tuple[str, str]
    bearers: tuple[str, ...]
    whole: frozenset[str]
    differing: dict[str, Difference]

    @property
    def equal(self) -> int:
        """The number of bearers whose texts refer to the same."""
        return len(self.bearers) - len(self.differing)

    @property
    def equal_whole(self) -> int:
        """The same among those of which both texts are wholly read."""
        return len(self.whole - self.differing.keys())


def compare_languages(found: Collection, one: str, other: str) -> Compared:
    """Return how the texts in the languages `one` and `other` compare."""
    selectors = found.selectors()
    read = [found.bearers(code) for code in (one, other)]
    both = tuple(sorted(read[0].keys() & read[1].keys()))
    whole = frozenset(bearer for bearer in both if all(texts[bearer] for texts in read))
    rows: dict[tuple[str, str], list[Occurrence]] = {(bearer, code): [] for bearer in both for code in (one, other)}
    for occurrence in found.occurrences():
        if (occurrence.bearer, occurrence.language) in rows:
            rows[occurrence.bearer, occurrence.language].append(occurrence)
    differing = {}
    for bearer in both:
        difference = occurrence_difference(rows[bearer, one], rows[bearer, other], selectors, whole=bearer in whole)
        if difference:
            differing[bearer] = difference
    return Compared((one, other), both, whole, differing)
