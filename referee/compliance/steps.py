"""The steps of a check, in their order; each is reported as soon as it ends.

1. A step names the steps that it needs. If one of them did not pass, the step is skipped.
2. The lifetime of the bot decides which steps there are: the protocol checks are for a process that stays, and a policy,
   which the referee runs itself, has no memory of its own.
3. A failure is diagnosed (`diagnoser.py`). For late answers this takes seconds, so only the first one is diagnosed.
4. A bot that does not end when its input ends fails a step, but breaks no rule: it may still play its matches.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from referee.bots import Bot
from referee.clock import seconds
from referee.compliance import figures
from referee.compliance.diagnoser import Diagnoser
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.fixtures import Fixture
from referee.compliance.protocol_checks import ProtocolChecks
from referee.compliance.report import Failure, Seen, Step, Verdict, failure
from referee.compliance.trial_runner import Evidence, TrialResult, TrialRunner
from referee.game import FaultKind, Trial
from referee.names import counted, harmless, quote
from referee.sandbox.limits import MIB

STARTS: Final = "starts, and says nothing before it is asked"
NAME: Final = "answers getName in time"
TURN: Final = "answers, and ends"
PIECES: Final = "reads requests that come in pieces"
SILENT: Final = "says nothing between its answers"
ENDS: Final = "ends when its input ends"
TIME: Final = "time per answer"
MEMORY: Final = "memory"


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step: its title, its work, and the titles of the steps that must have passed before."""

    title: str
    work: Callable[[], Awaitable[Seen]]
    needs: Sequence[str] = ()


@dataclass(slots=True)
class Steps:
    """Runs the steps of one check.

    Attributes:
        fixtures: the matches to play. rivals: the bots that they name.
        rng_seed: decides chance on the boards.
        tell: gets each step as it ends. progress: gets a line before something slow.
        first: the number of the first step.
        done: the steps that have ended.
        times, peak: from the matches: how long the answers took, and the most memory in bytes.
    """

    trials: TrialRunner
    diagnoser: Diagnoser
    fixtures: Sequence[Fixture]
    rivals: Mapping[str, Bot]
    rng_seed: int
    tell: Callable[[Step], None]
    progress: Callable[[str], None]
    first: int
    done: list[Step] = field(default_factory=list)
    times: figures.Times | None = None
    peak: int | None = None
    _plain: tuple[TrialResult, Failure | None] | None = None
    _silence: Diagnosis | None = None

    async def run(self) -> None:
        """Run all steps.

        Raises:
            HostStalled: this machine is too busy. BotError: the bot cannot be started.
        """
        for planned in list(self._planned()):
            number = self.first + len(self.done)
            if (why := self._missing(planned.needs)) is not None:
                step = Step(number, planned.title, Verdict.SKIP, why)
            else:
                seen = await planned.work()
                verdict = Verdict.PASS if seen.failure is None else Verdict.FAIL
                step = Step(
                    number, planned.title, verdict, seen.note, tuple(map(harmless, seen.warnings)), seen.failure
                )
            self.done.append(step)
            self.tell(step)

    def _planned(self) -> Iterator[PlannedStep]:
        boards, policy = self.trials.game.trials(), self.trials.bot.policy is not None
        stays, checks = not policy and not self.trials.lives_a_turn, ProtocolChecks(self.diagnoser)
        if stays:
            yield PlannedStep(STARTS, checks.starts)
        needs = [STARTS] if stays else []
        if boards and not policy:
            title = NAME if stays else TURN
            yield PlannedStep(title, partial(self._first_answer, boards[0], checks if stays else None), needs)
            needs = [title]
        for number, board in enumerate(boards):
            yield PlannedStep(_title(board), partial(self._board, board, first=number == 0), needs)
        if stays and boards:
            plain = _title(boards[0])
            yield PlannedStep(PIECES, lambda: checks.reads_pieces(self._requests(2)), [plain])
            yield PlannedStep(SILENT, lambda: checks.stays_silent(self._requests(3)), [plain])
            yield PlannedStep(ENDS, lambda: checks.ends(self._requests(2)), [plain])
        matches = f"plays {counted(len(self.fixtures), 'mixed match', 'mixed matches')} without a fault"
        needs = [*needs, *map(_title, boards), *((STARTS, PIECES, SILENT) if stays else ())]
        yield PlannedStep(matches, self._matches, needs)
        yield PlannedStep(TIME, self._time, [matches])
        if not policy:
            yield PlannedStep(MEMORY, self._memory, [matches])

    def _missing(self, needs: Sequence[str]) -> str | None:
        """Why a step is skipped; None if all that it needs has passed."""
        for step in self.done:
            if step.title in needs and step.verdict is not Verdict.PASS:
                return step.note if step.verdict is Verdict.SKIP else f"step {step.number} failed"
        return None

    def _requests(self, most: int) -> Sequence[bytes]:
        """The first requests of the first board."""
        return () if self._plain is None else self._plain[0].requests[:most]

    async def _first_answer(self, trial: Trial, checks: ProtocolChecks | None) -> Seen:
        if checks is not None:
            state = self.trials.game.start(trial.setup, self.rng_seed)
            seen = await checks.flushes(self.trials.game.encode(state.requests()[0]))
            if seen.failure is not None:
                return seen
        self._plain = await self._trial(trial)
        result, failed = self._plain
        if failed is not None and len(result.requests) <= 1:
            return Seen(failure=failed)
        note = f"{figures.short(result.first)} of {seconds(self.trials.time.first)}"
        if result.name is None:
            return Seen(note)
        empty = [] if result.name else ["its name is empty: the bot's own name is shown instead"]
        return Seen(f'"{harmless(result.name)}", {note}', empty)

    async def _board(self, trial: Trial, *, first: bool) -> Seen:
        result, failed = self._plain if first and self._plain is not None else await self._trial(trial)
        if failed is not None:
            return Seen(failure=failed)
        answers = counted(len(result.times) + (result.name is None), "answer")
        note = f"{answers}, slowest {figures.short(max(result.times))}" if result.times else ""
        if not result.replaced or any(step.warnings for step in self.done if step.title.startswith(_BOARD)):
            return Seen(note)
        said, taken = (quote(text.encode(errors="replace")) for text in result.replaced[0])
        count = counted(len(result.replaced), "answer")
        return Seen(note, [f"the game replaced {count}, such as {said} by {taken}"])

    async def _trial(self, trial: Trial) -> tuple[TrialResult, Failure | None]:
        result = await self.trials.trial(trial, self.rng_seed)
        if (evidence := result.evidence) is None:
            return result, None
        return result, _failure(await self._diagnosed(evidence), evidence)

    async def _diagnosed(self, evidence: Evidence) -> Diagnosis:
        if evidence.fault.kind is not FaultKind.TIMEOUT:
            return await self.diagnoser.diagnose(evidence)
        if self._silence is not None:
            return replace(self._silence, says=f"{evidence.fault.detail}, as above")
        self.progress(f"{evidence.fault.detail}: finding out why …")
        self._silence = await self.diagnoser.diagnose(evidence)
        return self._silence

    async def _matches(self) -> Seen:
        played: list[TrialResult] = []
        for number, fixture in enumerate(self.fixtures, start=1):
            self.progress(f"match {number} of {len(self.fixtures)}: {fixture.title} …")
            # A second seat of the bot itself is prepared separately.
            bots = [self.rivals[name] if name else replace(self.trials.bot) for name in fixture.rivals]
            bots.insert(fixture.seat, self.trials.bot)
            result = await self.trials.match(fixture.setup, bots, fixture.seat, fixture.rng_seed)
            if result.evidence is not None:
                found = await self._diagnosed(result.evidence)
                found = replace(found, says=f"match {number}, on {fixture.title}: {found.says}")
                return Seen(failure=_failure(found, result.evidence))
            played.append(result)
        self.times = figures.measure([result.first for result in played], [result.times for result in played])
        self.peak = max((result.peak for result in played if result.peak is not None), default=None)
        return Seen(f"{counted(self.times.answers, 'answer')}, no fault")

    async def _time(self) -> Seen:
        assert self.times is not None
        limited = self.trials.bot.policy is None
        return Seen(figures.told(self.times), figures.time_warnings(self.times, self.trials.time) if limited else ())

    async def _memory(self) -> Seen:
        if self.peak is None:
            return Seen("not known")
        limit = self.diagnoser.memory
        of = f"of {limit / MIB:.0f} MiB" if limit is not None else "(no limit without a sandbox)"
        return Seen(f"at most {self.peak / MIB:.0f} MiB {of}", figures.memory_warnings(self.peak, limit))


_BOARD: Final = "answers: "


def _title(trial: Trial) -> str:
    return f"{_BOARD}{trial.title}"


def _failure(found: Diagnosis, evidence: Evidence) -> Failure:
    sent = evidence.requests[-1] if evidence.requests and evidence.put else b""
    return failure(found, sent=sent, output=evidence.output, log=evidence.log)
