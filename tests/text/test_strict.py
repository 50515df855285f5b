"""Errors of models name the key, the allowed values, and the number of further mistakes."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from referee.errors import SetupError
from referee.text.strict import MayBeMissing, Strict, read


def test_validators_are_built_on_first_use():
    class Plain(Strict):
        size: int

    assert not Plain.__pydantic_complete__
    assert read(Plain, {"size": 3}, SetupError).size == 3
    assert Plain.__pydantic_complete__


class Inner(Strict):
    few: Annotated[list[int], Field(min_length=1, max_length=2)] = [1]  # noqa: RUF012 - never changed
    word: Annotated[str, Field(min_length=2, max_length=4)] = "ab"


class Outer(Strict):
    whole: Annotated[int, Field(gt=0, lt=9)] = 1
    half: Annotated[float, Field(ge=0.5, le=2.5, allow_inf_nan=False)] = 0.5
    sure: bool = True
    kind: Literal["a", "b"] = "a"
    inner: Inner = Inner()
    inners: MayBeMissing[list[Inner]] = None
    table: dict[str, int] = {}  # noqa: RUF012
    pair: tuple[int, int] = 1, 2
    more: MayBeMissing[Annotated[list[int | None], Field(max_length=2)]] = None
    needed: int


def test_a_missing_optional_key_is_none():
    assert read(Outer, {"needed": 1}, SetupError).more is None
    assert read(Outer, {"needed": 1, "more": [None, 1]}, SetupError).more == [None, 1]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"whole": "1"}, "whole: must be a whole number"),
        ({"whole": 1.5}, "whole: must be a whole number"),
        ({"whole": 0}, "whole: must be more than 0"),
        ({"whole": 9}, "whole: must be less than 9"),
        ({"half": 0.4}, "half: must be 0.5 or more"),
        ({"half": 3}, "half: must be 2.5 or less"),
        ({"half": "x"}, "half: must be a number"),
        ({"half": float("inf")}, "half: must be a finite number"),
        ({"sure": 1}, "sure: must be true or false"),
        ({"kind": "c"}, "kind: must be 'a' or 'b'"),
        ({"inner": 3}, "inner: must be an object, keys with values"),
        ({"table": 3}, "table: must be an object, keys with values"),
        ({"inner": {"few": []}}, "inner.few: must have 1 entry or more"),
        ({"inner": {"few": [1, 2, 3]}}, "inner.few: must have at most 2 entries"),
        ({"inner": {"few": "x"}}, "inner.few: must be a list"),
        ({"inner": {"word": "x"}}, "inner.word: must have 2 characters or more"),
        ({"inner": {"word": "x" * 9}}, "inner.word: must have at most 4 characters"),
        ({"inner": {"word": 3}}, "inner.word: must be a text in quotes"),
        ({"pair": [1, 2]}, "pair: must be a list; if it is one, the model must say `list`, not `tuple`: files have no tuples"),
        ({"needed": ...}, "needed: missing"),
        ({"more": None}, "more: must be a list"),
        ({"more": [None, "x"]}, "more.1: must be a whole number"),
        ({"more": [None, 1, 2]}, "more: must have at most 2 entries"),
        ({"other": 1}, "other: unknown key"),
        ({"knid": "b"}, "knid: unknown key (did you mean 'kind'?)"),
        ({"inner": {"words": "ab"}}, "inner.words: unknown key (did you mean 'word'?)"),
        ({"inner": {"kinds": "a"}}, "inner.kinds: unknown key"),
        ({"word": "ab"}, "word: unknown key (did you mean 'inner.word'?)"),
        ({"inners": [{}, {"Few": [1]}]}, "inners.1.Few: unknown key (did you mean 'few'?)"),
        ({"whole": 0, "sure": 2, "other": 1}, "whole: must be more than 0 (and 2 more)"),
    ],
)  # fmt: skip
def test_each_mistake_has_its_message(values: dict[str, Any], message: str) -> None:
    document = {key: value for key, value in {"needed": 1, **values}.items() if value is not ...}
    with pytest.raises(SetupError) as caught:
        read(Outer, document, SetupError)
    assert str(caught.value) == message
