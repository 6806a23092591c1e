"""`python -m flows` is `credence`."""

from flows.cli import main

main()
