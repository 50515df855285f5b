"""The table of commands, as data: what each is called, where it is, and what it does in a line.

One small module a command, imported when the command is called. What prints or reads the table imports no more than it needs:
`overview` no parser of command lines, `parser` nothing that prints.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Command(NamedTuple):
    """A command, or a group of commands under one word."""

    name: str
    line: str
    path: str = ""
    """`module:function`, the function's docstring is the command's own help; of a group there is none."""
    commands: tuple[Command, ...] = ()
    """Of a group."""


NAME: Final = "referee"
PURPOSE: Final = (
    "Plays matches between programs: it starts them, times them, judges them, saves and replays what happened."
)
BEGINNING: Final = (
    "Begin with `referee play`: four sample bots play a match. `referee help` lists the pages of the manual."
)
"""Shown below all help texts."""

COMMANDS: Final = (
    Command("play", "Play one match between bots and save it.", "referee.cli.play:play"),
    Command("build", "Build bots, and keep what comes of it.", "referee.cli.build:build"),
    Command("check", "Check that a bot is fit to play, and say what is wrong with it.", "referee.cli.check:check"),
    Command("replay", "Watch a saved game.", "referee.cli.replay:replay"),
    Command("history", "List the matches played without -o.", "referee.cli.history:history"),
    Command("verify", "Check that saved games follow from the rules.", "referee.cli.verify:verify"),
    Command(
        "state",
        "Print the position after a step of a saved game, as a setup to play on from.",
        "referee.cli.state:state",
    ),
    Command("ask", "Ask a bot what a seat of a saved game was asked, and compare its answers.", "referee.cli.ask:ask"),
    Command("new", "Write a first bot into a new folder.", "referee.cli.new:new"),
    Command("rules", "Print a game's rules and protocol.", "referee.cli.pages:rules"),
    Command("help", "Print a page of the manual.", "referee.cli.pages:help_page"),
    Command("games", "List the games.", "referee.cli.games:games"),
    Command("doctor", "Try whether this machine can isolate players.", "referee.cli.doctor:doctor"),
    Command(
        "map",
        "Show, check and make maps.",
        commands=(
            Command("show", "Draw a map, or list all maps.", "referee.cli.map:show"),
            Command("check", "Check that maps are fair and whole.", "referee.cli.map:check"),
            Command("new", "Make a fair map.", "referee.cli.map:new"),
        ),
    ),
    Command(
        "sdk",
        "Find the SDKs.",
        commands=(Command("path", "Print where a language's SDK lies.", "referee.cli.pages:sdk_path"),),
    ),
    Command(
        "program",
        "Draw, try out and import programs in a game's own language.",
        commands=(
            Command("show", "Draw a program.", "referee.cli.program:show"),
            Command(
                "test", "Show what a program decides in a step of a saved game, and why.", "referee.cli.program:try_out"
            ),
            Command("import", "Import a program of another server.", "referee.cli.program:import_program"),
        ),
    ),
)
