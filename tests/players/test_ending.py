"""A player leaves nothing behind, however it ends. The fixture `nothing_left` checks that around every test here."""

import errno
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
import trio
from contests import setup
from raising import raising
from seating import Hears
from starting import started
from trio.testing import wait_all_tasks_blocked

from referee.contract.clock import Clock
from referee.contract.game import Fault, FaultKind
from referee.errors import BotError
from referee.games.snakecore.plugin import GAME
from referee.match import loop
from referee.players.process import Process, exit_words
from referee.sandbox.cells import children
from referee.sandbox.cells.bare import BareLaunch

pytestmark = pytest.mark.machine

NAME = GAME.start(setup(8), 1).requests()[0]

# Programs that do not exit by themselves, each for another reason.
STAYING = [
    "never_answers", "stops_itself", "closes_output", "never_reads", "leaves_children", "leaves_daemon",
    "floods_log",
]  # fmt: skip


@pytest.mark.parametrize("program", STAYING)
async def test_after_a_cancel(program, table):
    with trio.CancelScope() as scope:
        async with table(program) as (state, players, clocks, asked), trio.open_nursery() as playing:
            playing.start_soon(loop.play, state, players, clocks)
            await asked.wait()
            scope.cancel()
    assert scope.cancelled_caught


@pytest.mark.parametrize("grace", [0.0, 30.0])
async def test_before_the_first_request(bot, grace):
    async with trio.open_nursery() as nursery:
        player = await started(bot("honest"), 0, nursery)
        await player.end(grace=grace)


async def test_a_program_that_exits_at_the_end_of_its_input_gets_time_for_it(bot):
    heard = bytearray()
    async with trio.open_nursery() as nursery:
        player = await started(bot("says_goodbye"), 0, nursery, tap=Hears(heard.extend))
        await player.ask(NAME, Clock(GAME.time))
        await player.end(grace=30.0)
    assert heard == b"goodbye\n"
    assert player.last_words(3) == ["goodbye"]


async def test_a_program_without_grace_is_killed_before_its_input_ends(bot, monkeypatch):
    """Otherwise an error about the end of its input would be among the last lines after a verdict."""
    async with trio.open_nursery() as nursery:
        player = await started(bot("says_goodbye"), 0, nursery)
        process = player._process
        kill, open_at_kill = process.cell.kill, []

        def observed_kill() -> None:
            open_at_kill.append(not process._stdin.closed)
            kill()

        monkeypatch.setattr(process.cell, "kill", observed_kill)
        await player.ask(NAME, Clock(GAME.time))
        await player.end(grace=0)
    assert open_at_kill[0]
    assert process._stdin.closed


async def test_last_words_are_kept_after_a_cancelled_match_too(bot):
    async with trio.open_nursery() as nursery:
        player = await started(bot("says_goodbye"), 0, nursery)
        await player.ask(NAME, Clock(GAME.time))
        nursery.cancel_scope.cancel()
        with trio.CancelScope(shield=True):
            await wait_all_tasks_blocked()  # the task that drained the log has ended
            await player.end(grace=30.0)
    assert player.last_words(3) == ["goodbye"]


async def test_concurrent_ends_all_wait_for_the_end(bot):
    async with trio.open_nursery() as nursery:
        player = await started(bot("honest"), 0, nursery)
        async with trio.open_nursery() as enders:
            for grace in (30.0, 30.0, 0.0):
                enders.start_soon(_end, player, grace)


async def _end(player, grace):
    await player.end(grace=grace)
    assert player._process.ended


async def test_an_interrupted_end_can_be_repeated(bot, monkeypatch):
    async with trio.open_nursery() as nursery:
        player = await started(bot("leaves_daemon"), 0, nursery)
        await player.ask(NAME, Clock(GAME.time))
        with monkeypatch.context() as ctrl_c:
            ctrl_c.setattr(os, "killpg", _interrupt)
            with pytest.raises(KeyboardInterrupt):
                await player.end(grace=0)
        await player.end(grace=0)


def _interrupt(pid, number):
    raise KeyboardInterrupt


async def test_a_cancel_does_not_interrupt_an_end(bot):
    async with trio.open_nursery() as nursery:
        player = await started(bot("leaves_daemon"), 0, nursery)
        await player.ask(NAME, Clock(GAME.time))
        nursery.cancel_scope.cancel()
        await player.end(grace=0)


async def test_an_ended_player_does_not_use_reused_descriptors(bot):
    async with trio.open_nursery() as nursery:
        player = await started(bot("honest"), 0, nursery)
        await player.end(grace=0)
        neighbour = await started(bot("honest"), 1, nursery)
        with pytest.raises(OSError, match="Bad file descriptor"):
            await player.ask(NAME, Clock(GAME.time))
        await neighbour.end(grace=0)


async def test_other_children_of_the_referee_are_left_alone(bot):
    async with trio.open_nursery() as nursery:
        own = await nursery.start(trio.run_process, ["sleep", "1000"])
        player = await started(bot("leaves_daemon"), 0, nursery)
        neighbour = await started(bot("honest"), 1, nursery)
        await player.ask(NAME, Clock(GAME.time))
        await player.end(grace=0)
        assert own.poll() is None
        assert (await neighbour.ask(NAME, Clock(GAME.time))).action == "bot"
        await neighbour.end(grace=0)
        nursery.cancel_scope.cancel()


@pytest.fixture
def ignored_children():
    """A referee that inherits an ignored SIGCHLD."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    children._adopt.cache_clear()
    yield
    signal.signal(signal.SIGCHLD, before)


async def test_the_status_is_known_even_if_the_referee_inherits_an_ignored_sigchld(ignored_children, contest):
    played = await contest("exits_mid_match")
    played.assert_others_did_not_suffer()
    assert played.fault.detail == "exited with status 4"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (128, "exited with status 128"),
        (139, "exited with status 139 (as after SIGSEGV)"),
        (217, "exited with status 217"),
        (-9, "ended by signal 9 (SIGKILL)"),
        (-35, "ended by signal 35 (a real-time signal)"),
    ],
)
def test_a_status_names_the_signal_with_that_number(status, words):
    assert exit_words(status) == words


async def test_zombies_whose_status_is_still_needed_are_not_reaped(bot):
    async with trio.open_nursery() as nursery:
        own = subprocess.Popen([sys.executable, "-I", "-S", "-c", "raise SystemExit(7)"])  # noqa: ASYNC220
        neighbour = await started(bot("exits_at_once"), 1, nursery)
        for pid in (own.pid, neighbour._process.cell.pid):
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # noqa: ASYNC222
        player = await started(bot("honest"), 0, nursery)
        await player.end(grace=0)
        assert own.wait() == 7
        answer = await neighbour.ask(NAME, Clock(GAME.time))
        assert answer.action == Fault(FaultKind.EXIT, "exited with status 3")


# -- a program that cannot be started is the user's error: one line says what to do ---------------------------------


@pytest.mark.parametrize(
    ("content", "mode", "words"),
    [
        (None, 0, "there is no program './bot': install it, or correct `run` in its bot.toml"),
        (b"#!/bin/sh\n", 0o644, "'./bot' may not be executed: run chmod +x on it, or name its interpreter in front"),
        (
            b"#!/absent/python\n", 0o755,
            "the interpreter in the first line of './bot' is not here: install it, or correct the line",
        ),
        (
            b"\x7fELF of another machine", 0o755,
            "'./bot' is not a program for this machine: build it here, or begin a script with a line #!…",
        ),
    ],
)  # fmt: skip
async def test_a_program_that_cannot_be_started(tmp_path, bot, content, mode, words):
    if content is not None:
        (tmp_path / "bot").write_bytes(content)
        (tmp_path / "bot").chmod(mode)
    launch = replace(bot("x"), argv=["./bot"], cwd=tmp_path)
    async with trio.open_nursery() as nursery:
        with pytest.raises(BotError, match=f"^{re.escape(f'bot x cannot be started: {words}')}$"):
            await started(launch, 0, nursery)


async def test_a_missing_folder(tmp_path, bot):
    launch = replace(bot("honest"), cwd=tmp_path / "absent")
    async with trio.open_nursery() as nursery:
        with pytest.raises(BotError, match=r"there is no folder '.*absent' to start it in"):
            await started(launch, 0, nursery)


async def test_the_last_words_of_a_program_are_in_its_log_once_it_is_known_how_it_ended(bot):
    async with trio.open_nursery() as nursery:
        pass
    process = Process(BareLaunch(replace(bot("honest"), argv=["sh", "-c", "echo lost >&2; exit 3"])))
    with pytest.raises(RuntimeError, match="closed"):
        await process.settle(nursery)  # so no task reads its stderr
    assert await process.how_it_ended() == "exited with status 3"
    assert process.log.last_lines(5) == ["lost"]
    await process.end(grace=0)


async def test_a_start_that_fails_halfway(bot, monkeypatch):
    monkeypatch.setattr(os, "pidfd_open", raising(OSError(errno.EMFILE, "Too many open files")))
    async with trio.open_nursery() as nursery:
        with pytest.raises(OSError, match="Too many open files"):
            await started(bot("honest"), 0, nursery)
