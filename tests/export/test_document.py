"""The document of a page: its differences, applied, give every frame, request and event of the match."""

import json
from pathlib import Path
from typing import Any

import pytest
from export.conftest import RECORDS, games

from referee.errors import SavedGameError
from referee.export.document import MOST, document, joined_sides
from referee.moments.formatting import places
from referee.moments.moment import moments
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.terminal.text import board_lines, headings, seat_rows
from referee.text.words import harmless


def applied(match: dict[str, Any]) -> list[dict[int, int]]:
    """The slots of each moment."""
    slots: dict[int, int] = {}
    states = []
    for changes in match["frames"]:
        slots |= zip(changes[::2], changes[1::2], strict=True)
        states.append(dict(slots))
    return states


def requests(match: dict[str, Any]) -> list[list[str]]:
    """The requests of each step."""
    lines: dict[int, list[str]] = {}
    result = []
    for step in match["moves"]:
        for number, (_seat, _ms, _said, (count, *changes), *_) in enumerate(step):
            own = [*lines.get(number, [])[:count], *[""] * count][:count]
            for index, text in zip(changes[::2], changes[1::2], strict=True):
                own[index] = text
            lines[number] = own
        result.append(["\n".join(lines[number]) for number in range(len(step))])
    return result


@pytest.mark.parametrize("name", RECORDS)
def test_the_differences_give_every_frame(name: str) -> None:
    saved = games(name)
    match = document(saved)
    columns, seats = len(match["columns"]), match["seats"]
    first = 4 + seats * (columns + 1)
    for shown, slots in zip(moments(saved), applied(match), strict=True):
        width, height = slots[0], slots[1]
        cells = [match["marks"][slots[first + 2 * cell]] for cell in range(width * height)]
        rows = ["".join(mark[0] for mark in cells[y * width : (y + 1) * width]).rstrip() for y in range(height)]
        assert rows == board_lines(shown.frame)
        texts = [match["texts"][slots[slot]] for slot in range(2, first)]
        assert texts[:2] == [shown.frame.title, shown.over or ""]
        for seat, row in enumerate(seat_rows(shown.frame)):
            own = texts[2 + seat * (columns + 1) :][: columns + 1]
            assert own == [*row, places(shown.ranks)[seat]]
        sides = {cell: slots[first + 2 * cell + 1] for cell in range(width * height) if slots[first + 2 * cell + 1]}
        assert sides == joined_sides(shown.frame.bodies, width)
        assert match["columns"] == [*headings(shown.frame)[:-1], "note"]


def test_a_request_has_the_lines_that_have_changed() -> None:
    one, other = document(games("egghunt"))["moves"][:2]
    first, second = one[0][3], other[0][3]
    assert len(first) == 1 + 2 * first[0], "all its lines"
    assert len(second) < len(first)


@pytest.mark.parametrize("name", RECORDS)
def test_the_differences_give_every_request_answer_and_event(name: str) -> None:
    saved = games(name)
    match = document(saved)
    texts = requests(match)
    events = []
    for at, shown in enumerate(moments(saved)):
        events += [(at, event.kind, event.text) for event in shown.events]
        if at == len(saved.steps):
            break
        state = saved.state_at(at)
        for number, request in enumerate(state.requests()):
            encode = saved.game.encode
            if saved.entrants[request.seat].lifetime == "turn":
                assert saved.game.encode_turn is not None
                encode = saved.game.encode_turn
            assert texts[at][number] == "\n".join(
                harmless(line) for line in encode(request).decode().removesuffix("\n").split("\n")
            )
            seat, ms, reply, *_ = match["moves"][at][number]
            answer = saved.steps[at].answers[number]
            assert (seat, ms) == (answer.seat, pytest.approx(answer.elapsed * 1000))
            assert isinstance(reply, list) == (answer.text is None)
    sentences = ["".join(part if isinstance(part, str) else part[1] for part in parts) for parts in match["told"]]
    assert [(step, match["kinds"][kind], sentences[text]) for step, kind, text in match["events"]] == events


def test_text_of_bots_is_harmless_and_capped() -> None:
    saved = games("snakecore")
    match = document(saved, logs=lambda step, seat: f"a\x1b[31m\tb\n\u202e{step}" + "x" * MOST, explanation="c\rd\ne")
    log = match["logs"][4][0]
    assert log.startswith("a\ufffd[31m\ufffdb\n\ufffd5xxx")
    assert "\n… (11 characters left out) …\n" in log
    assert match["explanation"] == "c\ufffdd\ne"


def test_reasons_of_programs_stand_once() -> None:
    saved = games("viper")
    match = document(saved, reasons=lambda request, answer: ["\x1b", str(answer)])
    assert len(set(match["whys"])) == len(match["whys"])
    reasons = [match["whys"][number] for step in match["decided"] for number in step]
    assert reasons == [f"\ufffd\n{answer.text}" for step in saved.steps for answer in step.answers]
    assert document(saved)["decided"] is None


def test_a_step_with_an_answer_of_nobody_is_refused(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in RECORDS["viper"].read_text().splitlines()]
    lines[40]["answers"] *= 2
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(SavedGameError, match="an answer out of turn"):
        document(Replay(load(tmp_path / "a.jsonl")), reasons=lambda request, answer: [])


def test_details_of_faults_are_harmless(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(RECORDS["ava"].read_text().replace("no answer within 1 s", "no\\u202eanswer\\u001b\\u00020\\u0003"))
    match = document(Replay(load(path)))
    [fault] = [move[2] for step in match["moves"] for move in step if isinstance(move[2], list)]
    assert fault == ["timeout", "no\ufffdanswer\ufffd\ufffd0\ufffd"]
    (sentence,) = [parts for parts in match["told"] if " is disqualified: timeout, no\ufffdanswer\ufffd" in parts]
    assert sentence[-1] == (0, "Biter"), "a detail can name a seat, and no more"
    path.write_text(RECORDS["ava"].read_text().replace("no answer within 1 s", f"\\u0002{'9' * 5000}\\u0003"))
    assert f" is disqualified: timeout, \ufffd{'9' * 5000}\ufffd" in str(document(Replay(load(path)))["told"])


def test_names_stand_apart_from_what_is_said_of_them(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(RECORDS["snakecore"].read_text().replace('"Greedy"', '"שלום"'))
    match = document(Replay(load(path)))
    assert ((0, "שלום"), " bites itself and loses 1 block") in match["told"]


def test_bodies_are_joined_from_cell_to_cell() -> None:
    # 0 1 2      up 1, right 2, down 4, left 8
    # 3 4 5
    assert joined_sides([[(0, 0), (1, 0), (1, 1)], [(2, 1)]], 3) == {0: 2, 1: 8 | 4, 4: 1}
    assert joined_sides([[(0, 0), (2, 0)]], 3) == {}, "cells that are not neighbours"
