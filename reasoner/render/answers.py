"""What each command prints: answers turned into rows, trees and plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reasoner.operations.match import Match, ReadingMatch
from reasoner.render.console import note, print_json
from reasoner.render.rows import Format, print_rows

AMBIGUOUS = "T112"
NEVER = "T116"
MEMBER_COLUMNS = ("id", "name", "answer", "rules")


def print_match(found: Match, form: Format, game: Any, asked: Mapping[str, Any], why: bool) -> None:
    """Print who is meant by a text; several readings are all shown, and said to be several on stderr.

    `asked` is what `game.match` was asked besides the text.
    """
    several = len(found.readings) > 1
    if several:
        note(f"{AMBIGUOUS} “{found.text}” can be read in {len(found.readings)} ways; all are shown")
    if form is Format.JSON:
        print_json(found.to_json())
        return
    for number, reading in enumerate(found.readings, 1):
        if reading.never:
            which = f", reading {number}," if several else ""
            note(f"{NEVER} “{found.text}”{which} can never match: {reading.never}")
    columns = (("reading",) if several else ()) + MEMBER_COLUMNS
    rows: list[tuple[str, ...]] = []
    for number, reading in enumerate(found.readings, 1):
        block = [((str(number),) if several else ()) + row for row in _members(reading)]
        if form is Format.TABLE:
            print_rows(
                MEMBER_COLUMNS if block else (),
                [row[1:] if several else row for row in block],
                form,
                _title(found, reading, number if several else 0),
            )
            _print_why(reading, found, game, asked, why)
        rows += block
    if form is not Format.TABLE:
        title = "; ".join(
            _title(found, reading, number if several else 0) for number, reading in enumerate(found.readings, 1)
        )
        print_rows(columns, rows, form, title)


def _title(found: Match, reading: ReadingMatch, number: int) -> str:
    which = f", reading {number}" if number else ""
    return f"“{found.text}”{which}: what {reading.words}"


def _members(reading: ReadingMatch) -> list[tuple[str, ...]]:
    return [
        (m.referent.id, m.referent.name, str(m.answer), " ".join(rule.id for rule in m.rules)) for m in reading.members
    ]


def _print_why(reading: ReadingMatch, found: Match, game: Any, asked: Mapping[str, Any], why: bool) -> None:
    if not reading.members:
        print("no card is meant")
    if why:
        from reasoner.operations.steps import fold
        from reasoner.render.steps import tree

        for member in reading.members:
            for step in game.explain(found.text, member.referent.id, **asked):
                print()
                print(tree(fold(step)))


def print_steps(steps: Sequence[Any], form: str, full: bool) -> None:
    """Print explanations as a tree, Markdown or JSON."""
    from reasoner.operations.steps import fold
    from reasoner.render.steps import data, markdown, tree

    shown = [step if full or form == "json" else fold(step) for step in steps]
    if len(shown) > 1:
        note(f"{AMBIGUOUS} the text can be read in {len(shown)} ways; all are shown")
    if form == "json":
        print_json({"readings": [data(step) for step in shown]})
        return
    print("\n\n".join((tree if form == "tree" else markdown)(step) for step in shown))


def print_value(game: Any, text: str, who: str, asked: Mapping[str, Any], why: bool, form: Format) -> None:
    """Print a value with its rules; with `why`, its proof. `asked` is what `game.value` is asked besides."""
    found = game.value(text, who, **asked)
    if form is Format.JSON:
        print_json({"game": game.name, "as_of": game.base.edition, **found.to_json()})
        return
    rows = [(found.referent.id, found.referent.name, found.answer, " ".join(rule.id for rule in found.rules))]
    print_rows(("id", "name", "value", "rules"), rows, form, f"“{text}”")
    if why:
        from reasoner.operations.steps import fold
        from reasoner.render.steps import tree

        for step in game.explain_value(text, who, **asked):
            print()
            print(tree(fold(step)))


def print_result(found: Any, form: Format) -> None:
    """Print the result of a query; on stderr, why a case is not in what was asked."""
    from reasoner.operations.query import data, plain

    result = found.result
    if form is Format.JSON:
        rows = [
            {name: data(value, found.prefixes) for name, value in zip(result.columns, row, strict=True)}
            for row in result.rows
        ]
        print_json({"boolean": result.boolean} if result.kind == "ask" else rows)
    elif result.kind == "ask":
        print("yes" if result.boolean else "no")
    else:
        print_rows(result.columns, [tuple(plain(value, found.prefixes) for value in row) for row in result.rows], form)
        if not result.rows and form is Format.TABLE:
            note("no rows")
    for error in found.wrong:
        note(f"warning: not all of a case was asked, because it is wrong: {error}")


def print_questions(form: Format) -> None:
    """Print the questions that ship with the product."""
    from reasoner.operations.query import questions
    from reasoner.paths import library

    rows = [(one.name, one.title, one.about, ", ".join(one.parameters)) for one in questions(library()).values()]
    print_rows(("question", "what it answers", "about", "--set"), rows, form)


def print_report(reports: Sequence[Any], form: Format, fail_on: str) -> bool:
    """Print the findings of checks; return whether one is at least as severe as `fail_on`.

    As a table, errors, warnings and what has a witness are told in full and the rest in a line each; `--format json`
    tells everything.
    """
    findings = [(report.game, finding) for report in reports for finding in report.findings]
    if form is Format.JSON:
        print_json([{"game": game, **finding.to_json()} for game, finding in findings])
    elif form is Format.TABLE:
        for report in reports:
            _print_findings(report)
    else:
        rows = [(game, f.severity, f.code, str(f.place or ""), f.message) for game, f in findings]
        print_rows(("game", "severity", "code", "place", "finding"), rows, form)
    levels = {"error": ("error",), "warning": ("error", "warning"), "never": ()}[fail_on]
    return any(finding.severity in levels for _, finding in findings)


def _print_findings(report: Any) -> None:
    for finding in report.findings:
        print(f"{finding.severity} {finding.code} {finding.place or ''}".rstrip() + f": {finding.message}")
        if finding.severity != "info" or finding.witness:
            for line in (*([f"-> {finding.hint}"] if finding.hint else []), *finding.details):
                print(f"    {line}")
        for line in ("witness:", *finding.witness.splitlines()) if finding.witness else ():
            print(f"    {line}" if line == "witness:" else f"      {line}")
    for line in report.summary():
        note(line)


def print_changes(changes: Sequence[Any], form: Format) -> None:
    """Print what events change."""
    rows = [(one.text, one.on or "", one.id, one.before, one.after) for one in changes]
    print_rows(("text", "on", "id", "before", "after"), rows, form)
    if not changes and form is Format.TABLE:
        note("nothing changes")


def print_diff(found: Any, games: tuple[Any, Any], form: Format, why: bool) -> None:
    """Print the answers that differ between two editions; with `why`, both proofs of each."""
    if form is Format.JSON:
        head = {"game": found.game, "before": found.before, "after": found.after, "asked": found.asked}
        wrong = {"wrong": [str(one) for one in found.wrong]} if found.wrong else {}
        print_json({**head, "changes": [one.to_json() for one in found.changes], **wrong})
        return
    columns = ("where", "question", "subject", found.before, found.after)
    rows = [
        (
            one.where,
            one.question,
            one.subject,
            *(
                f"{side.answer} ({' '.join(side.rules)})" if side.rules else side.answer
                for side in (one.before, one.after)
            ),
        )
        for one in found.changes
    ]
    print_rows(columns, rows, form)
    if why:
        from reasoner.operations.diffproof import proofs
        from reasoner.operations.steps import fold
        from reasoner.render.steps import tree

        for change in found.changes:
            for edition, step in proofs(change, games[0].base, games[1].base):
                print(f"\n{change.where}, as of {edition}:")
                print(tree(fold(step)))
    for error in found.wrong:
        note(str(error))
    note(
        f"{len(found.changes)} of the answers to {found.asked} questions differ"
        if found.changes
        else f"no answer to {found.asked} questions differs"
    )


def print_games(library: Any, form: Format) -> None:
    """Print the games of the library, with the card pools that the user has imported."""
    from reasoner.knowledge.base import open_base
    from reasoner.knowledge.pools import pools
    from reasoner.paths import files_in

    rows = []
    for name in library.games():
        base = open_base(library, name)
        rules = [rule for rule in base.programs.rules if not rule.id.startswith("core:")]
        cases = files_in(library.game(name) / "cases", ".yaml")
        rows.append(
            (
                name,
                base.vocabulary.label(base.iri, base.language.code),
                base.language.code,
                len(base.cards),
                len(rules),
                len(cases),
                ", ".join(pool.name for pool in pools(name)),
            )
        )
    print_rows(("game", "name", "language", "cards", "rules", "cases", "pools"), rows, form)
