"""`referee ask`: a bot gets the requests that a seat of a saved game got."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from referee.cli.ask_output import Answers
from referee.cli.narrator import Replaying
from referee.contract.game import Answer
from referee.match.rerun import AnswerPair
from referee.saved.record import load
from referee.saved.replay import Replay

pytestmark = pytest.mark.machine

RECORDS = Path(__file__).parents[1] / "records"
ROUNDS = 10
PATHS = ("RRDDLLUUN", "LLUURRDDA")
"""The paths that Wanda and Otto repeat."""


@pytest.fixture
def played(referee, walker, store):
    """Two bots; their match is in a.jsonl and its transcript in t."""
    bots = [walker(name, path) for name, path in zip(("Wanda", "Otto"), PATHS, strict=True)]
    match = store / "asked"
    if not match.exists():
        words = ["--map", "duel", "--rounds", ROUNDS, "-s", "5", "-o", match / "a.jsonl", "--transcript", match / "t"]
        match.mkdir()
        referee.ok("play", *bots, *words)
    shutil.copytree(match, referee.folder, dirs_exist_ok=True)
    return bots


def rows(out: str) -> list[list[str]]:
    """The lines of the list without its head: step, round, recorded, now and, if shown, "differs"."""
    head, *lines = out.splitlines()
    assert head.split() == ["step", "round", "recorded", "now", "time"]
    split = [line.split() for line in lines[: lines.index(next(line for line in lines if line.startswith("asked ")))]]
    assert all(re.fullmatch(r"[\d.]+m?s", words.pop(4)) for words in split)
    return split


def test_the_bot_that_played_gives_the_same_answers(referee, played):
    for bot, name, seat in zip(played, ("wanda", "otto"), (1, 2), strict=True):
        ran = referee("ask", bot, "a.jsonl")
        assert (ran.code, ran.err) == (0, f"asking {name} as seat {seat}, which {name} played\n")
        assert re.fullmatch(r"asked 11 of 11, 0 differ, slowest [\d.]+m?s in step \d+\n", ran.out)


def test_the_differing_answers_of_another_bot_are_listed(referee, played, walker):
    other = walker("Olga", "RRDDLLUUD")  # like Wanda except in the ninth turn
    ran = referee.ok("ask", other, "a.jsonl")
    assert ran.err == "asking olga as seat 1, which wanda played\n"
    assert rows(ran.out) == [["19", "9", "N", "D"]]
    assert "\nasked 11 of 11, 1 differ, slowest " in ran.out
    everything = rows(referee("ask", other, "a.jsonl", "--all").out)
    assert [words[0] for words in everything] == ["1", *(str(step) for step in range(3, 3 + 2 * ROUNDS, 2))]
    assert everything[0] == ["1", "0", "Wanda", "Olga"]
    assert [words for words in everything if words[4:]] == [["19", "9", "N", "D", "differs"]]


def test_seat_option_chooses_the_seat(referee, played):
    ran = referee("ask", played[0], "a.jsonl", "--seat", "2")
    assert (ran.code, ran.err) == (0, "asking wanda as seat 2, which otto played\n")
    turns = zip(PATHS[1] + PATHS[1][0], PATHS[0] + PATHS[0][0], strict=True)
    assert [words[2:4] for words in rows(ran.out)] == [[then, now] for then, now in turns if then != now]


def test_step_option_shows_the_request_and_both_answers(referee, played, walker):
    sent = (referee.folder / "t" / "seat1.in").read_text()
    third = "getAction\n" + sent.split("getAction\n")[3]
    ran = referee.ok("ask", walker("Olga", "LLD"), "a.jsonl", "--step", "8")
    head, request, answers = ran.out.split("\n\n")
    assert head == f"step 8, round 3: getAction, {len(third)} bytes"
    assert request + "\n" == third
    assert re.fullmatch(r"recorded: U  [\d.]+m?s\nnow:      D  [\d.]+m?s  differs\n", answers)
    assert ran.err.startswith("asking olga as seat 2, which otto played\n")
    report = referee.json("ask", played[1], "a.jsonl", "--step", "8")
    assert [(entry["request"], entry["differs"]) for entry in report["answers"]] == [(third, False)]


def test_step_option_shows_the_stderr_of_the_bot(referee, played, walker):
    bot = walker("Lola", "N")
    bot.write_text(bot.read_text().replace("turn += 1", "turn += 1; print('turn', turn, '\\x1b[31m', file=sys.stderr)"))
    ran = referee("ask", bot, "a.jsonl", "--step", "7", "-q")
    assert "its last lines on stderr:\n  turn 1 \\x1b[31m\n  turn 2 \\x1b[31m\n" in ran.out
    assert ran.err == ""
    assert "stderr" not in referee("ask", bot, "a.jsonl").out


@pytest.mark.parametrize(("step", "bot", "seat"), [(3, "wanda", 0), (16, "otto", 1)])
def test_the_printed_commands_continue_the_match_from_a_step(step, bot, seat, referee, played):
    rival = "collector"
    referee.ok("play", *([bot + ".py", rival][:: 1 - 2 * seat]), "--map", "duel", "--rounds", "9", "-o", "b.jsonl")
    ran = referee.ok("ask", f"{bot}.py", "b.jsonl", "--step", str(step))
    cut, play = ran.err[ran.err.index("play on from there:\n") :].splitlines()[1:]
    assert shlex.split(play)[2 + seat : 3 + seat] == [f"{bot}.py"]
    assert rival in shlex.split(play)
    referee.bash(f"{cut} && {play} -o c.jsonl", code=0)
    saved = [load(referee.folder / name) for name in ("b.jsonl", "c.jsonl")]
    assert saved[1].header.setup == Replay(saved[0]).state_at(step - 1).position()
    (request,) = Replay(saved[1]).state_at(2).requests()
    assert request.seat == seat
    assert [player.bot for player in saved[1].header.players] == [player.bot for player in saved[0].header.players]


def test_a_sample_bot_replaces_a_bot_that_cannot_be_found(referee, played):
    ran = referee("ask", played[0], "a.jsonl", "--step", "3", "--isolation", "none", "--no-timeouts")
    first, *_, cut, play, note = ran.err.splitlines()
    assert first == "asking wanda as seat 1, which wanda played (isolation: none)"
    assert cut == "referee state a.jsonl --step 2 > moment.json"
    words = shlex.split(play)
    assert words[:3] == ["referee", "play", str(played[0])]
    assert words[4:] == ["--setup", "moment.json", "--seed=5", "--no-timeouts", "--isolation=none"]
    assert note == f"({words[3]} replaces otto in seat 2: the saved game does not say where that bot is)"


def test_a_match_against_itself_continues_against_itself(referee, played):
    text = (referee.folder / "a.jsonl").read_text()
    (referee.folder / "a.jsonl").write_text(text.replace('"bot":"otto"', '"bot":"wanda#2"', 1))
    report = referee.json("ask", "wanda.py", "a.jsonl", "--step", "3")
    assert report["requests"] == report["asked"] == 2
    assert report["play_on"] == [
        "referee state a.jsonl --step 2 > moment.json",
        "referee play wanda.py wanda.py --setup moment.json --seed=5",
    ]  # fmt: skip


def test_a_fault_is_reported_as_in_play_and_ends_the_run(referee, played, walker):
    broken = walker("Bea", "RRD")
    broken.write_text(broken.read_text().replace("turn += 1", "turn += 1; turn > 2 and 1/0"))
    ran = referee("ask", broken, "a.jsonl", code=1)
    assert rows(ran.out) == [["9", "4", "D", "exit"]]
    assert "\nasked 5 of 11, 1 differ, slowest " in ran.out
    verdict = ran.out[ran.out.index("seat 1, Bea: ") :]
    assert verdict.startswith("seat 1, Bea: exit: exited with status 1\nits last lines on stderr:\n")
    assert "ZeroDivisionError" in verdict
    later = referee("ask", broken, "a.jsonl", "--step", "11", code=1)
    assert later.out.startswith("step 11 was not reached: the bot failed in step 9\n\nseat 1, Bea: exit:")
    there = referee("ask", broken, "a.jsonl", "--step", "9", code=1)
    assert re.search(r"^now:      exit  ", there.out, re.MULTILINE)
    ran = referee("ask", broken, "a.jsonl", "--json")
    assert (ran.code, ran.err) == (1, "")
    report = json.loads(ran.out)
    assert report["fault"] == {"kind": "exit", "detail": "exited with status 1"}
    assert (report["requests"], report["asked"], report["answers"][-1]["now"]["fault"]) == (11, 5, "exit")


def test_the_clocks_are_those_of_the_saved_game(referee, walker):
    words = ["--map", "duel", "--rounds", "2", "--answer", "0.25s", "-o", "a.jsonl"]
    referee.ok("play", walker("Wanda", "N"), walker("Otto", "N"), *words)
    mute = referee.folder / "mute.py"
    mute.write_text("import sys\nprint(input() and 'Mute', flush=True)\nwhile True:\n    sys.stdin.readline()\n")
    assert "seat 1, Mute: timeout: no answer within 0.25 s" in referee("ask", mute, "a.jsonl", code=1).out


def test_json_is_one_object_and_nothing_else(referee, played, walker):
    report = referee.json("ask", walker("Olga", "RRDDLLUUD"), "a.jsonl", err="")
    (answer,) = report.pop("answers")
    for both in (answer["recorded"], answer["now"], report["slowest"]):
        assert both.pop("seconds") >= 0
    assert answer == {
        "step": 19, "round": 9, "ask": "getAction", "recorded": {"answer": "N"}, "now": {"answer": "D"}, "differs": True,
    }  # fmt: skip
    assert report.pop("slowest").keys() == {"step"}
    assert report == {
        "game": "snakecore", "saved": "a.jsonl", "seat": 0, "bot": "olga", "played_by": "wanda", "isolation": "full",
        "requests": 11, "asked": 11, "differ": 1, "fault": None,
    }  # fmt: skip
    assert len(referee.json("ask", played[0], "a.jsonl", "--all")["answers"]) == 11
    step = referee.json("ask", played[0], "a.jsonl", "--step", "3")
    assert [command.split()[1] for command in step["play_on"]] == ["state", "play"]


def test_the_line_of_progress_is_removed_at_the_end(referee, played, monkeypatch):
    closed = []
    monkeypatch.setattr(Replaying, "close", lambda line: closed.append(line.doing))
    referee.json("ask", played[0], "a.jsonl")
    assert closed.count("asking") == 1


@pytest.mark.parametrize(("words", "code", "says"), [
    (["wanda.py", "a.jsonl", "--seat", "0"], 2, "there is no seat 0: a.jsonl has seats 1 to 2"),
    (["collector", "a.jsonl", "--step", "0"], 2, "there is no step 0: a.jsonl has steps 1 to 22"),
    (["wanda.py", "a.jsonl", "--step", "8"], 2,
     "step 8 asked seat 2, not seat 1, which was asked in step 7"),
    (["wanda.py", "a.jsonl", "--step", "3", "--all"], 2, "--step shows one answer and --all shows all"),
    (["wanda.py", "a.jsonl", "--isolation", "none", "--memory", "1G"], 2, "memory needs a sandbox"),
    (["absent.py", "a.jsonl"], 4, "there is no bot 'absent.py'"),
])  # fmt: skip
def test_wrong_arguments_give_an_error_of_one_line(words, code, says, referee, played):
    assert says in referee.refused("ask", *words, code=code)


def answers_to(replay: Replay, *entries: tuple[int, str, float], every: bool = False) -> Answers:
    """Print and return the answers to some steps, given as (step, answer, seconds)."""
    steps = [step for step, _, _ in entries]
    answers = Answers(replay, steps, Replaying(quiet=True), step=None, every=every, show=True)
    for number, text, elapsed in entries:
        step = replay.steps[number - 1]
        (request,) = replay.state_at(number - 1).requests()
        answers.tell(AnswerPair(step, request, step.answers[0], Answer(request.seat, text, text, elapsed), False))
    answers.print_sum()
    return answers


def test_the_slowest_answer_is_a_move_if_there_is_one(referee, played, capsys):
    replay = Replay(load(referee.folder / "a.jsonl"))
    answers_to(replay, (1, "Wanda", 5.0), (3, "R", 0.1), (5, "R", 0.3), (7, "D", 0.2))
    assert capsys.readouterr().out == "asked 4 of 4, 0 differ, slowest 300ms in step 5\n"
    report = answers_to(replay, (1, "Wanda", 5.0)).report()
    assert capsys.readouterr().out == "asked 1 of 1, 0 differ, slowest 5.00s in step 1\n"
    assert report["slowest"] == {"step": 1, "seconds": 5.0}


def test_answers_are_escaped_and_stay_in_their_column(referee, played, capsys):
    replay = Replay(load(referee.folder / "a.jsonl"))
    answers_to(replay, (1, "\x9b31m\x7f\u202e", 0.1), (2, "x" * 1000, 0.1), (3, "", 0.1), every=True)
    _head, evil, long, empty, _sum = capsys.readouterr().out.splitlines()
    assert evil.isprintable()
    assert long.split()[-1] == evil.split()[-1] == empty.split()[-1] == "100ms"
    assert len(long) == len(evil) == len(empty)
    assert empty.split()[3] == '""'


def test_a_request_for_a_name_is_the_same_for_a_bot_of_one_turn(capsys):
    replay = Replay(load(RECORDS / "egghunt.jsonl"))
    (request,), step = replay.state_at(0).requests(), replay.steps[0]
    answers = Answers(replay, [1], Replaying(quiet=True), lifetime="turn", step=1, every=False, show=True)
    answers.tell(AnswerPair(step, request, step.answers[0], Answer(0, "Naive", "Naive", 0.0), False))
    assert capsys.readouterr().out.startswith("step 1, round 0: getName, 8 bytes\n\ngetName\n\nrecorded:")
