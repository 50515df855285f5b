"""Tournaments of small bots without isolation, in a folder of the test."""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest
import trio
from cli.conftest import WALKER, Ran, Runner, expected, in_process

from referee import building, games
from referee.bots import Bot
from referee.building import BuildFailed, BuildResult
from referee.building.failure import CompileError
from referee.cli.tournament import playing
from referee.contract.clock import TimeControl
from referee.errors import BotError
from referee.sandbox.cells.cell import TOKEN
from referee.tournament.crew import LocalCrew
from referee.tournament.database import Database
from referee.tournament.entering import Listed, list_bots
from referee.tournament.forecast import plan_for
from referee.tournament.jobs import Opening
from referee.tournament.planning import Plan
from referee.tournament.settings import settings_in

PATHS = {"asp": "RRDDLLUUN", "boa": "DDRRUULLN", "cobra": "RDLUN", "dipsas": "N"}
SETTINGS = """\
name = "Cup"
bots = ["bots/*"]

[match]
seats = 2
maps = ["duel"]
rounds = 3
isolation = "none"

[run]
rng_seed = 7
jobs = 1
"""
WAITS = """\
import os
import time

gate = os.readlink(f"/proc/{os.getppid()}/cwd") + "/gate"
try:
    with open(gate) as most, open(gate + ".starts", "ab", 0) as starts:
        starts.write(b".")
        is_open = starts.tell() <= int(most.read())
except FileNotFoundError:
    is_open = True
while not is_open and os.path.exists(gate):
    time.sleep(0.01)
"""
"""What a bot begins with: it waits while `gated` stops it. Its worker was started in the folder around the tournament's."""
UNEQUAL = ("started", "seconds", "machine", "tries", "sha256")
TIMES = ("first_ms", "slowest_ms", "total_ms")
INSTANT = f"""\
import json, sys
sys.path.append({str(Path(__file__).parents[2] / "scripts" / "benchmarks" / "programs")!r})
from instant_worker import row
sys.stdin.readline()
for line in sys.stdin:
    played = {{**row(json.loads(line)), "saved": None}}
    order = sorted(seat["number"] for seat in played["seats"])
    for seat in played["seats"]:
        seat["place"] = 1 + order.index(seat["number"])
        seat["score"] = len(order) - seat["place"]
    print(json.dumps({{"row": played}}), flush=True)
"""
INSTANT_WORKER = (sys.executable, "-I", "-S", "-c", INSTANT)
"""A worker that starts no bot: the entrant with the lower number is ahead."""

OPENING = Opening(
    folder="", games="", game="snakecore", maps={}, rounds=None, time=TimeControl(1, 1, None),
    pondering=True, isolation="none", memory=None, keep="all", seats=2,
)  # fmt: skip
"""Of a tournament in no folder."""


def row_of(*seats: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A match as a worker reports it: who was in each seat, with its place, score and points."""
    usual = {"called": None, "disqualified": None, "first_ms": 1.0, "slowest_ms": 2.0, "total_ms": 3.0}
    return {
        "seats": [{"seat": number, **usual, **seat} for number, seat in enumerate(seats)], "reason": "rounds", "seconds": 0.5,
        "started": "2026-01-01T00:00:00Z", "machine": "m", "saved": None, "sha256": None, "faults": [],
        "times": [[1, 2] for _ in seats], **more,
    }  # fmt: skip


def fault_of(seat: int, kind: str = "exit", **more: Any) -> dict[str, Any]:
    """The evidence of a fault in such a match."""
    usual = {"detail": "d", "step": 1, "round": 1, "request": "turn", "ms": 1.0, "stderr": []}
    return {"seat": seat, "kind": kind, **usual, **more}


def next_run(folder: Path) -> tuple[Plan, list[Listed]]:
    """The plan of the next run in a folder, and its bots."""
    settings = settings_in(folder)
    game = games.find(settings.game)
    bots, _ = list_bots(folder, settings, game)
    return plan_for(folder, settings, game, len(bots)), bots


@dataclass(frozen=True)
class Cup(Runner):
    """A folder with a tournament.

    Attributes:
        environ: of the commands in it.
    """

    folder: Path
    environ: dict[str, str]

    def argv(self, *words: str | Path) -> list[str]:
        """The command line of `referee tournament`."""
        return [sys.executable, "-m", "referee", "tournament", *map(str, words)]

    def __call__(self, *words: str | Path, code: int | None = None) -> Ran:
        """Run `referee tournament` in this process. The workers that play its matches are processes of their own."""
        return expected(self.referee("tournament", *words), code)

    def referee(self, *words: str | Path) -> Ran:
        """Run any command in this process."""
        return in_process(self.folder.parent, self.environ, *words)

    def start(self, *words: str | Path) -> Popen[str]:
        return Popen(self.argv(*words), cwd=self.folder.parent, env=self.environ, text=True, stdout=PIPE, stderr=PIPE)

    def only(self, *names: str) -> None:
        """Remove all other bots: a test that needs no more than two plays 2 matches instead of 12."""
        for path in (self.folder / "bots").iterdir():
            if path.stem not in names:
                path.unlink()

    def says(self, text: str) -> None:
        """Write its settings."""
        (self.folder / "tournament.toml").write_text(text, encoding="utf-8")

    def bot(self, name: str, path: str) -> Path:
        """Add a bot that walks this path again and again."""
        script = self.folder / "bots" / f"{name}.py"
        script.parent.mkdir(exist_ok=True)
        script.write_text(WAITS + WALKER.replace("NAME", name).replace("PATH", path), encoding="utf-8")
        return script


@contextmanager
def gated(cup: Cup, matches: int) -> Iterator[None]:
    """Within the block, only so many matches of two bots are played. The bots of all others wait, so no run ends."""
    gate = cup.folder.parent / "gate"
    Path(f"{gate}.starts").unlink(missing_ok=True)
    gate.write_text(str(2 * matches))
    try:
        yield
    finally:
        gate.unlink()


@pytest.fixture
def rows_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables of a ledger, once for each of their rows that is read."""
    read, rows = list[str](), Database.rows

    def counted(self: Database, table: str, *words: Any, **more: Any) -> Iterator[Any]:
        for row in rows(self, table, *words, **more):
            read.append(table)
            yield row

    monkeypatch.setattr(Database, "rows", counted)
    return read


@pytest.fixture
def cup(tmp_path: Path) -> Cup:
    """A round robin of four small bots."""
    return drawn_up(tmp_path)


def drawn_up(base: Path) -> Cup:
    """The same round robin in any folder."""
    folder = base / "cup"
    folder.mkdir()
    environ = {name: os.environ[name] for name in ("PATH", TOKEN)}
    environ |= {name: str(base / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    cup = Cup(folder, environ)
    for name, path in PATHS.items():
        cup.bot(name, path)
    cup.says(SETTINGS)
    return cup


@dataclass
class Builds:
    """Builds that end as soon as `may_end` is set; `wait` is set when one waits for that. Bots in `broken` cannot be built."""

    may_end: trio.Event = field(default_factory=trio.Event)
    wait: trio.Event = field(default_factory=trio.Event)
    broken: set[str] = field(default_factory=set)
    begun: list[str] = field(default_factory=list)

    async def each(self, bots: Sequence[Bot], **_: Any) -> list[BuildResult | BotError]:
        """Stands for `building.build_each`."""
        self.begun += [bot.name for bot in bots]
        if bots and not self.may_end.is_set():
            self.wait.set()
            await self.may_end.wait()
        return [self._result(bot) for bot in bots]

    def _result(self, bot: Bot) -> BuildResult | BotError:
        if bot.name in self.broken:
            error = CompileError(f"{bot.name}.c", 3, "error: x")
            return BuildFailed("cannot be built", bot=bot.name, first=error, advice="no x", excerpt=("x?",))
        return BuildResult(replace(bot, unbuilt=None), "nothing")


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Builds:
    """All builds."""
    builds = Builds()
    monkeypatch.setattr(building, "build_each", builds.each)
    return builds


def match_rows(cup: Cup) -> list[dict[str, Any]]:
    """All matches, without what two runs do not have in common."""
    rows = cup.rows("matches", cup.folder)
    for row in rows:
        for key in UNEQUAL:
            del row[key]
        for seat in row["seats"]:
            for key in TIMES:
                del seat[key]
    return rows


def table(cup: Cup) -> dict[str, Any]:
    """The table, without times."""
    document: dict[str, Any] = cup.json("table", cup.folder)
    for row in document["table"]:
        del row["p50_ms"], row["p99_ms"]
    return document


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> None:
    """The matches of this test are played by workers that start no bot and save no game (`INSTANT`)."""
    crew = partial(LocalCrew, command=INSTANT_WORKER)
    monkeypatch.setattr(playing, "LocalCrew", crew)


@pytest.fixture(scope="session")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Cup, Ran]:
    """The round robin of `cup` after a run without interruption, and how that ended. Tests only read it."""
    cup = drawn_up(tmp_path_factory.mktemp("finished"))
    return cup, cup.ok("run", cup.folder)


@pytest.fixture(scope="session")
def finished(whole_run: tuple[Cup, Ran]) -> Cup:
    """The tournament of `whole_run`."""
    return whole_run[0]


@pytest.fixture
def over(cup: Cup, finished: Cup) -> Cup:
    """A copy of `finished` in the folder of `cup`, so that no test plays these matches again."""
    return copied(finished, cup)


def copied(source: Cup, cup: Cup) -> Cup:
    """Copy a tournament with its bots, its ledger and its saved games over `cup`."""
    shutil.copytree(source.folder, cup.folder, dirs_exist_ok=True)
    return cup


@pytest.fixture(scope="session")
def undisturbed(finished: Cup) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The matches and the table of `finished`."""
    return match_rows(finished), table(finished)


def children(pid: int, program: bytes = b"referee.tournament.worker") -> list[int]:
    """The workers of a coordinator, by a part of their command line."""
    found = list[int]()
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # a thread may have ended since
            found += map(int, (task / "children").read_text().split())
    return [child for child in found if program in command_of(child)]


def command_of(pid: int) -> bytes:
    """The command line of a process; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def progress(process: Popen[str]) -> Iterator[int]:
    """The numbers of the matches that have ended, as the run prints them."""
    assert process.stderr is not None
    for line in process.stderr:
        if match := re.match(r"Finished game (\d+) of", line):
            yield int(match[1])
