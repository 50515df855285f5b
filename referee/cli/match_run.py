"""One planned match: players are started, watched or told, recorded and ended, whatever happens."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from contextlib import closing as closing_after
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee import __version__, match
from referee.bots import Bot, entrants
from referee.cli import closing, running, shelf
from referee.cli.called import Called
from referee.cli.narrator import Narrator, WireTap, narrate
from referee.cli.tally import Tally
from referee.cli.transcript import SeatTranscript, open_transcripts
from referee.clock import TimeControl
from referee.errors import RefereeError, UsageError, out_of
from referee.files import Claim
from referee.game import Game, Position, State
from referee.names import counted
from referee.players.fairness import Void
from referee.players.stream import Tap
from referee.players.table import seated
from referee.record import Recorder, digest, header_line
from referee.sandbox.limits import Level, Limits
from referee.sandbox.opening import opened
from referee.sandbox.probing.demanding import demand

if TYPE_CHECKING:
    from referee.view.console import ColourChoice, Terminal


class Unfinished(RefereeError):
    """The match could not be finished through nobody's play: a full disk, for example."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """A match as the command line wants it.

    Attributes:
        bots: as they are started, one a seat. written: the same as their authors left them, for advice about their files.
        again: the words that ask for the same match.
    """

    game: Game[Any, Any]
    setup: Position
    seats: int
    seed: int
    bots: Sequence[Bot]
    written: Sequence[Bot]
    time: TimeControl
    pondering: bool
    isolation: Level
    limits: Limits
    output: Path | None
    transcript: Path | None
    watch: bool | None
    speed: float | None
    verbose: int
    quiet: bool
    again: Sequence[str]
    color: ColourChoice
    ascii_only: bool


def carry_out(plan: Plan, *, table: bool, publish: Callable[[dict[str, Any]], None]) -> None:
    """Play the match, print the closing table if wanted, and hand what `--json` prints to `publish`.

    Raises:
        UsageError, BotError: before the match begins. Interrupted: the record is closed, the players are ended.
        Unfinished: the record or the transcript could not be written. OSError: the machine has no process, descriptor or
            memory left. Void: the match is void, as was published.
    """
    watch = not plan.quiet and _at_terminal() if plan.watch is None else plan.watch
    terminal = _terminal(plan) if watch else None
    if terminal is not None and not terminal.interactive:
        if plan.watch:
            raise UsageError("--watch needs a terminal on stdin and stdout")
        terminal = None  # a dumb one
    with ExitStack() as stack:
        run = stack.enter_context(closing_after(MatchRun(plan)))
        transcripts = None
        try:
            if plan.transcript is not None:
                transcripts = open_transcripts(plan.transcript, run.state.seats, stack)
            running.run(lambda: run.play(transcripts, terminal))
        except running.Interrupted:
            # After the end of the match only the last page of the view was interrupted.
            if run.tally.outcome is None or run.tally.outcome.reason == "interrupted":
                if run.tally.outcome is not None and not plan.quiet:
                    narrate(f"the match so far is in {run.saved}")
                raise
        except Void as void:
            publish({**run.report(), "why": str(void)})
            if not plan.quiet:
                narrate(f"the match so far is in {run.saved}")
                narrate(f"again:  {shlex.join([closing.program(), *plan.again])}")
            raise
        except OSError as failed:
            if out_of(failed):
                raise
            where = f"{failed.filename}: " if failed.filename else ""
            raise Unfinished(f"the match could not be finished: {where}{failed.strerror}") from failed
        finally:
            for note in run.notes():  # a view may have had the terminal until now
                narrate(note)
    if table:
        closing.print_table(
            terminal or _terminal(plan), run.tally, run.clocks, run.last_words, names=run.names(), bots=plan.written,
            isolation=plan.isolation, memory=plan.limits.memory,
        )  # fmt: skip
    if not plan.quiet:
        narrate("")
        if plan.isolation is not Level.FULL:
            narrate(f"isolation: {plan.isolation.value}")
        narrate(f"saved:  {run.saved}")
        narrate(f"replay: {shlex.join([closing.program(), 'replay', str(run.saved)])}")
        narrate(f"again:  {shlex.join([closing.program(), *plan.again])}")
    publish(run.report())


def _at_terminal() -> bool:
    """Whether there may be somebody who watches; `Terminal.interactive` knows better, and costs an import."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _terminal(plan: Plan) -> Terminal:
    # What draws is imported when there is something to draw: players that nobody watches do not wait for it.
    from referee.view.console import open_terminal

    return open_terminal(color=plan.color, ascii_only=plan.ascii_only)


class MatchRun:
    """The match of a plan, from its first position on.

    Attributes:
        saved: where the match is saved in the end.
        isolation: what the players are put into, as it stands in the saved game.
        last_words: the end of every player's log, lines a seat; empty until the match is over.
    """

    def __init__(self, plan: Plan) -> None:
        """Look at everything that can be looked at before a player is started. Raises: UsageError."""
        self._plan = plan
        if plan.seats != len(plan.bots):
            raise UsageError(
                f"the position has {counted(plan.seats, 'player')}: name as many bots, not {len(plan.bots)}"
            )
        self._entrants = entrants(plan.bots)
        self.state: State[Any, Any] = plan.game.start(plan.setup, plan.seed, self._entrants)
        self._shown = Called(self.state, self._entrants)
        seats = self.state.seats
        self._now = datetime.now(UTC)
        self.saved = self._place()
        self.tally = Tally(plan.game, seats)
        self.clocks = match.clocks_for(plan.time, seats)
        self.last_words: list[list[str]] = [[] for _ in range(seats)]
        self.isolation: dict[str, Any] = {}
        self._left_off: int | None = None
        self._claim = Claim(self.saved)

    def close(self) -> None:
        """Let others save under this name. A match that was not finished stays behind as `.part`."""
        self._claim.close()

    async def play(self, transcripts: Sequence[SeatTranscript] | None, terminal: Terminal | None) -> None:
        """Play it, on the terminal if there is one to watch it on. The players are gone when the last page is looked at."""
        plan = self._plan
        observers: list[match.Observer] = []
        if plan.verbose and terminal is None:
            observers.append(Narrator(plan.game, self._shown, wire=plan.verbose > 1))
        taps = [self._taps(seat, transcripts, watched=terminal is not None) for seat in range(self.state.seats)]
        hears = [transcript.logged for transcript in transcripts] if transcripts is not None else None
        async with AsyncExitStack() as stack:
            pace = None
            if terminal is not None:
                from referee.view import speed as speeds
                from referee.view.live import watching
                from referee.view.scene import Director

                director = Director(plan.game, self._shown, self.clocks)
                observers.append(director)
                speed = speeds.sensible(plan.game.steps(plan.setup)) if plan.speed is None else plan.speed
                pace = (await stack.enter_async_context(watching(director, terminal, speed=speed))).after
            # Where nothing is started nothing has to be isolated, and no machine is too poor for it.
            level = plan.isolation if any(bot.policy is None for bot in plan.bots) else Level.NONE
            sandbox = stack.enter_context(opened(level, plan.limits))
            await demand(sandbox)
            self.isolation = {"level": sandbox.level.value, "pondering": plan.pondering, **sandbox.parts}
            if sandbox.level is not Level.NONE:
                self.isolation["memory_limit"] = plan.limits.memory
            async with seated(
                sandbox,
                [bot.policy or bot for bot in plan.bots],
                plan.game,
                lifetimes=[bot.lifetime or "game" for bot in plan.bots],
                pondering=plan.pondering,
                taps=taps,
                hears=hears,
            ) as players:
                with closing_after(self._recorder()) as recorder:
                    # What is saved does not depend on what is counted.
                    recorders: list[match.Observer] = [recorder, self.tally]
                    await match.play(
                        self.state, players, self.clocks, recorders=recorders, observers=observers, pace=pace
                    )
                    self._left_off = recorder.left_off
            from referee.sandbox import advice

            for seat, player in enumerate(players):
                self.last_words[seat] = player.last_words(advice.LINES)

    def names(self) -> list[str]:
        """How people know the players, one a seat."""
        return [line.name for line in self._shown.draw().seats]

    def notes(self) -> list[str]:
        """What happened to files, to be told when nothing draws on the terminal any more."""
        notes = [f"{path} was there already: it is {aside} now" for path, aside in self._claim.moved]
        if self._left_off is not None:
            notes.append(
                f"{self.saved} ends before step {self._left_off} and has no result: a longer file could not be read again"
            )
        return notes

    def report(self) -> dict[str, Any]:
        """The match as `--json` prints it, once it is over."""
        assert self.tally.final is not None
        plan = self._plan
        return closing.report(
            tally=self.tally,
            clocks=self.clocks,
            bots=[bot.name for bot in plan.bots],
            seed=plan.seed,
            isolation=self.isolation,
            saved=self.saved,
            digest=digest(self.tally.final),
            again=[closing.program(), *plan.again],
        )

    def _place(self) -> Path:
        plan = self._plan
        saved = plan.output if plan.output is not None else shelf.place(plan.game.name, plan.seed, self._now)
        try:
            if saved.is_symlink():  # the file that it leads to is meant
                saved = Path(os.path.realpath(saved))
                if saved.is_symlink():
                    raise UsageError(f"{plan.output} is a link that leads back to itself: choose another name")
        except OSError as failed:
            raise UsageError(f"{saved} cannot be written ({failed.strerror}): choose another name or folder") from None
        if not saved.name.endswith((".jsonl", ".jsonl.gz")):
            raise UsageError(f"{saved}: the name must end in .jsonl or .jsonl.gz")
        shelf.check(saved)
        return saved

    def _recorder(self) -> Recorder:
        plan = self._plan
        header = header_line(
            game=plan.game.name,
            rules=plan.game.rules_version,
            rng_seed=plan.seed,
            setup=self.state.position(),
            bots=self._entrants if list(plan.game.lifetimes) != ["game"] else [bot.name for bot in plan.bots],
            given=[seat for seat, bot in enumerate(plan.bots) if bot.given],
            limits=plan.time.as_json(),
            clock=plan.time.kind,
            isolation=self.isolation,
            created=f"{self._now:%Y-%m-%dT%H:%M:%SZ}",
            referee=__version__,
        )
        return Recorder(self._claim, header)

    def _taps(self, seat: int, transcripts: Sequence[SeatTranscript] | None, *, watched: bool) -> Tap | None:
        taps: list[Tap] = [] if transcripts is None else [transcripts[seat]]
        if self._plan.verbose > 1 and not watched:
            taps.append(WireTap(seat))
        return Taps(taps) if len(taps) > 1 else taps[0] if taps else None


class Taps:
    """Several taps as one."""

    def __init__(self, taps: Sequence[Tap]) -> None:
        self._taps = taps

    def sent(self, data: bytes) -> None:
        """See `Tap`."""
        for tap in self._taps:
            tap.sent(data)

    def received(self, data: bytes) -> None:
        """See `Tap`."""
        for tap in self._taps:
            tap.received(data)
