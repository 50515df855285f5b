"""What is read from files is read strictly, by validators that are built when they are needed."""

from __future__ import annotations

import pytest

from referee.errors import SetupError
from referee.strict import Strict, read


def test_a_model_that_nothing_is_read_by_costs_no_validator():
    class Plain(Strict):
        size: int

    assert not Plain.__pydantic_complete__
    assert read(Plain, {"size": 3}, SetupError).size == 3
    assert Plain.__pydantic_complete__


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"size": "3"}, "size: Input should be a valid integer"),
        ({"size": 3, "colour": 1}, "colour: unknown key"),
        ({}, "size: missing"),
        ({"colour": 1}, r"size: missing \(and 1 more\)"),
    ],
)
def test_what_is_wrong_is_told_by_its_key(data, told):
    class Plain(Strict):
        size: int

    with pytest.raises(SetupError, match=told):
        read(Plain, data, SetupError)
