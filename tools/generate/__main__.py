"""The command `python -m tools.generate`."""

from .generate import main

main()
