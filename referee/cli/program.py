"""`referee program`: draws, tests and converts programs in a game's own language."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from referee.cli.options import Color, GameName, Json, Whole
from referee.errors import BotError, ProgramError, UsageError
from referee.text.words import harmless, shorten

if TYPE_CHECKING:
    from referee.contract.frame import Sheet
    from referee.contract.game import ConvertedProgram, Game, Programs, Request
    from referee.saved.replay import Replay

ProgramName = Annotated[
    str,
    Parameter(help="A program's file, a bot's folder, or a sample bot's name. The suffix of a file names the game."),
]


class Opened(NamedTuple):
    """A program and its game; `file` is its name in messages."""

    game: Game[Any, Any]
    programs: Programs
    source: bytes
    file: str


def show(
    program: ProgramName,
    /,
    *,
    game: GameName = None,
    color: Color = "auto",
    json: Json = False,
) -> int:
    """Draw a program: each of its parts, with the groups in colour."""
    script = opened(program, game)
    sheets = script.programs.show(script.source, script.file)
    if json:
        print(json_text.dumps({"game": script.game.name, "program": script.file, "sheets": _as_json(sheets)}))
        return 0
    _print(sheets, color)
    return 0


def try_out(
    program: ProgramName,
    saved: Annotated[Path | None, Parameter(help="A saved game; default: the last match in the history.")] = None,
    /,
    *,
    step: Annotated[Whole, Parameter(help="The step. The program gets the position before it.")],
    seat: Annotated[
        Whole | None, Parameter(help="The seat that the program plays, from 1; default: the seat that the step asked.")
    ] = None,
    game: GameName = None,
    color: Color = "auto",
    json: Json = False,
) -> int:
    """Show what a program decides at a step of a saved game, and why: which parts fit, and where others do not.

    The program gets the position before the step, as the asked seat saw it.
    """
    from referee.cli import history
    from referee.cli.saved import open_saved

    script = opened(program, game)
    policy = script.programs.compile(script.source, script.file)
    replay = open_saved(history.latest() if saved is None else saved)
    if replay.game.name != script.game.name:
        raise UsageError(
            f"{replay.record.path} is a game of {replay.game.name}, and {shorten(program)} is for {script.game.name}: name a "
            f"saved game of {script.game.name}"
        )
    request = _request(replay, step, seat)
    sheets = script.programs.explain(script.source, script.file, request)
    answer = script.game.format(policy.decide(request))
    saved_answer = next(answer.text for answer in replay.steps[step - 1].answers if answer.seat == request.seat)
    if json:
        document = {
            "game": script.game.name,
            "program": script.file,
            "saved": replay.record.path,
            "step": step,
            "seat": request.seat,
            "recorded": saved_answer,
            "answer": answer,
            "sheets": _as_json(sheets),
        }
        print(json_text.dumps(document))
        return 0
    _print(sheets, color)
    print()
    recorded = "no answer" if saved_answer is None else shorten(saved_answer, 80)
    print(f"step {step}, seat {request.seat + 1}: the program answers {answer}, the saved game has {recorded}")
    return 0


def import_program(
    file: Annotated[Path, Parameter(help="A program in the format of another server.")],
    /,
    *,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="The file to write; default: stdout.")
    ] = None,
    game: GameName = None,
) -> int:
    """Convert a program of another server, and say what was changed.

    The game is that of `--game`, or that of the output's suffix, or the first one that can read the program.
    """
    from referee.bots.programs import CAP
    from referee.files.reading import read

    _put(_imported(read(file, CAP), str(file), output, game), output)
    if output is not None:
        print(f"{output} written; look at it with: referee program show {output}", file=sys.stderr)
    return 0


def export_program(
    program: ProgramName,
    /,
    *,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="The file to write; default: stdout.")
    ] = None,
    game: GameName = None,
) -> int:
    """Convert a program for another server, and say what was changed: from ava to the JSON of the AVA12 server.

    `referee program import` reads it back.
    """
    script = opened(program, game)
    _put(script.programs.export_program(script.source, script.file), output)
    if output is not None:
        print(f"{output} written", file=sys.stderr)
    return 0


def _put(converted: ConvertedProgram, output: Path | None) -> None:
    """Write the converted program to a new file or to stdout, and its notes to stderr."""
    from referee.cli.narrator import narrate_renamed
    from referee.files.claims import write_new

    if output is None:
        print(converted.text, end="")
    else:
        narrate_renamed(write_new(output, converted.text))
    for note in converted.notes:
        print(harmless(f"note: {note}"), file=sys.stderr)


def _speaking(game: str | None) -> list[tuple[Game[Any, Any], Programs]]:
    """The games with a language of their own, or the one that the user named.

    Raises:
        UsageError: that game has none.
    """
    from referee import games

    every = games.every() if game is None else [games.find(game)]
    speaking = [(rules, rules.programs) for rules in every if rules.programs is not None]
    if not speaking:
        raise UsageError(f"{game} has no language of its own; bots for it are processes: referee rules {game}")
    return speaking


def opened(word: str, game: str | None) -> Opened:
    """The program that the user named: a file or a bot. With `--game`, the file may have any suffix.

    Raises:
        UsageError: the file cannot be read, or the game has no language. BotError: there is no such program.
    """
    from referee import bots as bot_room
    from referee.bots.programs import CAP
    from referee.files import reading

    path = Path(word)
    if word != reading.STDIN and not (path.exists() and not path.is_dir()):
        path = _of_bot(word)
    rules, programs = bot_room.programs_of(path, word) if game is None else _speaking(game)[0]
    return Opened(rules, programs, reading.read(path, CAP), str(path))


def _of_bot(word: str) -> Path:
    """The program file of a sample bot or of a bot's folder.

    Raises:
        BotError: there is no such bot, or it is not a program in a game's language.
    """
    from referee import bots as bot_room

    speaking = _speaking(None)
    samples = [name for rules, _ in speaking for name in bot_room.samples(rules.name)]
    if not Path(word).is_dir() and bot_room.sample(word) is None:
        ends = " ".join(programs.suffix for _, programs in speaking)
        raise BotError(
            f"there is no program {shorten(repr(word))}: name a file ({ends}), a folder with {bot_room.MANIFEST} or a "
            f"sample bot ({', '.join(samples)})"
        )
    bot = bot_room.find(word)
    if bot.policy is None or not bot.files:
        raise BotError(
            f"bot {bot.name} is not a program in a game's own language: name one, such as {' or '.join(samples[:2])}"
        )
    return next(iter(bot.files.values()))


def _imported(source: bytes, file: str, output: Path | None, game: str | None) -> ConvertedProgram:
    """The program, read by the named game, or by the first game that can read it.

    Raises:
        ProgramError: no game can read it, with the reasons of all.
    """
    speaking = _speaking(game)
    meant = [pair for pair in speaking if output is not None and output.suffix == pair[1].suffix]
    refused: list[tuple[str, ProgramError]] = []
    for rules, programs in meant or speaking:
        try:
            return programs.import_program(source, file)
        except ProgramError as wrong:
            refused.append((rules.name, wrong))
    if len(refused) == 1:
        raise refused[0][1]
    raise ProgramError(file, 0, 0, "; ".join(f"for {name}: {_reason(file, wrong)}" for name, wrong in refused))


def _reason(file: str, wrong: ProgramError) -> str:
    return str(wrong).removeprefix(file).removeprefix(": ").removeprefix(", ")


def _request(replay: Replay, step: int, seat: int | None) -> Request[Any]:
    """The request to a seat at a step.

    Raises:
        UsageError: there is no such step, it asked another seat, or it asked for a name.
    """
    from referee.match import rerun

    asked = rerun.asks_at(replay, step)
    chosen = asked[0] if seat is None else seat - 1
    own = rerun.steps_of(replay, chosen, step)
    if replay.steps[step - 1].ask == "getName":
        first = next((number for number in own if replay.steps[number - 1].ask != "getName"), None)
        more = f": seat {chosen + 1} has its first move in step {first}" if first else ""
        raise UsageError(f"step {step} asks for a name, not for a move{more}")
    return next(request for request in replay.state_at(step - 1).requests() if request.seat == chosen)


def _as_json(sheets: Sequence[Sheet]) -> list[dict[str, Any]]:
    return [
        {
            "title": sheet.title,
            "rows": [
                [{"text": patch.text, "colour": patch.colour, "strong": patch.strong} for patch in row]
                for row in sheet.rows
            ],
            "notes": list(sheet.notes),
        }
        for sheet in sheets
    ]


def _print(sheets: Sequence[Sheet], color: Any) -> None:
    """Print sheets: in colour on a terminal, as plain text into a pipe."""
    from rich.text import Text

    from referee.terminal.console import open_terminal

    out = open_terminal(color=color).out
    for number, sheet in enumerate(sheets):
        if number:
            out.print()
        out.print(Text(harmless(sheet.title), style="bold"))
        for row in sheet.rows:
            line = Text("  ")
            for column, patch in enumerate(row):
                style = " ".join([*(["bold"] if patch.strong else []), *([patch.colour] if patch.colour else [])])
                line.append(" " if column else "").append(harmless(patch.text), style=style)
            out.print(line, no_wrap=True, overflow="ignore", crop=False)
        for note in sheet.notes:
            out.print(Text(f"  {harmless(note)}"), soft_wrap=True)
