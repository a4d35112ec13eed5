"""The one meaning of a text that says what an ability applies to."""

from __future__ import annotations

from reasoner.errors import CaseError, TextError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.reference.interpret import Interpretation, Surroundings, interpret
from reasoner.reference.mentiongraph import Context


def scope_meaning(text: str, context: Context, base: KnowledgeBase, around: Surroundings) -> Interpretation:
    """Return what `text`, in the ability that `context` names, means.

    Raises:
        CaseError: C110 it can't be read, or its meaning is not settled.
    """
    place = base.places.get(context.ability.value) if context.ability else None
    try:
        (reading,) = base.read(text)
        (meaning,) = interpret(reading, context, base, around).interpretations
    except TextError as error:
        raise CaseError(
            "C110", f"the scope “{text}” can't be read: {error.message}", place=place, hint=error.hint
        ) from None
    except ValueError:
        raise CaseError(
            "C110", f"the scope “{text}” has several meanings", place=place, hint="word it so that it has one"
        ) from None
    return meaning
