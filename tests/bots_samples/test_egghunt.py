"""The sample bots of the egg hunt: valid answers to every view, the strategy of each, and the order of strength."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from bots_samples.loading import loaded
from cli.conftest import in_process
from games.playing import shipped
from languages.present import require

from referee import bots, games
from referee.contract.game import Entrant
from referee.files import assets

GAME = games.find("egghunt")
BOTS = assets.folder("bots")
PROGRAMS = Path(__file__).parents[1] / "games" / "egghunt" / "programs"
TURN = ("naive", "lefthand", "surveyor")
"""The bots in Python that live for a turn; `bunny` stays for the match, `magpie` is in C++."""
OPEN = ("     ", "     ", "  *  ", "     ", "     ")
VIEWS = {
    "nothing in sight": OPEN,
    "enclosed by walls": ("     ", " ### ", " #*# ", " ### ", "     "),
    "in a corner of the field": ("XXXXX", "X####", "X#*  ", "X#   ", "X# o "),
    "a field without a border": ("XXXXX", "XXXXX", "XX*  ", "XX   ", "XX  o"),
    "a field of one cell": ("XXXXX", "XXXXX", "XX*XX", "XXXXX", "XXXXX"),
    "eggs all around": ("ooooo", "ooooo", "oo*oo", "ooooo", "ooooo"),
    "players all around": ("*****", "*****", "*****", "*****", "*****"),
    "one way out": ("     ", " ### ", " #*# ", " ##  ", "     "),
    "an egg behind a wall": ("  o  ", "#####", "# *  ", "#    ", "#    "),
    "unknown letters": ("?????", "\u00e9\u00e9\u00e9\u00e9\u00e9", "??*??", "?????", "?????"),
    "rows that are cut off": ("  ", "", " ", "  o", ""),
}
MEMORIES = (
    "", "garbage", "\u2603" * 1024, "1 2 3", "9 9 9", "1 99 1", "-1 0 1", "0 0 5 1 1 0 0 0 !!!!",
    "0 0 5 1 1 0 0 0 eJz", "-1 -1 -1 -1",
)  # fmt: skip

Answer = tuple[str, str, str]


def decider(name: str) -> Callable[[list[str], str], Answer]:
    """The decision function of a bot; `bunny` starts a new match."""
    if name == "bunny":
        bunny = loaded(name).Bunny()
        return lambda rows, _memory: (*map(str, bunny.decide(rows)), "")
    decide = loaded(name).decide
    return lambda rows, memory: tuple(map(str, decide(rows, memory)))


def one_turn(argv: list[str], text: str, seed: str = "0") -> list[str]:
    """The lines of a process that lives for a turn."""
    done = subprocess.run(
        argv, input=text.encode(), capture_output=True, timeout=60, check=False,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().removesuffix("\n").split("\n")


def check_answer(lines: list[str] | Answer, rows: tuple[str, ...]) -> None:
    """Assert that the answer has three valid lines and no step into a visible wall."""
    direction, stance, memory = lines
    assert re.fullmatch("[1-9]", direction)
    assert stance in {"A", "C", "N"}
    assert len(memory) <= 1024
    assert "\n" not in memory
    dx, dy = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (0, 0))[int(direction) - 1]
    assert direction == "9" or rows[2 + dy].ljust(5)[2 + dx] not in "#X"
    around = "".join(row.ljust(5)[1:4] for row in rows[1:4])
    assert direction != "9" or set(around[:4] + around[5:]) <= {"#", "X"}


@pytest.fixture(scope="session")
def magpie(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that starts Magpie, compiled with all warnings as errors and with checks of its indices."""
    require("cpp")
    program = tmp_path_factory.mktemp("magpie") / "magpie"
    flags = ["-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", "-D_GLIBCXX_ASSERTIONS"]
    subprocess.run(["g++", *flags, "-o", program, BOTS / "magpie" / "main.cpp"], check=True)
    return [str(program)]


@pytest.mark.parametrize("name", [*TURN, "bunny"])
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_gets_a_valid_answer(view: str, name: str) -> None:
    for memory in MEMORIES:
        decide, left = decider(name), memory
        rows = [row.ljust(5) for row in VIEWS[view]]
        for _ in range(12):
            answer = decide(rows, left)
            check_answer(answer, VIEWS[view])
            left = answer[2]


@pytest.mark.parametrize("name", TURN)
def test_answers_of_processes_that_live_for_a_turn(name: str) -> None:
    argv = [sys.executable, "-S", str(BOTS / name / "main.py")]
    for rows in (OPEN, *list(VIEWS.values())[-2:]):
        text = "\n".join([*rows, MEMORIES[2]])
        output = one_turn(argv, text + "\n")
        check_answer(output, rows)
        assert one_turn(argv, text, seed="1") == output, "without the last line feed and with another hash seed"
    check_answer(one_turn(argv, ""), ("",) * 5)


def test_answers_of_magpie(magpie: list[str]) -> None:
    for rows in VIEWS.values():
        for memory in (*MEMORIES, "0 0 2000000000 1 1 0 0 0 AA", "3 0 5 1 1 0 0 0 AA", "0 0 5 1 99999999999 0 0 0 AA"):
            text = "\n".join([*rows, memory])
            output = one_turn(magpie, text + "\n")
            check_answer(output, rows)
        assert one_turn(magpie, text) == output, "without the last line feed"
    check_answer(one_turn(magpie, ""), ("",) * 5)


def test_magpie_answers_after_any_earlier_view(magpie: list[str]) -> None:
    for rows in VIEWS.values():
        left = one_turn(magpie, "\n".join([*rows, "", ""]))[2]
        for later in VIEWS.values():
            check_answer(one_turn(magpie, "\n".join([*later, left, ""])), later)
    for dice in range(8):  # it stayed, and another player came
        rows = VIEWS["players all around"]
        check_answer(one_turn(magpie, "\n".join([*rows, f"2 2 5 9 {dice} 0 0 0 AAAAAAAAA", ""])), rows)


def test_bunny_stays_and_answers_until_its_input_ends() -> None:
    requests = [f"getAction\n{chr(10).join(row.ljust(5) for row in rows)}\n\n" for rows in VIEWS.values()]
    stdin = "getName\n" + "".join(requests)
    first, again = (one_turn([sys.executable, str(BOTS / "bunny" / "main.py")], stdin, seed) for seed in "12")
    assert first == again
    assert first[0] == "Bunny"
    assert len(first) == 1 + 3 * len(requests)
    for number, rows in enumerate(VIEWS.values()):
        check_answer(first[1 + 3 * number : 4 + 3 * number], rows)


@pytest.mark.parametrize("name", [*TURN, "bunny"])
def test_an_adjacent_egg_is_usually_collected(name: str) -> None:
    counts = Counter[Answer]()
    for marks in range(32):  # irrelevant differences between the views change the bot's random numbers
        rows = [*("     " for _ in range(4)), "".join("*" if marks >> bit & 1 else " " for bit in range(5))]
        rows[2] = "  *o "
        direction, stance, _ = decider(name)(rows, "")
        counts[direction, stance] += 1
    assert counts["4", "N"] >= 24, counts


def test_naive_goes_to_the_first_egg_instead_of_the_nearest() -> None:
    assert decider("naive")(["    o", "     ", " o*  ", "     ", "     "], "")[:2] == ("3", "N")


def test_bunny_follows_a_player() -> None:
    """With the same random numbers, it goes down far more often if a player is below."""

    def downwards(rows: list[str]) -> int:
        bunny = loaded("bunny").Bunny()
        return sum(bunny.decide(rows)[0] in {5, 6, 7} for _ in range(200))

    below = downwards(["     ", "     ", "  *  ", "     ", "  *  "])
    above = downwards(["  *  ", "     ", "  *  ", "     ", "     "])
    assert above + 100 < below < 200, (above, below)


def test_bunny_does_not_hop_through_a_wall_that_is_two_cells_away() -> None:
    first_hop, rows = loaded("bunny").first_hop, ["    o", " ### ", " #*  ", " ####", "     "]
    assert first_hop(rows, "o") == 4
    rows[1] = " ####"
    assert first_hop(rows, "o") is None


def test_lefthand_leaves_an_egg_to_a_nearer_player() -> None:
    decide, rows = decider("lefthand"), ["     ", "     ", "  * o"]
    nearer = {decide([*rows, "    *", "     "], f"1 0 {dice}")[0] for dice in range(8)}
    equal = Counter(decide([*rows, "     ", "  *  "], f"1 0 {dice}")[0] for dice in range(8))
    assert nearer == {"2"}, "straight on"
    assert equal["3"] + equal["4"] + equal["5"] >= 5, equal


def test_lefthand_leaves_the_wall_after_many_steps() -> None:
    left = "1 41 1"
    answer = decider("lefthand")([" #   ", " #   ", " #*  ", " #   ", " #   "], left)
    assert answer[0] == "4"
    assert answer[2].split()[1] == "-5"


def play(line_up: list[Callable[[list[str], str], Answer]], seed: int) -> list[float]:
    """Play one run in this process; returns the eggs of each seat."""
    setup = GAME.maps.setup(shipped(GAME.name)["single"], seats=len(line_up), rng_seed=seed)
    state = GAME.start(setup, seed, [Entrant(str(seat), "turn") for seat in range(len(line_up))])
    while requests := state.requests():
        actions = []
        for request in requests:
            *rows, memory, _ = GAME.encode_turn(request).decode().split("\n")
            answer = line_up[request.seat](rows, memory)
            actions.append(GAME.decode(request.ask, [line.encode() for line in answer]))
        state.advance(actions)
    scores = {ranked.seat: ranked.score for ranked in state.current_result().ranking}
    return [scores[seat] for seat in range(len(line_up))]


def tournament(
    names: list[str], runs: int, more: dict[str, Callable[[list[str], str], Answer]] | None = None
) -> dict[str, float]:
    """The mean score of each bot over some runs; the seats rotate from run to run."""
    eggs = Counter[str]()
    for seed in range(runs):
        turned = names[seed % len(names) :] + names[: seed % len(names)]
        line_up = [(more or {}).get(name) or decider(name) for name in turned]
        for name, score in zip(turned, play(line_up, seed), strict=True):
            eggs[name] += score
    return {name: eggs[name] / (runs * names.count(name)) for name in sorted(set(names))}


def test_the_order_of_strength() -> None:
    """A deterministic tournament: each bot is better than the next one, and the best one by far."""
    order = ["surveyor", "lefthand", "bunny", "naive"]
    assert bots.samples(GAME.name, own_runtime=True) == order
    mean = tournament(["surveyor", "lefthand", "lefthand", "bunny", "bunny", "naive", "naive"], 14)
    assert mean["surveyor"] > 1.4 * mean["lefthand"], mean
    assert mean["lefthand"] > 1.05 * mean["bunny"], mean
    assert mean["bunny"] > 1.1 * mean["naive"], mean
    assert mean["surveyor"] > 1.8 * mean["naive"], mean


def test_magpie_is_stronger_than_all_but_surveyor(magpie: list[str]) -> None:
    def as_process(rows: list[str], memory: str) -> Answer:
        direction, stance, left = one_turn(magpie, "\n".join([*rows, memory, ""]))
        return direction, stance, left

    names = ["magpie", "lefthand", "lefthand", "bunny", "bunny", "naive", "naive"]
    mean = tournament(names, 7, {"magpie": as_process})
    assert mean["magpie"] > 1.2 * mean["lefthand"], mean
    assert mean["magpie"] > 1.2 * mean["bunny"], mean
    assert mean["magpie"] > 1.5 * mean["naive"], mean


def test_the_default_line_up_has_both_lifetimes_and_needs_no_compiler() -> None:
    first = bots.samples(GAME.name, own_runtime=True)[:4]
    assert {bots.find(name).lifetime for name in first} == {"turn", "game"}


def referee(*words: str | Path, folder: Path) -> str:
    """Run a command, assert that it succeeds, and return its stdout."""
    environ = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
    # Far more than the bots need: a busy machine must not decide a match.
    wide = ["--first=60s", "--answer=60s"] if words[0] == "play" else []
    ran = in_process(folder, environ, *words, *wide)
    assert ran.code == 0, ran.err
    return ran.out


@pytest.mark.parametrize(
    ("language", "bot"),
    [
        ("python", f"cmd:python3 {PROGRAMS / 'wanderer.py'}"),
        ("cpp", PROGRAMS / "nearest.cpp"),
        ("ruby", PROGRAMS / "naive.rb"),
    ],
)
def test_programs_written_for_any_server_play_unchanged(language: str, bot: str | Path, tmp_path: Path) -> None:
    """These programs read six lines, write three and exit."""
    require(language)
    referee("play", bot, "--game=egghunt", "--map=nest", "--rounds=20", "--seed=2", "-o", "a.jsonl", folder=tmp_path)
    header, *steps, result = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
    assert (header["players"][0]["lifetime"], header["players"][0]["house"]) == ("turn", False)
    answers = [answer for step in steps for answer in step["answers"] if answer["seat"] == 0]
    assert len(answers) == len(steps) > 10
    assert [answer for answer in answers if "fault" in answer] == []
    assert {answer["answer"].split("\n")[0] for answer in answers} <= set("123456789")
    assert [(line["seat"], line["disqualified"]) for line in result["ranking"]] == [(0, None)]
    events = [event for step in steps for event in step["events"]]
    assert {"event": "collect", "seat": 0} in events, "an egg lies beside each start of this map"
