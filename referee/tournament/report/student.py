"""Pages for students: in plain words what went wrong with one bot, and how to see it again. They link to no page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from referee.analysis.commands import command
from referee.contract.clock import seconds
from referee.moments.formatting import milliseconds
from referee.sandbox.advice import advise
from referee.text.markup import Html, el, name, pre, together
from referee.text.words import counted, without_folders
from referee.tournament.report.content import Excerpt, Failures, Place, Report, number
from referee.tournament.report.evidence import facts, time_facts
from referee.tournament.report.sheets import framed_page
from referee.tournament.report.shown import Row

YOURS: Final = "YOUR_BOT"
SAVED: Final = "SAVED_GAME"
"""Stands for a file of the computer that played the matches."""
TITLES: Final[Mapping[str, str]] = {
    "timeout": "It did not answer in time",
    "exit": "It ended before the match was over",
    "overflow": "It printed too much",
    "invalid": "Its answer could not be read",
    "sandbox": "It broke a limit of the sandbox",
}
"""What each kind of fault is called."""
OUT: Final = "Your program did not play, because it could not be built or started."
LAST: Final = "Your new version does not play, because it could not be built or started. Your last version plays on."
"""Of a team."""
ANSWERED: Final = ("invalid", "overflow")
"""Kinds whose detail quotes the answer."""
MEANINGS: Final = (
    ("timeout", "together",
        "The answers of a match have a common time limit, and it was used up. Answer faster on average."),
    ("timeout", "",
        "The referee waited for an answer until the time was up. The usual causes: a loop that does not end, a search that "
        "takes too long, an answer that stays in a buffer because the program does not flush its output, or waiting for "
        "more input than there is."),
    ("exit", "SIGSEGV",
        "It used memory that is not its own: an index outside of an array, or a pointer that points nowhere."),
    ("exit", "SIGFPE", "It divided a whole number by zero."),
    ("exit", "SIGABRT", "It was aborted: by an exception that nothing caught, by an assertion, or by damaged memory."),
    ("exit", "SIGKILL", "It was killed. The usual cause is that it needed too much memory."),
    ("exit", "status 0",
        "It came to its end as if its work was done. A bot must go on answering until its input ends."),
    ("exit", "kept running", "It closed its output, so it could not answer any more."),
    ("exit", "",
        "An error ended it. The last lines below, if there are any, usually name the error and the line of the program."),
    ("invalid", "without a request",
        "It printed something that nobody asked for. Print one answer for each request and nothing else; write messages for "
        "yourself to stderr."),
    ("invalid", "",
        "It printed something that is not an answer in this game. Compare what was expected with what came, letter by letter. If "
        "it is a message for yourself, write it to stderr."),
    ("overflow", "", "An answer is a short line. It printed a line that is far too long, or no line feed at its end."),
    ("sandbox", "", "Bots run in a sandbox, which limits their memory. It used more than is allowed and was ended."),
)  # fmt: skip
"""What it means: kind, a part of the referee's words, and an explanation. The first that fits counts."""


def student(report: Report, entrant: int) -> str:
    """The page about the entrant with this number."""
    failures = report.failures[entrant]
    times = counted(sum(group.times for group in failures), "match", "matches")
    how_often = f"Something went wrong in {times}:" if failures else "It made no error."
    parts = [el("p", _result(report, entrant)), el("p", how_often)]
    parts += [el("section", *_failure(report, failures)) for failures in failures]
    if failures:
        parts.append(el("section", *_help()))
    elif lost := list(_loss_lines(report, entrant)):
        parts.append(el("section", *lost))
    return _page(report, report.names[entrant], parts)


def unbuilt(report: Report, bot: Row) -> str:
    """The page about a bot that cannot play."""
    first, _, rest = without_folders(bot["why"]).partition("\n")
    parts = [el("p", OUT if bot["number"] is None else LAST), el("section", el("h2", "What happened"), el("p", first))]
    if rest:
        hint = el("p", "Correct the first error; the others often follow from it.")
        parts.append(el("section", el("h2", "What the compiler said"), hint, pre(rest, label="what the compiler said")))
    again = el("p", f"On your computer, this command builds it. {YOURS} stands for its file or folder.")
    parts.append(el("section", el("h2", "Try it again"), again, pre(command("build", YOURS), label="command")))
    return _page(report, bot["name"], parts)


def _page(report: Report, called: str, parts: list[Html]) -> str:
    header = [el("p", report.name, class_="facts"), el("h1", name(called))]
    return framed_page(report, f"{called} · {report.name}", header, parts)


def _result(report: Report, entrant: int) -> str:
    row = report.row_of(entrant)
    if row is None:
        return "This version of your program has left the tournament."
    if row["percent"] is None:
        return "Your program has not played a match that counts yet."
    matches = counted(row["matches"], "match that counts", "matches that count")
    return (
        f"Your program is in place {row['rank']} of {len(report.rows)}. In {matches}, it took {number(row['percent'], 1)} % of "
        f"the possible score. 99 of 100 answers came within {milliseconds(row['p99_ms'])} ms; the limit is "
        f"{seconds(report.limit)}."
    )


def _loss_lines(report: Report, entrant: int) -> Iterator[Html]:
    """What a bot without a fault lost points to in its worst match."""
    if (worst := report.matches.own[entrant].worst) is None:
        return
    _, match, seat = worst
    if seat["place"] == 1 and sum(other["place"] == 1 for other in match["seats"]) == 1:
        yield el("p", "It won all of its matches whose saved games were kept.")
        return
    excerpt = report.excerpts.get(Place(match["id"], seat["seat"], None), Excerpt())
    if not excerpt.lost:
        return
    yield el("h2", "What it lost points to")
    yield el("p", f"Its worst match was {report.title(match['id'])}. It had seat {seat['seat'] + 1}.")
    yield el("ul", *(el("li", line) for line in excerpt.lost))
    yield from _board(excerpt)


def _board(excerpt: Excerpt) -> Iterator[Html]:
    if excerpt.board is not None:
        yield el("div", excerpt.board, class_="box board", role="region", aria_label="The board", tabindex=0)


def _failure(report: Report, failures: Failures) -> Iterator[Html]:
    fault, detail = failures.first, without_folders(failures.first["detail"])
    often = f" ({counted(failures.times, 'match', 'matches')})"
    yield el("h2", TITLES[fault["kind"]], el("span", often, class_="count"))
    yield el("p", next(words for kind, part, words in MEANINGS if kind == fault["kind"] and part in fault["detail"]))
    stderr = [without_folders(line) for line in fault["stderr"]]
    if report.memory is not None and (hint := advise(stderr, memory=report.memory)):
        yield el("p", el("strong", "Hint: "), hint)
    yield facts([("the first match", f"{report.title(fault['match'])}, seat {fault['seat'] + 1}"), *time_facts(fault)])
    excerpt = report.excerpts.get(failures.place, Excerpt())
    yield from _board(excerpt)
    if excerpt.request is not None:
        yield together(el("h3", "What your program was asked"), pre(excerpt.request, label="the request"))
    yield el("h3", "What it answered")
    yield el("p", detail if fault["kind"] in ANSWERED else f"Nothing that counts: {detail}.")
    yield el("h3", "The last lines that it wrote to stderr")
    yield pre("\n".join(stderr), label="stderr") if stderr else el("p", "Nothing.")
    if fault["saved"] is not None:
        yield el("h3", "See it again")
        yield el("p", "The first command shows the match. The second puts the same requests to your program again.")
        step = f"--step={fault['step']}"
        replay, ask = command("replay", SAVED, step), command("ask", YOURS, SAVED, f"--seat={fault['seat'] + 1}", step)
        yield pre(f"{replay}\n{ask}", label="commands")


def _help() -> Iterator[Html]:
    yield el("h2", "Words")
    messages = "The second output of a program, for messages. The referee reads answers only from the first, stdout."
    check = together(el("code", command("check", YOURS)), " finds most errors before a contest does.")
    yield facts([
        ("stderr", messages),
        ("flush", "Output waits in a buffer until the program flushes it. Flush after every answer."),
        (YOURS, "Stands for the file or the folder of your program."),
        (SAVED, "Stands for the saved game of the match. Ask for it by the name of the match."),
        ("referee check", check),
    ])  # fmt: skip
