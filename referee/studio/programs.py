"""The API of programs, `/api/v1/programs/…`, and the page of the editor, `/edit/…`.

1. A studio has one workspace, its folder. An arena has one for each user. Everything else is the same in both.
2. A text is saved only if it is a program, so that it can be played at once, and only over the text that its editor has seen, or
   where no file is.
3. What a program means is asked of a desk. A handler here reads and writes small files, and waits for nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Protocol

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.analysis.program_tests import SUFFIX
from referee.contract.game import Game
from referee.files.reading import head
from referee.text.strict import MayBeMissing, Strict
from referee.web.answers import Refusal, answer, document

MOST_BYTES: Final = 64 * 1024
"""The most bytes of a program."""
MOST_BODY: Final = 512 * 1024
"""The most bytes of a request: a program's text as JSON, and its document."""
API: Final = "/api/v1/programs"
UNNAMED: Final = "unnamed"
Word = Annotated[str, Field(min_length=1, max_length=500)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]

_Text = Annotated[str, Field(max_length=MOST_BYTES)]
_Name = Annotated[str, Field(max_length=64)]


class Parse(Strict):
    """What POST /parse takes."""

    game: _Name
    text: _Text


class Format(Strict):
    """What POST /format takes; `text` is the text before it was edited."""

    game: _Name
    document: dict[str, Any]
    text: MayBeMissing[_Text] = None


class Turn(Parse):
    """A program, the id of a match, a step, and a seat, from 0; without it, the seat that is body."""

    match: Word
    step: Annotated[int, Field(ge=1, lt=2**31)]
    seat: MayBeMissing[Annotated[int, Field(ge=0, lt=2**31)]] = None


class Explain(Turn):
    """What POST /explain takes; `drawn` is whether the answer has `sheets`, which the editor does not need."""

    drawn: bool = True


class Film(Strict):
    """What POST /film takes: the id of a match."""

    match: Word


class Debug(Parse):
    """What POST /debug takes: a program, its name if it has one, the rivals as words for `referee play`, and a seed."""

    name: MayBeMissing[Word] = None
    rivals: Annotated[list[Word], Field(max_length=15)]
    seed: MayBeMissing[Seed] = None


class Tests(Parse):
    """What POST /tests takes: the name of a program, and the text whose tests are run."""

    name: Word


class Pin(Turn):
    """What POST /pin takes: a turn, the name of a program, and what it must do there (`Demand`)."""

    name: Word
    must: MayBeMissing[_Name] = None
    must_not: MayBeMissing[_Name] = None
    chart: MayBeMissing[Annotated[int, Field(ge=0, le=99)]] = None


class Unpin(Strict):
    """What POST /unpin takes: the name of a program, and the number of a test, from 1."""

    name: Word
    number: Annotated[int, Field(ge=1, lt=2**31)]


class Save(Strict):
    """What PUT /NAME takes."""

    text: _Text


QUESTIONS: Final[dict[str, type[Strict]]] = {
    "parse": Parse,
    "format": Format,
    "explain": Explain,
    "film": Film,
    "tests": Tests,
    "pin": Pin,
    "unpin": Unpin,
}
"""The questions (`questions.py`) that pages ask below `API`, and what a POST takes."""


class Program(Protocol):
    """A program of a user, which may be new. Its methods raise `Refusal`.

    Attributes:
        file: the name of its file.
    """

    @property
    def file(self) -> str: ...
    @property
    def game(self) -> Game[Any, Any]: ...

    def page(self) -> Response:
        """The page of its editor."""

    def source(self) -> bytes | None:
        """Its text; None if it is new."""

    def save(self, text: str) -> None:
        """Keep a text."""

    def tests(self) -> str:
        """The text of its tests; an empty one if there are none."""

    def save_tests(self, text: str) -> None:
        """Keep the text of its tests."""

    def debug(self, wanted: Debug) -> dict[str, Any]:
        """Start a match, and return its id and address."""


class Workspace(Protocol):
    """The programs of a user, and the matches to debug them in. Its methods raise `Refusal`."""

    def program(self, name: str) -> Program:
        """A program, which may be new."""

    def unnamed(self, game: str) -> str:
        """The name of a program of this game that has none yet."""

    def saved(self, match: str) -> Path:
        """The saved game of a match."""

    async def ask(self, kind: str, **question: Any) -> dict[str, Any]:
        """The answer to a question (`questions.py`)."""


class Programs:
    """The handlers."""

    def __init__(self, workspace: Callable[[Request], Workspace]) -> None:
        """Handlers for a site; `workspace` finds the programs of the user who sends a request."""
        self._workspace = workspace

    def routes(self) -> Sequence[Route]:
        """The addresses of the editor and of its API."""
        return [
            Route("/edit/{name:path}", self._edit),
            *(Route(f"{API}/{kind}", partial(self._ask, kind), methods=["POST"]) for kind in QUESTIONS),
            Route(f"{API}/debug", self._debug, methods=["POST"]),
            Route(f"{API}/{{name:path}}", self._load),
            Route(f"{API}/{{name:path}}", self._save, methods=["PUT"]),
        ]

    async def _edit(self, request: Request) -> Response:
        return self._workspace(request).program(request.path_params["name"]).page()

    async def _ask(self, kind: str, request: Request) -> Response:
        """Put a question to the desk, with the file of a match and the tests of a program in place of their names."""
        space, body = self._workspace(request), await document(request, QUESTIONS[kind], MOST_BODY)
        question = body.model_dump(exclude_none=True)
        if "match" in question:
            question["saved"] = str(space.saved(question.pop("match")))
        program = space.program(question.pop("name")) if "name" in question else None
        if program is not None:
            question |= {"file": tests_file(program.file), "kept": program.tests()}
        result = await space.ask(kind, **question)
        if program is not None and "kept" in result:
            program.save_tests(result.pop("kept"))
        return answer(result, status=201 if kind == "pin" else 200)

    async def _debug(self, request: Request) -> Response:
        space, body = self._workspace(request), await document(request, Debug, MOST_BODY)
        program = space.program(body.name or space.unnamed(body.game))
        await space.ask("parse", game=program.game.name, text=body.text)
        return answer(program.debug(body), status=202)

    async def _load(self, request: Request) -> Response:
        space, name = self._workspace(request), request.path_params["name"]
        program = space.program(name)
        source, game = program.source(), program.game.name
        loaded: dict[str, Any] = {"name": name, "file": program.file, "game": game, "text": None, "document": None}
        try:
            if source is not None:
                loaded["text"] = source.decode()
                loaded |= await space.ask("parse", game=game, text=loaded["text"])
        except UnicodeDecodeError:
            raise Refusal("unprocessable", f"{program.file} is not UTF-8: save it as UTF-8") from None
        except Refusal as wrong:
            loaded["problem"] = {"message": str(wrong), **wrong.details}
        if loaded["document"] is None:
            loaded["language"] = (await space.ask("language", game=game))["document"]
        return answer(loaded, headers=None if source is None else {"ETag": tag(source)})

    async def _save(self, request: Request) -> Response:
        space, name = self._workspace(request), request.path_params["name"]
        program = space.program(name)
        body = await document(request, Save, MOST_BODY)
        source = body.text.encode()
        if len(source) > MOST_BYTES:
            raise Refusal("too_large", f"a program has {MOST_BYTES >> 10} KiB at most")
        await space.ask("parse", game=program.game.name, text=body.text)
        expected, there = request.headers.get("if-match"), program.source()
        if there is not None and expected not in (tag(there), "*"):
            why = f"{program.file} has changed since it was loaded: copy your text, load the page again, and save then"
            raise Refusal("conflict", why, status=412)
        program.save(body.text)
        return answer({"name": name}, headers={"ETag": tag(source)})


def tests_file(program: str) -> str:
    """The name of the file with the tests of a program, by the name of its own file."""
    return f"{Path(program).stem}{SUFFIX}"


def tag(source: bytes) -> str:
    """The ETag of a file's content."""
    return f'"{hashlib.sha256(source).hexdigest()[:32]}"'


def source_of(path: Path, most: int = MOST_BYTES) -> bytes | None:
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
