"""A pool of invented cards with texts, and what reads texts in English."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reasoner.cardtexts.workshop import Workshop, open_workshop
from reasoner.importing.run import import_file
from reasoner.knowledge.base import open_base
from reasoner.paths import library

GAME = "mtg"


@pytest.fixture(scope="session")
def english() -> Workshop:
    """What reads texts in English."""
    return open_workshop(open_base(library(), GAME), "en")


def card(name: str, text: str, kind: str = "Creature", *subtypes: str, japanese: str = "") -> dict[str, Any]:
    """Return a card as the format has them."""
    return {
        "foreignData": [{"language": "Japanese", "name": f"{name}・日本語", "text": japanese}] if japanese else [],
        "name": name,
        "layout": "normal",
        "types": kind.split(),
        "supertypes": [],
        "subtypes": list(subtypes),
        "colors": ["G"],
        "colorIdentity": ["G"],
        "manaCost": "{1}{G}",
        "manaValue": 2.0,
        "text": text,
    }


CARDS = (
    card("Bramble Scout", "Reach\nElf creatures you control get +1/+1.", "Creature", "Elf"),
    card("Thorn Caller", "Whenever an Elf you control dies, draw a card.", "Creature", "Elf", "Druid"),
    card("Cinder Lash", "Destroy target Elf you control. (It stays dead.)", "Instant"),
    card("Moss Idol", "{T}, Sacrifice a creature: Destroy target Elf you control.", "Artifact"),
    card("Wild Omen", "Destroy target Elf permanent you control. Blorb the sky.", "Sorcery"),
    card("Quiet Stone", "", "Artifact"),
    card("Pale Frost", "Destroy target Wall.", "Sorcery", japanese="壁１つを対象とし、それを破壊する。"),
    card("Odd Frost", "Destroy target Wall.", "Sorcery", japanese="ゴブリン１体を対象とし、それを破壊する。"),
)


@pytest.fixture(scope="session")
def invented(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of an imported pool of these cards, apart from all other pools."""
    folder: Path = tmp_path_factory.mktemp("cards")
    path = folder / "invented-texts.json"
    path.write_text(json.dumps({"data": {one["name"]: [one] for one in CARDS}}), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDLORE_POOLS", str(folder / "pools"))
        return str(import_file(library(), "mtgjson", path).pool.folder)
