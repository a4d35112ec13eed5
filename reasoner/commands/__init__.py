"""Commands that need more than a few lines: each in a module of its own, added to the command line by `cli`."""
