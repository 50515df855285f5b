"""`referee program`: programs in a game's own language, drawn, tried out on saved games, and taken over from elsewhere."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from referee.cli.options import Color, GameName, Json, Whole
from referee.errors import ProgramError, UsageError
from referee.names import harmless, shorten

if TYPE_CHECKING:
    from referee.frame import Sheet
    from referee.game import Adopted, Game, Programs, Request
    from referee.replay import Replay

ProgramFile = Annotated[Path, Parameter(help="A program; its suffix tells the game.")]


def show(
    file: ProgramFile,
    /,
    *,
    game: GameName = None,
    color: Color = "auto",
    json: Json = False,
) -> int:
    """Draw a program: each of its parts as it was written, with its groups in colour."""
    from referee.bots import read_program

    found, programs = _language(file, game)
    sheets = programs.show(read_program(file, str(file)), str(file))
    if json:
        print(json_text.dumps({"game": found.name, "program": str(file), "sheets": _as_json(sheets)}))
        return 0
    _print(sheets, color)
    return 0


def try_out(
    file: ProgramFile,
    saved: Annotated[
        Path | None, Parameter(help="A saved game; without one, the last that was played without -o.")
    ] = None,
    /,
    *,
    step: Annotated[Whole, Parameter(help="Which step: the position before it is what the program gets.")],
    seat: Annotated[
        Whole | None, Parameter(help="Whose eyes, from 1; default: those of the seat that the step asked.")
    ] = None,
    game: GameName = None,
    color: Color = "auto",
    json: Json = False,
) -> int:
    """Show what a program decides in a step of a saved game, and why: what fits, and what does not fit where.

    The position is the one before the step, as the seat saw it that was asked in it.
    """
    from referee.bots import read_program
    from referee.cli import shelf
    from referee.cli.saved import open_saved

    found, programs = _language(file, game)
    source = read_program(file, str(file))
    policy = programs.compile(source, str(file))
    replay = open_saved(shelf.latest() if saved is None else saved)
    if replay.game.name != found.name:
        raise UsageError(
            f"{replay.record.path} is a game of {replay.game.name}, and {shorten(str(file))} a program for {found.name}"
        )
    request = _request(replay, step, seat)
    sheets = programs.explain(source, str(file), request)
    answer = found.format(policy.decide(request))
    told = next(answer.text for answer in replay.steps[step - 1].answers if answer.seat == request.seat)
    if json:
        document = {
            "game": found.name,
            "program": str(file),
            "saved": replay.record.path,
            "step": step,
            "seat": request.seat,
            "recorded": told,
            "answer": answer,
            "sheets": _as_json(sheets),
        }
        print(json_text.dumps(document))
        return 0
    _print(sheets, color)
    print()
    recorded = "no answer" if told is None else shorten(told, 80)
    print(f"step {step}, seat {request.seat + 1}: the program answers {answer}, the saved game has {recorded}")
    return 0


def adopt(
    file: Annotated[Path, Parameter(help="A program as another server gives it.")],
    /,
    *,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], help="Where to; default: stdout.")] = None,
    game: GameName = None,
) -> int:
    """Import a program that was written for another server, and say what was changed on the way.

    The game is that of `--game`, else that of the output's suffix, else the one that can read it.
    """
    from referee.bots import read_program

    source = read_program(file, str(file))
    adopted = _adopted(source, str(file), output, game)
    if output is None:
        print(adopted.text, end="")
    else:
        try:
            with output.open("x", encoding="utf-8") as target:
                target.write(adopted.text)
        except FileExistsError:
            raise UsageError(f"{output} exists: choose another name, or remove it first") from None
        except OSError as failed:
            raise UsageError(f"{output}: {failed.strerror}") from None
    for note in adopted.notes:
        print(harmless(f"note: {note}"), file=sys.stderr)
    if output is not None:
        print(f"{output} written; look at it with: referee program show {output}", file=sys.stderr)
    return 0


def _speaking(game: str | None) -> list[tuple[Game[Any, Any], Programs]]:
    """The games that have a language of their own, or the one that is meant.

    Raises:
        UsageError: the game that is meant has none.
    """
    from referee import games

    every = games.every() if game is None else [games.find(game)]
    speaking = [(found, found.programs) for found in every if found.programs is not None]
    if not speaking:
        raise UsageError(f"{game} has no language of its own; bots for it are processes: referee rules {game}")
    return speaking


def _language(file: Path, game: str | None) -> tuple[Game[Any, Any], Programs]:
    """The game that a program is for, by `--game`, else by its suffix.

    Raises:
        UsageError: the game that is meant has no language. BotError: no game has programs that end so.
    """
    from referee.bots import programs_of

    return programs_of(file, str(file)) if game is None else _speaking(game)[0]


def _adopted(source: bytes, file: str, output: Path | None, game: str | None) -> Adopted:
    """The program, by the game that is meant, else by the first that can read it.

    Raises:
        ProgramError: no game can; with what each of them says.
    """
    speaking = _speaking(game)
    meant = [pair for pair in speaking if output is not None and output.suffix == pair[1].suffix]
    refused: list[tuple[str, ProgramError]] = []
    for found, programs in meant or speaking:
        try:
            return programs.adopt(source, file)
        except ProgramError as wrong:
            refused.append((found.name, wrong))
    if len(refused) == 1:
        raise refused[0][1]
    raise ProgramError(file, 0, 0, "; ".join(f"for {name}: {_reason(file, wrong)}" for name, wrong in refused))


def _reason(file: str, wrong: ProgramError) -> str:
    return str(wrong).removeprefix(file).removeprefix(": ").removeprefix(", ")


def _request(replay: Replay, step: int, seat: int | None) -> Request[Any]:
    """What a seat was asked in a step.

    Raises:
        UsageError: there is no such step, it asked somebody else, or it asked for a name.
    """
    from referee import rerun

    asked = rerun.asks_at(replay, step)
    chosen = asked[0] if seat is None else seat - 1
    own = rerun.steps_of(replay, chosen)
    if chosen not in asked:
        raise UsageError(
            f"step {step} asked seat {', '.join(str(other + 1) for other in asked)}, not seat {chosen + 1}, which was asked in "
            f"steps {rerun.near(own, step)}"
        )
    if replay.steps[step - 1].ask == "getName":
        first = next((number for number in own if replay.steps[number - 1].ask != "getName"), None)
        more = f": seat {chosen + 1} has its first move in step {first}" if first else ""
        raise UsageError(f"step {step} asks for a name, which is no move{more}")
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
    """Sheets one below the other: in colour on a terminal, plain text in a pipe."""
    from rich.text import Text

    from referee.view.console import open_terminal

    out = open_terminal(color=color).out
    for number, sheet in enumerate(sheets):
        if number:
            out.print()
        out.print(Text(harmless(sheet.title), style="bold"))
        for row in sheet.rows:
            line = Text("  ")
            for place, patch in enumerate(row):
                style = " ".join([*(["bold"] if patch.strong else []), *([patch.colour] if patch.colour else [])])
                line.append(" " if place else "").append(harmless(patch.text), style=style)
            out.print(line, no_wrap=True, overflow="ignore", crop=False)
        for note in sheet.notes:
            out.print(Text(f"  {harmless(note)}"), soft_wrap=True)
