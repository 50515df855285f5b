"""The steps of a check, in their order, each told as soon as it is over.

1. A step that fails does not end the check, but what rests on it is skipped: nothing is asked of a program that does not
   start or has no name, and matches are only played by one that has passed every board.
2. Which steps there are depends on how the bot lives (`Course`): what a process does between two requests is only asked of
   one that lives so long, and what the referee runs itself has neither manners nor memory.
3. What failed is diagnosed (`experiments.py`, `turns.py`). The same kind of silence is diagnosed once: each experiment takes
   seconds, and a bot that is too slow is so on many boards.
4. Not to end when the input ends is told as a failure, though no rule is broken: the referee would kill it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from referee.bots import Bot
from referee.clock import seconds
from referee.compliance import figures
from referee.compliance.contests import Fixture
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.encounter import Arena, Evidence, Showing
from referee.compliance.experiments import Laboratory
from referee.compliance.manners import Manners
from referee.compliance.report import Failure, Seen, Step, Verdict, failure
from referee.game import FaultKind, Trial
from referee.names import counted, harmless, quote
from referee.sandbox.limits import MIB


@dataclass(frozen=True, slots=True)
class Course:
    """The steps beside boards and matches.

    Attributes:
        first: what is asked of the first answer; None for no step of its own.
        before: what is looked at before anything is asked; None for nothing.
        manners: behind the boards, of what has been answered before.
        measured: behind the matches.
    """

    first: str | None
    before: str | None
    manners: Sequence[str]
    measured: Sequence[str]


_STARTS: Final = "starts, and says nothing before it is asked"
_NAME: Final = "answers getName in time"
_TURN: Final = "answers, and ends"
_PIECES: Final = "reads requests that come in pieces"
_SILENT: Final = "says nothing between its answers"
_ENDS: Final = "ends when its input ends"
_TIME: Final = "time per answer"
_MEMORY: Final = "memory"

STAYS: Final = Course(_NAME, _STARTS, (_PIECES, _SILENT, _ENDS), (_TIME, _MEMORY))
LIVES_A_TURN: Final = Course(_TURN, None, (), (_TIME, _MEMORY))
IS_RUN_BY_THE_REFEREE: Final = Course(None, None, (), (_TIME,))


def course(arena: Arena) -> Course:
    """Which of them is the bot's."""
    if arena.bot.policy is not None:
        return IS_RUN_BY_THE_REFEREE
    return LIVES_A_TURN if arena.lives_a_turn else STAYS


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
    _read_otherwise: bool = False

    async def run(self) -> bool:
        """All steps; whether none failed.

        Raises:
            HostStalled: this machine is too busy. BotError: the bot cannot be started.
        """
        trials, steps = self.arena.game.trials(), course(self.arena)
        if steps.before is None or await self._step(steps.before, self._manners.starts):
            await self._boards(trials, steps)
        else:
            first = () if steps.first is None else (steps.first,)
            self._skip("it did not start as it should", *first, *map(_title, trials), *steps.manners)
        if any(step.verdict is Verdict.FAIL and step.title != _ENDS for step in self.steps):
            self._skip("first comes what failed above", self._matches_title(), *steps.measured)
            return False
        if await self._step(self._matches_title(), self._matches):
            for title in steps.measured:
                await self._step(title, {_TIME: self._time, _MEMORY: self._memory}[title])
        else:
            self._skip("the matches failed", *steps.measured)
        return all(step.verdict is not Verdict.FAIL for step in self.steps)

    # -- steps ---------------------------------------------------------------------------------------------------

    @property
    def _manners(self) -> Manners:
        return Manners(self.arena, self.laboratory)

    async def _boards(self, trials: Sequence[Trial], steps: Course) -> None:
        """The first answer and the first board are one trial; a step each."""
        if not trials:
            return
        showing, told = await self._trial(trials[0])
        early = told is not None and len(showing.requests) <= 1

        async def first() -> Seen:
            return Seen(failure=told) if early else self._first(showing)

        if steps.first is not None and not await self._step(steps.first, first):
            self._skip("it has not answered once", *map(_title, trials), *steps.manners)
            return

        async def plain() -> Seen:
            return self._seen(showing, told)

        whole = await self._step(_title(trials[0]), plain)
        for trial in trials[1:]:
            await self._step(_title(trial), partial(self._board, trial))
        if not whole:
            self._skip("the first board failed", *steps.manners)
            return
        for title in steps.manners:
            await self._step(title, partial(self._manner, title, showing))

    async def _manner(self, title: str, showing: Showing) -> Seen:
        requests, manners = showing.requests, self._manners
        if title == _SILENT:
            return await manners.stays_silent(requests[:3])
        if title == _ENDS:
            return await manners.ends(requests[:2])
        return await manners.reads_pieces(requests[:2])

    def _first(self, showing: Showing) -> Seen:
        note = f"{figures.short(showing.first)} of {seconds(self.arena.time.first)}"
        if showing.name is None:
            return Seen(note)
        empty = (
            ["its name is empty: people see the bot's own name, the saved game has `player` and its seat's number"]
            if not showing.name
            else []
        )
        return Seen(f'"{harmless(showing.name)}", {note}', empty)

    async def _board(self, trial: Trial) -> Seen:
        return self._seen(*await self._trial(trial))

    def _seen(self, showing: Showing, told: Failure | None) -> Seen:
        if told is not None:
            return Seen(failure=told)
        answers = len(showing.times) + (showing.name is None)
        warnings: list[str] = []
        if showing.read_otherwise and not self._read_otherwise:
            self._read_otherwise = True  # it is so on every board
            said, read = (quote(text.encode(errors="replace")) for text in showing.read_otherwise[0])
            number = len(showing.read_otherwise)
            says = "it says" if number == 1 else "they say"
            warnings = [
                f"{number} of its answers counted for something else than {says}, as here: {said} counted as {read}"
            ]
        return Seen(
            f"{counted(answers, 'answer')}, slowest {figures.short(max(showing.times))}" if showing.times else "",
            warnings,
        )

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

    async def _matches(self) -> Seen:
        played: list[Showing] = []
        for number, fixture in enumerate(self.fixtures, start=1):
            self.progress(f"match {number} of {len(self.fixtures)}: {fixture.title} …")
            # Who plays against itself is made ready once more.
            bots = [self.rivals[name] if name else replace(self.arena.bot) for name in fixture.rivals]
            bots.insert(fixture.seat, self.arena.bot)
            showing = await self.arena.match(fixture.setup, bots, fixture.seat, fixture.rng_seed)
            if showing.evidence is not None:
                found = await self._diagnosed(showing.evidence)
                found = found or Diagnosis(
                    "irregular", showing.evidence.fault.detail, "Look for what depends on chance."
                )
                where = f"match {number}, on {fixture.title}: "
                told = _failure(Diagnosis(found.fault, where + found.says, found.change), showing.evidence)
                return Seen(failure=told)
            played.append(showing)
        self.times = figures.measure([showing.first for showing in played], [showing.times for showing in played])
        self.peak = max((showing.peak for showing in played if showing.peak is not None), default=None)
        return Seen(f"{counted(self.times.answers, 'answer')}, no fault")

    async def _time(self) -> Seen:
        if self.times is None:
            return Seen()
        limits = self.arena.time
        return Seen(
            figures.told(self.times),
            figures.time_warnings(self.times, limits) if self.arena.bot.policy is None else (),
        )

    async def _memory(self) -> Seen:
        if self.peak is None:
            return Seen("not known")
        limit = self.laboratory.memory
        of = f"of {limit / MIB:.0f} MiB" if limit is not None else "(no limit without a sandbox)"
        return Seen(f"at most {self.peak / MIB:.0f} MiB {of}", figures.memory_warnings(self.peak, limit))

    # -- bookkeeping ---------------------------------------------------------------------------------------------

    async def _step(self, title: str, work: Callable[[], Awaitable[Seen]]) -> bool:
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
        return f"plays {counted(len(self.fixtures), 'mixed match', 'mixed matches')} without a fault"


_IRREGULAR: Final = (
    "Asked the same again it answers: look for what depends on chance, on time or on the machine's load."
)


def _title(trial: Trial) -> str:
    return f"answers: {trial.title}"


def _failure(found: Diagnosis, evidence: Evidence) -> Failure:
    sent = evidence.requests[-1] if evidence.requests and evidence.put else b""
    return failure(found, sent=sent, came=evidence.came, before=evidence.before, log=evidence.log)
