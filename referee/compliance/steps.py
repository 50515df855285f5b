"""The steps of a check, in their order; each is reported as soon as it ends.

1. A step is skipped if an earlier one failed. Only the boards do not depend on each other, unless a bot that has not answered
   on any board runs out of time: it would need as long on each.
2. A bot that stays for the match is first asked outside of any match (`protocol_checks.py`). A bot that lives for a turn and
   a policy, which the referee runs itself, only play.
3. A failure is diagnosed (`diagnoser.py`). For late answers this takes seconds, so only the first one is diagnosed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import trio

from referee.bots import Bot
from referee.compliance import figures
from referee.compliance.diagnoser import Diagnoser
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.fixtures import Fixture
from referee.compliance.protocol_checks import PartsCheck, ProtocolChecks
from referee.compliance.report import Report, StepResult, StepVerdict
from referee.compliance.trial_runner import FaultEvidence, TrialResult, TrialRunner
from referee.contract.game import FaultKind
from referee.contract.positions import Trial
from referee.sandbox.limits import MIB
from referee.text.words import counted

STARTS: Final = "starts, and writes nothing before the first request"
IN_PARTS: Final = "reads requests that arrive in two parts to their ends"


@dataclass(slots=True)
class Steps:
    """Runs the steps of one check.

    Attributes:
        fixtures: the matches to play. rivals: the bots that they name.
        rng_seed: the seed of chance on the boards.
        report: the steps so far; each new one is added.
        progress: a function that gets a line before something slow.
        measured: the figures of the matches; None before their ends.
        _late: the diagnosis of the first late answer.
        _answers: on all boards. _silent: whether its time was up without any.
    """

    diagnoser: Diagnoser
    fixtures: Sequence[Fixture]
    rivals: Mapping[str, Bot]
    rng_seed: int
    report: Report
    progress: Callable[[str], None]
    measured: figures.MatchFigures | None = None
    _late: Diagnosis | None = None
    _answers: int = 0
    _silent: bool = False

    @property
    def trials(self) -> TrialRunner:
        """What all trials of the bot have in common."""
        return self.diagnoser.trials

    async def run(self) -> None:
        """Run all steps.

        Raises:
            HostStalled: this machine is too busy. BotError: the bot cannot be started.
        """
        boards = self.trials.game.trials()
        if self.trials.stays:
            async with self.trials.probe() as process:
                checks = ProtocolChecks(self.diagnoser, process)
                await self._step(STARTS, checks.starts)
                for ask, request in self._first_requests(boards):
                    await self._step(f"answers {ask}, and writes nothing else", partial(checks.answers, request))
        before = len(self.report.steps)
        for board in boards:
            depends = None if self._silent else before
            await self._step(f"answers: {board.title}", partial(self._board, board), depends=depends)
        if self.trials.stays and boards:
            longest = max(boards, key=lambda board: max(data.count(b"\n") for _, data in self._first_requests([board])))
            await self._step(IN_PARTS, PartsCheck(self.diagnoser, longest, self.rng_seed).run)
        matches = counted(len(self.fixtures), "mixed match", "mixed matches")
        await self._step(f"plays {matches} without a fault", self._matches)
        await self._step("time per answer", self._time)
        if self.trials.stays:
            await self._step("memory", self._memory)

    async def _step(self, title: str, work: Callable[[], Awaitable[StepResult]], *, depends: int | None = None) -> None:
        """Run a step and report it, or skip it (1). `depends` is the number of steps that it depends on; None for all so far."""
        failed = [step for step in self.report.steps[:depends] if step.verdict is StepVerdict.FAIL]
        if failed:
            self.report.add(title, StepResult(f"step {failed[0].number} failed"), skipped=True)
        else:
            self.progress(f"{title} …")
            self.report.add(title, await work())

    def _first_requests(self, boards: Sequence[Trial]) -> list[tuple[str, bytes]]:
        """The first two requests, the name and an action: by name and as bytes."""
        game, asks = self.trials.game, list[tuple[str, bytes]]()
        for board in boards[:1]:
            state = game.start(board.setup, self.rng_seed)
            while len(asks) < 2 and (due := state.requests()):
                asks += [(request.ask, game.encode(request)) for request in due if request.seat == 0]
                state.advance([game.decode(ask, board.bystanders[ask].split(b"\n")) for _, ask, _ in due])
        return asks

    async def _board(self, board: Trial) -> StepResult:
        result = await self.trials.trial(board, self.rng_seed)
        self._answers += len(result.times)
        if result.evidence is not None:
            self._silent = result.evidence.fault.kind is FaultKind.TIMEOUT and not self._answers
            return StepResult(failure=await self._diagnose(result.evidence))
        later = result.times[1:]
        return StepResult(
            f"{counted(len(later), 'answer')} after the first, slowest {figures.time_text(max(later, default=0.0))}"
        )

    async def _diagnose(self, evidence: FaultEvidence) -> Diagnosis:
        if evidence.fault.kind is not FaultKind.TIMEOUT:
            return await self.diagnoser.diagnose(evidence)
        if self._late is not None:
            return replace(self._late, says=f"{evidence.fault.detail}, as above")
        self.progress(f"{evidence.fault.detail}: finding out why …")
        self._late = await self.diagnoser.diagnose(evidence)
        return self._late

    async def _matches(self) -> StepResult:
        results: list[TrialResult] = []
        began = trio.current_time()
        for number, fixture in enumerate(self.fixtures, start=1):
            self.progress(f"match {number} of {len(self.fixtures)}: {fixture.title} …")
            # A second seat of the bot itself is prepared separately.
            bots = [self.rivals[name] if name else replace(self.trials.bot) for name in fixture.rivals]
            bots.insert(fixture.seat, self.trials.bot)
            result = await self.trials.match(fixture.setup, bots, fixture.seat, fixture.rng_seed)
            if result.evidence is not None:
                diagnosis = await self._diagnose(result.evidence)
                return StepResult(
                    failure=replace(diagnosis, says=f"match {number}, on {fixture.title}: {diagnosis.says}")
                )
            results.append(result)
        took = trio.current_time() - began
        times = [result.times for result in results]
        pace = figures.MatchPace(
            sum(result.steps for result in results), took, sum(map(len, times)), sum(map(sum, times))
        )
        peak = max((result.peak for result in results if result.peak is not None), default=None)
        self.measured = figures.MatchFigures(figures.measure(times), peak, pace)
        return StepResult(
            f"{counted(self.measured.times.answers, 'answer')}, no fault",
            figures.idle_warnings([match.idle for match in results], results[-1].last),
        )

    async def _time(self) -> StepResult:
        assert self.measured is not None
        times, limited = self.measured.times, self.trials.bot.policy is None
        return StepResult(figures.summary(times), figures.time_warnings(times, self.trials.time) if limited else ())

    async def _memory(self) -> StepResult:
        assert self.measured is not None
        peak, limit = self.measured.peak, self.diagnoser.memory
        if peak is None:
            return StepResult("not known")
        of = f"of {limit / MIB:.0f} MiB" if limit is not None else "(no limit without a sandbox)"
        return StepResult(f"at most {peak / MIB:.0f} MiB {of}", figures.memory_warnings(peak, limit))
