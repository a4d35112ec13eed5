"""Tests of continuous effects."""
