"""Checks that need no match: the bot is started, left alone, asked its first requests, and left alone again."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.compliance.diagnoser import AFTERWARDS, Diagnoser
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.probe_process import ProbeProcess
from referee.compliance.report import StepResult
from referee.text.words import quote


@dataclass(slots=True)
class ProtocolChecks:
    """The checks of a bot that stays for the whole match, in one process.

    They judge what the bot writes. Whether it is in time is for the clocks of a match to judge: here, only a bot that is far
    beyond its limit fails. A bot that is idle long before its limit may still be starting up, so another process of it shows
    whether it waits for more input.
    """

    diagnoser: Diagnoser
    bot: ProbeProcess
    _answered: list[bytes] = field(default_factory=list)

    async def starts(self) -> StepResult:
        """It starts, and writes nothing before the first request."""
        await self.bot.rest()
        if self.bot.output:
            return self._fails(self.diagnoser.advisor.unasked(self.bot.output, first=True))
        if self.bot.closed:
            return self._fails(await self.diagnoser.end_of(self.bot, 0))
        return StepResult()

    async def answers(self, request: bytes) -> StepResult:
        """It answers a request with as many lines as are asked for, and writes nothing else."""
        time = self.diagnoser.trials.time
        limit = time.answer if self._answered else time.first
        timing = await self.bot.ask(request, self.diagnoser.lines_of(request), within=limit + AFTERWARDS)
        if timing.idle and timing.seconds < limit:
            if (waits := await self.diagnoser.waits_for_input([*self._answered, request])) is not None:
                return self._fails(waits, request)
            timing = await self.bot.listen(within=limit + AFTERWARDS - timing.seconds, idle=limit)
        if self.bot.complete:
            await self.bot.rest()
        wrong = await self.diagnoser.judge(self.bot, request, timing, limit, self._answered)
        if wrong is not None:
            return self._fails(wrong, request)
        self._answered.append(request)
        return StepResult(quote(self.bot.output.removesuffix(b"\n")))

    def _fails(self, failed: Diagnosis, request: bytes = b"") -> StepResult:
        return StepResult(failure=failed.with_evidence(sent=request, output=self.bot.output, log=self.bot.log))
