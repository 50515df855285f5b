"""What is wrong with a bot of which each turn is a process: one request is its whole input, its output until its end the answer.

1. A process cannot wait for more than it gets, and what it writes is flushed at its end at the latest. So next to nothing of
   what goes wrong with programs that stay can go wrong here. What does instead is how it ends: late, badly, or not at all.
2. The usual mistake is a bot that was written to stay. It waits for the name of a request, and ends without a word when there
   is none; or it answers, and waits for the next request.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.clock import seconds
from referee.compliance.deeds import Deed
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.encounter import Evidence
from referee.compliance.experiments import AFTERWARDS, BUSY, LONGEST, LOOK, Laboratory
from referee.compliance.hints import Topic, hint
from referee.compliance.specimen import Specimen, started
from referee.names import quote

WROTE_NOTHING: Final = "exited with status 0 and wrote nothing"
"""How the fault of a program begins that ends well without an answer."""


@dataclass(frozen=True, slots=True)
class TurnLaboratory(Laboratory):
    """See `Laboratory`; the evidence's requests are the one that was put."""

    def _ended(self, evidence: Evidence, how: str) -> Diagnosis:
        if how.startswith(WROTE_NOTHING):
            return Diagnosis(
                "no-output",
                "it ended without an error and wrote nothing",
                "All of its input is one request, without a line that names it: read that, print the answer, and end."
                + self._may_stay(" If it is to stay instead and to read requests that are named,"),
            )
        return self.ended(how, answers=None, log=evidence.log)

    def _too_much(self, evidence: Evidence) -> Diagnosis:
        return Diagnosis(
            "too-much-output",
            f"it wrote {evidence.fault.detail}",
            f"stdout is for the answer alone. Messages of your own go to stderr: {hint(self.language, Topic.LOG)}.",
        )

    async def _invalid(self, evidence: Evidence) -> Diagnosis:
        return Diagnosis(
            "wrong-answer",
            evidence.fault.detail,
            f"Answer as the rules say (`referee rules {self.arena.game.name}`), and with nothing else. Messages of your own "
            f"go to stderr: {hint(self.language, Topic.LOG)}.",
        )

    async def _silent(self, evidence: Evidence) -> Diagnosis | None:
        """It has not ended in time: it is started again, asked the same, and gets longer."""
        limit = evidence.limit
        most = min(limit + AFTERWARDS, LONGEST)
        async with started(self.arena.ready) as bot:
            await bot.tell(evidence.requests[-1], within=most)
            bot.hang_up()
            took, used = await self._watched(bot, limit, most)
            if bot.process.is_over():
                how = await bot.process.how_it_ended()
                if took > limit:
                    return self._slow(evidence, took, used)
                if how != "exited with status 0" or not bot.said:
                    return self._ended(evidence, how)
                return self._by_chance(evidence, f"answered and ended after {took:.2f} s")
            if used > limit or (evidence.stalled is None and bot.computes(used, took)):
                return Diagnosis(
                    "endless-loop",
                    f"{evidence.fault.detail}; asked again it computed for {used:.1f} s, and still did",
                    "Look for a loop that does not end (one that waits for more input never gets any), or for a search that "
                    "takes too long: bound it by depth, or by the clock.",
                )
            if bot.said:
                return Diagnosis(
                    "does-not-end",
                    f"it wrote {quote(bot.said)}, and {took:.1f} s later it still runs; the limit is {seconds(limit)}",
                    "Its process lives for one turn: end it behind the answer."
                    + self._may_stay(" If it is to stay and to be asked again,"),
                )
            return Diagnosis(
                "waits",
                f"in {took:.1f} s it gave no answer and hardly used the processor ({used:.2f} s)",
                "Look for a sleep, a lock, a thread that is waited for, or a file or connection that it waits on.",
            )

    async def _watched(self, bot: Specimen, limit: float, most: float) -> tuple[float, float]:
        """Seconds until it ended, or for which it was waited for; and for how many of them it computed."""
        took = used = 0.0
        while not bot.process.is_over():
            # On a busy machine it gets the processor time that it would have had on an idle one.
            if took >= most and not (bot.deed() is Deed.RUNS and used < most and took < BUSY * most):
                break
            before = used
            passed = await bot.wait_for_end(within=min(LOOK, max(most - took, LOOK / 10)))
            took, used = took + passed, bot.cpu()
            if bot.said and took > limit + LOOK and not bot.computes(used - before, passed):
                break  # it has answered, and rests
        return took, used

    def _may_stay(self, when: str) -> str:
        if "game" not in self.arena.game.lifetimes:
            return ""
        return f'{when} write lifetime = "game" into its bot.toml.'
