"""One match on the command line: shown while it is played, with a table or JSON at the end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from contextlib import closing as closing_after
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee import match
from referee.bots import Bot
from referee.cli import closing, running
from referee.cli.again import command
from referee.cli.narrator import Narrator, WireTap, narrate, narrate_renamed, progress
from referee.errors import RefereeError, UsageError, out_of
from referee.players.fairness import Void
from referee.players.human import PersonLeft
from referee.players.stream import Tap
from referee.sandbox.limits import Level
from referee.session import MatchConfig, MatchResult, Session

if TYPE_CHECKING:
    from referee.transcripts.writing import TranscriptWriter
    from referee.view.console import ColourChoice, Terminal
    from referee.view.live import Past
    from referee.view.screen import View


class Unfinished(RefereeError):
    """The match could not be finished, because of a full disk for example."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Shown:
    """What the user wants to see of a match.

    Attributes:
        written: the bots before they were built, one for each seat, for advice about their files.
        said: what the compilers of bots that forfeit said, by seat.
        words: the bots as the user named them, for commands to copy.
        again: the command that plays the same match.
        transcript: the folder for the exact bytes; None for none.
        watch: whether to draw the match while it is played; None: on a terminal.
        table: whether to print the closing table. quiet: whether to print nothing else at the end.
    """

    written: Sequence[Bot]
    said: Mapping[int, Sequence[str]]
    words: Sequence[str]
    again: str
    transcript: Path | None
    watch: bool | None
    speed: float | None
    verbose: int
    quiet: bool
    table: bool
    color: ColourChoice
    ascii_only: bool


def play_shown(config: MatchConfig, shown: Shown, publish: Callable[[dict[str, Any]], None]) -> None:
    """Play a match, show it, and hand what `--json` prints to `publish`.

    Raises:
        UsageError, BotError: before the match begins. Interrupted: by a signal. PersonLeft: by a person who plays. Then the
            record is closed and the players have ended.
        Unfinished: the record or the transcript could not be written. OSError: the machine is out of processes, descriptors
            or memory. Void: the match is void; its report has been published.
    """
    terminal = _terminal_to_watch(shown)
    with ExitStack() as stack:
        session = stack.enter_context(closing_after(Session(config)))
        try:
            transcript = None
            if shown.transcript is not None:
                from referee.transcripts.writing import TranscriptWriter

                transcript = TranscriptWriter(
                    shown.transcript,
                    game=config.game.name,
                    rng_seed=config.seed,
                    created=session.created,
                    seats=session.state.seats,
                    stack=stack,
                )
            result = running.run(lambda: _played(session, config, shown, transcript, terminal))
        except running.Interrupted:
            if session.result is None or session.result.outcome.reason == "interrupted":
                _tell_break(session, shown)
                raise
            result = session.result  # only the last page of the view was interrupted
        except PersonLeft:
            _tell_break(session, shown)
            raise
        except Void as void:
            if session.result is not None:
                publish({**closing.report(config, session.result, shown.again), "why": str(void)})
            _tell_break(session, shown)
            if not shown.quiet:
                narrate(f"again:  {shown.again}")
            raise
        except OSError as failed:
            if out_of(failed):
                raise
            where = f"{failed.filename}: " if failed.filename else ""
            raise Unfinished(f"the match could not be finished: {where}{failed.strerror}") from failed
        finally:
            narrate_renamed(session.moved_aside)  # after the view, which had the terminal
    _tell_end(session, config, result, shown, terminal)
    publish(closing.report(config, result, shown.again))


def _tell_break(session: Session, shown: Shown) -> None:
    """Say where a match is that was broken off."""
    if session.result is not None and not shown.quiet:
        narrate(f"the match so far is in {session.saved}")


def _tell_end(
    session: Session, config: MatchConfig, result: MatchResult, shown: Shown, terminal: Terminal | None
) -> None:
    """Print the closing table, and the commands for what users do next."""
    if result.left_off is not None:
        narrate(f"{result.saved} ends before step {result.left_off} and has no result: a longer file could not be read")
    if shown.table:
        from referee.view.scene import called

        names = [line.name for line in called(session.state.draw(), session.entrants).seats]
        if not shown.quiet and result.outcome.ranking:
            from referee.analysis import winner

            ranking = [replace(one, name=names[one.seat]) for one in result.outcome.ranking]
            narrate(f"{winner(ranking, result.outcome.reason)}.")
        closing.print_table(
            terminal or _terminal(shown),
            config,
            result,
            names=names,
            written=shown.written,
            words=shown.words,
            said=shown.said,
        )
    if not shown.quiet:
        narrate("")
        if config.isolation is not Level.FULL:
            narrate(f"isolation: {config.isolation.value}")
        narrate(f"saved:  {result.saved}")
        narrate(f"replay: {command('replay', str(result.saved))}")
        narrate(f"again:  {shown.again}")


def at_terminal() -> bool:
    """Whether stdin and stdout are terminals. `Terminal.interactive` also knows dumb ones, but costs an import."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _terminal_to_watch(shown: Shown) -> Terminal | None:
    """The terminal to draw the match on; None if it is not watched."""
    if not (not shown.quiet and at_terminal() if shown.watch is None else shown.watch):
        return None
    terminal = _terminal(shown)
    if terminal.interactive:
        return terminal
    if shown.watch:
        raise UsageError("the view needs a terminal on stdin and stdout")
    return None  # a dumb one


def _terminal(shown: Shown) -> Terminal:
    # Imported here, so that matches without a view start sooner.
    from referee.view.console import open_terminal

    return open_terminal(color=shown.color, ascii_only=shown.ascii_only)


async def _played(
    session: Session,
    config: MatchConfig,
    shown: Shown,
    transcript: TranscriptWriter | None,
    terminal: Terminal | None,
) -> MatchResult:
    """Play the match, in the view if there is a terminal. The players end before the last page waits for a key."""
    observers: list[match.Observer] = [] if transcript is None else [transcript]
    taps: list[list[Tap]] = [[]] * len(config.bots) if transcript is None else [[seat] for seat in transcript.seats]
    hears = None if transcript is None else [seat.logged for seat in transcript.seats]
    if shown.verbose and terminal is None:
        observers.append(Narrator(config.game, session.state, session.entrants, wire=shown.verbose > 1))
        if shown.verbose > 1:
            taps = [[*others, WireTap(seat)] for seat, others in enumerate(taps)]
    async with AsyncExitStack() as stack:
        pace = None
        if terminal is not None:
            from referee.view import speed as speeds
            from referee.view.live import watching
            from referee.view.scene import Director

            director = Director(config.game, session.state, session.clocks, session.entrants)
            observers.append(director)
            usual = speeds.AMONG_PEOPLE if session.people else speeds.sensible(config.game.steps(config.setup))
            speed = usual if shown.speed is None else shown.speed
            past = None if session.saved is None else _past(session.saved, terminal, shown)
            watched = watching(director, terminal, people=session.people, speed=speed, past=past)
            pace = (await stack.enter_async_context(watched)).after
        elif not (shown.quiet or shown.verbose):
            await stack.enter_async_context(progress(lambda: session.steps, config.game.steps(config.setup)))
        return await session.play(
            observers=observers, pace=pace, taps=[_one_tap(several) for several in taps], hears=hears
        )


def _past(path: Path, terminal: Terminal, shown: Shown) -> Past:
    """Makes the viewer of the saved match at its end, with the logs and the programs of the match."""

    def viewer(follow: int | None) -> View:
        from referee.bots import name_in
        from referee.cli.explaining import explains_of
        from referee.record import load
        from referee.replay import Replay
        from referee.transcripts.reading import Transcript
        from referee.view.viewer import Viewer

        saved = Replay(load(path))
        logs = None if shown.transcript is None else Transcript(shown.transcript, saved.record.header).log
        seats = enumerate(zip(shown.words, shown.written, strict=False), start=1)  # the house has no words
        programs = [
            f"{seat}={name_in(word)[1]}" for seat, (word, bot) in seats if bot.policy is not None and not bot.house
        ]
        explains = explains_of(saved, programs)
        made = Viewer(saved, terminal.look, at=len(saved.steps), playing=False, logs=logs, explains=explains)
        made.follow = follow
        return made

    return viewer


def _one_tap(taps: Sequence[Tap]) -> Tap | None:
    return Taps(taps) if len(taps) > 1 else taps[0] if taps else None


class Taps:
    """Several taps as one."""

    def __init__(self, taps: Sequence[Tap]) -> None:
        self._taps = taps

    def sent(self, data: bytes) -> None:
        """Part of a request was written."""
        for tap in self._taps:
            tap.sent(data)

    def received(self, data: bytes) -> None:
        """The player wrote something."""
        for tap in self._taps:
            tap.received(data)
