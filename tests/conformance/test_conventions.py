"""What the referee's own games have besides what the contract asks of every game: assets, chapters of the README, records."""

from __future__ import annotations

import json
import random
import re
import runpy
from pathlib import Path

import pytest

from referee import bots, games
from referee.bots.manifest import MANIFEST, manifest_of
from referee.cli.games import games as listed
from referee.contract.ranking import points_of
from referee.errors import SavedGameError
from referee.files import assets, mapfiles
from referee.moments.sentences import in_words
from referee.saved.record import load
from referee.saved.replay import Replay, verify
from referee.testing.assets import blocks, readme_of
from referee.testing.positions import _inside
from referee.testing.recording import named_events
from referee.testing.suite import suite_of

RECORDS = Path(__file__).parents[1] / "records"
SAMPLES = 4
"""The minimum number of sample bots that need no compiler. They form the default line-up."""
CHAPTERS = ("Talking to the referee", "Positions", "Saved games")
"""The chapters that every game's README.md has. A game with its own language also has `Programs`."""

# -- Assets --------------------------------------------------------------------------------------------------------


def test_there_are_maps_in_files_and_trials(game):
    assert game.maps.default in mapfiles.names(game)
    assert not game.maps.built_in
    assert len(game.trials()) >= 8 or not game.trials()


def test_there_are_sample_bots_of_different_strength_that_need_no_compiler(game):
    names = bots.samples(game.name, own_runtime=True)
    assert len(names) >= SAMPLES
    manifests = [manifest_of(assets.folder("bots") / name / MANIFEST) for name in names]
    assert len({manifest.strength for manifest in manifests}) >= SAMPLES
    programs = [manifest for manifest in manifests if manifest.program is not None]
    assert len(programs) >= SAMPLES if game.programs is not None else not programs


def test_the_readme_of_a_sample_bot_has_its_name_its_strength_and_its_weakness(game):
    for name in bots.samples(game.name):
        folder = assets.folder("bots") / name
        text = (folder / "README.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {manifest_of(folder / MANIFEST).name}\n")
        assert "Strength:" in text
        assert "Weakness:" in text


def test_no_other_game_has_programs_with_the_same_suffix():
    suffixes = [game.programs.suffix for game in games.every() if game.programs is not None]
    assert len(set(suffixes)) == len(suffixes) > 0


def test_each_game_is_in_the_list_of_games(game, capsys):
    assert listed() == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.split()[0] == game.name]
    assert line.endswith(f"{game.title}: {game.summary}")


# -- README.md -----------------------------------------------------------------------------------------------------


def test_a_readme_has_its_chapters_and_numbered_rules_in_lines_that_fit_a_terminal(game):
    text = readme_of(game.name)
    wanted = [*CHAPTERS, *(["Programs"] if game.programs is not None else [])]
    assert set(wanted) <= set(re.findall(r"^## (.+)$", text, re.MULTILINE))
    assert re.match(rf"# {re.escape(game.title)}$", text, re.MULTILINE)
    numbers = [int(number) for number in re.findall(r"^(\d+)\. \*\*", text, re.MULTILINE)]
    assert numbers[0] == 1
    assert numbers == sorted(set(numbers))
    assert max(map(len, text.splitlines())) <= 104


def test_a_readme_has_an_example_of_every_kind(game):
    asks = set(suite_of(game.name).subject.vocabulary)
    assert {ask for ask, _ in blocks(game.name, "request")} == asks
    assert {ask for ask, _ in blocks(game.name, "answers")} == asks
    assert blocks(game.name, "position")
    assert blocks(game.name, "record")


def test_a_readme_explains_the_games_own_columns(game):
    _, _, chapter = readme_of(game.name).partition("## The closing table\n")
    explained = re.findall(r"^\| `(.+?)` +\|", chapter.partition("\n## ")[0], re.MULTILINE)
    assert explained == [column.title for column in game.columns]


# -- Golden records ------------------------------------------------------------------------------------------------


def test_its_script_makes_the_golden_record_byte_for_byte(game, tmp_path):
    runpy.run_path(str(RECORDS / f"make_{game.name}.py"))["make"](tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (RECORDS / f"{game.name}.jsonl").read_bytes()


def test_the_golden_record_has_every_event_that_the_readme_names(game):
    record = load(RECORDS / f"{game.name}.jsonl")
    assert named_events(game.name) <= {event["event"] for step in record.steps for event in step.events}


def test_the_golden_record_is_told_in_words_and_effects(game):
    replay = Replay(load(RECORDS / f"{game.name}.jsonl"))
    events = [event for step in replay.steps for event in step.events]
    assert any(in_words(game, event, [f"bot {seat}" for seat in range(len(replay.entrants))]) for event in events)
    moments = range(len(replay.steps) + 1)
    points = [points_of(replay.state_at(moment).current_result(), len(replay.entrants)) for moment in moments]
    effects = [
        effect
        for step, before, after in zip(replay.steps, points, points[1:], strict=False)
        for effect in game.effects(step, before, after)
    ]
    assert not effects or {"points", "nothing"} <= {effect.kind for effect in effects}


@pytest.mark.parametrize("seed", range(12))
def test_a_whole_number_with_a_point_is_refused(game, seed, tmp_path):
    """14.0 is not accepted as 14 in any line of a record."""
    chance, path = random.Random(seed), tmp_path / "copy.jsonl"
    lines = [json.loads(line) for line in (RECORDS / f"{game.name}.jsonl").read_bytes().splitlines()]
    number = [0, len(lines) - 1, chance.randrange(len(lines))][seed % 3]
    numbers = [(holder, key) for holder, key in _inside(lines[number]) if type(holder[key]) is int]
    holder, key = chance.choice(numbers)
    holder[key] = float(holder[key])
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(SavedGameError, match=rf", line {number + 1}: "):
        verify(load(path))
