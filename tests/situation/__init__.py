"""The tests of situations."""
