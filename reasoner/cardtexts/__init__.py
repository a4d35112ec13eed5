"""Whole card texts: which of their words refer to cards, in which role, which are understood, and which are not."""
