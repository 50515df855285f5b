"""The job of a question: the request of one step is put to a bot again, as `referee ask` does."""

from __future__ import annotations

import json
import sys
from typing import Any

import trio

from referee.errors import UsageError
from referee.studio.work import Channel


async def work(request: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Ask a bot; the result is that of `ask --json`.

    Args:
        request: the word for the `bot`, the saved game (`saved`), the `step`, and the `seat` from 0.
    """
    where = [f"--step={request['step']}", f"--seat={request['seat'] + 1}"]
    # A process of its own, because the command runs an event loop itself.
    command = [sys.executable, "-P", "-m", "referee", "ask", request["bot"], request["saved"], *where, "--json"]
    done = await trio.run_process(command, capture_stdout=True, capture_stderr=True, check=False)
    if not done.stdout:
        raise UsageError(
            done.stderr.decode(errors="replace").strip().removeprefix("referee: ") or "the command said nothing"
        )
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers
