"""The toy match of `tests/moments`, and a real pseudo-terminal."""

import io
import os
import termios
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from moments.conftest import toy as toy
from rich.console import Console


class Pty:
    """A pseudo-terminal of 80 × 30: tests read what was written to it, and type keys."""

    def __init__(self) -> None:
        self.master, self.fd = os.openpty()
        self.before = termios.tcgetattr(self.fd)
        self._file = io.TextIOWrapper(io.FileIO(self.fd, "wb", closefd=False), encoding="utf-8", write_through=True)
        self.console = Console(
            file=self._file, force_terminal=True, color_system="truecolor", no_color=False, width=80, height=30
        )
        self._written = bytearray()
        self._more = threading.Condition()
        self._drain = threading.Thread(target=self._read)
        self._drain.start()

    def type(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def wait_for(self, needle: bytes) -> None:
        """Block the calling thread until these bytes have been written."""
        with self._more:
            assert self._more.wait_for(lambda: needle in self._written, timeout=60), bytes(self._written[-2000:])

    def attributes(self) -> list[Any]:
        return termios.tcgetattr(self.fd)

    def close(self) -> bytes:
        """Hang up and return all that was written."""
        if self.fd >= 0:
            self._file.close()
            os.close(self.fd)
            self.fd = -1
            self._drain.join()
            os.close(self.master)
        return bytes(self._written)

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            with self._more:
                self._written += data
                self._more.notify_all()


@pytest.fixture
def pty() -> Iterator[Pty]:
    """A real terminal."""
    terminal = Pty()
    try:
        yield terminal
    finally:
        terminal.close()


@pytest.fixture
def plain() -> Callable[..., Console]:
    """Makes a console of a given width that writes to a string instead of a terminal."""

    def make(width: int = 80, **more: Any) -> Console:
        return Console(file=io.StringIO(), width=width, force_terminal=False, color_system=None, **more)

    return make
