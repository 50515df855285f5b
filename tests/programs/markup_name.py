"""Answers a name that a careless view interprets as markup."""

from asked import play

play(name=b"[bold red]x[/] <b>&amp;\n")
