"""Checks that need no match: the bot is started by itself, asked, and watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from referee.compliance import diagnosis, figures
from referee.compliance.diagnoser import Diagnoser
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.hints import Topic, hint
from referee.compliance.probe_process import ProbeProcess, started
from referee.compliance.report import Seen, failure
from referee.names import quote, shorten
from referee.sandbox import advice

BEFORE: Final = 1.0
"""Seconds after the start in which a bot would write what nobody asked for."""
AFTER: Final = 0.8
"""The same after an answer."""
PAUSE: Final = 0.1
"""Seconds between two pieces of a request."""
LEAVE: Final = 2.0
"""Seconds that a bot has to end when its input ends."""
IDLE: Final = 1.5
"""Seconds without an answer and without CPU time after which a bot may be waiting for the end of its input."""


@dataclass(frozen=True, slots=True)
class ProtocolChecks:
    """The checks of a bot that stays for the whole match; `requests` are bytes, from the first request on."""

    diagnoser: Diagnoser

    async def starts(self) -> Seen:
        """It starts, and writes nothing before the first request."""
        async with started(self.diagnoser.trials.prepared) as bot:
            await bot.listen(within=BEFORE, until=bool)
            if bot.said:
                await bot.listen(within=AFTER)
                return _fails(diagnosis.unasked(bot.said, first=True, language=self.diagnoser.language), bot)
            if bot.closed:
                return _fails(await self.diagnoser.end_of(bot.process, answers=0, log=_log(bot)), bot)
        return Seen()

    async def flushes(self, request: bytes) -> Seen:
        """It neither keeps its first answer in a buffer nor waits for more input.

        Both mistakes are common, and a match would take the whole limit of a first answer to find them.
        """
        done, began = self.diagnoser.complete(request), perf_counter()
        async with started(self.diagnoser.trials.prepared) as bot:
            await bot.tell(request, within=IDLE)
            before = bot.cpu()
            await bot.listen(within=IDLE, until=done)
            if bot.said or bot.closed or bot.computes() or bot.cpu() - before > IDLE / 10:
                return Seen()
            found = await self.diagnoser.waits_for(bot, request)
            if found is None:
                return Seen()
            seen = _fails(found, bot, request)
        async with started(self.diagnoser.trials.prepared) as bot:  # or is it only slow to start?
            await bot.tell(request, within=IDLE)
            await bot.listen(within=min(self._limit(0), 2 * (perf_counter() - began)), until=done)
            return Seen() if done(bot.said) else seen

    async def reads_pieces(self, requests: Sequence[bytes]) -> Seen:
        """It reads a request that arrives in pieces, as a pipe may deliver it."""
        async with started(self.diagnoser.trials.prepared) as bot:
            for number, request in enumerate(requests):
                bot.forget()
                if not await self._told_in_pieces(bot, request, self._limit(number)):
                    early = f": it wrote {quote(bot.said)} before the request was complete" if bot.said else ""
                    found = Diagnosis(
                        "reads-pieces",
                        f"it gave no right answer to a request that came in pieces, with a moment between them{early}",
                        "Read line by line, and all lines of a request before you answer: "
                        f"{hint(self.diagnoser.language, Topic.READ)}.",
                    )
                    return _fails(found, bot, request)
        return Seen()

    async def stays_silent(self, requests: Sequence[bytes]) -> Seen:
        """It writes nothing after an answer."""
        async with started(self.diagnoser.trials.prepared) as bot:
            for number, request in enumerate(requests):
                await self._ask(bot, request, number)
                answer = bot.said
                await bot.listen(within=AFTER, until=lambda said: not said.endswith(b"\n"))
                if more := bot.said[len(answer) :]:
                    return _fails(diagnosis.unasked(more, first=False, language=self.diagnoser.language), bot, request)
        return Seen()

    async def ends(self, requests: Sequence[bytes]) -> Seen:
        """It ends when its input ends."""
        async with started(self.diagnoser.trials.prepared) as bot:
            for number, request in enumerate(requests):
                await self._ask(bot, request, number)
            bot.forget()
            bot.hang_up()
            took = await bot.wait_for_end(within=LEAVE)
            if not bot.process.is_over():
                found = Diagnosis(
                    "runs-on",
                    f"it still runs {took:.1f} s after its input ended",
                    "Leave your loop when reading gives the end of input (an empty string, null, EOF, false), and end.",
                )
                return _fails(found, bot)
            how, log = await bot.process.how_it_ended(), _log(bot)
        if how == "exited with status 0":
            return Seen(f"after {figures.short(took)}")
        last = f": {shorten(advice.telling(log).expandtabs(), 120)}" if log else ""
        return Seen("", [f"{how} when its input ended{last}; no fault, but such a message can hide another error"])

    def _limit(self, number: int) -> float:
        time = self.diagnoser.trials.time
        return time.answer if number else time.first

    async def _ask(self, bot: ProbeProcess, request: bytes, number: int) -> None:
        bot.forget()
        await bot.tell(request, within=self._limit(number))
        await bot.listen(within=self._limit(number), until=self.diagnoser.complete(request))

    async def _told_in_pieces(self, bot: ProbeProcess, request: bytes, limit: float) -> bool:
        """Whether the bot answers, and not before the request is complete."""
        cuts = sorted({0, len(request) // 3, len(request) // 2, len(request) - 1})
        for start, end in zip(cuts, [*cuts[1:], len(request)], strict=True):
            await bot.listen(within=PAUSE, until=bool)
            if bot.said or bot.closed:
                return False
            await bot.tell(request[start:end], within=limit)
        done = self.diagnoser.complete(request)
        await bot.listen(within=limit, until=done)
        return done(bot.said)


def _fails(found: Diagnosis, bot: ProbeProcess, request: bytes = b"") -> Seen:
    return Seen(failure=failure(found, sent=request, output=bot.said, log=_log(bot)))


def _log(bot: ProbeProcess) -> list[str]:
    return list(bot.process.log.last_lines(advice.LINES))
