"""Tests of selectors and of what they come to for a referent."""
