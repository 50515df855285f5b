"""The API of programs, `/api/v1/programs/…`, and the page of the editor, `/edit/…`.

1. A program's name is looked up in the studio's folder. The name of a new program is a file name without anything special in it.
2. A text is saved only if it is a program, so that it can be played at once, and only over the file that its editor has seen.
3. What a program means is asked of the desk. A handler here reads and writes small files, and waits for nothing else.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, StringConstraints
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.analysis.program_tests import MOST_BYTES as TESTS_BYTES
from referee.analysis.program_tests import SUFFIX
from referee.bots.programs import programs_of
from referee.bots.reading import head
from referee.contract.game import Game
from referee.errors import BotError
from referee.files.claims import write_whole
from referee.studio.desk import Desk
from referee.studio.editor import page
from referee.studio.folder import Folder
from referee.studio.matches import Matches, NewMatch, Seed, Word
from referee.text.strict import MayBeMissing, Strict
from referee.web.answers import Refusal, answer, document

MOST_BYTES: Final = 64 * 1024
"""The most bytes of a program."""
MOST_BODY: Final = 512 * 1024
"""The most bytes of a request: a program's text as JSON, and its document."""
API: Final = "/api/v1/programs"
_NEW: Final = re.compile(r"[^\W_][\w -]{0,60}\.[a-z0-9]{1,16}")
"""The name of a new program's file."""

_Text = Annotated[str, StringConstraints(max_length=MOST_BYTES)]
_Name = Annotated[str, StringConstraints(max_length=64)]
_Word = Annotated[str, StringConstraints(max_length=500)]


class Parse(Strict):
    """What POST /parse takes."""

    game: _Name
    text: _Text


class Format(Strict):
    """What POST /format takes; `text` is the text before it was edited."""

    game: _Name
    document: dict[str, Any]
    text: MayBeMissing[_Text] = None


class Turn(Strict):
    """A program, the id of a match, a step, and a seat, from 0; without it, the seat that is body."""

    game: _Name
    text: _Text
    match: _Name
    step: Annotated[int, Field(ge=1, lt=2**31)]
    seat: MayBeMissing[Annotated[int, Field(ge=0, lt=2**31)]] = None


class Explain(Turn):
    """What POST /explain takes; `drawn` is whether the answer has `sheets`, which the editor does not need."""

    drawn: bool = True


class Film(Strict):
    """What POST /film takes: the id of a match."""

    match: _Name


class Debug(Strict):
    """What POST /debug takes: a program, the rivals as words for `referee play`, and a seed."""

    game: _Name
    name: _Word
    text: _Text
    rivals: Annotated[list[Word], Field(max_length=15)]
    seed: MayBeMissing[Seed] = None


class Tests(Strict):
    """What POST /tests takes: the name of a program, and the text whose tests are run."""

    name: _Word
    game: _Name
    text: _Text


class Pin(Turn):
    """What POST /pin takes: a turn, the name of a program, and what it must do there (`Demand`)."""

    name: _Word
    must: MayBeMissing[_Name] = None
    must_not: MayBeMissing[_Name] = None
    chart: MayBeMissing[Annotated[int, Field(ge=0, le=99)]] = None


class Save(Strict):
    """What PUT /NAME takes."""

    text: _Text


class Programs:
    """The programs of a studio.

    Attributes:
        matches: the matches of the studio, set before the first request.
    """

    matches: Matches

    def __init__(self, folder: Folder) -> None:
        """The programs of a folder."""
        self._folder, self.desk = folder, Desk(folder.root)

    def routes(self) -> Sequence[Route]:
        """The addresses of the editor and of its API."""
        return [
            Route("/edit/{name:path}", self._edit),
            Route(f"{API}/parse", self._parse, methods=["POST"]),
            Route(f"{API}/format", self._format, methods=["POST"]),
            Route(f"{API}/explain", self._explain, methods=["POST"]),
            Route(f"{API}/film", self._film, methods=["POST"]),
            Route(f"{API}/tests", self._tests, methods=["POST"]),
            Route(f"{API}/pin", self._pin, methods=["POST"]),
            Route(f"{API}/debug", self._debug, methods=["POST"]),
            Route(f"{API}/{{name:path}}", self._load),
            Route(f"{API}/{{name:path}}", self._save, methods=["PUT"]),
        ]

    async def _edit(self, request: Request) -> Response:
        name = request.path_params["name"]
        path, game = self._program(name)
        games = [match for match in self.matches.listed() if match["game"] == game.name and match["state"] == "done"]
        return page.edit(name, path, game, games)

    async def _parse(self, request: Request) -> Response:
        body = await document(request, Parse, MOST_BODY)
        return answer(await self.desk.ask("parse", game=body.game, text=body.text))

    async def _format(self, request: Request) -> Response:
        body = await document(request, Format, MOST_BODY)
        return answer(await self.desk.ask("format", game=body.game, document=body.document, text=body.text))

    async def _explain(self, request: Request) -> Response:
        body = await document(request, Explain, MOST_BODY)
        question = body.model_dump()
        saved = str(self.matches.saved(question.pop("match")))
        return answer(await self.desk.ask("explain", saved=saved, **question))

    async def _film(self, request: Request) -> Response:
        body = await document(request, Film)
        return answer(await self.desk.ask("film", saved=str(self.matches.saved(body.match))))

    async def _tests(self, request: Request) -> Response:
        body = await document(request, Tests, MOST_BODY)
        path, kept = self._kept(body.name)
        return answer(await self.desk.ask("tests", game=body.game, text=body.text, file=path.name, kept=kept))

    async def _pin(self, request: Request) -> Response:
        body = await document(request, Pin, MOST_BODY)
        path, kept = self._kept(body.name)
        demand = body.model_dump(include={"must", "must_not", "chart"}, exclude_none=True)
        step = body.model_dump(include={"game", "text", "step", "seat"})
        saved = str(self.matches.saved(body.match))
        pinned = await self.desk.ask("pin", file=path.name, kept=kept, saved=saved, demand=demand, **step)
        _write(path, pinned["kept"])
        return answer({}, status=201)

    async def _debug(self, request: Request) -> Response:
        body = await document(request, Debug, MOST_BODY)
        path, game = self._program(body.name)
        await self.desk.ask("parse", game=game.name, text=body.text)
        match: dict[str, Any] = {"game": game.name, "seats": body.rivals}
        if body.seed is not None:
            match["seed"] = body.seed
        return answer(self.matches.play(NewMatch.model_validate(match), (path.name, body.text)), status=202)

    async def _load(self, request: Request) -> Response:
        name = request.path_params["name"]
        path, game = self._program(name)
        source = _source(path)
        loaded: dict[str, Any] = {"name": name, "file": path.name, "game": game.name, "text": None, "document": None}
        if source is None:
            loaded["language"] = (await self.desk.ask("language", game=game.name))["document"]
            return answer(loaded)
        try:
            loaded["text"] = source.decode()
            loaded |= await self.desk.ask("parse", game=game.name, text=loaded["text"])
        except UnicodeDecodeError:
            raise Refusal("unprocessable", f"{path.name} is not UTF-8: save it as UTF-8") from None
        except Refusal as wrong:
            loaded["problem"] = {"message": str(wrong), **wrong.details}
            loaded["language"] = (await self.desk.ask("language", game=game.name))["document"]
        return answer(loaded, headers={"ETag": tag(source)})

    async def _save(self, request: Request) -> Response:
        path, game = self._program(request.path_params["name"])
        body = await document(request, Save, MOST_BODY)
        source = body.text.encode()
        if len(source) > MOST_BYTES:
            raise Refusal("too_large", f"a program has {MOST_BYTES >> 10} KiB at most")
        await self.desk.ask("parse", game=game.name, text=body.text)
        expected, there = request.headers.get("if-match"), _source(path)
        if expected not in ([None] if there is None else [tag(there), "*"]):
            raise Refusal(
                "conflict", f"{path.name} has changed on disk, or is not the file that was loaded", status=412
            )
        _write(path, body.text)
        return answer({"name": request.path_params["name"]}, headers={"ETag": tag(source)})

    def _kept(self, name: str) -> tuple[Path, str]:
        """The file of a program's tests, and its text; an empty one if there is none.

        Raises:
            Refusal: it cannot be read.
        """
        path = self._program(name)[0]
        path = path.with_name(path.stem + SUFFIX)
        source = _source(path, TESTS_BYTES)
        return path, "" if source is None else source.decode(errors="replace")

    def _program(self, name: str) -> tuple[Path, Game[Any, Any]]:
        """The file and the game of a program, which may be new.

        Raises:
            Refusal: there is none, and none can be made.
        """
        try:
            path = self._folder.program(name)
        except Refusal:
            path = self._folder.root / name
            if not _NEW.fullmatch(name) or path.is_symlink() or path.exists():
                raise
        try:
            return path, programs_of(path, path.name)[0]
        except BotError as wrong:
            raise Refusal("not_found", str(wrong)) from None


def tag(source: bytes) -> str:
    """The ETag of a file's content."""
    return f'"{hashlib.sha256(source).hexdigest()[:32]}"'


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text)
    except OSError as failed:
        raise Refusal("conflict", f"{path.name} cannot be written: {failed.strerror}") from None


def _source(path: Path, most: int = MOST_BYTES) -> bytes | None:
    """The bytes of a program, or of its tests; None if there is no such file.

    Raises:
        Refusal: it cannot be read, or is too long.
    """
    try:
        source = head(path, most + 1)
    except FileNotFoundError:
        return None
    except OSError as failed:
        raise Refusal("not_found", f"{path.name} cannot be read: {failed.strerror}") from None
    if source is None or len(source) > most:
        raise Refusal("too_large", f"{path.name} is longer than {most >> 10} KiB, or no regular file")
    return source
