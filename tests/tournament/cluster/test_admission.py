"""Why a worker is refused."""

import json
from dataclasses import dataclass
from typing import Any, cast

import pytest
from tournament.conftest import OPENING

from referee.tournament.cluster import admission as admitting
from referee.tournament.cluster.admission import Admission
from referee.tournament.cluster.client import Dask, UnfitError
from referee.tournament.cluster.member import passport
from referee.tournament.jobs import Job, JobSeat

JOB = Job(series=0, seating=0, map="duel", rng_seed=0, seats=[], rounds=1, kept=False)


@dataclass(frozen=True)
class Worker:
    """Dask, with a worker that gives the same answer to every call and task."""

    answer: Any

    async def call(self, *_: object, worker: str) -> Any:
        return self.answer

    task = call


def admission(answer: Any) -> Admission:
    return Admission(OPENING, "id", "run", [], cast(Dask, Worker(answer)))


@pytest.mark.parametrize(("change", "why"), [
    ({"referee": "0.0.1"}, r"^it has referee 0\.0\.1, not .*: install the same there$"),
    ({"python": "3.1"}, r"^it has Python 3\.1, not 3\.\d+: install the same there$"),
    ({"code": "x"}, r"^it has referee code x, not [0-9a-f]{12}: install the same there$"),
    ({"processors": []}, r"^it has no referee, or another one \(.*processors.*\): install the same there$"),
], ids=lambda value: next(iter(value)) if isinstance(value, dict) else "")  # fmt: skip
async def test_a_worker_with_another_passport_is_refused(change: dict[str, Any], why: str) -> None:
    with pytest.raises(UnfitError, match=why):
        await admission(json.dumps(json.loads(passport()) | change)).admit("tcp://there")


async def test_a_worker_that_cannot_isolate_players_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admitting, "pack", lambda *_: b"")
    trial = admission(b'[{"stop": "bubblewrap is not installed"}]')
    trial.opening = OPENING.model_copy(update={"maps": {"duel": {}}})
    with pytest.raises(UnfitError, match=r"^bubblewrap is not installed$"):
        await trial.prepare("tcp://there", [JobSeat(number=0, name="asp", content="c")])


@pytest.mark.parametrize(("answer", "why"), [
    ([{"row": {}}], "JSON input should be string, bytes or bytearray"),
    (b'[{"row": {"seats": []}}]', "0.row.reason: missing"),
    (b"[]", "it answers 0 of 2 matches"),
    (b'[{"failed": "a"}, {"failed": "b"}, {"failed": "c"}]', "it answers 3 of 2 matches"),
])  # fmt: skip
async def test_a_worker_that_answers_something_else_is_refused(answer: Any, why: str) -> None:
    with pytest.raises(UnfitError, match=why):
        await admission(answer).play("tcp://there", [JOB, JOB])
