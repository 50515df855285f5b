"""What a fault's message says of the player's output can be read out of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.contract.game import Fault, FaultKind
from referee.players.faults import ended, unasked, written
from referee.text.words import quote

outputs = st.binary(min_size=1, max_size=100)


def in_quotes(output: bytes) -> str:
    return quote(output).partition('"')[2].rpartition('"')[0]


@given(outputs, outputs)
def test_the_output_is_what_the_message_quotes_last(output: bytes, answer: bytes) -> None:
    assert written(unasked(output, [answer])) == in_quotes(output)
    assert written(unasked(output, None)) == in_quotes(output)
    assert written(ended(output)) == in_quotes(output)


@pytest.mark.parametrize(
    ("kind", "detail", "output"),
    [
        (FaultKind.INVALID, 'expected "yes" or "no", got "may\\"be"', 'may\\"be'),
        (FaultKind.OVERFLOW, 'a line longer than 9 bytes: "aaaa … aaaa" (70 bytes)', "aaaa … aaaa"),
        (FaultKind.INVALID, "expected a letter, got an empty line", None),
        (FaultKind.TIMEOUT, "no answer within 1 s", None),
        (FaultKind.EXIT, 'end of output: "java" cannot be started', None),
    ],
)
def test_what_is_quoted_and_no_output(kind: FaultKind, detail: str, output: str | None) -> None:
    assert written(Fault(kind, detail)) == output
