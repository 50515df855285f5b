"""Matches from Python: processes beside functions, what is saved, and where the call comes from."""

import asyncio
import json
import os
import pickle
import runpy
import signal
import threading
import traceback
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.cli.exit_codes import run

pytestmark = pytest.mark.machine

SETUP = {
    "size": 4, "rounds": 2, "field": ["....", "...R", "....", "...."],
    "pythons": [{"cells": [[2, 1], [1, 1], [0, 1]], "blocks": "bb"}, {"cells": [[0, 3]]}],
}  # fmt: skip
"""Seat 0 has two blocks and the reactor on its right."""
BOARD = referee.Game("snakecore").board(SETUP)
MUTE = "import sys\nprint('at the door', file=sys.stderr)\n"


def waits(request: str) -> str:
    return "N"


def delivers(request: str) -> str:
    return "R"


def play(*players: Any, **more: Any) -> referee.Match:
    """A short match on the drawn position."""
    return referee.play(players or [delivers, waits], setup=SETUP, seed=1, isolation="none", **more)


def test_the_notebook_plays_walks_draws_and_rates(tmp_path, monkeypatch, capsys):
    script = Path(__file__).with_name("notebook.py")
    assert len([line for line in script.read_text().splitlines() if line and not line.startswith("#")]) <= 25
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script))
    out = capsys.readouterr().out
    assert " ".join(out.splitlines()[0].split()) == "rank name points delivered bit off moves time slowest"
    assert "step 134: Hunter delivers 9 for 45 points\nproven: True\nround 50 of 60\n" in out
    table = out.splitlines()[-3:]
    assert [line.split()[1:3] for line in table] == [["Oracle", "3"], ["Hunter", "3"], ["walker", "3"]]
    assert ElementTree.parse(tmp_path / "board.svg").getroot().tag.endswith("svg")


def test_a_function_plays_on_a_drawn_position() -> None:
    match = play(delivers, waits)
    assert [(line.seat, line.rank, line.score) for line in match.ranking] == [(0, 1, 3), (1, 2, 0)]
    assert (match.reason, match.rounds, match.seed, match.path) == ("rounds", 2, 1, None)
    assert match.bots == match.names == ["delivers", "waits"]
    assert match.board.scores == [3, 0]
    assert match.faults == {}


def test_a_process_and_a_function_play_together(tmp_path: Path) -> None:
    (tmp_path / "mute.py").write_text(MUTE)
    match = play(delivers, str(tmp_path / "mute.py"))
    assert match.faults[1].kind == "exit"
    assert match.last_words == [[], ["at the door"]]
    assert match.table[1]["disqualified"] == match.ranking[1].disqualified == "exit"
    assert str(match).endswith("2 mute: disqualified: exit")
    assert match.saved.step(2).answers[0].fault == match.faults[1]


def test_a_bot_is_built_before_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "kaa").mkdir()
    (tmp_path / "kaa" / "source").write_text("#!/bin/sh\nread request\necho Kaa\n")
    (tmp_path / "kaa" / "bot.toml").write_text(
        'name = "kaa"\nrun = ["./bot"]\nbuild = [["cp", "source", "bot"], ["chmod", "+x", "bot"]]\n'
    )
    match = play(delivers, str(tmp_path / "kaa"))
    assert match.names == ["delivers", "Kaa"]
    assert match.faults[1].kind == "exit"  # after its name


def test_the_traceback_of_a_bot_that_cannot_be_built_ends_with_the_words_of_the_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "kaa").mkdir()
    (tmp_path / "kaa" / "bot.toml").write_text(
        'name = "kaa"\nrun = ["./bot"]\nbuild = [["sh", "-c", "echo no semicolon; exit 1"]]\n'
    )
    with pytest.raises(referee.BotError, match="kaa cannot be built") as caught:
        play(delivers, str(tmp_path / "kaa"))
    assert traceback.format_exception(pickle.loads(pickle.dumps(caught.value)))[-1] == "no semicolon\n"


def test_an_object_sees_the_board_and_cannot_change_it() -> None:
    seen = []

    class Search:
        name = "Search"

        def decide(self, board: referee.Board, seat: int) -> str:
            board.push("R")
            seen.append((seat, board.scores))
            return "N"

    match = play(Search(), waits)
    assert seen == [(0, [3, 0]), (0, [3, 0])]
    assert match.board.scores == [0, 0]
    assert match.names == ["Search", "waits"]


@pytest.mark.parametrize(("answer", "error", "message"), [
    ("X", referee.InvalidReply, 'lambda: expected one of U L D R N A, got "X"'),
    ("U\nU", referee.InvalidReply, "lambda: expected 1 line, got 2"),
    (7, referee.UsageError, "lambda must answer with a text, not with int"),
])  # fmt: skip
def test_a_wrong_answer_of_a_function_is_an_error_of_the_caller(answer, error, message):
    with pytest.raises(error) as caught:
        play(lambda _request: answer, waits)
    assert str(caught.value) == message


def test_what_a_function_raises_reaches_the_caller_and_the_match_is_saved_up_to_there(tmp_path: Path) -> None:
    def fails(request: str) -> str:
        return "N" if "\n3 " in request else {}["a bug"]

    with pytest.raises(KeyError, match="a bug"):
        play(fails, waits, save=tmp_path / "a.jsonl")
    saved = referee.load(tmp_path / "a.jsonl")
    assert (saved.reason, len(saved), saved.verify()) == ("interrupted", 2, True)


def test_a_player_whose_name_is_too_long_for_a_saved_game_has_a_shorter_one() -> None:
    def searches(request: str) -> str:
        return "N"

    searches.__name__ = f"depth {'9' * 2000} best first"
    match = play(searches, searches)
    assert match.saved.verify()
    first, second = match.saved.bots
    assert first.startswith("depth 999")
    assert first.endswith("999 best first (2017 characters)")
    assert second == f"{first}#2"


def test_the_saved_game_says_who_had_no_process() -> None:
    header = play(waits, "oracle").saved._record.header
    assert header.isolation == {"level": "none", "pondering": True, "in_process": [0]}


def test_functions_play_without_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guard of processes would cost a match in a loop of thousands as much as its moves."""
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a process was started"))
    assert play(delivers, waits).reason == "rounds"


def test_only_a_match_that_is_saved_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    monkeypatch.setattr("os.fsync", synced.append)
    play(delivers, waits)
    assert not synced
    play(delivers, waits, save=tmp_path / "a.jsonl")
    play(delivers, waits, save=tmp_path / "a.jsonl.gz")
    assert len(synced) == 2


def test_no_limit_stops_a_function_and_the_time_beyond_it_is_saved() -> None:
    limit = 1e-9  # seconds; every function takes longer
    saved = play(waits, delivers, answer=limit).saved
    steps = list(saved)[2:]
    assert steps
    for step in steps:
        assert step.answers[0].fault is None
        assert step.answers[0].seconds <= limit
        assert saved._replay.steps[step.number - 1].answers[0].late > 0
    assert saved.verify()


def test_nothing_is_printed_or_left_behind(tmp_path, monkeypatch, capfd):
    for name in ("TMPDIR", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    play("oracle", "hunter")
    assert capfd.readouterr() == ("", "")
    assert os.listdir(tmp_path) == []


def test_a_table_is_text_in_a_notebook_too(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)  # where rich displays what is printed to a file
    match = play()
    assert str(match).splitlines()[1].split()[:4] == ["1", "1", "delivers", "3"]
    assert str(referee.rate([match])).splitlines()[1].split()[:3] == ["1", "delivers", "1"]
    assert match._repr_html_().startswith("<pre>rank ")
    assert capfd.readouterr() == ("", "")


def test_a_match_runs_while_an_asyncio_loop_runs_as_in_a_notebook() -> None:
    async def cell() -> str:
        heard = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, heard.set)
        try:
            match = play("oracle", waits)
            os.kill(os.getpid(), signal.SIGUSR1)  # the loop still hears its signals
            await asyncio.wait_for(heard.wait(), 30)
        finally:
            loop.remove_signal_handler(signal.SIGUSR1)
        return match.reason

    assert asyncio.run(cell()) == "rounds"


def test_a_match_runs_in_a_thread() -> None:
    reasons: list[str] = []
    thread = threading.Thread(target=lambda: reasons.append(play("oracle", waits).reason))
    thread.start()
    thread.join()
    assert reasons == ["rounds"]


def test_the_same_match_in_a_file_and_in_memory(tmp_path: Path) -> None:
    forms = [
        [(step.words, [answer.text for answer in step.answers]) for step in saved]
        for saved in (play(save=tmp_path / "a.jsonl").saved, play().saved, referee.load(tmp_path / "a.jsonl"))
    ]
    assert forms[0] == forms[1] == forms[2]


def test_a_saved_game_knows_its_file_as_the_match_does(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    match = play(save=path)
    assert match.path == match.saved.path == referee.load(str(path)).path == path
    assert play().saved.path is None


def test_a_match_can_be_pickled_as_processes_of_a_pool_do_to_return_it() -> None:
    match = play("oracle", waits)
    other = pickle.loads(pickle.dumps(match))
    assert str(other) == str(match)
    assert other.table == match.table
    assert other.board.position() == match.board.position()
    assert other.saved.verify()


def test_a_match_without_a_total(tmp_path: Path) -> None:
    referee.play([waits, waits], setup=SETUP, seed=1, total="none", save=tmp_path / "a.jsonl")
    header = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])
    assert header["limits"] == {"first": 15.0, "answer": 1.0, "total": None}


@pytest.mark.parametrize(
    ("players", "more", "message"),
    [
        ("oracle", {}, "players must be a list"),
        ({"Ann": waits, "Ben": waits}, {}, "players must be a list"),
        ((waits for _ in range(2)), {}, "players must be a list"),
        ([waits, 7], {}, "players[1] is neither a bot, a function nor an object with decide: 7"),
        ([referee.Policy, waits], {}, "players[0] is neither a bot, a function nor an object with decide: <class "),
        ([waits, waits], {"setup": BOARD, "game": "ava"}, "setup is a board of SnakeCore, not of AVA: leave out game"),
        ([waits, waits], {"setup": None, "rounds": 1.5}, "rounds must be a whole number, not 1.5"),
        ([waits, waits], {"setup": None, "rotate": "1"}, "rotate must be a whole number, not '1'"),
        ([waits, waits], {"isolation": "some"}, """isolation must be "full", "reduced" or "none", not 'some'"""),
        ([waits, waits], {"isolation": "full", "memory": 512}, "memory must be a number of bytes, from 16777216"),
        ([waits, waits], {"isolation": "full", "memory": 2.5}, "memory must be a whole number, not 2.5"),
        ([waits, waits], {"seed": "7"}, "seed must be a whole number, not '7'"),
        ([waits, waits], {"setup": "start.json"}, "setup must be a board or a position, a dictionary, not str"),
        ([lambda _request: str(play(waits, waits)), waits], {}, "play cannot run inside a trio loop, or in a policy"),
    ],
)
def test_mistakes_are_usage_errors_that_say_what_to_do(players: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(referee.UsageError) as caught:
        referee.play(players, **{"setup": SETUP, "seed": 1, "isolation": "none", **more})
    assert str(caught.value).startswith(message)


def test_the_table_of_a_tournament_is_that_of_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cup = tmp_path / "cup"
    cup.mkdir()
    (cup / "tournament.toml").write_text(
        'name = "Cup"\ngame = "viper"\nbots = ["newt", "krait"]\n'
        'format = {kind = "round-robin"}\nmatch = {rounds = 20}\nrun = {rng_seed = 1}\n'
    )
    assert run(["tournament", "run", str(cup), "-q"]) == 0
    capsys.readouterr()
    assert run(["tournament", "table", str(cup), "--json"]) == 0
    table = referee.rate(cup)
    assert table == json.loads(capsys.readouterr().out)["table"]
    assert sorted(row["name"] for row in table) == ["Krait", "Newt"]
