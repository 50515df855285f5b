"""What is wrong with a bot that is started for each turn: its whole input is one request, and its whole output the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from referee.clock import seconds
from referee.compliance.diagnoser import AFTERWARDS, LONGEST, Diagnoser, by_chance, too_slow
from referee.compliance.diagnosis import Diagnosis
from referee.compliance.hints import Topic, hint
from referee.compliance.probe_process import started
from referee.compliance.trial_runner import Evidence
from referee.names import quote

WROTE_NOTHING: Final = "exited with status 0 and wrote nothing"
"""How the referee's words begin for a process that ended without an error and without an answer."""


@dataclass(frozen=True, slots=True)
class TurnDiagnoser(Diagnoser):
    """Diagnoses a bot that lives for a turn. The usual mistake is a bot that was written to stay."""

    @override
    def _ended(self, evidence: Evidence, how: str) -> Diagnosis:
        if how.startswith(WROTE_NOTHING):
            return Diagnosis(
                "no-output",
                "it ended without an error and wrote nothing",
                "Its input is one request, without a line that names it: read it, print the answer, and end."
                + self._may_stay(),
            )
        return self.ended(how, answers=None, log=evidence.log)

    @override
    async def _invalid(self, evidence: Evidence) -> Diagnosis:
        return Diagnosis(
            "wrong-answer",
            evidence.fault.detail,
            f"Answer as the rules say (`referee rules {self.trials.game.name}`), and with nothing else. Messages of your own "
            f"go to stderr: {hint(self.language, Topic.LOG)}.",
        )

    @override
    async def _silent(self, evidence: Evidence) -> Diagnosis:
        limit, most = evidence.limit, min(evidence.limit + AFTERWARDS, LONGEST)
        async with started(self.trials.prepared) as bot:
            await bot.tell(evidence.requests[-1], within=most)
            bot.hang_up()
            took = await bot.wait_for_end(within=most)
            used = bot.cpu()
            if bot.process.is_over():
                how = await bot.process.how_it_ended()
                if took > limit:
                    return too_slow(evidence, took, used)
                if how != "exited with status 0" or not bot.said:
                    return self._ended(evidence, how)
                return by_chance(evidence, f"answered and ended in {took:.2f} s")
            if bot.computes() or used > took / 2:
                return too_slow(evidence, None, used)
            wrote = quote(bot.said) if bot.said else "nothing"
            return Diagnosis(
                "does-not-end",
                f"it wrote {wrote}, and {took:.1f} s later it still runs; the limit is {seconds(limit)}",
                "Its process lives for one turn: end it after the answer. Look for a loop that reads on, a sleep or a lock."
                + self._may_stay(),
            )

    def _may_stay(self) -> str:
        if "game" not in self.trials.game.lifetimes:
            return ""
        return ' To stay and read named requests instead, write lifetime = "game" into its bot.toml.'
