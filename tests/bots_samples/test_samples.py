"""The sample bots on awkward boards: each gives valid, repeatable answers and never crashes."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from bots_samples.boards import AWKWARD, drawn, scattered
from bots_samples.loading import loaded
from sdk.snakes import ACTIONS, AreaInfo

from referee.bots import samples

ROOT = Path(__file__).parents[2]
SDK = ROOT / "sdk" / "python"
PYTHON_BOTS = sorted(name for name in samples("snakecore") if (ROOT / "bots" / name / "main.py").is_file())

Choose = Callable[[AreaInfo], str]


def choosing(name: str) -> Choose:
    """The bot's `choose`, without state from another game."""
    choose: Choose = loaded(name).choose
    return choose


every_bot = pytest.mark.parametrize("name", PYTHON_BOTS)


def walk(choose: Choose, request: str, turns: int) -> str:
    """The answers of a bot from this board on, while no other python moves."""
    area, answers = AreaInfo.parse(request), ""
    for turn in range(1, turns + 1):
        area.turn = turn
        answer = choose(area)
        assert len(answer) == 1
        assert answer in ACTIONS
        answers += answer
        area = area.after(answer)
    return answers


@every_bot
@pytest.mark.parametrize("case", AWKWARD)
def test_an_answer_on_every_board(name: str, case: str) -> None:
    choose = choosing(name)
    area = AreaInfo.parse(AWKWARD[case])
    answer = choose(area)
    assert area.outcome(answer).kind != "skip", "a wasted turn"
    walk(choose, AWKWARD[case], 15)


@every_bot
@pytest.mark.parametrize("turn", [1, 299, 300, 301, 5000])
def test_an_answer_in_any_turn(name: str, turn: int) -> None:
    area = AreaInfo.parse(scattered(15, 4, turn))
    area.turn = turn
    assert choosing(name)(area) in set(ACTIONS)


@every_bot
def test_the_same_requests_get_the_same_answers(name: str) -> None:
    requests = list(AWKWARD.values())
    first, again = choosing(name), choosing(name)
    answers = [walk(first, request, 5) for request in requests]
    assert [walk(again, request, 5) for request in reversed(requests)] == answers[::-1]


@every_bot
def test_the_same_answers_in_another_process(name: str) -> None:
    stdin = "getName\n" + "".join(f"getAction\n{request}\n" for request in AWKWARD.values())
    answers = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "main.py"], cwd=ROOT / "bots" / name, input=stdin.encode(), capture_output=True,
            timeout=60, check=False,
            env={**os.environ, "PYTHONPATH": str(SDK), "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        answers.add(done.stdout)
    assert len(answers) == 1, "the order of a set or a dict decides"
    lines = answers.pop().decode().splitlines()
    assert lines[0] == name.capitalize()
    assert len(lines) == 1 + len(AWKWARD)


@pytest.mark.parametrize("name", [name for name in PYTHON_BOTS if name != "random"])
def test_a_block_beside_the_head_is_eaten(name: str) -> None:
    area = AreaInfo.parse(drawn("..... ..... .pb.. ..... R....", "0 1 1 2"))
    assert choosing(name)(area) == "R"


@pytest.mark.parametrize("name", ["guard", "oracle"])
def test_a_shield_against_an_imminent_bite(name: str) -> None:
    rows = "bbbbb b.... bbbbp ...e. ...ep"
    area = AreaInfo.parse(drawn(rows, "0 13 4 4 3 4 3 3 3 2 2 2 1 2 0 2 0 1 0 0 1 0 2 0 3 0 4 0", "0 1 4 2"))
    assert choosing(name)(area) == "A"


@pytest.mark.parametrize("name", ["hunter", "oracle"])
def test_a_long_unprotected_neck_is_bitten(name: str) -> None:
    rows = ".p..... pbbbbbb ......b ......b ....... ....... R......"
    area = AreaInfo.parse(drawn(rows, "0 1 1 0", "0 9 0 1 1 1 2 1 3 1 4 1 5 1 6 1 6 2 6 3"))
    assert choosing(name)(area) == "D"


@pytest.mark.parametrize("name", ["collector", "courier", "oracle"])
def test_a_load_is_delivered_when_nothing_is_left_to_collect(name: str) -> None:
    rows = "pbbbbbb ......b ......b ....... ....... R...... ......."
    assert walk(choosing(name), drawn(rows, "0 9 0 0 1 0 2 0 3 0 4 0 5 0 6 0 6 1 6 2"), 5) == "DDDDD"


def test_random_draws_again_in_each_turn() -> None:
    assert len(set(walk(choosing("random"), scattered(21, 1, 5), 40))) == 4


@every_bot
def test_a_large_board_needs_few_searches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test counts searches for paths and boards made by `after`; it does not measure time."""
    done: Counter[str] = Counter()
    for method in ("_search", "after"):
        monkeypatch.setattr(AreaInfo, method, counted(getattr(AreaInfo, method), done))
    choosing(name)(AreaInfo.parse(AWKWARD["scattered: 41 x 41, 4 pythons"]))
    assert done["after"] <= len(ACTIONS), "at most one board per action"
    assert done["_search"] <= 8


def counted(method: Callable[..., object], done: "Counter[str]") -> Callable[..., object]:
    """Wrap the method and count its calls under its name."""

    def wrapper(*args: object) -> object:
        done[method.__name__] += 1
        return method(*args)

    return wrapper
