"""An arena: readers beside matches, the time from an upload to its first match, and many versions.

1. The versions are written into the arena's files as intake would leave them, since building 200 bots is another subject.
2. A reader loads `/` every `READ_INTERVAL` seconds, over a connection of its own. Streams of events stay open meanwhile. Readers
   come one after the other, so that they do not ask all at once.
3. The rate of matches is that of the ledger within a window. Windows with readers and without alternate, because the rates of
   successive windows differ by a fifth. An upload comes while only few others play, and nobody reads.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import mean, median, quantiles
from time import perf_counter
from typing import Final

import trio
from soaking.evidence import played
from soaking.served import Served, made, pause
from soaking.uploads import CLEAN, GAME, Bot, content

from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import Setting, WrongError
from referee import bots
from referee.arena.accounts import Accounts
from referee.arena.rows import Sent
from referee.arena.settings import ArenaFiles
from referee.arena.state import now
from referee.arena.versions import Version, Versions
from referee.tournament.copies import copy_bot

SEATS: Final = 2
JOBS: Final = 2
READ_INTERVAL: Final = 10.0
PATIENCE: Final = 300.0
POLL_INTERVAL: Final = 0.1
"""All three in seconds."""
LANGUAGES: Final = ("newt", "python", "krait", "taipan")
"""One bot in four is a process; the others are programs that the referee runs."""
UPLOADS: Final = ("cpp", "python")


@dataclass
class Window:
    """What was measured in a window of time.

    Attributes:
        rate: matches a second. answers: the seconds until each answer to a reader.
    """

    rate: float = 0.0
    answers: list[float] = field(default_factory=list)


def filled(folder: Path, number: int) -> tuple[ArenaFiles, str]:
    """An arena of so many active versions, each of an author of its own, and the key of one more author."""
    files = made(folder, GAME, SEATS, {"match": 'maps = ["quick"]', "limits": "uploads = 100"})
    accounts = Accounts(files.accounts, now=now)
    versions = Versions(files.versions, writes=True)
    for place in range(number):
        author = f"author{place}"
        file, data = content(Bot(author, "bot", LANGUAGES[place % len(LANGUAGES)]), CLEAN, place)
        source = folder / "source" / str(place)
        source.mkdir(parents=True)
        if file.endswith(".zip"):
            zipfile.ZipFile(io.BytesIO(data)).extractall(source)
        else:
            (source / file).write_bytes(data)
        key = copy_bot(files.season(1), bots.find(str(source), GAME), "")
        user, _ = accounts.join(accounts.invite(author, "author", None, PATIENCE, "a benchmark"))
        digest = sha256(data).hexdigest()
        with accounts.transaction():
            upload = accounts.accept(user, Sent("bot", file, "", digest, len(data)))
        versions.put(Version(upload.id, "active", changed=upload.created, name=f"{author}/bot", content=key))
    _, key = accounts.join(accounts.invite("late", "author", None, PATIENCE, "a benchmark"))
    accounts.close()
    versions.close()
    return files, key


def until(fact: Callable[[], object], what: str) -> None:
    """Wait for something.

    Raises:
        WrongError: it takes too long.
    """
    end = perf_counter() + PATIENCE
    while not fact():
        if perf_counter() > end:
            raise WrongError(f"{what}: not within {PATIENCE:.0f} s")
        pause(POLL_INTERVAL)


def watched(arena: Served, seconds: float, readers: int = 0, streams: int = 0) -> Window:
    """A window of time in which so many readers read."""
    window, before, began = Window(), matches(arena), perf_counter()
    trio.run(partial(read, arena, seconds, readers, streams, window))
    window.rate = (matches(arena) - before) / (perf_counter() - began)
    return window


async def read(arena: Served, seconds: float, readers: int, streams: int, window: Window) -> None:
    """Be all readers, for so long."""

    async def reader(place: int) -> None:
        await trio.sleep(READ_INTERVAL * place / readers)
        while True:
            began = perf_counter()
            answer = b"".join([part async for part in asked("/")])
            if not answer.startswith(b"HTTP/1.1 200"):
                raise WrongError(f"a reader got {answer[:60]!r}")
            window.answers.append(perf_counter() - began)
            await trio.sleep(max(0.0, READ_INTERVAL - (perf_counter() - began)))

    async def follower() -> None:
        async for _ in asked("/api/v1/events"):
            pass

    async def asked(path: str):  # type: ignore[no-untyped-def]
        with trio.socket.socket() as stream:  # a stream of trio would cost as much as the answer
            await stream.connect(("127.0.0.1", arena.port))
            await stream.send(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{arena.port}\r\n\r\n".encode())
            while part := await stream.recv(65536):
                yield part

    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            for _ in range(streams):
                nursery.start_soon(follower)
            for place in range(readers):
                nursery.start_soon(reader, place)
            await trio.sleep_forever()


def matches(arena: Served) -> int:
    """How many matches were played."""
    return sum(played(arena.files).values())


def first_match(arena: Served, key: str, language: str, number: int) -> float:
    """Seconds from an upload to the end of the first match of its bot."""
    file, data = content(Bot("late", language, language), CLEAN, number)
    before = perf_counter()
    answer = arena.upload(key, f"my-{language}", file, data)
    if answer is None or answer[0] != 202:
        raise WrongError(f"the upload got {answer}")
    path = f"/api/v1/matches?bot=late/my-{language}&limit=1"
    until(lambda: b'"seats"' in (arena.get(path) or (0, b""))[1], f"a first match of a bot in {language}")
    return perf_counter() - before


@contextmanager
def served(home: Path, number: int, warm: int) -> Iterator[tuple[Served, str]]:
    """An arena of so many versions that has played some matches; and the key of an author."""
    files, key = filled(home / "arena", number)
    with (home / "log").open("ab") as log:
        arena = Served(files, log, jobs=JOBS, env={**os.environ, "XDG_CACHE_HOME": str(home)})
        try:
            until(lambda: matches(arena) >= warm, f"matches of {number} bots")
            yield arena, key
        finally:
            arena.end()


def measure(setting: Setting) -> Findings:
    """An arena of few versions, with and without readers, and one of many."""
    few, many = setting.pick((20, 200), (4, 8))
    readers, streams = setting.pick((500, 50), (40, 2))
    seconds, pairs = setting.pick((15.0, 4), (1.0, 1))
    with served(setting.room("few"), few, few) as (arena, key):
        windows = [watched(arena, seconds, *who) for who in ((), (readers, streams)) * pairs]
        answers = [answer for window in windows for answer in window.answers]
        if len(answers) < 2:
            raise WrongError("readers got no answer")
        uploads: list[list[Cell]] = []
        for number, language in enumerate(setting.pick(UPLOADS, LANGUAGES[:1])):
            seconds_to = first_match(arena, key, language, number)
            uploads.append([f"from an upload in {language} to the end of its first match, s", seconds_to, "≤ 10"])
    with served(setting.room("many"), many, few) as (arena, _):
        rate_of_many = watched(arena, seconds).rate
    rate, with_readers = (mean(window.rate for window in windows[who::2]) for who in (0, 1))
    rows: list[list[Cell]] = [
        [f"`/` by {readers} readers: median, ms", median(answers) * 1e3, None],
        ["the same: 99th percentile, ms", quantiles(answers, n=100, method="inclusive")[98] * 1e3, "≤ 250"],
        ["matches a second, nobody reads", rate, None],
        ["rate of matches with readers, of that", with_readers / rate, "≥ 0.9"],
        *uploads,
        [f"rate of matches with {many} versions, of that with {few}", rate_of_many / rate, "≥ 0.6"],
    ]
    title = f"{few} versions, {SEATS} seats, {JOBS} matches at a time"
    return Findings([Table(("what", "measured", "wanted"), rows, title)])


SUBJECT = Subject(
    "arena",
    "A contest site",
    "An arena on this machine, with its readers: 500 load `/` every 10 s, each over a new connection, and 50 streams of events "
    "are open. The matches, the site and the readers share the processors. One in four bots is a process in a cell, the others "
    "are programs that the referee runs.",
    measure,
)
