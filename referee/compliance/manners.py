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

BEFORE: Final = 1.5
"""Seconds in which a program that has started would say what nobody asked for."""
AFTER: Final = 0.8
"""The same, behind an answer."""
PAUSE: Final = 0.1
"""Seconds between two pieces of a request."""
LEAVE: Final = 2.0
"""Seconds that a program gets to end when its input has."""


@dataclass(frozen=True, slots=True)
class Manners:
    """Of the bot in an arena; requests are as bytes, those of a bot that stays from its first one on."""

    arena: Arena
    laboratory: Laboratory

    async def starts(self) -> Seen:
        """It starts, and says nothing before it is asked."""
        async with started(self.arena.ready) as bot:
            await bot.listen(within=BEFORE, until=bool)
            log = bot.process.log
            if bot.said:
                await bot.listen(within=AFTER)
                found = diagnosis.unasked_first(bot.said, self.laboratory.language)
                return Seen(failure=failure(found, came=bot.said, log=log.last_lines(advice.LINES)))
            if bot.closed:
                found = await self.laboratory.end_of(bot.process, answers=0, log=log.last_lines(advice.LINES))
                return Seen(failure=failure(found, log=log.last_lines(advice.LINES)))
        return Seen()

    async def reads_pieces(self, requests: Sequence[bytes]) -> Seen:
        """A pipe may hand over a long request in several parts, wherever it likes."""
        async with started(self.arena.ready) as bot:
            for number, request in enumerate(requests):
                bot.forget()
                if not await self._told_in_pieces(bot, request, number):
                    return self._no_pieces(bot, request)
        return Seen()

    async def reads_turn_in_pieces(self, request: bytes) -> Seen:
        """The same where the request is the whole input, and the answer all that is written until the end."""
        async with started(self.arena.ready) as bot:
            for piece in _pieces(request):
                await bot.listen(within=PAUSE)
                await bot.tell(piece, within=self.arena.time.answer)
            bot.hang_up()
            await bot.wait_for_end(within=LEAVE + self.arena.time.answer)
            if not bot.said or not bot.process.is_over() or bot.process.status() != 0:
                return self._no_pieces(bot, request)
        return Seen()

    async def stays_silent(self, requests: Sequence[bytes]) -> Seen:
        """Behind each answer there is a moment in which nothing may come."""
        async with started(self.arena.ready) as bot:
            for number, request in enumerate(requests):
                bot.forget()
                await bot.tell(request, within=self.arena.time.answer)
                wanted = self.laboratory.wanted(request)
                await bot.listen(within=self._limit(number), until=whole(wanted))
                await bot.listen(within=AFTER, until=lambda said: not said.endswith(b"\n"))
                more = b"".join(bot.said.splitlines(keepends=True)[wanted:])
                if more:
                    found = diagnosis.unasked_later(more, self.laboratory.language)
                    log = bot.process.log.last_lines(advice.LINES)
                    return Seen(failure=failure(found, sent=request, came=bot.said, log=log))
        return Seen()

    async def ends(self, requests: Sequence[bytes]) -> Seen:
        """It ends when its input ends."""
        async with started(self.arena.ready) as bot:
            for number, request in enumerate(requests):
                bot.forget()
                await bot.tell(request, within=self.arena.time.answer)
                await bot.listen(within=self._limit(number), until=whole(self.laboratory.wanted(request)))
            bot.forget()
            bot.hang_up()
            used = bot.cpu()
            took = await bot.wait_for_end(within=LEAVE)
            log = bot.process.log.last_lines(advice.LINES)
            if not bot.process.is_over():
                busy = "and computes" if bot.computes(bot.cpu() - used, took) else "and waits"
                found = Diagnosis(
                    "runs-on",
                    f"{took:.1f} s after its input ended it still runs, {busy}",
                    "Leave your loop when reading gives the end of input (an empty string, null, EOF, false), and end.",
                )
                return Seen(failure=failure(found, came=bot.said, log=log))
            how = await bot.process.how_it_ended()
        if how == "exited with status 0":
            return Seen(f"after {figures.short(took)}")
        last = f": {shorten(advice.telling(log).expandtabs(), 120)}" if log else ""
        told = f"{how} when its input ended{last}; that is no fault, but leave your loop there, so that you see other errors"
        return Seen("", [told])

    def _limit(self, number: int) -> float:
        return self.arena.time.answer if number else self.arena.time.first

    async def _told_in_pieces(self, bot: Specimen, request: bytes, number: int) -> bool:
        """Whether it answers, and not before the request is whole."""
        limit = self._limit(number)
        for piece in _pieces(request):
            await bot.listen(within=PAUSE, until=bool)
            if bot.said or bot.closed:
                return False
            await bot.tell(piece, within=limit)
        done = whole(self.laboratory.wanted(request))
        await bot.listen(within=limit, until=done)
        return done(bot.said)

    def _no_pieces(self, bot: Specimen, request: bytes) -> Seen:
        before = f": it wrote {quote(bot.said)} before the request was whole" if bot.said else ""
        read = (
            "Read all lines of a request before you answer" if bot.said else "Read lines, not what happens to be there"
        )
        found = Diagnosis(
            "reads-pieces",
            f"it did not answer as it should when a request came in pieces, with a moment between them{before}",
            f"{read}: {hint(self.laboratory.language, Topic.READ)}.",
        )
        log = bot.process.log.last_lines(advice.LINES)
        return Seen(failure=failure(found, sent=request, came=bot.said, log=log))


def line_ends(answers: Sequence[bytes]) -> Seen:
    """How it ends its lines; they have been accepted, and what is unusual about them is said."""
    if any(b"\r\n" in answer for answer in answers):
        return Seen("lines end with a carriage return and a line feed (\\r\\n), which is accepted")
    if any(line != line.rstrip() for answer in answers for line in answer.removesuffix(b"\n").split(b"\n")):
        return Seen("there are blanks behind its answers, which are accepted")
    return Seen("lines end with a line feed")


def _pieces(request: bytes) -> list[bytes]:
    cuts = sorted({0, len(request) // 3, len(request) // 2, len(request) - 1})
    return [request[start:end] for start, end in zip(cuts, [*cuts[1:], len(request)], strict=True)]
