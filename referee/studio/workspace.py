"""The programs of a studio: files in its folder (`programs.py`).

A program's name is looked up in the folder. The name of a new program is a file name without anything special in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from starlette.responses import Response

from referee import games
from referee.analysis.program_tests import MOST_BYTES as TESTS_BYTES
from referee.bots.programs import programs_of
from referee.contract.game import Game
from referee.errors import BotError
from referee.files.claims import write_whole
from referee.studio.desk import Desk
from referee.studio.editor import page
from referee.studio.folder import Folder
from referee.studio.matches import Matches, NewMatch
from referee.studio.programs import UNNAMED, Debug, source_of, tests_file
from referee.web.answers import Refusal

_NEW: Final = re.compile(r"[^\W_][\w .,'()-]{0,60}\.[a-z0-9]{1,16}")
"""The name of a new program's file."""
_WHICH: Final = "a new one begins with a letter or digit and has only these, spaces and -_.,'() before its suffix"


class FolderWorkspace:
    """The programs of a folder (`programs.Workspace`).

    Attributes:
        desk: answers questions about them.
    """

    def __init__(self, folder: Folder, matches: Matches) -> None:
        """Those of a studio's folder, which are debugged in its matches."""
        self._folder, self._matches, self.desk = folder, matches, Desk(folder.root)
        self.ask, self.saved = self.desk.ask, folder.saved_game

    def program(self, name: str) -> FileProgram:
        """A program, which may be new.

        Raises:
            Refusal: there is none, and none can be made.
        """
        try:
            path = self._folder.program(name)
        except Refusal:
            path = self._folder.root / name
            if not _NEW.fullmatch(name):
                raise Refusal("not_found", f"this folder has no program of that name; {_WHICH}") from None
            if path.is_symlink() or path.exists():
                raise
        try:
            game, name = programs_of(path, path.name)[0], path.relative_to(self._folder.root).as_posix()
            return FileProgram(name, path.name, path, game, self._matches)
        except BotError as wrong:  # it says which suffixes there are
            raise Refusal("not_found", str(wrong)) from None

    def unnamed(self, game: str) -> str:
        """See `programs.Workspace`.

        Raises:
            Refusal: the game has no language. UsageError: there is no such game.
        """
        if (language := games.find(game).programs) is None:
            raise Refusal("unprocessable", f"{game} has no language of its own")
        return f"{UNNAMED}{language.suffix}"


@dataclass(frozen=True, slots=True)
class FileProgram:
    """A file of a folder (`programs.Program`).

    Attributes:
        name: with its suffix, so that it stays the same when the file is gone, or another one gets the same name before it.
    """

    name: str
    file: str
    path: Path
    game: Game[Any, Any]
    matches: Matches

    def page(self) -> Response:
        games = [it for it in self.matches.listed() if it["game"] == self.game.name and it["state"] == "done"]
        return page.edit(self.name, self.file, self.game, games)

    def source(self) -> bytes | None:
        return source_of(self.path)

    def save(self, text: str) -> None:
        _write(self.path, text)

    def tests(self) -> str:
        source = source_of(self._tests, TESTS_BYTES)
        return "" if source is None else source.decode(errors="replace")

    def save_tests(self, text: str) -> None:
        if self.source() is None:  # they would be those of the next new program of this name
            raise Refusal("conflict", "save the program first: its test positions belong to its file")
        _write(self._tests, text)

    def debug(self, wanted: Debug) -> dict[str, Any]:
        seed = wanted.model_dump(include={"seed"}, exclude_none=True)
        new = NewMatch(game=self.game.name, seats=[self.file, *wanted.rivals], **seed)
        return self.matches.play(new, wanted.text)

    @property
    def _tests(self) -> Path:
        return self.path.with_name(tests_file(self.file))


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text)
    except OSError as failed:
        raise Refusal("conflict", f"{path.name} cannot be written: {failed.strerror}") from None
