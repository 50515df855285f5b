"""What the terminal can do, from the streams, the environment and the options.

1. Only `isatty()` decides what a terminal is: with FORCE_COLOR, rich takes pipes for terminals.
2. `--color always` and `never` come first, then a NO_COLOR that is not empty (no colour), then FORCE_COLOR (colour).
   Otherwise terminals have colour unless they are dumb.
3. Without colour, terminals keep bold and underline. Pipes and files get no escape codes.
4. Output is ASCII with `--ascii`, or if the encoding of the stream has no box characters.
5. The texts of a console are escaped (`words.escaped`), and rich's codes go to the stream beneath (`words.codes_of`).
6. A closed pipe raises BrokenPipeError, as with `print`: rich would end the process with exit code 1.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import IO, Final, Literal, NoReturn, TypeAlias

from rich.console import Console
from rich.segment import Segment

from referee.terminal.palette import Look
from referee.text.words import codes_of, escaped

ColourChoice: TypeAlias = Literal["auto", "always", "never"]
_System: TypeAlias = Literal["standard", "256", "truecolor"]

_PROBE: Final = "▀█░━─│┌┐└┘▸◆×…→←↑↓·"
"""The characters of the views beyond ASCII."""


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        # The one place through which all segments go on their way to the stream.
        return super()._render_buffer(
            segment if segment.control or segment.text.isprintable() else segment._replace(text=escaped(segment.text))
            for segment in buffer
        )


def as_text(show: Callable[[Console], None], columns: int) -> str:
    """What `show` prints on a console of this width, as plain text without a line feed at its end."""
    out = StringIO()
    # In a notebook, rich would display it instead.
    show(Console(file=out, width=columns, color_system=None, force_terminal=False, force_jupyter=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


@dataclass(frozen=True, slots=True)
class Terminal:
    """The console for results, its look for views, and whether it can show a view."""

    out: Console
    look: Look
    interactive: bool


def open_terminal(
    *,
    color: ColourChoice = "auto",
    ascii_only: bool = False,
    stdin: IO[str] | None = None,
    stdout: IO[str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Terminal:
    """The terminal of this process, or of the streams and environment that are passed in."""
    environ = os.environ if environ is None else environ
    stdin = sys.stdin if stdin is None else stdin
    stdout = sys.stdout if stdout is None else stdout
    colour = has_colour(stdout, color, environ)
    return Terminal(
        out=make_console(stdout, color=color, environ=environ),
        look=Look(
            colour=colour,
            shades=colour and _colour_system(environ) != "standard",
            ascii_only=ascii_only or not _can_write(stdout, _PROBE),
        ),
        interactive=is_tty(stdin) and is_tty(stdout) and not _dumb(environ),
    )


def is_tty(stream: IO[str] | None) -> bool:
    """Whether the stream is a terminal; a missing one is not."""
    return stream is not None and stream.isatty()


def has_colour(stream: IO[str] | None, color: ColourChoice, environ: Mapping[str, str]) -> bool:
    """Whether to write colours to the stream (point 2)."""
    if color != "auto":
        return color == "always"
    if environ.get("NO_COLOR"):
        return False
    return bool(environ.get("FORCE_COLOR")) or (is_tty(stream) and not _dumb(environ))


def make_console(stream: IO[str], *, color: ColourChoice, environ: Mapping[str, str]) -> Console:
    """A rich console with explicit settings; markup, emoji codes and highlighting are off.

    Writing may raise BrokenPipeError.
    """
    colour, tty = has_colour(stream, color, environ), is_tty(stream)
    return _Console(
        file=codes_of(stream),
        # None means no escape codes, for pipes. With `no_color`, terminals keep bold.
        color_system=_colour_system(environ) if colour or (tty and not _dumb(environ)) else None,
        no_color=not colour,
        force_terminal=tty,
        force_interactive=tty and not _dumb(environ),
        force_jupyter=False,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        _environ=environ,
    )


def _dumb(environ: Mapping[str, str]) -> bool:
    return environ.get("TERM", "").lower() in ("dumb", "unknown")


def _colour_system(environ: Mapping[str, str]) -> _System:
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return "truecolor"
    term = environ.get("TERM", "").lower()
    return "256" if "256" in term or "kitty" in term or "alacritty" in term else "standard"


def _can_write(stream: IO[str] | None, text: str) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
