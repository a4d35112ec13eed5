"""Cardlore: which cards a piece of card text refers to, which cards interact, and why.

    >>> import reasoner
    >>> game = reasoner.load("…")          # a folder of data/
    >>> game.match("…").readings           # who is meant, with the rules that decide

Everything else is reached through the game; `reasoner.errors` holds the errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reasoner.errors import CardloreError

if TYPE_CHECKING:
    from reasoner.game import Game, load

__all__ = ["CardloreError", "Game", "load"]


def __getattr__(name: str) -> Any:
    # Loading on first use keeps `import reasoner` (and so every command) quick.
    if name in ("Game", "load"):
        from reasoner import game

        return getattr(game, name)
    raise AttributeError(f"module 'reasoner' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
