"""`referee play --setup`: positions from files and pipes, and who takes their seats."""

import json
import shutil

import pytest

from referee.saved.record import load

pytestmark = pytest.mark.machine

POND = {
    "field": ["######", "#    #", "#    #", "######"],
    "eggs": [[4, 1]],
    "players": [[1, 1], [1, 2], [4, 2]],
    "turns": 2,
}


@pytest.fixture
def played(referee, pair, store):
    """A short match in a.jsonl."""
    match = store / "duel.jsonl"
    if not match.exists():
        referee.ok("play", *pair, "--map", "duel", "--rounds", "2", "-o", match, "-q")
    shutil.copy(match, referee.folder / "a.jsonl")
    return referee.folder


def test_a_position_that_breaks_the_rules_is_refused(referee):
    (referee.folder / "odd.json").write_text(json.dumps({**POND, "turns": 0}))
    words = ("play", "naive", "--setup", "odd.json", "--game", "egghunt")
    assert referee.refused(*words).startswith("odd.json: turns: ")


def test_a_position_is_read_from_a_pipe(referee, played):
    referee.bash("referee play oracle oracle --setup <(referee state a.jsonl --step 2) -o c.jsonl -q", code=0)
    assert load(played / "c.jsonl").header.setup == json.loads(referee("state", "a.jsonl", "--step", "2").out)


def test_the_house_takes_the_remaining_seats_of_a_setup(referee):
    (referee.folder / "pond.json").write_text(json.dumps(POND))
    words = ["--game", "egghunt", "--setup", "pond.json", "-s", "4", "-o", "a.jsonl"]
    referee.ok("play", "naive", *words)
    players = load(referee.folder / "a.jsonl").header.players
    assert [player.house for player in players] == [False, True, True]
    referee.ok("verify", "a.jsonl")
    referee.ok("play", "Max=house", "naive", *words)
    players = load(referee.folder / "a.jsonl").header.players
    assert [(player.bot == "Max", player.house, player.given) for player in players] == [
        (True, True, True), (False, False, False), (False, True, False),
    ]  # fmt: skip
    assert "Max" in referee("replay", "a.jsonl").out
    referee.ok("verify", "a.jsonl")


def test_without_a_house_every_seat_needs_a_bot(referee, played):
    (played / "cut.json").write_text(referee("state", "a.jsonl", "--step", "2").out)
    ran = referee("play", "oracle", "--setup", "cut.json")
    assert (ran.code, ran.err) == (2, "referee: the position has 2 players: name as many bots, not 1\n")
