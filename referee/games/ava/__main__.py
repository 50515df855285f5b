"""`python -m referee.games.ava PROGRAM.ava`: a program as a process over the wire (README.md, Programs)."""

from __future__ import annotations

import sys

from referee.games.ava.programs import PROGRAMS
from referee.tailbite.serving import main

if __name__ == "__main__":
    sys.exit(main(PROGRAMS, ("rating", "failed_and_groups"), sys.argv[1:]))
