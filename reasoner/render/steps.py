"""Explanations as a tree for the terminal, as Markdown, or as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasoner.operations.steps import Step


def tree(step: Step) -> str:
    """Return the explanation as a tree of lines."""
    return "\n".join(_lines(step, "", ""))


def markdown(step: Step) -> str:
    """Return the explanation as a nested Markdown list under a bold first line."""
    lines = [f"**{_text(step)}**", ""]

    def add(inner: Step, depth: int) -> None:
        lines.append(f"{'  ' * depth}- {_text(inner)}")
        for below in inner.steps:
            add(below, depth + 1)

    for below in step.steps:
        add(below, 0)
    return "\n".join(lines)


def data(step: Step) -> dict[str, Any]:
    """Return the explanation as plain data."""
    result: dict[str, Any] = {"text": step.text, "kind": step.kind}
    if step.rule is not None:
        header = step.rule.header
        result["rule"] = {
            "id": header.id,
            "title": header.title,
            "source": f"{header.source} {header.section}",
            "edition": header.edition,
            "file": step.rule.path,
        }
    if step.origin:
        result["origin"] = step.origin
    if step.steps:
        result["steps"] = [data(inner) for inner in step.steps]
    return result


def _lines(step: Step, first: str, rest: str) -> Iterator[str]:
    yield first + _text(step)
    for index, inner in enumerate(step.steps):
        last = index == len(step.steps) - 1
        yield from _lines(inner, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))


def _text(step: Step) -> str:
    text = step.text
    if step.rule is not None and step.kind == "fact":
        header = step.rule.header
        text += f"   [{header.id}: {header.source} {header.section}, {header.edition}]"
    elif step.rule is not None and step.kind == "failure":
        text += f"   ({step.rule.header.title})"
    if step.origin:
        text += f"   ({step.origin})"
    return text
