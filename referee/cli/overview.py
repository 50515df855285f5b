"""What `referee` prints without a command: its purpose and the table of commands.

New users ask this first, and authors ask it again to look up a word. So nothing is imported for
it but what prints: of the start of `referee --help` the parser of command lines took more than half, which has no command
line to read here. It looks like the parser's own help from 60 columns on; a test compares the two.
"""

from __future__ import annotations

from math import ceil

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from referee.cli.commands import BEGINNING, COMMANDS, NAME, PURPOSE
from referee.cli.helptext import set_text


def show() -> None:
    """Print the purpose and the table of commands."""
    console = Console()
    console.print(Text(f"Usage: {NAME} COMMAND\n", "bold"))
    console.print(Text(f"{PURPOSE}\n"))
    console.print(Panel(_table(console.width), title="Commands", title_align="left"))
    console.print()
    console.print(set_text(BEGINNING))


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
