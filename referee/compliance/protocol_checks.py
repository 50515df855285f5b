"""Checks that need no match: the bot is started, left alone, asked its first requests, and left alone again."""

from __future__ import annotations

from dataclasses import dataclass

from referee.compliance import diagnosis
from referee.compliance.diagnoser import AFTERWARDS, Diagnoser
from referee.compliance.diagnosis import Failure
from referee.compliance.probe_process import ProbeProcess
from referee.compliance.report import StepResult
from referee.names import quote
from referee.sandbox import advice


@dataclass(slots=True)
class ProtocolChecks:
    """The checks of a bot that stays for the whole match, in one process.

    They judge what the bot writes. Whether it is in time is for the clocks of a match to judge: here, only a bot that is far
    beyond its limit fails.
    """

    diagnoser: Diagnoser
    bot: ProbeProcess
    _answers: int = 0

    async def starts(self) -> StepResult:
        """It starts, and writes nothing before the first request."""
        await self.bot.rest()
        if self.bot.said:
            return self._fails(diagnosis.unasked(self.bot.said, first=True, idioms=self.diagnoser.idioms))
        if self.bot.closed:
            return self._fails(await self.diagnoser.end_of(self.bot, 0))
        return StepResult()

    async def answers(self, request: bytes) -> StepResult:
        """It answers a request with as many lines as are asked for, and writes nothing else."""
        time, complete = self.diagnoser.trials.time, self.diagnoser.complete(request)
        limit = time.answer if self._answers else time.first
        timing = await self.bot.ask(request, complete, within=limit + AFTERWARDS)
        if complete(self.bot.said):
            await self.bot.rest()
        found = await self.diagnoser.judge(self.bot, request, timing, limit, self._answers)
        if found is not None:
            return self._fails(found, request)
        self._answers += 1
        return StepResult(quote(self.bot.said.removesuffix(b"\n")))

    def _fails(self, failed: Failure, request: bytes = b"") -> StepResult:
        log = self.bot.process.log.last_lines(advice.LINES)
        return StepResult(failure=failed.with_evidence(sent=request, output=self.bot.said, log=log))
