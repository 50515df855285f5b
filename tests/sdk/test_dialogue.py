"""`run` of every SDK through real pipes: its answers and their time, its log, and how it ends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from subprocess import PIPE

import pytest
import trio
from sdk.programs import BAD_NAMES, GOOD_NAMES, LANGUAGES, Program

NAME = b"Tell Tale\n"
TO_THE_LEFT = ["getAction", "5", ".....", ".....", "b.p.b", ".....", ".....", "0 1 2 2"]
DOWNWARDS = ["getAction", "2", "p.", "b.", "0 1 0 0"]
NOTHING_TO_EAT = ["getAction", "1", "p", "0 1 0 0"]
THROWS = ["getAction", "3", "p..", "...", "..b", "0 1 0 0"]
WRONG_ANSWER = ["getAction", "4", "p...", "....", "....", "..b.", "0 1 0 0"]

Built = Callable[[str, str], Program]

pytestmark = pytest.mark.parametrize("language", LANGUAGES)


def input_of(*lines: str, end: str = "\n") -> bytes:
    return "".join(line + end for line in lines).encode()


class Talk:
    """A running bot. Its input is open until `end`."""

    def __init__(self, process: trio.Process) -> None:
        self._process, self._input, self._output, self._log = process, process.stdin, process.stdout, process.stderr
        self.log = b""

    async def listen(self) -> None:
        async for piece in self._log:
            self.log += piece

    async def say(self, words: bytes) -> None:
        await self._input.send_all(words)

    async def hear(self) -> bytes:
        """The next line of its output. At the end of the output it may be incomplete."""
        line = b""
        while not line.endswith(b"\n") and (byte := await self._output.receive_some(1)):
            line += byte
        return line

    async def end(self) -> tuple[int, bytes]:
        """Close its input, and return its status and the rest of its output."""
        await self._input.aclose()
        rest = b""
        async for piece in self._output:
            rest += piece
        return await self._process.wait(), rest


@asynccontextmanager
async def talk(program: Program) -> AsyncIterator[Talk]:
    """Start a bot. At the end its log is complete and its process has ended."""
    process = await trio.lowlevel.open_process(
        program.command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=program.folder, env=program.environment
    )
    try:
        async with trio.open_nursery() as nursery:
            dialogue = Talk(process)
            nursery.start_soon(dialogue.listen)
            yield dialogue
            await dialogue.end()
    finally:
        if process.returncode is None:
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
async def test_every_answer_comes_while_the_input_is_open(built: Built, language: str, end: str) -> None:
    async with talk(built(language, "bot")) as bot:
        for request, answer in [
            (["getName"], NAME),
            (TO_THE_LEFT, b"L\n"),
            (DOWNWARDS, b"D\n"),
            (["getName"], NAME),
            (NOTHING_TO_EAT, b"N\n"),
            (TO_THE_LEFT, b"L\n"),
        ]:
            await bot.say(input_of(*request, end=end))
            assert await bot.hear() == answer
        assert await bot.end() == (0, b"")
    assert bot.log.split() == [b"thinking"] * 4, "the output of print goes to the log and is not an answer"


async def test_a_request_may_arrive_byte_by_byte(built: Built, language: str) -> None:
    async with talk(built(language, "bot")) as bot:
        for byte in input_of("getName", *TO_THE_LEFT):
            await bot.say(bytes([byte]))
        assert (await bot.hear(), await bot.hear()) == (NAME, b"L\n")
        assert await bot.end() == (0, b"")


def test_the_end_of_input_ends_the_bot(built: Built, language: str) -> None:
    done = built(language, "bot").run(b"")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("count", [1, 2, 4, 7])  # lines: before the size, before and within the field, before a python
def test_the_end_of_input_within_a_request_ends_the_bot(built: Built, language: str, count: int) -> None:
    done = built(language, "bot").run(input_of("getName", *TO_THE_LEFT[:count]))
    assert (done.returncode, done.stdout, done.stderr) == (0, NAME, b"")


@pytest.mark.parametrize("request_line", ["getMove", "", "getname", "getAction ", "U", "getName getName"])
def test_an_unknown_request_ends_the_bot_with_an_error(built: Built, language: str, request_line: str) -> None:
    done = built(language, "bot").run(input_of("getName", request_line, *TO_THE_LEFT[1:]))
    assert done.stdout == NAME
    assert done.returncode != 0
    assert b"request" in done.stderr


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["five", *TO_THE_LEFT[2:]], id="a size that is no number"),
        pytest.param(["", *TO_THE_LEFT[2:]], id="an empty size"),
        pytest.param([*TO_THE_LEFT[1:-1], "0 1 2"], id="a number is missing"),
        pytest.param([*TO_THE_LEFT[1:-1], "0 1 2 2 3 2"], id="too many numbers"),
        pytest.param([*TO_THE_LEFT[1:-1], "0 1 two 2"], id="a word"),
        pytest.param([*TO_THE_LEFT[1:-1], ""], id="an empty line"),
    ],
)
def test_an_invalid_request_ends_the_bot_with_an_error(built: Built, language: str, lines: list[str]) -> None:
    done = built(language, "bot").run(input_of("getName", "getAction", *lines))
    assert done.stdout == NAME
    assert done.returncode != 0
    assert done.stderr
    assert b"thinking" not in done.stderr


def test_an_exception_is_logged_and_ends_the_bot(built: Built, language: str) -> None:
    done = built(language, "bot").run(input_of("getName", *TO_THE_LEFT, *THROWS, *TO_THE_LEFT))
    assert done.stdout == NAME + b"L\n"
    assert done.returncode != 0
    thoughts, _, message = done.stderr.rpartition(b"thinking")
    assert thoughts.count(b"thinking") == 1
    assert b"3" in message


def test_an_answer_other_than_the_six_letters_ends_the_bot(built: Built, language: str) -> None:
    done = built(language, "bot").run(input_of("getName", *TO_THE_LEFT, *WRONG_ANSWER, *TO_THE_LEFT))
    assert done.stdout == NAME + b"L\n"
    assert done.returncode != 0
    # In C++ the answer is a NUL, which ends the text of an exception if it is in it.
    assert (b"U L D R N A, it returned the byte 0" if language == "cpp" else b"X") in done.stderr


@pytest.mark.parametrize("name", GOOD_NAMES.values(), ids=GOOD_NAMES)
def test_a_name_is_written_in_utf_8(built: Built, language: str, name: str) -> None:
    done = built(language, "bot").named(name).run(input_of("getName", *TO_THE_LEFT))
    assert (done.returncode, done.stdout.decode()) == (0, name + "\nL\n")


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES)
def test_a_name_that_the_protocol_forbids_ends_the_bot(built: Built, language: str, name: str) -> None:
    done = built(language, "bot").named(name).run(input_of("getName", *TO_THE_LEFT))
    assert done.stdout == b""
    assert done.returncode != 0
    assert b"name" in done.stderr
