"""The table of answers: CSV by RFC 4180 that spreadsheets and programs read, with nothing that a spreadsheet would run."""

import csv
import json
from pathlib import Path

import pytest
from export.conftest import RECORDS, games

from referee.export.answers import table
from referee.moments.scene import with_names
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.terminal.text import seat_rows
from referee.text.words import harmless

HEADER = "step,round,seat,name,ask,answer,fault,ms,cpu_ms,events,points"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines(keepends=True), strict=True))


def clean(value: object) -> object:
    """A JSON value without control characters other than line feeds."""
    match value:
        case str():
            return "\n".join(map(harmless, value.split("\n")))
        case dict():
            return {key: clean(inner) for key, inner in value.items()}
        case list():
            return [clean(inner) for inner in value]
    return value


def edited(path: Path, old: str, new: str, game: str = "snakecore") -> Replay:
    """A golden record with another text in it."""
    text = RECORDS[game].read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return Replay(load(path))


@pytest.mark.parametrize("name", RECORDS)
def test_each_answer_is_a_row_in_the_order_of_the_saved_game(name: str) -> None:
    saved = games(name)
    text = table(saved)
    assert text.startswith(f"{HEADER}\r\n")
    assert text.endswith("\r\n")
    assert "\r" not in text.replace("\r\n", "")
    entries = iter(rows(text))
    names = [row[1] for row in seat_rows(with_names(saved.state_at(len(saved.steps)).draw(), saved.entrants))]
    for entry in saved.record.steps:
        points = [row[2] for row in seat_rows(saved.state_at(entry.step).draw())]
        for answer in entry.answers:
            row = next(entries)
            assert (row["step"], row["round"], row["seat"]) == (str(entry.step), str(entry.round), str(answer.seat))
            assert (row["name"], row["ask"], row["points"]) == (names[answer.seat], entry.ask, points[answer.seat])
            assert row["answer"].removeprefix("'") == clean(answer.answer or "")
            assert row["fault"] == (answer.fault or "")
            assert float(row["ms"]) == answer.ms
            assert row["cpu_ms"] == "" if answer.cpu is None else float(row["cpu_ms"]) == answer.cpu
    assert next(entries, None) is None


@pytest.mark.parametrize("name", RECORDS)
def test_each_event_stands_once_in_the_row_of_its_seat(name: str) -> None:
    saved = games(name)
    by_step: dict[str, list[dict[str, str]]] = {}
    for row in rows(table(saved)):
        by_step.setdefault(row["step"], []).append(row)
    for entry in saved.record.steps:
        asked = by_step[str(entry.step)]
        seats = [int(row["seat"]) for row in asked]
        actual = [(row["seat"], event) for row in asked for event in json.loads(row["events"])]
        expected = [
            (str(event["seat"] if event.get("seat") in seats else seats[0]), clean(event)) for event in entry.events
        ]
        assert sorted(actual, key=repr) == sorted(expected, key=repr)


def test_a_name_that_a_spreadsheet_would_run_gets_an_apostrophe(tmp_path: Path) -> None:
    entries = rows(table(edited(tmp_path / "a.jsonl", "Greedy", "=1+1")))
    assert {row["name"] for row in entries if row["seat"] == "0"} == {"'=1+1"}
    assert entries[0]["answer"] == "'=1+1"
    assert json.loads(entries[0]["events"])[0]["name"] == "=1+1"


def test_quotes_commas_and_tags_stay_and_control_characters_do_not(tmp_path: Path) -> None:
    entries = rows(table(edited(tmp_path / "a.jsonl", "Greedy", '\\",<b>\\u202e')))
    assert (entries[0]["answer"], entries[0]["name"]) == ('",<b>\ufffd', '",<b>\ufffd')
    assert json.loads(entries[0]["events"])[0]["name"] == '",<b>\ufffd'


def test_line_feeds_of_an_answer_stay_and_its_start_cannot_hide_a_formula(tmp_path: Path) -> None:
    saved = edited(tmp_path / "a.jsonl", '" 7\\t\\n C', json.dumps("\t7\t\n C")[:-1], game="egghunt")
    answers = {row["answer"] for row in rows(table(saved)) if row["seat"] == "2"}
    assert "'\ufffd7\ufffd\n C\ufffd\n6 1" in answers
