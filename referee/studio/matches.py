"""The matches of a studio: those that are played now, and the saved games of its folder."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any, Final, TypeAlias

from pydantic import Field

from referee import games
from referee.bots import name_in, names_a_person
from referee.cli import history
from referee.studio.folder import MOST, Folder, saved_id
from referee.studio.jobs import Job, Jobs
from referee.studio.programs import Seed, Word
from referee.text.strict import MayBeMissing, Strict
from referee.text.words import harmless, shorten
from referee.web.answers import Refusal

MATCH: Final = "match"
PAGE: Final = "page"
KEPT_PAGES: Final = 20
"""Pages and films that are kept."""
MOST_SEATS: Final = 16
Link: TypeAlias = tuple[str, str, str | None]
"""An address, its words, and the seats (from 0) whose step belongs to it: an empty text for the one that is shown, else None."""


class NewMatch(Strict):
    """What POST /matches takes."""

    game: Annotated[str, Field(max_length=32)]
    map: MayBeMissing[Word] = None
    seed: MayBeMissing[Seed] = None
    rounds: MayBeMissing[Annotated[int, Field(ge=1, le=1_000_000)]] = None
    seats: Annotated[list[Word], Field(min_length=1, max_length=MOST_SEATS)]


class PersonsAnswer(Strict):
    """What a person in the browser answers: the seat and the step for which it is, and the answer."""

    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)]
    step: Annotated[int, Field(ge=0)]
    answer: Annotated[str, Field(max_length=1024)]


class Matches:
    """The matches of a studio."""

    def __init__(self, folder: Folder, jobs: Jobs) -> None:
        """The matches of a folder."""
        self._folder, self._jobs = folder, jobs
        self._pages: dict[object, Job] = {}

    def play(self, new: NewMatch, program: str | None = None) -> dict[str, Any]:
        """Start a match, and return its id and address.

        Args:
            program: the text of a program, which plays in the first seat; its word is the name of its file.

        Raises:
            Refusal: too many wait. UsageError: there is no such game.
        """
        game = games.find(new.game).name
        seed = secrets.randbelow(2**31) if new.seed is None else new.seed
        saved = history.new_file(game, seed)
        request = {**new.model_dump(), "game": game, "seed": seed, "program": program, "saved": str(saved)}
        people = any(map(names_a_person, new.seats))
        job = self._jobs.start(Job(saved_id(saved), MATCH, request, self._of, people))
        return {"id": job.id, "url": f"/matches/{job.id}"}

    def running_job(self, match: str) -> Job:
        """The job of a match that is played now, or waits for its turn.

        Raises:
            Refusal: there is none.
        """
        job = self._jobs.get(match, MATCH)
        if job is None or job.ended.is_set():
            raise Refusal("not_found", "this match is not played now")
        return job

    def listed(self) -> list[dict[str, Any]]:
        """All matches, the newest first: those that were started here, and the saved games."""
        started = {job.id: self._of(job) for job in reversed(self._jobs.of(MATCH)) if job.state != "done"}
        games = self._folder.saved_games().items()
        saved = filter(None, (_entry(match, path) for match, path in games if match not in started))
        return sorted([*started.values(), *saved], key=itemgetter("created"), reverse=True)

    def describe(self, match: str) -> dict[str, Any]:
        """A match, with its result if it was played here.

        Raises:
            Refusal: there is none with this id.
        """
        if (job := self._jobs.get(match, MATCH)) is not None:
            return {**self._of(job), "result": job.result}
        path = self._folder.saved_game(match)
        if (entry := _entry(match, path)) is None:
            raise Refusal("unprocessable", f"{path.name} is no saved game that can be read: see referee verify")
        return {**entry, "result": None}

    async def page(self, match: str, suffix: str, links: Sequence[Link], programs: Mapping[int, Path]) -> Path:
        """A form of a saved game, which is made unless it is one of the last `KEPT_PAGES`. Its file has no name on the disk.

        Args:
            links: where a page leads. programs: the files of programs, by seat, whose decisions a page explains.

        Raises:
            Refusal: there is no such match, or it cannot be shown.
        """
        path = self._folder.saved_game(match)
        stats = [file.stat() for file in (path, *programs.values())]
        key = (match, suffix, *programs, *((stat.st_mtime_ns, stat.st_size) for stat in stats))
        job = self._pages.pop(key, None)
        if job is None or job.error is not None:
            words = [f"{seat + 1}={file}" for seat, file in programs.items()]
            request = {"saved": str(path), "form": suffix, "links": links, "programs": words}
            file = TemporaryFile()  # noqa: SIM115 - it is closed when others have taken its place
            job = self._jobs.start(Job(secrets.token_hex(8), PAGE, request, output=file))
        self._pages[key] = job
        await job.ended.wait()
        for old in [key for key, job in self._pages.items() if job.ended.is_set()][:-KEPT_PAGES]:
            if (output := self._pages.pop(old).output) is not None:
                output.close()
        if job.error is not None:
            raise Refusal("unprocessable", job.error)
        assert job.output is not None
        return Path(f"/proc/self/fd/{job.output.fileno()}")

    def _of(self, job: Job) -> dict[str, Any]:
        """A match that was started here."""
        players = [harmless(shorten(name_in(word)[0] or Path(word).stem, 60)) for word in job.request["seats"]]
        entry = None if job.state != "done" else _entry(job.id, Path(job.request["saved"]))
        return {
            "id": job.id,
            "state": job.state,
            "url": f"/matches/{job.id}",
            "game": job.request["game"],
            "players": players,
            "created": job.created,
            **(entry or {}),
            "people": job.people,
            **({} if job.error is None else {"error": job.error}),
        }


def _entry(match: str, path: Path) -> dict[str, Any] | None:
    """A saved game, as it is listed; None if it is damaged."""
    try:
        stat = path.stat()
    except OSError:
        return None
    if (entry := _read(path, stat.st_mtime_ns, stat.st_size)) is None:
        return None
    return {
        "id": match,
        "state": "done",
        "url": f"/matches/{match}",
        "game": entry["game"],
        "players": [harmless(player["bot"]) for player in entry["players"]],
        "created": entry["created"],
        "reason": entry["reason"],
        "file": path.name,
    }


@lru_cache(maxsize=2 * MOST)
def _read(path: Path, _changed: int, _size: int) -> dict[str, Any] | None:
    return history.entry_of(path)
