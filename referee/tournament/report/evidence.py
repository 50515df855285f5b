"""The evidence of faults, and how to watch a match: parts of several pages."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.commands import command
from referee.text.markup import Child, Html, el, name, pre, together
from referee.text.words import counted
from referee.tournament.report.content import Failures, Report, page_of
from referee.tournament.report.shown import Row


def watch_hint(report: Report) -> Html:
    """How to watch the matches of a list, in sentences."""
    pages, kept = len(report.with_page), report.matches.kept
    every = el("code", "referee tournament report --games=all")
    more = together(every, " writes the page of each match that was kept.")
    return together(
        "A title that is a link leads to the page of its match. " if pages else None,
        more if pages < kept and not report.site else None,
    )


def title_cell(report: Report, match: str, *, root: str) -> Html:
    """The head of a match's row: what people call it, with a link to its page if there is one.

    Args:
        match: its id. root: the way from the page to the folder of the report.
    """
    words = name(report.title(match))
    label = el("a", words, href=f"{root}{page_of(match)}") if match in report.with_page else words
    return el("th", label, scope="row", class_="name", title=match)


def fault_list(report: Report, failures: Sequence[Failures], *, named: bool) -> Html:
    """Faults, to be opened one by one.

    Args:
        named: whether to name the entrants, with links to their pages: on the first page, not on that of an entrant.
    """
    return el("div", *(_details(report, group, named=named) for group in failures), class_="faults")


def time_facts(fault: Row) -> list[tuple[str, Child]]:
    """At which request, and after which time, in pairs of a heading and its content."""
    at = f"{fault['request']}, " + (f"round {fault['round']}, " if fault["round"] else "") + f"step {fault['step']}"
    took = fault.get("ms")
    return [("request", at), ("time", None if took is None else f"{took:.1f} ms")]


def facts(pairs: Sequence[tuple[str, Child]]) -> Html:
    """Pairs as a list; those without content are left out."""
    rows = [together(el("dt", term), el("dd", content)) for term, content in pairs if content is not None]
    return el("dl", *rows)


def _details(report: Report, failures: Failures, *, named: bool) -> Html:
    fault, times, root = failures.first, failures.times, "" if named else "../"
    number = fault["number"]
    often = el("span", counted(times, "match", "matches"), class_="count")
    page = f"{root}entrants/{number}.html"
    who = name(report.names[number]) if named else None
    head = together(who, " ", el("strong", fault["kind"]), f" at {fault['request']} ", often)
    stderr = pre("\n".join(fault["stderr"]), label="its last lines on stderr") if fault["stderr"] else "empty"
    pairs = [
        ("bot", el("a", who, href=page) if named else None),
        *time_facts(fault),
        ("what happened", fault["detail"]),
        ("stderr", None if report.student else stderr),
        ("the first match" if times > 1 else "match", f"{report.title(fault['match'])}, seat {fault['seat'] + 1}"),
        ("watch it", _watch(report, fault, root=root)),
    ]
    return el("details", el("summary", head), facts(pairs))


def _watch(report: Report, fault: Row, *, root: str) -> Html:
    """How to watch the step of a fault: a link to the page of the match, or else a command."""
    step = fault["step"]
    if fault["match"] in report.with_page:
        return el("a", "watch", href=f"{root}{page_of(fault['match'])}#step={step}")
    if fault["saved"] is None:
        return el("span", "not kept", class_="soft")
    return el("code", command("replay", report.path(fault["saved"]), f"--step={step}"))
