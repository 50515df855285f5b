"""`referee compare`: is a new version of a bot better than the old one?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import mode
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

from cyclopts import Parameter

from referee.cli.options import Against, GameName, Isolation, Jobs, Json, Output, Quiet, Seed, Whole, print_json
from referee.text.words import counted, harmless, shorten

WORDS: Final = {
    "yes": "yes: {new} is better than {old}",
    "no": "no: {new} is not better than {old} by {elo1:g} Elo",
    "undecided": "undecided after {series} series",
}


def compare(
    new: Annotated[str, Parameter(help="The new version.")],
    old: Annotated[str, Parameter(help="The old version.")],
    /,
    *,
    against: Annotated[
        Against | None,
        Parameter(help="Rivals, separated by commas: both versions play against these instead of each other."),
    ] = None,
    game: GameName = None,
    maps: Annotated[
        list[str] | None,
        Parameter(
            name="--map", negative="", help="A map's name or a .toml file; several take turns.", consume_multiple=True
        ),
    ] = None,
    seats: Annotated[Whole | None, Parameter(help="Bots in a match; default: 2, and up to 4 with --against.")] = None,
    rounds: Annotated[Whole | None, Parameter(help="The number of rounds; default: the map's.")] = None,
    elo0: Annotated[float, Parameter(help="`no` means: NEW is not better by more than this.")] = 0.0,
    elo1: Annotated[float, Parameter(help="If NEW is better by this, the chance to miss it is --beta.")] = 20.0,
    alpha: Annotated[float, Parameter(help="The chance of a false yes.")] = 0.05,
    beta: Annotated[float, Parameter(help="The chance of a false no.")] = 0.05,
    most: Annotated[Whole, Parameter(help="Give up after this many series.")] = 2000,
    isolation: Isolation = "full",
    pondering: Annotated[
        bool, Parameter(help="Whether players may compute during the turns of others; default: no.")
    ] = False,
    seed: Seed = None,
    jobs: Jobs = None,
    output: Annotated[
        Output | None, Parameter(help="Keep everything in this folder; the same command goes on there.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Find out whether NEW is better than OLD, with as few matches as possible.

    Both play series of matches, from all seats, on the same maps with the same seeds, until a sequential test is sure.
    The exit code is 0 for yes, and 1 for no and for undecided.
    """
    from referee import games
    from referee.bots import find, name_in
    from referee.cli.again import command
    from referee.cli.narrator import narrate, silent
    from referee.cli.tournament.playing import play
    from referee.files import mapfiles
    from referee.tournament.drafting import keep
    from referee.tournament.locking import only_writer
    from referee.tournament.running import RunningTournament

    say = silent if quiet else narrate
    rules, bots = games.find(game), [new, old, *(against or [])]
    for word in bots:  # a slip must not make the folder, which would then be of another tournament
        find(word, rules.name)
    for word in maps or []:
        mapfiles.read(rules, word)
    document = {
        "name": name_of(bots),
        "game": rules.name,
        "format": {"kind": "compare", "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "most": most},
        "match": {"seats": seats, "maps": maps, "rounds": rounds, "isolation": isolation, "pondering": pondering},
        "run": {"rng_seed": seed},
    }
    with ExitStack() as stack:
        folder = output or Path(stack.enter_context(TemporaryDirectory(prefix="referee-compare-")))
        keep(folder, document, map(name_in, bots), made_by="referee compare")
        stack.enter_context(only_writer(folder))
        tournament = stack.enter_context(RunningTournament(folder))
        again = "the same command, with -o FOLDER" if output is None else "the same command"
        play(tournament, jobs=jobs, strict=True, quiet=quiet, again=again)
        comparison, status = tournament.comparison(), tournament.status()
    if json:
        print_json(comparison.document)
    else:
        print(comparison.line)
        print(_elo(comparison.document))
        print(WORDS[comparison.document["verdict"]].format_map(comparison.document))
        for line in failures(status):
            print(line)
    if output is not None:
        say(f"all matches: {command('tournament', 'matches', str(output))}")
    return 0 if comparison.document["verdict"] == "yes" else 1


def name_of(bots: Sequence[str]) -> str:
    """The name of a comparison of the first two bots."""
    return " and ".join(shorten(Path(word).name, 25) for word in bots[:2])


def _elo(document: Mapping[str, Any]) -> str:
    """The difference in Elo, with its interval."""
    if document["elo"] is None:
        return f"Elo: -, {document['series']} series"
    low, high = (f"{end:.1f}" if end is not None else "-" for end in (document["elo_low"], document["elo_high"]))
    return f"Elo: {document['elo']:.1f} ({low} to {high}), {document['series']} series"


def failures(status: Mapping[str, Any]) -> Iterator[str]:
    """A line about each bot that failed: in how many matches, and how most often.

    Args:
        status: as `referee tournament status --json` prints it.
    """
    for name in dict.fromkeys(fault["name"] for fault in status["faults"]):
        faults = [fault for fault in status["faults"] if fault["name"] == name]
        count = len({fault["match"] for fault in faults})
        how = mode(f"{fault['kind']} at {fault['request']}: {fault['detail']}" for fault in faults)
        matches = counted(status["matches"]["played"], "match", "matches")
        yield harmless(f"{name} failed in {count} of {matches}: {how}")
