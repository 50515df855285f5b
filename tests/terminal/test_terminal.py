"""The views on a pseudo-terminal: they restore the terminal however they end."""

import os
import termios
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from terminal.scripted import directed, no_past, play

from referee.contract.game import Step
from referee.errors import SavedGameError
from referee.terminal.console import Terminal, make_console
from referee.terminal.keys import cbreak
from referee.terminal.live import show_match
from referee.terminal.palette import Look
from referee.terminal.viewer import Viewer, show_replay

STEP = Step(1, 1, "getAction", (), ())
ENTERED, LEFT = b"\x1b[?1049h", b"\x1b[?1049l"
HIDDEN, SHOWN = b"\x1b[?25l", b"\x1b[?25h"


def on(pty: Any) -> Terminal:
    return Terminal(pty.console, Look(), interactive=True)


def assert_restored(pty: Any) -> str:
    assert pty.attributes() == pty.before
    written = pty.close()
    assert written.count(ENTERED) == written.count(LEFT) == 1
    assert written.rindex(SHOWN) > written.rindex(HIDDEN)
    return str(written[written.index(ENTERED) :].decode())


async def wait_for(pty: Any, needle: bytes) -> None:
    await trio.to_thread.run_sync(pty.wait_for, needle)


async def person(pty: Any, *dialogue: tuple[bytes, bytes]) -> None:
    """Type keys each time that some bytes have been written: (bytes, keys)."""
    for shown, keys in dialogue:
        await wait_for(pty, shown)
        pty.type(keys)


async def test_typed_keys_control_and_quit_a_replay(toy: SimpleNamespace, pty: Any) -> None:
    keys = (b"step 0/100", b" \x1b[F"), (b"step 100/100", b"\x1b[5~"), (b"step 90/100", b"q")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person, pty, *keys)
        await show_replay(Viewer(toy.SavedWalk(), Look(), speed=1.0), on(pty), pty.fd)
    assert_restored(pty)


async def test_an_error_in_a_replay_restores_the_terminal(toy: SimpleNamespace, pty: Any) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person, pty, (b"step 0/100", b"\x1b[C"))
        with pytest.raises(SavedGameError):
            await show_replay(Viewer(toy.SavedWalk(broken_at=1), Look(), speed=0.25), on(pty), pty.fd)
    assert_restored(pty)


async def test_a_cancelled_replay_restores_the_terminal(toy: SimpleNamespace, pty: Any) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: show_replay(Viewer(toy.SavedWalk(), Look()), on(pty), pty.fd))
        await wait_for(pty, b"step 0/100")
        nursery.cancel_scope.cancel()
    assert_restored(pty)


async def test_the_view_of_a_finished_match_is_closed_by_a_key(toy: SimpleNamespace, pty: Any) -> None:
    director = directed(toy, 20)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person, pty, (b"over: rounds", b"q"))
        async with show_match(director, on(pty), past=no_past, speed=512.0, fd=pty.fd) as pace:
            await play(toy, director, pace)
    assert "step 20" in assert_restored(pty)


async def test_an_error_in_a_watched_match_restores_the_terminal(toy: SimpleNamespace, pty: Any) -> None:
    director = directed(toy, 20)

    async def broken() -> None:
        async with show_match(director, on(pty), past=no_past, fd=pty.fd):
            await wait_for(pty, b"round 1")
            raise LookupError("the match broke")

    with pytest.raises(ExceptionGroup) as caught:
        await broken()
    assert caught.group_contains(LookupError)
    assert_restored(pty)


@pytest.fixture
def line() -> Iterator[tuple[int, int, Terminal]]:
    """A terminal that a test hangs up: the master, the slave, and the `Terminal` on the slave."""
    master, slave = os.openpty()
    with suppress(OSError), open(slave, "w", encoding="utf-8") as stream:
        yield master, slave, Terminal(make_console(stream, color="auto", environ={}), Look(), interactive=True)


def hang_up(master: int, needle: bytes) -> None:
    """Close the master when these bytes have been written. After that, writes to the slave fail, without a signal."""
    written = bytearray()
    while needle not in written:
        written += os.read(master, 65536)
    os.close(master)


@pytest.mark.parametrize(
    ("needle", "pause"),
    [(b"", False), (ENTERED, False), (b"step 2", False), (b"step 2", True)],
    ids=["before", "at the start", "in the middle", "in a pause"],
)
async def test_a_match_continues_if_the_terminal_hangs_up(toy, line, needle, pause):
    master, slave, terminal = line
    director = directed(toy, 20)
    if not needle:
        os.close(master)
    async with show_match(director, terminal, past=no_past, speed=256.0, fd=slave) as pace:
        for number in range(1, 21):
            director.step(toy.play(director.state, number))
            if number == 2 and needle:
                await trio.to_thread.run_sync(hang_up, master, needle)
                pace.pause(pause)
            await pace.after(STEP)
    assert director.last_step == 20
    assert not pace.watching


async def test_a_terminal_that_hangs_up_after_the_last_page(toy, line):
    master, slave, terminal = line
    director = directed(toy, 2)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.to_thread.run_sync, hang_up, master, b"over: rounds")
        async with show_match(director, terminal, past=no_past, fd=slave) as pace:
            await play(toy, director, pace)
    assert not pace.watching


def test_cbreak_keeps_ctrl_c_and_is_undone_after_an_error(pty: Any) -> None:
    changed = None

    def broken() -> None:
        nonlocal changed
        with cbreak(pty.fd):
            changed = pty.attributes()
            raise LookupError

    with pytest.raises(LookupError):
        broken()
    assert changed[3] & termios.ISIG
    assert not changed[3] & (termios.ICANON | termios.ECHO)
    assert pty.attributes() == pty.before


def test_cbreak_on_a_terminal_that_hung_up_does_not_fail() -> None:
    master, slave = os.openpty()
    try:
        with cbreak(slave):
            os.close(master)
    finally:
        os.close(slave)
