"""Situations: what happens to cards in play, and what every object is at each moment."""
