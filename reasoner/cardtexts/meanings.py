"""What the wordings of references mean: the usual reading of each, as a selector."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reasoner.errors import TextError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.tongues import Tongue
from reasoner.language.grammar import read
from reasoner.language.mention import Reading
from reasoner.reference.interpret import MOST_AT_ONCE, Surroundings, interpret_all
from reasoner.reference.mentiongraph import NOWHERE
from reasoner.reference.selector import Selector


@dataclass(frozen=True)
class Meaning:
    """What a wording selects, the ids of the rules that said so, and what its words can denote (IRIs)."""

    selector: Selector
    rules: tuple[str, ...]
    denoted: frozenset[str]


def meanings(
    wordings: Iterable[str], tongue: Tongue, base: KnowledgeBase, around: Surroundings
) -> dict[str, Meaning | TextError]:
    """Return what each wording means by its usual reading, or the error for which it can't be read."""
    found: dict[str, Meaning | TextError] = {}
    read_: list[tuple[str, Reading]] = []
    for wording in dict.fromkeys(wordings):
        try:
            read_.append((wording, read(wording, tongue.lexicon, tongue.language)[0]))
        except TextError as error:
            found[wording] = error
    for start in range(0, len(read_), MOST_AT_ONCE):
        found.update(_interpreted(read_[start : start + MOST_AT_ONCE], base, around))
    return found


def _interpreted(
    part: Sequence[tuple[str, Reading]], base: KnowledgeBase, around: Surroundings
) -> dict[str, Meaning | TextError]:
    references = interpret_all([reading for _, reading in part], NOWHERE, base, around)
    found: dict[str, Meaning | TextError] = {}
    for (wording, reading), reference in zip(part, references, strict=True):
        if isinstance(reference, TextError):
            found[wording] = reference
            continue
        meant = reference.interpretations[0]
        denoted = frozenset(
            iri for mention in reading.alternatives for word in mention.words for iri in word.can_denote
        )
        found[wording] = Meaning(meant.selector, tuple(rule.id for rule in meant.rules), denoted)
    return found
