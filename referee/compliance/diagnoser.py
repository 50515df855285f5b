"""Finds out what is wrong with a bot: from the evidence of its fault or, if it did not answer in time, by asking it again.

1. The bot gets the same requests again, and more time than its limit for the last one. If it answers in time now, it is near
   the limit, or its answer depends on chance or on the load of the machine.
2. A bot that computes is too slow. A bot that does not compute waits for something. The diagnoser sends one line more, then
   many, then the end of the input, and sees which makes it answer.
3. A bot that is started for each turn gets one request as its whole input, and its whole output is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from typing_extensions import override

from referee.bots import Bot
from referee.compliance import diagnosis
from referee.compliance.diagnosis import END_AFTER_ANSWER, Advisor, Circumstances, Diagnosis
from referee.compliance.probe_process import ProbeProcess, Timing
from referee.compliance.trial_runner import FaultEvidence, TrialRunner
from referee.contract.clock import END_LIMIT, seconds
from referee.contract.game import FaultKind
from referee.text.words import counted, quote

LATE_TIME: Final = 3.0
"""Seconds beyond the limit for which a late answer is awaited."""
REPLY_TIME: Final = 1.0
"""Seconds in which a bot must answer once it has what it waited for."""
MANY_LINES: Final = 64
"""Enough lines for a bot that reads some too many."""


@dataclass(frozen=True, slots=True)
class Diagnoser:
    """Diagnoses the faults of one bot.

    Attributes:
        memory: the bot's limit in bytes; None for no limit.
        source: the bot as its author wrote it, before it was built.
    """

    trials: TrialRunner
    memory: int | None
    source: Bot

    @property
    def advisor(self) -> Advisor:
        """Words for the author of the bot."""
        return Advisor(self.trials.game, self.source)

    async def diagnose(self, evidence: FaultEvidence) -> Diagnosis:
        """What led to this fault."""
        result = await self._diagnose(evidence)
        return result.with_evidence(sent=evidence.last, output=evidence.output, log=evidence.log)

    async def judge(
        self, bot: ProbeProcess, request: bytes, timing: Timing, limit: float, earlier: Sequence[bytes]
    ) -> Diagnosis | None:
        """What is wrong with a bot that got a request after it had answered earlier ones; None if it gave an answer."""
        if bot.closed and not bot.complete:
            return await self.end_of(bot, len(earlier))
        if bot.output:
            return self.advisor.wrong_reply(name_of(request), bot.output)
        asked = in_words(request, earlier)
        if timing.computes:
            return too_slow(timing, limit, asked, answered=False)
        return await self._release(bot, request) or Diagnosis(
            "waits",
            f"in {seconds(limit)} it did not answer {asked} and hardly used the processor: it waits for something",
            self.advisor.waiting(bot.log),
        )

    async def end_of(self, bot: ProbeProcess, answers: int) -> Diagnosis:
        """A process that ended too early: by the sandbox, or by itself."""
        how, verdict = await bot.process.how_it_ended(), bot.process.verdict()
        if verdict is not None:
            return diagnosis.over_memory(verdict.detail)
        return self.advisor.ended(how, answers=answers, log=bot.log, memory=self.memory)

    def lines_of(self, request: bytes) -> int:
        """The number of lines of a reply to this request."""
        return self.trials.game.reply_lines(name_of(request))

    async def _diagnose(self, evidence: FaultEvidence) -> Diagnosis:
        fault = evidence.fault
        if fault.kind is FaultKind.INVALID:
            return self._invalid(evidence)
        if fault.kind is FaultKind.TIMEOUT and not evidence.total:
            return await self._late(evidence)
        ask = name_of(evidence.last)
        circumstances = Circumstances(ask, evidence.answers, evidence.log, self.memory, total=evidence.total)
        return diagnosis.by_fault(fault, self.source, self.trials.game, circumstances)

    def _invalid(self, evidence: FaultEvidence) -> Diagnosis:
        if not evidence.last:
            return self.advisor.unasked(evidence.output, first=not evidence.answers)
        ask = name_of(evidence.last)
        wrong = self.advisor.wrong_reply(ask, evidence.output)
        return wrong or self.advisor.wrong_answer(ask, evidence.fault.detail)

    async def _late(self, evidence: FaultEvidence) -> Diagnosis:
        """The answer did not come in time: the bot is asked again."""
        *earlier, last = evidence.requests
        async with self.trials.probe() as bot:
            if not await self._answers_again(bot, earlier):
                return irregular(evidence, "did not answer an earlier request")
            timing = await bot.ask(last, self.lines_of(last), within=evidence.limit + LATE_TIME)
            wrong = await self.judge(bot, last, timing, evidence.limit, earlier)
            if wrong is not None:
                return wrong
            if timing.seconds > evidence.limit:
                return too_slow(timing, evidence.limit, in_words(last, earlier), answered=True)
            again = irregular(evidence, f"answered in {timing.seconds:.2f} s")
            near = timing.computes and timing.seconds > evidence.limit / 2
            return replace(again, fault="slow-answer", change=diagnosis.FASTER) if near else again

    async def waits_for_input(self, requests: Sequence[bytes]) -> Diagnosis | None:
        """What input an idle bot waits for before it answers the last of these requests; None if it waits for none.

        A new process gets the requests, so the one that is checked is not disturbed.
        """
        *earlier, last = requests
        async with self.trials.probe() as bot:
            if not await self._answers_again(bot, earlier):
                return None
            await bot.ask(last, self.lines_of(last), within=REPLY_TIME)
            return None if bot.output else await self._release(bot, last)

    async def _answers_again(self, bot: ProbeProcess, requests: Sequence[bytes]) -> bool:
        """Whether a new process answers requests that were answered before."""
        for request in requests:
            await bot.ask(request, self.lines_of(request), within=self.trials.time.first)
            if not bot.complete:
                return False
        return True

    async def _release(self, bot: ProbeProcess, request: bytes) -> Diagnosis | None:
        """What makes an idle bot answer: more lines, or the end of its input; None if neither does."""
        lines, read = request.splitlines(keepends=True), self.advisor.idioms.read
        for count, more in ((1, "1 line more"), (MANY_LINES, "several lines more")):
            await bot.ask(lines[-1] * count, self.lines_of(request), within=REPLY_TIME / 2)
            if bot.complete and not bot.closed:
                return Diagnosis(
                    "reads-too-much",
                    f"the request has {counted(len(lines), 'line')}, and it answered only after {more}",
                    f"Read exactly the lines of the request (`referee rules {self.trials.game.name}`), then answer: {read}.",
                )
        bot.hang_up()
        await bot.listen(within=REPLY_TIME)
        if not bot.complete:
            return None
        answer = bot.output.partition(b"\n")[0]
        return Diagnosis(
            "no-flush",
            f"the answer {quote(answer)} came only when its input ended",
            f"Flush your output after each answer: {self.advisor.idioms.flush}. And read only the lines of the request, not to "
            f"the end of input: {read}.",
        )


@dataclass(frozen=True, slots=True)
class TurnDiagnoser(Diagnoser):
    """Diagnoses a bot that is started for each turn (3). The usual mistake is a bot that was written to stay."""

    @override
    def _invalid(self, evidence: FaultEvidence) -> Diagnosis:
        return self.advisor.wrong_answer("getAction", evidence.fault.detail)

    @override
    async def _late(self, evidence: FaultEvidence) -> Diagnosis:
        """The answer, or the end after it, did not come in time: the bot is asked again."""
        turn, lines = f"in turn {len(evidence.requests)}", self.trials.game.reply_lines("getAction")
        async with self.trials.probe() as bot:
            bot.hang_up()
            timing = await bot.ask(evidence.requests[-1], lines, within=evidence.limit + LATE_TIME)
            answered = bot.closed or bot.complete
            is_slow = timing.seconds > evidence.limit if answered else timing.computes
            if is_slow:
                return too_slow(timing, evidence.limit, turn, answered=answered)
            if not answered:
                return self._does_not_end(bot, timing, evidence.limit)
            if bot.closed:
                return irregular(evidence, f"ended in {timing.seconds:.2f} s")
            return await self._late_end(bot, evidence)

    async def _late_end(self, bot: ProbeProcess, evidence: FaultEvidence) -> Diagnosis:
        """The bot has answered in time."""
        timing = await bot.listen(within=END_LIMIT + LATE_TIME, on=True)
        if bot.closed and timing.seconds <= END_LIMIT:
            return irregular(evidence, f"ended {timing.seconds:.2f} s after its answer")
        return self._does_not_end(bot, timing, END_LIMIT)

    def _does_not_end(self, bot: ProbeProcess, timing: Timing, limit: float) -> Diagnosis:
        wrote = quote(bot.output) if bot.output else "nothing"
        later = f"{timing.seconds:.1f} s later"
        how = f"it ended only {later}" if bot.closed else f"{later} it is still running"
        return Diagnosis(
            "does-not-end",
            f"it wrote {wrote}, and {how}; the limit is {seconds(limit)}",
            END_AFTER_ANSWER + self.advisor.may_stay(),
        )


def name_of(request: bytes) -> str:
    """The name of a request that is put to a bot that stays: its first line."""
    return request.partition(b"\n")[0].decode(errors="replace")


def in_words(request: bytes, earlier: Sequence[bytes]) -> str:
    """A request in words: `getName`, `getAction in turn 3`."""
    ask = name_of(request)
    return ask if ask == "getName" else f"{ask} in turn {1 + sum(name_of(before) == ask for before in earlier)}"


def too_slow(timing: Timing, limit: float, what: str, *, answered: bool) -> Diagnosis:
    """An answer that came too late or not at all, from a bot that computed or waited. `what` is what it should answer."""
    if answered and not timing.computes:
        return Diagnosis(
            "waits",
            f"it answered {what} after {timing.seconds:.1f} s, with {timing.cpu:.2f} s of CPU time; "
            f"the limit is {seconds(limit)}",
            "Remove what it waits for: a sleep, a lock, or a slow start.",
        )
    return Diagnosis(
        "slow-answer",
        f"it computed for {timing.cpu:.1f} s {'before it answered' if answered else 'and had not answered'} {what}; "
        f"the limit is {seconds(limit)}",
        diagnosis.FASTER,
    )


def irregular(evidence: FaultEvidence, now: str) -> Diagnosis:
    """A bot that does something else when it is asked the same again."""
    return Diagnosis(
        "irregular",
        f"{evidence.fault.detail}; asked the same again it {now}",
        "This depends on chance, on time or on the load of the machine. Seed your random numbers, and look for what sometimes "
        "takes longer.",
    )
