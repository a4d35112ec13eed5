"""Rulings as tests: every case of every game passes, and fails as soon as a rule or one of its expectations is off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reasoner.engine.rule import Rule
from reasoner.errors import TextError
from reasoner.game import load
from reasoner.knowledge.base import KnowledgeBase
from reasoner.knowledge.editions import edition_of
from reasoner.knowledge.program import make_programs, read_rules
from reasoner.knowledge.yamlfile import Mapping, Sequence
from reasoner.operations.casefile import CaseFile, expectation_kind
from reasoner.operations.cases import CaseResult, check_expectation, cited, run_case
from reasoner.situation.play import Play
from tests.cases.played import CASES, LIBRARY, ROOT, base, case_at, disagreements, played
from tests.checks.libraries import ember

RULES = sorted((ROOT / "data").glob("*/rules/*.rq"))
each_case = pytest.mark.parametrize("path", CASES, ids=[path.relative_to(ROOT / "data").as_posix() for path in CASES])


@each_case
def test_case_passes(path: Path) -> None:
    """Every answer is as the case expects, both ways."""
    result = played(path)
    assert result.error is None
    assert result.differences == ()
    assert result.expectations > 0


# --- the same asked alone


def placed(path: Path) -> list[tuple[int, Mapping]]:
    """Return each question of a case who is meant by a text that stands somewhere, with the moment it is asked at."""
    steps = case_at(path).steps
    asked = [(index, step["expect"]) for index, step in enumerate(steps) if "match" in step.get("expect", ())]
    return [
        (sum("do" in step for step in steps[:index]), expect)
        for index, expect in asked
        if {"on", "antecedent"} & set(expect) and "members" in expect and "reading" not in expect
    ]


PLACED = [path for path in CASES if placed(path)]


@pytest.mark.parametrize("path", PLACED, ids=[path.relative_to(ROOT / "data").as_posix() for path in PLACED])
def test_asked_alone_a_text_means_the_same(path: Path) -> None:
    """Who a text on an object, or with an antecedent, means is the same outside a case, where one asks of a moment."""
    case = case_at(path)
    game = load(case.game, as_of=case.as_of, library=ROOT)
    for moment, expect in placed(path):
        found = game.match(
            expect["match"],
            on=expect.get("on"),
            antecedent=expect.get("antecedent"),
            scene=game.situation(path, moment),
        )
        (reading,) = found.readings
        answers = {one.referent.id: str(one.answer).partition(":")[0] for one in reading.members}
        assert answers == dict(expect["members"]), expect.place("match")


# --- every rule is needed


@cache
def rules_of(game: str) -> tuple[Rule, ...]:
    """All rules that hold in a game, compiled once per run."""
    return tuple(read_rules([LIBRARY.ontology / "rules", LIBRARY.game(game) / "rules"], ROOT))


def without(game: str, path: Path, as_of: str | None = None) -> KnowledgeBase:
    """Return the knowledge base of a library that lacks the rule file at `path`, and every mention of its rule.

    Cases are played from the asserted facts and the rules alone, so nothing else need be built anew.
    """
    gone = next(rule.id for rule in rules_of(game) if rule.path == path.relative_to(ROOT).as_posix())
    kept = []
    for rule in rules_of(game):
        if rule.id != gone:
            header = replace(
                rule.header,
                exception_to=tuple(name for name in rule.header.exception_to if name != gone),
                more_specific_than=tuple(name for name in rule.header.more_specific_than if name != gone),
            )
            kept.append(replace(rule, header=header))
    full = base(game)
    date, language = edition_of(as_of, full.vocabulary, full.programs.rules)
    edition = as_of or full.edition
    return replace(full, programs=make_programs(kept, full.vocabulary, ROOT, date, language), edition=edition)


def is_needed(game: str, path: Path) -> bool:
    """Return whether some case of the game fails without the rule file at `path`, or has rules disagree otherwise.

    Not merely because it cites the rule: citations are left out as well.
    """
    lacking = cache(lambda as_of: without(game, path, as_of))
    rule = next(rule.id for rule in rules_of(game) if rule.path == path.relative_to(ROOT).as_posix())
    files = [file for file in CASES if case_at(file).game == game]
    # Cases that cite the rule come first, then those in which it fired: they are the likeliest to fail; one is enough.
    files.sort(key=lambda file: not any(cited(cite, [rule]) for cite in case_at(file).cites))
    files.sort(key=lambda file: rule not in played(file).fired)
    for file in files:
        case = case_at(file)
        result = run_case(replace(case, cites=()), lacking(case.as_of))
        if not result.passed or (rule in played(file).fired and disagreements(result) != played(file).disagreements):
            return True
    return False


@pytest.mark.parametrize("path", RULES, ids=[path.relative_to(ROOT / "data").as_posix() for path in RULES])
def test_no_rule_can_be_left_out(path: Path) -> None:
    """Without any one rule of a game, some case of it fails."""
    assert is_needed(path.parents[1].name, path)


@pytest.mark.parametrize("game", LIBRARY.games())
def test_no_general_rule_that_fires_can_be_left_out(game: str) -> None:
    """The same of the rules that all games share, as far as the cases of the game use them."""
    fired = set().union(*(played(path).fired for path in CASES if case_at(path).game == game))
    general = [ROOT / rule.path for rule in rules_of(game) if rule.id.startswith("core:") and rule.id in fired]
    assert general
    assert [path.name for path in general if not is_needed(game, path)] == []


def test_the_rules_of_a_library_without_a_file_are_those_of_without(tmp_path: Path) -> None:
    """The shortcut of `without` agrees with a real copy of the library from which the file was taken."""
    path = RULES[0]
    game = path.parents[1].name
    for name in ("ontology/rules", f"data/{game}/rules"):
        (tmp_path / name).mkdir(parents=True)
        for file in (ROOT / name).glob("*.rq"):
            if file != path:
                (tmp_path / name / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    read = read_rules([tmp_path / "ontology" / "rules", tmp_path / "data" / game / "rules"], tmp_path)
    assert {rule.id: rule.select for rule in read} == {
        rule.id: rule.select for rule in without(game, path).programs.rules
    }


# --- every expectation is needed


@each_case
def test_no_expectation_can_be_changed(path: Path) -> None:
    """Each expectation fails once a member is left out or added, or any other part of it says something else."""
    case = case_at(path)
    play = Play(base(case.game, case.as_of), case.name, case.data["given"], case.data.get("cards"), case.place("cards"))
    tried = 0
    for step in case.steps:
        if "do" in step:
            play.do(step["do"])
            continue
        for what, wrong in changes(step["expect"], play):
            assert fails(case, wrong, play), f"{step.place('expect')}: still passes with {what}"
            tried += 1
    assert tried > 0


def fails(case: CaseFile, expect: Mapping, play: Play) -> bool:
    """Return whether an expectation is not what holds now: it differs, or its text is refused against expectation."""
    result = CaseResult(case)
    try:
        check_expectation(expect, play, result)
    except TextError:
        return True
    return bool(result.differences)


def changes(expect: Mapping, play: Play) -> Iterator[tuple[str, Mapping]]:
    """Yield wrong versions of an expectation, each with what is wrong in it."""
    kind = expectation_kind(expect)
    members = expect.get("members")
    if members is not None:
        for name in members:
            yield f"{name} left out", changed(expect, members=without_key(members, name))
            yield f"{name} unexpected", changed(expect, members=changed(members, **{name: other_than(members[name])}))
        extra = next((one.piece for one in play.now.objects if one.piece not in members), None)
        if extra is not None:
            yield f"{extra} added", changed(expect, members=changed(members, **{extra: "yes"}))
    for name, roles in expect.get("references", {}).items():
        references = expect["references"]
        several = roles if isinstance(roles, list) else [roles]
        yield f"{name} left out", changed(expect, references=without_key(references, name))
        yield f"{name} in another role", changed(expect, references=changed(references, **{name: [*several, "x"]}))
        if several:
            yield f"{name} in one role less", changed(expect, references=changed(references, **{name: several[1:]}))
    if kind == "text":
        more = changed(expect["references"], **{"some other words": "destroys"})
        yield "another reference", changed(expect, references=more)
        yield "something that is not understood", changed(expect, unread=[*expect.get("unread", []), "x"])
    for key, value in expect.items():
        if key == "by" or key == "reveals":
            yield f"another '{key}'", changed(expect, **{key: [*value, "nobody"]})
            for index in range(len(value)):
                yield f"less in '{key}'", changed(expect, **{key: [*value[:index], *value[index + 1 :]]})
        elif key == "answer":
            yield "another answer", changed(expect, answer=other_than(value))
        elif key == "error":
            yield "another error", changed(expect, error="X000")
            yield "no error", changed(without_key(expect, "error"), members=Mapping(expect.path, expect.line))
        elif kind == "value" and key == "is":
            yield "another value", changed(expect, **{"is": 1 if value != 1 else 2})
        elif key == "readings":
            yield "another number of readings", changed(expect, readings=value + 1)
        elif kind == "characteristics" and key != kind:
            yield f"another {key}", changed(expect, **{key: "something else"})
    if kind == "condition" and "reveals" not in expect:
        yield "something to show", changed(expect, reveals=["nobody"])


def changed(mapping: Mapping, **values: Any) -> Mapping:
    """Return a copy of `mapping` with other `values`."""
    copy = without_key(mapping, None)
    for key, value in values.items():
        copy[key] = value
        copy.lines.setdefault(key, mapping.line)
    return copy


def without_key(mapping: Mapping, key: str | None) -> Mapping:
    """Return a copy of `mapping` that lacks `key`."""
    copy = Mapping(mapping.path, mapping.line)
    copy.update({name: value for name, value in mapping.items() if name != key})
    copy.lines = dict(mapping.lines)
    return copy


def other_than(answer: Any) -> str:
    """Return an answer that differs from `answer`."""
    return "unsettled" if str(answer) == "yes" else "yes"


# --- what the cases cover


def test_every_clause_is_cited() -> None:
    """For each clause of a game's rules there is a case that cites it."""
    cited = {cite for path in CASES for cite in case_at(path).cites}
    clauses = {
        rule.header.clause for game in LIBRARY.games() for rule in rules_of(game) if not rule.id.startswith("core:")
    }
    assert clauses
    covered = {clause for clause in clauses if any(cite == clause or cite.startswith(f"{clause}.") for cite in cited)}
    assert clauses - covered == set()


def test_case_files_say_what_they_hold() -> None:
    """A case is the only one in its file, has a title of its own, and none is a copy of another."""
    titles = [case_at(path).title for path in CASES]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []
    assert all(isinstance(case_at(path).data["steps"], Sequence) for path in CASES)


def test_a_broken_file_stops_no_other_case(tmp_path: Path) -> None:
    """What Python is told is what the command tells: a file that can't be read is a case with an error."""
    place = ember(tmp_path)
    folder = place.data / "ember" / "cases"
    (folder / "a-broken.yaml").write_text("game: ember\ntitel: a case\n", encoding="utf-8")
    results = load("ember", library=place.root).cases()
    assert [one.case.name for one in results] == [path.stem for path in sorted(folder.glob("*.yaml"))]
    assert [(one.case.name, one.error.code) for one in results if one.error] == [("a-broken", "C104")]
    assert [one.passed for one in results] == [False, *[True] * (len(results) - 1)]
    assert len(results) > 1
    (alone,) = load("ember", library=place.root).cases([folder / "a-broken.yaml"])
    assert str(alone.error) == str(results[0].error)
