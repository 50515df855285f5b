"""`python -m referee.games.viper PROGRAM.viper`: a program as a process over the wire (README.md, Programs)."""

from __future__ import annotations

import sys

from referee.games.viper.programs import PROGRAMS
from referee.tailbite.serving import main

if __name__ == "__main__":
    sys.exit(main(PROGRAMS, ("or_groups",), sys.argv[1:]))
