"""One match from its config to its result: file claimed, sandbox opened, players seated, played, recorded, ended.

1. `run_match` takes a `MatchConfig` and returns a `MatchResult`. Nothing here prints, draws or reads a command line.
2. A `Session` is the same in two steps, for callers that follow the match. The first step does all that can fail without a
   player: it makes the first position and claims the file. Observers may read `state` and `clocks` between two steps of
   the match. `play` does the rest, and undoes everything in reverse order, however the match ends.
3. What a bot does wrong is in the result. What ends a match otherwise (`Void`, a cancel, a full disk) is an exception. In that
   case too, the session has a `result`, up to the last complete step.
4. Callers that put requests to bots without a match use a part of it, `sandbox_for`, and `table.seat_players`.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from referee import __version__, games
from referee.bots import Bot, entrants
from referee.contract.clock import Clock
from referee.contract.game import Game, State
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.errors import GameError, SetupError, UsageError, leaves_of
from referee.files.claims import Claim, check_place
from referee.games.mistakes import mistake
from referee.match import loop
from referee.match.config import MatchConfig
from referee.match.contract_check import checked_game, checked_state
from referee.match.tally import SeatResult, Tally
from referee.match.watchdog import limit_calls
from referee.players.human import Person
from referee.players.stream import Tap
from referee.players.table import seat_players
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.limits import Level, Limits
from referee.sandbox.opening import Sandbox, open_sandbox
from referee.sandbox.probing.verdicts import demand
from referee.saved.record import VOID, Recorder, digest, header_line
from referee.text.words import counted


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match went.

    Attributes:
        outcome: the reason for its end, and the ranking. final: the last position. digest: the digest of `final`.
        seats: figures, faults and clock of each seat. steps: how many steps were played.
        isolation: the isolation of the players, as in the saved game.
        saved: the saved game's file, after following links. left_off: the first step that the file has no room for.
    """

    game: Game[Any, Any]
    outcome: Outcome
    final: Position
    digest: str
    seats: Sequence[SeatResult]
    steps: int
    isolation: Mapping[str, Any]
    saved: Path | None
    left_off: int | None

    def players_of(self, bots: Sequence[Bot]) -> list[dict[str, Any]]:
        """The players as JSON, best first: times in seconds, `total` by the match's clock. In a void match every rank is null.

        Args:
            bots: the bots of the config.
        """
        void = {"rank": None} if self.outcome.reason == VOID else {}
        players = []
        for ranked in self.outcome.ranking:
            seat = self.seats[ranked.seat]
            players.append(
                {
                    **ranked.as_json(),
                    **void,
                    "detail": seat.fault.detail if seat.fault else None,
                    "failures": seat.failures,
                    "failed_at": seat.failed_at.step if seat.failed_at else None,
                    "bot": bots[ranked.seat].name,
                    **{column.title: figure for column, figure in zip(self.game.columns, seat.figures, strict=True)},
                    "moves": seat.moves,
                    "time": {"total": round(seat.clock.used, 6), "slowest": round(seat.clock.slowest, 6)},
                }
            )
        return players


async def run_match(
    config: MatchConfig, *, recorders: Sequence[loop.StepRecorder] = (), sandbox: Sandbox | None = None
) -> MatchResult:
    """Play a match to its end.

    Args:
        recorders: see `loop.play`.
        sandbox: an open sandbox, for many matches with the same limits (`sandbox_for`); None to open one for this match.

    Raises:
        UsageError: the config cannot be played, or the file cannot be written. BotError: a bot cannot be started.
        IsolationError: this machine cannot isolate the players. Void: this machine is too busy to judge fairly.
        OSError: the saved game cannot be written, or the machine is out of processes, descriptors or memory.
    """
    with closing(Session(config)) as session:
        return await session.play(recorders=recorders, sandbox=sandbox)


class Session:
    """A match and its first position.

    Attributes:
        state: the match in progress. clocks: the clock of each seat. entrants: the players.
        people: the people who play, by seat; a view gives their answers.
        saved: the file for the saved game; None if it is not saved. created: the time at which the match began, as in the header.
    """

    def __init__(self, config: MatchConfig) -> None:
        """Make the first position and claim the file.

        Raises:
            UsageError: the number of bots is not that of the seats, or the file cannot be written.
        """
        self._config = config
        self.entrants = entrants(config.bots)
        try:
            self.state: State[Any, Any] = config.game.start(config.setup, config.seed, self.entrants)
        except SetupError as wrong:
            if config.map is None:
                raise
            raise SetupError(f"the rules refuse the first position of the map {config.map}: {wrong}") from None
        if (seats := self.state.seats) != len(config.bots):
            raise UsageError(f"the position has {counted(seats, 'player')}: name as many bots, not {len(config.bots)}")
        self.clocks = [Clock(config.time) for _ in range(seats)]
        self.people = {seat: Person(config.seats[seat].bot.name, config.limited) for seat in config.people}
        self._game = checked_game(config.game)
        self._tally = Tally(self._game, self.clocks)
        self._isolation: dict[str, Any] = {}
        self._left_off: int | None = None
        self.created = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        self.saved = None if config.saved is None else _target(config.saved)
        self._claim = None if self.saved is None else Claim(self.saved, synced=config.synced)

    def close(self) -> None:
        """Release the name of the file. A match that has not ended stays as `.part`."""
        if self._claim is not None:
            self._claim.close()

    async def play(
        self,
        *,
        recorders: Sequence[loop.StepRecorder] = (),
        observers: Sequence[loop.Observer] = (),
        pace: loop.AfterStep | None = None,
        taps: Mapping[int, Tap] = MappingProxyType({}),
        sandbox: Sandbox | None = None,
    ) -> MatchResult:
        """Play the match to its end, and end the players.

        Args:
            recorders, observers, pace: see `loop.play`. sandbox: see `run_match`.
            taps: functions that get the bytes of players, by seat.

        Raises:
            As `run_match`, but not UsageError.
        """
        config = self._config
        async with AsyncExitStack() as stack:
            if sandbox is None:
                sandbox = await stack.enter_async_context(
                    sandbox_for(config.bots, config.isolation, config.limits, config.game.name)
                )
            self._isolation = self._isolation_in(sandbox)
            contenders = [
                seat.contender(person=self.people.get(number), tap=taps.get(number))
                for number, seat in enumerate(config.seats)
            ]
            async with seat_players(sandbox, self._game, contenders, pondering=config.pondering) as players:
                with self._open_recorders() as own, self._mistakes_named(), limit_calls(config.game):
                    await loop.play(
                        checked_state(self.state, config.game), players, self.clocks,
                        recorders=[*own, *recorders], observers=observers, pace=pace,
                    )  # fmt: skip
            from referee.sandbox import advice  # here, so that no player waits for this import

            for seat, player in zip(self._tally.seats, players, strict=True):
                seat.last_words = player.last_words(advice.LINES)
        result = self.result
        assert result is not None
        return result

    @contextmanager
    def _open_recorders(self) -> Iterator[Sequence[loop.StepRecorder]]:
        """The match's own recorders. Saving comes first: it does not depend on counting."""
        if self._claim is None:
            yield [self._tally]
            return
        recorder = Recorder(self._claim, self._header())
        try:
            yield [recorder, self._tally]
        finally:
            recorder.close()
            self._left_off = recorder.left_off

    @contextmanager
    def _mistakes_named(self) -> Iterator[None]:
        """An error of the game says in which step, and where the match up to there is."""
        try:
            yield
        except (Exception, SystemExit, BaseExceptionGroup) as failed:
            hint = ""
            if self._claim is not None:
                file = self._claim.part if self._claim.part.exists() else self._claim.path
                hint = f"; the match up to there is in {file}"
            if named := next((leaf for leaf in leaves_of(failed) if isinstance(leaf, GameError)), None):
                raise GameError(f"{named}{hint}") from failed
            if (mistaken := mistake(failed, f" in step {self.steps + 1}", hint)) is None:
                raise
            raise mistaken from failed

    def _isolation_in(self, sandbox: Sandbox) -> dict[str, Any]:
        """What the saved game says of the players' isolation."""
        config = self._config
        isolation: dict[str, Any] = {"level": sandbox.level.value, "pondering": config.pondering, **sandbox.parts}
        if sandbox.level is not Level.NONE:
            isolation["memory_limit"] = config.limits.memory
        if inside := [number for number, seat in enumerate(config.seats) if seat.bot.policy is not None]:
            isolation["in_process"] = inside
        return isolation

    @property
    def result(self) -> MatchResult | None:
        """How the match went, even if it was broken off; None before its end."""
        outcome, final = self._tally.outcome, self._tally.final
        if outcome is None or final is None:
            return None
        return MatchResult(
            game=self._config.game,
            outcome=outcome,
            final=final,
            digest=digest(final),
            seats=self._tally.seats,
            steps=self._tally.steps,
            isolation=self._isolation,
            saved=self.saved,
            left_off=self._left_off,
        )

    @property
    def steps(self) -> int:
        """The number of steps that have been played."""
        return self._tally.steps

    @property
    def moved_aside(self) -> Sequence[tuple[Path, Path]]:
        """Files that were in the way and have been renamed, as (old name, new name)."""
        return [] if self._claim is None else self._claim.moved

    def _header(self) -> dict[str, Any]:
        config = self._config
        return header_line(
            config.game,
            config.time,
            self.entrants,
            package=None if (plugin := games.plugin(config.game.name)) is None else plugin.package,
            rng_seed=config.seed,
            setup=self.state.position(),
            isolation=self._isolation,
            created=self.created,
            referee=__version__,
        )


@asynccontextmanager
async def sandbox_for(bots: Sequence[Bot], level: Level, limits: Limits, game: str) -> AsyncIterator[Sandbox]:
    """A sandbox for these bots, players of a game, after testing that this machine enforces its level.

    Policies and people need no sandbox: if there are no programs, any machine will do, and nothing is started.

    Raises:
        IsolationError: this machine cannot enforce that level.
    """
    if all(bot.policy is not None or bot.fault is not None or bot.human for bot in bots):
        yield BareSandbox()
        return
    with open_sandbox(level, limits, game) as sandbox:
        await demand(sandbox)
        yield sandbox


def _target(path: Path) -> Path:
    """The path of a saved game, after following links.

    Raises:
        UsageError: it cannot be written, or its name is not that of a saved game. OSError: the name is too long.
    """
    saved = Path(os.path.realpath(path)) if path.is_symlink() else path
    if not saved.name.endswith((".jsonl", ".jsonl.gz")):
        raise UsageError(f"{saved}: the name must end in .jsonl or .jsonl.gz")
    check_place(saved)
    return saved
