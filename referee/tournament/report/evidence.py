"""The evidence of faults, and how to watch a match: parts of several pages."""

from __future__ import annotations

from collections.abc import Sequence

from referee.markup import Child, Html, el, name, pre, together
from referee.names import counted
from referee.tournament.report.content import Failures, Report, Row, command


def watch(report: Report, match: Row) -> Html:
    """How to watch a match. All pages but those for students show it with this function.

    Args:
        match: its saved game under `saved`, a path in the tournament's folder; None if it was not kept.
    """
    if match["saved"] is None:
        return el("span", "not kept", class_="soft")
    return el("code", command("replay", report.path(match["saved"])))


def listed(report: Report, failures: Sequence[Failures], *, named: bool) -> Html:
    """Faults, to be opened one by one.

    Args:
        named: whether to name the entrants, with links from the folder of the report.
    """
    return el("div", *(_one(report, one, named=named) for one in failures), class_="faults")


def when(fault: Row) -> list[tuple[str, Child]]:
    """At which request, and after which time, in pairs of a heading and its content."""
    at = f"{fault['request']}, " + (f"round {fault['round']}, " if fault["round"] else "") + f"step {fault['step']}"
    took = fault.get("ms")
    return [("request", at), ("time", None if took is None else f"{took:.1f} ms")]


def facts(pairs: Sequence[tuple[str, Child]]) -> Html:
    """Pairs as a list; those without content are left out."""
    found = [together(el("dt", term), el("dd", told)) for term, told in pairs if told is not None]
    return el("dl", *found)


def _one(report: Report, failures: Failures, *, named: bool) -> Html:
    fault, times = failures.first, failures.times
    often = counted(times, "match", "matches")
    page = f"entrants/{failures.number}.html"
    who = together(el("a", name(report.names[failures.number]), href=page), " ") if named else None
    head = together(who, el("strong", fault["kind"]), f" at {fault['request']} ", el("span", often, class_="count"))
    told = [*when(fault), ("what happened", fault["detail"])]
    if not report.student:
        told.append(
            (
                "stderr",
                pre("\n".join(fault["stderr"]), label="its last lines on stderr") if fault["stderr"] else "empty",
            )
        )
    first = "the first match" if times > 1 else "match"
    told.append((first, f"{fault['match']}, seat {fault['seat'] + 1}"))
    told.append(("watch it", watch(report, fault)))
    return el("details", el("summary", head), facts(told))
