"""What is wrong with a bot that is started for each turn: its whole input is one request, and its whole output the answer."""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override

from referee.clock import seconds
from referee.compliance import diagnosis
from referee.compliance.diagnoser import AFTERWARDS, Diagnoser, by_chance, too_slow
from referee.compliance.diagnosis import Failure
from referee.compliance.probe_process import started
from referee.compliance.trial_runner import Evidence
from referee.names import quote


@dataclass(frozen=True, slots=True)
class TurnDiagnoser(Diagnoser):
    """Diagnoses a bot that lives for a turn. The usual mistake is a bot that was written to stay."""

    @override
    def _ended(self, evidence: Evidence, how: str) -> Failure:
        if how.startswith("exited with status 0 and wrote nothing"):
            return Failure(
                "no-output",
                "it ended without an error and wrote nothing",
                "Its input is one request, without a line that names it: read it, print the answer, and end."
                + self._may_stay(),
            )
        return self.ended(how, answers=None, log=evidence.log)

    @override
    def _invalid(self, evidence: Evidence) -> Failure:
        return diagnosis.wrong_answer(self.trials.game, "getAction", evidence.fault.detail, self.idioms)

    @override
    async def _late(self, evidence: Evidence) -> Failure:
        async with started(self.trials.sandbox, self.trials.bot) as bot:
            bot.hang_up()
            timing = await bot.ask(evidence.requests[-1], lambda _said: False, within=evidence.limit + AFTERWARDS)
            if bot.closed and timing.seconds > evidence.limit:
                return too_slow(timing, evidence.limit, answered=True)
            if bot.closed:
                return by_chance(evidence, f"ended in {timing.seconds:.2f} s")
            if timing.computes:
                return too_slow(timing, evidence.limit, answered=False)
            wrote = quote(bot.said) if bot.said else "nothing"
            return Failure(
                "does-not-end",
                f"it wrote {wrote}, and {timing.seconds:.1f} s later it is still running; the limit is {seconds(evidence.limit)}",
                "Its process lives for one turn: end it after the answer. Look for a loop that reads on, a sleep or a lock."
                + self._may_stay(),
            )

    def _may_stay(self) -> str:
        if "game" not in self.trials.game.lifetimes:
            return ""
        return ' To stay and read named requests instead, write lifetime = "game" into its bot.toml.'
