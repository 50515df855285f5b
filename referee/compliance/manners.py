"""How a program behaves beside what it answers: it is started by itself, without a match, and watched.

What is asked here has been answered on a board before, so that whoever fails here fails for the manner in which it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.compliance import diagnosis, figures
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.encounter import Arena
from referee.compliance.experiments import Laboratory, whole
from referee.compliance.hints import Topic, hint
from referee.compliance.report import Seen, failure
from referee.compliance.specimen import Specimen, started
from referee.names import quote, shorten
from referee.sandbox import advice

BEFORE: Final = 1.0
"""Seconds in which a program that has started would say what nobody asked for."""
AFTER: Final = 0.8
"""The same, behind an answer."""
PAUSE: Final = 0.1
"""Seconds between two pieces of a request."""
LEAVE: Final = 2.0
"""Seconds that a program gets to end when its input has."""


@dataclass(frozen=True, slots=True)
class Manners:
    """Of the bot in an arena, one that stays; requests are as bytes, from its first one on."""

    arena: Arena
    laboratory: Laboratory

    async def starts(self) -> Seen:
        """It starts, and says nothing before it is asked."""
        async with started(self.arena.ready) as bot:
            await bot.listen(within=BEFORE, until=bool)
            if bot.said:
                await bot.listen(within=AFTER)
                return _fails(diagnosis.unasked_first(bot.said, self.laboratory.language), bot)
            if bot.closed:
                log = bot.process.log.last_lines(advice.LINES)
                return _fails(await self.laboratory.end_of(bot.process, answers=0, log=log), bot)
        return Seen()

    async def reads_pieces(self, requests: Sequence[bytes]) -> Seen:
        """A pipe may hand over a long request in several parts, wherever it likes."""
        async with started(self.arena.ready) as bot:
            for number, request in enumerate(requests):
                bot.forget()
                if not await self._told_in_pieces(bot, request, self._limit(number)):
                    early = f": it wrote {quote(bot.said)} before the request was whole" if bot.said else ""
                    found = Diagnosis(
                        "reads-pieces",
                        f"it did not answer as it should when a request came in pieces, with a moment between them{early}",
                        "Read all lines of a request before you answer, and lines, not what happens to be there: "
                        f"{hint(self.laboratory.language, Topic.READ)}.",
                    )
                    return _fails(found, bot, request)
        return Seen()

    async def stays_silent(self, requests: Sequence[bytes]) -> Seen:
        """Behind each answer there is a moment in which nothing may come."""
        async with started(self.arena.ready) as bot:
            for number, request in enumerate(requests):
                wanted = await self._asked(bot, request, number)
                await bot.listen(within=AFTER, until=lambda said: not said.endswith(b"\n"))
                more = b"".join(bot.said.splitlines(keepends=True)[wanted:])
                if more:
                    return _fails(diagnosis.unasked_later(more, self.laboratory.language), bot, request)
        return Seen()

    async def ends(self, requests: Sequence[bytes]) -> Seen:
        """It ends when its input ends."""
        async with started(self.arena.ready) as bot:
            for number, request in enumerate(requests):
                await self._asked(bot, request, number)
            bot.forget()
            bot.hang_up()
            took = await bot.wait_for_end(within=LEAVE)
            if not bot.process.is_over():
                found = Diagnosis(
                    "runs-on",
                    f"{took:.1f} s after its input ended it still runs",
                    "Leave your loop when reading gives the end of input (an empty string, null, EOF, false), and end.",
                )
                return _fails(found, bot)
            how = await bot.process.how_it_ended()
            log = bot.process.log.last_lines(advice.LINES)
        if how == "exited with status 0":
            return Seen(f"after {figures.short(took)}")
        last = f": {shorten(advice.telling(log).expandtabs(), 120)}" if log else ""
        told = f"{how} when its input ended{last}; that is no fault, but leave your loop there, so that you see other errors"
        return Seen("", [told])

    def _limit(self, number: int) -> float:
        return self.arena.time.answer if number else self.arena.time.first

    async def _asked(self, bot: Specimen, request: bytes, number: int) -> int:
        """Put a request and wait for the answer; how many lines it has to have."""
        bot.forget()
        wanted = self.laboratory.wanted(request)
        await bot.tell(request, within=self._limit(number))
        await bot.listen(within=self._limit(number), until=whole(wanted))
        return wanted

    async def _told_in_pieces(self, bot: Specimen, request: bytes, limit: float) -> bool:
        """Whether it answers, and not before the request is whole."""
        cuts = sorted({0, len(request) // 3, len(request) // 2, len(request) - 1})
        for start, end in zip(cuts, [*cuts[1:], len(request)], strict=True):
            await bot.listen(within=PAUSE, until=bool)
            if bot.said or bot.closed:
                return False
            await bot.tell(request[start:end], within=limit)
        done = whole(self.laboratory.wanted(request))
        await bot.listen(within=limit, until=done)
        return done(bot.said)


def _fails(found: Diagnosis, bot: Specimen, request: bytes = b"") -> Seen:
    return Seen(failure=failure(found, sent=request, came=bot.said, log=bot.process.log.last_lines(advice.LINES)))
