"""The tests of the consistency check."""
