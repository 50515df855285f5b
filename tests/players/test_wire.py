"""Bytes in, lines out: the result does not depend on how a reply is split, and buffers never exceed the cap."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from referee.players.wire import Breach, LineBuffer

CAP = 8

replies = st.lists(st.sampled_from([b"N", b"\n", b"\r\n", b"12345678", b"\0", b"\xff"]), max_size=8).map(b"".join)


def cut(data: bytes, at: set[int]) -> list[bytes]:
    cuts = [0, *sorted(cut for cut in at if cut < len(data)), len(data)]
    return [data[a:b] for a, b in pairwise(cuts)]


def fed(pieces: list[bytes], wanted: int) -> tuple[list[bytes], Breach | None, LineBuffer]:
    """The lines, the breach (if any) and the buffer after a reply that arrives in these pieces."""
    buffer = LineBuffer(wanted, CAP)
    for piece in pieces:
        if (breach := buffer.feed(piece)) is not None:
            return buffer.lines, breach, buffer
    return buffer.lines, None, buffer


@given(replies, st.integers(1, 3), st.sets(st.integers(1, 60)))
@example(b"N" * CAP + b"\n", 1, set())
@example(b"N" * (CAP + 1) + b"\n", 1, set())
@example(b"N" * (CAP + 1) + b"\n", 1, {CAP + 1})
@example(b"N\nN", 1, {2})
def test_any_chunking_gives_the_same_lines_or_the_same_breach(reply, wanted, at):
    whole = fed([reply], wanted)[:2]
    assert fed(cut(reply, at), wanted)[:2] == whole
    *ended, _ = reply.split(b"\n")
    if whole[1] is None:
        assert whole[0] == ended


@given(st.binary(max_size=200), st.integers(1, 3), st.data())
def test_the_buffer_holds_at_most_its_lines_and_one_byte(stream, wanted, data):
    buffer = LineBuffer(wanted, CAP)
    while stream:
        assert 1 <= buffer.room <= wanted * (CAP + 1) + 1
        size = data.draw(st.integers(1, buffer.room))
        piece, stream = stream[:size], stream[size:]
        breach = buffer.feed(piece)
        assert len(buffer.rest) <= wanted * (CAP + 1) + 1
        assert all(len(line) <= CAP for line in buffer.lines)
        if breach is not None:
            return
    assert len(buffer.lines) <= wanted


def test_the_cap_applies_to_each_line_of_an_answer():
    buffer = LineBuffer(2, CAP)
    assert buffer.feed(b"12345678\n") is None
    assert not buffer.complete
    assert buffer.room == CAP + 2
    assert buffer.feed(b"2\n") is None
    assert buffer.complete
