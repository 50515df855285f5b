"""What is wrong with a bot: from the evidence of its fault, or, where it gave no answer in time, from asking it again.

1. Asked again, the bot gets the requests that led to the fault, each answered, and more time than its limit. If it answers
   then as it should have done, that depends on chance or on the machine's load.
2. A bot that computes is slow, or in a loop. One that does not compute waits, and what helps it tells for what: one line
   more, or the end of its input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.bots import Bot, beside
from referee.clock import seconds
from referee.compliance import diagnosis
from referee.compliance.diagnosis import Diagnosis, Reply
from referee.compliance.encounter import Arena, Evidence
from referee.compliance.endings import ended
from referee.compliance.hints import Topic, hint
from referee.compliance.specimen import Specimen, started
from referee.game import FaultKind
from referee.names import counted, quote
from referee.players.process import Process
from referee.sandbox import advice

AFTERWARDS: Final = 3.0
"""Seconds behind the limit in which a late answer is waited for."""
LONGEST: Final = 5.0
"""Seconds for which an answer is waited for that did not come within a limit longer than that."""
QUIET: Final = 0.4
"""Seconds in which all that a program has to say at once has come."""
BUSY: Final = 20
"""How many times as long as usual a program that computes is waited for, on a machine that does other things too."""
LOOK: Final = 0.5
BY_CPU: Final = frozenset({"slow-answer", "endless-loop"})
"""Faults that are told by CPU time, which no other program can use up."""


@dataclass(frozen=True, slots=True)
class Laboratory:
    """Finds out what is wrong with a bot in an arena.

    Attributes:
        language: what it is written in, as far as that is known.
        memory: what it may hold, in bytes (None: no limit).
        given: the bot as it was before it was built, which its author knows; None where that is the arena's.
    """

    arena: Arena
    language: str | None
    memory: int | None
    given: Bot | None = None

    async def diagnose(self, evidence: Evidence) -> Diagnosis | None:
        """What led to this fault; None when the bot was given up and answers now: nothing is wrong then.

        Raises:
            HostStalled: the machine was to blame for the timeout, and still it may be.
        """
        if evidence.stalled is not None:
            found = await self._silent(evidence)
            if found is None or found.fault not in BY_CPU:
                raise evidence.stalled
            return found
        match evidence.fault.kind:
            case FaultKind.EXIT:
                return self._ended(evidence, evidence.fault.detail)
            case FaultKind.SANDBOX:
                return _over_memory(evidence.fault.detail)
            case FaultKind.OVERFLOW:
                return diagnosis.too_long(evidence.fault.detail, self.language)
            case FaultKind.INVALID:
                return await self._invalid(evidence)
        if evidence.total:
            return Diagnosis(
                "total-time",
                f"{evidence.fault.detail}, after {counted(evidence.asked, 'request')}",
                "Each answer was in time, but all together they take too long: aim at a tenth of the limit of one answer.",
            )
        return await self._silent(evidence)

    async def _invalid(self, evidence: Evidence) -> Diagnosis:
        if not evidence.put:
            unasked = diagnosis.unasked_later if len(evidence.requests) > 1 else diagnosis.unasked_first
            return unasked(evidence.came, self.language)
        reply = self._reply(evidence)
        said = await self._all_it_says(evidence)
        if said.startswith(reply.said):
            reply = replace(reply, said=said)
        return diagnosis.wrong_reply(reply, self.arena.game.decode, evidence.fault.detail, self.language)

    def _reply(self, evidence: Evidence) -> Reply:
        request = evidence.requests[-1] if evidence.requests else b""
        return Reply(self.arena.game.name, evidence.ask, evidence.came, self.wanted(request))

    def wanted(self, request: bytes) -> int:
        """How many lines answer a request, which its first word names."""
        name = request.split(maxsplit=1)[:1]
        return self.arena.game.reply_lines(name[0].decode(errors="replace")) if name else 1

    def ended(self, how: str, *, answers: int | None, log: Sequence[str]) -> Diagnosis:
        """A program that ended too early, in the referee's words for how; see `endings.ended`."""
        bot = self.given or self.arena.bot
        found = None
        if self.memory is not None:
            whole = bot.files is None
            listed = not whole and not bot.trusted
            found = advice.advise(log, memory=self.memory, beside=beside(bot), folder=whole, listed=listed)
        return ended(how, answers=answers, log=log, language=self.language, advised=found)

    async def end_of(self, process: Process, *, answers: int, log: Sequence[str]) -> Diagnosis:
        """A program that ended too early: what the sandbox ended it for, or how it ended by itself."""
        how = await process.how_it_ended()
        verdict = process.verdict()
        return self.ended(how, answers=answers, log=log) if verdict is None else _over_memory(verdict.detail)

    def _ended(self, evidence: Evidence, how: str) -> Diagnosis:
        return self.ended(how, answers=max(0, len(evidence.requests) - 1), log=evidence.log)

    async def _all_it_says(self, evidence: Evidence) -> bytes:
        """To the last request, and a moment longer than the referee listens."""
        async with started(self.arena.ready) as bot:
            if not await self._lead_up(bot, evidence.requests):
                return b""
            await bot.tell(evidence.requests[-1], within=evidence.limit)
            await bot.listen(within=evidence.limit, until=self._done(evidence))
            await bot.listen(within=QUIET)
            return bot.said

    async def _lead_up(self, bot: Specimen, requests: Sequence[bytes]) -> bool:
        """Put all requests but the last; whether each was answered."""
        time = self.arena.time
        for number, request in enumerate(requests[:-1]):
            limit = time.answer if number else time.first
            bot.forget()
            await bot.tell(request, within=limit)
            done = whole(self.wanted(request))
            await bot.listen(within=limit, until=done)
            if not done(bot.said):
                return False
        bot.forget()
        return True

    async def _silent(self, evidence: Evidence) -> Diagnosis | None:
        """The answer did not come in time."""
        limit, last, done = evidence.limit, evidence.requests[-1], self._done(evidence)
        async with started(self.arena.ready) as bot:
            if not await self._lead_up(bot, evidence.requests):
                return self._by_chance(evidence, "did not answer an earlier request")
            before = bot.cpu()
            most = min(limit + AFTERWARDS, LONGEST)
            await bot.tell(last, within=most)
            took = await bot.listen(within=most, until=done)
            # On a busy machine it gets the processor time that it would have had on an idle one.
            while bot.computes() and not done(bot.said) and took < BUSY * most and bot.cpu() - before < most:
                took += await bot.listen(within=LOOK, until=done)
            used = bot.cpu() - before
            if done(bot.said):
                if took > limit:
                    return self._slow(evidence, took, used)
                return None if evidence.gave_up else self._by_chance(evidence, f"answered after {took:.2f} s")
            if bot.closed:
                return await self.end_of(bot.process, answers=max(0, len(evidence.requests) - 1), log=evidence.log)
            if bot.said:
                return diagnosis.unfinished(replace(self._reply(evidence), said=bot.said), self.language)
            if used > limit or (evidence.stalled is None and (bot.computes() or used > took / 2)):
                return self._endless(evidence, used)
            return await self._waits(bot, evidence, took, used)

    async def _waits(self, bot: Specimen, evidence: Evidence, took: float, used: float) -> Diagnosis:
        """It gives no answer and does not compute (theory, point 2)."""
        done, last = self._done(evidence), evidence.requests[-1]
        patience = self.arena.time.answer
        await bot.tell(last.removesuffix(b"\n").rpartition(b"\n")[2] + b"\n", within=patience)
        await bot.listen(within=patience, until=done)
        read, lines = hint(self.language, Topic.READ), counted(last.count(b"\n"), "line")
        if done(bot.said):
            return Diagnosis(
                "reads-too-much",
                f"the request has {lines}, and it answered only after 1 line more",
                "Read exactly the lines of the request, then answer "
                f"(`referee rules {self.arena.game.name}` says how many there are): {read}.",
            )
        bot.hang_up()
        await bot.listen(within=patience, until=done)
        if done(bot.said):
            answer = quote(bot.said.partition(b"\n")[0])
            return Diagnosis(
                "no-flush",
                f"the answer {answer} came only when its input ended",
                f"Flush your output after each answer: {hint(self.language, Topic.FLUSH)}. And read only what belongs to the "
                f"request, not to the end of input: {read}.",
            )
        return Diagnosis(
            "waits",
            f"in {took:.1f} s it gave no answer and hardly used the processor ({used:.2f} s): it waits, for more input or for "
            "something else",
            "Does it know this request? Compare its name without the line end, and count the lines that you read: "
            f"{read}. Or look for a sleep, a lock, or a thread that is waited for.",
        )

    def _done(self, evidence: Evidence) -> Callable[[bytes], bool]:
        """Whether this is a whole answer to the last request."""
        return whole(self.wanted(evidence.requests[-1]))

    def _endless(self, evidence: Evidence, used: float) -> Diagnosis:
        return Diagnosis(
            "endless-loop",
            f"{evidence.fault.detail}; asked again it computed for {used:.1f} s, and still did",
            "Look for a loop that does not end, or for a search or a start that takes too long: bound it by depth, or by the "
            "clock.",
        )

    def _slow(self, evidence: Evidence, took: float, used: float) -> Diagnosis:
        limit = f"the limit is {seconds(evidence.limit)}"
        if used > evidence.limit or used > took / 2:
            return Diagnosis(
                "slow-answer" if used > evidence.limit or evidence.stalled is None else "slow",
                f"it computed for {used:.1f} s before it answered; {limit}",
                "Bound your search: by depth, or look at a clock and answer with the best so far at half the limit.",
            )
        return Diagnosis(
            "slow-waiting",
            f"it answered after {took:.1f} s, of which it computed for {used:.2f} s and else waited; {limit}",
            "Look for a sleep, a lock or a slow start, and take it out.",
        )

    def _by_chance(self, evidence: Evidence, now: str) -> Diagnosis:
        return Diagnosis(
            "irregular",
            f"{evidence.fault.detail}; asked the same again it {now}",
            "It depends on chance, on time or on the machine's load: fix the seeds of your random numbers, and look for what "
            "takes longer at times.",
        )


def whole(lines: int) -> Callable[[bytes], bool]:
    """Whether so many lines have come."""
    return lambda said: said.count(b"\n") >= lines


def _over_memory(detail: str) -> Diagnosis:
    return Diagnosis("memory", f"it {detail}", "Use less memory, or check with a higher limit: --memory SIZE.")
