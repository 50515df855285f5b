"""`referee play human`: a person at a real terminal, and where there is no place for one."""

import signal
import subprocess
from pathlib import Path

import pytest
from cli.conftest import Ran, Shell

from referee.saved.record import Record, load
from referee.saved.replay import verify

ARROWS = b"\x1b[A\x1b[B\x1b[C\x1b[D"
"""At each turn at least one of them is a possible move."""
SAMPLES = Path(__file__).parents[2] / "bots"
WALK_BACK = b"\x1b[D"
WORDS = ("play", "human", "cobra", "--game=ava", "--rounds=3", "-s", "3", "-o", "a.jsonl")


def at_terminal(
    referee: Shell, words: tuple[str, ...], keys: bytes, number: int | None = None, over: bytes = b"q"
) -> Ran:
    """Run a command at a terminal, and press keys at each turn of a person; or send a signal in place of keys.

    `over` is pressed at the end of the match, and `q` when that opens the past.
    """

    shown = b""

    def react(data: bytes, process: subprocess.Popen[bytes]) -> bytes:
        nonlocal number, shown
        shown += data  # since the last reaction, because a read may end within a word
        pressed = b""
        if number is not None and b"your turn" in shown:
            process.send_signal(number)
            number, shown = None, b""
        elif b" close" in shown:
            pressed = over
        elif over != b"q" and b"paused" in shown:
            pressed = b"q"
        elif b"your turn" in shown or b"q again" in shown:
            pressed = keys
        if pressed:
            shown = b""
        return pressed

    return referee.at_terminal(*words, react=react)


def proved(referee: Shell) -> Record:
    record = load(referee.folder / "a.jsonl")
    assert verify(record)
    return record


def test_a_person_plays_a_match_at_a_terminal(referee: Shell) -> None:
    ran = at_terminal(referee, WORDS, ARROWS)
    assert ran.code == 0, ran.err
    assert "Human, your turn" in ran.out
    assert "a person has no clock: --answer=10s sets one for everybody" in ran.err
    assert "programs do not compute during your turns" in ran.err
    assert "again:  referee play human cobra --game=ava --map classic --rounds=3 --seed=3\n" in ran.err
    record = proved(referee)
    assert record.result is not None
    assert record.result.reason == "steps"
    assert [player.bot for player in record.header.players] == ["Human", "Cobra"]
    assert record.header.isolation["pondering"] is False  # type: ignore[index]


def test_walking_back_shows_what_decided_the_move_of_a_program_of_the_user(referee: Shell) -> None:
    (referee.folder / "mine.ava").write_bytes((SAMPLES / "cobra" / "cobra.ava").read_bytes())
    words = tuple("Mia=mine.ava" if word == "cobra" else word for word in WORDS)
    ran = at_terminal(referee, words, ARROWS, over=b"\t" + WALK_BACK)
    assert ran.code == 0, ran.err
    assert "possible moves: " in ran.out


def test_the_command_for_another_match_keeps_what_the_user_set(referee: Shell) -> None:
    words = (*WORDS[:1], "Ann=human", *WORDS[2:], "--answer=20s", "--pondering")
    ran = at_terminal(referee, words, ARROWS)
    assert ran.code == 0, ran.err
    assert "Ann, your turn" in ran.out
    assert "no clock" not in ran.err
    assert "do not compute" not in ran.err
    assert (
        "again:  referee play Ann=human cobra --game=ava --map classic --rounds=3 --seed=3 --answer=20s --pondering\n"
        in ran.err
    )


@pytest.mark.parametrize(("keys", "number", "why"), [
    (b"q", None, "Human left the match"),
    (b"", signal.SIGINT, "interrupted (SIGINT)"),
])  # fmt: skip
def test_a_match_that_a_person_leaves_is_kept(referee: Shell, keys: bytes, number: int | None, why: str) -> None:
    ran = at_terminal(referee, WORDS, keys, number)
    assert ran.code == 130
    assert "the match so far is in a.jsonl" in ran.err
    assert ran.err.endswith(f"referee: {why}\n")
    record = proved(referee)
    assert record.result is not None
    assert record.result.reason == "interrupted"


@pytest.mark.parametrize(("words", "why"), [
    ("play human oracle", "a person needs a terminal on stdin and stdout: leave out the pipe, or name bots only"),
    ("play human oracle --no-watch", "a person plays in the view: leave out --no-watch"),
    ("play human oracle --json", "a person plays in the view: leave out --json"),
])  # fmt: skip
def test_a_person_needs_the_view(referee: Shell, words: str, why: str) -> None:
    ran = referee(*words.split())
    assert (ran.code, ran.err) == (2, f"referee: {why}\n")


@pytest.mark.parametrize("words", [
    "play -n 4 human oracle",
    "compare Ann=human oracle",
    "tournament new cup human oracle",
    "check human",
    "ask human a.jsonl",
])  # fmt: skip
def test_elsewhere_only_programs_play(referee: Shell, words: str) -> None:
    (referee.folder / "a.jsonl").write_text("")
    ran = referee(*words.split())
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err
    assert "`human` is a person at the keyboard, for `referee play` without -n: name a bot here" in ran.err
