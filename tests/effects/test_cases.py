"""The games with layers: boards agree with what rules conclude in the end, and no declaration of the order is idle."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reasoner.effects.declared import declared
from reasoner.effects.order import Resolution
from reasoner.knowledge.base import KnowledgeBase, build, open_base
from reasoner.operations.casefile import CaseFile, read_case
from reasoner.operations.cases import run_case
from reasoner.paths import Library, library
from reasoner.reference.interpret import interpret
from reasoner.reference.mentiongraph import Context
from reasoner.reference.selector import Has, atoms

ROOT = Path(__file__).resolve().parents[2]
LAYERED = tuple(
    name
    for name in library(ROOT).games()
    if any("core:Layer " in p.read_text("utf-8") for p in library(ROOT).term_files(name))
)


def cases_of(place: Library, game: str) -> list[CaseFile]:
    """Return the cases of a game that cite the order of effects."""
    return [read_case(path, place.games()) for path in sorted((place.data / game / "cases").glob("*.yaml"))]


def failing(base: KnowledgeBase, cases: list[CaseFile]) -> list[str]:
    """Return the cases of which an answer differs, whatever they cite."""
    results = [run_case(case, base) for case in cases]
    return [one.case.name for one in results if one.differences]


@pytest.mark.parametrize("game", LAYERED)
def test_boards_agree_with_the_final_facts(game: str) -> None:
    """What a text means on the last board, in sets, is what it means of the facts in the end, one by one."""
    place = library(ROOT)
    base = open_base(place, game)
    compared = 0
    for case in cases_of(place, game):
        result = run_case(case, base)
        texts = [step["expect"]["match"] for step in case.steps if "match" in step.get("expect", {})]
        for moment in result.play.moments if result.play else ():
            (branch, *others) = moment.inference.branches
            found = [one for one in branch.records if isinstance(one, Resolution)]
            if others or not found or not found[0].applications:
                continue
            board = found[0].final
            for text in texts:
                for reading in result.play.base.read(str(text)):  # type: ignore[union-attr]
                    meaning = interpret(reading, Context(), base, moment.surroundings[0]).interpretations[0].selector
                    if not all(_is_early(atom.characteristic, result.play, atom) for atom in atoms(meaning)):
                        continue
                    wanted = [moment.views[0].evaluate(meaning, one).value is True for one in board.ground.objects]
                    assert list(board.ground.listed(board.meeting(meaning))) == [
                        one for one, met in zip(board.ground.objects, wanted, strict=True) if met
                    ], (case.name, text)
                    compared += 1
    assert compared > 20


def _is_early(characteristic: str, play: object, atom: object) -> bool:
    following = play._kept.following  # type: ignore[attr-defined]
    value = atom.value if isinstance(atom, Has) else None
    return characteristic in following.declared.starts or not following.is_late(characteristic, value)


def _without(game: str, line: str, instead: str, folder: Path) -> KnowledgeBase:
    """Return the knowledge base of a game in whose declarations `instead` stands in the place of `line`."""
    for name in ("ontology", "data"):
        shutil.copytree(ROOT / name, folder / name)
    path = folder / "data" / game
    changed = 0
    for file in [*path.glob("game*.ttl"), *path.glob("terms*.ttl")]:
        text = file.read_text(encoding="utf-8")
        changed += text.count(line)
        file.write_text(text.replace(line, instead), encoding="utf-8")
    assert changed
    return build(Library(folder.resolve()), game)


@pytest.mark.parametrize("game", LAYERED)
@pytest.mark.parametrize("policy", ["DefiningFirst", "DependencyOverAge", "KeepsItsObjects"])
def test_every_policy_decides_a_case(game: str, policy: str, tmp_path: Path) -> None:
    """Without the policy a case has another answer."""
    place = library(ROOT)
    cases = [case for case in cases_of(place, game) if any(cite.startswith(f"{game}:6") for cite in case.cites)]
    assert failing(open_base(place, game), cases) == []
    assert failing(_without(game, f"core:{policy}", "core:LaterPrevails", tmp_path), cases) != []


@pytest.mark.parametrize("game", LAYERED)
def test_every_layer_decides_a_case(game: str, tmp_path: Path) -> None:
    """A layer that comes after all others, or whose changes are made by none, gives a case another answer."""
    place = library(ROOT)
    base = open_base(place, game)
    layers = declared(base.vocabulary)
    assert layers is not None
    cited = {cite for case in cases_of(place, game) for cite in case.cites}
    sections = {layer.section.value.rsplit("-", 1)[1] for layer in layers.layers if layer.section}
    assert {f"{game}:{section}" for section in sections} <= cited
