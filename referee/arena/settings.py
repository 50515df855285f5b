"""`arena.toml`: what an organiser decides, and the folders of an arena."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from referee.errors import UsageError
from referee.files import reading
from referee.text.strict import MayBeMissing, Strict, read
from referee.tournament.settings import Count, KnownGame, MatchSettings, Name, Seconds

FILE: Final = "arena.toml"
MIB: Final = 1 << 20


def _with_zone(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(_with_zone)]
"""A date and time; UTC without another zone."""


class ArenaMatch(MatchSettings):
    """`[match]`: as in `tournament.toml`, with defaults by which load costs nobody anything."""

    clock: Literal["wall", "cpu"] = "cpu"
    pondering: bool = False


class LimitSettings(Strict):
    """`[limits]`: what one user may do; sizes in MiB."""

    bots: Annotated[int, Field(ge=1, le=1000)] = 3
    uploads: Annotated[int, Field(ge=1, le=10_000)] = 10
    """A day."""
    upload: Annotated[int, Field(ge=1, le=1024)] = 16
    unpacked: Annotated[int, Field(ge=1, le=1024)] = 32
    files: Annotated[int, Field(ge=1, le=20_000)] = 2000
    disk: Annotated[int, Field(ge=1, le=1_000_000)] = 200
    build: Seconds = 60.0
    duels: Annotated[int, Field(ge=0, le=1000)] = 5
    """A day."""


class SeasonSettings(Strict):
    """`[season]`: when a season ends and the next begins."""

    versions: Annotated[int, Field(ge=2, le=10_000)] = 150
    matches: Count = 500_000
    keep: Annotated[int, Field(ge=1, le=1_000_000)] = 50
    """Saved games of each version that are kept, besides all with faults."""
    rest: Annotated[list[Count], Field(min_length=2, max_length=2)] = [25, 200]  # noqa: RUF012 - never changed


class ArenaSettings(Strict):
    """A whole `arena.toml`."""

    name: Name
    game: KnownGame
    public: bool = True
    anonymous: bool = False
    opens: MayBeMissing[Moment] = None
    closes: MayBeMissing[Moment] = None
    final: MayBeMissing[Moment] = None
    jobs: MayBeMissing[Annotated[int, Field(ge=1, le=4096)]] = None
    match: ArenaMatch = ArenaMatch()
    limits: LimitSettings = LimitSettings()
    season: SeasonSettings = SeasonSettings()


class ArenaFiles:
    """The folders and files of an arena. A value; nothing is read or made here."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.settings = root / FILE
        self.state = root / "state.json"
        self.accounts = root / "web" / "arena.sqlite"
        self.drafts = root / "web" / "drafts.sqlite"
        self.inbox = root / "inbox"
        self.versions = root / "intake" / "versions.sqlite"
        self.sources = root / "intake" / "sources"
        """The uploads that were taken out of the inbox, as they came: `ID.zip` and the like."""
        self.debugged = root / "intake" / "debug"
        self.seasons = root / "seasons"
        self.pages = root / "pages"
        self.standings = self.pages / "standings.json"
        self.matches = self.pages / "matches"

    def season(self, number: int) -> Path:
        """The tournament folder of a season, from 1."""
        return self.seasons / str(number)


def settings_in(root: Path) -> ArenaSettings:
    """The settings of an arena.

    Raises:
        UsageError: there are none, or they cannot be used; the message names the file and the key.
    """
    path = root / FILE
    if not path.is_file():
        raise UsageError(f"{root} has no {FILE}: `referee arena new {root} --game GAME` makes an arena")
    return read(ArenaSettings, reading.read_toml(path), lambda wrong: UsageError(f"{path}: {wrong}"))


def template(name: str, game: str, maps: list[str], seats: int | None) -> str:
    """A first `arena.toml`, with a line about each key."""
    quoted = ", ".join(f'"{word}"' for word in maps)
    return f"""\
# An arena: `referee arena run` on this folder serves it. Changes hold from the next start on.
name = "{name}"
game = "{game}"
# public = true          # false: only signed-in users see standings, bots and matches
# anonymous = false      # true: bots are shown without their authors' names
# opens = 2026-12-01T08:00:00Z    # uploads are refused before, and after `closes`
# closes = 2026-12-14T18:00:00Z
# final = 2026-12-14T20:00:00Z    # a round robin of the active versions, with a seed that nobody has seen
# jobs = 1               # matches at a time; as many as keep every bot on a processor of its own

[match]                  # as in tournament.toml
{f"maps = [{quoted}]" if maps else "# maps = []             # the game's own"}
{f"seats = {seats}" if seats is not None else "# seats = 4"}
# clock = "cpu"          # so that load costs nobody anything
# isolation = "full"

[limits]                 # of one user
# bots = 3
# uploads = 10           # a day
# upload = 16            # MiB of an upload, and unpacked:
# unpacked = 32
# files = 2000
# disk = 200             # MiB of all uploads
# build = "60s"
# duels = 5              # challenges a day

[season]                 # a new one begins with the active versions after so many
# versions = 150
# matches = 500000
# keep = 50              # saved games of each version, and all with faults
"""
