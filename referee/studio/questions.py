"""What pages ask about programs and saved games: functions from a question to a JSON document, in the desk's process (`desk.py`).

1. What a program means, and what is wrong with it, is said by the game's own language (`contract.programs`). Pages know charts of
   characters, and no game.
2. Replays stay open, the last `REPLAYS` of them, because people go from step to step. A file that has changed is read again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from referee import bots, games
from referee.analysis import program_tests
from referee.analysis.program_tests import Demand
from referee.analysis.programs import Script, decision
from referee.bots.programs import read_program
from referee.contract.frame import Tone
from referee.contract.programs import Programs
from referee.errors import UsageError
from referee.export.document import document as film_of
from referee.moments.colours import FLOOR, mix, paint
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.text.strict import read

Answer: TypeAlias = dict[str, Any]

REPLAYS: Final = 4
FILE: Final = "the program"
"""What messages call a program."""
_SIDES: Final = [[colour, mix(colour, "#000000", 0.12), "#000000"] for colour in ("#56b4e9", "#e5534b")]
"""Own parts and enemies' parts in pictures of elements: the colours of a head, of a body, and of what is drawn on them."""


class Questions:
    """Answers questions. Its public methods are their kinds.

    All raise RefereeError if there is no answer: a program is wrong (ProgramError), a saved game cannot be read, …
    """

    def __init__(self, folder: Path) -> None:
        """Saved games in this folder are called by their paths in it."""
        self._folder = folder

    def language(self, game: str) -> Answer:
        """The document of a sample program, for a text that has none of its own. It says what the language allows."""
        for name in bots.samples(game):
            bot = bots.find(name, game)
            if bot.policy is not None and bot.files:
                path = next(iter(bot.files.values()))
                return _parse(_programs(game), read_program(path, name))
        raise UsageError(f"{game} has no sample program")

    def parse(self, game: str, text: str) -> Answer:
        """The document of a text, and notes on what would be lost if it were written again."""
        return _parse(_programs(game), text.encode())

    def format(self, game: str, document: Answer, text: str | None = None) -> Answer:
        """The text of a document, and its document. `text` is the text before it was edited."""
        programs = _programs(game)
        written = programs.text(document, None if text is None else text.encode())
        return {"text": written, **_parse(programs, written.encode())}

    def explain(self, game: str, text: str, saved: str, step: int, seat: int | None = None, *, drawn: bool) -> Answer:
        """What a program decides at a step of a saved game, and why, as `referee program test --json`."""
        return decision(_script(game, text), self._replay(saved), step, seat, drawn=drawn)

    def film(self, saved: str) -> Answer:
        """All moments of a saved game, as its page knows them."""
        return film_of(self._replay(saved))

    def tests(self, game: str, text: str, file: str, kept: str) -> Answer:
        """The outcomes of tests, which are in a file with this name and text."""
        tests = program_tests.read_tests(kept.encode(), file)
        return {"tests": program_tests.outcomes(_script(game, text), tests)}

    def pin(
        self, game: str, text: str, file: str, kept: str, saved: str, step: int, seat: int | None = None, **demand: Any
    ) -> Answer:
        """The text of a file of tests with one more: what a program must do at a step of a saved game."""
        wanted = read(Demand, demand, UsageError)
        script, replay = _script(game, text)._replace(file=file.removesuffix(program_tests.SUFFIX)), self._replay(saved)
        return {"kept": program_tests.with_test(kept.encode(), file, script, replay, step, seat, wanted)}

    def unpin(self, file: str, kept: str, number: int) -> Answer:
        """The text of a file of tests without one of them; `number` counts from 1."""
        return {"kept": program_tests.without_test(kept.encode(), file, number)}

    def _replay(self, saved: str) -> Replay:
        path = Path(saved)
        name = path.relative_to(self._folder) if path.is_relative_to(self._folder) else path.name
        return _open_replay(path, str(name), path.stat().st_mtime_ns)


@lru_cache(maxsize=REPLAYS)
def _open_replay(path: Path, name: str, _changed: int) -> Replay:
    return Replay(replace(load(path), path=name))


def _script(game: str, text: str) -> Script:
    return Script(games.find(game), _programs(game), text.encode(), FILE)


def _programs(game: str) -> Programs:
    programs = games.find(game).programs
    if programs is None:
        raise UsageError(f"{game} has no language of its own")
    return programs


def _parse(programs: Programs, source: bytes) -> Answer:
    """The document of a program, its elements with their pictures."""
    document = programs.document(source, FILE)
    notes = document.pop("notes", [])
    for item in (*document["elements"], *document["heads"]):
        if (look := item.get("look")) is not None:
            tone, side = Tone(look["tone"]), look["seat"]
            ink, ground = paint(tone, None) if side is None else (_SIDES[side][2], _SIDES[side][1])
            mark = ["", look["text"], tone, ink, ground, side, 0]  # the fields of a mark in the document of a match
            item["look"] = {"mark": mark, "sides": look["sides"]}
    return {"document": {**document, "colours": _SIDES, "floor": FLOOR}, "notes": notes}
