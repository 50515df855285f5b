"""Each attack alone: it works if nothing stops it, and has the result of the table at each level."""

import os
import secrets
import shutil
import subprocess

import pytest
from hostile.catalogue import ATTACKS, README, SEATS, attacks, attacks_of, programs
from hostile.running import bare, celled, order, outcome, read_line, read_to_end, status_of

from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox

ROWS = attacks()
ALONE = [row for row in ROWS if row.program != SEATS]
SLOW_STARTERS = ("Hostile.java", "hostile.js")
"""Programs whose attacks are made bare by one process."""
BARE = [
    *([row] for row in ALONE if row.program not in SLOW_STARTERS),
    *([row for row in ALONE if row.program == program] for program in SLOW_STARTERS),
]
IN_PAIRS = [row for row in ROWS if row.program == SEATS]

# Attacks that no kernel allows, or not with these arguments: the table has an errno instead of `hit`.
NEVER = {
    *("accept", "bare_mount", "bare_umount", "capset", "future_call", "map_shared_validate", "pivot_root"),
    *("read_stdout", "socketpair_inet", "stream_pair_to_unix", "terminal_of_stderr", "timer", "type_into_terminal"),
    *("wide_flags", "write_stdin"),
}
FULL_LETS_THROUGH = {
    *("exec_busybox", "exec_itself", "exec_shell", "futex_in_library", "other_name", "write_to_pool"),
    *("java_exit_hook", "java_randomness", "js_randomness", "js_workers", "py_exec_interpreter"),
}
IN_FULL_ALONE = {"write_to_pool"}
"""Attacks that Landlock or the launcher of level reduced also stops."""
REDUCED_LETS_THROUGH = {
    *("access_secret", "change_folder", "exec_secret", "path_descriptor", "read_link", "stat_secret"),
    "statfs_secret",
    *("dev_fd", "proc_reopen_stdin", "proc_reopen_stdout", "py_other_output"),
    *("host_name", "parent_number", "user_number"),
    *("priority_of_seat", "proc_victim_threads", "scheduler_of_victim", "session_of_victim"),
    *("java_threads", "py_threads", "threads"),
}

NODES_OWN_LIMIT = {"js_buffers", "js_shared_buffer"}
"""Attacks that Node's own memory limit refuses. A Node that reserves more memory is ended only in a match."""


def named(row):
    return row.name


def skip_if_node_reserves_memory(row):
    node = shutil.which("node") if row.name in NODES_OWN_LIMIT else None
    if node is not None and int(subprocess.check_output([node, "-p", "process.versions.node.split('.')[0]"])) >= 23:
        pytest.skip("Node 23 and later: memory is measured in a match")


@pytest.mark.parametrize("rows", BARE, ids=lambda rows: rows[0].name if len(rows) == 1 else rows[0].program)
def test_bare(rows, bot, surroundings):
    """Proves that the attacks can work."""
    came = bare(bot(ATTACKS / rows[0].program), [row.name for row in rows], surroundings.targets)
    assert [(row.name, got) for row, got in zip(rows, came, strict=True) if got not in row.bare] == []


@pytest.mark.parametrize("row", ALONE, ids=named)
async def test_full(row, bot, cells, surroundings):
    skip_if_node_reserves_memory(row)
    got = await cells.outcome(bot(ATTACKS / row.program), row.name, surroundings.targets, Level.FULL)
    assert got in row.full
    assert surroundings.disturbed() == []


@pytest.mark.parametrize("row", ALONE, ids=named)
async def test_reduced(row, bot, cells, surroundings):
    skip_if_node_reserves_memory(row)
    got = await cells.outcome(bot(ATTACKS / row.program), row.name, surroundings.targets, Level.REDUCED)
    assert got in row.reduced
    assert surroundings.disturbed() == []


@pytest.fixture
def place():
    """Where a pair speaks and listens. Other pairs of the machine have other places."""
    return str(1 + secrets.randbelow(10**9))


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("row", IN_PAIRS, ids=named)
async def test_two_seats(row, level, bot, place):
    """One speaks, and its effect lasts while the other listens."""
    expected = {Level.NONE: row.bare, Level.REDUCED: row.reduced, Level.FULL: row.full}[level]
    program = bot(ATTACKS / row.program)
    with open_sandbox(level) as sandbox:
        async with celled(sandbox, program) as speaker:
            os.write(speaker.stdin.fileno(), order(row.name, {"role": "speak", "place": place}))
            line = await read_line(speaker)
            heard = outcome(row.name, line.encode(), 0)
            if heard == "hit":
                async with celled(sandbox, program) as listener:
                    targets = {"role": "listen", "other": str(speaker.pid), "place": place}
                    os.write(listener.stdin.fileno(), order(row.name, targets))
                    listener.stdin.close()
                    heard = outcome(row.name, await read_to_end(listener), await status_of(listener))
    assert heard in expected


@pytest.mark.parametrize("row", IN_PAIRS, ids=named)
async def test_two_matches(row, bot, place):
    """One speaks and ends. The next in the same cell listens, and learns nothing."""
    with open_sandbox(Level.FULL) as sandbox:
        launch = await sandbox.prepare(bot(ATTACKS / row.program))
        servers, numbers = [], []
        for role in ("speak", "listen"):
            cell = launch.spawn()
            servers.append(cell._server)
            await cell.settle()
            numbers.append(str(cell.pid))
            os.write(cell.stdin.fileno(), order(row.name, {"role": role, "other": numbers[0], "place": place}))
            heard = outcome(row.name, (await read_line(cell)).encode(), 0)
            cell.discard()
    assert servers[0] is servers[1]
    assert heard != "hit"


def test_every_attack_has_a_row():
    for program in programs():
        assert attacks_of(program) == [row.name for row in ROWS if row.program == program], program
    assert {row.program for row in ROWS} == set(programs())
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_attacks_that_never_work():
    assert {row.name for row in ROWS if "hit" not in row.bare} == NEVER


def test_attacks_that_the_levels_do_not_stop():
    """Each of these has a paragraph in the README that says why it does no harm, or why it cannot be stopped."""
    assert {row.name for row in ROWS if "hit" in row.full} == FULL_LETS_THROUGH
    assert {
        row.name for row in ROWS if "hit" in row.reduced
    } == FULL_LETS_THROUGH - IN_FULL_ALONE | REDUCED_LETS_THROUGH
    explained = README.read_text().partition("## What is not stopped")[2]
    for name in FULL_LETS_THROUGH | REDUCED_LETS_THROUGH:
        assert f"`{name}`" in explained
