"""`referee play --setup`: positions from files and pipes, and helpful errors for anything else."""

import gzip
import json
import shutil

import pytest

from referee.files import assets
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


def refused(referee, file, *words):
    """The error, which is one line, about a file that is not a position."""
    return referee.refused("play", "oracle", "oracle", "--setup", file, *words)


def test_the_error_about_a_saved_game_names_the_commands_for_it(referee, played):
    (played / "b.jsonl.gz").write_bytes(gzip.compress((played / "a.jsonl").read_bytes()))
    for file in ("a.jsonl", "b.jsonl.gz"):
        assert refused(referee, file) == (
            f"{file} is a saved game, not a position: `referee state {file} > moment.json` cuts one out (--step K says "
            f"where) and --setup moment.json takes it; `referee replay {file}` shows the match"
        )


def test_the_error_about_a_map_names_the_command_that_plays_it(referee):
    shutil.copy(assets.folder("maps") / "snakecore" / "duel.toml", referee.folder / "my.toml")
    says = "my.toml is a map, not a position: play on it with `referee play --map my.toml`"
    assert refused(referee, "my.toml") == says
    assert refused(referee, "my.toml", "--game", "ants").endswith("`referee play --game=ants --map my.toml`")


def test_a_position_that_breaks_the_rules_is_refused(referee):
    (referee.folder / "odd.json").write_text(json.dumps({**POND, "turns": 0}))
    assert refused(referee, "odd.json", "--game", "egghunt").startswith("odd.json: turns: ")


def test_a_position_is_read_from_a_pipe(referee, played):
    play = "referee play oracle oracle --setup"
    ran = referee.bash(f"{play} <(referee state a.jsonl --step 2) -o c.jsonl -q", code=0)
    assert load(played / "c.jsonl").header.setup == json.loads(referee("state", "a.jsonl", "--step", "2").out)
    ran = referee.bash(f"{play} <(cat a.jsonl)")
    assert "`referee state FILE > moment.json`" in ran.err
    assert "/dev/fd" not in ran.err.partition(" is a saved game")[2]


def test_the_house_takes_the_remaining_seats_of_a_setup(referee):
    (referee.folder / "pond.json").write_text(json.dumps(POND))
    words = ["--game", "egghunt", "--setup", "pond.json", "-s", "4", "-o", "a.jsonl"]
    ran = referee.ok("play", "naive", *words)
    assert "the house takes the remaining seats: 2 to 3\n" in ran.err
    players = load(referee.folder / "a.jsonl").header.players
    assert [player.house for player in players] == [False, True, True]
    referee.ok("verify", "a.jsonl")
    ran = referee("play", "Max=house", "naive", *words)
    assert "the house takes the remaining seats: 3\n" in ran.err
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
