"""A program's log keeps both ends of what was written."""

from hypothesis import given
from hypothesis import strategies as st

from referee.sandbox.log import KEPT_LOG_BYTES, Log


@given(st.lists(st.integers(1, 70_000), max_size=8))
def test_a_log_keeps_both_ends_and_the_number_of_omitted_bytes(sizes):
    log = Log()
    text = b"".join(bytes([65 + index]) * size for index, size in enumerate(sizes))
    start = 0
    for size in sizes:
        log.add(text[start : start + size])
        start += size
    assert log.total == len(text)
    missing = len(text) - 2 * KEPT_LOG_BYTES
    if missing <= 0:
        assert log.both_ends() == text
    else:
        note = b"\n[%d bytes left out]\n" % missing
        assert log.both_ends() == text[:KEPT_LOG_BYTES] + note + text[-KEPT_LOG_BYTES:]


def test_a_log_that_arrives_byte_by_byte_keeps_only_its_ends():
    log = Log()
    for _ in range(3 * KEPT_LOG_BYTES):
        log.add(b"x")
    assert len(log._last) == KEPT_LOG_BYTES


def test_the_last_lines_of_a_log_are_not_blank():
    log = Log()
    log.add("one\ntwo  \n\n \nдва \xff".encode() + b"\xff\n\n")
    assert log.last_lines(2) == ["two", "два \xff\ufffd"]
