"""The table for spreadsheets and as Markdown."""

import csv
import io
from dataclasses import replace

from tournament.figures.played import duels
from tournament.report.reports import random_report, report_of

from referee.terminal import tournament_table
from referee.tournament.model import Competitor
from referee.tournament.report.content import Report
from referee.tournament.report.tables import KEYS, OWN, table_csv, table_markdown


def called(name: str) -> Report:
    """A report in which the best bot has this name."""
    return report_of([Competitor(0, name, "x"), Competitor(1, "b", "y")], duels("A", "B", "0-1/arena/0"))


def test_the_figures_are_those_of_the_table_not_rounded() -> None:
    report = random_report()
    text = table_csv(report)
    assert text.count("\r\n") == text.count("\n") == 1 + len(report.rows)
    for row, cells in zip(report.rows, csv.DictReader(io.StringIO(text)), strict=True):
        assert cells.pop("faults") == str(sum(row["faults"].values()))
        for key, cell in cells.items():
            value = row[key]
            assert cell == ("" if value in (None, []) else str(value))
    assert any(row["rating"] < 0 for row in report.rows)
    assert "'-" not in text, "a negative number is a number"


def test_reports_have_the_columns_of_the_terminal_except_the_ids_of_students() -> None:
    assert ("id", *OWN) == tournament_table.OWN


def test_a_name_that_begins_like_a_formula_is_text() -> None:
    (row, _) = csv.DictReader(io.StringIO(table_csv(called("=1+1"))))
    assert row["name"] == "'=1+1"


def test_quotes_commas_and_line_feeds_do_not_break_a_row() -> None:
    text = table_csv(called('a "b", c\nd'))
    assert '"a ""b"", c\ufffdd"' in text
    assert [len(row) for row in csv.reader(io.StringIO(text))] == [len(KEYS)] * 3


def test_a_formats_own_columns_are_in_all_tables() -> None:
    report = called("a")
    rows = [{**row, "tour_points": 1.5, "byes": 0} for row in report.rows]
    report = replace(report, table={**report.table, "table": rows})
    assert table_csv(report).splitlines()[0].endswith("p99_ms,tour_points,byes")
    assert "| tour points | byes |" in table_markdown(report).splitlines()[0]
    assert "| 1.50 | 0 |" in table_markdown(report).splitlines()[2]
    whole = replace(report, table={**report.table, "table": [{**row, "tour_points": -10} for row in rows]})
    assert "| −10 | 0 |" in table_markdown(whole).splitlines()[2], "in develobear"


def test_a_name_is_no_markup_in_markdown() -> None:
    lines = table_markdown(called("a|b](x) <img> *c* `d` &amp;")).splitlines()
    figures = "| 100.0 | 0 | – | 2 | 0 | 0.0 | 2 | – | 50.1 | 102.9 |"
    assert lines[2] == rf"| 1 | a¦b\](x) \<img\> \*c\* \`d\` \&amp; {figures}"
    assert {line.count(" | ") for line in lines} == {11}
