"""Abilities in the texts of cards: found by the forms of a language, named by what the game's rules call them."""
