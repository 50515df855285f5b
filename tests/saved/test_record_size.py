"""Every saved game can be read: the longest matches that games allow, with the longest answers, fit into the caps.

No such match is played. For each kind of line, the test builds the longest one that the rules allow, and multiplies its length
by the greatest number of such lines in a match.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.contract.game import Answer, Entrant, Event, Step
from referee.games.ants import position as ants
from referee.games.ants.wire import decode as decode_ants
from referee.games.egghunt import position as egghunt
from referee.games.snakecore import position as snakecore
from referee.saved import record
from referee.saved.record import AS_IT_CAME, MAX_FILE, MAX_LINE, Recorder, header_line, load, step_line
from referee.saved.replay import Replay
from referee.tailbite import position as tailbite

ROOM = MAX_FILE - record.MAX_RESULT
NUMBER = 10**6
"""More steps and rounds than any match has."""
LONG = 86_400_000.0005
"""Seconds of an answer, longer than any limit: a thousand days."""
PADDED = "\t" * (AS_IT_CAME - 1)
"""The most blanks that are saved after a letter. JSON writes a tab as two bytes."""


def written(entry: Any) -> int:
    """The length of a line in bytes."""
    return len((record.to_json(entry) + "\n").encode())


def line(game: str, answers: Sequence[Answer[Any]], events: Sequence[Event]) -> int:
    """The length of a step in bytes."""
    return written(step_line(Step(NUMBER, NUMBER, "getAction", answers, events), games.find(game).format))


def answer(action: Any, text: str, seat: int = 7) -> Answer[Any]:
    return Answer(seat, action, text, LONG, LONG, LONG)


def names(seats: int) -> int:
    """The length of all steps that ask for names."""
    named = {"event": "named", "seat": 7, "name": "\x7f" * 32}
    return seats * line("snakecore", [answer("U", "\ufffd" * 32)], [named])


def disqualified(seats: int) -> int:
    """The length of all disqualifications: the faults of the answers and the events."""
    return seats * 2 * written({"event": "disqualified", "seat": 7, "why": "overflow", "detail": "x" * 1000})


def header(game: str, setup: dict[str, Any], seats: int) -> int:
    """The length of a header in bytes."""
    plugin = games.find(game)
    return written(
        header_line(
            plugin, plugin.time, [Entrant("x" * 1000)] * seats, rng_seed=2**128, setup=setup,
            isolation={"level": "full", "parts": "x" * 4000}, created="x" * 40, referee="x" * 40,
        )
    )  # fmt: skip


def test_snakecore() -> None:
    corner = [998, 998]
    back = {"event": "return", "seat": 7, "kind": "b", "at": corner}
    figures = {"blocks": "", "shield": 2**53, "score": 2**53, "disqualified": "overflow"}
    # A cell of a python replaces a letter of the field, so counting the whole field too is an upper bound.
    setup = {
        "size": 999, "rounds": NUMBER, "round": NUMBER, "seat": 7, "field": ["." * 999] * 999,
        "pythons": [{"cells": [], **figures} for _ in range(8)],
    }  # fmt: skip
    cells = snakecore.MAX_CELLS * (len("[998,998],") + len("b"))
    first = header("snakecore", setup, 8) + cells
    turns = [
        line("snakecore", [answer("U", "U" + PADDED)], events)
        for events in (
            [{"event": "bite", "seat": 7, "victim": 6, "length": 10**6, "points": 10**6}],
            [{"event": "deliver", "seat": 7, "length": 10**6, "points": 10**12}],
            [{"event": "shield", "seat": 7, "left": 2**53 + NUMBER}],
            [{"event": "skip", "seat": 7, "why": "no-energy"}],
        )
    ]
    # A block returns at most once for each link: before the match or in a turn.
    returns = (snakecore.MAX_CELLS + snakecore.MAX_TURNS) * written(back)
    assert first + names(8) + disqualified(8) + snakecore.MAX_TURNS * max(turns) + returns <= ROOM
    assert first <= MAX_LINE
    assert max(turns) + returns <= MAX_LINE


def test_ants() -> None:
    side = ants.SIZES[-1]
    corner = [side - 1, side - 1]
    ant = {"at": corner, "food": False, "memory": "f" * 64, "disabled": 8}
    setup = {
        "size": side, "units": NUMBER, "unit": NUMBER, "ants": 100, "hills": [corner] * 4,
        "food": [[*corner, 2**53]] * side**2, "smells": [[*corner, -(2**31), 100]] * side**2,
        "teams": [[ant] * ants.MAX_ANTS] * 4, "next": [3, 99], "disqualified": ["overflow"] * 4,
    }  # fmt: skip
    first = header("ants", setup, 4)
    memory = "f" * 64
    text = f"{'0' * (AS_IT_CAME - 64 - 6)}1 1 1 {memory}"
    assert len(text) == AS_IT_CAME
    answers = [
        answer(decode_ants("getAction", [t.encode()]), t) for t in (text, f"1 1 1 {memory}".ljust(AS_IT_CAME, "\t"))
    ]
    events = [
        {"event": "bite", "seat": 3, "ant": 99, "victim": [2, 99]},
        {"event": "drop", "seat": 2, "ant": 99},
        {"event": "unit", "unit": NUMBER},  # at most one per turn
    ]
    turn = max(line("ants", [each], events) for each in answers)
    born = 4 * ants.MAX_ANTS * written({"event": "born", "seat": 3, "ant": 99})
    assert first + names(4) + disqualified(4) + ants.MAX_TURNS * turn + born <= ROOM
    assert first <= MAX_LINE


@pytest.mark.parametrize("game", ["ava", "viper"])
def test_tail_biting_snakes(game: str) -> None:
    steps, corner = tailbite.MAX_STEPS, [254, 254]
    options = {"rating": "max", "failed_and_groups": "ignore", "or_groups": "any"}
    setup = {
        "size": 255, "steps": NUMBER, "step": NUMBER, "moved": False, "order": [0, 1, 2, 3], "options": options,
        "snakes": [{"cells": [corner] * (255 * 255 // 4), "eaten": NUMBER, "disqualified": "overflow"}] * 4,
    }  # fmt: skip
    first = header(game, setup, 4)
    move = {"event": "move", "seat": 3, "to": "U", "how": "forced"}
    bite = {"event": "bite", "seat": 3, "victim": 2}
    order = {"event": "order", "step": steps, "seats": [0, 1, 2, 3]}
    # If every move is forced, all steps are in one line.
    forced = steps * (written(order) + 4 * (written(move) + written(bite)))
    asked = steps * 4 * line(game, [answer("U", "U" + PADDED)], [{**move, "how": "answer"}, bite]) + steps * written(
        order
    )
    eaten = 3 * written({"event": "eaten", "seat": 3})
    assert max(first, forced + disqualified(4) + eaten) <= MAX_LINE
    assert first + names(4) + disqualified(4) + asked + eaten <= ROOM


def test_the_usual_egg_hunt_with_the_longest_answers() -> None:
    """The longest hunt with the longest memories does not fit: then the recorder stops before the end."""
    seats, turns = egghunt.FEWEST, egghunt.RUNS * egghunt.FEWEST * egghunt.TURNS_EACH
    action = games.find("egghunt").decode("getAction", [b"1", b"A", b"\x01" * egghunt.MAX_MEMORY])
    answers = [answer(action, "junk" * 10_000)] * seats
    events: list[Event] = [{"event": "back", "seat": 6}, {"event": "to", "seat": 6, "at": [20, 20]}] * seats
    events += [{"event": "fight", "seats": [0, 1, 2, 3, 4, 5, 6], "winner": None}] * 3 + [
        {"event": "collect", "seat": 6}
    ] * seats
    assert turns * line("egghunt", answers, events) + egghunt.RUNS * 4_000 <= ROOM


def test_a_short_answer_of_the_most_players_in_the_longest_hunt() -> None:
    answers = [Answer(63, games.find("egghunt").decode("getAction", [b"1", b"A"]), "1\nA\n", 0.0123456)] * 64
    events: list[Event] = [{"event": "to", "seat": 63, "at": [190, 190]}] * 64
    assert egghunt.MAX_ANSWERS // 64 * line("egghunt", answers, events) <= ROOM
    every = [answer(games.find("egghunt").decode("getAction", [b"1", b"A", b"\x01" * 1024]), "\x01" * 65_536)] * 64
    assert line("egghunt", every, events * 4) <= MAX_LINE


# -- Matches that do not fit ---------------------------------------------------------------------------------------


SETUP = {"size": 4, "rounds": 30, "field": ["...."] * 4, "pythons": [{"cells": [[0, 0]]}, {"cells": [[3, 3]]}]}


def play(path: Path, letters: str, together: int = 1) -> Recorder:
    """Play and save a game of two players whose answers have trailing blanks."""
    game = games.find("snakecore")
    state = game.start(SETUP, 5)
    head = header_line(
        game, game.time, [Entrant("one"), Entrant("two")], rng_seed=5, setup=state.position(),
        created="2026-01-31T12:00:00Z", referee="0.1.0",
    )  # fmt: skip
    steps = []
    for number, text in enumerate(["Viper", "Python", *(letter + " " * 500 for letter in letters)], start=1):
        ((seat, ask, _),) = state.requests()
        round_, action = state.round, game.decode(ask, [text.encode()])
        steps.append(Step(number, round_, ask, [Answer(seat, action, text, 0.001)], state.advance([action])))
    recorder = Recorder(path, head)
    for first in range(0, len(steps), together):
        recorder.record(steps[first : first + together])
    recorder.end(state.current_result(), state.position())
    return recorder


def test_a_long_answer_is_saved_in_its_shortest_form_and_a_short_one_unchanged() -> None:
    sent = [Answer(0, "U", text, 0.0) for text in ("U" + " " * (AS_IT_CAME - 1), "U" + " " * AS_IT_CAME)]
    answers = step_line(Step(1, 1, "getAction", sent, []), games.find("snakecore").format)["answers"]
    assert [entry["answer"] for entry in answers] == [sent[0].text, "U"]


@pytest.mark.parametrize("together", [1, 5])
@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_steps_that_do_not_fit_are_omitted_and_the_rest_can_be_read(tmp_path, monkeypatch, suffix, together):
    monkeypatch.setattr(record, "MAX_RESULT", 300)
    monkeypatch.setattr(record, "MAX_FILE", 1_900)
    path = tmp_path / f"a{suffix}"
    left_off = play(path, "RLUDNA" * 5, together).left_off
    read = load(path)
    assert (len(read.steps), read.result) == (left_off - 1, None)
    assert 3 < left_off < 32
    assert read.cut_off == "the last line, the result, is missing"
    Replay(read).state_at(left_off - 1)
    assert not list(tmp_path.glob("*.part*"))


def test_a_line_beyond_the_cap_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    monkeypatch.setattr(record, "MAX_LINE", 100)
    with pytest.raises(OSError, match="the position is longer than the"):
        play(path, "")
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(record, "MAX_LINE", 600)
    monkeypatch.setattr(record, "AS_IT_CAME", 1_000)
    assert play(path, "R").left_off == 3
    assert len(load(path).steps) == 2
