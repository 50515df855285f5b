"""Short matches between programs, for `referee program`."""

import json
import shutil
from pathlib import Path

import pytest

from referee.files import assets

BOTS = assets.folder("bots")
COBRA = BOTS / "cobra" / "cobra.ava"
TAIPAN = BOTS / "taipan" / "taipan.viper"


@pytest.fixture
def saved(referee, tmp_path, store):
    """A short match of each game between its samples: ava.jsonl, viper.jsonl."""
    for game, bots in (("ava", ["cobra", "boa"]), ("viper", ["taipan", "krait", "adder", "newt"])):
        file = store / f"{game}.jsonl"
        if not file.exists():
            words = ["--game", game, "--map", "quick", "--seed", "3", "--rounds", "12", "-q", "-o", file]
            referee.ok("play", *bots, *words)
        shutil.copy(file, tmp_path)
    return tmp_path


def moves_of(file: Path, seat: int) -> dict[int, str]:
    """The answers of a seat, by step."""
    answers = {}
    for line in file.read_text().splitlines():
        entry = json.loads(line)
        if entry["type"] == "step" and entry["ask"] == "getAction":
            answers.update((entry["step"], answer["answer"]) for answer in entry["answers"] if answer["seat"] == seat)
    return answers
