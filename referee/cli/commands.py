"""The table of commands: the name of each, a line about it, and its function.

Each command is a small module that is imported when the command is called.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Command(NamedTuple):
    """A command, or a group of commands."""

    name: str
    line: str
    path: str = ""
    """`module:function`; the docstring of the function is the help of the command. Empty for a group."""
    commands: tuple[Command, ...] = ()
    """The commands of a group."""


NAME: Final = "referee"
PURPOSE: Final = (
    "Runs matches between programs: starts and times them, applies the rules of the game, saves and replays the match."
)
MANUAL: Final = "`referee help` lists the pages of the manual."
"""Shown below the help of a command."""
BEGINNING: Final = f"Begin with `referee play`: four sample bots play a match. {MANUAL}"

COMMANDS: Final = (
    Command("play", "Play one match between bots and save it.", "referee.cli.play:play"),
    Command("build", "Build bots, and keep the result.", "referee.cli.build:build"),
    Command("check", "Check that bots are ready for a contest, or say what to change.", "referee.cli.check:check"),
    Command(
        "tournament",
        "Play many matches between bots, with a ledger and a table.",
        commands=(
            Command("new", "Write a first tournament.toml.", "referee.cli.tournament.new:new"),
            Command(
                "check",
                "Check that it can begin, or that its saved games are right.",
                "referee.cli.tournament.check:check",
            ),
            Command("run", "Play a tournament, or go on with it.", "referee.cli.tournament.run:run"),
            Command("merge", "Unite the parts that shards have played.", "referee.cli.tournament.merge:merge"),
            Command("status", "Print how far it has come, and why bots failed.", "referee.cli.tournament.show:status"),
            Command("table", "Print the table.", "referee.cli.tournament.show:table"),
            Command("matches", "Print all matches.", "referee.cli.tournament.show:matches"),
            Command("grade", "Grade its bots by matches against reference bots.", "referee.cli.tournament.grade:grade"),
            Command("report", "Write its report as web pages.", "referee.cli.tournament.report:report"),
        ),
    ),
    Command("compare", "Find out whether a new version of a bot is better.", "referee.cli.compare:compare"),
    Command("replay", "Watch a saved game.", "referee.cli.replay:replay"),
    Command("explain", "Say why a match went as it did.", "referee.cli.explain:explain"),
    Command("export", "Write a saved game as a web page, a picture, a film or a table.", "referee.cli.export:export"),
    Command("history", "List the matches played without -o.", "referee.cli.history:history"),
    Command("verify", "Check that saved games follow from the rules.", "referee.cli.verify:verify"),
    Command("state", "Print a position of a saved game, to play on from.", "referee.cli.state:state"),
    Command("ask", "Put the requests of a saved game to a bot, and compare its answers.", "referee.cli.ask:ask"),
    Command("new", "Write a first bot from a starter kit.", "referee.cli.new:new"),
    Command("studio", "Play, watch, check, compare, draw and debug in the browser.", "referee.studio.command:studio"),
    Command(
        "arena",
        "Serve a contest site: authors upload bots, which play an endless ladder.",
        commands=(
            Command("new", "Make the folder of an arena.", "referee.arena.commands.stages:new"),
            Command("run", "Serve it.", "referee.arena.commands.run:run"),
            Command("invite", "Invite users.", "referee.arena.commands.people:invite"),
            Command("user", "Show or change a user.", "referee.arena.commands.people:user"),
            Command("open", "Accept uploads, and play.", "referee.arena.commands.stages:open_arena"),
            Command("close", "Refuse uploads, and end the ladder.", "referee.arena.commands.stages:close"),
            Command("final", "Play the final.", "referee.arena.commands.stages:final"),
            Command("status", "Print its state.", "referee.arena.commands.stages:status"),
            Command("backup", "Copy it to a file, also while it runs.", "referee.arena.commands.copies:backup"),
            Command("export", "Write it as web pages without a server.", "referee.arena.commands.copies:export"),
            Command("verify", "Check that its saved games are right.", "referee.arena.commands.copies:verify"),
        ),
    ),
    Command("submit", "Upload a bot to an arena.", "referee.arena.commands.submit:submit"),
    Command("rules", "Print a game's rules and protocol.", "referee.cli.pages:rules"),
    Command("help", "Print a page of the manual.", "referee.cli.pages:help_page"),
    Command("games", "List the games.", "referee.cli.games:games"),
    Command(
        "game",
        "Make a game of your own.",
        commands=(
            Command("new", "Write the project of a new game.", "referee.cli.game.new:new"),
            Command("check", "Check that a game keeps the contract, and measure it.", "referee.cli.game.check:check"),
            Command("record", "Write the golden record of a game.", "referee.cli.game.record:record"),
        ),
    ),
    Command("schema", "Print the JSON Schema of a document.", "referee.cli.pages:schema"),
    Command("doctor", "Test what this machine can enforce, and say how to fix the rest.", "referee.cli.doctor:doctor"),
    Command(
        "map",
        "Show, check and generate maps.",
        commands=(
            Command("show", "Draw a map, or list all maps.", "referee.cli.map:show"),
            Command("check", "Check that maps are fair and complete.", "referee.cli.map:check"),
            Command("new", "Generate a fair map.", "referee.cli.map:new"),
        ),
    ),
    Command(
        "sdk",
        "Find the SDKs.",
        commands=(Command("path", "Print the folder of a language's SDK.", "referee.cli.pages:sdk_path"),),
    ),
    Command(
        "program",
        "Draw, test and convert programs in a game's own language.",
        commands=(
            Command("show", "Draw a program.", "referee.cli.program:show"),
            Command(
                "test", "Show what a program decides at a step of a saved game, and why.", "referee.cli.program:try_out"
            ),
            Command("edit", "Draw and debug a program in the browser.", "referee.studio.command:edit"),
            Command("import", "Convert a program of another server.", "referee.cli.program:import_program"),
            Command("export", "Convert a program for another server.", "referee.cli.program:export_program"),
        ),
    ),
)
