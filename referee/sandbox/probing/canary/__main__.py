"""How the canary is started in a cell: `python -m canary`."""

from . import main

main()
