"""`referee tournament status`, `table` and `matches`: what the ledger says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.options import Ascii, Color, Folder, Json, print_json
from referee.text.words import also_called, counted, harmless

if TYPE_CHECKING:
    from referee.tournament.tournament import Tournament


def table(folder: Folder, *, json: Json = False, color: Color = "auto", ascii: Ascii = False) -> None:  # noqa: A002
    """Print the table: score, rating with its 95 % interval, faults, answer times.

    With --json also the results of each pair and the bias of each seat. Only series whose matches have all been played
    count.
    """
    from referee.terminal import tournament_table
    from referee.terminal.console import open_terminal

    with _open(folder) as tournament:
        document = tournament.table()
        notes = tournament.notes(document)
    if json:
        print_json(document)
    else:
        tournament_table.show(document, open_terminal(color=color, ascii_only=ascii), notes)


def matches(folder: Folder, *, json: Json = False) -> None:
    """Print all matches in the order of the schedule. --json prints an object a line."""
    from referee.moments.formatting import places

    with _open(folder) as tournament:
        for row in tournament.matches():
            if json:
                print_json(row)
                continue
            seats = ", ".join(
                f"{also_called(seat['name'], seat['called'])} {place or '-'}"
                for seat, place in zip(row["seats"], places([seat["place"] for seat in row["seats"]]), strict=True)
            )
            print(harmless(f"{row['id']}  {seats}  {row['reason']}  {row['saved'] or '-'}"))


def status(folder: Folder, *, json: Json = False) -> None:
    """Print how far the tournament has come, and why bots failed.

    For each bot that cannot play: why. For each disqualification: the request, what happened, the last lines on stderr, and
    the saved game; once for each bot if they are the same, but --json has all. For each match that failed for a cause outside
    the bots: when, and why.
    """
    with _open(folder) as tournament:
        document = tournament.status()
    if json:
        print_json(document)
    else:
        print(*map(harmless, _lines(document)), sep="\n")


def _open(folder: Path) -> Tournament:
    from referee.tournament.drafting import tournament_folder
    from referee.tournament.tournament import Tournament

    return Tournament(tournament_folder(folder))


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    from referee.tournament.field import Change, Unready

    matches = document["matches"]
    state = "over" if document["over"] else "not over"
    yield f"{document['name']}: {document['game']}, {document['format']}, {state}"
    field = f"{counted(document['entrants'], 'entrant')}, {counted(document['tours'], 'tour')}"
    void = f", {matches['void']} of them void" if matches["void"] else ""
    yield f"{field}, {matches['played']} of {counted(matches['scheduled'], 'match', 'matches')} played{void}"
    yield from (str(Change(**change)) for change in document["changes"])
    for bot in document["unready"]:
        yield f"{Unready(bot['name'], bot['bot'], bot['why'], bot['number'])}:"
        yield from (f"  {line}" for line in bot["why"].splitlines())
    for bot in document["strays"]:
        yield f"{bot['name']} takes no part: {bot['why']}"
    yield from _fault_lines(document["faults"])
    yield from suspects(document["failures"])
    for failure in document["failures"]:
        match = f"{failure['series']}#{failure['seating']} ({', '.join(failure['names'])})"
        yield f"{match} failed at {failure['started']} on {failure['machine']}: {failure['why']}"


def _fault_lines(faults: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The lines about each fault; about faults that are the same for a bot, those of the first, and their number."""
    alike = Counter(map(_evidence, faults))
    for fault in faults:
        if not (times := alike.pop(_evidence(fault), 0)):
            continue
        at = f"{fault['request']}" + (f" in round {fault['round']}" if fault["round"] else "")
        who = f"{fault['match']}, seat {fault['seat'] + 1}, {fault['name']}"
        yield f"{who}: {fault['kind']} at {at}: {fault['detail']}"
        yield from (f"  {line}" for line in fault["stderr"])
        if fault["saved"] is not None:
            yield f"  saved: {fault['saved']}"
        if times > 1:
            yield f"  the same in {counted(times - 1, 'more match', 'more matches')}"


def suspects(failures: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A line about each bot with more than two matches that failed so often that they are void."""
    from referee.tournament.answers import TRIES

    tries = Counter((failure["series"], failure["seating"], *failure["names"]) for failure in failures)
    void = Counter(name for match, count in tries.items() if count >= TRIES for name in dict.fromkeys(match[2:]))
    for name, count in void.items():
        if count > 2:
            yield f"{name} is in {count} void matches: it may be the cause"


def _evidence(fault: Mapping[str, Any]) -> tuple[Hashable, ...]:
    """What a bot did, in whichever match and round; what the machine did meanwhile differs from match to match."""
    detail = fault["detail"].partition(";")[0] if fault["kind"] == "timeout" else fault["detail"]
    return *(fault[key] for key in ("number", "kind", "request")), detail, *fault["stderr"]
