"""Which children of the referee are leftovers of a player, and which are not."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio
from contests import setup
from seating import Hears
from starting import started

from referee.contract.clock import Clock
from referee.games.snakecore.plugin import GAME
from referee.players.table import end_players
from referee.sandbox.builds.build import build
from referee.sandbox.cells import children
from referee.sandbox.limits import Level

REQUEST = GAME.start(setup(8), 1).requests()[0]


BARE = "leaves_bare_daemons"


class Room:
    """Starts players one by one; they end with the test, however it ends."""

    def __init__(self, bot, nursery, players):
        self.bot, self.nursery, self.players = bot, nursery, players

    async def start(self, program="honest"):
        """A player that has answered and has logged its children."""
        heard = bytearray()
        player = await started(self.bot(program), len(self.players), self.nursery, tap=Hears(heard.extend))
        self.players.append(player)
        assert (await player.ask(REQUEST, Clock(GAME.time))).action == "bot"
        while program == BARE and heard.count(b"\n") < 2:
            await trio.lowlevel.checkpoint()
        return player


@pytest.fixture
async def room(bot):
    players = []
    async with trio.open_nursery() as nursery, end_players(players):
        yield Room(bot, nursery, players)


def lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def a_tick():
    """Waits until the clock of process start times, in hundredths of a second since boot, has moved on."""
    since = uptime()
    while uptime() == since:
        await trio.lowlevel.checkpoint()


def uptime():
    return Path("/proc/uptime").read_text().split()[0]


async def test_a_daemon_without_a_token_ends_with_the_last_player_that_may_have_started_it(room, told_children):
    neighbour = await room.start()
    await a_tick()
    player = await room.start(BARE)
    await a_tick()
    await room.start()
    daemons = told_children(player)
    await player.end(grace=0)
    assert [lives(pid) for pid in daemons] == [True, True], "the neighbour could have started them"
    await neighbour.end(grace=0)
    assert [lives(pid) for pid in daemons] == [False, False], "a later player could not"


async def test_players_that_end_concurrently_leave_no_daemons(room, told_children):
    players = [await room.start() for _ in range(3)]
    left = await room.start(BARE)
    await left.end(grace=0)
    daemons = told_children(left)
    assert [lives(pid) for pid in daemons] == [True, True]
    for player in players:  # all are zombies, so all look at the same moment
        os.kill(player._process.cell.pid, signal.SIGKILL)
        os.waitid(os.P_PID, player._process.cell.pid, os.WEXITED | os.WNOWAIT)  # noqa: ASYNC222
    async with end_players(players):
        pass
    assert [lives(pid) for pid in daemons] == [False, False]


# -- programs that embed the referee have children too, some with their own session ---------------------------


class Own:
    """Two children, one running and one a zombie. Without an environment, they resemble what players leave."""

    def __init__(self):
        self.sleeps = subprocess.Popen(["/bin/sleep", "100"], env={}, start_new_session=True)
        exits = [sys.executable, "-I", "-S", "-c", "raise SystemExit(7)"]
        self.exited = subprocess.Popen(exits, env={}, start_new_session=True)
        os.waitid(os.P_PID, self.exited.pid, os.WEXITED | os.WNOWAIT)

    def untouched(self):
        """Whether they are unchanged, and their status is still available to the process that started them."""
        lives = self.sleeps.poll() is None
        self.sleeps.kill()
        self.sleeps.wait()
        return lives and self.exited.wait() == 7


async def test_children_from_before_the_first_player_are_left_alone(room):
    own = Own()
    players = [await room.start(BARE) for _ in range(2)]
    for player in players:
        await player.end(grace=0)
    assert own.untouched()


async def test_children_started_between_two_matches_are_left_alone(room):
    first = await room.start()
    await first.end(grace=0)
    own = Own()
    second = await room.start()
    await second.end(grace=0)
    assert own.untouched()


async def test_spared_children_are_left_alone(room):
    players = [await room.start(BARE) for _ in range(2)]
    own = Own()
    with children.spared(own.sleeps.pid), children.spared(own.exited.pid):
        for player in players:
            await player.end(grace=0)
        assert own.untouched()


async def test_the_sweep_of_a_build_leaves_them_alone(tmp_path):
    own = Own()
    assert (await build("x", ["true"], tmp_path, level=Level.NONE)).ok
    assert own.untouched()


async def test_a_reused_pid_does_not_spare_a_process(room, told_children, monkeypatch):
    """A player's daemon with the process id of an earlier process: its start time differs."""
    player = await room.start(BARE)
    daemons = told_children(player)
    monkeypatch.setattr(children, "_before", {(pid, 1) for pid in daemons})
    await player.end(grace=0)
    assert [lives(pid) for pid in daemons] == [False, False]


@pytest.mark.parametrize("name", [b"a) Z 1 (b", b"\xff) \xfe"])
def test_the_start_time_of_a_process_with_an_odd_name(name):
    comm = Path("/proc/self/comm")
    before, began = comm.read_bytes(), children._began(os.getpid())
    comm.write_bytes(name)
    try:
        assert children._began(os.getpid()) == began
    finally:
        comm.write_bytes(before.strip())
