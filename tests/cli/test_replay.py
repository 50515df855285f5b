"""`referee replay` into a pipe, and the keys in its help."""

import re
import sys
from pathlib import Path

import pytest
from cli.conftest import Shell, Tty

from referee import games
from referee.cli import narrator
from referee.cli.replay import replay
from referee.cli.saved import explainers_of, open_saved
from referee.moments.evidence import reasons
from referee.moments.moment import moments
from referee.terminal.bindings import label
from referee.terminal.palette import Look
from referee.terminal.viewer import VIEWER_KEYS

pytestmark = pytest.mark.machine

RECORDS = Path(__file__).parents[1] / "records"
NAMES = [game.name for game in games.every()]


@pytest.mark.parametrize("game", NAMES)
def test_the_last_position_in_a_pipe_has_one_legend(referee: Shell, game: str) -> None:
    record = RECORDS / f"{game}.jsonl"
    ran = referee.ok("replay", record, err="")
    saved = open_saved(record)
    state = saved.state_at(len(saved.steps))
    outcome, frame = state.outcome(), state.draw()
    assert outcome is not None
    title, *lines = ran.out.splitlines()
    assert title == f"{frame.title}  step {len(saved.steps)}/{len(saved.steps)}, over: {outcome.reason}"
    legend = [f"  {mark.text}  {meaning}" for mark, meaning in frame.legend]
    assert lines[-len(legend) - 1 :] == ["", *legend]
    assert all(lines.count(line) == 1 for line in legend)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("wanted", [True, False])
def test_a_terminal_shows_how_far_the_check_of_a_long_game_is(wanted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream := Tty())
    monkeypatch.setattr(narrator, "SECONDS", 0.0)  # as if each step took a second
    steps: list[int] = []
    saved = open_saved(RECORDS / "egghunt.jsonl", None if wanted else lambda step, _last: steps.append(step))
    last = len(saved.steps)
    shown = stream.getvalue().split("\r\x1b[K")
    assert shown == (["", *(f"checking: step {step} of {last}" for step in range(1, last + 1)), ""] if wanted else [""])
    assert steps == ([] if wanted else list(range(1, last + 1)))
    saved.state_at(1)
    assert stream.getvalue().endswith("\r\x1b[K") is wanted, "only the check is shown"


def test_the_help_names_every_key() -> None:
    words = " ".join((replay.__doc__ or "").split())
    pairs = ("Up Down", "PgUp PgDn", "Home End", "+ -", "[ ]", "n N", "m M")
    spelled = {name: name.replace(" ", " and ") for name in pairs}
    spelled |= {"<- ->": "left and right", "Up Down": "up and down", "?": "? shows help", "q": "q quits"}
    for name in (label(row.name, Look(ascii_only=True)) for row in VIEWER_KEYS):
        assert spelled.get(name, name) in words, name


def test_color_always_colours_a_pipe(referee: Shell) -> None:
    referee.ok("play", "--game=viper", "newt", "krait", "--rounds=2", "--seed=1", "-q", "-o", "a.jsonl")
    plain, coloured = referee("replay", "a.jsonl").out, referee("replay", "a.jsonl", "--color=always").out
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured
    assert [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", coloured).splitlines()] == plain.splitlines()


def test_sample_programs_are_explained_and_named_ones_come_first(referee: Shell) -> None:
    seats = ["taipan", "Newt=newt", "me=taipan", "Taipan=krait"]
    words = [*seats, "--game=viper", "--rounds=9", "--seed=1", "-q", "-o", "a.jsonl"]
    referee.ok("play", *words)
    saved = open_saved(referee.folder / "a.jsonl")
    assert sorted(explainers_of(saved, [])) == [0, 1]  # the others' names are the user's alone
    own, other = explainers_of(saved, ["3=taipan"]), explainers_of(saved, ["1=krait"])
    reasons_of: dict[str, list[str]] = {"own": [], "other": []}
    for shown in moments(saved):
        answers = saved.steps[shown.at].answers if shown.requests else ()
        for request, answer in zip(shown.requests, answers, strict=True):
            if request.seat == 0:
                reasons_of["own"] += reasons(own, request, answer.text)
                reasons_of["other"] += reasons(other, request, answer.text)
    assert any("decides" in line for line in reasons_of["own"])
    assert not any("not the program of the match" in line for line in reasons_of["own"])
    assert any("not the program of the match" in line for line in reasons_of["other"])


@pytest.mark.parametrize(("game", "word", "code", "why"), [
    *(("viper", word, 2, f"--program {word}: give a seat from 1 to 4 and its program, such as 2=mine.viper")
      for word in ("taipan", "x=taipan", "0=taipan", "9=taipan")),
    ("viper", "1=boa", 2, "--program: boa is for ava, and viper.jsonl is a game of viper"),
    ("viper", "1=oracle", 4, "bot Oracle is not a program in a game's own language: name one, such as cobra or boa"),
    ("snakecore", "1=taipan", 2, "--program: snakecore has no language of its own"),
])  # fmt: skip
def test_a_wrong_program_is_refused(referee: Shell, game: str, word: str, code: int, why: str) -> None:
    assert referee.refused("replay", RECORDS / f"{game}.jsonl", "--program", word, code=code) == why
