"""One match on the command line: shown while it is played, with a table or JSON at the end."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack, ExitStack
from contextlib import closing as closing_after
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli import closing, running
from referee.cli.again import command
from referee.cli.narrator import Narrator, WireTap, narrate, narrate_renamed, progress
from referee.cli.options import print_json
from referee.errors import RefereeError, UsageError, out_of
from referee.match import loop
from referee.match.config import MatchConfig
from referee.match.session import MatchResult, Session
from referee.players.fairness import Void
from referee.players.human import PersonLeft
from referee.players.stream import Tap
from referee.sandbox.limits import Level

if TYPE_CHECKING:
    from referee.cli.play_options import ShowOptions
    from referee.saved.transcripts.writing import TranscriptWriter
    from referee.terminal.console import Terminal
    from referee.terminal.live import Past
    from referee.terminal.pace import Pace
    from referee.terminal.screen import View


class Unfinished(RefereeError):
    """The match could not be finished, because of a full disk for example."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Display:
    """What the user wants to see of a match.

    Attributes:
        options: the options of the view and of stderr.
        transcript: the folder for the exact bytes; None for none.
        again: the command that plays the same match.
        json: whether stdout is for a JSON document alone.
    """

    options: ShowOptions
    transcript: Path | None
    again: str
    json: bool

    @property
    def quiet(self) -> bool:
        """Whether to print nothing but the table."""
        return self.options.quiet or self.json


def play_shown(config: MatchConfig, display: Display) -> None:
    """Play a match and show it.

    Raises:
        UsageError, BotError: before the match begins. Interrupted: by a signal. PersonLeft: by a person who plays. Then the
            record is closed and the players have ended.
        Unfinished: the record or the transcript could not be written. OSError: the machine is out of processes, descriptors
            or memory. Void: the match is void; its report has been printed.
    """
    terminal = _terminal_to_watch(config, display)
    with ExitStack() as stack:
        session = stack.enter_context(closing_after(Session(config)))
        try:
            transcript = None
            if display.transcript is not None:
                from referee.saved.transcripts.writing import TranscriptWriter

                transcript = TranscriptWriter(
                    display.transcript,
                    game=config.game.name,
                    rng_seed=config.seed,
                    created=session.created,
                    seats=session.state.seats,
                    stack=stack,
                )
            result = running.run(lambda: _played(session, config, display, transcript, terminal))
        except running.Interrupted:
            if session.result is None or session.result.outcome.reason == "interrupted":
                _tell_break(session, display)
                raise
            result = session.result  # only the last page of the view was interrupted
        except PersonLeft:
            _tell_break(session, display)
            raise
        except Void as void:
            if session.result is not None:
                _print_report(config, session.result, display, why=str(void))
            _tell_break(session, display)
            if not display.quiet:
                narrate(f"again:  {display.again}")
            raise
        except OSError as failed:
            if out_of(failed):
                raise
            where = f"{failed.filename}: " if failed.filename else ""
            raise Unfinished(f"the match could not be finished: {where}{failed.strerror}") from failed
        finally:
            narrate_renamed(session.moved_aside)  # after the view, which had the terminal
    _tell_end(session, config, result, display, terminal)
    _print_report(config, result, display)


def _print_report(config: MatchConfig, result: MatchResult, display: Display, **more: str) -> None:
    """Print the match if `--json` is wanted."""
    if display.json:
        report = closing.report(config, result, display.again)
        print_json({"game": config.game.name, "map": config.map, **report, **more})


def _tell_break(session: Session, display: Display) -> None:
    """Say where a match is that was broken off."""
    if session.result is not None and not display.quiet:
        narrate(f"the match so far is in {session.saved}")


def _tell_end(
    session: Session, config: MatchConfig, result: MatchResult, display: Display, terminal: Terminal | None
) -> None:
    """Print the closing table, and the commands for what users do next."""
    if result.left_off is not None:
        narrate(f"{result.saved} ends before step {result.left_off} and has no result: a longer file could not be read")
    if not display.json:
        from referee.moments.scene import drawn

        names = [line.name for line in drawn(session.state, session.entrants).seats]
        if not display.quiet and result.outcome.ranking:
            from referee.analysis import winner

            ranking = [replace(ranked, name=names[ranked.seat]) for ranked in result.outcome.ranking]
            narrate(f"{winner(ranking, result.outcome.reason)}.")
        closing.print_table(terminal or display.options.terminal(), config, result, names)
    if not display.quiet:
        narrate("")
        if config.isolation is not Level.FULL:
            narrate(f"isolation: {config.isolation.value}")
        narrate(f"saved:  {result.saved}")
        narrate(f"replay: {command('replay', str(result.saved))}")
        narrate(f"again:  {display.again}")


def at_terminal() -> bool:
    """Whether stdin and stdout are terminals. `Terminal.interactive` also knows dumb ones, but costs an import."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _terminal_to_watch(config: MatchConfig, display: Display) -> Terminal | None:
    """The terminal to draw the match on; None if it is not watched."""
    watch = True if config.people else display.options.watch
    if not (not display.quiet and at_terminal() if watch is None else watch):
        return None
    terminal = display.options.terminal()
    if terminal.interactive:
        return terminal
    if watch:
        raise UsageError("the view needs a terminal on stdin and stdout, and a TERM that is not dumb")
    return None  # a dumb one


async def _played(
    session: Session,
    config: MatchConfig,
    display: Display,
    transcript: TranscriptWriter | None,
    terminal: Terminal | None,
) -> MatchResult:
    """Play the match, in the view if there is a terminal. The players end before the last page waits for a key."""
    observers: list[loop.Observer] = [] if transcript is None else [transcript]
    taps = dict[int, Tap]() if transcript is None else dict[int, Tap](enumerate(transcript.seats))
    verbose = display.options.verbose
    if verbose and terminal is None:
        observers.append(Narrator(config.game, session.state, session.entrants, wire=verbose > 1))
        if verbose > 1:
            taps = {seat: WireTap(seat, taps.get(seat)) for seat in range(len(config.seats))}
    async with AsyncExitStack() as stack:
        pace: Pace | None = None
        if terminal is not None:
            from referee.moments import speed as speeds
            from referee.moments.scene import Director
            from referee.terminal.live import watching

            director = Director(config.game, session.state, session.clocks, session.entrants)
            observers.append(director)
            usual = speeds.AMONG_PEOPLE if session.people else speeds.sensible(config.game.steps(config.setup))
            speed = usual if display.options.speed is None else display.options.speed
            past = None if session.saved is None else _past(session.saved, config, terminal, display)
            watched = watching(director, terminal, people=session.people, speed=speed, past=past)
            pace = await stack.enter_async_context(watched)
        if not display.quiet and (pace is not None or not verbose):  # also after the user has stopped watching
            steps = config.game.steps(config.setup)
            of = f" of {steps}" if steps else ""
            visible = (lambda: True) if pace is None else (lambda: not pace.watching)
            await stack.enter_async_context(progress(lambda: f"step {session.steps}{of}", visible))
        return await session.play(observers=observers, pace=None if pace is None else pace.after, taps=taps)


def _past(path: Path, config: MatchConfig, terminal: Terminal, display: Display) -> Past:
    """Makes the viewer of the saved match at its end, with the logs and the programs of the match."""

    def viewer(follow: int | None) -> View:
        from referee.bots import name_in
        from referee.cli.saved_programs import explainers_of
        from referee.saved.record import load
        from referee.saved.replay import Replay
        from referee.saved.transcripts.reading import Transcript
        from referee.terminal.viewer import Viewer

        saved = Replay(load(path))
        logs = None if display.transcript is None else Transcript(display.transcript, saved.record.header).log
        programs = [
            f"{number}={name_in(seat.word)[1]}"
            for number, seat in enumerate(config.seats, start=1)
            if seat.written.policy is not None and not seat.written.house
        ]
        explainers = explainers_of(saved, programs)
        view = Viewer(saved, terminal.look, at=len(saved.steps), playing=False, logs=logs, explainers=explainers)
        view.follow = follow
        return view

    return viewer
