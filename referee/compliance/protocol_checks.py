"""Checks that need no match: of the first requests to a bot, and of requests that arrive in two parts with a pause between them.

1. A pipe usually delivers a request whole. So a bot that takes what is there for a whole request plays well, until a request
   is longer or the machine is busy. Then it answers a request twice and is disqualified.
2. A bot that answers before the request is complete breaks no rule. It may ignore the rest, but if it reads that with its next
   request it always plays on an old position. This is a warning.
3. The bot's own answers are played, so it sees no position that does not follow from them. All boards come before this check:
   the bot is known to answer requests that arrive whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from referee.compliance.diagnoser import LATE_TIME, Diagnoser
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.probe_process import QUIET_TIME, ProbeProcess
from referee.compliance.report import StepResult
from referee.contract.game import Request
from referee.contract.positions import Trial
from referee.text.words import counted, quote

PAUSE_TIME: Final = 1.0
"""The most seconds between the parts. A bot that is idle earlier gets the second part at once."""


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
        timing = await self.bot.ask(request, self.diagnoser.lines_of(request), within=limit + LATE_TIME)
        if timing.idle and timing.seconds < limit:
            if (waits := await self.diagnoser.waits_for_input([*self._answered, request])) is not None:
                return self._fails(waits, request)
            timing = await self.bot.listen(within=limit + LATE_TIME - timing.seconds, idle=limit)
        if self.bot.complete:
            await self.bot.rest()
        wrong = await self.diagnoser.judge(self.bot, request, timing, limit, self._answered)
        if wrong is not None:
            return self._fails(wrong, request)
        self._answered.append(request)
        return StepResult(quote(self.bot.output.removesuffix(b"\n")))

    def _fails(self, failed: Diagnosis, request: bytes = b"") -> StepResult:
        return StepResult(failure=failed.with_evidence(sent=request, output=self.bot.output, log=self.bot.log))


@dataclass(slots=True)
class PartsCheck:
    """The check of one bot that stays for the match, on one board, in a process of its own."""

    diagnoser: Diagnoser
    board: Trial
    rng_seed: int
    _early: str = ""

    async def run(self) -> StepResult:
        """Ask for the name and for two actions. The first request is cut before its last line, the second in its middle."""
        trials = self.diagnoser.trials
        game = trials.game
        cuts: list[Callable[[bytes], int]] = [lambda data: data.rfind(b"\n", 0, -1) + 1, lambda data: len(data) // 2]
        state = game.start(self.board.setup, self.rng_seed)
        async with trials.probe() as bot:
            while cuts and (due := state.requests()):
                actions = []
                for request in due:
                    if request.seat != 0:
                        actions.append(game.decode(request.ask, self.board.bystanders[request.ask].split(b"\n")))
                        continue
                    data = game.encode(request)
                    parted = data.count(b"\n") > 1
                    action = await self._answer(bot, request, data, cuts.pop(0)(data) if parted else 0)
                    if isinstance(action, Diagnosis):
                        return StepResult(failure=action)
                    actions.append(action)
                state.advance(actions)
        return StepResult(warnings=[self._early] if self._early else ())

    async def _answer(self, bot: ProbeProcess, request: Request[Any], data: bytes, cut: int) -> Any:
        """The action with which it answers a request that is cut here, or the failure."""
        game, time = self.diagnoser.trials.game, self.diagnoser.trials.time
        bot.output, bot.lines = b"", self.diagnoser.lines_of(data)
        if cut:
            bot.send(data[:cut])
            await bot.listen(within=PAUSE_TIME, idle=QUIET_TIME)
        first, is_early = bot.output, bot.complete
        bot.send(data[cut:])
        await bot.listen(within=max(time.first, time.answer) + LATE_TIME, idle=time.first)
        if bot.complete:
            await bot.rest()
        if self.diagnoser.advisor.wrong_reply(request.ask, bot.output) is not None:
            return await self._failure(bot, data, cut, first)
        if is_early:
            self._early = (
                f"it answered when only {_share(data, cut)} had arrived. If it reads the rest with its next request, it always "
                "plays on an old position"
            )
        return game.decode(request.ask, bot.output.removesuffix(b"\n").split(b"\n"))

    async def _failure(self, bot: ProbeProcess, data: bytes, cut: int, first: bytes) -> Diagnosis:
        how = f"when only {_share(data, cut)} had arrived, it wrote {quote(first)}; after the rest " if first else ""
        if rest := bot.output[len(first) :]:
            how += f"it wrote {quote(rest)}"
        else:
            how += f"it {(await bot.process.how_it_ended()).removeprefix('it ')}" if bot.closed else "it wrote nothing"
        if cut:
            how = f"a request arrived in two parts: {how}"
        failure = Diagnosis(
            "reads-too-little",
            how,
            "Read a request line by line to its end, and only then answer: "
            f"{self.diagnoser.advisor.idioms.read}. A single call may return only the part that has arrived.",
        )
        return failure.with_evidence(sent=data, output=bot.output, log=bot.log)


def _share(data: bytes, cut: int) -> str:
    return f"{cut} of {counted(len(data), 'byte')} of a request"
