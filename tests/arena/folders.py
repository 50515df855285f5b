"""Arenas for tests: folders, uploads as the site puts them there, and parts that run."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from soaking.looking import children
from tournament.conftest import row_of

from referee import games
from referee.arena import season
from referee.arena.accounts import Accounts
from referee.arena.overview import make_databases
from referee.arena.rows import Sent, Upload
from referee.arena.settings import FILE, ArenaFiles, template
from referee.arena.state import change_state, now
from referee.arena.uploads import stored_name
from referee.arena.versions import Submission, Version, Versions
from referee.tournament.decisions import DECIDES
from referee.tournament.field import Field, Unready
from referee.tournament.ledger import Ledger
from referee.tournament.model import Competitor, Series, Tour
from referee.tournament.planning import make_plan
from referee.tournament.settings import settings_in as tournament_in
from referee.tournament.tournament import OVER

BOTS = Path(__file__).parents[2] / "bots"
NEWT = (BOTS / "newt" / "newt.viper").read_bytes()
TWO: season.Entries = dict.fromkeys(("ada/one", "bob/one"), "0" * 32)
KRAIT = (BOTS / "krait" / "krait.viper").read_bytes()


def a_submission(
    number: int, state: str = "waiting", *, author: str = "ada", deleted: bool = False, **version: Any
) -> Submission:
    """An upload of an author's bot, and what became of it; authors and bots have a number for each name."""
    ids = {"author_id": sum(author.encode()), "bot_id": sum(f"{author}/one".encode())}
    rest = {"group": None, "number": number, "file": "a.py", "note": "", "sha256": "", "bytes": 1, "created": 0.0}
    upload = Upload(id=number, author=author, bot="one", deleted=deleted, **ids, **rest)  # type: ignore[arg-type]
    return Submission(upload, Version(number, state, name=f"{author}/one", **version))  # type: ignore[arg-type]


def an_arena(folder: Path, *, game: str = "viper", seats: int = 2) -> ArenaFiles:
    """A new arena whose matches are short, and whose bots rest after a few."""
    folder.mkdir()
    text = template("Test", game, [], seats)
    season = "[season]\nkeep = 100000\nrest = [1000000, 6]"
    text = text.replace("[match]", "[match]\nrounds = 3").replace("[season]", season)
    (folder / FILE).write_text(text, encoding="utf-8")
    files = ArenaFiles(folder)
    make_databases(files)
    return files


def with_settings(files: ArenaFiles, old: str, new: str) -> ArenaFiles:
    """The arena once its settings have another text in one place."""
    text = files.toml.read_text(encoding="utf-8")
    assert old in text
    files.toml.write_text(text.replace(old, new), encoding="utf-8")
    return ArenaFiles(files.root)


def upload(files: ArenaFiles, author: str, bot: str, data: bytes, file: str = "bot.viper") -> int:
    """Accept an upload as the site does, and return its id."""
    with Accounts(files.accounts, now=now) as accounts:
        if accounts.user(author) is None:
            accounts.join(accounts.invite(author, "author", None, 1000.0, "a test"))
        return accept(accounts, files, author, bot, data, file).id


def accept(
    accounts: Accounts, files: ArenaFiles, author: str, bot: str, data: bytes, file: str, note: str = ""
) -> Upload:
    """The same for a user who has joined."""
    user = accounts.user(author)
    assert user is not None
    digest = sha256(data).hexdigest()
    with accounts.transaction():
        version = accounts.accept(user, Sent(bot, file, note, digest, len(data)))
        files.inbox.mkdir(exist_ok=True)
        (files.inbox / stored_name(version.id, file)).write_bytes(data)
    return version


def active(files: ArenaFiles, *names: str) -> None:
    """Versions that play, whatever they are; their ids are beyond those of uploads."""
    with Versions(files.versions, writes=True) as versions:
        versions.put(*(Version(900 + at, "active", name=name, content="0" * 32) for at, name in enumerate(names)))


def a_final(files: ArenaFiles, name: str, *, played: int, scheduled: int) -> None:
    """A final of `ada/one`, who wins, and `bob/one`."""
    a_tournament(files, name, "round-robin", [(0, 1)] * scheduled, played=played)
    change_state(files, lambda state: replace(state, state="final", final=name))


def without(folder: Path, number: int, why: str) -> None:
    """A bot of a tournament cannot run any more, by its number."""
    with Ledger(folder, writes=True) as ledger:
        field = list(ledger.entrants())
        lost = Unready(field[number].name, field[number].source, why)
        field[number] = replace(field[number], present=False)
        ledger.enter(Field(field, [lost]))


def a_tournament(
    files: ArenaFiles,
    name: str,
    form: season.Form,
    groups: Sequence[Sequence[int]],
    *,
    played: int | None = None,
    bots: season.Entries = TWO,
    row: Callable[[Sequence[Competitor], Sequence[int], int], dict[str, Any]] | None = None,
) -> None:
    """A season or a final, with a match of each of these groups of bots. So many are played, or else all.

    Args:
        row: gives the row of a match by the field, its group and its number, from 0; otherwise it is `a_row`.
    """
    folder = files.seasons / name
    season.write(files, folder, bots, form)
    settings = tournament_in(folder)
    plan = make_plan(
        folder, settings, games.find(settings.game), settings.run.rng_seed or 0, None, field=season.ANY_FIELD
    )
    field = [Competitor(number, *bot) for number, bot in enumerate(bots.items())]
    with Ledger(folder, writes=True) as ledger, ledger.transaction():
        ledger.put(field)
        ledger.keep(DECIDES, json.dumps(plan.decides()))
        series = (Series(f"m{at}", "arena", 0, (tuple(group),)) for at, group in enumerate(groups))
        first = ledger.schedule.append(Tour("t0", tuple(series)))
        for at, group in enumerate(groups[:played]):
            ledger.record(first + at, 0, a_row(field, group) if row is None else row(field, group, at))
        if form == "round-robin" and played in (None, len(groups)):
            ledger.keep(OVER, "yes")


def a_row(
    field: Sequence[Competitor], group: Sequence[int], *, saved: str | None = None, faults: Sequence[Any] = ()
) -> dict[str, Any]:
    """A match of a group, whose first won."""
    failed = {fault["seat"]: fault["kind"] for fault in faults}
    seats = [
        {
            "number": number, "entrant": field[number].content, "name": field[number].name, "disqualified": failed.get(seat),
            "place": 1 + seat, "score": len(group) - 1 - seat, "points": len(group) - seat,
        }
        for seat, number in enumerate(group)
    ]  # fmt: skip
    return row_of(*seats, saved=saved, sha256=saved and "0" * 64, faults=faults)


def states(files: ArenaFiles) -> dict[int, str]:
    return dict(rows(files.versions, "SELECT id, state FROM versions"))


def rows(path: Path, question: str) -> list[Any]:
    """What a database answers; nothing if it is not there yet."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as database:
        try:
            return database.execute(question).fetchall()
        except sqlite3.OperationalError:  # its tables are only just being made
            return []


def matches(files: ArenaFiles, name: str = "1") -> int:
    """How many matches a season or a final has."""
    counted = rows(files.seasons / name / "ledger.sqlite", "SELECT count(*) FROM matches")
    return int(counted[0][0]) if counted else 0


def eventually(fact: Callable[[], Any], *, within: float = 400.0) -> Any:
    """Wait until something is true, and return it."""
    end = time.monotonic() + within
    while not (value := fact()):
        assert time.monotonic() < end, "it has not come true"
        time.sleep(0.05)  # noqa: TID251 - another process does it
    return value


class Running:
    """An arena that runs."""

    def __init__(self, files: ArenaFiles, process: subprocess.Popen[str], url: str) -> None:
        self.files, self.process, self.url = files, process, url

    def part(self, name: str) -> int | None:
        """The process of a part."""
        module = f"referee.arena.{name}".encode()
        return next((pid for pid, words in children(self.process.pid) if module in words), None)

    def kill(self, name: str) -> None:
        """Kill a part, and wait until another has taken its place."""
        old = eventually(lambda: self.part(name))
        os.kill(old, signal.SIGKILL)
        eventually(lambda: self.part(name) not in (None, old))

    def end(self, number: int = signal.SIGTERM) -> int:
        """End the arena, and return its exit code."""
        self.process.send_signal(number)
        return self.process.wait(120)


@contextmanager
def running(files: ArenaFiles, cache: Path, *words: str | Path) -> Iterator[Running]:
    """The arena is served within the context, with more options of `referee arena run`."""
    run = [sys.executable, "-m", "referee", "arena", "run", files.root, "--port", "0", "--json", "--jobs", "1"]
    command = [*map(str, (*run, *words))]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "XDG_DATA_HOME": str(cache)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True, cwd=files.root)
    try:
        assert process.stdout is not None
        document = json.loads(process.stdout.readline())
        assert document["pid"] == process.pid
        yield Running(files, process, document["url"])
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def left(files: ArenaFiles) -> list[str]:
    """The command lines of processes that still work for an arena."""
    commands = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
        except OSError:
            continue
        if str(files.root) in command and "referee" in command:
            commands.append(command)
    return commands
