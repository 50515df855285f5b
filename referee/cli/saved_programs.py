"""The programs of a saved match, for `referee replay --program`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UsageError
from referee.text.words import shorten

if TYPE_CHECKING:
    from referee.moments.decisions import Explainer
    from referee.saved.replay import Replay


def explainers_of(replay: Replay, words: Sequence[str]) -> dict[int, Explainer]:
    """How to explain the programs of a match, by seat: those that the user named as `K=FILE`, and the sample bots.

    Raises:
        UsageError: a word is no `K=FILE`, or has a wrong seat or game. ProgramError, BotError: it is not a program.
    """
    if replay.game.programs is None:
        if words:
            raise UsageError(f"--program: {replay.game.name} has no language of its own")
        return {}
    explainers = _samples(replay)
    for word in words:
        seat, program = _seat_and_program(word, len(replay.entrants))
        explainers[seat] = _explain(replay, program)
    return explainers


def _seat_and_program(word: str, seats: int) -> tuple[int, str]:
    seat, equals, program = word.partition("=")
    if not equals or not seat.isdecimal() or not program:
        raise UsageError(f"--program {shorten(word)}: give a seat and its program, such as 2=mine.viper")
    if not 1 <= int(seat) <= seats:
        raise UsageError(f"--program {shorten(word)}: the match has seats 1 to {seats}")
    return int(seat) - 1, program


def _samples(replay: Replay) -> dict[int, Explainer]:
    from referee import bots as bot_room
    from referee.cli.explain import bots_of

    words = bots_of(replay)
    programs = {word for word in words if word and bot_room.find(word, replay.game.name).policy is not None}
    explainers = {word: _explain(replay, word) for word in programs}
    return {seat: explainers[word] for seat, word in enumerate(words) if word in explainers}


def _explain(replay: Replay, word: str) -> Explainer:
    from referee.analysis.programs import explainer
    from referee.cli.program_names import opened

    program = opened(word, None)
    if program.game.name != replay.game.name:
        raise UsageError(
            f"--program: {shorten(word)} is for {program.game.name}, and {Path(replay.record.path).name} is a game of "
            f"{replay.game.name}"
        )
    return explainer(program)
