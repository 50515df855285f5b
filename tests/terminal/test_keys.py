import os
from collections.abc import Iterator
from contextlib import suppress

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from referee.terminal import keys as k
from referee.terminal.keys import Decoder, Keyboard


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b" ", [k.SPACE]),
        (b"q?nN+-=09", list("q?nN+-=09")),
        (b"\t", [k.TAB]),
        (b"\r", [k.ENTER]),
        (b"\n", [k.ENTER]),
        (b"\x7f\x08", [k.BACKSPACE] * 2),
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", [k.UP, k.DOWN, k.RIGHT, k.LEFT]),
        (b"\x1bOA\x1bOB\x1bOC\x1bOD", [k.UP, k.DOWN, k.RIGHT, k.LEFT]),
        (b"\x1b[1;5C\x1b[1;2D", [k.RIGHT, k.LEFT]),
        (b"\x1b[5~\x1b[6~\x1b[5;5~", [k.PAGE_UP, k.PAGE_DOWN, k.PAGE_UP]),
        (b"\x1b[H\x1bOH\x1b[1~\x1b[7~", [k.HOME] * 4),
        (b"\x1b[F\x1bOF\x1b[4~\x1b[8~", [k.END] * 4),
        (b"\x1b[Z", [k.BACK_TAB]),
        # Unknown: F5, a mouse report, Alt-x, a device report.
        (b"\x1b[15~a", ["a"]),
        (b"\x1b[<0;12;7Ma", ["a"]),
        (b"\x1bxa", ["a"]),
        (b"\x1b[?62;1;4ca", ["a"]),
        (b"\xd0\x96\x00\x01a", ["a"]),
        (b"\x1b\x1b[A", [k.ESCAPE, k.UP]),
        (b"\x1b[1\x1b[A", [k.UP]),
    ],
)
def test_keys_of_terminals_are_decoded(data, keys):
    whole, bytewise = Decoder(), Decoder()
    assert whole.feed(data) == keys
    assert [key for byte in data for key in bytewise.feed(bytes([byte]))] == keys
    assert not whole.pending


def test_flush_decides_an_incomplete_sequence():
    decoder = Decoder()
    assert decoder.feed(b"\x1b") == []
    assert decoder.pending
    assert decoder.flush() == [k.ESCAPE]
    assert not decoder.pending
    assert decoder.feed(b"\x1b[5") == []
    assert decoder.flush() == []
    assert decoder.flush() == []


@given(st.binary(max_size=200))
def test_any_bytes_are_accepted(data):
    decoder = Decoder()
    for key in decoder.feed(data):
        assert key
    assert len(decoder._sequence) <= k.LONGEST


@pytest.fixture
def typed() -> Iterator[tuple[Keyboard, int]]:
    """A keyboard, and the descriptor to which a test writes the bytes of keys."""
    read, write = os.pipe()
    yield Keyboard(read), write
    for fd in (read, write):
        with suppress(OSError):
            os.close(fd)


async def test_escape_alone_is_decided_after_50_ms(typed, autojump_clock):
    keyboard, keys = typed
    os.write(keys, b"\x1b")
    start = trio.current_time()
    assert await keyboard.key() == k.ESCAPE
    assert trio.current_time() - start == pytest.approx(k.ESCAPE_WAIT)


async def test_a_sequence_in_two_parts_is_one_key(typed, autojump_clock):
    keyboard, keys = typed
    os.write(keys, b"\x1b")
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def rest() -> None:
            await trio.sleep(0.049)
            os.write(keys, b"[A")

        assert await keyboard.key() == k.UP
    assert trio.current_time() < k.ESCAPE_WAIT


async def test_later_bytes_do_not_postpone_the_decision(typed, autojump_clock):
    keyboard, keys = typed
    os.write(keys, b"\x1b")
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def trickle() -> None:
            for byte in b"[11":
                await trio.sleep(0.02)
                os.write(keys, bytes([byte]))
            await trio.sleep(1)
            os.write(keys, b"q")

        # The third byte comes at 0.06 s, after the sequence that began at 0 s was abandoned, so it is a separate key.
        assert await keyboard.key() == "1"
        assert trio.current_time() == pytest.approx(0.06)
        assert await keyboard.key() == "q"


async def test_cancelling_loses_no_key(typed, autojump_clock):
    keyboard, keys = typed
    for _ in range(3):
        with trio.move_on_after(0.01) as scope:
            await keyboard.key()
        assert scope.cancelled_caught
    os.write(keys, b"ab")
    assert [await keyboard.key(), await keyboard.key()] == ["a", "b"]


async def test_the_end_of_input_is_none(typed):
    keyboard, keys = typed
    os.write(keys, b"a")
    os.close(keys)
    assert [await keyboard.key(), await keyboard.key(), await keyboard.key()] == ["a", None, None]
