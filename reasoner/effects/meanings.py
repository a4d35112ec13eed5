"""What scope texts mean while the order of effects is worked out: on a board that is not yet the final one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import pyoxigraph as ox

from reasoner.effects.board import Board
from reasoner.effects.declared import Declared
from reasoner.effects.following import Following
from reasoner.engine.inference import Branch
from reasoner.errors import CaseError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.reference.interpret import Surroundings
from reasoner.reference.mentiongraph import Context
from reasoner.reference.rewording import READS
from reasoner.reference.scope import scope_meaning
from reasoner.reference.selector import Compare, Has, Selector, atoms
from reasoner.reference.wording import quantity_label
from reasoner.terms.lookup import Value

_Key = tuple[str, ox.NamedNode, ox.NamedNode | None, tuple[frozenset[Value], ...]]


@dataclass
class Meanings:
    """Reads scope texts in one branch of a moment.

    A text may speak of its bearer ("you", "itself"): what rules read of the bearer is taken from the board, and texts
    are read anew only where that differs.
    """

    base: KnowledgeBase
    declared: Declared
    store: ox.Store
    graphs: Sequence[ox.NamedNode]
    branch: Branch
    following: Following
    _known: dict[_Key, Selector] = field(default_factory=dict)
    _last: dict[tuple[str, ox.NamedNode, ox.NamedNode | None], tuple[list[object], Selector]] = field(
        default_factory=dict
    )

    def __call__(self, text: str, bearer: ox.NamedNode | None, ability: ox.NamedNode, board: Board) -> Selector:
        """Return the selector that `text` in `ability` on `bearer` stands for.

        Raises:
            CaseError: C110 it can't be read, or asks for something that is known only when all effects are applied.
        """
        read = self.read_of_bearer
        tables: list[object] = [board.table.get(characteristic) for characteristic in read]
        last = self._last.get((text, ability, bearer))
        if last is not None and all(one is other for one, other in zip(last[0], tables, strict=True)):
            return last[1]
        values: tuple[frozenset[Value], ...] = ()
        if bearer is not None:
            number = board.ground.objects.index(bearer)
            values = tuple(board.values(number, characteristic) for characteristic in read)
        key = (text, ability, bearer, values)
        if key not in self._known:
            self._known[key] = self._meaning(text, bearer, ability, dict(zip(read, values, strict=False)))
        self._last[text, ability, bearer] = tables, self._known[key]
        return self._known[key]

    @cached_property
    def _read(self) -> frozenset[str]:
        rules = self.base.programs.reference.rules
        return frozenset(predicate for rule in rules for predicate, _ in (*rule.reads, *rule.reads_complete))

    @cached_property
    def read_of_bearer(self) -> tuple[str, ...]:
        """The characteristics of its bearer on which it depends what a text means: what rules about mentions read of
        referents, and which words stand for others."""
        return tuple(sorted((self._read | {READS.value}) & self.declared.starts.keys()))

    @cached_property
    def _around(self) -> Surroundings:
        graphs = (*self.graphs, self.branch.graph)
        return Surroundings(self.store, graphs, frozenset(self.branch.present), self.branch.contents)

    def _meaning(
        self, text: str, bearer: ox.NamedNode | None, ability: ox.NamedNode, values: dict[str, frozenset[Value]]
    ) -> Selector:
        facts = tuple(
            ox.Triple(bearer, ox.NamedNode(characteristic), value)
            for characteristic, found in values.items()
            for value in sorted(found, key=str)
            if bearer is not None
        )
        around = replace(self._around, more=facts)
        selector = scope_meaning(text, Context(bearer, ability), self.base, around).selector
        self._check(text, ability, selector)
        return selector

    def _check(self, text: str, ability: ox.NamedNode, selector: Selector) -> None:
        """See that what the text asks for can be told before all effects are applied."""
        for atom in atoms(selector):
            characteristic = atom.characteristic
            value = atom.value if isinstance(atom, Has) else None
            if characteristic not in self.declared.starts and self.following.is_late(characteristic, value):
                vocabulary = self.base.vocabulary
                node = ox.NamedNode(characteristic)
                name = (
                    quantity_label(characteristic, vocabulary) if isinstance(atom, Compare) else vocabulary.label(node)
                )
                raise CaseError(
                    "C110",
                    f"the scope “{text}” can't be read: “{name}” is known only when all effects have been applied",
                    place=self.base.places.get(ability.value),
                    hint="let it ask for a characteristic that has starting values (core:startsFrom)",
                )
