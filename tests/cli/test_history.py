"""The history: which matches are kept there, and how `referee history` lists them."""

import gzip
import json
from pathlib import Path

import pytest
from cli.conftest import Shell

from referee.cli import history
from referee.errors import UsageError

pytestmark = pytest.mark.machine

RECORD = Path(__file__).parents[1] / "records" / "viper.jsonl"
MATCH = ("play", "--game=viper", "newt", "krait", "--rounds=3", "--quiet")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The history folder of a user without matches."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "referee" / "matches"


def test_matches_are_listed_newest_first_with_players_by_rank(referee: Shell):
    for seed in (1, 2, 3):
        referee.ok(*MATCH, f"--seed={seed}")
    listed = referee.json("history")
    assert [entry["seed"] for entry in listed] == [3, 2, 1]
    assert all(entry["game"] == "viper" for entry in listed)
    ranks = [player["rank"] for player in listed[0]["players"]]
    assert ranks == sorted(ranks)
    assert {player["bot"] for player in listed[0]["players"]} == {"Newt", "Krait"}
    shown = referee("history", "-n", "1").out.splitlines()
    assert len(shown) == 2
    assert shown[1].strip() == listed[0]["saved"]
    referee.ok("verify", listed[0]["saved"])


def test_an_empty_history_says_how_to_play(referee: Shell):
    assert referee.ok("history", err="").out.startswith("no matches yet: ")
    referee("history", "--limit", "0", code=2)


def test_a_damaged_file_is_left_out(folder: Path, capsys: pytest.CaptureFixture[str]):
    history.new_file("viper", 1).write_bytes(b"\x1f\x8bno gzip")
    history.new_file("viper", 2).write_bytes(b"")
    history.history(json=True)
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize(("reason", "players"), [
    ("steps", "1. biter, 2= python, 2= hedgehog, 4. nameless"),
    ("interrupted", "1. biter, 2= python, 2= hedgehog, 4. nameless  (interrupted)"),
    (None, "- biter, - python, - nameless, - hedgehog  (unfinished)"),
])  # fmt: skip
def test_a_match_that_was_broken_off_says_so(
    reason: str | None, players: str, folder: Path, capsys: pytest.CaptureFixture[str]
):
    *lines, result = RECORD.read_text(encoding="utf-8").splitlines()
    if reason is not None:
        lines.append(result.replace('"reason":"steps"', f'"reason":"{reason}"'))
    history.new_file("viper", 1).write_bytes(gzip.compress("".join(line + "\n" for line in lines).encode()))
    history.history()
    assert capsys.readouterr().out.splitlines()[0].endswith(f"  viper      {players}")


def test_only_the_newest_are_kept_and_other_files_are_not_deleted(folder: Path):
    folder.mkdir(parents=True)
    (folder / "mine.jsonl.gz").touch()
    names = [f"20260101-000000-{number:06}-viper-1.jsonl.gz" for number in range(history.KEPT)]
    for name in names:
        (folder / name).touch()
    new = history.new_file("viper", 1)
    assert new.name > names[-1]
    assert sorted(path.name for path in folder.iterdir()) == [*names[1:], "mine.jsonl.gz"]
    assert history.latest() == folder / names[-1]


def test_latest_fails_if_the_history_is_empty(folder: Path):
    with pytest.raises(UsageError, match="play one with: referee play"):
        history.latest()
