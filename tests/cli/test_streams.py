"""Streams, paths and files that are closed, full, in another encoding, endless or circular."""

import errno
import json
import shlex
import subprocess
import sys
import threading

import pytest
from cli.conftest import in_process

from referee.cli.exit_codes import run
from referee.errors import out_of

pytestmark = pytest.mark.machine


def one_line(text):
    return text.startswith("referee: ") and len(text.splitlines()) == 1 and "Traceback" not in text


def test_in_a_folder_that_was_removed_one_line_says_so_if_a_command_needs_it(referee):
    gone = "mkdir gone; cd gone; rmdir ../gone;"
    for words, message in (
        ("new python x", "the working folder does not exist any more"),
        ("rules tron", "no game is called 'tron'"),
    ):
        refused = referee.bash(f"{gone} referee {words}")
        assert (refused.code, one_line(refused.err)) == (2, True), refused.err
        assert message in refused.err


@pytest.mark.parametrize("words", ["rules", "play random --map duel --rounds 2 -q", "--help"])
def test_a_closed_stdout_is_not_an_error_and_a_full_one_is_reported_in_one_line(referee, words):
    closed = referee.bash(f"referee {words} >&-")
    assert (closed.code, closed.err) == (0, "")
    full = referee.bash(f"referee {words} >/dev/full", code=1)
    assert one_line(full.err), full.err
    assert "No space left" in full.err


@pytest.mark.parametrize("columns", ["0", "2", "9", "12", "nine"])
@pytest.mark.parametrize("words", ["--help", "play --help"])
def test_help_is_shown_for_any_value_of_columns(referee, words, columns):
    asked = in_process(referee.folder, referee.environ({"COLUMNS": columns}), *shlex.split(words))
    assert asked.code == 0
    assert asked.out.startswith("Usage")


def test_a_number_of_lines_that_no_terminal_has_is_ignored(referee):
    main = "import atexit, os; atexit.register(lambda: print(os.environ.get('LINES'))); from referee.cli import main; main()"
    words = [sys.executable, "-c", main, "--version"]
    ran = subprocess.run(words, env=referee.environ({"LINES": "0"}), capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "None"


def test_a_broken_stderr_does_not_stop_a_match(referee):
    for sink in ("/dev/full", "&-"):
        done = referee.bash(f"referee play random collector --map duel --rounds 5 2>{sink}", code=0)
        assert "Collector" in done.out


@pytest.mark.parametrize("most", [11, 22])
def test_too_few_descriptors_are_not_the_bots_fault(referee, most):
    fresh = {"XDG_CACHE_HOME": str(referee.folder / "cache")}
    done = referee.bash(f"ulimit -n {most}; referee play --rounds 1", fresh, code=2)
    assert one_line(done.err), done.err
    assert "Too many open files: raise the limit of open files (ulimit -n" in done.err


def test_a_thread_that_cannot_be_started_is_not_reported_as_a_bug(monkeypatch, capsys, tmp_path):
    def refused(_thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert run(["play", "--rounds", "1", "-o", str(tmp_path / "a.jsonl")]) == 2
    err = capsys.readouterr().err
    assert one_line(err), err
    assert "raise the limits of processes (ulimit -u) and memory (ulimit -v)" in err


@pytest.mark.parametrize(("failed", "wanted"), [
    (OSError(errno.EMFILE, "Too many open files"), "ulimit -n"),
    (OSError(errno.ENFILE, "Too many open files in system"), "on this machine"),
    (OSError(errno.EAGAIN, "Resource temporarily unavailable"), "ulimit -u"),
    (OSError(errno.ENOMEM, "Cannot allocate memory"), "ulimit -v"),
    (MemoryError(), "ulimit -v"),
    (RuntimeError("can't start new thread"), "ulimit -u"),
    (BlockingIOError(errno.EAGAIN, "write could not complete without blocking", 7), None),
    (OSError(errno.ENOSPC, "No space left on device"), None),
    (RuntimeError("dictionary changed size during iteration"), None),
])  # fmt: skip
def test_exhausted_resources_have_advice(failed, wanted):
    advice = out_of(failed)
    assert (advice is None) == (wanted is None)
    assert wanted is None or wanted in advice


def test_another_encoding_of_the_terminal_is_not_an_error(referee, walker):
    bot = walker("Питон", "N")
    for environ in ({"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        referee("rules", environ=environ, code=0)
        played = referee("play", bot, "--map", "duel", "--rounds", "1", "--json", environ=environ, code=0)
        assert json.loads(played.out)["players"][0]["name"] == "Питон"


def test_odd_names_of_bots_are_refused_in_one_line(referee):
    (referee.folder / "loop").symlink_to("loop")
    for bot in ("b" * 300, "cmd:./" + "b" * 300, "cmd:./loop", "loop/x", "", "cmd:./nope\nx", "\x1b[31m"):
        ran = referee("play", bot)
        assert ran.code == 4, (bot[:20], ran.err[:300])
        assert one_line(ran.err)
        assert ran.err[:-1].isprintable()
