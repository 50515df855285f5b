"""`referee tournament check`: can it begin, how long does it take, and do the saved games prove the ledger?"""

import gzip
import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tournament.conftest import SETTINGS, Cup, copied, next_run

from referee import games
from referee.cli.tournament.check import _lines
from referee.errors import UsageError
from referee.tournament.forecast import Forecast, Outlook, Shorter, Upcoming, to_the_end, upcoming_tours
from referee.tournament.jobs import Opening
from referee.tournament.ledger import Ledger
from referee.tournament.planning import make_plan
from referee.tournament.tournament import Tournament
from referee.tournament.verifying import Saved, by_lot, defect, saved_games, to_verify, verify_all

pytestmark = pytest.mark.machine

GAME = games.find("snakecore")
UNFAIR = '''name = "Slope"
description = "The second seat is nearer to the reactor."
symmetry = "none"
field = """
.....
.1...
...R.
...2.
.....
"""

[blocks]
ordinary = 2
energy = 0
'''


def files(cup: Cup) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in cup.folder.rglob("*") if path.is_file()}


def saved(cup: Cup) -> list[Saved]:
    with Ledger(cup.folder, writes=False) as ledger:
        return list(saved_games(cup.folder, ledger, 7))


def wrong(cup: Cup, game: Saved) -> str | None:
    return defect((opening(cup), game))


def opening(cup: Cup) -> Opening:
    """What all its matches have in common."""
    with Tournament(cup.folder) as tournament:
        return make_plan(cup.folder, tournament.settings, GAME, 7, tournament.decisions, field=4).opening()


def test_a_tournament_that_can_begin_is_left_untouched(cup: Cup) -> None:
    cup.only("asp", "boa")
    before = files(cup)
    lines = cup.ok("check", cup.folder, "-q", err="").out.splitlines()
    assert lines[:2] == ["map duel: fair", "checking 2 bots: SnakeCore, isolation none"]
    assert sorted(line.partition(":")[0] for line in lines[2:4]) == ["asp", "boa"]
    assert all(": passed all " in line for line in lines[2:4])
    assert lines[-2].startswith("tour t0: 2 matches, 1 at a time, about ")
    assert lines[-1] == f"ready: referee tournament run {cup.folder}"
    assert files(cup) == before


def test_bots_and_maps_that_fail_are_named(cup: Cup) -> None:
    cup.only("asp", "boa")
    (cup.folder / "bots" / "asp.py").write_text("input()\nprint('asp', flush=True)\n")
    lost = cup.folder / "bots" / "lost"
    lost.mkdir()
    (lost / "bot.toml").write_text('name = "Lost"\nrun = ["./nothing"]\n')
    (cup.folder / "slope.toml").write_text(UNFAIR)
    cup.says(SETTINGS.replace('"duel"', '"duel", "slope.toml"'))
    ran = cup("check", cup.folder, "-q")
    assert ran.code == 4
    lines = ran.out.splitlines()
    assert lines[0] == "map duel: fair"
    assert lines[1].startswith("map slope: ")
    assert "asp: failed 1 of " in ran.out
    assert "lost: cannot be built: " in ran.out
    assert lines[-2].startswith("tour t0: 4 matches, 1 at a time"), "those that can play: one pair, two maps, two seats"
    assert lines[-1] == "not ready: bots cannot be built: 1, bots failed: 1, maps have defects: 1"


def test_of_bots_that_cannot_be_built_too_few_are_left(cup: Cup) -> None:
    cup.only("asp", "boa")
    lost = cup.folder / "bots" / "boa.py"
    lost.write_text("def\n")
    lost.rename(cup.folder / "bots" / "lost.c")
    cup.says(SETTINGS.replace("jobs = 1", "jobs = 3"))
    ran = cup("check", cup.folder, "-q")
    assert (ran.code, ran.out.splitlines()[-1]) == (4, "not ready: bots cannot be built: 1")
    assert "a match has 2 seats, and 1 bot can play: name more, or set match.seats" in ran.out
    ran = cup("check", cup.folder, "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["ready"], document["tour"], document["matches"], document["jobs"]) == (
        4,
        False,
        None,
        0,
        3,
    )
    assert [bot["bot"] for bot in document["bots"]] == ["asp", "lost"]


def test_the_next_matches_are_those_of_the_first_tour_then_what_is_left_then_none(cup: Cup, finished: Cup) -> None:
    assert list(upcoming_tours(*next_run(cup.folder))) == [Upcoming("t0", 12, "every group of 2 of 4 bots meets")]
    assert to_the_end(*next_run(cup.folder)) == [12]
    assert not (cup.folder / "ledger.sqlite").exists()
    copied(finished, cup)
    assert list(upcoming_tours(*next_run(cup.folder))) == []
    assert to_the_end(*next_run(cup.folder)) == []
    with closing(sqlite3.connect(cup.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("DELETE FROM matches WHERE seating = 1")
        ledger.execute("UPDATE tours SET ended = 6")
    assert list(upcoming_tours(*next_run(cup.folder))) == [Upcoming("t0", 6)]
    assert to_the_end(*next_run(cup.folder)) == [6]
    cup.says(SETTINGS.replace("rounds = 3", "rounds = 4"))
    with pytest.raises(UsageError, match="rounds has changed since the first match"):
        next_run(cup.folder)


def test_whether_a_tournament_that_is_over_is_ready_is_not_said(over: Cup) -> None:
    assert over.ok("check", over.folder, "-q", err="").out.splitlines()[-2:] == ["", "the tournament is over"]


def test_the_outlook_is_the_next_tour_then_all_tours_and_what_is_shorter() -> None:
    def lines(*facts: Any) -> list[str]:
        return list(_lines(Outlook(*facts)))

    first, hint = Upcoming("t0", 9), Shorter("match.rounds = 5", 61.0)
    assert lines(Upcoming("t0", 1), 2, 75.2, Forecast(1, 75.2), []) == [
        "tour t0: 1 match, 2 at a time, about 1 min 15 s"
    ]
    assert lines(first, 2, None, None, []) == ["tour t0: 9 matches, 2 at a time"]
    assert lines(first, 2, 0.2, Forecast(90, 720.0), [hint]) == [
        "tour t0: 9 matches, 2 at a time, about 1 s",
        "all tours: about 90 matches, about 12 min 00 s",
        "shorter: match.rounds = 5, about 1 min 01 s",
    ]
    assert lines(None, 2, None, None, []) == ["the tournament is over"]


def test_saved_games_prove_the_ledger(cup: Cup) -> None:
    cup.says(SETTINGS + 'keep = "faults"\n')
    cup.only("asp", "boa")
    (cup.folder / "bots" / "eel.py").write_text("input()\nprint('eel', flush=True)\n")
    cup.ok("run", cup.folder, "-q")
    ran = cup("check", cup.folder, "--games")
    assert (ran.code, ran.out) == (0, "4 saved games, all of them right; 2 matches were not kept\n")

    first, second, third, *_ = saved(cup)
    third.path.unlink()
    ran = cup("check", cup.folder, "--games")
    assert (ran.code, ran.out) == (1, "4 saved games, 1 of them missing; 2 matches were not kept\n")

    second.path.write_bytes(first.path.read_bytes())
    with closing(sqlite3.connect(cup.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("UPDATE matches SET seats = json_set(seats, '$[0][3]', 999) WHERE sha256 = ?", [first.sha256])
    ran = cup("check", cup.folder, "--games")
    says = "4 saved games, 2 of them wrong, 1 of them missing; 2 matches were not kept\n"
    assert (ran.code, ran.out) == (1, says)
    *games, sums = ran.err.splitlines()
    assert games == [
        f"{first.match}: {first.path} has another result than the ledger for seat 1",
        f"{second.match}: {second.path} has changed since the match: its SHA-256 is not the ledger's",
        f"{third.match}: {third.path} cannot be read: No such file or directory",
    ]
    assert re.fullmatch("the sums of entrant [0-9] are not those of its matches: put back a copy of the ledger", sums)


def test_what_is_wrong_with_a_saved_game(over: Cup) -> None:
    game = saved(over)[0]
    assert wrong(over, game) is None

    (place, points, fault), other = game.seats
    for seats in (
        ((place, points + 1, fault), other),
        ((place + 1, points, fault), other),
        ((place, points, "exit"), other),
    ):
        assert "has another result than the ledger for seat 1" in str(wrong(over, replace(game, seats=seats)))
    assert "cannot be read: No such file" in str(wrong(over, replace(game, path=Path("missing.jsonl.gz"))))

    lines = [json.loads(line) for line in gzip.decompress(game.path.read_bytes()).splitlines()]
    lines[-1]["ranking"][0]["score"] += 1
    forged = with_lines(game, lines)
    assert "has changed since the match" in str(wrong(over, replace(forged, sha256=game.sha256)))
    assert "the file says" in str(wrong(over, forged)), "its hash is right, and the rules give another result"


def header(game: Saved, change: Callable[[dict[str, Any]], object]) -> Saved:
    """The game with another header."""
    lines = [json.loads(line) for line in gzip.decompress(game.path.read_bytes()).splitlines()]
    change(lines[0])
    return with_lines(game, lines)


def test_a_saved_game_must_be_the_match_of_its_row(over: Cup) -> None:
    game = next(match for match in saved(over) if match.names == ("asp", "boa"))
    whole = game.path.read_bytes()
    changes: list[tuple[Callable[[dict[str, Any]], object], str]] = [
        (lambda header: header["players"].reverse() or _numbered(header), "players: ('boa', 'asp'), not ('asp', 'boa')"),
        (lambda header: header["players"][0].update(bot="eve"), "players: ('eve', 'boa')"),
        (lambda header: header.update(rng_seed=5), "seed: 5, not "),
        (lambda header: header["setup"].update(rounds=99), "it does not begin as the map duel does"),
        (lambda header: header["limits"].update(answer=9.0), "limits: {'first': 15.0, 'answer': 9.0"),
        (lambda header: header.update(clock="cpu"), "clock: cpu, not wall"),
        (lambda header: header["isolation"].update(level="full"), "isolation: full, not none"),
        (lambda header: header["isolation"].update(pondering=False), "pondering: False, not True"),
    ]  # fmt: skip
    for change, why in changes:
        game.path.write_bytes(whole)
        assert f"is of another match: {why}" in str(wrong(over, header(game, change)))


def _numbered(header: dict[str, Any]) -> None:
    for number, player in enumerate(header["players"]):
        player["seat"] = number


def test_one_file_proves_one_match_and_names_are_those_of_the_entrants(over: Cup) -> None:
    first, second, third, *_ = saved(over)
    second.path.write_bytes(first.path.read_bytes())
    with closing(sqlite3.connect(over.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("UPDATE matches SET sha256 = ? WHERE saved LIKE ?", [first.sha256, f"%{second.path.name}"])
        ledger.execute(
            "INSERT INTO players SELECT 99, number, entrant, 'e' || name, called FROM players "
            "WHERE id = (SELECT json_extract(seats, '$[0][0]') FROM matches WHERE sha256 = ?)", [third.sha256],
        )  # fmt: skip
        ledger.execute("UPDATE matches SET seats = json_set(seats, '$[0][0]', 99) WHERE sha256 = ?", [third.sha256])
    ran = over("check", over.folder, "--games")
    assert ran.code == 1
    assert f"{second.match}: its saved game is also that of {first.match}" in ran.err
    assert re.search(f"{third.match}: the ledger calls entrant [0-9] e[a-z]+, which was never its name", ran.err)
    over.says(SETTINGS.replace("rounds = 3", "rounds = 4"))
    assert "match.rounds has changed since the first match" in over.refused("check", over.folder, "--games")


def test_games_that_a_run_removes_meanwhile_are_passed_over(over: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.tournament.verifying.on_all_processors", map)
    right, missing, removed, *_ = saved(over)
    for game in (missing, removed):
        game.path.unlink()
    common = opening(over)
    tasks = [(common, game) for game in (right, missing, removed)]
    verdicts = verify_all(tasks, lambda: tasks[:2])
    assert [(game.match, why is None) for game, why in verdicts] == [(right.match, True), (missing.match, False)]


def test_what_is_wrong_is_said_before_all_games_are_verified(over: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.tournament.verifying.on_all_processors", map)
    changed, *others = saved(over)
    changed.path.write_bytes(b"")
    unread: list[Saved] = []
    monkeypatch.setattr("referee.tournament.verifying.digest_of", lambda path: unread.append(path))
    common = opening(over)
    game, why = next(verify_all([(common, game) for game in (changed, *others)], list))
    assert (game, len(unread)) == (changed, 1)
    assert why is not None
    assert "has changed since the match" in why


@pytest.mark.parametrize("drawn", [False, True])
def test_no_more_is_read_and_held_than_what_is_verified_next(
    over: Cup, rows_read: list[str], monkeypatch: pytest.MonkeyPatch, *, drawn: bool
) -> None:
    monkeypatch.setattr("referee.tournament.verifying.on_all_processors", map)
    monkeypatch.setattr("referee.tournament.verifying.AT_ONCE", 2)
    monkeypatch.setattr("referee.tournament.ledger.SERIES", 1)
    monkeypatch.setattr("referee.tournament.verifying.PAGE", 2)
    with Tournament(over.folder) as tournament, Ledger(over.folder, writes=True) as writer:
        verdicts = verify_all(to_verify(tournament, writer.ended() if drawn else None), list)
        writer.query("PRAGMA busy_timeout = 0")
        for verified in range(12):
            writer.keep("id", f"{verified}")
            assert next(verdicts)[1] is None
            assert rows_read.count("matches") == 2 * (verified // 2 + 1)
            [[busy, *_]] = writer.query("PRAGMA wal_checkpoint(TRUNCATE)")
            assert not busy, "the log of a tournament that runs beside it does not grow"
        assert list(verdicts) == []


def test_a_sample_is_another_one_each_time(over: Cup) -> None:
    with Ledger(over.folder, writes=False) as ledger:
        assert len({key for _ in range(50) for _, key in by_lot(ledger, 1)}) > 1


def with_lines(game: Saved, lines: list[Mapping[str, Any]]) -> Saved:
    """The game with other lines, and their hash."""
    data = gzip.compress("".join(f"{json.dumps(line)}\n" for line in lines).encode())
    game.path.write_bytes(data)
    return replace(game, sha256=sha256(data).hexdigest())
