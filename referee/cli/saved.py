"""Opens saved games for commands that show them, damaged ones too, and finds the bots of their matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli import history
from referee.cli.narrator import Replaying, narrate
from referee.errors import SavedGameError, UsageError
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.text.words import counted, shorten, unnumbered

if TYPE_CHECKING:
    from referee.moments.evidence import Explainer


def open_saved(file: Path | None, played: Callable[[int, int], None] | None = None) -> Replay:
    """Open a saved game; None is the newest in the history. If it is cut off or breaks the rules, say so on stderr.

    Args:
        played: see `Replay.played`. Without it, a terminal shows how far the check is.

    Raises:
        SavedGameError: it cannot be read, or its setup breaks the rules. UsageError: there is no match in the history.
    """
    path = history.latest() if file is None else file
    record = load(path)
    replay = Replay(record)
    replay.played = played
    if record.cut_off is not None:
        narrate(f"referee: {path}: {record.cut_off}; it has {counted(len(replay.steps), 'whole step')}")
        return replay
    try:
        with closing(Replaying(quiet=played is not None)) as progress:
            replay.played = played or progress
            replay.verify()
    except SavedGameError as wrong:  # it is raised when the wrong step is needed
        narrate(f"referee: this saved game does not follow from the rules: {wrong}")
    replay.played = played
    return replay


def bots_of(saved: Replay) -> list[str | None]:
    """The word that names the bot of each seat in a command; None for bots that are not samples.

    A player is taken for a sample bot if it has its name and the user did not choose that name. A tournament chooses the names
    of all its players: there, the player must have answered that name, too.
    """
    from referee import bots

    samples, result = bots.samples_by_name(saved.game.name), saved.record.result
    answered = {} if result is None else {line.seat: line.name for line in result.ranking}
    words = []
    for player in saved.record.header.players:
        name = unnumbered(player.bot)
        own = not player.house and (not player.given or answered.get(player.seat) == name)
        words.append(samples.get(name) if own else None)
    return words


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
    if not equals or not seat.isdecimal() or not 1 <= int(seat) <= seats or not program:
        raise UsageError(
            f"--program {shorten(word)}: give a seat from 1 to {seats} and its program, such as 2=mine.viper"
        )
    return int(seat) - 1, program


def _samples(replay: Replay) -> dict[int, Explainer]:
    from referee import bots as bot_room

    words = bots_of(replay)
    programs = {word for word in words if word and bot_room.find(word, replay.game.name).policy is not None}
    explainers = {word: _explain(replay, word) for word in programs}
    return {seat: explainers[word] for seat, word in enumerate(words) if word in explainers}


def _explain(replay: Replay, word: str) -> Explainer:
    from referee.analysis.programs import explainer
    from referee.cli.program_names import open_program

    program = open_program(word, None)
    if program.game.name != replay.game.name:
        raise UsageError(
            f"--program: {shorten(word)} is for {program.game.name}, and {Path(replay.record.path).name} is a game of "
            f"{replay.game.name}"
        )
    return explainer(program)
