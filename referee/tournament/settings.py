"""`tournament.toml`: what it may say, and the errors for everything else. The README describes each key."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, WithJsonSchema, WrapValidator

from referee import games
from referee.errors import UsageError
from referee.files import reading
from referee.files.claims import write_whole
from referee.text import amounts
from referee.text.amounts import Total
from referee.text.documents import Malformed, text_of, toml_of
from referee.text.strict import NO_CODES, MayBeMissing, Strict, mistakes
from referee.tournament.figures.table import Order
from referee.tournament.formats import Format
from referee.tournament.formats.compare import Compare
from referee.tournament.formats.develobear import Develobear
from referee.tournament.formats.gauntlet import Gauntlet
from referee.tournament.formats.knockout import Knockout
from referee.tournament.formats.ladder import Ladder
from referee.tournament.formats.round_robin import RoundRobin
from referee.tournament.formats.swiss import Swiss
from referee.tournament.mistakes import Mistakes
from referee.tournament.model import ENTRANTS, Competitor, Rules, Seatings

FILE: Final = "tournament.toml"
INSIDE: Final = "tournament"
"""The folder of a tournament in a folder of bots."""
GRADE: Final = "grade"
"""The folder, in a tournament's, of the matches against reference bots."""
LEAST_SEATS: Final = 2
MOST_SEATS: Final = 64
USUAL_SEATS: Final = 4
"""Without `seats` in the file, as far as the maps, the game and the field allow."""
MOST_LETTERS: Final = 60
"""Of a name."""
MOST_BOTS: Final = 10_000
"""Entries of `bots`, and of `[[bot]]`."""
_RUN: Final = re.compile(r"^[ \t]*\[run\][ \t]*(?:#.*)?$", re.MULTILINE)

Count = Annotated[int, Field(ge=1, le=10_000_000)]
Million = Annotated[int, Field(ge=1, le=1_000_000)]
Elo = Annotated[float, Field(ge=-1000, le=1000)]
Name = Annotated[str, Field(min_length=1, max_length=MOST_LETTERS), NO_CODES]
EntrantName = Annotated[str, Field(min_length=1, max_length=100), NO_CODES]
"""In an arena, `USER/BOT` has up to 65 letters, and the number of a version follows it in a duel."""
Names = Annotated[list[EntrantName], Field(min_length=1, max_length=1000)]
Chance = Annotated[float, Field(gt=0, lt=0.5)]
Word = Annotated[str, Field(min_length=1, max_length=1000), NO_CODES]


def _seconds(value: Any) -> Any:
    return amounts.seconds(str(value)) if type(value) in {str, int, float} else value


def _total(value: Any) -> Any:
    return amounts.total(value) if isinstance(value, str) else _seconds(value)


def _memory(value: Any) -> Any:
    return amounts.mebibytes(str(value)) if type(value) in {str, int} else value


_AMOUNT: Final = WithJsonSchema({"type": ["number", "string"]})  # a text has a unit: 500ms, 64M
Seconds = Annotated[float, BeforeValidator(_seconds), _AMOUNT]
Bytes = Annotated[int, BeforeValidator(_memory), _AMOUNT]


def _game(name: str) -> str:
    try:
        return games.find(name).name
    except UsageError as wrong:
        raise ValueError(str(wrong)) from None


KnownGame = Annotated[str, AfterValidator(_game)]
"""The name of a game that can be used here."""

Kind: TypeAlias = Literal["round-robin", "gauntlet", "swiss", "knockout", "develobear", "ladder", "compare"]
KINDS: Final[Mapping[Kind, type[Format]]] = {
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "develobear": Develobear,
    "ladder": Ladder,
    "compare": Compare,
}
"""All formats, by the `kind` of `[format]`."""


def _content(text: str) -> str:
    if re.fullmatch("[0-9a-f]{32}", text) is None:
        raise ValueError(f"must be the name of a folder in {ENTRANTS}, 32 digits of 0-9 and a-f")
    return text


class BotEntry(Strict):
    """A `[[bot]]`: a bot with a name or a seeding of its own; it has a path, or the content of a copy and a name."""

    path: MayBeMissing[Word] = None
    content: MayBeMissing[Annotated[str, AfterValidator(_content)]] = None
    name: MayBeMissing[EntrantName] = None
    seeding: MayBeMissing[Count] = None


class FormatSettings(Strict):
    """`[format]`: who plays whom. Only the keys of its kind may be there."""

    kind: Kind = "round-robin"
    order: MayBeMissing[Order] = None
    each: MayBeMissing[Count] = None
    champions: MayBeMissing[Names] = None
    against: MayBeMissing[Names] = None
    tours: MayBeMissing[Count] = None
    advance: MayBeMissing[Count] = None
    third: MayBeMissing[bool] = None
    runs: MayBeMissing[Count] = None
    points: MayBeMissing[Annotated[list[int], Field(min_length=4, max_length=4)]] = None
    out: MayBeMissing[int] = None
    deduct: MayBeMissing[Annotated[int, Field(ge=0)]] = None
    deduct_after: MayBeMissing[Count] = None
    deduct_every: MayBeMissing[Count] = None
    field: MayBeMissing[Count] = None
    series: MayBeMissing[Count] = None
    rest: MayBeMissing[Annotated[list[Million], Field(min_length=2, max_length=2)]] = None
    ahead: MayBeMissing[Annotated[int, Field(ge=0, le=1_000_000)]] = None
    elo0: MayBeMissing[Elo] = None
    elo1: MayBeMissing[Elo] = None
    alpha: MayBeMissing[Chance] = None
    beta: MayBeMissing[Chance] = None
    most: MayBeMissing[Count] = None

    def given(self) -> dict[str, Any]:
        """The keys that the file has, without `kind`."""
        return {key: value for key, value in self if key != "kind" and value is not None}

    def schedules(self) -> dict[str, Any]:
        """Those of them that decide who plays whom."""
        return {key: value for key, value in self.given().items() if key != "order"}

    @property
    def chosen(self) -> type[Format]:
        """The format of this kind."""
        return KINDS[self.kind]

    @property
    def by(self) -> Order:
        """The order of the table, as far as the format has none."""
        return self.order or ("rating" if self.chosen.by_rating else "places")

    @property
    def table_order(self) -> str:
        """The order of the table in words, if it is not by percent."""
        words = {"places": "", "points": "points a match", "rating": "rating"}
        return self.chosen.table_order or words[self.by]


class MatchSettings(Strict):
    """`[match]`: how each match is played, with the words of `referee play`."""

    seats: MayBeMissing[Annotated[int, Field(ge=LEAST_SEATS, le=MOST_SEATS)]] = None
    maps: MayBeMissing[Annotated[list[Word], Field(min_length=1, max_length=1000)]] = None
    rounds: MayBeMissing[Count] = None
    first: MayBeMissing[Seconds] = None
    answer: MayBeMissing[Seconds] = None
    total: MayBeMissing[Annotated[Total, BeforeValidator(_total), _AMOUNT]] = None
    clock: Literal["wall", "cpu"] = "wall"
    pondering: bool = True
    isolation: Literal["full", "reduced", "none"] = "full"
    memory: MayBeMissing[Bytes] = None
    python: MayBeMissing[Word] = None
    seatings: Seatings = "rotations"
    repeat: Count = 1


def _keep(value: Any, keep: Callable[[Any], Any]) -> Any:
    try:
        return keep(value)
    except ValidationError:  # of each alternative, under a key that the file does not have
        raise ValueError('must be "all", "faults", "none" or a number of saved games, 1 to 1000000') from None


class RunSettings(Strict):
    """`[run]`: how the tournament runs on this machine."""

    rng_seed: MayBeMissing[Annotated[int, Field(ge=0, lt=2**63)]] = None
    jobs: MayBeMissing[Annotated[int, Field(ge=1, le=4096)]] = None
    keep: Annotated[Literal["all", "faults", "none"] | Million, WrapValidator(_keep)] = "all"


class Settings(Strict):
    """A whole `tournament.toml`."""

    name: Name
    game: KnownGame = "snakecore"
    bots: Annotated[list[Word], Field(default_factory=list, max_length=MOST_BOTS)]
    names: Literal["bot", "file"] = "bot"
    anchor: MayBeMissing[EntrantName] = None
    bot: Annotated[list[BotEntry], Field(default_factory=list, max_length=MOST_BOTS)]
    format: FormatSettings = FormatSettings()
    match: MatchSettings = MatchSettings()
    run: RunSettings = RunSettings()

    def changed(self, table: Literal["format", "match"], **keys: Any) -> Settings:
        """These settings, with other values of some keys of a table."""
        return self.model_copy(update={table: getattr(self, table).model_copy(update=keys)})


def settings_in(folder: Path) -> Settings:
    """The settings in a folder.

    Raises:
        UsageError: there are none, or they cannot be used; a line for each mistake names the file and the key.
    """
    path = folder / FILE
    if not path.is_file():
        raise UsageError(f"{folder} has no {FILE}: `referee tournament new {folder}` writes one")
    try:
        settings = Settings.model_validate(reading.read_toml(path))
    except ValidationError as failed:
        all_mistakes = mistakes(failed, Settings)
    else:
        all_mistakes = _mistakes(settings)
    Mistakes(path, all_mistakes).report()
    return settings


def _mistakes(settings: Settings) -> Iterator[str]:
    """Keys that do not fit each other: the key, and why."""
    format_, keys = settings.format, settings.format.chosen.keys
    for key in format_.given():
        if key not in keys:
            yield f"format.{key}: {format_.kind} has no such key; it has {', '.join(sorted(keys))}"
    if format_.kind == "gauntlet" and format_.champions is None and format_.against is None:
        yield 'format.champions: missing: name them, as in champions = ["Oracle"]'
    if format_.champions is not None and format_.against is not None:
        yield "format.champions: not with against: leave out one of them"
    if format_.kind == "compare" and (format_.elo0 or 0.0) >= (20.0 if format_.elo1 is None else format_.elo1):
        yield "format.elo1: must be more than elo0"
    for number, entry in enumerate(settings.bot):
        if entry.content is None and entry.path is None:
            yield f"bot.{number}.path: missing"
        if entry.content is not None and entry.path is not None:
            yield f"bot.{number}.content: not with path: leave out one of them"
        if entry.content is not None and entry.name is None:
            yield f"bot.{number}.name: missing: a content says no name"
    if not settings.bots and not settings.bot:
        yield 'bots: missing: name the bots, as in bots = ["oracle", "teams/*"]'
    if settings.match.memory is not None and settings.match.isolation == "none":
        yield 'match.memory: isolation = "none" cannot limit memory: leave one of them out'


def format_of(settings: Settings, rules: Rules, field: Sequence[Competitor]) -> Format:
    """The format that the settings name."""
    return settings.format.chosen.of(rules, settings.format.schedules(), field)


def seed_in(folder: Path, settings: Settings) -> int:
    """The seed of a tournament. If the file has none, it is drawn and written there.

    Raises:
        UsageError: the file cannot be written.
    """
    if settings.run.rng_seed is not None:
        return settings.run.rng_seed
    seed = secrets.randbelow(2**31)
    path = folder / FILE
    line = f"rng_seed = {seed}"
    try:
        text = text_of(path.read_bytes())
        run = _RUN.search(text)
        new = f"{text[: run.end()]}\n{line}{text[run.end() :]}" if run else f"{text.rstrip()}\n\n[run]\n{line}\n"
        toml_of(new)
        write_whole(path, new)
    except (OSError, Malformed) as failed:
        raise UsageError(f"{path}: the seed cannot be written there ({failed}): add {line} to [run]") from None
    return seed
