"""Plays the matches of a tournament, one after the other, with `session.run_match`: the work of one worker.

1. The sandbox stays open for all matches, so a bot is copied and described once, until many others have played. Players are fresh
   processes in each match.
2. What is noted for each seat: the name that it answered, its first and its slowest answer, the time charged, and how long its
   answers took.
3. The saved game is written beside the ledger and hashed. Then it is kept or deleted, as the tournament says.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from referee import games
from referee.bots import Bot, enter, with_house
from referee.contract.clock import TimeControl
from referee.contract.game import Fault, Step
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.errors import UsageError
from referee.files.claims import PART
from referee.match.config import MatchConfig, Seat
from referee.match.session import MatchResult, run_match
from referee.sandbox.limits import Level, Limits
from referee.sandbox.opening import PREPARED, Sandbox
from referee.text.strict import Strict
from referee.tournament.copies import load, run_by
from referee.tournament.figures.times import Histogram
from referee.tournament.model import saved_name, scores
from referee.tournament.saved_games import digest_of

STDERR: Final = 10
"""Lines of stderr that are kept of a player at fault."""


def moved_message(folder: str | Path) -> str:
    """The message if a tournament's folder, or its ledger, is no longer where the run has opened it."""
    return f"{folder} was moved or deleted during the run; if it was moved, nothing is lost: go on where it is now"


class Opening(Strict):
    """What all matches of a tournament have in common.

    Attributes:
        folder: the tournament's, with the copies of its bots. games: the folder of its saved games.
        maps: the documents, by name. time: the limits of a player.
        seats: of entrants. python: the interpreter of bots in Python; None for the referee's own.
        package: the distribution that brings the game, and its version; None for the referee's own games.
    """

    folder: str
    games: str
    game: str
    maps: dict[str, Any]
    rounds: int | None
    time: TimeControl
    pondering: bool
    isolation: Literal["full", "reduced", "none"]
    memory: int | None
    keep: Literal["all", "faults", "none"]
    seats: int
    python: str | None = None
    package: str | None = None

    @property
    def limits(self) -> Limits:
        """What a player may use."""
        running = self.seats if self.pondering else 1
        return Limits.behind(self.time.total, running=running, memory=self.memory)


class JobSeat(Strict):
    """Who is in a seat."""

    number: int
    name: str
    content: str


class Job(Strict):
    """A match to play.

    Attributes:
        series, seating: its key in the ledger. rounds: how many at the most; None for the tournament's.
        kept: whether its saved game is kept, as the tournament says.
    """

    series: int
    seating: int
    map: str
    rng_seed: int
    seats: list[JobSeat]
    rounds: int | None = None
    kept: bool = True

    @property
    def saved(self) -> str:
        """Its saved game, in the tournament's folder."""
        return saved_name(self.series, self.seating)


class JobRunner:
    """Plays matches in one open sandbox."""

    def __init__(self, opening: Opening, sandbox: Sandbox) -> None:
        """Make it.

        Raises:
            UsageError: the game is not installed here, or in another version.
        """
        self._opening = opening
        self._sandbox = sandbox
        self._game = games.find(opening.game)
        plugin = games.plugin(opening.game)
        if (here := None if plugin is None else plugin.package) != opening.package:
            packages = f"of {here} here, and of {opening.package} in the tournament"
            raise UsageError(f"{opening.game} is {packages}: install the same")
        self._bot = lru_cache(PREPARED)(self._load)
        self._setup = lru_cache(1)(self._first_position)

    async def play(self, job: Job) -> dict[str, Any]:
        """Play a match: a row for `Ledger.record`, as JSON.

        Raises:
            As `run_match`; what a bot does wrong is in the row.
        """
        self._sandbox.tidy()
        opening, game = self._opening, self._game
        began = time.monotonic()
        started = datetime.now(UTC)
        path = _clear(Path(opening.games) / Path(job.saved).name) if job.kept else None
        setup, seats = self._setup(job.map, job.rng_seed, len(job.seats), job.rounds or opening.rounds)
        bots = [self._bot(seat.content, seat.name) for seat in job.seats]
        config = MatchConfig(
            game=game,
            setup=setup,
            seed=job.rng_seed,
            map=job.map,
            seats=[Seat(bot) for bot in with_house(bots, game, seats, job.rng_seed)],
            time=opening.time,
            memory=opening.memory,
            pondering=opening.pondering,
            isolation=Level(opening.isolation),
            saved=path,
        )
        answers = _Answers(config.seats)
        result = await run_match(config, recorders=[answers], sandbox=self._sandbox)
        faults = list(_faults(result, answers, len(job.seats)))
        sha256, keep = None, False
        if path is not None:
            sha256 = digest_of(path)
            keep = opening.keep == "all" or (opening.keep == "faults" and bool(faults))
            if not keep:
                path.unlink()
        return {
            "seats": list(_seats(job.seats, result, answers)),
            "reason": result.outcome.reason,
            "seconds": time.monotonic() - began,
            "started": f"{started:%Y-%m-%dT%H:%M:%S.%fZ}",
            "machine": platform.node(),
            "saved": job.saved if keep else None,
            "sha256": sha256,
            "faults": faults,
            "times": [answers.times[seat].as_json() for seat in range(len(job.seats))],
        }

    def _first_position(self, map_: str, rng_seed: int, entrants: int, rounds: int | None) -> tuple[Position, int]:
        """The first position and its number of seats. All seatings of a series have the same, so the last one is kept."""
        setup = self._game.maps.setup(self._opening.maps[map_], seats=entrants, rng_seed=rng_seed, rounds=rounds)
        return setup, self._game.start(setup, rng_seed).seats

    def _load(self, content: str, name: str) -> Bot:
        """A bot. People see the name of its entrant, because a player may answer the name of a rival."""
        bot = enter(run_by(load(Path(self._opening.folder), content, name), self._opening.python), self._game)
        return replace(bot, given=True)


class _Answers:
    """Records the names of the players, and how long answers take."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        # A process for one turn is never asked its name.
        self._has_name = [seat.bot.lifetime != "turn" for seat in seats]
        self.names: list[str | None] = [None] * len(seats)
        self.first: list[float | None] = [None] * len(seats)
        self.failed = [0.0] * len(seats)
        self.times = [Histogram() for _ in seats]

    def record(self, steps: Sequence[Step]) -> None:
        """Count the answers of steps."""
        for step in steps:
            for answer in step.answers:
                seat = answer.seat
                if self.first[seat] is None:
                    self.first[seat] = answer.elapsed
                self.times[seat].add(answer.elapsed)
                if isinstance(answer.action, Fault):
                    self.failed[seat] = answer.elapsed
                elif step.ask == "getName" and self._has_name[seat]:
                    self.names[seat] = answer.action

    def end(self, outcome: Outcome, final: Position) -> None:
        """Nothing to do."""


def _seats(seats: Sequence[JobSeat], result: MatchResult, answers: _Answers) -> Iterator[dict[str, Any]]:
    """Who was in each seat, and how it did there."""
    ranking = {ranked.seat: ranked for ranked in result.outcome.ranking if ranked.seat < len(seats)}
    shares = scores([ranking[number].rank for number in range(len(seats))])
    for number, (seat, score) in enumerate(zip(seats, shares, strict=True)):
        ranked, clock, first = ranking[number], result.seats[number].clock, answers.first[number]
        first_ms = None if first is None else first * 1000
        yield {
            "seat": number, "number": seat.number, "entrant": seat.content, "name": seat.name,
            "called": answers.names[number], "place": ranked.rank, "score": score, "points": ranked.score,
            "disqualified": ranked.disqualified,
            "first_ms": first_ms, "slowest_ms": clock.slowest * 1000, "total_ms": clock.used * 1000,
        }  # fmt: skip


def _faults(result: MatchResult, answers: _Answers, seats: int) -> Iterator[dict[str, Any]]:
    """The evidence of each fault: what happened at which step, after which time, and the last lines on stderr."""
    for number, seat in enumerate(result.seats[:seats]):
        if seat.fault is not None:
            step, round_, ask = seat.failed_at or (0, 0, "")
            yield {
                "seat": number, "kind": seat.fault.kind.value, "detail": seat.fault.detail,
                "step": step, "round": round_, "request": ask,
                "ms": answers.failed[number] * 1000, "stderr": list(seat.last_words)[-STDERR:],
            }  # fmt: skip


def _clear(path: Path) -> Path:
    """The path of a saved game, without what a run that was killed has left there."""
    path.parent.mkdir(exist_ok=True)
    for more in ("", PART, f"{PART}.gz"):
        path.with_name(f"{path.name}{more}").unlink(missing_ok=True)
    return path
