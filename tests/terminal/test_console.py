import io
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest
from rich.text import Text

from referee.terminal.console import is_tty, make_console, open_terminal
from referee.terminal.palette import Look
from referee.text.words import Escaping

RICH_TERM = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


class Stream(io.TextIOWrapper):
    """A text stream that is, or is not, a terminal."""

    def __init__(self, tty: bool, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty


def terminal(tty: bool, environ: Mapping[str, str], **more: Any) -> Any:
    return open_terminal(stdin=Stream(tty), stdout=Stream(tty), environ=environ, **more)


@pytest.mark.parametrize(
    ("tty", "environ", "color", "colour", "shades"),
    [
        (True, RICH_TERM, "auto", True, True),
        (True, {"TERM": "xterm-256color"}, "auto", True, True),
        (True, {"TERM": "xterm"}, "auto", True, False),
        (False, RICH_TERM, "auto", False, False),
        (False, RICH_TERM, "always", True, True),
        (True, RICH_TERM, "never", False, False),
        (True, RICH_TERM | {"NO_COLOR": "1"}, "auto", False, False),
        (True, RICH_TERM | {"NO_COLOR": ""}, "auto", True, True),
        (True, RICH_TERM | {"NO_COLOR": "1"}, "always", True, True),
        (True, RICH_TERM | {"NO_COLOR": "1", "FORCE_COLOR": "1"}, "auto", False, False),
        (False, RICH_TERM | {"FORCE_COLOR": "1"}, "auto", True, True),
        (False, RICH_TERM | {"FORCE_COLOR": "1"}, "never", False, False),
        (True, {"TERM": "dumb"}, "auto", False, False),
        (True, {"TERM": "unknown"}, "auto", False, False),
    ],
)
def test_colour(tty: bool, environ: dict[str, str], color: str, colour: bool, shades: bool) -> None:
    console = terminal(tty, environ, color=color)
    assert console.look == Look(colour, shades, ascii_only=False)
    console.out.print("x", style="red")
    console.out.file.flush()
    written = console.out.file.buffer.getvalue()
    assert (b"\x1b[31m" in written) == colour
    assert colour or b"3" not in written


@pytest.mark.parametrize(
    ("tty", "environ", "written"),
    [
        (False, RICH_TERM, b"[bold]x[/] :snake:\n"),
        (False, {}, b"[bold]x[/] :snake:\n"),
        (False, {"NO_COLOR": "1"}, b"[bold]x[/] :snake:\n"),
        (True, {"TERM": "dumb"}, b"[bold]x[/] :snake:\n"),
        (True, RICH_TERM | {"NO_COLOR": "1"}, b"\x1b[1;4m[bold]x[/] :snake:\x1b[0m\n"),
    ],
)
def test_a_pipe_gets_no_codes_and_no_color_keeps_bold(tty: bool, environ: dict[str, str], written: bytes) -> None:
    """No text is markup."""
    console = terminal(tty, environ)
    console.out.print("[bold]x[/] :snake:", style="bold red underline")
    console.out.file.flush()
    assert console.out.file.buffer.getvalue() == written


def test_force_color_does_not_make_a_pipe_interactive() -> None:
    console = terminal(False, RICH_TERM | {"FORCE_COLOR": "1", "TTY_COMPATIBLE": "1", "TTY_INTERACTIVE": "1"})
    assert not console.interactive
    assert not console.out.is_terminal
    assert not console.out.is_interactive


@pytest.mark.parametrize(
    ("stdin", "stdout", "environ", "is_interactive"),
    [
        (True, True, RICH_TERM, True),
        (True, True, {"NO_COLOR": "1"}, True),
        (False, True, RICH_TERM, False),
        (True, False, RICH_TERM, False),
        (True, True, {"TERM": "dumb"}, False),
    ],
)
def test_interactive_needs_stdin_and_stdout_on_a_terminal(stdin, stdout, environ, is_interactive):
    terminal = open_terminal(stdin=Stream(stdin), stdout=Stream(stdout), environ=environ)
    assert terminal.interactive is is_interactive


def test_a_missing_stream_is_no_terminal() -> None:
    assert not is_tty(None), "stdin, if the caller closed it"


@pytest.mark.parametrize(
    ("encoding", "flag", "ascii_only"), [("utf-8", False, False), ("utf-8", True, True), ("latin-1", False, True)]
)
def test_ascii_by_flag_or_encoding(encoding: str, flag: bool, ascii_only: bool) -> None:
    console = open_terminal(ascii_only=flag, stdin=Stream(True), stdout=Stream(True, encoding), environ=RICH_TERM)
    assert console.look.ascii_only is ascii_only


@pytest.mark.parametrize("tty", [True, False])
def test_printed_text_is_escaped_and_its_style_is_not(tty: bool) -> None:
    console = terminal(tty, {"TERM": "xterm"})
    console.out.print(Text("a\x1b]0;up\x07\x9b31m", style="bold"))
    with console.out.capture() as captured:
        console.out.print("b\x1b[2J")
    console.out.file.flush()
    bold = ("\x1b[1m", "\x1b[0m") if tty else ("", "")
    # rich itself drops the bell
    assert console.out.file.buffer.getvalue().decode() == f"{bold[0]}a\\u001b]0;up\\u009b31m{bold[1]}\n"
    assert captured.get() == "b\\u001b[2J\n"


def test_a_console_writes_its_codes_beneath_an_escaping_stream() -> None:
    beneath = Stream(True)
    console = make_console(Escaping(beneath), color="always", environ={"TERM": "xterm"})
    console.print(Text("a", style="bold"))
    beneath.flush()
    assert beneath.buffer.getvalue() == b"\x1b[1ma\x1b[0m\n"


def test_writing_to_a_closed_pipe_raises_broken_pipe_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    stream = open(writer, "w", encoding="utf-8")  # noqa: SIM115 - closing it fails as well
    console = make_console(stream, color="auto", environ={})
    try:
        with pytest.raises(BrokenPipeError):
            console.print("x")
    finally:
        with suppress(BrokenPipeError):
            stream.close()
