"""Keys from a terminal: what its bytes mean, and how to wait for them.

1. A key is a string: the character itself (`q`, `+`), or one of the names below.
2. Terminals write special keys as escape sequences: `ESC [ … final` (CSI) or `ESC O final` (SS3), and the same key comes in
   several spellings. An unknown sequence is swallowed whole, so that its letters are not taken for keys.
3. The ESC key is the first byte of all of them. It is ESC alone when nothing has followed for `ESCAPE_WAIT`, counted from
   the ESC and never extended by later bytes. Before that is decided the terminal is asked once more: a reader that was
   itself kept from running must not tear a sequence apart.
4. The terminal is shared with the shell and other programs through one open file, so it is never set non-blocking: after
   `wait_readable` one `os.read` cannot block.
"""

from __future__ import annotations

import os
import select
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
SPACE: Final = " "

ESCAPE_WAIT: Final = 0.05
"""Seconds after which an ESC that nothing follows is the key of that name."""
LONGEST: Final = 32
"""Bytes of an escape sequence; what is longer is no key, and is dropped with what it held."""

_ESC: Final = 0x1B
_FINALS: Final = {"A": UP, "B": DOWN, "C": RIGHT, "D": LEFT, "H": HOME, "F": END, "Z": BACK_TAB}
_TILDES: Final = {"1": HOME, "7": HOME, "4": END, "8": END, "5": PAGE_UP, "6": PAGE_DOWN}
_KEYPAD: Final = {"M": ENTER, "k": "+", "m": "-", "I": TAB, " ": SPACE} | {chr(ord("p") + d): str(d) for d in range(10)}
"""SS3 finals of a keypad in application mode; its digits are `p` … `y`."""
_CONTROLS: Final = {0x09: TAB, 0x0A: ENTER, 0x0D: ENTER}


class KeySource(Protocol):
    """Where keys come from: a keyboard, or a script in a test."""

    async def key(self) -> Key | None:
        """The next key; None when there will be no more. May be cancelled at any time without losing a key."""


class Decoder:
    """Bytes in, keys out. No clock: the reader decides when an ESC was alone, and calls `flush`."""

    def __init__(self) -> None:
        self._sequence = bytearray()

    @property
    def pending(self) -> bool:
        """Whether an ESC has come whose meaning is still open."""
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
        """Nothing followed in time: an ESC alone is the key, the beginning of a longer sequence is dropped."""
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
        # The Linux console's function keys are `ESC [ [ A`: a second bracket does not end the sequence.
        if sequence[1] == ord("[") and (0x20 <= byte <= 0x3F or (byte == ord("[") and len(sequence) == 3)):
            if len(sequence) >= LONGEST:
                sequence.clear()
            return []
        # Some terminals put a modifier before an SS3 final: `ESC O 5 C`.
        if sequence[1] == ord("O") and 0x30 <= byte <= 0x39 and len(sequence) < 4:
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
        """The next key; None at the end of the file or when the terminal has gone."""
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
        """Wait for bytes; False when an open ESC has waited long enough."""
        if not self._decoder.pending:
            await trio.lowlevel.wait_readable(self._fd)
            return True
        with trio.move_on_at(self._decide_at):
            await trio.lowlevel.wait_readable(self._fd)
            return True
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        return bool(poll.poll(0))


@contextmanager
def cbreak(fd: int) -> Iterator[None]:
    """The terminal gives keys one by one, without echo, until the block ends in whatever way.

    Ctrl-C stays a signal. Ctrl-S, Ctrl-Z and Ctrl-\\ are switched off: a stopped output would hold up the match, and a
    program that is stopped or quits on the alternate screen leaves the shell there.

    Raises:
        termios.error: `fd` is no terminal.
    """
    before = termios.tcgetattr(fd)
    mode = termios.tcgetattr(fd)
    mode[0] &= ~(termios.IXON | termios.ICRNL)
    mode[3] &= ~(termios.ECHO | termios.ICANON)
    mode[6][termios.VMIN] = 1
    mode[6][termios.VTIME] = 0
    # Both would leave the terminal as the view has it: one stops the referee, the other ends it on the spot.
    mode[6][termios.VSUSP] = b"\0"
    mode[6][termios.VQUIT] = b"\0"
    try:
        termios.tcsetattr(fd, termios.TCSANOW, mode)
        yield
    finally:
        # A terminal that was hung up meanwhile has nothing to restore.
        with suppress(termios.error):
            termios.tcsetattr(fd, termios.TCSANOW, before)


def _plain(byte: int) -> Key | None:
    return chr(byte) if 0x20 <= byte < 0x7F else _CONTROLS.get(byte)


def _special(sequence: bytes) -> Key | None:
    """The key of a whole sequence, None for an unknown one; modifiers (`1;5`) are dropped."""
    text = sequence.decode("latin-1")
    kind, parameters, final = text[1:2], text[2:-1], text[-1]
    if kind == "O":
        return _FINALS.get(final) or _KEYPAD.get(final)
    if kind == "[":
        if final == "~":
            return _TILDES.get(parameters.split(";")[0])
        return None if "[" in parameters else _FINALS.get(final)
    return None
