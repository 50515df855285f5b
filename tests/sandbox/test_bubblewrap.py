"""The status lines of bubblewrap, read in pieces that may be cut anywhere."""

import pytest

from referee.sandbox.cells.bubblewrap import STATUS_CAP, Status

FIRST = b'{ "child-pid": 30620, "cgroup-namespace": 4026532252, "uts-namespace": 4026532180 }\n'
LAST = b'{ "exit-code": 137 }\n'


@pytest.mark.parametrize("at", range(1, len(FIRST)))
def test_the_pid_is_known_as_soon_as_it_is_complete(at):
    status = Status()
    status.feed(FIRST[:at])
    assert status.child == (30620 if at > FIRST.index(b"30620") + 5 else None)
    status.feed(FIRST[at:])
    assert (status.child, status.exit_code, status.over) == (30620, None, False)


def test_the_end_of_the_program_and_the_end_of_bubblewrap():
    status = Status()
    status.feed(FIRST + LAST[:9])
    assert status.exit_code is None
    status.feed(LAST[9:])
    assert (status.exit_code, status.over, status.closed) == (137, True, False)
    status.feed(b"")
    assert (status.child, status.exit_code, status.closed) == (30620, 137, True)


def test_bubblewrap_ends_without_starting_a_program():
    status = Status()
    status.feed(b"")
    assert (status.child, status.exit_code, status.over) == (None, None, True)


def test_an_endless_line_is_discarded():
    status = Status()
    for _ in range(3):
        status.feed(b"x" * STATUS_CAP)
    assert status.child is None
    assert not status.over
