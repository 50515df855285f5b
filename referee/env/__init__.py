"""Environments of PettingZoo for the games: programs that learn play whole matches in this process, by the rules themselves.

`aec` and `parallel` import PettingZoo, Gymnasium and numpy when they are called: `pip install 'referee[rl]'`. The manual page is
training.md.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from referee import games
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.env.together import Together
    from referee.env.turns import Turns

Observe: TypeAlias = Literal["planes", "text"]
"""What agents see: the board as planes, or the request's exact text."""

EXTRA: Final = ("pettingzoo", "gymnasium", "numpy")
"""The packages of the extra `rl`."""


def aec(
    game: str,
    *,
    map: str | Path | None = None,  # noqa: A002
    seats: int | None = None,
    rounds: int | None = None,
    observe: Observe = "planes",
) -> Turns:
    """An environment in which agents act one after the other. Games that ask several seats at once are asked one by one.

    Args:
        game: the game's name, as `--game` takes it.
        map: the name of a map that comes with the referee, or a TOML file; the game's usual map if left out.
        seats: how many agents play, `seat_0` and so on; one for each starting place of the map if left out.
        rounds: how long a match lasts; as the map says if left out.
        observe: `planes` or `text`.

    Raises:
        UsageError: a package, the game or the map is missing, or the map does not fit.
    """
    with_extra()
    plugin, setup = games.find(game), (map, seats, rounds, observe)
    if plugin.together:
        from pettingzoo.utils.wrappers import OrderEnforcingWrapper

        from referee.env.together import OneByOne, Together

        return cast("Turns", OrderEnforcingWrapper(OneByOne(Together(plugin, *setup))))  # it has the same attributes
    from referee.env.turns import Turns

    return Turns(plugin, *setup)


def parallel(
    game: str,
    *,
    map: str | Path | None = None,  # noqa: A002
    seats: int | None = None,
    rounds: int | None = None,
    observe: Observe = "planes",
) -> Together:
    """An environment in which all agents act at the same moment, for games that ask all seats at once. Arguments as in `aec`.

    Raises:
        UsageError: as `aec`; or the game asks one seat after the other.
    """
    with_extra()
    from referee.env.together import Together

    plugin = games.find(game)
    if not plugin.together:
        raise UsageError(f"{game} asks one seat after the other: use referee.env.aec({game!r})")
    return Together(plugin, map, seats, rounds, observe)


def with_extra() -> None:
    """Import the packages of the extra. Raises: UsageError: one is missing; the message has the command that installs it."""
    for package in EXTRA:
        try:
            __import__(package)
        except ModuleNotFoundError as missing:
            command = shlex.join((sys.executable, "-m", "pip", "install", "referee[rl]"))
            raise UsageError(f"environments need {package}, which is not installed: {command}") from missing
