"""What `referee` prints without a command: its purpose and the table of commands.

It imports only what prints, because users ask for it often and the parser takes half of the time of `referee --help`. A test
compares it with the parser's own help.
"""

from __future__ import annotations

import sys
from math import ceil

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from referee.cli.commands import BEGINNING, COMMANDS, NAME, PURPOSE
from referee.text.words import codes_of


def show() -> None:
    """Print the purpose and the table of commands."""
    console = Console(file=codes_of(sys.stdout))
    console.print(Text(f"Usage: {NAME} COMMAND\n", "bold"))
    console.print(Text(f"{PURPOSE}\n"))
    console.print(Panel(_table(console.width), title="Commands", title_align="left"))
    console.print()
    console.print(Text(BEGINNING))


def _table(width: int) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="cyan", max_width=ceil(width * 0.35), overflow="fold")
    table.add_column(overflow="fold")
    for name, line, *_ in sorted(COMMANDS):
        table.add_row(name, line)
    table.add_row("--help (-h)", "Display this message and exit.")
    table.add_row("--install-completion", "Install shell completion for this application.")
    table.add_row("--version", "Display application version.")
    return table
