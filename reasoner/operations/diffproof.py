"""Both proofs of an answer that two editions give differently."""

from __future__ import annotations

from collections.abc import Iterator

from reasoner.errors import CardloreError
from reasoner.knowledge.base import KnowledgeBase
from reasoner.operations.asking import ask
from reasoner.operations.diff import Changed
from reasoner.operations.explain import explain, explain_value
from reasoner.operations.interactions import printed_references
from reasoner.operations.scene import Scene, moment_scene, pool_scene
from reasoner.operations.steps import Step
from reasoner.reference.mentiongraph import Context
from reasoner.situation.play import Play


def proofs(change: Changed, before: KnowledgeBase, after: KnowledgeBase) -> Iterator[tuple[str, Step]]:
    """Yield the edition and the proof of its answer, for both editions; an edition that can't answer tells why."""
    for base in (before, after):
        try:
            for step in _proof(change, base):
                yield base.edition, step
        except CardloreError as error:
            yield base.edition, Step(str(error), "failure")


def _proof(change: Changed, base: KnowledgeBase) -> tuple[Step, ...]:
    if change.case is None or change.step is None:
        for one in printed_references(base):
            if base.places.get(one.iri.value) == change.place:
                return _match(
                    pool_scene(base), one.wording, change.subject, Context(bearer=one.card, ability=one.ability)
                )
        return ()
    play = Play(
        base, change.case.name, change.case.data["given"], change.case.data.get("cards"), change.case.place("cards")
    )
    for step in change.case.steps[: change.step]:
        if "do" in step:
            play.do(step["do"])
    expect = change.case.steps[change.step]["expect"]
    context = ask(expect, play).context
    scene = moment_scene(base, play.now)
    if "value" in expect:
        who = next(one for one in scene.referents if one.id == str(expect["of"]))
        return (explain_value(scene, str(expect["value"]), who, context),)
    text = str(expect.get("match") or expect.get("condition") or "")
    return _match(scene, text, change.subject, context) if text else ()


def _match(scene: Scene, text: str, subject: str, context: Context) -> tuple[Step, ...]:
    who = next((one for one in scene.referents if one.id == subject.partition(" (reading ")[0]), None)
    return explain(scene, text, who, context) if who else ()
