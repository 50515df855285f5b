"""The status lines of bubblewrap, read in pieces that may be cut anywhere."""

import pytest

from referee.sandbox.cells.bubblewrap import STATUS_CAP, Status

FIRST = b'{ "child-pid": 30620, "cgroup-namespace": 4026532252, "uts-namespace": 4026532180 }\n'
LAST = b'{ "exit-code": 137 }\n'


@pytest.mark.parametrize("at", range(1, len(FIRST)))
def test_any_piece_of_the_first_line_tells_of_the_init(at):
    status = Status()
    assert not status.has_init
    for piece in (FIRST[:at], FIRST[at:]):
        status.feed(piece)
        assert (status.has_init, status.exit_code, status.closed) == (True, None, False)


def test_the_end_of_the_program_and_the_end_of_bubblewrap():
    status = Status()
    status.feed(FIRST + LAST[:9])
    assert status.exit_code is None
    status.feed(LAST[9:])
    assert (status.exit_code, status.closed) == (137, False)
    status.feed(b"")
    assert (status.exit_code, status.closed) == (137, True)


def test_bubblewrap_ends_without_starting_a_program():
    status = Status()
    status.feed(b"")
    assert (status.has_init, status.exit_code, status.closed) == (False, None, True)


def test_an_endless_line_is_discarded():
    status = Status()
    for _ in range(3):
        status.feed(b"x" * STATUS_CAP)
    assert (status.exit_code, status.closed) == (None, False)
