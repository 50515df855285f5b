"""What all pages have in common: their frame, the links between them, and the parts of tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.text.markup import Child, Html, el, name, page
from referee.tournament.report.content import GENERATOR, INDEX, Report


def framed_page(
    report: Report, title: str, header: Iterable[Child], main: Iterable[Child], *, script: str | None = None
) -> str:
    """A whole page of a report."""
    body = [el("header", *header), el("main", *main)]
    return page(title, body, generator=GENERATOR, style=report.style, script=script, refresh=report.refresh)


def page_links(report: Report, *links: Html, root: str = "", key: str | None = None) -> Html:
    """The links from a page to the first one and to others.

    Args:
        root: the folder of the report, from the page. key: the id of these links.
    """
    first = el("a", "← ", name(report.name), href=f"{root}{INDEX}")
    return el("nav", first, *links, id=key, aria_label="Other pages")


def sheet(
    label: str,
    head: Iterable[Html],
    rows: Iterable[Html],
    *,
    kind: str | None = None,
    key: str | None = None,
    caption: Html | None = None,
) -> Html:
    """A table. If it is wider than the screen, it scrolls in its own box.

    Args:
        label: for people who do not see it. kind: its class. key: its id.
    """
    table = el("table", caption, el("thead", el("tr", *head)), el("tbody", *rows), id=key, class_=kind)
    return el("div", table, class_="box", role="region", aria_label=label, tabindex=0)


def heads(*texts: str | int, kind: str | None = None) -> list[Html]:
    """Cells of a head."""
    return [el("th", text, scope="col", class_=kind) for text in texts]


def lead(text: str) -> Html:
    """The head of the column of names, which stays in sight when a table scrolls."""
    return el("th", text, scope="col", class_="name")


def name_cell(text: str, page: str | None = None) -> Html:
    """The cell of a name, with a link to a page."""
    label = name(text) if page is None else el("a", name(text), href=page)
    return el("th", label, scope="row", class_="name", data_col="name")


def cells(*texts: Child, kind: str | None = None) -> list[Html]:
    """Cells of a row."""
    return [el("td", text, class_=kind) for text in texts]


def figure(key: str, text: str | int, value: Any) -> Html:
    """A cell with a figure; `value` is that of `--json`, not rounded."""
    return el("td", text, data_col=key, data_value=value)


def note(*sentences: Child) -> Html:
    """What a table or chart shows, in sentences."""
    return el("p", *sentences, class_="note")
