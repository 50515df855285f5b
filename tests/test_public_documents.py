"""protocol.md and saved-games.md match the code: the tests decode their examples and compare their tables."""

from __future__ import annotations

import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from referee import games
from referee.contract.game import FaultKind
from referee.errors import InvalidReply
from referee.saved.entries import AnswerEntry, Header, RankEntry, ResultEntry, StepEntry
from referee.saved.record import FORMAT, MAX_FILE, MAX_LINE, Record, load
from referee.saved.replay import Replay, verify
from referee.testing.assets import readme_of
from referee.text.words import MAX_NAME

GOLDEN = Path(__file__).parent / "records"
GAME = games.find("snakecore")
PROTOCOL = (files("referee") / "docs" / "protocol.md").read_text(encoding="utf-8")
SAVED_GAMES = (files("referee") / "docs" / "saved-games.md").read_text(encoding="utf-8")


def block(text: str, kind: str) -> str:
    """The only fenced block of a kind."""
    (block_text,) = re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert isinstance(block_text, str)
    return block_text


def section(text: str, heading: str) -> str:
    """The text under a heading, up to the next one."""
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def first_column(text: str) -> list[str]:
    """The words in the first column of the table in a text."""
    return re.findall(r"^\| `(\w+)` ", text, re.MULTILINE)


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """The saved game of saved-games.md."""
    path = tmp_path / "example.jsonl"
    path.write_text(re.sub(r"\n +", "", block(SAVED_GAMES, "record")), encoding="utf-8")
    return load(path)


@pytest.mark.parametrize("text", [PROTOCOL, SAVED_GAMES], ids=["PROTOCOL", "SAVED_GAMES"])
def test_their_lines_fit_a_terminal(text: str) -> None:
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("line", block(PROTOCOL, "lines").splitlines())
def test_the_example_lines_are_accepted_or_refused_as_stated(line: str) -> None:
    match = re.fullmatch(r'(\w+) +(".*") +(taken|refused)', line)
    ask, text, verdict = match[1], json.loads(match[2]).encode(), match[3]
    if verdict == "taken":
        GAME.decode(ask, [text])
    else:
        with pytest.raises(InvalidReply):
            GAME.decode(ask, [text])


def test_the_dialogue_is_that_of_the_saved_games_first_player(record: Record) -> None:
    replay, lines = Replay(record), []
    for number, step in enumerate(record.steps):
        (request,) = replay.state_at(number).requests()
        if request.seat == 0:
            lines += [f"> {line}" for line in GAME.encode(request).decode().splitlines()]
            lines.append(f"< {step.answers[0].answer}")
    assert block(PROTOCOL, "dialogue").splitlines() == lines


def test_the_faults_and_the_limits_are_those_of_the_code() -> None:
    assert first_column(section(PROTOCOL, "What is a violation")) == [str(kind) for kind in FaultKind]
    usual = re.findall(r"^\| (\w+) +\|.*\| (\d+) s +\|$", section(PROTOCOL, "Clocks"), re.MULTILINE)
    assert {name: float(seconds) for name, seconds in usual} == GAME.time.as_json()
    assert f"at most {GAME.reply_cap:,} bytes" in PROTOCOL
    assert f"at most {MAX_NAME} characters" in PROTOCOL


def test_the_saved_game_verifies_with_its_own_seed(record: Record) -> None:
    assert verify(record)
    assert Replay(record).state_at(5).names == ["Viper", "Удав"]  # type: ignore[attr-defined]


def test_the_bytes_of_the_digest_are_those_of_the_final_position(record: Record) -> None:
    digested = re.sub(r"\n *", "", block(SAVED_GAMES, "digested"))
    assert hashlib.sha256(digested.encode()).hexdigest() == record.result.digest
    assert json.loads(digested) == Replay(record).state_at(5).position()


def test_every_key_of_the_format_is_explained() -> None:
    assert first_column(section(SAVED_GAMES, "Header")) == list(Header.model_fields)
    assert first_column(section(SAVED_GAMES, "Steps")) == list(StepEntry.model_fields)
    assert first_column(section(SAVED_GAMES, "Result")) == list(ResultEntry.model_fields)
    assert all(f"`{key}`" in section(SAVED_GAMES, "Steps") for key in AnswerEntry.model_fields)
    assert all(f"`{key}`" in section(SAVED_GAMES, "Result") for key in RankEntry.model_fields)
    assert all(f"`{kind}`" in SAVED_GAMES for kind in FaultKind)
    assert f"`{FORMAT}`" in SAVED_GAMES


def test_the_caps_are_those_of_the_code() -> None:
    assert f"lines of more than {MAX_LINE // 2**20} MiB, files of more than {MAX_FILE // 2**20} MiB" in SAVED_GAMES


# -- The games ----------------------------------------------------------------------------------------------------


def words(text: str) -> set[str]:
    """The words in backticks."""
    return set(re.findall(r"`([\w-]+)`", text))


@pytest.mark.parametrize("name", games.names())
def test_the_readme_of_a_game_explains_its_golden_record(name: str) -> None:
    record, readme = load(GOLDEN / f"{name}.jsonl"), readme_of(name)
    position = section(readme, "Positions")
    assert set(record.header.setup) <= words(position) | set(json.loads(block(position, "position")))
    rows = re.findall(r"^\| (`.*?) +\| (.*)\|$", section(readme, "Saved games"), re.MULTILINE)
    for event in (event for step in record.steps for event in step.events):
        (explained,) = [text for kinds, text in rows if event["event"] in words(kinds)]
        assert event.keys() - {"event", "seat", "ant"} <= words(explained), event


def test_the_reasons_of_our_games_are_those_of_their_golden_records() -> None:
    rows = re.findall(r"^\| (`.*?) \| .* \| (.*) \|$", section(SAVED_GAMES, "The games"), re.MULTILINE)
    reasons = {name: words(cell) for names, cell in rows for name in words(names)}
    assert "snakecore" in reasons
    for name, known in reasons.items():
        assert load(GOLDEN / f"{name}.jsonl").result.reason in known
