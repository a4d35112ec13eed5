"""The answers about printed references over an imported pool, by its index: the same as `interpret_all` gives."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox

from reasoner.engine.conclusions import signatures
from reasoner.errors import RuleError, TextError
from reasoner.index.opening import PoolIndex
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.operations.dataset import as_of_edition
from reasoner.operations.interactions import Interpreted, PrintedReference, interpret_all, printed_references, unread
from reasoner.operations.poolmatch import reading_match
from reasoner.reference.interpret import Surroundings, interpret
from reasoner.reference.mentiongraph import Context


def interpret_indexed(base: KnowledgeBase, index: PoolIndex) -> tuple[Interpreted, ...]:
    """Return every printed reference with what it refers to in the pool. `base` need have no cards but those with any.

    Where rules disagree on a text or on the pool, all are answered card by card.
    """
    printed = printed_references(base)
    around = _surroundings(base, printed)
    found = []
    for one in printed:
        context = Context(bearer=one.card, ability=one.ability)
        try:
            readings = []
            for reading in base.read(one.wording):
                matched = reading_match(index, interpret(reading, context, base, around), base.language.code)
                if matched is None:
                    return interpret_all(open_base(base.library, base.game, as_of_edition(base.edition), base.pool))
                readings.append(matched)
            found.append(Interpreted(one, tuple(readings)))
        except (TextError, RuleError) as error:
            found.append(unread(one, error, base))
    return tuple(found)


def _surroundings(base: KnowledgeBase, printed: Iterable[PrintedReference]) -> Surroundings:
    """Return a store of one's own with the vocabulary, and with what is known of the cards that bear references."""
    store = ox.Store()
    for name in base.base[:-1]:
        store.extend(base.store.quads_for_pattern(None, None, None, name))
    names = (*base.base, *base.pool_graphs)
    waiting: list[ox.NamedNode] = list(dict.fromkeys(one.card for one in printed))
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        for name in (base.base[-1], *base.pool_graphs):
            for quad in base.store.quads_for_pattern(node, None, None, name):
                store.add(quad)
                value = quad.object
                if isinstance(value, ox.NamedNode) and value not in seen and value.value.startswith(f"{node.value}/"):
                    seen.add(value)
                    waiting.append(value)
    here = [quad for name in base.pool_graphs for quad in store.quads_for_pattern(None, None, None, name)]
    return Surroundings(store, names, base.present | signatures(here))
