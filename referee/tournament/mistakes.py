"""The mistakes of a `tournament.toml`. They are collected, and one error reports all of them, a line each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.errors import UsageError

MOST: Final = 20
"""The most mistakes that are named."""


class Mistakes:
    """The mistakes of a file so far: for each, the key, what is wrong and what to do."""

    def __init__(self, file: Path, mistakes: Iterable[str] = ()) -> None:
        self.file = file
        self.mistakes = list(mistakes)

    @contextmanager
    def at(self, key: str) -> Iterator[None]:
        """A `UsageError` that ends the context is a mistake at this key."""
        try:
            yield
        except UsageError as wrong:
            self.mistakes.append(f"{key}: {wrong}")

    def report(self) -> None:
        """End the search.

        Raises:
            UsageError: there is a mistake; `others` are those after the first.
        """
        lines = [f"{self.file}: {mistake}" for mistake in self.mistakes[:MOST]]
        if (more := len(self.mistakes) - MOST) > 0:
            lines.append(f"{self.file}: {more} more")
        if lines:
            raise _error(lines)


def reworded(error: UsageError, change: Callable[[str], str]) -> UsageError:
    """The same mistakes, with each line changed."""
    return _error([change(line) for line in (str(error), *error.others)])


def _error(lines: Sequence[str]) -> UsageError:
    error = UsageError(lines[0])
    error.others = lines[1:]
    return error
