"""Finds out what is wrong with a bot: from the evidence of its fault or, if it did not answer in time, by asking it again.

1. The bot gets the same requests again, and more time than its limit for the last one. If it answers in time now, its
   answer depends on chance or on the load of the machine.
2. A bot that computes is too slow. A bot that does not compute waits for something; one line more, and then the end of its
   input, show for what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.bots import Bot, beside
from referee.clock import seconds
from referee.compliance import diagnosis
from referee.compliance.diagnosis import Diagnosis, Reply
from referee.compliance.hints import Topic, hint
from referee.compliance.probe_process import ProbeProcess, started
from referee.compliance.trial_runner import Evidence, TrialRunner
from referee.game import FaultKind
from referee.names import counted, quote
from referee.players.process import Process
from referee.sandbox import advice

AFTERWARDS: Final = 3.0
"""Seconds beyond the limit for which a late answer is awaited."""
LONGEST: Final = 5.0
"""The most seconds that an answer is awaited."""
QUIET: Final = 0.4
"""Seconds after which a bot has written all that it had to say."""


@dataclass(frozen=True, slots=True)
class Diagnoser:
    """Diagnoses the faults of one bot.

    Attributes:
        language: that the bot is written in; None if unknown.
        memory: the bot's limit in bytes; None for no limit.
        source: the bot as its author wrote it, before it was built; None if it was not built.
    """

    trials: TrialRunner
    language: str | None
    memory: int | None
    source: Bot | None = None

    async def diagnose(self, evidence: Evidence) -> Diagnosis:
        """What led to this fault."""
        detail = evidence.fault.detail
        match evidence.fault.kind:
            case FaultKind.EXIT:
                return self._ended(evidence, detail)
            case FaultKind.SANDBOX:
                return _over_memory(detail)
            case FaultKind.OVERFLOW:
                return diagnosis.too_long(detail, self.language)
            case FaultKind.INVALID:
                return await self._invalid(evidence)
        if evidence.total:
            return Diagnosis(
                "total-time",
                f"{detail}, after {counted(evidence.asked, 'request')}",
                "Each answer was in time, but all together took too long. Aim at a tenth of the limit for one answer.",
            )
        return await self._silent(evidence)

    def ended(self, how: str, *, answers: int | None, log: Sequence[str]) -> Diagnosis:
        """A process that ended too early; `how` is in the referee's words."""
        bot = self.source or self.trials.bot
        found = None
        if self.memory is not None:
            whole = bot.files is None
            listed = not whole and not bot.trusted
            found = advice.advise(log, memory=self.memory, beside=beside(bot), folder=whole, listed=listed)
        return diagnosis.ended(how, answers=answers, log=log, language=self.language, advised=found)

    async def end_of(self, process: Process, *, answers: int, log: Sequence[str]) -> Diagnosis:
        """A process that ended too early: by the sandbox, or by itself."""
        how = await process.how_it_ended()
        verdict = process.verdict()
        return self.ended(how, answers=answers, log=log) if verdict is None else _over_memory(verdict.detail)

    def complete(self, request: bytes) -> Callable[[bytes], bool]:
        """Whether some output is a whole answer to this request."""
        lines = self._lines(request)
        return lambda said: said.count(b"\n") >= lines

    def _lines(self, request: bytes) -> int:
        name = request.split(maxsplit=1)[:1]
        return self.trials.game.reply_lines(name[0].decode(errors="replace")) if name else 1

    def _ended(self, evidence: Evidence, how: str) -> Diagnosis:
        return self.ended(how, answers=max(0, len(evidence.requests) - 1), log=evidence.log)

    def _reply(self, evidence: Evidence, said: bytes) -> Reply:
        request = evidence.requests[-1] if evidence.requests else b""
        return Reply(self.trials.game.name, evidence.ask, said, self._lines(request))

    async def _invalid(self, evidence: Evidence) -> Diagnosis:
        if not evidence.put:
            return diagnosis.unasked(evidence.output, first=len(evidence.requests) <= 1, language=self.language)
        said = await self._all_output(evidence)
        reply = self._reply(evidence, said if said.startswith(evidence.output) else evidence.output)
        return diagnosis.wrong_reply(reply, self.trials.game.decode, evidence.fault.detail, self.language)

    async def _all_output(self, evidence: Evidence) -> bytes:
        """The answer to the last request, and what comes a moment after it."""
        async with started(self.trials.prepared) as bot:
            if not await self._lead_up(bot, evidence.requests):
                return b""
            await bot.tell(evidence.requests[-1], within=evidence.limit)
            await bot.listen(within=evidence.limit, until=self.complete(evidence.requests[-1]))
            await bot.listen(within=QUIET)
            return bot.said

    async def _lead_up(self, bot: ProbeProcess, requests: Sequence[bytes]) -> bool:
        """Put all requests but the last; whether each was answered."""
        time = self.trials.time
        for number, request in enumerate(requests[:-1]):
            limit, done = time.answer if number else time.first, self.complete(request)
            bot.forget()
            await bot.tell(request, within=limit)
            await bot.listen(within=limit, until=done)
            if not done(bot.said):
                return False
        bot.forget()
        return True

    async def _silent(self, evidence: Evidence) -> Diagnosis:
        """The answer did not come in time."""
        limit, last = evidence.limit, evidence.requests[-1]
        done, most = self.complete(last), min(limit + AFTERWARDS, LONGEST)
        async with started(self.trials.prepared) as bot:
            if not await self._lead_up(bot, evidence.requests):
                return by_chance(evidence, "did not answer an earlier request")
            before = bot.cpu()
            await bot.tell(last, within=most)
            took = await bot.listen(within=most, until=done)
            used = bot.cpu() - before
            if done(bot.said):
                return (
                    too_slow(evidence, took, used) if took > limit else by_chance(evidence, f"answered in {took:.2f} s")
                )
            if bot.closed:
                return await self.end_of(bot.process, answers=max(0, len(evidence.requests) - 1), log=evidence.log)
            if bot.said:
                return diagnosis.unfinished(self._reply(evidence, bot.said), self.language)
            if bot.computes() or used > took / 2:
                return too_slow(evidence, None, used)
            return await self.waits_for(bot, last) or self._waits(took)

    async def waits_for(self, bot: ProbeProcess, request: bytes) -> Diagnosis | None:
        """What a bot waits for that does not answer and does not compute: one line more, the end of its input, or neither."""
        done, patience = self.complete(request), self.trials.time.answer
        read, lines = hint(self.language, Topic.READ), counted(request.count(b"\n"), "line")
        await bot.tell(request.removesuffix(b"\n").rpartition(b"\n")[2] + b"\n", within=patience)
        await bot.listen(within=patience, until=done)
        if done(bot.said):
            return Diagnosis(
                "reads-too-much",
                f"the request has {lines}, and it answered only after 1 line more",
                f"Read exactly the lines of the request (`referee rules {self.trials.game.name}`), then answer: {read}.",
            )
        bot.hang_up()
        await bot.listen(within=patience, until=done)
        if not done(bot.said):
            return None
        answer = quote(bot.said.partition(b"\n")[0])
        return Diagnosis(
            "no-flush",
            f"the answer {answer} came only when its input ended",
            f"Flush your output after each answer: {hint(self.language, Topic.FLUSH)}. And read only the lines of the "
            f"request, not to the end of input: {read}.",
        )

    def _waits(self, took: float) -> Diagnosis:
        return Diagnosis(
            "waits",
            f"in {took:.1f} s it gave no answer and hardly used the processor: it waits, for more input or for something else",
            "Does it know this request? Compare its name without the line end, and count the lines that you read: "
            f"{hint(self.language, Topic.READ)}. Or look for a sleep, a lock, or a thread that is waited for.",
        )


def too_slow(evidence: Evidence, took: float | None, used: float) -> Diagnosis:
    """An answer that came after `took` seconds, `used` of them CPU time; None for one that did not come at all."""
    limit = f"the limit is {seconds(evidence.limit)}"
    if took is not None and used <= took / 2 and used <= evidence.limit:
        return Diagnosis(
            "slow-waiting",
            f"it answered after {took:.1f} s and computed for {used:.2f} s of them; {limit}",
            "Remove what it waits for: a sleep, a lock, or a slow start.",
        )
    return Diagnosis(
        "slow-answer",
        f"it computed for {used:.1f} s{' and had not answered' if took is None else ' before it answered'}; {limit}",
        "Look for a loop that does not end. Limit your search by depth, or look at the clock and answer with the best move so "
        "far at half the limit.",
    )


def by_chance(evidence: Evidence, now: str) -> Diagnosis:
    """A bot that does something else when it is asked the same again."""
    return Diagnosis(
        "irregular",
        f"{evidence.fault.detail}; asked the same again it {now}",
        "This depends on chance, on time or on the load of the machine. Seed your random numbers, and look for what sometimes "
        "takes longer.",
    )


def _over_memory(detail: str) -> Diagnosis:
    return Diagnosis("memory", f"it {detail}", "Use less memory, or check with a higher limit: --memory SIZE.")
