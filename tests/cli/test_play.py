"""`referee play`: its output, the saved game and the exit codes."""

import base64
import errno
import gzip
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Shell

from referee import games
from referee.cli.again import option_words
from referee.cli.parser import app
from referee.cli.play_options import LimitOptions
from referee.saved.record import load
from referee.saved.transcripts.reading import Transcript

pytestmark = pytest.mark.machine

ESCAPE = "\x1b"
STUBBORN = """\
import signal, subprocess, sys, time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
for line in sys.stdin:
    if line == "getName\\n":
        print(f"{child.pid}", flush=True)
    elif line == "getAction\\n":
        print("thinking", file=sys.stderr, flush=True)
        time.sleep(600)
"""

PATIENT = """\
import os, sys

waiting = os.path.join(os.path.dirname(__file__), "go on")
for line in sys.stdin:
    if line == "getName\\n":
        print("waiting", file=sys.stderr, flush=True)
        while not os.path.exists(waiting):
            pass
        print("Patient", flush=True)
    elif line == "getAction\\n":
        print("N", flush=True)
"""


def without_times(lines: list[Any]) -> list[Any]:
    """The lines of a saved game without times and dates."""
    lines[0].pop("created")
    for line in lines[1:-1]:
        for answer in line["answers"]:
            for measured in ("ms", "cpu", "late"):
                answer.pop(measured, None)
    return lines


def test_play_prints_a_table_and_the_command_that_repeats_the_match(referee, pair):
    ran = referee.ok("play", *pair, "--map", "duel", "--seed", "7", "--rounds", "12", "-o", "a.jsonl")
    head, wanda, otto = ran.out.splitlines()
    assert re.split(r" {2,}", head) == ["rank", "name", "points", "delivered", "bit off", "moves", "time", "slowest"]
    assert {"Wanda", "Otto"} <= set(re.findall(r"[A-Z]\w+", wanda + otto))
    assert "12" in wanda
    again = next(line for line in ran.err.splitlines() if line.startswith("again:"))
    words = shlex.split(again.removeprefix("again:"))
    referee.ok(*words[1:], "-o", "b.jsonl")
    assert without_times(referee.saved("a.jsonl")) == without_times(referee.saved("b.jsonl"))


def test_play_says_in_words_who_won_and_not_with_quiet(referee, pair):
    words = ("play", *pair, "--map", "duel", "--seed", "7", "--rounds", "12")
    ran = referee(*words, "-o", "a.jsonl")
    best, second = referee.saved("a.jsonl")[-1]["ranking"]
    won = f"{best['name']} wins with {best['score']} points; {second['name']} is next with {second['score']} points."
    shared = f"and {second['name']} share the first place with {best['score']} points."
    assert any(line == won or line.endswith(shared) for line in ran.err.splitlines())
    assert referee(*words, "-q", "-o", "b.jsonl").err == ""


@pytest.mark.parametrize("words", [
    "", "--first=12345.678s --answer=12345.5s --total=86399.999s", "--total=none", "--no-timeouts", "--clock=cpu",
    "--pondering", "--no-pondering", "--isolation=none", "--memory=64M", "--forfeit",
])  # fmt: skip
def test_the_command_that_repeats_a_match_has_its_options(words):
    _, bound, *_ = app.parse_args(["play", *words.split()], exit_on_error=False, print_error=False)
    limits = bound.arguments.get("limits", LimitOptions())
    assert option_words(games.find(), limits.options) == words.split()


def test_a_total_of_none_is_saved_as_null(referee, pair):
    words = ["play", *pair, "--map", "duel", "--rounds", "1", "--total", "none", "-o", "a.jsonl"]
    assert " --total=none\n" in referee(*words).err
    assert referee.saved("a.jsonl")[0]["limits"] == {"first": 15.0, "answer": 1.0, "total": None}
    referee.ok("verify", "a.jsonl")
    assert "never near a limit" in referee("explain", "a.jsonl").out


def test_the_output_names_the_clock(referee, pair):
    table = referee("play", *pair, "--map", "duel", "--rounds", "1", "--clock=cpu").out
    assert table.splitlines()[0].split()[-2:] == ["cpu", "slowest"]
    report = referee.json("play", *pair, "--map", "duel", "--rounds", "1", "--clock=cpu")
    assert report["clock"] == "cpu"


def test_json_is_one_object_and_nothing_else(referee, pair):
    report = referee.json("play", *pair, "--map", "duel", "--seed", "7", "--rounds", "5", err="")
    assert report["reason"] == "rounds"
    assert report["rounds"] == 5
    assert report["seed"] == 7
    assert {player["name"] for player in report["players"]} == {"Wanda", "Otto"}
    assert all(player["moves"] == 5 for player in report["players"])
    assert {"rank", "score", "delivered", "bit off", "time", "disqualified", "bot"} <= report["players"][0].keys()
    saved = Path(report["saved"])
    assert saved.is_relative_to(referee.folder / "data")
    assert json.loads(gzip.decompress(saved.read_bytes()).splitlines()[-1])["digest"] == report["digest"]


@pytest.mark.parametrize("game", games.names())
def test_every_game_plays_without_other_arguments_and_with_verbose(referee, game):
    """Empty seats have a name in reports too."""
    ran = referee("play", "--game", game, "--rounds", "4", "--seed", "1", "-v", "--first=60s", "--answer=60s")
    assert (ran.code, "saved:" in ran.err) == (0, True)


def test_verbose_prints_events_and_twice_verbose_every_byte(referee, walker):
    bots = [walker("Wanda", "UUUU"), walker("Otto", "A")]
    once = referee("play", *bots, "--map", "duel", "--rounds", "9", "-v", "--seed", "1").err
    assert "Otto skips: no energy block" in once
    assert "getAction" not in once
    twice = referee("play", *bots, "--map", "duel", "--rounds", "9", "-vv", "--seed", "1").err
    assert 'seat 1 < "getAction"' in twice
    assert 'seat 2 > "A\\n"' in twice
    assert "…" not in twice


def test_the_transcript_holds_the_exact_bytes_and_knows_their_steps(referee, walker):
    # The log is written just before the answer: even so it belongs to the step of that answer.
    loud = referee.folder / "loud.py"
    statement = 'print("hm", turn, file=sys.stderr, flush=True)'
    loud.write_text(walker("Lola", "N").read_text().replace('    print("N"[', f'    {statement}\n    print("N"['))
    words = ["--map", "duel", "--rounds", "40", "--transcript", "t", "--seed", "3", "-o", "a.jsonl"]
    referee.ok("play", loud, walker("Otto", "N"), *words)
    folder = referee.folder / "t"
    assert sorted(path.name for path in folder.iterdir()) == [
        "index.jsonl",
        *(f"seat{seat}.{stream}" for seat in (0, 1) for stream in ("err", "in", "out")),
    ]
    assert (folder / "seat0.out").read_bytes() == b"Lola\n" + b"N\n" * 40
    sent = (folder / "seat1.in").read_text().splitlines(keepends=True)
    assert sent[:3] == ["getName\n", "getAction\n", "11\n"]
    assert len(sent) == 1 + 40 * (2 + 11 + 2)
    record = load(referee.folder / "a.jsonl")
    transcript = Transcript(folder, record.header)
    moves = [step.step for step in record.steps if step.answers[0].seat == 0 and step.ask == "getAction"]
    assert [transcript.log(step, 0) for step in moves] == [f"hm {turn}\n" for turn in range(40)]
    referee.ok("export", "a.jsonl", "-o", "a.html", "--transcript", "t")
    data = re.search(r'id="data"[^>]*>([^<]+)', (referee.folder / "a.html").read_text())[1]
    logs = json.loads(gzip.decompress(base64.b64decode(data)))["logs"]
    assert [logs[step - 1] for step in moves] == [[f"hm {turn}\n"] for turn in range(40)]


def test_a_disqualification_is_not_an_error_and_shows_the_stderr(referee, walker):
    broken = referee.folder / "broken.py"
    broken.write_text(walker("Bea", "N").read_text().replace("turn += 1", "1/0"))
    ran = referee.ok("play", broken, walker("Otto", "N"), "--map", "duel", "--rounds", "3")
    assert "disqualified:" in ran.out
    assert "Bea: exit at getAction in round 2: exited with status 1" in ran.out
    assert "ZeroDivisionError" in ran.out


def test_rotate_swaps_the_start_cells(referee, pair):
    starts = []
    for rotate in ("0", "1"):
        name = f"r{rotate}.jsonl"
        referee.ok("play", *pair, "--map", "duel", "--rounds", "1", "--rotate", rotate, "-s", "1", "-o", name)
        starts.append([python["cells"] for python in referee.saved(name)[0]["setup"]["pythons"]])
    assert starts[0] == starts[1][::-1]


def test_nothing_is_overwritten_silently(referee, pair):
    words = ["play", *pair, "--map", "duel", "--rounds", "2", "-o", "a.jsonl", "--transcript", "t"]
    for seed in ("1", "2", "3"):
        ran = referee.ok(*words, "--seed", seed)
    assert "a.jsonl existed already: it was renamed to a.2.jsonl" in ran.err
    assert [referee.saved(name)[0]["rng_seed"] for name in ("a.1.jsonl", "a.2.jsonl", "a.jsonl")] == [1, 2, 3]
    assert len(list((referee.folder / "t").glob("seat0.*in"))) == 3


WRONG = [
    (["--frobnicate"], 2, "--frobnicate"),
    (["nobody"], 4, "there is no bot 'nobody'"),
    (["cmd:no-such-program -x"], 4, "install it"),
    (["cmd:"], 4, "does not name a program"),
    (["cmd:'"], 4, "quotes"),
    (["binary"], 4, "is neither a program for Linux nor a script"),
    (["random", "--game", "chess"], 2, "no game is called 'chess'"),
    (["random", "--map", ""], 2, "no map is called ''"),
    (["random", "--answer", "0"], 2, "above zero"),
    (["random", "--setup", "text.txt"], 2, "not JSON"),
    (["random", "--setup", "list.json"], 2, "is not a position"),
    (["random", "-o", "folder.jsonl"], 2, "is a folder"),
    (["random", "--answer", "9" * 400], 2, "at most a day"),
    (["random", "--speed", "nan"], 2, "steps per second"),
    (["random", "--game", "g" * 10**5], 2, "no game is called"),
    (["random", "--watch"], 2, "needs a terminal"),
    (["random", "--speed", "-1"], 2, "steps per second"),
    (["random"] * 9, 2, "1 to 8 players, not 9"),
    (["random"] * 5 + ["--map", "duel"], 2,
     "at most 2 bots, not 5: choose a larger map; maps for 5 bots: compass, citadel"),
    (["rabbit"] * 5 + ["--game", "egghunt", "--map", "nest"], 2, "maps for 5 bots: easter, single"),
    (["random"] * 2 + ["--map", "duel", "--rounds", "150000"], 2, "with 2 pythons, use at most 100000\n"),
]  # fmt: skip


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Shell]:
    """A folder with files that are no bots, maps or setups. No match starts."""
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "text.txt").write_text("hello")
    (folder / "list.json").write_text("[]")
    (folder / "folder.jsonl").mkdir()
    (folder / "binary").mkdir()
    (folder / "binary" / "bot.toml").write_text('name = "Binary"\nrun = ["./binary"]\n')
    (folder / "binary" / "binary").write_bytes(b"\x00\x01\x02")
    (folder / "binary" / "binary").chmod(0o755)
    yield Shell(folder, cache)
    assert not list(folder.glob("*.part"))


@pytest.mark.parametrize(("words", "code", "part"), WRONG, ids=[part for _, _, part in WRONG])
def test_mistakes_of_users_give_an_error_of_one_line(wrong, words, code, part):
    ran = wrong("play", *words)
    assert (ran.code, ran.out) == (code, "")
    assert part in ran.err
    assert ran.err.startswith("referee: ")
    assert len(ran.err.splitlines()) == 1
    assert len(ran.err) < 1000
    assert ran.err[:-1].isprintable()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_an_interrupted_match_is_closed_and_leaves_no_process(referee, walker, number, code):
    stubborn = referee.folder / "stubborn.py"
    stubborn.write_text(STUBBORN)
    process = subprocess.Popen(
        referee.argv("play", stubborn, walker("Otto", "N"), "--map", "duel", "-o", "a.jsonl", "-v", "--no-timeouts",
                     "--transcript", "t", "--isolation", "none"),
        cwd=referee.folder, env=referee.environ(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # nohup makes the tests ignore it
    )  # fmt: skip
    log = referee.folder / "t" / "seat0.err"
    while not (log.exists() and log.read_text()):  # until it thinks
        assert process.poll() is None
    daemon = int((referee.folder / "t" / "seat0.out").read_text())
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "a.jsonl" in err
    assert referee.saved("a.jsonl")[-1]["reason"] == "interrupted"
    assert not (referee.folder / "a.jsonl.part").exists()
    assert not Path(f"/proc/{daemon}").exists()
    referee.ok("verify", "a.jsonl")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_that_the_parent_process_ignores_does_not_end_a_match(referee, walker, number):
    """Programs under nohup or in the background of a script ignore such signals."""
    patient = referee.folder / "patient.py"
    patient.write_text(PATIENT)
    ignoring = f"import runpy, signal, sys; signal.signal({int(number)}, signal.SIG_IGN); {RUN}"
    process = subprocess.Popen(
        [sys.executable, "-c", ignoring, "play", patient, walker("Otto", "N"), "--map", "duel", "--rounds", "1",
         "-o", "a.jsonl", "--no-timeouts", "--transcript", "t", "--isolation", "none"],
        cwd=referee.folder, env=referee.environ(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    log = referee.folder / "t" / "seat0.err"
    while not (log.exists() and log.read_text()):  # until it waits
        assert process.poll() is None
    process.send_signal(number)
    (referee.folder / "go on").touch()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert referee.saved("a.jsonl")[-1]["reason"] == "rounds"


def limited(referee, room, words):
    """Run a command that cannot write files of more than `room` bytes."""
    limit = f"import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room})); {RUN}"
    return subprocess.run(  # no isolation and -B: copies of bots and .pyc files would exceed the limit too
        [sys.executable, "-B", "-c", limit, *words, "--isolation", "none"],
        cwd=referee.folder, env=referee.environ(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_a_match_that_cannot_be_saved_ends_with_1(referee, pair):
    words = ["play", *map(str, pair), "--map", "duel", "--rounds", "3", "-s", "1", "-o", "a.jsonl"]
    referee.ok(*words)
    saved = (referee.folder / "a.jsonl").read_text()
    whole = len(re.sub(r',"late":[0-9.]+', "", saved))  # a less busy machine does not write it
    for room in (200, whole - 800, whole - 150):  # in the header, in a step, in the result
        for path in referee.folder.glob("a.jsonl*"):
            path.unlink()
        done = limited(referee, room, words)
        assert done.returncode == 1, done.stderr
        why = f"could not be finished: a.jsonl.part: {os.strerror(errno.EFBIG)}: free space there, or choose another place"
        assert why in done.stderr
        assert not (referee.folder / "a.jsonl").exists()
        assert (referee.folder / "a.jsonl.part").stat().st_size == room


def test_a_transcript_that_cannot_be_written_ends_with_1(referee, walker):
    loud = referee.folder / "loud.py"
    loud.write_text(walker("Lola", "N").read_text().replace("turn += 1", "turn += 1; sys.stderr.write('hm' * 30000)"))
    done = limited(referee, 50_000, ["play", *[str(loud)] * 4, "--rounds", "9", "-o", "a.jsonl", "--transcript", "t"])
    assert done.returncode == 1, done.stderr
    assert re.search(r"could not be finished: t/seat\d\.\w+: ", done.stderr)


GONE = "mkfifo gone; exec 3<>gone 4>gone 3>&-; rm gone;"
"""Opens descriptor 4, a pipe whose reader has closed it."""


def test_a_reader_that_closes_the_pipe_ends_a_command_without_a_word(referee, pair):
    for words in (f"play {shlex.join(map(str, pair))} --map duel --rounds 2", "map show maze", "play --help"):
        assert "Traceback" not in referee.bash(f"{GONE} referee {words} >&4", code=141).err


RUN = "sys.argv[0] = 'referee'; runpy.run_module('referee', run_name='__main__')"
