"""Keys from a terminal: decoding its bytes, and waiting for them.

1. A key is a string: the character itself (`q`, `+`), or one of the names below.
2. Terminals send special keys as escape sequences, `ESC [ … final` (CSI) or `ESC O final` (SS3), with several spellings for
   the same key. An unknown sequence is dropped whole, so that its letters do not count as keys.
3. ESC is the first byte of all sequences. It counts as the ESC key if nothing follows for `ESCAPE_WAIT`, counted from the
   ESC and never extended by later bytes.
4. The terminal's open file is shared with the shell and other programs, so it is never set non-blocking: after
   `wait_readable` one `os.read` cannot block.
"""

from __future__ import annotations

import os
import termios
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, Protocol, TypeAlias

import trio

Key: TypeAlias = str

UP: Final = "up"
DOWN: Final = "down"
LEFT: Final = "left"
RIGHT: Final = "right"
PAGE_UP: Final = "page-up"
PAGE_DOWN: Final = "page-down"
HOME: Final = "home"
END: Final = "end"
TAB: Final = "tab"
BACK_TAB: Final = "back-tab"
ENTER: Final = "enter"
ESCAPE: Final = "escape"
BACKSPACE: Final = "backspace"
SPACE: Final = " "

ESCAPE_WAIT: Final = 0.05
"""Seconds after which an ESC alone is the ESC key."""
LONGEST: Final = 32
"""The most bytes of an escape sequence; longer ones are dropped."""

_ESC: Final = 0x1B
_FINALS: Final = {"A": UP, "B": DOWN, "C": RIGHT, "D": LEFT, "H": HOME, "F": END, "Z": BACK_TAB}
_TILDES: Final = {"1": HOME, "7": HOME, "4": END, "8": END, "5": PAGE_UP, "6": PAGE_DOWN}
_CONTROLS: Final = {0x08: BACKSPACE, 0x09: TAB, 0x0A: ENTER, 0x0D: ENTER, 0x7F: BACKSPACE}


class KeySource(Protocol):
    """A source of keys: a keyboard, or a script in a test."""

    async def key(self) -> Key | None:
        """The next key; None at the end. May be cancelled at any time without losing a key."""


class Decoder:
    """Bytes in, keys out. No clock: the reader decides when an ESC was alone, and calls `flush`."""

    def __init__(self) -> None:
        self._sequence = bytearray()

    @property
    def pending(self) -> bool:
        """Whether a sequence has begun and is not complete."""
        return bool(self._sequence)

    def feed(self, data: bytes) -> list[Key]:
        """The keys that these bytes complete, in order."""
        keys: list[Key] = []
        for byte in data:
            if self._sequence:
                keys += self._in_sequence(byte)
            elif byte == _ESC:
                self._sequence.append(byte)
            elif key := _plain(byte):
                keys.append(key)
        return keys

    def flush(self) -> list[Key]:
        """Nothing followed in time: an ESC alone is a key; the beginning of a longer sequence is dropped."""
        alone = len(self._sequence) == 1
        self._sequence.clear()
        return [ESCAPE] if alone else []

    def _in_sequence(self, byte: int) -> list[Key]:
        sequence = self._sequence
        if byte == _ESC:
            keys = self.flush()
            sequence.append(byte)
            return keys
        sequence.append(byte)
        if len(sequence) == 2 and byte in b"[O":
            return []
        if sequence[1] == ord("[") and 0x20 <= byte <= 0x3F:
            if len(sequence) >= LONGEST:
                sequence.clear()
            return []
        key = _special(bytes(sequence))
        sequence.clear()
        return [key] if key else []


class Keyboard:
    """Keys from a file descriptor that is a terminal in cbreak mode (or a pipe, in tests)."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._decoder = Decoder()
        self._keys: deque[Key] = deque()
        self._decide_at = 0.0

    async def key(self) -> Key | None:
        """The next key; None at the end of the file or after the terminal was closed."""
        while not self._keys:
            if not await self._readable():
                self._keys.extend(self._decoder.flush())
                continue
            try:
                data = os.read(self._fd, 1024)
            except OSError:
                return None
            if not data:
                return None
            was_pending = self._decoder.pending
            self._keys.extend(self._decoder.feed(data))
            if self._decoder.pending and (not was_pending or self._keys):
                self._decide_at = trio.current_time() + ESCAPE_WAIT
        return self._keys.popleft()

    async def _readable(self) -> bool:
        """Wait for bytes; False if an open sequence has waited long enough."""
        if not self._decoder.pending:
            await trio.lowlevel.wait_readable(self._fd)
            return True
        with trio.move_on_at(self._decide_at):
            await trio.lowlevel.wait_readable(self._fd)
            return True
        return False


@contextmanager
def cbreak(fd: int) -> Iterator[None]:
    """The terminal gives keys one by one, without echo, until the block ends.

    Ctrl-C stays a signal. Ctrl-S, Ctrl-Z and Ctrl-\\ are switched off: stopped output would delay the match, and a program
    that stops or quits on the alternate screen leaves the shell there.

    Raises:
        termios.error: `fd` is not a terminal.
    """
    before = termios.tcgetattr(fd)
    mode = termios.tcgetattr(fd)
    mode[0] &= ~(termios.IXON | termios.ICRNL)
    mode[3] &= ~(termios.ECHO | termios.ICANON)
    mode[6][termios.VMIN] = 1
    mode[6][termios.VTIME] = 0
    mode[6][termios.VSUSP] = b"\0"
    mode[6][termios.VQUIT] = b"\0"
    try:
        termios.tcsetattr(fd, termios.TCSANOW, mode)
        yield
    finally:
        # A closed terminal has nothing to restore.
        with suppress(termios.error):
            termios.tcsetattr(fd, termios.TCSANOW, before)


def _plain(byte: int) -> Key | None:
    return chr(byte) if 0x20 <= byte < 0x7F else _CONTROLS.get(byte)


def _special(sequence: bytes) -> Key | None:
    """The key of a whole sequence, None if unknown; modifiers (`1;5`) are ignored."""
    text = sequence.decode("latin-1")
    kind, parameters, final = text[1:2], text[2:-1], text[-1]
    if kind == "[" and final == "~":
        return _TILDES.get(parameters.split(";")[0])
    return _FINALS.get(final) if kind in ("[", "O") else None
