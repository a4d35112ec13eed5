"""Continuous effects: in which order they are applied at a moment, and what they make of every object."""
