"""`referee check`: its output and exit codes. Its diagnoses are tested in tests/compliance."""

import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from cli.conftest import WALKER

from referee import games
from referee.cli.check_output import Printer, Progress, exit_code, find_named
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.report import CheckStep, StepVerdict
from referee.errors import UsageError

pytestmark = pytest.mark.machine

ROOT = Path(__file__).parents[2]


def test_a_good_bot_passes_every_step_and_json_is_one_document(referee, walker):
    report = referee.json("check", walker("Wanda", "RRDDLLUUN"), "--matches", "2", err="")
    assert (report["bot"], report["game"], report["seed"], report["isolation"]) == ("wanda", "snakecore", 1, "full")
    assert report["passed"] is True
    assert [step["number"] for step in report["steps"]] == list(range(1, len(report["steps"]) + 1))
    for step in report["steps"]:
        assert (step["verdict"], step["failure"]) == ("pass", None)
    titles = [step["title"] for step in report["steps"]]
    assert titles[0] == "builds"
    assert "plays 2 mixed matches without a fault" in titles
    figures = report["figures"]
    assert figures["limits"] == {"first": 15.0, "answer": 1.0, "total": 120.0}
    times = figures["times"]
    assert times["answers"] > 200
    assert 0 < times["median"] <= times["slowest"] < times["total"]
    assert 1 << 20 < figures["memory_peak"] < figures["memory_limit"] == 1 << 30


def test_a_failure_shows_what_happened_what_to_change_and_the_evidence(referee, walker):
    wrong = walker("Wanda", "ur")

    head, *lines = referee("check", wrong, "--isolation", "none", code=1).out.splitlines()
    assert head == "checking wanda: SnakeCore, isolation none, seed 1"
    text = "\n".join(lines)
    report = r"(?m)^ *4 FAIL answers getAction.*\n *what happened: .*, got \"u\"\n *what to change: .*`referee rules"
    assert re.search(report, text)
    assert "it was sent last:\n           | getAction\n           | 9\n" in text
    assert r'| "u\n"' in text
    assert text.count("what to change:") == 1
    assert re.fullmatch(r"failed 1 step of \d+; \d+ skipped after that", lines[-1])


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_a_failed_build_shows_the_compilers_output_and_exits_with_4(referee):
    (referee.folder / "wrong.c").write_text("int main(void) { return nothing; }\n")
    ran = referee("check", "wrong.c", "--isolation", "none", code=4)
    assert re.search(r"^ *1 FAIL builds$", ran.out, re.MULTILINE)
    assert "what happened: wrong.c does not compile: line 1: error: " in ran.out
    assert "what to change: Correct wrong.c, line 1: later errors" in ran.out
    assert "nothing" in ran.out.partition("the build said")[2]


def test_a_missing_flush_is_diagnosed_in_a_cell_too(referee, walker):
    bot = walker("Wanda", "U")
    bot.write_text(bot.read_text().replace(", flush=True", ""))
    ran = referee("check", bot, "-q", code=1)
    assert 'the answer "Wanda" came only when its input ended' in ran.out
    assert "Flush your output after each answer: print(answer," in ran.out


def test_an_unknown_bot_exits_with_4_and_a_limit_without_a_sandbox_with_2(referee, walker):
    referee("check", "nosuch.py", code=4)
    assert "for --matches. Must be >= 1." in referee.refused("check", walker("Wanda", "U"), "--matches", "0")
    refused = referee("check", walker("Wanda", "U"), "--isolation", "none", "--memory", "64M", code=2)
    assert "memory needs a sandbox" in refused.err


def test_output_of_bots_is_escaped(referee):
    bot = referee.folder / "rude.py"
    bot.write_text("import sys\nsys.stderr.write('\\x1b[31mred\\n')\nprint('\\x1b[2J', flush=True)\ninput()\n")
    ran = referee("check", bot, "--isolation", "none", "-q", code=1)
    assert "\x1b" not in ran.out + ran.err
    assert r"\x1b[2J" in ran.out
    assert r"\x1b[31mred" in ran.out


def test_a_failure_like_an_earlier_one_names_that_step(capsys):
    printer = Printer()
    waits = Diagnosis("waits", "it sleeps", "Look for a sleep.", sent=["getAction"])
    crash = Diagnosis("crash", "after 9 answers: no way", "Run it.", sent=["getAction"], stderr=["no way"])
    failures = [
        waits,
        replace(waits, says="no answer within 1 s, as above"),
        crash,
        replace(crash, stderr=["too large"]),
    ]
    for number, failure in enumerate(failures, start=4):
        printer.step(CheckStep(number, "answers", StepVerdict.FAIL, failure=failure))
    printer.step(CheckStep(9, "memory", StepVerdict.SKIP, "step 4 failed"))
    out = capsys.readouterr().out
    heads = [line for line in out.splitlines() if line[:3].strip()]
    assert heads == ["  4 FAIL answers", "  5 FAIL answers: as in step 4", "  6 FAIL answers", "  7 FAIL answers"]
    assert out.count("it was sent last:") == 3, "each kind of failure shows its evidence"
    assert re.findall(r"the end of its stderr:\n +\| (.*)", out) == ["no way", "too large"], "another crash"


def test_several_bots_get_a_line_each_and_then_what_failed(referee, walker):
    good, bad = walker("Wanda", "RRDDLLUUN"), walker("Otto", "ur")
    ran = referee("check", good, bad, "nosuch.py", "--isolation=none", "--matches=1", "-q", code=4)
    head, *lines = ran.out.splitlines()
    assert head == "checking 3 bots: SnakeCore, isolation none, seed 1"
    nosuch, otto, wanda = sorted(lines[:3])  # each when its check ends
    assert re.fullmatch(r"wanda: passed all \d+ steps(, with \d warnings?)?", wanda)
    assert re.fullmatch(r"otto: failed 1 of 22: step 4, answers getAction, and writes nothing else", otto)
    assert nosuch.startswith("nosuch: cannot be built: there is no bot 'nosuch.py'")
    heads = [line for line in lines[3:] if line[:1].strip()]
    assert [line.partition(":")[0] for line in heads] == ["otto", "nosuch"], "only what failed"
    assert (ran.out.count("what happened:"), ran.out.count("what to change:")) == (2, 1)  # nosuch's message says it
    assert "wanda" not in "\n".join(lines[3:])


def test_the_exit_code_is_that_of_the_worst_bot():
    good, bad, unbuilt = Mock(passed=True, plays=True), Mock(passed=False, plays=True), Mock(passed=False, plays=False)
    assert [exit_code(results) for results in ([good], [good, bad], [bad, unbuilt, good])] == [0, 1, 4]


@pytest.fixture
def clock(monkeypatch):
    """What the clock of the progress shows, in seconds."""
    clock = [0.0]
    monkeypatch.setattr("referee.cli.check_output.monotonic", lambda: clock[0])
    return clock


def test_the_progress_names_the_bots_and_the_time_that_is_left(clock):
    progress = Progress(["ada", "bob", "cyd"], quiet=False)
    progress.begins(-1, "building ada …")
    assert progress.line(5) == "0 of 3 checked · building ada … (5 s)"
    clock[0] = 6
    progress.begins(0, "match 1 of 2 …")
    progress.begins(1, "match 2 of 2 …")
    progress.ended(0, "ada: passed", print)
    line = "1 of 3 checked, about 2 min 10 s left · bob: match 2 of 2 … (59 s)"
    assert progress.line(65) == line, "nothing is built any more"


def test_the_progress_of_one_bot_says_what_it_does_and_for_how_long(clock):
    progress = Progress(["ada"], quiet=False)
    progress.begins(0, "answers: a plain board …")
    clock[0] = 70
    progress.begins(0, "match 1 of 2 …")
    assert progress.line(95) == "match 1 of 2 … (25 s)"


@pytest.mark.parametrize(("terminal", "quiet"), [(True, False), (True, True), (False, False)])
def test_a_result_replaces_the_progress_on_a_terminal(terminal, quiet, monkeypatch, capsys):
    monkeypatch.setattr("referee.cli.check_output.is_tty", lambda _stream: terminal)
    Progress(["ada", "bob"], quiet=quiet).ended(0, "ada: passed", print)
    assert capsys.readouterr() == ("ada: passed\n", "\r\x1b[K" if terminal and not quiet else "")


def test_a_folder_that_holds_bots_names_those_of_the_game_and_a_bot_in_a_folder_is_one_bot(tmp_path):
    for name in ("oracle", "newt", "random"):
        shutil.copytree(ROOT / "bots" / name, tmp_path / name)
    for name in ("README.md", "notes.txt"):
        (tmp_path / name).write_text("no bot")
    assert [bot.name for bot in find_named([str(tmp_path)], games.find("snakecore"))[0]] == ["Oracle", "Random"]
    assert [bot.name for bot in find_named([str(tmp_path)], games.find("viper"))[0]] == ["Newt"]
    with pytest.raises(UsageError, match="no bot there plays ants"):
        find_named([str(tmp_path)], games.find("ants"))
    (tmp_path / "empty").mkdir()
    _, (empty, newt, notes) = find_named([str(tmp_path), str(tmp_path / "oracle")], games.find("snakecore"))
    assert newt == "newt is not checked: it plays viper, not snakecore"
    assert empty.startswith(f"empty is not checked: the folder {tmp_path / 'empty'} has no bot.toml and no other file")
    assert notes.startswith("notes.txt is not checked: a file that ends in .txt is no bot")
    (tmp_path / "nora.PY").write_text("print()")
    nora = next(bot for name, bot in find_named([str(tmp_path)], games.find("snakecore"))[0] if name == "nora")
    assert str(nora) == "nora.PY does not have the suffix of a source file: rename it to nora.py"


def test_zip_files_are_checked_like_folders_and_a_refused_one_cannot_be_built(referee):
    for folder in ("class", "eve"):
        (referee.folder / folder).mkdir()
    zips = {"class/ada.zip": ["main.py"], "eve/bot.zip": ["main.py", "../up.py"], "class/bot.zip": ["../up.py"]}
    for path, names in zips.items():
        with zipfile.ZipFile(referee.folder / path, "w") as file:
            for name in names:
                file.writestr(name, WALKER.replace("PATH", "RDLU"))
    ran = referee("check", "class", "eve/bot.zip", "--isolation=none", "--matches=1", "-q", code=4)
    assert ran.out.count("cannot be built: ") == 2
    names = sorted(line.partition(":")[0] for line in ran.out.splitlines()[1:4])
    assert names == ["ada", "bot (class/bot.zip)", "bot (eve/bot.zip)"]
    alone = referee("check", "class/ada.zip", "--isolation=none", "--matches=1", "-q")
    assert alone.out.startswith("checking ada: SnakeCore")
    assert alone.code == 0


def test_bots_of_one_name_are_told_apart_by_the_words_that_name_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["ada/main.py", "bob/main.py", "cyd.py", "ada/main.py"]
    for word in words:
        Path(word).parent.mkdir(exist_ok=True)
        Path(word).write_text("print()")
    names = [bot.name for bot in find_named(words, games.find("snakecore"))[0]]
    assert names == ["main (ada/main.py)", "main (bob/main.py)", "cyd", "main (ada/main.py)#2"]
