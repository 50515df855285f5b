"""The steps of a check, in their order, each told as soon as it is over.

1. A step that fails does not end the check, but what rests on it is skipped: nothing is asked of a program that does not
   start or has no name, and matches are only played by one that has passed every board.
2. What failed is diagnosed (`experiments.py`). The same kind of silence is diagnosed once: each experiment takes seconds,
   and a bot that is too slow is so on many boards.
3. Not to end when the input ends is told as a failure, though no rule is broken: the referee would kill it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from referee.bots import Bot
from referee.clock import seconds
from referee.compliance import diagnosis, figures
from referee.compliance.contests import Fixture
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.encounter import Arena, Evidence, Showing
from referee.compliance.experiments import Laboratory
from referee.compliance.hints import Topic, hint
from referee.compliance.report import Failure, Step, Verdict, failure
from referee.compliance.specimen import started
from referee.game import FaultKind, Trial
from referee.names import harmless, quote, shorten
from referee.sandbox import advice
from referee.sandbox.limits import MIB

BEFORE: Final = 1.5
"""Seconds in which a program that has started would say what nobody asked for."""
AFTER: Final = 0.8
"""The same, behind an answer."""
PAUSE: Final = 0.1
"""Seconds between two pieces of a request."""
LEAVE: Final = 2.0
"""Seconds that a program gets to end when its input has."""


@dataclass(slots=True)
class Examination:
    """A bot under examination.

    Attributes:
        arena, laboratory: where it is tried, and found out about.
        fixtures: the matches it is to play; rivals: the bots that they name.
        rng_seed: decides chance on the boards.
        tell: gets each step as it ends. progress: gets a line while a long one is under way.
        number: of the last step that was told already.
        steps: those that are over since.
        times, peak: of its matches: what its answers took, and the most memory, in bytes.
    """

    arena: Arena
    laboratory: Laboratory
    fixtures: Sequence[Fixture]
    rivals: Mapping[str, Bot]
    rng_seed: int
    tell: Callable[[Step], None]
    progress: Callable[[str], None] = lambda _text: None
    number: int = 0
    steps: list[Step] = field(default_factory=list)
    times: figures.Times | None = None
    peak: int | None = None
    _silence: Diagnosis | None = None

    async def run(self) -> bool:
        """All steps; whether none failed.

        Raises:
            HostStalled: this machine is too busy. BotError: the bot cannot be started.
        """
        trials = self.arena.game.trials()
        if await self._step("starts, and says nothing before it is asked", self._starts):
            await self._boards(trials)
        else:
            why = "it did not start as it should"
            self._skip(why, "answers getName in time", *(_title(trial) for trial in trials), *_ALONE)
        if any(step.verdict is Verdict.FAIL and step.title != _ENDS for step in self.steps):
            self._skip("first comes what failed above", self._matches_title(), _TIME, _MEMORY)
            return False
        if await self._step(self._matches_title(), self._matches):
            await self._step(_TIME, self._time)
            await self._step(_MEMORY, self._memory)
        else:
            self._skip("the matches failed", _TIME, _MEMORY)
        return all(step.verdict is not Verdict.FAIL for step in self.steps)

    # -- steps ---------------------------------------------------------------------------------------------------

    async def _starts(self) -> _Seen:
        async with started(self.arena.ready) as bot:
            await bot.listen(within=BEFORE, until=bool)
            log = bot.process.log
            if bot.said:
                await bot.listen(within=AFTER)
                found = diagnosis.unasked_first(bot.said, self.laboratory.language)
                return _Seen(failure=failure(found, came=bot.said, log=log.last_lines(advice.LINES)))
            if bot.closed:
                how = await bot.process.how_it_ended()
                found = self.laboratory.ended(how, answers=0, log=log.last_lines(advice.LINES))
                return _Seen(failure=failure(found, log=log.last_lines(advice.LINES)))
        return _Seen()

    async def _boards(self, trials: Sequence[Trial]) -> None:
        """The first answer and the first board are one trial; a step each."""
        if not trials:
            return
        showing, told = await self._trial(trials[0])
        early = told is not None and len(showing.requests) <= 1

        async def first() -> _Seen:
            if early:
                return _Seen(failure=told)
            limit = seconds(self.arena.time.first)
            note = f"{figures.short(showing.first)} of {limit}"
            if showing.name is None:
                return _Seen(note)
            empty = ["its name is empty, so it is shown as `player` and its seat's number"] if not showing.name else []
            return _Seen(f'"{harmless(showing.name)}", {note}', empty)

        if not await self._step("answers getName in time", first):
            self._skip("it has not answered once", *(_title(trial) for trial in trials), *_ALONE)
            return

        async def plain() -> _Seen:
            return _seen(showing, told)

        whole = await self._step(_title(trials[0]), plain)
        for trial in trials[1:]:
            await self._step(_title(trial), partial(self._board, trial))
        if not whole:
            self._skip("the first board failed", *_ALONE)
            return
        requests = showing.requests

        async def line_ends() -> _Seen:
            return _line_ends(showing.lines)

        await self._step(_LINES, line_ends)
        await self._step(_PIECES, lambda: self._in_pieces(requests[:2]))
        await self._step(_SILENT, lambda: self._stays_silent(requests[:3]))
        await self._step(_ENDS, lambda: self._ends(requests[:2]))

    async def _board(self, trial: Trial) -> _Seen:
        return _seen(*await self._trial(trial))

    async def _trial(self, trial: Trial) -> tuple[Showing, Failure | None]:
        """How it went, and what failed."""
        showing = await self.arena.trial(trial, self.rng_seed)
        if (evidence := showing.evidence) is None:
            return showing, None
        if (found := await self._diagnosed(evidence)) is None:  # given up too early: now it gets its time
            showing = await self.arena.trial(trial, self.rng_seed, patient=True)
            if (evidence := showing.evidence) is None:
                return showing, None
            found = await self._diagnosed(evidence)
        return showing, _failure(found or Diagnosis("irregular", evidence.fault.detail, _IRREGULAR), evidence)

    async def _diagnosed(self, evidence: Evidence) -> Diagnosis | None:
        silent = evidence.fault.kind is FaultKind.TIMEOUT
        if silent and self._silence is not None:
            return Diagnosis(self._silence.fault, f"{evidence.fault.detail}, as above", self._silence.change)
        if silent:
            self.progress(f"{evidence.fault.detail}: finding out why …")
        found = await self.laboratory.diagnose(evidence)
        if silent:
            self._silence = found
        return found

    async def _in_pieces(self, requests: Sequence[bytes]) -> _Seen:
        """A pipe may hand over a long request in several parts, wherever it likes."""
        time = self.arena.time
        async with started(self.arena.ready) as bot:
            for number, request in enumerate(requests):
                limit = time.answer if number else time.first
                cuts = sorted({0, len(request) // 3, len(request) // 2, len(request) - 1})
                bot.forget()
                for start, end in zip(cuts, [*cuts[1:], len(request)], strict=True):
                    await bot.listen(within=PAUSE, until=bool)
                    if too_early := bool(bot.said) or bot.closed:
                        break
                    await bot.tell(request[start:end], within=limit)
                else:
                    await bot.listen(within=limit, until=lambda said: b"\n" in said)
                if too_early or b"\n" not in bot.said:
                    found = Diagnosis(
                        "reads-pieces",
                        "it did not answer as it should when a request came in pieces, with a moment between them"
                        + (f": it wrote {quote(bot.said)} before the request was whole" if bot.said else ""),
                        (
                            "Read all lines of a request before you answer"
                            if bot.said
                            else "Read lines, not what happens to be there"
                        )
                        + f": {hint(self.laboratory.language, Topic.READ)}.",
                    )
                    log = bot.process.log.last_lines(advice.LINES)
                    return _Seen(failure=failure(found, sent=request, came=bot.said, log=log))
        return _Seen()

    async def _stays_silent(self, requests: Sequence[bytes]) -> _Seen:
        """Behind each answer there is a moment in which nothing may come."""
        time = self.arena.time
        async with started(self.arena.ready) as bot:
            for number, request in enumerate(requests):
                bot.forget()
                await bot.tell(request, within=time.answer)
                await bot.listen(within=time.answer if number else time.first, until=lambda said: b"\n" in said)
                await bot.listen(within=AFTER, until=lambda said: not said.endswith(b"\n"))
                _answer, _, more = bot.said.partition(b"\n")
                if more:
                    found = diagnosis.unasked_later(more, self.laboratory.language)
                    log = bot.process.log.last_lines(advice.LINES)
                    return _Seen(failure=failure(found, sent=request, came=bot.said, log=log))
        return _Seen()

    async def _ends(self, requests: Sequence[bytes]) -> _Seen:
        async with started(self.arena.ready) as bot:
            for number, request in enumerate(requests):
                bot.forget()
                await bot.tell(request, within=self.arena.time.answer)
                limit = self.arena.time.answer if number else self.arena.time.first
                await bot.listen(within=limit, until=lambda said: b"\n" in said)
            bot.forget()
            bot.hang_up()
            used = bot.cpu()
            took = await bot.wait_for_end(within=LEAVE)
            log = bot.process.log.last_lines(advice.LINES)
            if not bot.process.is_over():
                busy = "and computes" if bot.computes(bot.cpu() - used, took) else "and waits"
                found = Diagnosis(
                    "runs-on",
                    f"{took:.1f} s after its input ended it still runs, {busy}",
                    "Leave your loop when reading gives the end of input (an empty string, null, EOF, false), and end.",
                )
                return _Seen(failure=failure(found, came=bot.said, log=log))
            how = await bot.process.how_it_ended()
        if how == "exited with status 0":
            return _Seen(f"after {figures.short(took)}")
        last = f": {shorten(advice.telling(log).expandtabs(), 120)}" if log else ""
        return _Seen(
            "",
            [
                f"{how} when its input ended{last}; that is no fault, but leave your loop there, so that you see other errors"
            ],
        )

    async def _matches(self) -> _Seen:
        played: list[Showing] = []
        for number, fixture in enumerate(self.fixtures, start=1):
            self.progress(f"match {number} of {len(self.fixtures)}: {fixture.title} …")
            bots = [self.rivals[name] for name in fixture.rivals]
            bots.insert(fixture.seat, self.arena.bot)
            showing = await self.arena.match(fixture.setup, bots, fixture.seat, fixture.rng_seed)
            if showing.evidence is not None:
                found = await self._diagnosed(showing.evidence)
                found = found or Diagnosis(
                    "irregular", showing.evidence.fault.detail, "Look for what depends on chance."
                )
                where = f"match {number}, on {fixture.title}: "
                told = _failure(Diagnosis(found.fault, where + found.says, found.change), showing.evidence)
                return _Seen(failure=told)
            played.append(showing)
        self.times = figures.measure([showing.first for showing in played], [showing.times for showing in played])
        self.peak = max((showing.peak for showing in played if showing.peak is not None), default=None)
        return _Seen(f"{self.times.answers} answers, no fault")

    async def _time(self) -> _Seen:
        if self.times is None:
            return _Seen()
        return _Seen(figures.told(self.times), figures.time_warnings(self.times, self.arena.time))

    async def _memory(self) -> _Seen:
        if self.peak is None:
            return _Seen("not known")
        limit = self.laboratory.memory
        of = f"of {limit / MIB:.0f} MiB" if limit is not None else "(no limit without a sandbox)"
        return _Seen(f"at most {self.peak / MIB:.0f} MiB {of}", figures.memory_warnings(self.peak, limit))

    # -- bookkeeping ---------------------------------------------------------------------------------------------

    async def _step(self, title: str, work: Callable[[], Awaitable[_Seen]]) -> bool:
        seen = await work()
        verdict = Verdict.PASS if seen.failure is None else Verdict.FAIL
        self._add(Step(self._next(), title, verdict, seen.note, tuple(map(harmless, seen.warnings)), seen.failure))
        return seen.failure is None

    def _skip(self, why: str, *titles: str) -> None:
        for title in titles:
            self._add(Step(self._next(), title, Verdict.SKIP, why))

    def _add(self, step: Step) -> None:
        self.steps.append(step)
        self.tell(step)

    def _next(self) -> int:
        return self.number + len(self.steps) + 1

    def _matches_title(self) -> str:
        return f"plays {len(self.fixtures)} mixed matches without a fault"


@dataclass(frozen=True, slots=True)
class _Seen:
    note: str = ""
    warnings: Sequence[str] = ()
    failure: Failure | None = None


_IRREGULAR: Final = (
    "Asked the same again it answers: look for what depends on chance, on time or on the machine's load."
)
_LINES: Final = "ends its lines, and flushes them"
_PIECES: Final = "reads requests that come in pieces"
_SILENT: Final = "says nothing between its answers"
_ENDS: Final = "ends when its input ends"
_ALONE: Final = (_LINES, _PIECES, _SILENT, _ENDS)
_TIME: Final = "time per answer"
_MEMORY: Final = "memory"


def _title(trial: Trial) -> str:
    return f"answers: {trial.title}"


def _seen(showing: Showing, told: Failure | None) -> _Seen:
    if told is not None:
        return _Seen(failure=told)
    times = showing.times
    return _Seen(f"{len(times)} answers, slowest {figures.short(max(times))}" if times else "")


def _failure(found: Diagnosis, evidence: Evidence) -> Failure:
    sent = evidence.requests[-1] if evidence.requests and evidence.put else b""
    return failure(found, sent=sent, came=evidence.came, before=evidence.before, log=evidence.log)


def _line_ends(lines: Sequence[bytes]) -> _Seen:
    """They have been accepted; what is unusual about them is said."""
    if any(line.endswith(b"\r\n") for line in lines):
        return _Seen("lines end with a carriage return and a line feed (\\r\\n), which is accepted")
    if any(line != line.rstrip() + b"\n" for line in lines):
        return _Seen("there are blanks behind its answers, which are accepted")
    return _Seen("lines end with a line feed")
