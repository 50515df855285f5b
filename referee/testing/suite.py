"""All checks of a game against the contract, and what each of them says.

A check is a function of a `Subject`; the first line of its docstring is the rule. It raises `Broken` if the game breaks the rule,
and `LeftOut` if the game does not have what the check is about. An exception of the game's own breaks the rule, too. A check that
builds on another one is not run if that one fails, so one cause gives one failure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.files.assets import rules
from referee.games.mistakes import location
from referee.match.contract_check import no_events, no_position, no_requests, no_result
from referee.match.watchdog import limit_calls
from referee.testing import assets, codecs, extras, faults, positions, programs, saved_games, states
from referee.testing.subject import Broken, LeftOut, Subject
from referee.text.words import shorten

Check: TypeAlias = Callable[[Subject], None]
Outcome: TypeAlias = Literal["ok", "failed", "left out", "not run"]
REASON: Final = 400
"""The most characters of what went wrong."""


def plays(subject: Subject) -> None:
    """A match starts and can be played: the rules take known answers and faults, and encode every request."""
    for line_up in subject.line_ups:
        for share in (0.0, 0.02):
            state = subject.new(5, line_up)
            for step in chain([None], subject.steps(state, Random(5), faults=share)):
                due = state.requests()
                wrong = no_events(step.events if step else ()) or no_requests(due) or no_result(state.current_result())
                wrong = wrong or no_position(state.position())
                subject.must(wrong is None, str(wrong))
                subject.must(type(state.round) is int, f"its round is {state.round!r}, and no whole number")
                for request in due:
                    subject.game.encode(request)


BUILDS_ON: Final[dict[Check, tuple[Check, ...]]] = {
    plays: (),
    states.requests: (),
    states.events: (),
    states.rounds: (states.requests,),
    states.names: (states.requests,),
    states.together: (states.requests,),
    states.ranking: (),
    positions.positions_are_apart: (),
    states.same_seed: (states.requests, states.events, positions.positions_are_apart),
    states.copies_are_independent: (states.same_seed,),
    states.copies_continue: (states.copies_are_independent,),
    states.foresight: (states.copies_continue,),
    states.frames: (),
    codecs.answers: (),
    codecs.name_answers: (codecs.answers,),
    codecs.any_bytes: (codecs.answers,),
    codecs.any_action: (codecs.answers, positions.positions),
    codecs.request_lines: (),
    positions.positions: (states.requests,),
    positions.positions_continue: (positions.positions, states.same_seed),
    positions.invalid_positions: (),
    positions.damaged_positions: (positions.positions, states.frames),
    faults.faults: (states.events, states.ranking),
    faults.everybody_fails: (faults.faults,),
    saved_games.saved_games: (positions.positions_continue, states.copies_continue, states.ranking, codecs.answers),
    saved_games.golden_record: (saved_games.saved_games,),
    saved_games.other_seeds: (saved_games.golden_record,),
    saved_games.record_answers: (saved_games.golden_record,),
    saved_games.length: (saved_games.golden_record,),
    saved_games.words_and_columns: (saved_games.golden_record,),
    saved_games.whole_positions: (saved_games.golden_record,),
    saved_games.strange_events: (saved_games.golden_record,),
    assets.maps: (positions.positions,),
    assets.shorter_matches: (assets.maps,),
    assets.invalid_maps: (),
    assets.generated_maps: (assets.maps,),
    assets.trials: (assets.maps,),
    assets.sample_bots: (),
    assets.readme_examples: (codecs.answers,),
    assets.readme_events: (saved_games.golden_record,),
    extras.controls: (codecs.answers,),
    extras.effects: (states.events, saved_games.golden_record),
    extras.memories: (saved_games.golden_record,),
    extras.training: (codecs.answers,),
    extras.house: (codecs.answers,),
    programs.programs: (codecs.answers,),
}
"""Every check with those that it builds on; all of them build on `plays`."""


class Verdict(NamedTuple):
    """What a check says of a game.

    Attributes:
        name: the check. rule: the rule of the contract, in a sentence.
        detail: what breaks the rule, with the seed and the step; why the check is left out or not run; empty if it passes.
    """

    name: str
    rule: str
    outcome: Outcome
    detail: str


def check_name(check: Check) -> str:
    """The name of a check: `same-seed`."""
    return check.__name__.replace("_", "-")


class Suite:
    """The checks of one game. Each of them runs once, when its verdict is asked for."""

    def __init__(self, game: str, record: Path | None = None) -> None:
        """`record` is the golden record if it is elsewhere. Raises: UsageError: there is no such game, or it cannot be used."""
        self.subject = Subject(game, record)
        self._verdicts: dict[Check, Verdict] = {}

    def verdicts(self) -> Iterator[Verdict]:
        """What all checks say, in their order."""
        return map(self.verdict, BUILDS_ON)

    def verdict(self, check: Check) -> Verdict:
        """What one check says."""
        if check not in self._verdicts:
            sentence = (check.__doc__ or "").partition("\n")[0]
            self._verdicts[check] = Verdict(check_name(check), sentence, *self._run(check))
        return self._verdicts[check]

    def _run(self, check: Check) -> tuple[Outcome, str]:
        for other in () if check is plays else (plays, *BUILDS_ON[check]):
            before = self.verdict(other)
            if before.outcome in ("failed", "not run"):
                return ("not run", f"{before.name} fails" if before.outcome == "failed" else before.detail)
        self.subject.seed = self.subject.step = 0
        try:
            with limit_calls(self.subject.game):
                check(self.subject)
        except LeftOut as why:
            return "left out", str(why)
        except Broken as wrong:
            return "failed", shorten(str(wrong), REASON)
        except (Exception, SystemExit) as raised:
            last = extract_tb(raised.__traceback__)[-1]
            place = location(raised, rules(self.subject.game.name)) or f"{Path(last.filename).name}, line {last.lineno}"
            where = f"seed {self.subject.seed}, step {self.subject.step}: " if self.subject.seed else ""
            notes = "".join(getattr(raised, "__notes__", ()))
            return "failed", shorten(f"{where}{type(raised).__name__}: {raised} ({place}){notes}", REASON)
        return "ok", ""


@cache
def suite_of(game: str) -> Suite:
    """The suite of a game, once."""
    return Suite(game)
