"""What is read from files is read strictly: unknown keys and wrong types are errors that name the key.

1. `"12"` is not 12 and a misspelt key is not silently a default: the people who edit these files want to know.
2. A model's validator is built when it is first needed (`defer_build`): a command imports many models and reads few files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from referee.names import shorten

Model = TypeVar("Model", bound=BaseModel)


class Strict(BaseModel):
    """Base of the models for positions, maps and manifests."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True, defer_build=True)


def read(model: type[Model], data: Any, error: Callable[[str], Exception]) -> Model:
    """`data`, as JSON or TOML gives it, as a model.

    Raises:
        error: with one line that names the first key that is wrong, and how.
    """
    try:
        return model.model_validate(data)
    except ValidationError as failed:
        raise error(explain(failed)) from None


def explain(failed: ValidationError) -> str:
    """The first thing that a model found wrong, in one line: `players.0.seat: Input should be a valid integer`."""
    first = failed.errors(include_url=False, include_input=False)[0]
    where = ".".join(_key(part) for part in first["loc"])
    text = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        text = "unknown key"
    elif first["type"] == "missing":
        text = "missing"
    more = f" (and {failed.error_count() - 1} more)" if failed.error_count() > 1 else ""
    return f"{where}: {text}{more}" if where else text + more


def _key(part: int | str) -> str:
    """A key as it is named: what is not a plain word was chosen by a stranger."""
    return shorten(str(part), 40)
