"""The checks and comparisons of bots in a studio, and the questions to them."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final

from pydantic import Field

from referee import games
from referee.studio.folder import Folder
from referee.studio.jobs import Job, Jobs
from referee.studio.matches import MOST_SEATS
from referee.studio.programs import Word
from referee.text.strict import MayBeMissing, Strict
from referee.web.answers import Refusal

GameName = Annotated[str, Field(max_length=32)]


class NewCheck(Strict):
    """What POST /checks takes."""

    bot: Word
    game: MayBeMissing[GameName] = None


class NewComparison(Strict):
    """What POST /comparisons takes."""

    game: GameName
    new: Word
    old: Word


class NewQuestion(Strict):
    """What POST /questions takes: the request of a step of a saved game goes to a bot again."""

    match: Annotated[str, Field(max_length=64)]
    bot: Word
    step: Annotated[int, Field(ge=1)]
    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)]


KINDS: Final[dict[str, tuple[str, type[Strict]]]] = {
    "checks": ("check", NewCheck),
    "comparisons": ("compare", NewComparison),
    "questions": ("ask", NewQuestion),
}
"""What can be started below `/api/v1`: the kind of its job (`work`), and what a POST takes."""


class Checks:
    """The checks, comparisons and questions that were started here."""

    def __init__(self, folder: Folder, jobs: Jobs) -> None:
        self._folder, self._jobs = folder, jobs

    def start(self, kind: str, order: Strict) -> dict[str, Any]:
        """Start a job, and return its id and address.

        Args:
            kind: a key of `KINDS`.

        Raises:
            Refusal: there is no such match, or too many jobs wait. UsageError: there is no such game.
        """
        request = order.model_dump(exclude={"match"})
        if isinstance(order, NewQuestion):
            request["saved"] = str(self._folder.saved_game(order.match))
        elif request["game"] is not None:
            request["game"] = games.find(request["game"]).name
        job = self._jobs.start(Job(secrets.token_hex(8), KINDS[kind][0], request, _document))
        return {"id": job.id, "url": f"/api/v1/{kind}/{job.id}"}

    def describe(self, kind: str, job_id: str) -> dict[str, Any]:
        """A check, a comparison or a question: its state, and its result once it is done.

        Raises:
            Refusal: there is none with this id.
        """
        return _document(self._job(kind, job_id))

    def stop(self, kind: str, job_id: str) -> dict[str, Any]:
        """Stop a check, a comparison or a question, and describe it. Its state changes when its process has ended.

        Raises:
            Refusal: there is none with this id.
        """
        self._job(kind, job_id).scope.cancel()
        return self.describe(kind, job_id)

    def _job(self, kind: str, job_id: str) -> Job:
        if (job := self._jobs.get(job_id, KINDS[kind][0])) is None:
            raise Refusal("not_found", "there is nothing with this id: it was started before this studio, or long ago")
        return job


def _document(job: Job) -> dict[str, Any]:
    """A job as the API has it: all keys of `check --json`, or what was asked, the last report of a comparison, and the result."""
    asked = {**job.news.get("compare", {}), **job.request, "result": job.result}
    entry = {**((job.result or {}) if job.kind == "check" else asked), "id": job.id, "state": job.state}
    return entry if job.error is None else {**entry, "error": job.error}
