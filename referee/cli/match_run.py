"""One match on the command line: shown while it is played, with a table or JSON at the end."""

from __future__ import annotations

import sys
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli import running
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
    from referee.moments.scene import Director
    from referee.saved.transcripts.writing import TranscriptWriter
    from referee.terminal.console import Terminal
    from referee.terminal.pace import Pace
    from referee.terminal.screen import View


class Unfinished(RefereeError):
    """The match could not be finished, because of a full disk for example."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match, and what the user wants to see of it.

    Attributes:
        transcript: the folder for the exact bytes; None for none.
        again: the command that plays the same match.
        json: whether stdout is for a JSON document alone.
    """

    config: MatchConfig
    options: ShowOptions
    transcript: Path | None
    again: str
    json: bool

    @property
    def quiet(self) -> bool:
        """Whether to print nothing but the table."""
        return self.options.quiet or self.json

    def play(self) -> None:
        """Play the match and show it.

        Raises:
            UsageError, BotError: before the match begins. Interrupted: by a signal. PersonLeft: by a person who plays. Then the
                record is closed and the players have ended.
            Unfinished: the record or the transcript could not be written. OSError: the machine is out of processes, descriptors
                or memory. Void: the match is void; its report has been printed.
        """
        terminal = self._terminal()
        with ExitStack() as stack:
            session = stack.enter_context(closing(Session(self.config)))
            try:
                writer = None if self.transcript is None else self._writer(self.transcript, session, stack)
                result = running.run(lambda: self._play(session, writer, terminal))
            except running.Interrupted:
                if session.result is None or session.result.outcome.reason == "interrupted":
                    self._say_interrupted(session)
                    raise
                result = session.result  # only the last page of the view was interrupted
            except PersonLeft:
                self._say_interrupted(session)
                raise
            except Void as void:
                if session.result is not None:
                    self._print_report(session.result, why=str(void))
                self._say_interrupted(session)
                if not self.quiet:
                    narrate(f"again:  {self.again}")
                raise
            except OSError as failed:
                if out_of(failed):
                    raise
                where = f"{failed.filename}: " if failed.filename else ""
                why = f"{where}{failed.strerror}: free space there, or choose another place"
                raise Unfinished(f"the match could not be finished: {why}") from failed
            finally:
                narrate_renamed(session.moved_aside)  # after the view, which had the terminal
        self._print_end(session, result, terminal)
        self._print_report(result)

    def _writer(self, folder: Path, session: Session, stack: ExitStack) -> TranscriptWriter:
        from referee.saved.transcripts.writing import TranscriptWriter

        game, seed, seats = self.config.game.name, self.config.seed, session.state.seats
        return TranscriptWriter(folder, game=game, rng_seed=seed, created=session.created, seats=seats, stack=stack)

    def _print_report(self, result: MatchResult, **more: str) -> None:
        """Print the match if `--json` is wanted."""
        if self.json:
            from referee.cli.closing import report

            print_json({**report(self.config, result, self.again), **more})

    def _say_interrupted(self, session: Session) -> None:
        """Say where the record of an interrupted match is."""
        if session.result is not None and not self.quiet:
            narrate(f"the match so far is in {session.saved}")

    def _print_end(self, session: Session, result: MatchResult, terminal: Terminal | None) -> None:
        """Print the closing table, and the commands for what users do next."""
        if result.left_off is not None:
            where = f"{result.saved} ends before step {result.left_off}"
            narrate(f"{where} and has no result: a longer file could not be read")
        if not self.json:
            from referee.cli.closing import print_table
            from referee.moments.scene import draw_with_names

            names = [line.name for line in draw_with_names(session.state, session.entrants).seats]
            ranking = [replace(ranked, name=names[ranked.seat]) for ranked in result.outcome.ranking]
            if not self.quiet and ranking:
                from referee.analysis import winner

                narrate(f"{winner(ranking, result.outcome.reason)}.")
            print_table(terminal or self.options.terminal(), self.config, result, ranking)
        if not self.quiet:
            narrate("")
            if self.config.isolation is not Level.FULL:
                narrate(f"isolation: {self.config.isolation.value}")
            narrate(f"saved:  {result.saved}")
            narrate(f"replay: {command('replay', str(result.saved))}")
            narrate(f"again:  {self.again}")

    def _terminal(self) -> Terminal | None:
        """The terminal to draw the match on; None if it is not watched."""
        watch = True if self.config.people else self.options.watch
        if not (watch or (watch is None and not self.quiet and at_terminal())):
            return None
        terminal = self.options.terminal()
        if terminal.interactive:
            return terminal
        if watch:
            raise UsageError("the view needs a terminal on stdin and stdout, and a TERM that is not dumb")
        return None  # a dumb one

    async def _play(self, session: Session, writer: TranscriptWriter | None, terminal: Terminal | None) -> MatchResult:
        """Play the match, in the view if there is a terminal. The players end before the last page waits for a key."""
        config, verbose = self.config, self.options.verbose
        observers: list[loop.Observer] = [] if writer is None else [writer.step]
        taps = dict[int, Tap]() if writer is None else dict[int, Tap](enumerate(writer.seats))
        if verbose and terminal is None:
            observers.append(Narrator(config.game, session.state, session.entrants, wire=verbose > 1).step)
            if verbose > 1:
                taps = {seat: WireTap(seat, taps.get(seat)) for seat in range(len(config.seats))}
        steps = config.game.steps(config.setup)
        async with AsyncExitStack() as stack:
            pace: Pace | None = None
            if terminal is not None:
                from referee.moments.scene import Director

                director = Director(config.game, session.state, session.clocks, session.entrants)
                observers.append(director.step)
                pace = await stack.enter_async_context(self._watching(session, director, terminal))
            if not self.quiet and (pace is not None or not verbose):  # also after the user has stopped watching
                of = f" of {steps}" if steps else ""
                visible = (lambda: True) if pace is None else (lambda: not pace.watching)
                await stack.enter_async_context(progress(lambda: f"step {session.steps}{of}", visible))
            return await session.play(observers=observers, pace=None if pace is None else pace.after, taps=taps)

    def _watching(self, session: Session, director: Director, terminal: Terminal) -> AbstractAsyncContextManager[Pace]:
        """The view of the match, at the user's speed or at a sensible one."""
        from referee.moments import speed as speeds
        from referee.terminal.live import show_match

        speed = self.options.speed
        if speed is None:
            speed = (
                speeds.AMONG_PEOPLE if session.people else speeds.sensible(self.config.game.steps(self.config.setup))
            )
        past = partial(self._past, session, terminal)
        return show_match(director, terminal, people=session.people, speed=speed, past=past)

    def _past(self, session: Session, terminal: Terminal, follow: int | None) -> View:
        """The viewer of the saved match at its end, with the logs and the programs of the match."""
        from referee.bots import name_in
        from referee.cli.saved import explainers_of
        from referee.saved.record import load
        from referee.saved.replay import Replay
        from referee.saved.transcripts.reading import Transcript
        from referee.terminal.viewer import Viewer

        assert session.saved is not None, "this command saves every match"
        saved = Replay(load(session.saved))
        logs = None if self.transcript is None else Transcript(self.transcript, saved.record.header).log
        programs = [
            f"{number}={name_in(seat.word)[1]}"
            for number, seat in enumerate(self.config.seats, start=1)
            if seat.written.policy is not None and not seat.written.house
        ]
        explainers = explainers_of(saved, programs)
        view = Viewer(saved, terminal.look, at=len(saved.steps), logs=logs, explainers=explainers)
        view.follow = follow
        return view


def at_terminal() -> bool:
    """Whether stdin and stdout are terminals. `Terminal.interactive` also knows dumb ones, but costs an import."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
