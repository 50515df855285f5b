"""`arena.toml`, the settings of an organiser; and the paths of an arena's files."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from string import Template
from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from referee.errors import UsageError
from referee.files import reading
from referee.text.strict import MayBeMissing, Strict, read
from referee.tournament.report.content import page_of
from referee.tournament.settings import Count, KnownGame, MatchSettings, Name, Seconds

FILE: Final = "arena.toml"
SAVED: Final = ".jsonl.gz"
MIB: Final = 1 << 20
ROOM: Final = 64 * MIB
"""Free bytes of the disk that intake needs, and a part that is started again."""
Stage: TypeAlias = Literal["open", "closed", "final"]
"""See `state.py`."""


def has_room(folder: Path, size: int = ROOM) -> bool:
    """Whether the disk of a folder has so many free bytes."""
    return shutil.disk_usage(folder).free >= size


def _with_zone(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(_with_zone)]
"""A date and time; UTC without another zone."""


class ArenaMatch(MatchSettings):
    """`[match]`: as in `tournament.toml`. With these defaults, the load of the machine costs no bot any time."""

    clock: Literal["wall", "cpu"] = "cpu"
    pondering: bool = False


class LimitSettings(Strict):
    """`[limits]` of one user; sizes in MiB."""

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
    """Saved games to keep of each version, besides all with faults."""
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

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        for (before, _, earlier), (name, _, later) in pairwise(self.dates()):
            if later < earlier:
                raise ValueError(f"{name}: must not be before {before}")
        return self

    def dates(self) -> list[tuple[str, Stage, float]]:
        """The dates in the order that they must have: the key, the stage that begins then, seconds since 1970."""
        keys: dict[str, Stage] = {"opens": "open", "closes": "closed", "final": "final"}
        return [
            (key, stage, date.timestamp()) for key, stage in keys.items() if (date := getattr(self, key)) is not None
        ]


class ArenaFiles:
    """An arena's folder: the settings in `arena.toml`, and the paths of the other files."""

    def __init__(self, root: Path) -> None:
        """Read the settings.

        Raises:
            UsageError: there are none, or they cannot be used; the message names the file and the key.
        """
        self.root, self.toml = root, root / FILE
        if not self.toml.is_file():
            raise UsageError(f"{root} has no {FILE}: `referee arena new {root} --game GAME` makes an arena")
        document = reading.read_toml(self.toml)
        self.settings = read(ArenaSettings, document, lambda wrong: UsageError(f"{self.toml}: {wrong}"))
        self.state = root / "state.json"
        self.address = root / "address"
        """The origin of the site, as of its last run."""
        self.accounts = root / "web" / "arena.sqlite"
        self.drafts = root / "web" / "drafts.sqlite"
        self.inbox = root / "inbox"
        self.versions = root / "intake" / "versions.sqlite"
        self.sources = root / "intake" / "sources"
        """The uploads that intake has moved out of the inbox, unchanged: `ID.zip` and the like."""
        self.debugged = root / "intake" / "debug"
        self.seasons = root / "seasons"
        self.pages = root / "pages"
        self.standings = self.pages / "standings.json"
        self.matches = self.pages / "matches"
        self.bots = self.pages / "bots"
        """The figures of each bot. Its rating over time is nowhere else."""

    def bot(self, entrant: str) -> Path:
        """The figures of a bot, by the name of its entrant."""
        return self.bots / f"{entrant}.json"

    def match(self, season: str, match: str) -> Path:
        """The page of a match, by the folder of its season and its id."""
        return self.matches / season / Path(page_of(match)).name

    def requests(self, season: str, match: str) -> Path:
        """The requests that bots failed to answer in a match, by seat."""
        return self.match(season, match).with_suffix(".json")

    def download(self, season: str, match: str) -> str:
        """The name of the saved game of a match when it is downloaded, and in the commands of its page."""
        return f"{season}-{self.match(season, match).stem}{SAVED}"

    def standings_of(self, folder: str) -> Path:
        """The standings of a final, or of a season that is over, by its folder."""
        return self.pages / f"{folder}.json"

    def season(self, number: int) -> Path:
        """The tournament folder of a season, from 1."""
        return self.seasons / str(number)


def template(name: str, game: str, maps: list[str], seats: int | None) -> str:
    """A first `arena.toml`, with a line about each key."""
    return Template((files("referee.arena") / FILE).read_text(encoding="utf-8")).substitute(
        name=json.dumps(name, ensure_ascii=False),  # which is TOML too
        game=game,
        maps=f"maps = {json.dumps(maps, ensure_ascii=False)}" if maps else "# maps = []             # the game's own",
        seats=f"seats = {seats}" if seats is not None else "# seats = 4",
    )
