"""A name that a careless view takes for markup."""

from asked import play

play(name=b"[bold red]x[/] <b>&amp;\n")
