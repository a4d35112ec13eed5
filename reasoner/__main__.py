"""`python -m reasoner` is the same as `cardlore`."""

from reasoner.cli import main

main()
