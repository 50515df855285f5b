"""One match as a function call: its config, its result and its file."""

import os
import tomllib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from raising import raising

from referee import bots, games
from referee.contract.clock import TimeControl
from referee.contract.game import FaultKind, Step
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.errors import BotError, GameError, UsageError
from referee.files import assets
from referee.match.config import MatchConfig, Seat
from referee.match.session import Session, run_match
from referee.players.fairness import Exhausted
from referee.players.policy import PolicyPlayer
from referee.sandbox.limits import DAY, MIB, Level
from referee.saved.record import digest, load
from referee.saved.replay import Replay

AVA: Any = games.find("ava")
TIME = TimeControl(5.0, 1.0, 60.0)
SPEAKS_AND_LEAVES = "import sys\nprint('at the door', file=sys.stderr)\n"


def config(*words: str, rounds: int = 3, **more: Any) -> MatchConfig:
    """A match on the default map of ava."""
    text = (assets.folder("maps") / "ava" / f"{AVA.maps.default}.toml").read_text(encoding="utf-8")
    setup = AVA.maps.setup(tomllib.loads(text), seats=len(words), rng_seed=7, rounds=rounds)
    seats = [Seat(bots.enter(bots.find(word), AVA), word) for word in words]
    return MatchConfig(game=AVA, setup=setup, seed=7, seats=seats, time=TIME, **more)


class Follows:
    """Keeps the steps and the result."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.ends: list[tuple[Outcome, Position]] = []

    def record(self, steps: Sequence[Step]) -> None:
        self.steps += steps

    def end(self, outcome: Outcome, final: Position) -> None:
        self.ends.append((outcome, final))


async def test_run_match_returns_the_result_and_prints_and_saves_nothing(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    follows = Follows()
    result = await run_match(config("cobra", "asp"), recorders=[follows])
    assert (result.outcome.reason, result.outcome.rounds) == ("steps", 3)
    assert [ranked.name for ranked in result.outcome.ranking]
    assert result.digest == digest(result.final)
    assert result.steps == len(follows.steps) == follows.steps[-1].number
    assert follows.ends == [(result.outcome, result.final)]
    assert [seat.moves for seat in result.seats] == [3, 3]
    assert [seat.clock.answers for seat in result.seats] == [4, 4]
    assert result.isolation["level"] == "none"  # no process was started
    assert (result.saved, result.left_off) == (None, None)
    assert capfd.readouterr() == ("", "")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
async def test_the_saved_game_is_the_match_that_was_played(tmp_path: Path, name: str) -> None:
    played = config("cobra", "asp", saved=tmp_path / name)
    first, second = await run_match(played), await run_match(played)
    assert first.saved == second.saved == tmp_path / name
    assert first.digest == second.digest
    assert sorted(os.listdir(tmp_path)) == sorted([name, name.replace("a.", "a.1.", 1)])
    record = load(tmp_path / name)
    Replay(record).verify()
    assert record.result.digest == second.digest
    assert record.header.isolation == dict(second.isolation)


async def test_the_result_has_faults_and_the_last_lines_of_stderr(tmp_path: Path) -> None:
    (tmp_path / "mute.py").write_text(SPEAKS_AND_LEAVES)
    result = await run_match(config("cobra", str(tmp_path / "mute.py"), isolation=Level.NONE))
    assert result.seats[1].fault.kind is FaultKind.EXIT
    assert result.seats[0].fault is None
    assert [list(seat.last_words) for seat in result.seats] == [[], ["at the door"]]


async def test_a_void_match_raises_an_exception_and_has_a_result(tmp_path, monkeypatch):
    monkeypatch.setattr(PolicyPlayer, "at_once", raising(Exhausted("no process can be started")))
    session = Session(config("cobra", "asp", saved=tmp_path / "a.jsonl"))
    assert session.result is None
    with pytest.raises(Exhausted):
        await session.play()
    session.close()
    assert session.result.outcome.reason == "void"
    assert load(tmp_path / "a.jsonl").result is not None


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
async def test_a_file_name_is_claimed_before_the_players_start(tmp_path: Path, name: str) -> None:
    match = config("cobra", "asp", saved=tmp_path / name)
    with closing(Session(match)) as session:
        with pytest.raises(
            UsageError, match=f"^another match is being saved as .*{name} right now: choose another name"
        ):
            Session(match)
        await session.play()
    assert os.listdir(tmp_path) == [name]
    Replay(load(tmp_path / name)).verify()


async def test_players_that_cannot_start_leave_saved_games_as_they_were(tmp_path, monkeypatch):
    monkeypatch.setattr("referee.match.session.seat_players", raising(BotError("it cannot be started")))
    (tmp_path / "a.jsonl").write_text("an old one")
    with pytest.raises(BotError):
        await run_match(config("cobra", "asp", saved=tmp_path / "a.jsonl"))
    assert os.listdir(tmp_path) == ["a.jsonl"]
    assert (tmp_path / "a.jsonl").read_text() == "an old one"


def test_links_to_saved_games_are_followed_and_what_is_no_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("link.jsonl").symlink_to("real.jsonl")
    with closing(Session(config("cobra", "asp", saved=Path("link.jsonl")))) as session:
        assert session.saved == tmp_path / "real.jsonl"
    os.mkfifo("pipe.jsonl")
    with pytest.raises(UsageError, match=r"^pipe\.jsonl is not a regular file"):
        Session(config("cobra", "asp", saved=Path("pipe.jsonl")))
    assert sorted(os.listdir()) == ["link.jsonl", "pipe.jsonl"]


def test_a_mistake_of_the_game_is_named_among_other_errors(tmp_path: Path) -> None:
    """Errors of players that are awaited together are a group."""
    session = Session(config("cobra", "asp", saved=tmp_path / "a.jsonl"))
    with (
        closing(session),
        pytest.raises(GameError, match=r"^no bytes; the match up to there is in "),
        session._mistakes_named(),
    ):
        raise BaseExceptionGroup("players", [SystemExit(), GameError("no bytes")])


async def test_a_cancelled_match_is_saved_up_to_its_last_step(tmp_path: Path) -> None:
    played = config("cobra", "asp", saved=tmp_path / "a.jsonl")
    session = Session(played)
    with trio.CancelScope() as scope:

        async def leave(step: Step) -> None:
            if step.round == 2:
                scope.cancel()
                await trio.lowlevel.checkpoint()

        await session.play(pace=leave)
    session.close()
    assert (session.result.outcome.reason, session.result.outcome.rounds) == ("interrupted", 2)
    Replay(load(tmp_path / "a.jsonl")).verify()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seats": ()}, "the position has 2 players: name as many bots, not 0"),
        ({"saved": Path("a.txt")}, "a.txt: the name must end in .jsonl or .jsonl.gz"),
        ({"saved": Path("nowhere/a.jsonl")}, "there is no folder nowhere: create it first"),
    ],
)
def test_a_wrong_config_is_refused_before_the_match_starts(tmp_path, monkeypatch, change, why):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=f"^{why}$"):
        Session(replace(config("cobra", "asp", saved=Path("b.jsonl")), **change))
    assert os.listdir(tmp_path) == []


def test_the_limit_of_cpu_time_is_above_what_the_clocks_allow() -> None:
    cores = os.cpu_count() or 1
    long = TimeControl(5.0, 1.0, 1000.0)
    both, alone = (config("cobra", "asp", pondering=pondering) for pondering in (True, False))
    assert replace(both, time=long).limits.cpu == 1000 * 2 * cores * 1.25
    assert replace(alone, time=long).limits.cpu == 1000 * cores * 1.25
    assert replace(both, memory=64 * MIB).limits.memory == 64 * MIB


@pytest.mark.parametrize(("pondering", "endless"), [(True, True), (False, False)])
def test_programs_that_ponder_while_a_person_thinks_are_not_ended_for_their_cpu_time(pondering, endless):
    match = config("cobra", "asp", pondering=pondering)
    own = replace(match, seats=[Seat(bots.a_person(AVA)), *match.seats[1:]])
    assert (own.limits.cpu == DAY) == endless
    assert match.limits.cpu < DAY
