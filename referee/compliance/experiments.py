"""Why did no answer come? The bot is started again, asked the same, and something about it is changed: one thing at a time.

1. Every experiment begins with the requests that led to the fault, put one after the other, each answered. Who then
   answers as it should have done depends on chance or on the machine's load, and that is said.
2. Who neither computes nor ends but waits for input, with nothing left to read, cannot go on by itself. What helps it
   tells what is wrong: more lines, other line ends, or the end of its input. They are tried in this order, because the
   end of input helps those too that the others help.
3. An answer at the end of input has two reasons: it stood in a buffer, or the program reads all before it answers. A buffer
   gives up what it holds when it is full: the same request is put again and again until it is. That is tried even if
   nothing came at the end of input, for some languages do not empty all buffers when a program ends.
4. A program that ends meanwhile proves nothing: on its way out it may write what it held back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.bots import Bot, beside
from referee.clock import seconds
from referee.compliance import diagnosis
from referee.compliance.deeds import Deed
from referee.compliance.diagnosis import Diagnosis, Reply
from referee.compliance.encounter import Arena, Evidence
from referee.compliance.endings import ended
from referee.compliance.hints import Topic, hint
from referee.compliance.specimen import Specimen, started
from referee.game import Fault, FaultKind
from referee.names import counted, quote
from referee.players.process import Process
from referee.sandbox import advice

AFTERWARDS: Final = 5.0
"""Seconds behind the limit in which a late answer is waited for."""
LONGEST: Final = 8.0
"""Seconds for which an answer is waited for that did not come within a limit longer than that."""
QUIET: Final = 0.4
"""Seconds in which all that a program has to say at once has come."""
MORE: Final = 2
"""How many lines more than the request has are tried."""
BUSY: Final = 20
"""How many times as long as usual a program that computes is waited for."""
LOOK: Final = 0.5
BY_CPU: Final = frozenset({"slow-answer", "endless-loop"})
"""Faults that are told by CPU time, which no other program can use up."""
FILLS: Final = 2 * 1024 * 1024
"""Bytes of requests that fill every usual buffer with answers."""


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
                return _over_memory(evidence.fault)
            case FaultKind.OVERFLOW:
                return self._too_much(evidence)
            case FaultKind.INVALID:
                return await self._invalid(evidence)
        if evidence.total:
            return Diagnosis(
                "total-time",
                f"{evidence.fault.detail}, after {counted(evidence.asked, 'request')}",
                "Each answer was in time, but all together they take too long: aim at a tenth of the limit of one answer.",
            )
        return await self._silent(evidence)

    def _too_much(self, evidence: Evidence) -> Diagnosis:
        return diagnosis.too_long(self._reply(evidence), self.arena.game.reply_cap, self.language)

    async def _invalid(self, evidence: Evidence) -> Diagnosis:
        reply, decode = self._reply(evidence), self.arena.game.decode
        if not evidence.put:
            return self._unasked(evidence, reply)
        said = await self._all_it_says(evidence)
        whole = replace(reply, said=said if said.startswith(reply.said) else reply.said)
        return diagnosis.wrong_reply(whole, decode, evidence.fault.detail, self.language)

    def _reply(self, evidence: Evidence) -> Reply:
        request = evidence.requests[-1] if evidence.requests else b""
        return Reply(self.arena.game.name, evidence.ask, request.count(b"\n"), evidence.came, self.wanted(request))

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
        return self.ended(how, answers=answers, log=log) if verdict is None else _over_memory(verdict)

    def _ended(self, evidence: Evidence, how: str) -> Diagnosis:
        return self.ended(how, answers=max(0, len(evidence.requests) - 1), log=evidence.log)

    def _unasked(self, evidence: Evidence, reply: Reply) -> Diagnosis:
        """Output that stood there before the last request was put."""
        if len(evidence.requests) <= 1:
            return diagnosis.unasked_first(evidence.came, self.language)
        earlier = evidence.before.removesuffix(b"\n").rpartition(b"\n")[2] + b"\n"
        put = evidence.requests[-2]
        ask = put.partition(b"\n")[0].decode(errors="replace")
        if not evidence.came.endswith(b"\n") or ask == "getName" or self.wanted(put) > 1:
            return diagnosis.unasked_later(evidence.came, self.language)
        both = Reply(self.arena.game.name, evidence.ask, put.count(b"\n"), earlier + evidence.came)
        return diagnosis.wrong_reply(both, self.arena.game.decode, evidence.fault.detail, self.language)

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
            unread = await bot.tell(last, within=most)
            took = await bot.listen(within=most, until=done, hasty=True)
            # On a busy machine it gets the processor time that it would have had on an idle one.
            while bot.deed() is Deed.RUNS and not done(bot.said) and took < BUSY * most and bot.cpu() - before < most:
                took += await bot.listen(within=LOOK, until=done)
            used = bot.cpu() - before
            if done(bot.said):
                if took > limit:
                    return self._slow(evidence, took, used)
                return None if evidence.gave_up else self._by_chance(evidence, f"answered after {took:.2f} s")
            if bot.closed:
                return await self.end_of(bot.process, answers=max(0, len(evidence.requests) - 1), log=evidence.log)
            if bot.said:
                return diagnosis.unfinished(
                    replace(self._reply(evidence), said=bot.said), self.arena.game.decode, self.language
                )
            if used > limit or (evidence.stalled is None and bot.computes(used, took)):
                return Diagnosis(
                    "endless-loop",
                    f"{evidence.fault.detail}; asked again it computed for {used:.1f} s, and still did",
                    "Look for a loop that does not end, or for a search or a start that takes too long: bound it by depth, "
                    "or by the clock.",
                )
            if left := unread + bot.unread():
                return Diagnosis(
                    "does-not-read",
                    f"it has not read {counted(left, 'byte')} of its request of {len(last)}, and does not compute",
                    f"Read the whole request, line by line: {hint(self.language, Topic.READ)}.",
                )
            if bot.deed() is Deed.WAITS:
                return Diagnosis(
                    "waits",
                    f"in {took:.1f} s it gave no answer, hardly used the processor ({used:.2f} s) and did not wait for input",
                    "Look for a sleep, a lock, a thread that is waited for, or a file or connection that it waits on.",
                )
            for number in range(1, MORE + 1):
                if await self._helps(bot, b"\n", done):
                    return self._reads_too_much(evidence, number)
        return await self._waiting_for_input(evidence)

    async def _waiting_for_input(self, evidence: Evidence) -> Diagnosis:
        """Theory, points 2 and 3."""
        *earlier, last = evidence.requests
        done = self._done(evidence)
        again = last.removesuffix(b"\n").rpartition(b"\n")[2] + b"\n"
        async with started(self.arena.ready) as bot:
            if await self._lead_up(bot, evidence.requests):
                await bot.tell(last, within=evidence.limit)
                await bot.listen(within=evidence.limit, until=done, hasty=True)
                for number in range(1, MORE + 1):
                    if await self._helps(bot, again, done):
                        return self._reads_too_much(evidence, number)
        for end, name in ((b"\r\n", "a carriage return and a line feed"), (b"\r", "a carriage return")):
            requests = [request.replace(b"\n", end) for request in (*earlier, last)]
            async with started(self.arena.ready) as bot:
                if await self._lead_up(bot, requests) and await self._helps(bot, requests[-1], done):
                    return Diagnosis(
                        "reads-to-carriage-return",
                        f"it answered only when each line of the request ended with {name}; the referee ends lines with a "
                        "line feed alone (\\n)",
                        f"Read to the line feed, and drop a \\r before it if there is one: {hint(self.language, Topic.READ)}.",
                    )
        async with started(self.arena.ready) as bot:
            if await self._lead_up(bot, evidence.requests):
                await bot.tell(last, within=evidence.limit)
                await bot.listen(within=evidence.limit, until=done, hasty=True)
                bot.hang_up()
                await bot.listen(within=max(QUIET, min(evidence.limit, LONGEST)), until=done, hasty=True)
            held_back = bot.said
        full = await self._when_full(evidence)
        flush = f"Flush your output after each answer: {hint(self.language, Topic.FLUSH)}."
        if full or done(held_back):
            shown = quote((held_back or full).partition(b"\n")[0])
            when = "stdin was closed" if held_back else "many more requests had filled its buffer"
            says = f"the answer {shown} came only after {when}"
            if full:
                return Diagnosis("no-flush", f"{says}: it stood in a buffer all the time", flush)
            read = f"And read only what belongs to the request, not to the end of input: {hint(self.language, Topic.READ)}."
            return Diagnosis("answers-at-end-of-input", says, f"{flush} {read}")
        lines = counted(self._reply(evidence).lines, "line")
        return Diagnosis(
            "waits-for-input",
            f"it has read the whole request, {lines}, gives no answer, and waits for more",
            "Does it know this request? Compare its name without the line end, and count the lines that you read: "
            f"{hint(self.language, Topic.READ)}. To see what it reads, write it to stderr.",
        )

    async def _when_full(self, evidence: Evidence) -> bytes:
        """What a program writes that is asked the same again and again, while it lives: empty if nothing (theory, point 3)."""
        last, done = evidence.requests[-1], self._done(evidence)
        many = last * (1 + 4096 // len(last))
        async with started(self.arena.ready) as bot:
            if not await self._lead_up(bot, evidence.requests):
                return b""
            for _ in range(FILLS // len(many)):
                if await bot.tell(many, within=evidence.limit) or bot.said or bot.closed:
                    break
            if not bot.said:
                await bot.listen(within=evidence.limit, until=done, hasty=True)
            await bot.listen(within=QUIET / 4)
            return b"" if bot.closed else bot.said

    async def _helps(self, bot: Specimen, data: bytes, done: Callable[[bytes], bool]) -> bool:
        """Whether these bytes bring the answer, and the program lives on."""
        if bot.closed:
            return False
        await bot.tell(data, within=self.arena.time.answer)
        await bot.listen(within=max(2 * QUIET, self.arena.time.answer), until=done, hasty=True)
        await bot.listen(within=QUIET / 4)
        return done(bot.said) and not bot.closed

    def _done(self, evidence: Evidence) -> Callable[[bytes], bool]:
        """Whether this is a whole answer to the last request."""
        return whole(self.wanted(evidence.requests[-1]))

    def _reads_too_much(self, evidence: Evidence, number: int) -> Diagnosis:
        lines = counted(evidence.requests[-1].count(b"\n"), "line")
        return Diagnosis(
            "reads-too-much",
            f"the request has {lines}, and it answered only after {counted(number, 'line')} more",
            "Read exactly the lines of the request, then answer "
            f"(`referee rules {self.arena.game.name}` says how many there are): {hint(self.language, Topic.READ)}.",
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


def _over_memory(fault: Fault) -> Diagnosis:
    return Diagnosis("memory", f"it {fault.detail}", "Use less memory, or check with a higher limit: --memory SIZE.")
