"""`referee play -n`: many matches of one line-up, each bot from each seat, and a table: the smallest tournament."""

from __future__ import annotations

import json as json_text
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from referee.bots import name_in
from referee.cli.again import command, game_words
from referee.cli.tournament.playing import play
from referee.errors import UsageError
from referee.game import Game
from referee.names import shorten
from referee.tournament.drafting import keep
from referee.tournament.settings import MatchSettings
from referee.tournament.tournament import Tournament
from referee.view import standings
from referee.view.console import ColourChoice, open_terminal


@dataclass(frozen=True, slots=True)
class SeriesConfig:
    """Many matches of one line-up.

    Attributes:
        bots: as on the command line. matches: at least so many; whole rotations are played.
        map: None for the game's own. options: further keys of `[match]` of a tournament, None for the default.
        jobs: matches at a time.
    """

    game: Game[Any, Any]
    bots: Sequence[str]
    matches: int
    seed: int
    map: str | None
    options: Mapping[str, Any]
    jobs: int | None

    def document(self) -> dict[str, Any]:
        """The tournament: a round robin of one group."""
        seats = len(self.bots)
        maps = None if self.map is None else [self.map]
        return {
            "name": shorten(", ".join(Path(word).name for word in self.bots), 60),
            "game": self.game.name,
            "format": {"kind": "round-robin"},
            "match": {**self.options, "maps": maps, "seats": seats, "repeat": -(-self.matches // seats)},
            "run": {"rng_seed": self.seed, "keep": "none"},
        }

    def again(self) -> str:
        """The command that plays the same matches."""
        words = ["play", *self.bots, f"-n{self.matches}", *game_words(self.game), f"--seed={self.seed}"]
        words += [] if self.map is None else [f"--map={self.map}"]
        for key, value in self.options.items():
            if value is None or value == MatchSettings.model_fields[key].default:
                continue
            words.append("--no-pondering" if key == "pondering" else f"--{key}={value}")
        return command(*words)


def play_series(
    config: SeriesConfig,
    single: Mapping[str, object],
    *,
    color: ColourChoice,
    ascii_only: bool,
    json: bool,
    quiet: bool,
    say: Callable[[str], None],
) -> None:
    """Play the matches and print the table.

    Args:
        single: options that are for one match only, with their values.

    Raises:
        UsageError: the options contradict each other. NotReady: a bot cannot be built. The errors of `Tournament.run`.
    """
    if config.matches < 1 or (config.jobs is not None and config.jobs < 1):
        raise UsageError("--matches and --jobs must be at least 1")
    if config.matches == 1:
        raise UsageError("--jobs is for many matches: add -n")
    if given := [name for name, value in single.items() if value]:
        raise UsageError(f"{given[0]} is for one match: leave it out, or leave out -n")
    if len(config.bots) < 2:
        raise UsageError("-n is for two bots or more")
    terminal = open_terminal(color=color, ascii_only=ascii_only)
    with TemporaryDirectory(prefix="referee-series-") as place:
        folder = Path(place)
        keep(folder, config.document(), map(name_in, config.bots), made_by="referee play -n")
        with Tournament(folder, writes=True) as tournament:
            play(
                tournament,
                jobs=config.jobs,
                strict=True,
                quiet=quiet or json,
                ascii_only=terminal.look.ascii_only,
                say=say,
                again=config.again(),
                kept="again",
            )
            found = tournament.table()
    if json:
        print(json_text.dumps(found))
    else:
        standings.show(found, terminal)
        say(f"again:  {config.again()}")
