"""The process of a job: `python -m referee.studio.work KIND`, KIND a function of `tasks`. See `jobs` for its input and output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from referee.errors import RefereeError
from referee.web.processes import Message, run


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
        _put({"event": kind, **fields})

    def say(self, line: str) -> None:
        """Take a line for people at a terminal: pages show none."""


def main() -> None:
    """Do one job."""
    sys.stdout = sys.stderr  # what the code of games prints is no message
    task, channel = getattr(import_module("referee.studio.tasks"), sys.argv[1]), Channel()

    async def work(request: Message) -> None:
        _put({"result": await task(request, channel)})

    try:
        run(work, lambda message: channel.listener(message))
    except RefereeError as failed:
        _put({"error": str(failed)})
    except OSError as failed:
        _put({"error": f"{failed.filename or 'the machine'}: {failed.strerror or failed}"})


def _put(document: Message) -> None:
    # One write, so that lines are whole; stdout of games, bots and compilers is elsewhere.
    assert sys.__stdout__ is not None
    sys.__stdout__.write(json.dumps(document) + "\n")
    sys.__stdout__.flush()


if __name__ == "__main__":
    main()
