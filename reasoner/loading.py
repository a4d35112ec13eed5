"""Loading what several commands ask about: a game with the chosen pool, and a moment of a situation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reasoner.errors import UseError
from reasoner.options import chosen_pool


def load_game(name: str, as_of: str | None) -> Any:
    """Return the game called `name`, with the cards of the chosen pool."""
    from reasoner.game import load

    return load(name, as_of=as_of, pool=chosen_pool())


def scene_of(name: str, as_of: str | None, situation: Path | None, moment: int | None) -> tuple[Any, Any]:
    """Return the game, and the scene of a situation if one is named."""
    loaded = load_game(name, as_of)
    if situation is None and moment is not None:
        raise UseError("U108", "--moment needs --situation", hint="name the case file whose moments are meant")
    return loaded, None if situation is None else loaded.situation(situation, moment)
