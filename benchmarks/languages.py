"""Compares what the English and the Japanese text of each card refer to, where card data lies beside the repository.

    python benchmarks/languages.py [FILE] [--every N] [--differences FILE]

FILE (by default ../shared/fixtures/mtg/AtomicCards-known.json.gz) has the shape of MTGJSON's AtomicCards. Of each face
the first Japanese text with words counts. Prints on how many faces both texts select the same, over all faces and over
those of which both texts are wholly read: once reference by reference, once as `reasoner.cardtexts.compare` compares.
`--differences` writes, for each face of which both are wholly read and that differ, what only one of them refers to.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path
from typing import NamedTuple

from reasoner.abilities.model import Bearer
from reasoner.cardtexts.compare import Difference, difference
from reasoner.cardtexts.meanings import Meaning, meanings
from reasoner.cardtexts.reader import Sentence, pieces_of
from reasoner.cardtexts.segments import UNREAD
from reasoner.cardtexts.workshop import Workshop, open_workshop
from reasoner.errors import TextError
from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.paths import library
from reasoner.reference.selector import Selector
from reasoner.reference.wording import say

_LANGUAGES = {"en": "English", "ja": "Japanese"}
_HINTED = "https://w3id.org/cardlore/game/mtg/term/ModalDoubleFaced"


class Face(NamedTuple):
    """A face with its texts, and the names of its bearer, by language."""

    name: str
    layout: str
    texts: dict[str, str]
    names: dict[str, tuple[str, ...]]


class Found(NamedTuple):
    """What a text refers to, and whether all of it is read."""

    selectors: frozenset[Selector]
    whole: bool


def faces(path: Path, every: int) -> list[Face]:
    """Return every so many-th of the faces that have a text in both languages."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        cards = json.load(file)["data"]
    found = []
    for records in cards.values():
        for record in records:
            foreign = [one for one in record.get("foreignData", ()) if one.get("language") == _LANGUAGES["ja"]]
            other = next((one for one in foreign if one.get("text")), None)
            if other is None or not record.get("text"):
                continue
            own = record.get("faceName") or record["name"]
            translated = other.get("faceName") or other.get("name") or own
            layout = _HINTED if record.get("layout") == "modal_dfc" else ""
            texts = {"en": record["text"], "ja": other["text"]}
            found.append(Face(own, layout, texts, {"en": (own,), "ja": (translated, own)}))
    return found[::every]


def read(known: list[Face], workshop: Workshop) -> list[Found]:
    """Return what the texts of the faces refer to in the language of the workshop."""
    code = workshop.tongue.language.code
    cut: list[list[str]] = []
    for face in known:
        bearer = Bearer(face.names[code], frozenset(), face.layout)
        pieces = pieces_of(face.texts[code], bearer, workshop.classifier, workshop.book).sentences
        cut.append([piece.text for piece in pieces])
    sentences = {text: workshop.reader(text) for texts in cut for text in texts}
    wordings = sorted({wording for sentence in sentences.values() for wording in sentence.wordings})
    meant = meanings(wordings, workshop.tongue, workshop.base, workshop.around)
    return [_found([sentences[text] for text in texts], meant) for texts in cut]


def _found(sentences: list[Sentence], meant: dict[str, Meaning | TextError]) -> Found:
    read_ = [meant[wording] for sentence in sentences for wording in sentence.wordings]
    selectors = frozenset(one.selector for one in read_ if isinstance(one, Meaning))
    whole = all(isinstance(one, Meaning) for one in read_) and not any(
        segment.kind == UNREAD or segment.doubtful for sentence in sentences for segment in sentence.segments
    )
    return Found(selectors, whole)


def _share(what: str, answers: list[bool]) -> None:
    print(f"{what:44} {sum(answers):6} of {len(answers):6}  {sum(answers) / max(1, len(answers)):7.2%}")


def main() -> int:
    """Print the figures; return 2 if there is no card data."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "fixtures" / "mtg" / "AtomicCards-known.json.gz"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=beside)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--differences", type=Path)
    chosen = parser.parse_args()
    if not chosen.file.is_file():
        print(f"no card data in {chosen.file}: nothing to compare", file=sys.stderr)
        return 2
    known = faces(chosen.file, chosen.every)
    base = open_base(library(), "mtg")
    english, japanese = (read(known, open_workshop(base, code)) for code in _LANGUAGES)
    pairs = list(zip(english, japanese, strict=True))
    whole = [one.whole and other.whole for one, other in pairs]
    compared = [
        difference(one.selectors, other.selectors, whole=both) for (one, other), both in zip(pairs, whole, strict=True)
    ]
    _share("English texts wholly read", [one.whole for one in english])
    _share("Japanese texts wholly read", [one.whole for one in japanese])
    _share("same selectors, all faces", [one.selectors == other.selectors for one, other in pairs])
    _share("the same referred to, all faces", [not one for one in compared])
    both_read = [pair for pair, both in zip(pairs, whole, strict=True) if both]
    _share("same selectors, both wholly read", [one.selectors == other.selectors for one, other in both_read])
    _share("the same referred to, both wholly read", [not one for one in compared if one.whole])
    if chosen.differences:
        lines = [_line(face, one, base) for face, one in zip(known, compared, strict=True) if one and one.whole]
        chosen.differences.write_text("".join(lines), encoding="utf-8")
    return 0


def _line(face: Face, one: Difference, base: KnowledgeBase) -> str:

    sides = [
        [say(selector, base.vocabulary, base.language.code) for selector in side] for side in (one.first, one.second)
    ]
    return json.dumps({"face": face.name, "en": sides[0], "ja": sides[1]}, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
