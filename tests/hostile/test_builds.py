"""Builds of strangers: they may start programs and write files, in their own jail. `builds.sh` says what they try."""

import os
import re
import secrets
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hostile.catalogue import ATTACKS, HERE, builds

from referee.errors import BotError
from referee.sandbox.builds.build import BuildLimits, build
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.opening import open_sandbox
from referee.sandbox.program import Program

SCRIPT = HERE / "builds.sh"
ROWS = builds()
LIMITS = BuildLimits(seconds=10.0, memory=192 * MIB, file_size=4 * MIB, folder=6 * MIB, folder_files=100, processes=64)
HASTE = BuildLimits(seconds=0.5)
OTHER_LIMITS = {"never_ends": HASTE, "closes_output": HASTE, "hides_memory": replace(LIMITS, machine=256 * MIB)}
TRIES = {"hides_memory": 4}
"""What the machine has available depends on its other programs too: one that gives memory back may hide what a build takes."""
WITHOUT_END = {*OTHER_LIMITS, "large_folder", "many_files"}
"""These end only by a limit, so they do not run bare."""
LEFT = {"leaves_links": "bot is a symbolic link", "leaves_fifo": "bot is a FIFO", "leaves_setuid": "setuid"}
LEAVES = {"leaves_processes": 2}


@pytest.fixture
def folder(tmp_path):
    """The scratch copy of a bot's folder, with the script that builds it, and sources."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    for source in (SCRIPT, *ATTACKS.glob("*.[ch]")):
        shutil.copy(source, scratch)
    return scratch


@pytest.fixture
def nap():
    """How long the processes sleep that the build of this test leaves. No other test at the same time has this number."""
    return f"297.{secrets.randbelow(10**12):012}"


def target_environ(surroundings, nap):
    """The targets, as the environment of a build."""
    targets = surroundings.targets
    return {
        "SECRET_NAP": nap,
        "SECRET_FILE": targets["secret"],
        "SECRET_HOME": targets["home"],
        "SECRET_KEY": targets["key"],
        "SECRET_PORT": targets["tcp"],
        "SECRET_VICTIM": targets["victim"],
    }


def sleepers(nap):
    """Processes that a build has left."""
    pids = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes() == f"sleep\0{nap}\0".encode():
                pids.append(int(path.parent.name))
        except OSError:
            continue
    return pids


@pytest.mark.parametrize("row", [row for row in ROWS if row.name not in WITHOUT_END], ids=lambda row: row.name)
def test_bare(row, folder, surroundings, nap):
    done = subprocess.run(
        ["sh", "builds.sh", row.name], cwd=folder, env={**os.environ, **target_environ(surroundings, nap)},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    while len(left := sleepers(nap)) < LEAVES.get(row.name, 0):
        pass  # they are still the shell that executes `sleep`
    for pid in left:
        os.kill(pid, 9)
    assert done.stdout.decode().split()[-1] in row.bare


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_in_the_jail(row, folder, surroundings, nap):
    expected = re.compile(".*".join(map(re.escape, row.jail.split("…"))), re.DOTALL)
    for _ in range(TRIES.get(row.name, 1)):
        built = await build(
            "bot", ["sh", "builds.sh", row.name], folder, limits=OTHER_LIMITS.get(row.name, LIMITS),
            env=target_environ(surroundings, nap),
        )  # fmt: skip
        if expected.fullmatch(built.why or built.output.split()[-1]):
            break
    else:
        pytest.fail(str(built))
    assert surroundings.disturbed() == []
    assert sleepers(nap) == []
    assert len(built.output) < 2 * LIMITS.output


@pytest.mark.parametrize("name", LEFT)
async def test_dangerous_files_that_a_build_leaves_are_refused(name, folder, surroundings, nap):
    await build("bot", ["sh", "builds.sh", name], folder, env=target_environ(surroundings, nap))
    with open_sandbox(Level.FULL, Limits()) as sandbox, pytest.raises(BotError, match=LEFT[name]):
        await sandbox.prepare(Program("bot", [str(folder / "bot")], folder))


def test_every_build_has_a_row():
    text = SCRIPT.read_text()
    named = re.findall(r"^(\w+)\(\) \{", text, re.MULTILINE) + re.findall(r"^(\w+)\) ", text, re.MULTILINE)
    assert {row.name for row in ROWS} == set(named) - {"did", "attack"}
    assert set(LEFT) | WITHOUT_END <= set(named)
