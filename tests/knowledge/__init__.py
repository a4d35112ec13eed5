"""Tests of reading files and of keeping what was built."""
