"""`referee program`: draws, tests and converts programs in a game's own language."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from referee.cli.options import Color, GameName, Json, Output, Whole, print_json
from referee.cli.program_names import games_with_language, open_program
from referee.errors import ProgramError, UsageError
from referee.text.words import harmless, shorten

if TYPE_CHECKING:
    from referee.contract.programs import ConvertedProgram

ProgramName = Annotated[
    str,
    Parameter(help="A program's file, a bot's folder, or a sample bot's name. The suffix of a file names the game."),
]


def show(program: ProgramName, /, *, game: GameName = None, color: Color = "auto", json: Json = False) -> None:
    """Draw a program: each of its parts, with the groups in colour."""
    from referee.analysis.programs import as_json

    script = open_program(program, game)
    sheets = as_json(script.programs.show(script.source, script.file))
    if json:
        print_json({"game": script.game.name, "program": script.file, "sheets": sheets})
    else:
        _print(sheets, color)


def try_out(
    program: ProgramName,
    saved: Annotated[
        Path | None, Parameter(help="A saved game, with --step; default: the last match in the history.")
    ] = None,
    /,
    *,
    step: Annotated[
        Whole | None,
        Parameter(help="The step. The program gets the position before it. Default: run the test positions."),
    ] = None,
    seat: Annotated[
        Whole | None, Parameter(help="The seat that the program plays, from 1; default: the seat that the step asked.")
    ] = None,
    pin: Annotated[
        list[str] | None,
        Parameter(
            help="With --step, keep this moment as a test position: must=LU, must_not=L or chart=2. Repeat it to require more.",
            negative="",
        ),
    ] = None,
    game: GameName = None,
    color: Color = "auto",
    json: Json = False,
) -> int:
    """Show what a program decides at a step of a saved game, and why. Without --step, run its test positions.

    The program gets the position before the step, as the asked seat saw it. Test positions are in NAME.tests.toml beside the
    program; the exit code is 1 if one fails.
    """
    from referee.analysis.programs import decision
    from referee.cli import program_tests
    from referee.cli.saved import open_saved

    script = open_program(program, game)
    script.programs.compile(script.source, script.file)  # its mistakes are reported before those of other files
    if step is None:
        if saved is not None or seat is not None or pin:
            raise UsageError("say which step with --step; without a saved game, the test positions are run")
        return program_tests.run(script, json=json)
    replay = open_saved(saved)
    chosen = None if seat is None else seat - 1
    if pin:
        return program_tests.pin(script, replay, step, chosen, pin, json=json)
    document = decision(script, replay, step, chosen)
    if json:
        print_json(document)
        return 0
    _print(document["sheets"], color)
    print()
    recorded_answer = "no answer" if document["recorded"] is None else shorten(document["recorded"], 80)
    who = f"step {step}, seat {document['seat'] + 1}"
    print(f"{who}: the program answers {document['answer']}, the saved game has {recorded_answer}")
    return 0


def import_program(
    file: Annotated[Path, Parameter(help="A program in the format of another server.")],
    /,
    *,
    output: Annotated[Output | None, Parameter(help="The file to write; default: stdout.")] = None,
    game: GameName = None,
) -> None:
    """Convert a program of another server, and say what was changed.

    The game is that of `--game`, or that of the output's suffix, or the first one that can read the program.
    """
    from referee.bots.programs import CAP
    from referee.cli.again import command
    from referee.files.reading import read

    _put(_import(read(file, CAP), str(file), output, game), output)
    if output is not None:
        print(f"{output} written; look at it with: {command('program', 'show', str(output))}", file=sys.stderr)


def export_program(
    program: ProgramName,
    /,
    *,
    output: Annotated[
        Output | None, Parameter(help="The file to write; a name that ends in .svg gives a picture. Default: stdout.")
    ] = None,
    game: GameName = None,
) -> None:
    """Convert a program for another server, and say what was changed: from ava to the JSON of the AVA12 server. Or draw it.

    `referee program import` reads the JSON back. `-o NAME.svg` draws a program of any game.
    """
    from referee.contract.programs import ConvertedProgram

    script = open_program(program, game)
    if output is not None and output.suffix == ".svg":
        from referee.export.program_svg import program_picture

        converted = ConvertedProgram(program_picture(script.programs.document(script.source, script.file)), ())
    else:
        converted = script.programs.export_program(script.source, script.file)
    _put(converted, output)
    if output is not None:
        print(f"{output} written", file=sys.stderr)


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


def _import(source: bytes, file: str, output: Path | None, game: str | None) -> ConvertedProgram:
    """The program, read by the named game, or by the first game that can read it.

    Raises:
        ProgramError: no game can read it, with the reason of the first.
    """
    languages = games_with_language(game)
    meant = [pair for pair in languages if output is not None and output.suffix == pair[1].suffix]
    errors: list[ProgramError] = []
    for _, programs in meant or languages:
        try:
            return programs.import_program(source, file)
        except ProgramError as wrong:
            errors.append(wrong)
    raise errors[0]


def _print(sheets: Sequence[Mapping[str, Any]], color: Any) -> None:
    """Print drawings: in colour on a terminal, as plain text into a pipe."""
    from rich.style import Style
    from rich.text import Text

    from referee.terminal.console import open_terminal

    out = open_terminal(color=color).out
    for number, sheet in enumerate(sheets):
        if number:
            out.print()
        out.print(Text(harmless(sheet["title"]), style="bold"))
        for row in sheet["rows"]:
            cells = [
                (harmless(patch["text"]), Style(bold=patch["strong"] or None, color=patch["colour"])) for patch in row
            ]
            line = Text("  ") + Text(" ").join(Text(*cell) for cell in cells)
            out.print(line, no_wrap=True, overflow="ignore", crop=False)
        for note in sheet["notes"]:
            out.print(Text(f"  {harmless(note)}"), soft_wrap=True)
