"""What is wrong with a bot that is started for each turn: its whole input is one request, and its whole output the answer."""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override

from referee.compliance.diagnoser import AFTERWARDS, Diagnoser, by_chance, too_slow
from referee.compliance.diagnosis import END_AFTER_ANSWER, Diagnosis
from referee.compliance.probe_process import ProbeProcess, Timing
from referee.compliance.trial_runner import FaultEvidence
from referee.contract.clock import END_LIMIT, seconds
from referee.text.words import quote


@dataclass(frozen=True, slots=True)
class TurnDiagnoser(Diagnoser):
    """Diagnoses a bot that lives for a turn. The usual mistake is a bot that was written to stay."""

    @override
    def _invalid(self, evidence: FaultEvidence) -> Diagnosis:
        return self.advisor.wrong_answer("getAction", evidence.fault.detail)

    @override
    async def _late(self, evidence: FaultEvidence) -> Diagnosis:
        """The answer, or the end after it, did not come in time: the bot is asked again."""
        turn, lines = f"in turn {len(evidence.requests)}", self.trials.game.reply_lines("getAction")
        async with self.trials.probe() as bot:
            bot.hang_up()
            timing = await bot.ask(evidence.requests[-1], lines, within=evidence.limit + AFTERWARDS)
            answered = bot.closed or bot.complete
            is_slow = timing.seconds > evidence.limit if answered else timing.computes
            if is_slow:
                return too_slow(timing, evidence.limit, turn, answered=answered)
            if not answered:
                return self._does_not_end(bot, timing, evidence.limit)
            if bot.closed:
                return by_chance(evidence, f"ended in {timing.seconds:.2f} s")
            return await self._late_end(bot, evidence)

    async def _late_end(self, bot: ProbeProcess, evidence: FaultEvidence) -> Diagnosis:
        """The bot has answered in time."""
        timing = await bot.listen(within=END_LIMIT + AFTERWARDS, on=True)
        if bot.closed and timing.seconds <= END_LIMIT:
            return by_chance(evidence, f"ended {timing.seconds:.2f} s after its answer")
        return self._does_not_end(bot, timing, END_LIMIT)

    def _does_not_end(self, bot: ProbeProcess, timing: Timing, limit: float) -> Diagnosis:
        wrote = quote(bot.output) if bot.output else "nothing"
        later = f"{timing.seconds:.1f} s later"
        how = f"it ended only {later}" if bot.closed else f"{later} it is still running"
        return Diagnosis(
            "does-not-end",
            f"it wrote {wrote}, and {how}; the limit is {seconds(limit)}",
            END_AFTER_ANSWER + self.advisor.may_stay(),
        )
