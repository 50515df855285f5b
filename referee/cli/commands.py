"""The command line: one small module a command, imported when the command is called.

Here are only the table of commands and the way from errors to exit codes: 0 done, 1 a check failed or a match could not be
finished, 2 usage or configuration, 3 our own bug, 4 a bot cannot be built or started, 128 + n ended by signal n.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from inspect import getdoc
from typing import Final, TextIO

from cyclopts import App, CycloptsError

from referee import __version__
from referee.cli import INTERRUPTED
from referee.cli.helptext import CODE, HelpText
from referee.errors import RefereeError
from referee.names import harmless

FAILED: Final = 1
INTERNAL: Final = 3
UNREAD: Final = 141
"""As a shell tells SIGPIPE."""
VERDICTS: Final = frozenset({"check", "doctor", "verify"})
"""Commands whose exit code is a verdict: one that nobody has read to its end must not pass for a good one."""

app = App(
    name="referee",
    help="Plays matches between programs: it starts them, times them, judges them, saves and replays what happened.",
    help_epilogue=f"Begin with [{CODE}]referee play[/]: four sample bots play a match. [{CODE}]referee rules[/] tells the rules.",
    version=__version__,
    help_format="rich",
    help_formatter=HelpText(),
    version_format="plaintext",
    backend="trio",
)
app.command("referee.cli.play:play", help="Play one match between bots and save it.")
app.command("referee.cli.build:build", help="Build bots, and keep what comes of it.")
app.command("referee.cli.check:check", help="Check that a bot is fit to play, and say what is wrong with it.")
app.command("referee.cli.replay:replay", help="Watch a saved game.")
app.command("referee.cli.verify:verify", help="Check that saved games follow from the rules.")
app.command(
    "referee.cli.state:state", help="Print the position after a step of a saved game, as a setup to play on from."
)
app.command("referee.cli.ask:ask", help="Ask a bot what a seat of a saved game was asked, and compare its answers.")
app.command("referee.cli.new:new", help="Write a first bot into a new folder.")
app.command("referee.cli.rules:rules", help="Print a game's rules and protocol.")
app.command("referee.cli.games:games", help="List the games.")
app.command("referee.cli.doctor:doctor", help="Try whether this machine can isolate players.")
maps = App(name="map", help="Show, check and make maps.")
maps.command("referee.cli.map:show", help="Draw a map, or list all maps.")
maps.command("referee.cli.map:check", help="Check that maps are fair and whole.")
maps.command("referee.cli.map:new", help="Make a fair map.")
app.command(maps)
programs = App(name="program", help="Draw, try out and import programs in a game's own language.")
programs.command("referee.cli.program:show", help="Draw a program.")
programs.command(
    "referee.cli.program:try_out", name="test", help="Show what a program decides in a step of a saved game, and why."
)
programs.command("referee.cli.program:adopt", name="import", help="Import a program of another server.")
app.command(programs)


def run(arguments: Sequence[str]) -> int:
    """Carry out a command line; returns the exit code and has said on stderr what went wrong."""
    try:
        _tell_all_of(arguments)
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except CycloptsError as wrong:
        from referee.cli import misuse

        return _refuse(misuse.told(wrong, app), 2)
    except RefereeError as failed:
        for line in getattr(failed, "excerpt", ()):  # what a compiler said
            _tell(line)
        return _refuse(str(failed), failed.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        give_up(sys.stdout)
        return UNREAD if VERDICTS & set(arguments[:2]) else 0
    except OSError as failed:
        give_up(sys.stdout)
        return _refuse(f"{failed.filename or 'output'}: {failed.strerror or failed}", FAILED)
    except MemoryError:
        return _refuse("there is not enough memory for this", FAILED)
    except Exception as failed:
        import traceback

        traceback.print_exception(failed)
        print("referee: this is a bug of the referee's own: please report it with the lines above", file=sys.stderr)
        return INTERNAL
    return code if isinstance(code, int) else 0


def _tell_all_of(arguments: Sequence[str]) -> None:
    """Let a command's own `--help` show its whole docstring; the table of commands has a line of it, and imports none."""
    if not {"--help", "-h"} & set(arguments):
        return
    command = app
    for word in arguments:
        if word.startswith("-") or word not in command:
            break
        command = command[word]
    if command.default_command is not None and (text := getdoc(command.default_command)):
        command.help = text


def _refuse(text: str, code: int) -> int:
    _tell(f"referee: {text}")
    return code


def _tell(text: str) -> None:
    # One line, and harmless: the text may quote files, manifests and the command line itself.
    with suppress(OSError):
        print(harmless(text), file=sys.stderr)


def give_up(stream: TextIO) -> None:
    """Whoever read a stream has gone, or its disk is full: what is still in the buffer must not be tried again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
