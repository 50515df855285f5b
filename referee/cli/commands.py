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
    """`module:function` in the package; the docstring of the function is the help of the command. Empty for a group."""
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
    Command("play", "Play one match between bots and save it.", "cli.play:play"),
    Command("build", "Build bots, and keep the result.", "cli.build:build"),
    Command("check", "Check that bots are ready for a contest, or say what to change.", "cli.check:check"),
    Command(
        "tournament",
        "Play many matches between bots, with a ledger and a table.",
        commands=(
            Command("new", "Write a first tournament.toml.", "cli.tournament.new:new"),
            Command(
                "check", "Check that it can begin, or that its saved games are right.", "cli.tournament.check:check"
            ),
            Command("run", "Play a tournament, or go on with it.", "cli.tournament.run:run"),
            Command("merge", "Unite the parts that shards have played.", "cli.tournament.merge:merge"),
            Command("status", "Print how far it has come, and why bots failed.", "cli.tournament.show:status"),
            Command("table", "Print the table.", "cli.tournament.show:table"),
            Command("matches", "Print all matches.", "cli.tournament.show:matches"),
            Command("grade", "Grade its bots by matches against reference bots.", "cli.tournament.grade:grade"),
            Command("report", "Write its report as web pages.", "cli.tournament.report:report"),
        ),
    ),
    Command("compare", "Find out whether a new version of a bot is better.", "cli.compare:compare"),
    Command("replay", "Watch a saved game.", "cli.replay:replay"),
    Command("explain", "Say why a match went as it did.", "cli.explain:explain"),
    Command("export", "Write a saved game as a web page, a picture, a film or a table.", "cli.export:export"),
    Command("history", "List the matches played without -o.", "cli.history:history"),
    Command("verify", "Check that saved games follow from the rules.", "cli.verify:verify"),
    Command("state", "Print a position of a saved game, to play on from.", "cli.state:state"),
    Command("ask", "Put the requests of a saved game to a bot, and compare its answers.", "cli.ask:ask"),
    Command("new", "Write a first bot from a starter kit.", "cli.new:new"),
    Command("studio", "Play, watch, check, compare, draw and debug in the browser.", "studio.command:studio"),
    Command(
        "arena",
        "Serve a contest site: authors upload bots, which play an endless ladder.",
        commands=(
            Command("new", "Make the folder of an arena.", "arena.commands.stages:new"),
            Command("run", "Serve it.", "arena.commands.run:run"),
            Command("invite", "Invite users.", "arena.commands.people:invite"),
            Command("user", "Show or change a user.", "arena.commands.people:user"),
            Command("open", "Accept uploads, and play.", "arena.commands.stages:open_arena"),
            Command("close", "Refuse uploads, and end the ladder.", "arena.commands.stages:close"),
            Command("final", "Play the final.", "arena.commands.stages:final"),
            Command("status", "Print its state.", "arena.commands.stages:status"),
            Command("backup", "Copy it to a file, also while it runs.", "arena.commands.copies:backup"),
            Command("export", "Write it as web pages without a server.", "arena.commands.copies:export"),
            Command("verify", "Check that its saved games are right.", "arena.commands.copies:verify"),
        ),
    ),
    Command("submit", "Upload a bot to an arena.", "arena.commands.submit:submit"),
    Command("rules", "Print a game's rules and protocol.", "cli.pages:rules"),
    Command("help", "Print a page of the manual.", "cli.pages:help_page"),
    Command("games", "List the games.", "cli.games:games"),
    Command(
        "game",
        "Make a game of your own.",
        commands=(
            Command("new", "Write the project of a new game.", "cli.game.new:new"),
            Command("check", "Check that a game keeps the contract, and measure it.", "cli.game.check:check"),
            Command("record", "Write the golden record of a game.", "cli.game.record:record"),
        ),
    ),
    Command("schema", "Print the JSON Schema of a document.", "cli.pages:schema"),
    Command("doctor", "Test what this machine can enforce, and say how to fix the rest.", "cli.doctor:doctor"),
    Command(
        "map",
        "Show, check and generate maps.",
        commands=(
            Command("show", "Draw a map, or list all maps.", "cli.map:show"),
            Command("check", "Check that maps are fair and complete.", "cli.map:check"),
            Command("new", "Generate a fair map.", "cli.map:new"),
        ),
    ),
    Command(
        "sdk",
        "Find the SDKs.",
        commands=(Command("path", "Print the folder of a language's SDK.", "cli.pages:sdk_path"),),
    ),
    Command(
        "program",
        "Draw, test and convert programs in a game's own language.",
        commands=(
            Command("show", "Draw a program.", "cli.program:show"),
            Command("test", "Show what a program decides at a step of a saved game, and why.", "cli.program:try_out"),
            Command("edit", "Draw and debug a program in the browser.", "studio.command:edit"),
            Command("import", "Convert a program of another server.", "cli.program:import_program"),
            Command("export", "Convert a program for another server.", "cli.program:export_program"),
        ),
    ),
)
