"""What the referee adds to a request, measured beside a bare blocking pipe loop on the same messages in the same run.

1. One SnakeCore match of four instant players on a 31x31 field is the work: the requests are recorded once, then the bare
   loop (blocking `os.write` and `os.read`, no deadline, no rules, no record) and the whole referee (board, limits, caps,
   rules, record with a write a step) do it in turn, so that a drifting machine touches both alike.
2. `same core` pins everything to one processor: no idle core has to wake, so this is what the code itself costs. `free`
   leaves placement to the kernel.
3. `a request` is wall time by requests; `own` is that without what was charged to the players, which is the pipe and the
   player. The ratio is the referee to the loop of the same round.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import trio

from referee import games, match
from referee.game import Position, Request
from referee.players.table import seated
from referee.record import Recorder, header_line
from referee.sandbox.cells.bare import BareSandbox
from referee.strict import Strict

HERE = Path(__file__).parent
GAME = games.find("snakecore")
SEATS = 4
SEED = 7
SIZE = 31
PATH = "URDLUURRDDLLNA"
PYTHON_PLAYER = """
import sys
r, w = sys.stdin.buffer.readline, sys.stdout.buffer
turn = 0
while line := r():
    if line == b"getName\\n":
        w.write(b"instant\\n")
    else:
        rows = b"".join(r() for _ in range(int(r())))
        for _ in range(rows.count(b"p")):
            r()
        w.write(b"URDLUURRDDLLNA"[turn % 14 : turn % 14 + 1] + b"\\n")
        turn += 1
    w.flush()
"""


class Setting(Strict):
    """How long to measure."""

    rounds: int
    repeats: int


@dataclass(frozen=True)
class Player:
    """A `Launch` of the instant player."""

    argv: Sequence[str]
    name: str = "instant"
    cwd: Path = HERE
    env = dict(os.environ)  # noqa: RUF012


def position(rounds: int) -> Position:
    """A start with walls, reactors and many blocks, the same each time."""
    document = {
        "name": "bench", "description": "Four rooms around a hall.", "rounds": rounds, "symmetry": "quarter",
        "field": field(), "blocks": {"ordinary": 80, "energy": 20},
    }  # fmt: skip
    return GAME.maps.setup(document, seats=SEATS, rng_seed=SEED)


def field() -> str:
    """Four rooms around a hall of reactors."""
    rows = [["."] * SIZE for _ in range(SIZE)]
    for k in range(4, SIZE - 4):
        if k % 6:
            rows[8][k] = rows[SIZE - 9][k] = rows[k][8] = rows[k][SIZE - 9] = "W"
    middle = SIZE // 2
    for x, y in ((middle, middle - 3), (middle + 3, middle), (middle, middle + 3), (middle - 3, middle)):
        rows[y][x] = "R"
    for start, (x, y) in enumerate(((1, 1), (SIZE - 2, SIZE - 2), (SIZE - 2, 1), (1, SIZE - 2)), start=1):
        rows[y][x] = str(start)
    return "\n".join("".join(row) for row in rows) + "\n"


async def whole(player: Player, rounds: int, saved: Path) -> tuple[float, float, int]:
    """A match by the whole referee: wall seconds, seconds charged to the players, requests."""
    state = GAME.start(position(rounds), SEED)
    header = header_line(
        game=GAME.name, rules=GAME.rules_version, rng_seed=SEED, setup=state.position(), bots=["instant"] * SEATS,
        limits=GAME.time.as_json(), created="", referee="",
    )  # fmt: skip
    clocks = match.clocks_for(GAME.time, SEATS)
    async with seated(BareSandbox(), [player] * SEATS, GAME) as players:
        for seat, instant_player in enumerate(players):  # one question beforehand: by then its program has started
            await instant_player.ask(Request(seat, "getName", state), match.Clock(GAME.time))
        started = perf_counter()
        await match.play(state, players, clocks, observers=[Recorder(saved, header)])
        wall = perf_counter() - started
    return wall, sum(clock.used for clock in clocks), sum(clock.answers for clock in clocks)


def bare(player: Player, requests: Sequence[tuple[int, bytes]]) -> float:
    """The same messages through a blocking loop: wall seconds."""
    programs = [
        subprocess.Popen(player.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) for _ in range(SEATS)
    ]
    ends = [
        (program.stdin.fileno(), program.stdout.fileno()) for program in programs if program.stdin and program.stdout
    ]
    for write_end, read_end in ends:
        os.write(write_end, b"getName\n")
        os.read(read_end, 4096)
    started = perf_counter()
    for seat, data in requests:
        write_end, read_end = ends[seat]
        os.write(write_end, data)
        os.read(read_end, 4096)
    wall = perf_counter() - started
    for program in programs:
        program.kill()
        program.communicate()
    return wall


def collect(rounds: int) -> list[tuple[int, bytes]]:
    """The match's requests as seat and bytes, in order: the work for the bare loop."""
    sent: list[tuple[int, bytes]] = []
    state = GAME.start(position(rounds), SEED)
    turns = [0] * SEATS
    while due := state.requests():
        (request,) = due
        seat = request.seat
        sent.append((seat, GAME.encode(request)))
        if request.ask == "getName":
            state.advance(["instant"])
        else:
            state.advance([PATH[turns[seat] % len(PATH)]])
            turns[seat] += 1
    return sent


def instant(folder: Path) -> Player:
    """The instant player: in C where there is a compiler, else in Python."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        script = folder / "instant.py"
        script.write_text(PYTHON_PLAYER)
        return Player([sys.executable, "-I", "-S", str(script)], "instant (Python: there is no C compiler)")
    program = folder / "instant"
    subprocess.run([compiler, "-O2", "-o", str(program), str(HERE / "instant.c")], check=True)
    return Player([str(program)], "instant (C)")


def measure(player: Player, setting: Setting, folder: Path, cpus: set[int]) -> dict[str, float]:
    """Medians in microseconds a request, on these processors."""
    os.sched_setaffinity(0, cpus)
    requests = collect(setting.rounds)
    bares, wholes, owns, ratios = [], [], [], []
    for repeat in range(setting.repeats + 1):
        loop = bare(player, requests) / len(requests) * 1e6
        wall, charged, answers = trio.run(whole, player, setting.rounds, folder / f"{len(cpus)}-{repeat}.jsonl")
        if repeat:  # the first of each warms up
            bares.append(loop)
            wholes.append(wall / answers * 1e6)
            owns.append((wall - charged) / answers * 1e6)
            ratios.append(wholes[-1] / loop)
    return {
        "bare": median(bares),
        "whole": median(wholes),
        "whole_min": min(wholes),
        "whole_max": max(wholes),
        "own": median(owns),
        "ratio": median(ratios),
        "requests": len(requests),
        "bytes": median(len(data) for _, data in requests),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few seconds: shows that it runs, not how fast")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    setting = Setting(rounds=60, repeats=3) if options.quick else Setting(rounds=300, repeats=15)
    all_cpus = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as name:
        player = instant(Path(name))
        results = {
            "same core": measure(player, setting, Path(name), {min(all_cpus)}),
            "free": measure(player, setting, Path(name), all_cpus),
        }
    machine = (
        f"{len(all_cpus)} processors, {platform.system()} {platform.release()}, Python {platform.python_version()}"
    )
    if options.json:
        print(json.dumps({"machine": machine, "player": player.name, "results": results}))
        return
    one = next(iter(results.values()))
    print(f"{machine}; {SEATS} players, {player.name}, {SIZE}x{SIZE}, {one['requests']:.0f} requests of "
          f"{one['bytes']:.0f} bytes, medians of {setting.repeats}\n")  # fmt: skip
    print("| µs a request | bare blocking loop | whole referee | (min-max) | its own part | ratio |")
    print("|---|---|---|---|---|---|")
    for place, r in results.items():
        spread = f"{r['whole_min']:.1f}-{r['whole_max']:.1f}"
        print(f"| {place} | {r['bare']:.1f} | {r['whole']:.1f} | {spread} | {r['own']:.1f} | {r['ratio']:.2f} |")


if __name__ == "__main__":
    main()
