"""How cases went, as tables and JSON: which passed, and what was answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reasoner.render.console import note, print_json
from reasoner.render.rows import Format, print_rows


def print_cases(results: Sequence[Any], form: Format, answers: bool = False) -> int:
    """Print how cases went; return the exit code: 0 all passed, 1 an answer differs, 2 a case itself is wrong.

    With `answers` each question of the cases is shown instead, with who or what it means.
    """
    failed = [one for one in results if not one.passed]
    wrong = [one for one in failed if one.error is not None]
    code = 2 if wrong else 1 if failed else 0
    if form is Format.JSON:
        told = (_case_json(one) | ({"answers": _answers_json(one)} if answers else {}) for one in results)
        print_json(list(told))
        return code
    if answers:
        columns = ("game", "case", "moment", "question", "answer", "read by")
        print_rows(columns, [row for one in results for row in _answers(one)], form)
    else:
        _print_results(results, form)
    for one in failed:
        if one.error is not None:
            note(str(one.error))
        for difference in one.differences:
            note(str(difference))
    counted = f"{len(results) - len(failed)} passed, {len(failed) - len(wrong)} failed"
    note(counted + (f", {len(wrong)} wrong" if wrong else ""))
    return code


def _answers(one: Any) -> list[tuple[str, ...]]:
    return [
        (one.case.game, one.case.name, str(moment), asked.question, _said(asked), " ".join(asked.rules))
        for moment, asked in one.asked
    ]


def _said(asked: Any) -> str:
    """Return the answers to a question in one line; what is not meant is left out, as in a case."""
    given = {subject: answer for subject, answer in asked.answers.items() if answer not in ("no", "none")}
    return ", ".join(f"{subject}: {answer}" for subject, answer in given.items()) or "none"


def _answers_json(one: Any) -> list[dict[str, Any]]:
    return [
        {"moment": moment, "question": asked.question, "answers": dict(asked.answers), "rules": list(asked.rules)}
        for moment, asked in one.asked
    ]


def _print_results(results: Sequence[Any], form: Format) -> None:
    rows = [
        (
            one.case.game,
            one.case.name,
            "ERROR" if one.error else "pass" if one.passed else "FAIL",
            str(one.expectations),
            one.case.title,
        )
        for one in results
    ]
    print_rows(("game", "case", "result", "answers", "title"), rows, form)


def _case_json(one: Any) -> dict[str, Any]:
    return {
        "game": one.case.game,
        "case": one.case.name,
        "title": one.case.title,
        "cites": list(one.case.cites),
        "passed": one.passed,
        "expectations": one.expectations,
        "error": one.error.as_json() if one.error else None,
        "differences": [
            {
                "place": str(d.place),
                "question": d.question,
                "subject": d.subject,
                "expected": d.expected,
                "found": d.found,
            }
            for d in one.differences
        ],
    }
