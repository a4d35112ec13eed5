"""Rules that are less than they were: which part of a rule could be left out without any case failing."""
