"""A function of the system or of ours that fails."""

from collections.abc import Callable
from typing import Any


def raising(error: BaseException | type[BaseException]) -> Callable[..., Any]:
    """A function that raises this error, whatever its arguments."""

    def fails(*_args: object, **_more: object) -> Any:
        raise error

    return fails
