"""One planned match: players are started, watched or told, recorded and ended, whatever happens."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from referee import __version__, match
from referee.bots import Bot
from referee.cli import closing, running, shelf
from referee.cli.narrator import Narrator, WireTap, narrate
from referee.cli.tally import Tally
from referee.cli.transcript import SeatTranscript, open_transcripts
from referee.clock import Clock, TimeControl
from referee.errors import RefereeError, UsageError
from referee.game import Game, Position, State
from referee.players.stream import Tap
from referee.players.table import seated
from referee.record import Recorder, being_written, digest, header_line, part_of
from referee.view import speed as speeds
from referee.view.console import ColourChoice, Terminal, open_terminal
from referee.view.live import watching
from referee.view.scene import Director


class Unfinished(RefereeError):
    """The match could not be finished through nobody's play: a full disk, for example."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """A match as the command line wants it; `again` are the words that ask for the same one."""

    game: Game[Any, Any]
    setup: Position
    seed: int
    bots: Sequence[Bot]
    time: TimeControl
    output: Path | None
    transcript: Path | None
    watch: bool | None
    speed: float | None
    verbose: int
    quiet: bool
    again: Sequence[str]
    color: ColourChoice
    ascii_only: bool


def carry_out(plan: Plan, *, table: bool) -> dict[str, Any]:
    """Play the match, print the closing table if wanted, and return what `--json` prints.

    Raises:
        UsageError, BotError: before the match begins. Interrupted: the record is closed, the players are ended.
        Unfinished: the record could not be written.
    """
    terminal = open_terminal(color=plan.color, ascii_only=plan.ascii_only)
    watch = terminal.interactive and not plan.quiet if plan.watch is None else plan.watch
    if watch and not terminal.interactive:
        raise UsageError("--watch needs a terminal on stdin and stdout")
    state = plan.game.start(plan.setup, plan.seed)
    seats = state.seats
    if seats != len(plan.bots):
        raise UsageError(f"the position has {seats} players, but {len(plan.bots)} bots are named")
    now = datetime.now(UTC)
    saved = plan.output if plan.output is not None else shelf.place(plan.game.name, plan.seed, now)
    if saved.is_symlink():  # what it leads to is meant
        saved = saved.resolve()
    if not saved.name.endswith((".jsonl", ".jsonl.gz")):
        raise UsageError(f"{saved}: the name must end in .jsonl or .jsonl.gz")
    shelf.check(saved)
    if being_written(saved):
        raise UsageError(f"another match is being saved as {saved} right now: choose another name")
    tally = Tally(plan.game, seats)
    clocks = match.clocks_for(plan.time, seats)
    words: list[list[str]] = [[] for _ in range(seats)]
    with ExitStack() as stack:
        transcripts = open_transcripts(plan.transcript, seats, stack) if plan.transcript is not None else None

        def record() -> Recorder:
            for path in (saved, part_of(saved)):
                if (aside := shelf.move_aside(path)) is not None:
                    narrate(f"{path} was there already: it is {aside} now")
            return Recorder(saved, _header(plan, state, now))

        async def work() -> None:
            await _play(plan, state, clocks, record, tally, transcripts, terminal, words, watch=watch)

        try:
            running.run(work)
        except running.Interrupted:
            # After the end of the match only the last page of the view was interrupted.
            if tally.outcome is None or tally.outcome.reason == "interrupted":
                if tally.outcome is not None and not plan.quiet:
                    narrate(f"the match so far is in {saved}")
                raise
        except OSError as failed:
            where = f"{failed.filename}: " if failed.filename else ""
            raise Unfinished(f"the match could not be finished: {where}{failed.strerror}") from failed
    assert tally.final is not None
    again = [closing.program(), *plan.again]
    if table:
        closing.print_table(terminal, tally, clocks, words)
    if not plan.quiet:
        narrate("")
        narrate(f"saved:  {saved}")
        narrate(f"replay: {shlex.join([closing.program(), 'replay', str(saved)])}")
        narrate(f"again:  {shlex.join(again)}")
    return closing.report(
        tally=tally,
        clocks=clocks,
        bots=[bot.name for bot in plan.bots],
        seed=plan.seed,
        saved=saved,
        digest=digest(tally.final),
        again=again,
    )


async def _play(
    plan: Plan,
    state: State[Any, Any],
    clocks: Sequence[Clock],
    record: Callable[[], Recorder],
    tally: Tally,
    transcripts: Sequence[SeatTranscript] | None,
    terminal: Terminal,
    words: list[list[str]],
    *,
    watch: bool,
) -> None:
    observers: list[match.Observer] = [tally]
    if plan.verbose and not watch:
        observers.append(Narrator(plan.game, state, wire=plan.verbose > 1))
    async with AsyncExitStack() as stack:
        taps = [_taps(plan, seat, transcripts, watch=watch) for seat in range(len(plan.bots))]
        hears = [transcript.logged for transcript in transcripts] if transcripts is not None else None
        players = await stack.enter_async_context(seated(plan.bots, plan.game, taps=taps, hears=hears))
        recorder = record()
        stack.callback(recorder.close)
        # The recorder is told first: what is saved does not depend on who else looks on.
        observers.insert(0, recorder)
        pace = None
        if watch:
            director = Director(plan.game, state, clocks)
            observers.append(director)
            speed = speeds.USUAL if plan.speed is None else plan.speed
            pace = (await stack.enter_async_context(watching(director, terminal, speed=speed))).after
        await match.play(state, players, clocks, observers=observers, pace=pace)
    for seat, player in enumerate(players):
        words[seat] = player.last_words(closing.LAST_WORDS)


def _taps(plan: Plan, seat: int, transcripts: Sequence[SeatTranscript] | None, *, watch: bool) -> Tap | None:
    taps: list[Tap] = [] if transcripts is None else [transcripts[seat]]
    if plan.verbose > 1 and not watch:
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


def _header(plan: Plan, state: State[Any, Any], now: datetime) -> dict[str, Any]:
    return header_line(
        game=plan.game.name,
        rules=plan.game.rules_version,
        rng_seed=plan.seed,
        setup=state.position(),
        bots=[bot.name for bot in plan.bots],
        limits=plan.time.as_json(),
        created=f"{now:%Y-%m-%dT%H:%M:%SZ}",
        referee=__version__,
    )
