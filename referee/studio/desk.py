"""Answers questions about programs in a separate process, so that no page waits for a parser, a replay or a mistake.

1. Questions and answers are lines of JSON on its standard input and output, one answer for each question, in order.
2. A question has `DEADLINE` seconds. A process that takes longer, or ends, is replaced: this question is refused, and the next
   one gets a new process. A process in which a game's code failed is replaced too, so that the next one loads the corrected code.
3. The process ends when its standard input does, so none is left when the studio is killed.
4. Programs and saved games of strangers are read in a `confined` process. It has a nice value of 10, limits of memory and of
   CPU time, and nothing of the site's environment. Where the kernel has Landlock, it reads saved games and what belongs to the
   referee and Python, and no other file, and it writes none and opens no connection.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from time import process_time
from typing import Any, BinaryIO, Final

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from referee.errors import ProgramError, RefereeError
from referee.games.mistakes import mistake
from referee.sandbox.cells import confine
from referee.studio.questions import Questions
from referee.web.answers import Refusal

DEADLINE: Final = 20.0
"""Seconds for an answer. The moments of a saved game with 20,000 steps take about ten."""
MOST_BYTES: Final = 64 * 2**20
"""The most bytes of an answer."""
MEMORY: Final = 2**30
"""The most bytes of memory of a confined process."""
PROCESS: Final = (sys.executable, "-P", "-m", "referee.studio.desk")
"""The command line. `-P`: a module of the studio's folder must not be imported."""


class Desk:
    """The process and its questions, which are asked one after the other."""

    def __init__(self, folder: Path, *, confined: Sequence[Path] = (), deadline: float = DEADLINE) -> None:
        """Answer questions about the saved games of a folder. The process starts with the first question.

        Args:
            confined: the folders of saved games, for a confined process (theory, point 4). Empty for another.
            deadline: seconds for an answer, and of CPU time in a confined process.
        """
        self._deadline = deadline
        self._words = [*PROCESS, str(folder), *([f"{self._deadline}", *map(str, confined)] if confined else [])]
        self._environment = {"PATH": os.defpath, "LANG": "C.UTF-8"} if confined else None
        self._process: Process | None = None
        self._turn = anyio.Lock()

    async def ask(self, kind: str, **question: Any) -> dict[str, Any]:
        """The answer to a question.

        Args:
            kind: a method of `Questions`. question: its arguments.

        Raises:
            Refusal: there is no answer; with `line` and `column` if a program is wrong there.
        """
        line = json.dumps([kind, question]).encode() + b"\n"
        try:
            async with self._turn:
                with anyio.fail_after(self._deadline):
                    answer: dict[str, Any] = json.loads(await self._answer(line))
                if answer.get("is_mistake"):
                    await self.close()
        except TimeoutError:
            raise Refusal("unprocessable", f"there was no answer within {self._deadline:g} seconds") from None
        except (OSError, anyio.BrokenResourceError, anyio.IncompleteRead, anyio.DelimiterNotFound):
            raise Refusal("unprocessable", "the process that reads programs has ended: try again") from None
        if "refused" in answer:
            raise Refusal("unprocessable", **answer["refused"])
        return answer

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            with anyio.CancelScope(shield=True):
                with suppress(ProcessLookupError):
                    process.kill()
                await process.aclose()

    async def _answer(self, line: bytes) -> bytes:
        try:
            if self._process is None:
                self._process = await anyio.open_process(
                    self._words, stderr=None, start_new_session=True, env=self._environment
                )
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            await self._process.stdin.send(line)
            return await BufferedByteReceiveStream(self._process.stdout).receive_until(b"\n", MOST_BYTES)
        except BaseException:
            await self.close()  # otherwise its answer would be taken for that of the next question
            raise


def serve(questions: Questions, lines: BinaryIO, answers: BinaryIO, seconds: float | None = None) -> None:
    """Answer each line until the input ends, with so many seconds of CPU time for each."""
    while line := lines.readline():
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (ceil(process_time() + seconds) + 1, resource.RLIM_INFINITY))
        kind, question = json.loads(line)
        try:
            answer = getattr(questions, kind)(**question)
        except Exception as failed:
            error = failed if isinstance(failed, (RefereeError, OSError)) else mistake(failed)
            if error is None:
                raise
            answer = {"refused": _refusal(error), "is_mistake": error is not failed}
        answers.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
        answers.flush()


def _refusal(failed: RefereeError | OSError) -> dict[str, Any]:
    """Why there is no answer, and where a program is wrong."""
    if isinstance(failed, ProgramError) and failed.line:
        return {"message": str(failed).partition(": ")[2], "line": failed.line, "column": failed.column}
    return {"message": str(failed)}


def confine_to(saved: Sequence[str]) -> None:
    """Keep this process to what it needs (theory, point 4)."""
    os.nice(10)
    for limit, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(limit, (most, most))
    readable = {*sys.path, sys.prefix, sys.base_prefix, "/usr", "/lib", "/lib64", *saved}
    with suppress(confine.Failed):
        confine.keep_to_reading([path for path in readable if os.path.exists(path)])


def main() -> None:
    """The process."""
    folder, *more = sys.argv[1:]
    if more:
        confine_to(more[1:])
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # what games print is no answer
    serve(Questions(Path(folder)), sys.stdin.buffer, answers, float(more[0]) if more else None)


if __name__ == "__main__":
    main()
