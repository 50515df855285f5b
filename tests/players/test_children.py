"""Programs that embed the referee have children too, some with their own session. No sweep takes them for leftovers."""

import os
import subprocess
import sys

import pytest
import trio
from contests import setup
from starting import started

from referee.contract.clock import Clock
from referee.games.snakecore.plugin import GAME
from referee.sandbox.builds.build import build
from referee.sandbox.limits import Level


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


@pytest.mark.parametrize("program", ["leaves_daemon", "leaves_dead_daemon"])
async def test_the_sweep_of_a_player_leaves_them_alone(program, bot):
    async with trio.open_nursery() as nursery:
        before, player, during = Own(), await started(bot(program), 0, nursery), Own()
        await player.ask(GAME.start(setup(8), 1).requests()[0], Clock(GAME.time))
        await player.end(grace=0)
    assert before.untouched()
    assert during.untouched()


async def test_the_sweep_of_a_build_leaves_them_alone(tmp_path):
    own = Own()
    assert (await build("x", ["true"], tmp_path, level=Level.NONE)).ok
    assert own.untouched()
