"""The streams of the JavaScript SDK. Node makes stdout and stderr on first use, which may be before, in or after `run`.

While `run` is running, only answers go to the real stdout. Before and after it, all output does.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from sdk.programs import LANGUAGES, Program

GET_NAME = b"getName\n"
TURN = b"getAction\n1\np\n0 1 0 0\n"


def bot(folder: Path, *, first: str = "", choose: str = "", last: str = "") -> Program:
    """A bot that waits, with code to run before it loads the SDK, in each turn, and after `run`."""
    source = f"""
        {first}
        const {{ run }} = require("snake");
        run("Waits", (area) => {{ {choose}; return "N"; }});
        {last}
    """
    return LANGUAGES["javascript"].make("bot", folder, source)


@pytest.mark.parametrize(
    "log",
    [
        pytest.param('console.log("log")', id="console"),
        pytest.param('console.info("%s", "log")', id="a format"),
        pytest.param('process.stdout.write("log\\n")', id="stdout"),
        pytest.param('process.stderr.write("log\\n")', id="stderr"),
        pytest.param('require("process").stdout.write("log\\n")', id="by another way"),
    ],
)
@pytest.mark.parametrize(
    "first",
    [
        pytest.param("", id="nobody looked before"),
        pytest.param('require("net");', id="all for it is loaded"),
        pytest.param("const out = process.stdout;", id="looked at before"),
        pytest.param('console.error("before");', id="logged before"),
    ],
)
def test_during_run_only_answers_go_to_stdout(tmp_path: Path, log: str, first: str) -> None:
    done = bot(tmp_path, first=first, choose=log).run(GET_NAME + 2 * TURN)
    assert (done.returncode, done.stdout) == (0, b"Waits\nN\nN\n")
    assert done.stderr.removeprefix(b"before\n") == b"log\nlog\n"


def test_a_stream_that_the_bot_got_before_run_is_redirected(tmp_path: Path) -> None:
    done = bot(tmp_path, first="const out = process.stdout;", choose='out.write("log\\n")').run(GET_NAME + TURN)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"Waits\nN\n", b"log\n")


@pytest.mark.parametrize("choose", ["", 'console.log("log")', "process.stdout"], ids=["silent", "logs", "looks"])
def test_before_and_after_run_all_output_goes_to_stdout(tmp_path: Path, choose: str) -> None:
    both = 'console.log("log"); process.stdout.write("out\\n");'
    done = bot(tmp_path, first=both, choose=choose, last=both).run(GET_NAME + TURN)
    assert (done.returncode, done.stdout) == (0, b"log\nout\nWaits\nN\nlog\nout\n")
    done = bot(tmp_path, choose=choose, last=both).run(GET_NAME + TURN)
    assert (done.returncode, done.stdout) == (0, b"Waits\nN\nlog\nout\n")


def test_streams_are_restored_after_an_exception(tmp_path: Path) -> None:
    source = """
        const { run } = require("snake");
        try {
          run("Throws", () => { console.log("log"); throw new Error("no"); });
        } catch (error) {
          console.log(error.message);
        }
    """
    done = LANGUAGES["javascript"].make("bot", tmp_path, source).run(GET_NAME + TURN)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"Throws\nno\n", b"log\n")


def test_run_does_not_make_the_streams_of_a_bot_without_output(tmp_path: Path) -> None:
    modules = "process.moduleLoadList.filter((name) => / (net|tty|perf_hooks)$/.test(name))"
    done = bot(tmp_path, last=f'require("fs").writeSync(1, {modules}.join());').run(GET_NAME + TURN)
    assert (done.returncode, done.stdout) == (0, b"Waits\nN\n")


def test_a_text_that_lacks_its_last_row_is_refused(tmp_path: Path) -> None:
    parse = r'require("snake").AreaInfo.parse("2\n..\n")'
    done = bot(tmp_path, first=f"try {{ {parse}; }} catch (error) {{ console.log(error.message); }}").run(b"")
    assert done.stdout.startswith(b"the request ends too early: ")
