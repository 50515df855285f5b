"""What is wrong with a bot of which each turn is a process: one request is its whole input, its output until its end the answer.

A process cannot wait for more than it gets, and what it writes is flushed at its end at the latest. What goes wrong is how
it ends: late, badly, or not at all. The usual mistake is a bot that was written to stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.clock import seconds
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.encounter import Evidence
from referee.compliance.experiments import AFTERWARDS, BUSY, LONGEST, LOOK, Laboratory
from referee.compliance.hints import Topic, hint
from referee.compliance.specimen import started
from referee.names import quote

WROTE_NOTHING: Final = "exited with status 0 and wrote nothing"
"""How the fault of a program begins that ends well without an answer."""


@dataclass(frozen=True, slots=True)
class TurnLaboratory(Laboratory):
    """As `Laboratory`; the evidence's requests are the one that was put."""

    def _ended(self, evidence: Evidence, how: str) -> Diagnosis:
        if how.startswith(WROTE_NOTHING):
            return Diagnosis(
                "no-output",
                "it ended without an error and wrote nothing",
                "All of its input is one request, without a line that names it: read that, print the answer, and end."
                + self._may_stay(" If it is to stay instead and to read requests that are named,"),
            )
        return self.ended(how, answers=None, log=evidence.log)

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
            took = await bot.wait_for_end(within=most)
            # On a busy machine it gets the processor time that it would have had on an idle one.
            while bot.computes() and not bot.process.is_over() and took < BUSY * most and bot.cpu() < most:
                took += await bot.wait_for_end(within=LOOK)
            used = bot.cpu()
            if bot.process.is_over():
                how = await bot.process.how_it_ended()
                if took > limit:
                    return self._slow(evidence, took, used)
                if how != "exited with status 0" or not bot.said:
                    return self._ended(evidence, how)
                return self._by_chance(evidence, f"answered and ended after {took:.2f} s")
            if used > limit or (evidence.stalled is None and (bot.computes() or used > took / 2)):
                return self._endless(evidence, used)
            says = f"it wrote {quote(bot.said)}, and" if bot.said else "it wrote nothing, hardly computed, and"
            return Diagnosis(
                "does-not-end",
                f"{says} {took:.1f} s later it still runs; the limit is {seconds(limit)}",
                "Its process lives for one turn: end it behind the answer. Look for a loop that reads on, a sleep, a lock, or a "
                "thread that is waited for." + self._may_stay(" If it is to stay and to be asked again,"),
            )

    def _may_stay(self, when: str) -> str:
        if "game" not in self.arena.game.lifetimes:
            return ""
        return f'{when} write lifetime = "game" into its bot.toml.'
