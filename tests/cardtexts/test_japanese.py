"""Whole Japanese texts: what is a reference, what it selects, in which role, and what is not understood."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from reasoner.abilities.model import Bearer
from reasoner.cardtexts.meanings import Meaning, meanings
from reasoner.cardtexts.reader import CardText
from reasoner.cardtexts.segments import REFERENCE, UNREAD
from reasoner.cardtexts.workshop import Workshop, open_workshop
from reasoner.knowledge.base import open_base
from reasoner.paths import library
from reasoner.reference.selector import Selector

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "japanese.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return open_workshop(open_base(library(), "mtg"), "ja")


@pytest.fixture(scope="module")
def english(workshop: Workshop) -> dict[str, Selector]:
    phrases = [one["english"] for case in CASES for one in case["references"]]
    tongue = next(one for one in workshop.base.tongues if one.language.code == "en")
    meant = meanings(phrases, tongue, workshop.base, workshop.around)
    return {phrase: one.selector for phrase, one in meant.items() if isinstance(one, Meaning)}


def read(workshop: Workshop, text: str, name: str = "") -> CardText:
    return workshop.read(text, Bearer((name,) if name else ()))


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_a_sentence(workshop: Workshop, english: dict[str, Selector], case: dict[str, Any]) -> None:
    text = case["text"]
    found = read(workshop, text, case.get("name", ""))
    told = [
        (
            text[one.start : one.end],
            one.meaning and one.meaning.selector,
            [role.rsplit("/")[-1] for role, _ in one.roles],
        )
        for one in found.stretches
        if one.kind == REFERENCE
    ]
    assert told == [(one["words"], english[one["english"]], one["roles"]) for one in case["references"]]
    unread = [text[one.start : one.end] for one in found.stretches if one.kind == UNREAD]
    assert unread == case.get("unread", [])


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_stretches_hold_the_text(workshop: Workshop, case: dict[str, Any]) -> None:
    found = read(workshop, case["text"], case.get("name", ""))
    places = [at for one in found.stretches for at in range(one.start, one.end)]
    assert len(places) == len(set(places))
    missing = {case["text"][at] for at in set(range(len(case["text"]))) - set(places)}
    assert missing <= set(" 《》「」")
