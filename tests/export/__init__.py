"""Tests of reasoner.export; the package lets them share `graphs`."""
