"""`referee tournament grade`: how each bot does against reference bots, as a table for Moodle, Canvas and spreadsheets."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from referee.cli.options import Against, Folder, GameName, Jobs, Json, Output, Positive, Quiet, print_json


def grade(
    folder: Folder,
    *,
    against: Annotated[Against, Parameter(help="The reference bots: sample bots or paths, separated by commas.")],
    output: Annotated[Output | None, Parameter(help="The table; default: grades.csv, beside the matches.")] = None,
    series: Annotated[
        Positive | None, Parameter(help="Series of each bot with each reference bot; default: 10.")
    ] = None,
    game: GameName = None,
    jobs: Jobs = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Grade the bots of a tournament by matches against reference bots.

    Each bot plays with reference bots only, so its grade does not depend on the other bots. The matches are played as the
    tournament's `[match]` says, in the folder `grade` beside it; the same command goes on there, also with new bots. The
    table has percent, points and faults in words, with the names and ids of `students.csv` if there is one. Moodle
    and Canvas import it. --game is for a folder of bots.
    """
    from referee.cli.again import command
    from referee.cli.narrator import narrate, narrate_renamed, silent
    from referee.cli.tournament.playing import play
    from referee.files.claims import check_place, write_new
    from referee.tournament import grading
    from referee.tournament.drafting import home
    from referee.tournament.locking import only_writer
    from referee.tournament.roster import roster
    from referee.tournament.running import RunningTournament
    from referee.tournament.settings import GRADE

    say = silent if quiet else narrate
    root = home(folder, game=game, say=say)
    path = output or root / GRADE / grading.OUTPUT
    if output is not None or path.parent.is_dir():
        check_place(path)
    students = roster(root)
    matches = grading.write_settings(root, against, series=series or grading.SERIES)
    given = [*([] if output is None else ["-o", str(output)]), *([] if series is None else [f"--series={series}"])]
    again = command("tournament", "grade", str(folder), "--against", ",".join(against), *given)
    with only_writer(matches), RunningTournament(matches) as tournament:
        play(tournament, jobs=jobs, strict=False, quiet=quiet, again=again)
        references = tournament.settings.format.against or ()
        graded, others = grading.grades(tournament.table(), tournament.status(), students, references)
    for row in others:
        say(f"{row.file} is not in students.csv, so {row.name} is not in the table: add it, and repeat the command")
    narrate_renamed(write_new(path, grading.grades_csv(tournament.settings.name, graded)))
    if json:
        rows = [row._asdict() for row in (*graded, *others)]
        print_json({"table": str(path), "against": list(references), "grades": rows})
    else:
        print(path)
    say(f"more: {command('tournament', 'report', str(matches))}")
