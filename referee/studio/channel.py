"""What the process of a job says to the studio, and hears from it; `jobs` is the other end."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from referee.web.processes import Message


class Channel:
    """The studio, as a job sees it.

    Attributes:
        listener: gets what the studio sends after the request.
    """

    listener: Callable[[Message], None]

    def __init__(self) -> None:
        self.listener = lambda _message: None

    def tell(self, kind: str, **fields: Any) -> None:
        """Report something that happened."""
        self.write({"event": kind, **fields})

    def say(self, line: str) -> None:
        """Take a line for people at a terminal: pages show none."""

    def write(self, document: Message) -> None:
        """Write a line of JSON, in one write, so that lines are whole. The stdout of games, bots and compilers is elsewhere."""
        assert sys.__stdout__ is not None
        sys.__stdout__.write(json.dumps(document) + "\n")
        sys.__stdout__.flush()
